//! What a tape answers about a text it accepted.

use super::*;

const INVOICE: &str = r#"{"a": [1, {"b/c": "x\ny"}, null], "d": {"e": true}}"#;

#[test]
fn kinds_and_lengths() {
    let tape = parse(r#"[null, true, -1.5e3, "s", [1, 2], {"k": 1}]"#);
    let kinds: Vec<_> = tape.root().elements().map(Cursor::kind).collect();
    let expected = [
        Kind::Null,
        Kind::Bool,
        Kind::Number,
        Kind::String,
        Kind::Array,
        Kind::Object,
    ];
    assert_eq!(kinds, expected);
    let lengths: Vec<_> = tape.root().elements().map(Cursor::len).collect();
    assert_eq!(lengths, [0, 0, 0, 0, 2, 1]);
}

#[test]
fn spans_cover_the_whole_value() {
    let tape = parse(r#" { "k" : [ "é\"" , 12 ] } "#);
    assert_eq!(tape.root().raw(), r#"{ "k" : [ "é\"" , 12 ] }"#);
    let (key, list) = tape.root().members().next().unwrap();
    assert_eq!(key, "k");
    assert_eq!(list.raw(), r#"[ "é\"" , 12 ]"#);
    let raw: Vec<_> = list.elements().map(Cursor::raw).collect();
    assert_eq!(raw, [r#""é\"""#, "12"]);
}

#[test]
fn strings_are_borrowed_unless_escaped() {
    let tape = parse(r#"["plain é", "\"\\\/\b\f\n\r\t\u0041\ud83e\udd80"]"#);
    let strings: Vec<_> = tape.root().elements().filter_map(Cursor::as_str).collect();
    assert!(matches!(strings[0], Cow::Borrowed("plain é")));
    assert_eq!(strings[1], "\"\\/\u{8}\u{C}\n\r\tA🦀");
}

#[test]
fn every_length_of_string_ends_where_it_should() {
    for length in 0..40 {
        for tail in ["", " ", "        "] {
            let value = "x".repeat(length);
            let text = format!("\"{value}\"{tail}");
            assert_eq!(parse(&text).root().as_str().unwrap(), value);
            let escaped = format!("\"{value}\\n{value}\"{tail}");
            let expected = format!("{value}\n{value}");
            assert_eq!(parse(&escaped).root().as_str().unwrap(), expected);
        }
    }
}

#[test]
fn members_are_found_by_the_value_of_their_key() {
    let tape = parse(r#"{"plain": 1, "esc\u0061ped": 2, "a long key of many words": 3, "": 4}"#);
    let get = |key| tape.root().get(key).map(Cursor::raw);
    assert_eq!(get("plain"), Some("1"));
    assert_eq!(get("escaped"), Some("2"));
    assert_eq!(get("a long key of many words"), Some("3"));
    assert_eq!(get(""), Some("4"));
    assert_eq!(get("missing"), None);
}

#[test]
fn every_node_has_a_path_that_leads_back_to_it() {
    let tape = parse(INVOICE);
    for id in 0..u32::try_from(tape.nodes.len()).unwrap() {
        let path = tape.root().path_below(id);
        let place = path
            .segments()
            .iter()
            .fold(tape.root(), |place, segment| match segment {
                Segment::Key(key) => place.get(key).unwrap(),
                Segment::Index(index) => place.elements().nth(*index).unwrap(),
            });
        // A key's path is its value's.
        assert!(place.id() == id || place.id() == id + 1);
    }
    let deepest = tape.root().get("a").unwrap().elements().nth(1).unwrap();
    let string = deepest.get("b/c").unwrap();
    assert_eq!(tape.root().path_below(string.id()).pointer(), "/a/1/b~1c");
}

#[test]
fn a_prefix_tells_where_its_value_ends() {
    for (text, end) in [
        (r#"{"a": "}"} and more"#, 10),
        (" [1] [2]", 4),
        ("12 apples", 2),
        ("null", 4),
    ] {
        let (tape, found) = Tape::parse_prefix(text, Limits::default()).unwrap();
        assert_eq!(found, end, "{text}");
        assert_eq!(tape.root().raw(), text[..end].trim_start());
    }
    assert!(Tape::parse_prefix("[1", Limits::default()).is_err());
}

#[test]
fn floats_are_correctly_rounded() {
    for text in [
        "0",
        "-0",
        "1",
        "-1",
        "0.1",
        "1.10",
        "557.3",
        "21734.7",
        "999999999",
        "0.99999999",
        "-4294967295",
        "12345678.9",
        "0.1e1",
        "1e2",
        "2.2250738585072014e-308",
        "5e-324",
        "1e-400",
        "9007199254740993",
        "0.30000000000000004",
        "123456789.123456789",
        "1.7976931348623157e308",
    ] {
        let expected: f64 = text.parse().unwrap();
        let found = parse(text).root().as_f64().unwrap();
        assert_eq!(found.to_bits(), expected.to_bits(), "{text}");
    }
}

#[test]
fn an_integer_is_what_is_written_as_one() {
    for text in [
        "0",
        "-0",
        "7",
        "-123456789",
        "18446744073709551616",
        "1234567890",
    ] {
        assert!(parse(text).root().is_integer(), "{text}");
    }
    for text in ["2.0", "1e2", "1E2", "0.5", "\"1\"", "12345678901.0"] {
        assert!(!parse(text).root().is_integer(), "{text}");
    }
}
