//! Schemas as people's generators write them.

use serde_json::{Value, json};
use typed_extract::{ErrorKind, extract_value};

#[allow(clippy::needless_pass_by_value)] // As `json!` makes it.
fn object(property: Value) -> Value {
    json!({"type": "object", "properties": {"v": property}, "required": ["v"]})
}

fn takes(schema: &Value, value: &Value) -> bool {
    let flow = extract_value(schema.clone()).expect("a sound schema");
    let flow = flow.lenient_schema(true).document("d");
    flow.validate(&json!({"v": value}).to_string()).is_ok()
}

#[test]
fn formats_of_numbers_are_checked_as_bounds() {
    for (format, right, wrong) in [
        ("int8", json!(-128), json!(128)),
        ("uint8", json!(255), json!(-1)),
        ("int32", json!(-2_147_483_648_i64), json!(2_147_483_648_i64)),
        ("uint32", json!(4_294_967_295_u64), json!(-1)),
        ("int64", json!(i64::MAX), json!(u64::MAX)),
        ("uint64", json!(u64::MAX), json!(-1)),
    ] {
        let schema = object(json!({"type": "integer", "format": format}));
        assert!(takes(&schema, &right), "{format}");
        assert!(!takes(&schema, &wrong), "{format}");
        assert!(!takes(&schema, &json!(1.0)), "{format}");
    }
    let float = object(json!({"type": "number", "format": "float"}));
    assert!(takes(&float, &json!(1.5)) && !takes(&float, &json!(1e39)));
    let double = object(json!({"type": "number", "format": "double"}));
    assert!(takes(&double, &json!(1e300)));
    // The tighter of two bounds holds, whichever is written.
    let loose = object(json!({"type": "integer", "format": "uint8", "minimum": -5, "maximum": 9}));
    assert!(!takes(&loose, &json!(-1)) && !takes(&loose, &json!(10)) && takes(&loose, &json!(9)));
}

#[test]
fn what_checks_nothing_is_a_note_where_that_is_asked_for() {
    for (keyword, value) in [
        ("contentEncoding", json!("base64")),
        ("contentMediaType", json!("application/pdf")),
        ("discriminator", json!({"propertyName": "kind"})),
        ("example", json!("a")),
        ("externalDocs", json!({"url": "https://example.com"})),
        ("format", json!("byte")),
        ("format", json!("phone")),
        ("pattern", json!(r"^(?=.*\d)[a-z\d]+$")),
        ("pattern", json!(r"^(?<!b)a")),
        ("pattern", json!(r"(a)\1")),
        ("markdownDescription", json!("*a*")),
        ("xml", json!({"name": "v"})),
    ] {
        let mut property = json!({"type": "string"});
        property[keyword] = value;
        let schema = object(property);
        let strict = extract_value(schema.clone())
            .expect("no fault")
            .document("d");
        let failures = strict.validate(r#"{"v":"a"}"#).unwrap_err();
        let told = failures[0].to_string();
        assert!(told.contains(&format!("/properties/v/{keyword}")), "{told}");
        assert!(told.contains("lenient_schema"), "{told}");
        let lenient = extract_value(schema)
            .expect("no fault")
            .lenient_schema(true);
        let notes: Vec<String> = lenient
            .schema_notes()
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(notes, [format!("{keyword} at /properties/v")]);
        assert!(
            lenient.document("d").validate(r#"{"v":"a"}"#).is_ok(),
            "{keyword}"
        );
    }
}

#[test]
fn nullable_means_what_openapi_says() {
    let defs = json!({"T": {"type": "integer"}});
    for property in [
        json!({"type": "string", "nullable": true}),
        json!({"type": "string", "enum": ["a"], "nullable": true}),
        json!({"anyOf": [{"type": "string"}], "nullable": true, "description": "d"}),
        json!({"$ref": "#/$defs/T", "nullable": true}),
    ] {
        let mut schema = object(property);
        schema["$defs"] = defs.clone();
        assert!(takes(&schema, &Value::Null), "{schema}");
        assert!(!takes(&schema, &json!([])), "{schema}");
    }
    assert!(!takes(
        &object(json!({"type": "string", "nullable": false})),
        &Value::Null
    ));
}

#[test]
fn older_drafts_are_read_under_their_name() {
    let mut schema = object(json!({"$ref": "#/definitions/Pair", "description": "d"}));
    schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    schema["definitions"] = json!({"Pair": {
        "type": "array",
        "items": [{"type": "string"}, {"type": "integer"}],
        "additionalItems": false,
    }});
    schema["dependencies"] = json!({"w": ["x"]});
    assert!(takes(&schema, &json!(["a", 1])));
    assert!(!takes(&schema, &json!([1, "a"])) && !takes(&schema, &json!(["a", 1, 2])));
    let flow = extract_value(schema).unwrap().document("d");
    assert!(flow.validate(r#"{"v":["a",1],"w":1}"#).is_err());

    let mut four = object(json!({"type": "number", "minimum": 0, "exclusiveMinimum": true}));
    four["$schema"] = json!("http://json-schema.org/draft-04/schema#");
    assert!(takes(&four, &json!(0.5)) && !takes(&four, &json!(0)));
}

#[test]
fn a_message_says_what_was_meant() {
    for (schema, place, word) in [
        (
            object(json!({"type": "string", "minLenght": 1})),
            "/properties/v/minLenght",
            "minLength",
        ),
        (
            object(json!({"type": "string", "maxlength": 1})),
            "/properties/v/maxlength",
            "maxLength",
        ),
        (
            object(json!({"type": "array", "items": [{}]})),
            "/properties/v/items",
            "prefixItems",
        ),
        (
            object(json!({"type": "number", "minimum": 1, "exclusiveMinimum": true})),
            "/properties/v/exclusiveMinimum",
            "draft 04",
        ),
        (
            object(json!({"type": "array", "additionalItems": {}})),
            "/properties/v/additionalItems",
            "older draft",
        ),
        (
            object(json!({"$ref": "#Name"})),
            "/properties/v/$ref",
            "anchors",
        ),
        (
            object(json!({"$ref": "other.json"})),
            "/properties/v/$ref",
            "inside the schema",
        ),
        (
            object(json!({"$ref": "#/properties"})),
            "/properties/v/$ref",
            "no schema",
        ),
        (
            object(json!({"$ref": "#/properties/v"})),
            "/properties/v/$ref",
            "each other",
        ),
        (
            object(json!({"$ref": "#/$defs/None"})),
            "/properties/v/$ref",
            "nothing",
        ),
        (
            object(json!({"type": "string", "format": "date-tiem"})),
            "/properties/v/format",
            "\"date-time\" was probably meant",
        ),
        (
            object(json!({"$id": "http://example.com/a"})),
            "/properties/v/$id",
            "below the root",
        ),
        (
            object(json!({"type": "string", "pattern": "(?=a"})),
            "/properties/v/pattern",
            "regex",
        ),
        (
            object(json!({"$dynamicRef": "#a"})),
            "/properties/v/$dynamicRef",
            "not known",
        ),
    ] {
        let error = extract_value(schema.clone()).expect_err(place);
        assert_eq!(error.kind(), ErrorKind::Schema);
        let told = error.to_string();
        assert!(told.contains(place) && told.contains(word), "{told}");
    }
}

#[test]
fn a_reference_may_be_escaped() {
    let mut schema = object(json!({"$ref": "#/$defs/a%20b~1c%7E0d"}));
    schema["$defs"] = json!({"a b/c~d": {"type": "integer"}});
    assert!(takes(&schema, &json!(1)) && !takes(&schema, &json!("a")));
}

#[test]
fn an_object_that_says_nothing_of_further_keys_takes_them() {
    let flow = extract_value(object(json!({"type": "string"})))
        .unwrap()
        .document("d");
    assert!(flow.validate(r#"{"v":"a","further":1}"#).is_ok());
}

/// A schema as one generator writes it, with a reply that it takes and one that it does not; or
/// where the schema itself is refused, and with which words.
#[derive(serde::Deserialize)]
struct Generated {
    generator: String,
    schema: Value,
    right: Option<Value>,
    wrong: Option<Value>,
    failure: Option<(String, String)>,
    refused: Option<(String, String)>,
}

#[test]
fn schemas_are_taken_as_generators_write_them() {
    let all = include_str!("../fixtures/generators.json");
    for one in serde_json::from_str::<Vec<Generated>>(all).expect("the fixture") {
        let name = &one.generator;
        let flow = match (extract_value(one.schema), &one.refused) {
            (Ok(flow), None) => flow.lenient_schema(true).document("d"),
            (Err(error), Some((place, words))) => {
                let told = error.to_string();
                assert!(
                    told.contains(place) && told.contains(words),
                    "{name}: {told}"
                );
                continue;
            }
            (Ok(_), Some(_)) => panic!("{name} is taken"),
            (Err(error), None) => panic!("{name}: {error}"),
        };
        let right = one.right.expect("a right reply");
        match flow.validate(&right.to_string()) {
            Ok(accepted) => assert_eq!(accepted.value(), &right, "{name}"),
            Err(failures) => panic!("{name}: {}", failures[0]),
        }
        let failures = flow.validate(&one.wrong.expect("a wrong reply").to_string());
        let failures = failures.expect_err(name);
        let found = (failures[0].code().to_string(), failures[0].path().pointer());
        assert_eq!(Some(found), one.failure, "{name}");
        assert_eq!(failures.len(), 1, "{name}");
    }
}
