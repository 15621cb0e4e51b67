//! Texts that were written to hurt.

use super::*;
use serde_json::Value;

const MEGABYTE: usize = 1 << 20;

#[test]
fn depth_is_bounded() {
    assert!(Tape::parse(&nested(64), Limits::default()).is_ok());
    assert_eq!(refuse(&nested(65)).code, SyntaxCode::Depth);
    assert_eq!(refuse(&nested(65)).offset, 64);
    for open in ["[", "{\"a\":"] {
        let text = open.repeat(10 * MEGABYTE / open.len());
        assert_eq!(refuse(&text).code, SyntaxCode::Depth);
    }
}

#[test]
fn depth_costs_no_stack() {
    let limits = Limits {
        depth: 100_000,
        ..Limits::default()
    };
    let text = nested(100_000);
    let tape = Tape::parse(&text, limits).unwrap();
    assert_eq!(tape.nodes.len(), 100_000);
    assert!(Tape::parse(&nested(100_001), limits).is_err());
}

fn nested(depth: usize) -> String {
    "[".repeat(depth) + &"]".repeat(depth)
}

#[test]
fn long_strings_are_read_in_one_go() {
    let text = format!("\"{}\"", "x".repeat(10 * MEGABYTE));
    assert_eq!(parse(&text).root().raw().len(), text.len());
    let escaped = format!("\"{}\"", "\\n".repeat(5 * MEGABYTE));
    let tape = parse(&escaped);
    assert_eq!(tape.root().as_str().unwrap().len(), 5 * MEGABYTE);
    assert_eq!(refuse(&text[..text.len() - 1]).code, SyntaxCode::Syntax);
}

#[test]
fn size_is_bounded() {
    let text = format!("\"{}\"", "x".repeat(16 * MEGABYTE));
    assert_eq!(refuse(&text).code, SyntaxCode::Size);
    let million = keys(1_000_000, |key| format!("{key:x}"));
    assert_eq!(refuse(&million).code, SyntaxCode::Size);
    let limits = Limits {
        nodes: 3,
        ..Limits::default()
    };
    assert!(Tape::parse("[1,2]", limits).is_ok());
    assert_eq!(
        Tape::parse("[1,2,3]", limits).unwrap_err().code,
        SyntaxCode::Size
    );
    let error = Tape::parse(r#"{"a":1,"b":2}"#, limits).unwrap_err();
    assert_eq!(error.code, SyntaxCode::Size);
}

#[test]
fn many_keys_are_compared() {
    let limits = Limits {
        nodes: usize::MAX,
        ..Limits::default()
    };
    let million = keys(1_000_000, |key| format!("{key:x}"));
    let tape = Tape::parse(&million, limits).unwrap();
    assert_eq!(tape.root().len(), 1_000_000);
    let escaped = keys(100_000, |key| {
        format!("\\u0061 common beginning of all keys {key}")
    });
    assert_eq!(parse(&escaped).root().len(), 100_000);
}

fn keys(count: u32, name: impl Fn(u32) -> String) -> String {
    let members: Vec<_> = (0..count)
        .map(|key| format!("\"{}\":0", name(key)))
        .collect();
    format!("{{{}}}", members.join(","))
}

/// A small generator of numbers (xorshift), so that every run tries the same texts.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % bound
    }
}

const PIECES: [&str; 44] = [
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    " ",
    "\n",
    "\"",
    "\\",
    "\"a\"",
    "\"b\"",
    "\"\\u0041\"",
    "\"\\ud83d",
    "\\ude00\"",
    "\\n",
    "0",
    "1",
    "-",
    "+",
    ".",
    "e",
    "E",
    "12",
    "3.5",
    "1e5",
    "-0",
    "true",
    "false",
    "null",
    "tru",
    "NaN",
    "é",
    "🦀",
    "\u{0}",
    "\u{1F}",
    "\u{7F}",
    "\"long enough for a word\"",
    "u",
    "\t",
    "{\"k\":",
    "[1,",
    "1e400",
    "/",
];

#[test]
fn random_texts_are_judged_as_serde_json_judges_them() {
    let mut dice = Dice(0x5EED);
    for _ in 0..200_000 {
        let length = dice.below(12) + 1;
        let text: String = (0..length)
            .map(|_| PIECES[dice.below(PIECES.len())])
            .collect();
        compare(&text);
    }
}

#[test]
fn broken_replies_are_judged_as_serde_json_judges_them() {
    let reply =
        r#"{"number": "A-1 \u00e9\n", "lines": [{"q": 2, "p": -1.50e2}, {}], "t": [true, null]}"#;
    let mut dice = Dice(0xB0_5EED);
    for _ in 0..50_000 {
        let mut bytes = reply.as_bytes().to_vec();
        for _ in 0..=dice.below(3) {
            let at = dice.below(bytes.len());
            match dice.below(3) {
                0 => bytes[at] = u8::try_from(dice.below(256)).unwrap(),
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, reply.as_bytes()[dice.below(reply.len())]),
            }
        }
        if let Ok(text) = std::str::from_utf8(&bytes) {
            compare(text);
        }
    }
    for end in 0..reply.len() {
        compare(&reply[..end]);
    }
}

/// Asks both parsers. A duplicate key, which only the tape refuses, is no disagreement.
fn compare(text: &str) {
    let serdes = serde_json::from_str::<Value>(text);
    match Tape::parse(text, Limits::default()) {
        Ok(tape) => {
            let serdes = serdes.unwrap_or_else(|_| panic!("accepted: {text:?}"));
            // To serde_json `-0` and integers beyond 64 bits are floats.
            if let (Ok(own), false) = (tape.root().bind::<Value>(), text.contains("-0")) {
                assert_eq!(own, serdes);
            }
        }
        Err(error) => {
            let judged = serdes.is_err() || error.code == SyntaxCode::DuplicateKey;
            assert!(judged, "refused: {text:?}: {error:?}");
            assert!(error.line_column(text).0 > 0);
        }
    }
    drop(Tape::parse_prefix(text, Limits::default()));
}
