//! Enums in all of serde's representations.

use serde::Deserialize;
use serde_json::{Value, json};
use typed_extract::{Extract, rules, validate};

use crate::support::{probed, walked};

#[derive(Debug, Deserialize, Extract)]
#[extract(rule(positive(n), "n is positive", check = *n > 0))]
struct Amt {
    n: i64,
}

macro_rules! payments {
    ($($(#[$attribute:meta])* $name:ident;)*) => {
        $(#[derive(Debug, Deserialize, Extract)]
        $(#[$attribute])*
        enum $name {
            #[serde(alias = "Carte")]
            Card(Amt),
            Wire { amt: Amt, fee: Amt },
            Nothing,
        })*
    };
}

payments! {
    External;
    #[serde(tag = "kind")] Internal;
    #[serde(tag = "kind", content = "of")] Adjacent;
    #[serde(untagged)] Untagged;
}

fn amt(n: impl Into<Value>) -> Value {
    json!({ "n": n.into() })
}

#[test]
fn external() {
    assert_eq!(
        walked::<External>(&json!({"Card": amt(0)})),
        ["Card.n: positive"]
    );
    let wire = json!({"Wire": {"amt": amt(0), "fee": amt("x")}});
    assert_eq!(
        probed::<External>(&wire),
        ["Wire.amt.n: positive", "Wire.fee.n: bind.type"]
    );
    assert_eq!(
        probed::<External>(&json!({"Carte": amt("x")})),
        ["Card.n: bind.type"]
    );
    assert!(walked::<External>(&json!("Nothing")).is_empty());
    assert_eq!(
        probed::<External>(&json!("Cheque")),
        ["(root): bind.unknown"]
    );
}

#[test]
fn internal() {
    assert_eq!(
        walked::<Internal>(&json!({"kind": "Card", "n": 0})),
        ["n: positive"]
    );
    let wire = json!({"kind": "Wire", "amt": amt(0), "fee": amt("x")});
    assert_eq!(
        probed::<Internal>(&wire),
        ["amt.n: positive", "fee.n: bind.type"]
    );
    assert_eq!(
        probed::<Internal>(&json!({"kind": "Card", "n": "x"})),
        ["n: bind.type"]
    );
    assert_eq!(
        probed::<Internal>(&json!({"kind": "Cheque"})),
        ["kind: bind.unknown"]
    );
}

#[test]
fn adjacent() {
    assert_eq!(
        walked::<Adjacent>(&json!({"kind": "Card", "of": amt(0)})),
        ["of.n: positive"]
    );
    let wire = json!({"of": {"amt": amt(0), "fee": amt("x")}, "kind": "Wire"});
    assert_eq!(
        probed::<Adjacent>(&wire),
        ["of.amt.n: positive", "of.fee.n: bind.type"]
    );
}

#[test]
fn untagged_is_taken_apart_as_the_variant_that_fits_best() {
    assert_eq!(walked::<Untagged>(&amt(0)), ["n: positive"]);
    assert_eq!(
        walked::<Untagged>(&json!({"amt": amt(0), "fee": amt(1)})),
        ["amt.n: positive"]
    );
    assert_eq!(probed::<Untagged>(&amt("x")), ["n: bind.type"]);
}

#[derive(Debug, Deserialize, Extract)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase")]
enum Mixed {
    TwoParts(Amt, Amt),
    Deep {
        the_amt: Option<Box<Mixed>>,
        amt: Amt,
    },
    #[serde(skip_deserializing)]
    Never(Amt),
    #[serde(untagged)]
    Free(Amt),
}

#[rules]
impl Mixed {
    /// Nothing is free.
    fn not_free(&self) -> bool {
        !matches!(self, Self::Free(_))
    }
}

#[test]
fn renamed_and_mixed_variants() {
    let deep = json!({"deep": {"theAmt": {"two_parts": [amt(1), amt(0)]}, "amt": amt(0)}});
    let expected = [
        "deep.theAmt.two_parts[1].n: positive",
        "deep.amt.n: positive",
    ];
    assert_eq!(walked::<Mixed>(&deep), expected);
    assert_eq!(
        walked::<Mixed>(&amt(0)),
        ["(root): not_free", "n: positive"]
    );
    let broken = json!({"two_parts": [amt("x"), amt("y")]});
    let expected = ["two_parts[0].n: bind.type", "two_parts[1].n: bind.type"];
    assert_eq!(probed::<Mixed>(&broken), expected);
}

#[derive(Debug, Deserialize, Extract)]
enum Wide {
    Plain { n: u128 },
}

#[derive(Debug, Deserialize, Extract)]
#[serde(tag = "kind")]
enum Lossy {
    Buffered { n: u128 },
}

#[derive(Debug, Deserialize, Extract)]
struct Flattened {
    safe: u128,
    #[serde(flatten)]
    rest: Rest,
}

#[derive(Debug, Deserialize, Extract)]
struct Rest {
    lost: u128,
}

fn read<T: Extract<Context = ()>>(reply: &str) -> T {
    validate(reply).expect("the reply binds")
}

#[test]
fn wide_integers_bind_where_serde_would_read_them_through_a_buffer() {
    let most = u128::MAX;
    let wide: Wide = read(&format!(r#"{{"value": {{"Plain": {{"n": {most}}}}}}}"#));
    let Wide::Plain { n } = wide;
    assert_eq!(n, most);
    let Lossy::Buffered { n } = read(&format!(
        r#"{{"value": {{"kind": "Buffered", "n": {most}}}}}"#
    ));
    assert_eq!(n, most);
    let flat: Flattened = read(&format!(r#"{{"safe": 1, "lost": {most}}}"#));
    assert_eq!((flat.safe, flat.rest.lost), (1, most));
}

#[derive(Debug, Deserialize, Extract)]
struct Tagged {
    #[serde(flatten)]
    payment: Internal,
    note: u8,
}

#[test]
fn a_flattened_enum_finds_its_keys_among_its_parents() {
    let reply = json!({"kind": "Wire", "amt": amt(0), "fee": amt("x"), "note": "y"});
    let expected = ["note: bind.type", "amt.n: positive", "fee.n: bind.type"];
    assert_eq!(probed::<Tagged>(&reply), expected);
}

#[derive(Debug, Deserialize, Extract)]
struct Wrapped(Vec<u8>);

#[derive(Debug, Deserialize, Extract)]
#[serde(tag = "kind")]
enum Listed {
    Whole(Wrapped),
    Parts { list: Wrapped },
}

#[derive(Debug, Deserialize, Extract)]
struct HoldsListed {
    inner: Vec<Listed>,
}

#[test]
fn a_tag_without_an_object_around_it_is_refused_when_the_schema_is_built() {
    let error = typed_extract::json_schema::<HoldsListed>().expect_err("refused");
    assert_eq!(error.kind(), typed_extract::ErrorKind::Schema);
    let text = error.to_string();
    assert!(
        text.contains("inner[]") && text.contains("no object"),
        "{text}"
    );
}

#[derive(Debug, Deserialize, Extract)]
struct Card {
    last4: String,
}

#[derive(Debug, Deserialize, Extract)]
enum Outer {
    A(Card),
    B,
}

#[derive(Debug, Deserialize, Extract)]
#[serde(tag = "kind")]
enum Objects {
    Card(Box<Card>),
    Maybe(Option<Card>),
    Map(std::collections::BTreeMap<String, String>),
    Nothing(()),
    Outer(Outer),
    #[serde(untagged)]
    Number(u8),
}

#[test]
fn objects_of_every_kind_may_be_tagged() {
    typed_extract::json_schema::<Objects>().expect("a schema");
}
