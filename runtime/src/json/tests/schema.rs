//! The tape under `jsonschema`.

use super::*;
use jsonschema::json::{Json, Node as _, Object};
use serde_json::{Value, json};

#[track_caller]
fn valid(schema: &Value, text: &str) -> bool {
    let validator = jsonschema::options_for::<TapeJson>()
        .should_validate_formats(true)
        .build(schema)
        .unwrap();
    let tape = parse(text);
    let answer = validator.is_valid(tape.root());
    assert_eq!(answer, validator.iter_errors(tape.root()).next().is_none());
    assert_eq!(answer, validator.validate(tape.root()).is_ok());
    answer
}

#[test]
fn an_integer_must_be_written_as_one() {
    let integer = json!({"type": "integer"});
    assert!(valid(&integer, "2"));
    assert!(valid(&integer, "-18446744073709551616"));
    assert!(!valid(&integer, "2.0"));
    assert!(!valid(&integer, "1e2"));
    assert!(valid(&json!({"type": "number"}), "2.0"));
    assert!(!valid(&json!({"type": ["integer", "null"]}), "2.0"));
}

#[test]
fn decimals_compare_as_they_are_written() {
    let cents = json!({"multipleOf": 0.01});
    assert!(valid(&cents, "7453218.77"));
    assert!(!valid(&cents, "7453218.775"));
    assert!(valid(&json!({"exclusiveMaximum": 91}), "90.99999999999999"));
    assert!(!valid(&json!({"exclusiveMaximum": 91}), "91.0"));
}

#[test]
fn integers_beyond_64_bits_compare_exactly() {
    let most = json!({"maximum": u64::MAX});
    assert!(valid(&most, "18446744073709551615"));
    assert!(!valid(&most, "18446744073709551616"));
    let least = json!({"minimum": i64::MIN});
    assert!(valid(&least, "-9223372036854775808"));
    assert!(!valid(&least, "-9223372036854775809"));
    let choice = json!({"enum": [1e20]});
    assert!(valid(&choice, "100000000000000000000"));
    assert!(!valid(&choice, "100000000000000000001"));
    assert!(!valid(&json!({"multipleOf": 3}), "18446744073709551616"));
}

#[test]
fn unique_items_are_told_apart_by_value() {
    let unique = json!({"uniqueItems": true});
    for text in [
        r#"["a", "b"]"#,
        "[18446744073709551616, 18446744073709551617]",
        r#"[{"a": 1}, {"a": 2}]"#,
        "[1, true, \"1\"]",
    ] {
        assert!(valid(&unique, text), "{text}");
    }
    for text in [
        r#"["a", "\u0061"]"#,
        "[18446744073709551616, 18446744073709551616]",
        "[100000000000000000000, 1e20]",
        "[1, 1.0]",
        r#"[{"a": 1, "b": 2}, {"b": 2, "a": 1}]"#,
    ] {
        assert!(!valid(&unique, text), "{text}");
    }
}

#[test]
fn constants_and_choices() {
    let choice = json!({"enum": ["a", 1, null, true, [1, {"k": 2}]]});
    for text in [r#""\u0061""#, "1.0", "null", "true", r#"[1, {"k": 2.0}]"#] {
        assert!(valid(&choice, text), "{text}");
    }
    for text in ["\"b\"", "2", "false", "[1]", r#"[1, {"k": 3}]"#, "{}"] {
        assert!(!valid(&choice, text), "{text}");
    }
}

#[test]
fn objects_names_and_lengths() {
    let schema = json!({
        "properties": {"a long property name": {"type": "string", "minLength": 2, "maxLength": 3}},
        "propertyNames": {"maxLength": 20},
        "required": ["a long property name"],
    });
    assert!(valid(&schema, r#"{"a long property name": "🦀é"}"#));
    assert!(valid(
        &schema,
        r#"{"a long property n\u0061me": "\u00e9\u00e9"}"#
    ));
    assert!(!valid(&schema, r#"{"a long property name": "🦀"}"#));
    assert!(!valid(&schema, r#"{"a long property name": "abcd"}"#));
    assert!(!valid(&schema, "{}"));
    assert!(!valid(
        &schema,
        r#"{"a long property name": "ab", "a name of more than twenty": 1}"#
    ));
    let dates = json!({"format": "date"});
    assert!(valid(&dates, "\"2024-02-29\""));
    assert!(!valid(&dates, "\"2023-02-29\""));
}

#[test]
fn recursive_schemas_end() {
    let tree = json!({"type": "array", "items": {"$ref": "#"}});
    assert!(valid(&tree, "[[], [[]]]"));
    assert!(!valid(&tree, "[[], [[1]]]"));
}

#[test]
fn nodes_keep_the_contract_of_the_validator() {
    let document = r#"{"string": "h\u00e9llo", "list": [1, {"a": 1.5}], "none": null}"#;
    let tape = parse(document);
    let root = tape.root();
    assert_eq!(
        root.to_value().as_ref(),
        &serde_json::from_str::<Value>(document).unwrap()
    );
    assert!(root.equals_value(&root.to_value()));
    let get = |key| Object::get(&root, &TapeJson::prepare_key(key));
    assert_eq!(get("string").unwrap().string_length(), Some(5));
    assert_eq!(get("list").unwrap().string_length(), None);
    assert!(get("missing").is_none());
    assert_eq!(
        get("list").unwrap().identity(),
        get("list").unwrap().identity()
    );
    assert_ne!(root.identity(), get("list").unwrap().identity());
    let mut buffer = <TapeJson as Json>::StringBuffer::default();
    for name in ["héllo", "", "second"] {
        TapeJson::with_string_node(&mut buffer, name, |node| {
            assert_eq!(node.as_str().as_deref(), Some(name));
        });
    }
}
