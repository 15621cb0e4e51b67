//! A type that stands in several places stands once, under `$defs`.

use serde::Deserialize;
use serde_json::{Value, json};
use typed_extract::{Extract, Provider, json_schema, validate, wire_schema};

use super::property::DIALECTS;

macro_rules! levels {
    ($($level:ident($below:ident)),*) => { $(
        #[derive(Debug, Deserialize, Extract)]
        #[allow(dead_code)]
        struct $level {
            first: $below,
            second: Option<$below>,
            third: Vec<$below>,
        }
    )* };
}

/// What stands at the bottom.
#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Leaf {
    name: String,
    count: u8,
}

levels!(
    L1(Leaf),
    L2(L1),
    L3(L2),
    L4(L3),
    L5(L4),
    L6(L5),
    L7(L6),
    L8(L7),
    L9(L8),
    L10(L9),
    L11(L10),
    L12(L11)
);

#[test]
fn a_schema_grows_with_its_types_and_not_with_their_uses() {
    let seven = json_schema::<L7>().unwrap().to_string().len();
    let twelve = json_schema::<L12>().unwrap().to_string().len();
    assert!(seven < 3_000, "{seven}");
    assert!(twelve < 5_000, "{twelve}");
}

#[test]
fn a_wire_that_takes_references_carries_them() {
    for provider in [
        Provider::OpenAi,
        Provider::Anthropic,
        Provider::Gemini,
        Provider::XAi,
    ] {
        let wire = wire_schema::<L7>(provider).unwrap();
        let text = wire.schema().to_string();
        assert!(text.len() < 4_000, "{provider}: {}", text.len());
        assert!(text.contains("#/$defs/L6"), "{provider}: {text}");
    }
}

#[test]
fn a_wire_that_takes_no_reference_refuses_what_is_too_large_without_it() {
    for to in DIALECTS {
        match wire_schema::<L12>(to) {
            Ok(wire) => assert!(wire.schema().to_string().len() < 10_000, "{to}"),
            Err(error) => assert!(error.to_string().contains("$ref"), "{to}: {error}"),
        }
    }
}

/// Where something is.
#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Address {
    /// The street with its number.
    street: String,
    city: Option<String>,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Named {
    name: String,
}

#[derive(Debug, Deserialize, Extract)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[allow(dead_code)]
enum Place {
    At(Address),
    Called(Named),
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Order {
    /// Where the bill goes.
    billing: Address,
    shipping: Option<Address>,
    #[serde(flatten)]
    seat: Address,
    place: Place,
    other: Place,
    only: Named,
}

#[test]
fn a_shared_type_is_referred_to_and_its_words_survive() {
    let schema = json_schema::<Order>().unwrap();
    let properties = &schema["properties"];
    assert_eq!(
        properties["billing"],
        json!({"$ref": "#/$defs/Address", "description": "Where the bill goes."})
    );
    assert_eq!(
        properties["shipping"]["anyOf"],
        json!([{"$ref": "#/$defs/Address"}, {"type": "null"}])
    );
    assert_eq!(
        schema["$defs"]["Address"]["description"],
        "Where something is."
    );
    assert_eq!(
        properties["only"]["properties"]["name"],
        json!({"type": "string"})
    );
    assert_eq!(properties["only"]["additionalProperties"], json!(false));
    let names: Vec<&String> = schema["$defs"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["Address", "Place"]);
}

#[test]
fn a_type_closes_over_its_own_keys_flattened_or_not() {
    let reply = json!({
        "billing": {"street": "a", "city": null},
        "shipping": null,
        "street": "b", "city": "c",
        "place": {"kind": "at", "street": "s"},
        "other": {"kind": "called", "name": "n"},
        "only": {"name": "n"},
    });
    assert!(validate::<Order>(&reply.to_string()).is_ok());
    for place in ["", "/billing", "/place", "/other", "/only"] {
        let mut extra: Value = reply.clone();
        extra.pointer_mut(place).unwrap()["extra"] = json!(1);
        let failures = validate::<Order>(&extra.to_string()).unwrap_err();
        assert_eq!(failures[0].path().pointer(), format!("{place}/extra"));
        assert_eq!(failures[0].code(), "schema.additional");
    }
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Quantities(Vec<Named>);

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Bounded {
    #[schemars(length(min = 1))]
    some: Quantities,
    any: Quantities,
}

#[test]
fn what_a_field_says_of_a_shared_type_holds_for_that_field_alone() {
    assert!(validate::<Bounded>(r#"{"some":[{"name":"a"}],"any":[]}"#).is_ok());
    let failures = validate::<Bounded>(r#"{"some":[],"any":[]}"#).unwrap_err();
    assert_eq!(failures[0].path().pointer(), "/some");
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Tree {
    label: Named,
    other: Named,
    children: Vec<Tree>,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Two {
    left: Tree,
    right: Option<Tree>,
}

#[test]
fn a_type_that_holds_itself_has_one_definition() {
    let schema = json_schema::<Two>().unwrap();
    let names: Vec<&String> = schema["$defs"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["Tree", "Named"]);
    assert_eq!(
        schema["properties"]["left"],
        json!({"$ref": "#/$defs/Tree"})
    );
}
