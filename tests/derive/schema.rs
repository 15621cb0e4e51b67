//! The derived schema: schemars' own, by the type's name, with what it leaves
//! out.

use serde::Deserialize;
use serde_json::json;
use typed_extract::__private::Extract as Hinted;
use typed_extract::Extract;

use crate::support::schema;

/// An invoice.
#[derive(Debug, Deserialize, Extract)]
#[extract(instructions = "Amounts are in Swiss francs.")]
struct Invoice {
    /// The number printed on it.
    #[validate(length(min = 1, max = 9))]
    number: String,
    #[validate(range(exclusive_min = 0, max = 10))]
    count: u32,
    #[validate(range(min = 0.5, exclusive_max = 2.5))]
    factor: Option<f64>,
    #[validate(range(exclusive_min = 1.0, exclusive_max = 2.0))]
    half: f32,
    #[validate(email)]
    mail: String,
    #[validate(url)]
    page: String,
    #[validate(contains(pattern = "a.b"))]
    text: String,
    #[validate(required)]
    needed: Option<u8>,
    #[extract(keep_delimiters)]
    #[serde(rename = "theTags")]
    tags: Vec<String>,
    previous: Option<Box<Invoice>>,
}

#[test]
fn keywords_come_from_the_checks() {
    let schema = schema::<Invoice>();
    assert_eq!(schema["title"], "Invoice");
    assert_eq!(schema["description"], "An invoice.");
    let of = |key: &str| &schema["properties"][key];
    assert_eq!(of("number")["description"], "The number printed on it.");
    assert_eq!(
        (&of("number")["minLength"], &of("number")["maxLength"]),
        (&json!(1), &json!(9))
    );
    assert_eq!(of("count")["exclusiveMinimum"], json!(0));
    assert_eq!(of("count")["maximum"], json!(10));
    assert_eq!(of("factor")["minimum"], json!(0.5));
    assert_eq!(of("factor")["exclusiveMaximum"], json!(2.5));
    assert_eq!(of("half")["exclusiveMaximum"], json!(2.0));
    assert_eq!(of("mail")["format"], "email");
    assert_eq!(of("page")["format"], "uri");
    assert_eq!(of("text")["pattern"], "a\\.b");
    assert_eq!(of("needed")["type"], "integer");
    let required = schema["required"].as_array().expect("a list");
    assert!(required.contains(&json!("needed")));
    assert!(!required.contains(&json!("previous")));
}

#[test]
fn properties_keep_the_declared_order() {
    let schema = schema::<Invoice>();
    let keys: Vec<&String> = schema["properties"]
        .as_object()
        .expect("an object")
        .keys()
        .collect();
    assert_eq!(keys[..3], ["number", "count", "factor"]);
}

#[test]
fn hints_are_in_wire_names() {
    let hints = <Invoice as Hinted>::hints();
    assert_eq!(hints.instructions, Some("Amounts are in Swiss francs."));
    assert_eq!(hints.keep_delimiters, ["theTags"]);
}

#[derive(Debug, Deserialize, Extract)]
struct Address {
    street: String,
    zip: String,
    country: Option<String>,
}

#[derive(Debug, Deserialize, Extract)]
struct Person {
    name: String,
    #[serde(flatten)]
    address: Option<Address>,
}

#[test]
fn half_a_flattened_optional_is_refused() {
    let schema = schema::<Person>();
    // A country alone is refused when it is bound: null would be none.
    let expected = json!({"street": ["zip"], "zip": ["street"]});
    assert_eq!(schema["dependentRequired"], expected);
    assert_eq!(schema["required"], json!(["name"]));
}

#[derive(Debug, Deserialize, schemars::JsonSchema, Extract)]
#[extract(no_schema)]
struct Own {
    #[validate(range(exclusive_min = 1))]
    n: u8,
}

#[derive(Debug, Deserialize, Extract)]
#[serde(rename = "Inv", default = "Named::new")]
#[schemars(description = "Said here")]
struct Named {
    me: Option<Box<Self>>,
}

impl Named {
    fn new() -> Self {
        Self { me: None }
    }
}

#[test]
fn names_and_descriptions_given_are_kept() {
    assert_eq!(schema::<Named>()["title"], "Inv");
    assert_eq!(schema::<Named>()["description"], "Said here");
    assert_eq!(schema::<Own>()["title"], "Own");
}
