//! What is refused, under which word, at which place.

use super::*;

fn assert_code(code: SyntaxCode, texts: &[&str]) {
    for text in texts {
        let error = refuse(text);
        assert_eq!(error.code, code, "{text:?}: {}", error.message);
        assert!(error.offset <= text.len());
    }
}

#[track_caller]
fn assert_message(text: &str, words: &[&str]) {
    let message = refuse(text).message;
    for word in words {
        assert!(message.contains(word), "{text:?}: {message}");
    }
    assert!(message.contains("expected"), "{message}");
}

#[test]
fn codes_are_stable_words() {
    assert_eq!(refuse("").code.word(), "parse.empty");
    assert_eq!(refuse("Sure!").code.word(), "parse.no_json");
    assert_eq!(refuse("{").code.word(), "parse.syntax");
    assert_eq!(refuse("1 2").code.word(), "parse.ambiguous");
    assert_eq!(
        refuse(r#"{"a":1,"a":1}"#).code.word(),
        "parse.duplicate_key"
    );
    assert_eq!(refuse("NaN").code.word(), "parse.non_json_number");
    assert_eq!(refuse("1e400").code.word(), "parse.number_range");
    assert_eq!(refuse(r#""\ud800""#).code.word(), "parse.encoding");
    assert_eq!(refuse(&"[".repeat(65)).code.word(), "parse.depth");
    let small = Limits {
        bytes: 3,
        ..Limits::default()
    };
    let size = Tape::parse("[1, 2]", small).unwrap_err();
    assert_eq!(size.code.word(), "parse.size");
}

#[test]
fn white_space_alone_is_empty() {
    assert_code(
        SyntaxCode::Empty,
        &["", " ", "\n\t\r ", "\u{A0}", "\u{2003}\n"],
    );
}

#[test]
fn prose_is_no_json() {
    let texts = [
        "Sure, here is the invoice:",
        "```json\n{}\n```",
        "<think>x</think>{}",
        "nothing",
        "nullify",
        "The total is 3.",
        "- a list",
        "# Title",
        "*",
        "Trueish",
        "ü",
    ];
    assert_code(SyntaxCode::NoJson, &texts);
}

#[test]
fn broken_json_is_a_syntax_error() {
    let texts = [
        "{",
        "[",
        "[1",
        "[1,",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,",
        "\"a",
        "\"a\\",
        "[1 2]",
        "{\"a\" 1}",
        "{\"a\":1 \"b\":2}",
        "[1}",
        "{\"a\":1]",
        "]",
        "[,]",
        "{,}",
        "[1,]",
        "{\"a\":1,}",
        "{a:1}",
        "{'a':1}",
        "['a']",
        "{1:2}",
        "[tru]",
        "[True]",
        "[None]",
        "None",
        "True",
        "'a'",
        "\u{201C}a\u{201D}",
        "{\u{201C}a\u{201D}:1}",
        "// c\n{}",
        "[1 // c\n]",
        "[1, /* c */ 2]",
        "\u{FEFF}{}",
        "\"\n\"",
        "\"\t\"",
        "\"\u{0}\"",
        "\"\\x41\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"\\'\"",
        "[1]]",
        "{} trailing",
        "{}, {}",
        "1 apple",
        "null and void",
        "\u{0}",
        "[\u{0}]",
        "[1\u{A0}]",
        "[truefalse]",
        "\"\\u+123\"",
    ];
    assert_code(SyntaxCode::Syntax, &texts);
}

#[test]
fn a_second_value_is_ambiguous() {
    let texts = [
        r#"{"count":2} {"count":3}"#,
        "{}{}",
        "[1]\n[2]",
        "{} [] and words",
        "1 2",
        "null \"a\"",
    ];
    assert_code(SyntaxCode::Ambiguous, &texts);
    assert_eq!(refuse(r#"{"count":2} {"count":3}"#).offset, 12);
}

#[test]
fn numbers_of_other_languages() {
    let texts = [
        "NaN",
        "[NaN]",
        "Infinity",
        "[-Infinity]",
        "-Infinity",
        "[+1]",
        "+1",
        "[01]",
        "-01",
        "00",
        "1.",
        "[1.]",
        "[.5]",
        ".5",
        "-.5",
        "[0x1F]",
        "1e",
        "1e+",
        "[1.e5]",
        "[-]",
        "-a",
        "1_000",
        "[1,000]",
        "[+Infinity]",
    ];
    assert_code(SyntaxCode::NonJsonNumber, &texts);
}

#[test]
fn numbers_out_of_range() {
    let long = "1".repeat(1_001);
    let small = format!("0.{}", "1".repeat(999));
    assert_code(
        SyntaxCode::NumberRange,
        &["1e400", "[-1e309]", &long, &small, &"9".repeat(310)],
    );
    let fits = format!("0.{}", "1".repeat(998));
    assert!(parse(&fits).root().as_f64().is_some());
}

#[test]
fn lone_surrogates_stand_for_no_character() {
    let texts = [
        r#""\ud800""#,
        r#""\udc00""#,
        r#""\ud800\ud800""#,
        r#""\ud800x""#,
        r#""\udc00\ud800""#,
        r#""\uD800\n""#,
    ];
    assert_code(SyntaxCode::Encoding, &texts);
    assert_eq!(pointer(&refuse(r#"{"a": ["x", "\ud800"]}"#).path), "/a/1");
    assert_eq!(
        pointer(&refuse(r#"{"a": {"b": 1, "\ud800": 1}}"#).path),
        "/a"
    );
}

#[test]
fn a_duplicate_key_is_refused_at_every_level() {
    for (text, path, offset) in [
        (r#"{"a":1,"a":2}"#, "/a", 7),
        (r#"{"a":1,"\u0061":2}"#, "/a", 7),
        (r#"{"\u0061":1,"a":2}"#, "/a", 12),
        (r#"[0,{"b":{"c":1,"c/d":{"a":1},"c":2}}]"#, "/1/b/c", 29),
        (r#"{"":1,"":2}"#, "/", 6),
        (r#"{"a":{"x":[1,{}]},"b":1,"a":{}}"#, "/a", 24),
    ] {
        let error = refuse(text);
        assert_eq!(error.code, SyntaxCode::DuplicateKey, "{text}");
        assert_eq!(pointer(&error.path), path, "{text}");
        assert_eq!(error.offset, offset, "{text}");
    }
    parse(r#"{"a":{"a":{"a":1}},"b":{"a":1},"A":1,"a ":1}"#);
}

#[test]
fn a_duplicate_among_many_keys_is_found() {
    for count in [2, 23, 24, 25, 26, 100, 5_000] {
        let keys: Vec<_> = (0..count)
            .map(|key| format!("\"key {key}\":[{key}]"))
            .collect();
        let object = format!("{{{}}}", keys.join(","));
        assert_eq!(parse(&object).root().len(), count);
        let again = format!("{{{},\"key \\u0031\":0}}", keys.join(","));
        let error = refuse(&again);
        assert_eq!(error.code, SyntaxCode::DuplicateKey);
        assert_eq!(pointer(&error.path), "/key 1");
        assert_eq!(error.offset, object.len());
    }
}

#[test]
fn a_path_names_the_enclosing_place() {
    for (text, path) in [
        ("[1, 2, x]", "/2"),
        (r#"{"a": {"b": tru}}"#, "/a/b"),
        (r#"{"a": {"b": 1, c: 2}}"#, "/a"),
        (r#"{"a": [1 2]}"#, "/a"),
        (r#"{"a": {"b" 1}}"#, "/a/b"),
        (r#"{"a": 1, "b": [[], [1, "\x"]]}"#, "/b/1/1"),
        ("x", ""),
    ] {
        assert_eq!(pointer(&refuse(text).path), path, "{text}");
    }
}

#[test]
fn line_and_column_count_characters_from_one() {
    for (text, place) in [
        ("x", (1, 1)),
        ("{\n  \"é\": x\n}", (2, 8)),
        ("[\"🦀🦀\" 1]", (1, 7)),
        ("[1,\r\n2", (2, 2)),
    ] {
        assert_eq!(refuse(text).line_column(text), place, "{text:?}");
    }
}

#[test]
fn messages_say_what_was_found() {
    assert_message("\u{FEFF}{}", &["U+FEFF"]);
    assert_message("[1\u{200B}]", &["U+200B", "`,` or `]`"]);
    assert_message("\"a\nb\"", &["U+000A", "escape"]);
    assert_message("{'a': 1}", &["single quotes", "double quotes"]);
    assert_message("['a']", &["single quote", "double quotes"]);
    assert_message("{a: 1}", &["`a` without quotes"]);
    assert_message("{\"a\": 1,}", &["trailing comma before `}`"]);
    assert_message("[1, ]", &["trailing comma before `]`"]);
    assert_message("[1 // c\n]", &["comment"]);
    assert_message("{ /* c */ }", &["comment"]);
    assert_message("[\"\\x\"]", &["backslash before `x`"]);
    assert_message("[None]", &["`None`", "`null`"]);
    assert_message("[True]", &["`True`", "`true`"]);
    assert_message("[False]", &["`False`", "`false`"]);
    assert_message("[\u{201C}a\u{201D}]", &["curly quote U+201C", "straight"]);
    assert_message("{\u{201C}a\u{201D}: 1}", &["curly quote U+201C"]);
    assert_message("{\"a\": NaN}", &["`NaN`"]);
    assert_message("[+1]", &["leading `+`"]);
    assert_message("[01]", &["leading zero"]);
    assert_message("[1.]", &["decimal point"]);
    assert_message("[1", &["end of the text", "`,` or `]`"]);
    assert_message("\"abc", &["end of the text in a string"]);
    assert_message("{} x", &["after the value"]);
    assert_message("{\"a\" 1}", &["`:`"]);
    assert_message("[\"a\" \"b\"]", &["right after a value"]);
}

#[test]
fn messages_repeat_no_more_than_a_word() {
    let secret = "s".repeat(40);
    for text in [
        secret.clone(),
        format!("{{{secret}: 1}}"),
        format!("[{secret}]"),
    ] {
        let message = refuse(&text).message;
        assert!(!message.contains(&secret[..25]), "{message}");
    }
}
