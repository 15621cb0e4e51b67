//! How a type may be written: serde's attributes beside ours.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::json;
use typed_extract::{Extract, validate};

use crate::support::{probed, refused, walked};

#[derive(Debug, Clone, PartialEq, Deserialize, Extract)]
#[extract(rule(positive(n), "n is positive", check = *n > 0))]
struct Amt {
    n: i64,
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[extract(rule(few(children), "nodes have few children", check = children.len() < 3))]
struct Tree {
    amt: Arc<Amt>,
    #[serde(default)]
    children: Vec<Arc<Tree>>,
    next: Option<Arc<Self>>,
}

#[test]
fn a_type_may_hold_itself_behind_an_arc() {
    let leaf = json!({"amt": {"n": 0}});
    let reply = json!({"amt": {"n": 1}, "children": [leaf, leaf, leaf], "next": leaf});
    let expected = [
        "children: few",
        "children[0].amt.n: positive",
        "children[1].amt.n: positive",
        "children[2].amt.n: positive",
        "next.amt.n: positive",
    ];
    assert_eq!(walked::<Tree>(&reply), expected);
    let reply = json!({"amt": {"n": 1}, "children": [{"amt": {"n": "x"}}]});
    assert_eq!(refused::<Tree>(&reply), ["children[0].amt.n: schema.type"]);
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(transparent)]
struct Code(Arc<str>);

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase")]
enum Event {
    PaidBy { the_amount: Box<Amt> },
    Noted(Cow<'static, str>),
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Written {
    text: Cow<'static, str>,
    r#type: Code,
    events: Arc<[Event]>,
    pairs: Cow<'static, [Amt]>,
}

#[test]
fn names_and_pointers_go_together() {
    let reply = json!({
        "text": "a", "type": "b",
        "events": [{"paid_by": {"theAmount": {"n": 1}}}, {"noted": "c"}],
        "pairs": [{"n": 2}],
    });
    let written: Written = validate(&reply.to_string()).expect("right");
    let amount = |n| Amt { n };
    let the_amount = Box::new(amount(1));
    let expected = Written {
        text: "a".into(),
        r#type: Code("b".into()),
        events: [Event::PaidBy { the_amount }, Event::Noted("c".into())].into(),
        pairs: vec![amount(2)].into(),
    };
    assert_eq!(written, expected);
    let reply = json!({
        "text": "a", "type": 1,
        "events": [{"paid_by": {"theAmount": {"n": 0}}}],
        "pairs": [{"n": 0}, {"n": "x"}],
    });
    let expected = [
        "type: bind.type",
        "events[0].paid_by.theAmount.n: positive",
        "pairs[0].n: positive",
        "pairs[1].n: bind.type",
    ];
    assert_eq!(probed::<Written>(&reply), expected);
}

type Amts = BTreeMap<String, Arc<Amt>>;

macro_rules! holder {
    ($name:ident { $($field:ident: $type:ty),* }) => {
        #[derive(Debug, PartialEq, Deserialize, Extract)]
        struct $name {
            $(
                #[serde(default)]
                $field: $type,
            )*
            #[serde(default, deserialize_with = "lenient")]
            seen: Option<$crate::shapes::Amt>,
        }
    };
}

fn lenient<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Amt>, D::Error> {
    Option::deserialize(from)
}

holder!(Holder { amts: Amts, one: Option<Amt> });

#[test]
fn aliases_of_types_and_macro_rules_change_nothing() {
    let reply = json!({"amts": {"a": {"n": 0}}, "one": {"n": 0}, "seen": {"n": 0}});
    assert_eq!(
        walked::<Holder>(&reply),
        ["amts.a.n: positive", "one.n: positive"]
    );
}

#[derive(Debug, Deserialize, Extract)]
struct Dates {
    day: time::Date,
    maybe: Option<time::Date>,
    #[serde(with = "time::serde::rfc3339")]
    at: time::OffsetDateTime,
    #[serde(default, with = "time::serde::timestamp::option")]
    seconds: Option<time::OffsetDateTime>,
}

#[test]
fn the_time_crate_has_its_schemas_from_here() {
    let reply = json!({"day": "2024-02-29", "at": "2024-02-29T10:00:00Z", "seconds": 5});
    let dates: Dates = validate(&reply.to_string()).expect("right");
    assert_eq!(dates.day.to_string(), "2024-02-29");
    assert_eq!(dates.at.unix_timestamp(), 1_709_200_800);
    assert_eq!(dates.maybe, None);
    let reply = json!({"day": "29.2.2024", "at": "today", "seconds": "5"});
    let expected = [
        "day: schema.format",
        "at: schema.format",
        "seconds: schema.type",
    ];
    assert_eq!(refused::<Dates>(&reply), expected);
}
