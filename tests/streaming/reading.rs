//! What a partial shows, place by place.

use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::json;
use typed_extract::stream::Progress;
use typed_extract::testing::PartialReply;
use typed_extract::{Extract, FieldPath, Normalize};

use super::support::{Anything, arrived, arrived_under};

#[test]
fn absent_null_and_a_value_are_three_things() {
    let partial = arrived(r#"{"a": null, "b": "", "c": nul"#);
    assert_eq!(partial.get("a"), Progress::Null);
    assert_eq!(partial.get("b").as_str(), Some(""));
    assert!(
        partial.get("c").is_absent(),
        "null is whole with what ends it"
    );
    assert!(partial.get("d").is_absent());
    assert!(partial.get("a.b").is_absent() && partial.get("[0]").is_absent());
    assert_eq!(partial.read::<Option<u8>>("a").unwrap().unwrap(), None);
    assert!(partial.read::<Option<u8>>("d").is_none());
}

#[test]
fn a_scalar_waits_for_what_ends_it() {
    for open in ["12", "-", "1.", "1.5", "1e", "true", "tru", "null"] {
        let text = format!(r#"{{"n": {open}"#);
        assert!(arrived(&text).get("n").is_absent(), "{text}");
    }
    assert_eq!(
        arrived(r#"{"n": 1.50,"#).get("n"),
        Progress::Number("1.50".into())
    );
    assert_eq!(arrived("{\"n\": true\n").get("n"), Progress::Bool(true));
    assert_eq!(arrived("[1]").value_at("[0]"), Some(json!(1)));
}

#[test]
fn what_no_parser_takes_is_not_shown() {
    for wrong in [
        "01,", "1.,", ".5,", "+1,", "1e,", "1x,", "12 3", "tru,", "True,", "NaN,", "1]", "1:",
        "'a'", "1e999,", "- 1,", "0x1F,",
    ] {
        let text = format!(r#"{{"a": "kept", "n": {wrong} "b": 2}}"#);
        let partial = arrived(&text);
        assert_eq!(partial.get("a").as_str(), Some("kept"), "{text}");
        assert!(partial.get("b").is_absent(), "{text}");
        let shown = partial.get("n");
        assert!(shown.is_absent() || wrong == "12 3", "{text}: {shown:?}");
    }
}

#[test]
fn an_escape_is_held_back_until_it_is_whole() {
    let shown = |text: &str| {
        let partial = arrived(&format!(r#"["ab{text}"#));
        partial.get("[0]").as_str().unwrap().to_owned()
    };
    for held in [
        "\\",
        "\\u",
        "\\u0",
        "\\u00e",
        "\\ud83d",
        "\\ud83d\\",
        "\\ud83d\\u",
        "\\uD83D\\ude0",
    ] {
        assert_eq!(shown(held), "ab", "{held}");
    }
    assert_eq!(shown("\\n"), "ab\n");
    assert_eq!(shown("\\u00e9\\"), "abé");
    assert_eq!(shown("\\ud83d\\ude00"), "ab😀");
}

#[test]
fn a_string_that_breaks_keeps_what_it_showed() {
    for wrong in [
        "\\x",
        "\\u00g0",
        "\\ud83dx",
        "\\ud83d\\n",
        "\\ud83d\\u0041",
        "\\ude00",
        "\n",
        "\u{1}",
    ] {
        let partial = arrived(&format!(r#"["ab{wrong}cd", "more"]"#));
        let shown = partial.get("[0]");
        assert_eq!(shown.as_str(), Some("ab"), "{wrong:?}");
        assert!(
            !shown.is_closed() && partial.get("[1]").is_absent(),
            "{wrong:?}"
        );
    }
}

#[test]
fn a_key_that_comes_twice_ends_the_growth() {
    for again in [r#""a""#, r#""\u0061""#] {
        let partial = arrived(&format!(r#"{{"a": 1, "b": 2, {again}: 3, "c": 4}}"#));
        assert_eq!(partial.to_value(), Some(json!({"a": 1, "b": 2})), "{again}");
    }
    let many: Vec<String> = (0..100).map(|key| format!("\"k{key}\": {key}")).collect();
    let text = format!("{{{}, \"k77\": 1, \"last\": 2}}", many.join(", "));
    let partial = arrived(&text);
    assert_eq!(
        partial.get(""),
        Progress::Object {
            len: 100,
            closed: false
        }
    );
    assert_eq!(partial.get("k99"), Progress::Number("99".into()));
}

#[test]
fn too_deep_ends_the_growth() {
    let partial = arrived(&"[".repeat(100_000));
    let mut path = FieldPath::root();
    while !partial.get(&path).is_absent() {
        path = path.index(0);
    }
    assert_eq!(path.segments().len(), 64, "as deep as the parser goes");
    assert!(partial.to_value().is_some());
    let rest = format!("{}1{}", "[".repeat(65), "]".repeat(65));
    assert!(!arrived(&rest).get("").is_closed());
}

#[test]
fn too_many_values_end_the_growth() {
    let text = format!("[{}", "{\"a\": 1}, ".repeat(100_000));
    let partial = arrived(&text);
    let Progress::Array { len, closed: false } = partial.get("") else {
        panic!("a list that is not closed");
    };
    assert!(len < 100_000);
    let shown = partial.to_value().unwrap();
    assert_eq!(
        shown.as_array().unwrap().len(),
        len,
        "what is counted can be shown"
    );
}

#[test]
fn only_the_value_is_shown_of_a_reply() {
    let whole = Some(json!({"tip": "a ``` b"}));
    for around in [
        ("", ""),
        ("\n  ", "\n\n"),
        ("```json\n", "\n```"),
        ("```", "```"),
        ("<think>{\"tip\": 1}</think>", ""),
        ("<thinking></think> </thinking>\n```json\n", "\n```\n"),
        ("", " and {\"tip\": \"more\"}"),
    ] {
        let text = format!("{}{{\"tip\": \"a ``` b\"}}{}", around.0, around.1);
        assert_eq!(arrived(&text).to_value(), whole, "{text}");
    }
}

#[test]
fn what_the_flow_would_not_take_shows_nothing() {
    let value = r#"{"tip": "x"}"#;
    for before in [
        "Sure: ",
        "\u{FEFF}",
        "\u{A0}",
        "<think>",
        "````",
        "```js on\n",
        "<b>",
        "``",
    ] {
        let text = format!("{before}{value}");
        assert_eq!(arrived(&text).to_value(), None, "{text}");
    }
    let fenced = format!("```json\n{value}\n```");
    let thought = format!("<think>x</think>{value}");
    let none = Normalize::none();
    assert_eq!(arrived_under(none, &fenced).to_value(), None);
    assert_eq!(arrived_under(none, &thought).to_value(), None);
    assert!(arrived_under(none, value).to_value().is_some());
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Tagged {
    tags: Vec<String>,
    #[extract(keep_delimiters)]
    names: Vec<String>,
    title: String,
}

#[test]
fn a_string_that_may_become_a_list_is_not_shown_as_a_string() {
    let text = r#"{"tags": "a, b", "names": "Holm, Ida", "title": "x, y"}"#;
    let mut reply = PartialReply::<Tagged>::new().unwrap();
    reply.push(text);
    let partial = reply.partial();
    assert!(partial.get("tags").is_absent());
    assert_eq!(
        partial.get(""),
        Progress::Object {
            len: 2,
            closed: true
        }
    );
    let shown = json!({"names": "Holm, Ida", "title": "x, y"});
    assert_eq!(partial.to_value(), Some(shown));

    let mut unsplit = PartialReply::<Tagged>::with_normalize(Normalize::none()).unwrap();
    unsplit.push(text);
    assert_eq!(unsplit.partial().get("tags").as_str(), Some("a, b"));
}

#[test]
fn paths_of_a_wrapped_root_begin_at_the_value() {
    let mut reply = PartialReply::<Vec<Tagged>>::new().unwrap();
    reply.push(r#"{"value": [{"title": "a"}, {"title": "b"#);
    let partial = reply.partial();
    assert_eq!(
        partial.get(""),
        Progress::Array {
            len: 2,
            closed: false
        }
    );
    assert_eq!(
        partial.to_value(),
        Some(json!([{"title": "a"}, {"title": "b"}]))
    );
    assert_eq!(partial.get("[1].title").as_str(), Some("b"));
    assert_eq!(
        partial.read::<serde_json::Value>("[0]").unwrap().unwrap(),
        json!({"title": "a"})
    );
}

#[test]
fn a_closed_part_is_bound_as_the_flow_binds_it() {
    let partial = arrived(
        r#"{"total": 1234.10, "exact": "0.1000000000000000000001", "big": 18446744073709551616, "n": 3}"#,
    );
    let total: Decimal = partial.read("total").unwrap().unwrap();
    assert_eq!(total, Decimal::new(123_410, 2));
    let exact: Decimal = partial.read("exact").unwrap().unwrap();
    assert_eq!(exact.to_string(), "0.1000000000000000000001");
    assert_eq!(partial.read::<u128>("big").unwrap().unwrap(), 1 << 64);
    let failure = partial.read::<String>("n").unwrap().unwrap_err();
    assert_eq!(
        (failure.code().as_str(), failure.path().pointer()),
        ("bind.type", "/n".to_owned())
    );
    assert!(
        partial.read::<serde_json::Value>("").is_none(),
        "the whole is never read"
    );
}

#[test]
fn a_failure_below_a_part_has_its_place() {
    let partial = arrived(r#"{"lines": [{"ids": [1, "x"]}], "#);
    let lines = partial.read::<Vec<std::collections::HashMap<String, Vec<u8>>>>("lines");
    assert_eq!(
        lines.unwrap().unwrap_err().path().to_string(),
        "lines[0].ids[1]"
    );
}

#[test]
fn keys_are_found_whatever_they_hold() {
    let partial = arrived(r#"{"a.b": {"\u0063[0]": [["x"]]}, "": 1, "e\"f": 2}"#);
    assert_eq!(partial.get(r#"["a.b"]["c[0]"][0][0]"#).as_str(), Some("x"));
    assert_eq!(
        partial.get(FieldPath::root().key("")),
        Progress::Number("1".into())
    );
    assert_eq!(partial.get(r#"["e\"f"]"#), Progress::Number("2".into()));
    let across = FieldPath::root().key("\": 1, \"e\\");
    assert!(partial.get(across).is_absent(), "a key ends with its quote");
}

#[test]
fn debug_output_says_nothing_of_the_reply() {
    let partial = arrived(r#"{"name": "Ida", "n": 4711, "#);
    let shown = format!(
        "{partial:?} {:?} {:?}",
        partial.get("name"),
        partial.get("n")
    );
    assert!(
        !shown.contains("Ida") && !shown.contains("4711") && !shown.contains("name"),
        "{shown}"
    );
}

#[test]
fn partials_are_read_while_others_arrive() {
    let mut reply = PartialReply::<Anything>::new().unwrap();
    reply.push("[0");
    std::thread::scope(|scope| {
        for number in 1..500 {
            reply.push(&format!(",{number}"));
            let partial = reply.partial();
            scope.spawn(move || {
                assert_eq!(
                    partial.get(""),
                    Progress::Array {
                        len: number,
                        closed: false
                    }
                );
            });
        }
    });
}
