//! Types, as the wire of each dialect carries them.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;
use serde_json::{Value, json};
use typed_extract::__private::inspect::wire;
use typed_extract::model::SchemaDialect;
use typed_extract::{Extract, Provider, json_schema, wire_schema};

use super::keywords::{every_schema, refused};
use super::property::DIALECTS;

fn sent<T: Extract>(to: impl Into<SchemaDialect>) -> Value {
    wire_schema::<T>(to)
        .expect("a schema that can be carried")
        .schema()
        .clone()
}

/// A rewritten value, under the key `v` of a closed object.
fn property(schema: &Value, to: SchemaDialect) -> Value {
    let root = json!({
        "type": "object",
        "properties": {"v": schema},
        "required": ["v"],
        "additionalProperties": false
    });
    wire(&root, to)
        .expect("a schema that can be carried")
        .schema()["properties"]["v"]
        .clone()
}

#[derive(Debug, Deserialize, Extract)]
#[serde(rename_all = "lowercase")]
#[allow(dead_code)]
enum Extra {
    Note(String),
    Code { code: u8 },
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Doc {
    page: String,
    #[serde(flatten)]
    extra: Extra,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Coords {
    lat: i32,
    lon: i32,
}

#[derive(Debug, Deserialize, Extract)]
#[serde(tag = "kind")]
#[allow(dead_code)]
enum Outline {
    Point(Coords),
    Line { a: Coords, b: Option<Coords> },
    Nothing,
}

#[derive(Debug, Deserialize, Extract)]
#[serde(untagged)]
#[allow(dead_code)]
enum Loose {
    Small { x: u8 },
    Text(String),
    Many(Vec<Coords>),
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Berth {
    kind: String,
    #[serde(flatten)]
    coords: Option<Coords>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, Extract)]
enum Colour {
    /// Like blood.
    Red,
    Green,
}

/// Everything that a type may be made of, except itself.
#[derive(Debug, Deserialize, Extract)]
#[extract(portable(openai, azure, anthropic, gemini, xai, mistral, groq, ollama, vllm))]
#[allow(dead_code)]
struct All {
    outline: Outline,
    loose: Option<Loose>,
    berth: Berth,
    pair: (u8, String),
    by_name: HashMap<String, Coords>,
    by_number: BTreeMap<u32, Vec<String>>,
    doc: Doc,
    /// Its colours.
    colours: Vec<Colour>,
    #[serde(default)]
    count: u8,
}

/// A figure in the text.
#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Figure {
    caption: Option<String>,
    parts: Vec<Figure>,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Article {
    /// the lead picture
    lead: Figure,
    /// the last picture
    last: Option<Box<Figure>>,
}

#[test]
fn derived_types_hold_only_what_each_dialect_takes() {
    for to in DIALECTS {
        let schema = sent::<All>(to);
        every_schema(&schema, &mut |node| {
            let found = refused(to, node);
            assert!(found.is_none(), "{to}: {found:?} in {node:?}");
        });
        let twice = wire(&schema, to).expect("what was carried once");
        assert_eq!(twice.schema().to_string(), schema.to_string(), "{to}");
    }
}

#[test]
fn the_full_dialect_is_the_schema_that_models_are_asked_for() {
    let full = wire_schema::<All>(SchemaDialect::Full).unwrap();
    assert!(full.dropped().is_empty());
    assert_eq!(full.dialect(), SchemaDialect::Full);
    assert_eq!(
        full.schema()["properties"]["count"],
        json_schema::<All>().unwrap()["properties"]["count"]
    );
}

#[test]
fn what_is_said_beside_a_reference_still_reaches_the_model() {
    let schema = sent::<Article>(Provider::OpenAi);
    assert_eq!(
        schema["properties"]["lead"]["description"],
        "the lead picture"
    );
    let last = &schema["properties"]["last"];
    assert_eq!(last["description"], "the last picture");
    let text = schema.to_string();
    assert!(text.contains("#/$defs/Figure"), "{text}");
    every_schema(&schema, &mut |node| {
        assert!(!node.contains_key("$ref") || node.len() == 1, "{node:?}");
    });
}

#[test]
fn a_flattened_enum_becomes_closed_objects_under_one_key() {
    let schema = sent::<Doc>(Provider::OpenAi);
    let branches = schema["properties"]["value"]["anyOf"].as_array().unwrap();
    assert_eq!(branches[0]["required"], json!(["page", "note"]));
    assert_eq!(branches[1]["required"], json!(["page", "code"]));
    assert_eq!(branches[0]["additionalProperties"], false);
    let open = sent::<Doc>(Provider::Vllm);
    assert!(open.get("anyOf").is_some(), "{open}");
}

#[test]
fn keys_keep_the_order_of_the_fields() {
    for to in DIALECTS {
        let schema = sent::<All>(to);
        let keys: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        let wanted = [
            "outline",
            "loose",
            "berth",
            "pair",
            "by_name",
            "by_number",
            "doc",
            "colours",
            "count",
        ];
        assert_eq!(keys, wanted, "{to}");
    }
    assert_eq!(
        sent::<Coords>(SchemaDialect::GeminiOpenApi)["propertyOrdering"],
        json!(["lat", "lon"])
    );
}

#[test]
fn what_is_left_out_is_told_and_listed() {
    #[derive(Debug, Deserialize, Extract)]
    #[allow(dead_code)]
    struct Told {
        /// The tags.
        #[validate(length(min = 1, max = 5))]
        tags: Vec<String>,
        #[validate(range(min = 0.5, max = 2.0))]
        factor: f64,
        #[validate(length(max = 3))]
        code: Option<String>,
    }
    let wire = wire_schema::<Told>(Provider::Azure).unwrap();
    let of = |key: &str| &wire.schema()["properties"][key]["description"];
    assert_eq!(of("tags"), "The tags. Must have 1 to 5 items.");
    assert_eq!(of("factor"), "Must be 0.5 to 2.0.");
    assert_eq!(of("code"), "Must have at most 3 characters.");
    let listed: Vec<String> = wire.dropped().iter().map(ToString::to_string).collect();
    for one in [
        "minItems at /properties/tags",
        "maxItems at /properties/tags",
        "minimum at /properties/factor",
        "maxLength at /properties/code",
    ] {
        assert!(listed.iter().any(|line| line == one), "{one} in {listed:?}");
    }
    assert!(
        wire_schema::<Told>(Provider::OpenAi)
            .unwrap()
            .dropped()
            .is_empty()
    );
}

#[test]
fn what_is_listed_stands_in_the_schema_of_the_type() {
    let own = json_schema::<All>().unwrap();
    for to in DIALECTS {
        for dropped in wire_schema::<All>(to).unwrap().dropped() {
            let schema = own.pointer(dropped.pointer());
            assert!(
                schema.is_some_and(|schema| schema.get(dropped.keyword()).is_some()),
                "{to}: {dropped}"
            );
        }
    }
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Chain {
    name: String,
    next: Option<Box<Chain>>,
    #[serde(default)]
    sides: Vec<Chain>,
}

#[test]
fn gemini_follows_a_type_into_itself_under_keys_that_may_be_left_out() {
    let schema = sent::<Chain>(Provider::Gemini);
    for object in [&schema, &schema["$defs"]["Chain"]] {
        assert_eq!(object["required"], json!(["name"]), "{schema}");
    }
    assert!(
        wire_schema::<Figure>(Provider::Gemini).is_err(),
        "a required key leads back"
    );
    assert!(wire_schema::<Article>(Provider::Gemini).is_err());
}

#[test]
fn constants_and_bounds_take_the_form_that_gemini_reads() {
    let gemini = SchemaDialect::GeminiJsonSchema;
    assert_eq!(
        property(&json!({"const": "a"}), gemini),
        json!({"enum": ["a"], "type": "string"})
    );
    assert_eq!(
        property(
            &json!({"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 9}),
            gemini
        ),
        json!({"type": "integer", "minimum": 1, "maximum": 8})
    );
    assert_eq!(
        property(
            &json!({"type": "integer", "minimum": 5, "exclusiveMinimum": 0}),
            gemini
        ),
        json!({"type": "integer", "minimum": 5})
    );
    assert_eq!(
        property(&json!({"type": "number", "exclusiveMinimum": 0}), gemini),
        json!({"type": "number", "description": "Must be greater than 0."})
    );
    assert_eq!(
        property(&json!({"enum": ["a", null]}), gemini)["anyOf"],
        json!([{"type": "string", "enum": ["a"]}, {"type": "null"}])
    );
}

#[test]
fn the_older_gemini_field_has_capitals_and_nullable() {
    let older = SchemaDialect::GeminiOpenApi;
    assert_eq!(
        property(&json!({"type": ["string", "null"]}), older),
        json!({"type": "STRING", "nullable": true})
    );
    let object = json!({"anyOf": [
        {"type": "object", "properties": {"nullable": {"type": "boolean"}}, "required": ["nullable"],
         "additionalProperties": false},
        {"type": "null"}
    ], "description": "Maybe."});
    assert_eq!(
        property(&object, older),
        json!({
            "description": "Maybe.",
            "type": "OBJECT",
            "properties": {"nullable": {"type": "BOOLEAN"}},
            "required": ["nullable"],
            "propertyOrdering": ["nullable"],
            "nullable": true
        })
    );
    assert_eq!(
        property(
            &json!({"type": ["string", "integer"], "enum": ["a", 1]}),
            older
        )["anyOf"][0],
        json!({"type": "STRING", "enum": ["a"]})
    );
}

#[test]
fn patterns_match_the_whole_text_where_an_engine_anchors_them() {
    let of = |pattern: &str| {
        property(
            &json!({"type": "string", "pattern": pattern}),
            SchemaDialect::LlamaCpp,
        )
    };
    for (written, whole) in [
        ("^a+$", "^a+$"),
        ("ab", "^.*ab.*$"),
        ("a|b", "^.*(a|b).*$"),
        ("^(a|b)$", "^(a|b)$"),
        ("^a", "^a.*$"),
        ("a$", "^.*a$"),
        ("^[^x]$", "^[^x]$"),
    ] {
        assert_eq!(of(written)["pattern"], whole, "{written}");
    }
    for refused in ["^a|b$", "a\\b", "(?i)a", "\\p{L}", "a$b", "cost\\$"] {
        let schema = of(refused);
        assert!(schema.get("pattern").is_none(), "{schema}");
        assert!(
            schema["description"].as_str().unwrap().contains(refused),
            "{schema}"
        );
    }
}

#[test]
fn schemas_that_must_hold_together_become_one() {
    let base =
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]});
    let more = json!({"properties": {"b": {"type": "integer", "minimum": 0}}, "required": ["b"]});
    let one = property(&json!({"allOf": [base]}), SchemaDialect::OpenAiStrict);
    assert_eq!(one["properties"]["a"], json!({"type": "string"}));
    let both = property(&json!({"allOf": [base, more]}), SchemaDialect::OpenAiStrict);
    assert_eq!(both["required"], json!(["a", "b"]));
    assert_eq!(both["additionalProperties"], false);
}

#[test]
fn the_first_choices_of_a_large_type_stay_and_the_rest_may_be_left_out() {
    let nullable: serde_json::Map<String, Value> = (0..20)
        .map(|at| (format!("k{at}"), json!({"type": ["string", "null"]})))
        .collect();
    let keys: Vec<&String> = nullable.keys().collect();
    let asked = json!({"type": "object", "properties": nullable, "required": keys,
        "additionalProperties": false});
    assert_eq!(
        wire(&asked, SchemaDialect::Anthropic).unwrap_err(),
        ("/k16".to_owned(), "anyOf".to_owned()),
        "what the schema itself requires cannot be left out"
    );
    let sent = sent::<Large>(Provider::Anthropic);
    assert_eq!(sent["required"].as_array().unwrap().len(), 16);
    assert_eq!(sent["properties"]["k16"], json!({"type": "string"}));
    assert_eq!(
        sent["properties"]["k15"],
        json!({"type": ["string", "null"]})
    );
}

macro_rules! large {
    ($($key:ident)*) => {
        #[derive(Debug, Deserialize, Extract)]
        #[allow(dead_code)]
        struct Large {
            $($key: Option<String>,)*
        }
    };
}
large!(k0 k1 k2 k3 k4 k5 k6 k7 k8 k9 k10 k11 k12 k13 k14 k15 k16 k17 k18 k19);

fn carried(property: &Value, to: SchemaDialect) -> (Value, Vec<String>) {
    let schema = json!({
        "type": "object", "properties": {"v": property}, "required": ["v"],
        "additionalProperties": false,
    });
    let wired = wire(&schema, to).expect("a schema to carry");
    (wired.schema()["properties"]["v"].clone(), wired.dropped())
}

#[test]
fn what_breaks_a_grammar_is_told_and_listed() {
    for (property, keyword) in [
        (json!({"type": "string", "pattern": r"^\d{4}$"}), "pattern"),
        (
            json!({"type": "string", "pattern": r"^[\w]+\s$"}),
            "pattern",
        ),
        (json!({"type": "string", "maxLength": 2_000}), "maxLength"),
        (
            json!({"type": "array", "items": {"type": "string"}, "maxItems": 5_000}),
            "maxItems",
        ),
    ] {
        let (wire, dropped) = carried(&property, SchemaDialect::LlamaCpp);
        assert!(wire.get(keyword).is_none(), "{wire}");
        assert!(wire["description"].is_string(), "{wire}");
        assert_eq!(dropped, [format!("{keyword} at /properties/v")]);
        let (wire, dropped) = carried(&property, SchemaDialect::OpenAiStrict);
        assert!(wire.get(keyword).is_some() && dropped.is_empty(), "{wire}");
    }
    let bound = json!({"type": "string", "maxLength": 1_999});
    assert_eq!(
        carried(&bound, SchemaDialect::LlamaCpp).0["maxLength"],
        1_999
    );
}

#[test]
fn bounds_of_lists_that_gemini_adds_up_are_told_past_their_sum() {
    let list = json!({"type": "array", "items": {"type": "string"}, "maxItems": 600});
    let two = json!({"type": "object", "properties": {"a": list, "b": list},
        "required": ["a", "b"], "additionalProperties": false});
    let (wire, dropped) = carried(&two, SchemaDialect::GeminiJsonSchema);
    assert_eq!(wire["properties"]["a"]["maxItems"], 600);
    assert!(wire["properties"]["b"].get("maxItems").is_none());
    assert_eq!(dropped, ["maxItems at /properties/v/properties/b"]);
}

#[test]
fn exactly_one_is_listed_where_a_wire_asks_for_any() {
    let bounds = json!({"oneOf": [{"type": "integer", "minimum": 0}, {"type": "number"}]});
    let (wire, dropped) = carried(&bounds, SchemaDialect::OpenAiStrict);
    assert!(
        wire.get("oneOf").is_none() && wire.get("anyOf").is_some(),
        "{wire}"
    );
    assert_eq!(dropped, ["oneOf at /properties/v"]);
    // Where no value can be two of them, any is exactly one.
    let tagged = |tag| {
        json!({"type": "object", "properties": {"kind": {"type": "string", "const": tag}},
            "required": ["kind"], "additionalProperties": false})
    };
    let (_, dropped) = carried(
        &json!({"oneOf": [tagged("a"), tagged("b"), {"type": "null"}]}),
        SchemaDialect::OpenAiStrict,
    );
    assert!(dropped.is_empty(), "{dropped:?}");
}

#[test]
fn a_keyword_of_a_type_that_is_not_named_is_listed() {
    let untyped = json!({"required": ["a"], "additionalProperties": false});
    let (_, dropped) = carried(&untyped, SchemaDialect::Llguidance);
    assert_eq!(
        dropped,
        [
            "required at /properties/v",
            "additionalProperties at /properties/v"
        ]
    );
}
