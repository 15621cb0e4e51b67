//! What a schema says to its reader, in a comment that it cannot leave.

use std::fmt::Write as _;

use serde_json::Value;

/// The keywords that go into comments.
pub(super) const KEYWORDS: &[&str] = &[
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
];

/// The lines of a comment; none is empty or holds the end of a line.
pub(super) struct Comment(Vec<String>);

impl Comment {
    pub(super) fn of(schema: &Value) -> Self {
        let mut lines = Vec::new();
        for key in KEYWORDS {
            match (*key, schema.get(*key)) {
                (_, None) => {}
                ("title" | "description", Some(Value::String(text))) => {
                    lines.extend(text.split(ends_line).map(plain));
                }
                ("deprecated" | "readOnly" | "writeOnly", Some(Value::Bool(said))) => {
                    lines.extend(said.then(|| (*key).to_owned()));
                }
                (key, Some(value)) => lines.push(plain(&format!("{key}: {value}"))),
            }
        }
        lines.retain(|line| !line.is_empty());
        Self(lines)
    }

    /// A line comment for each, before what they are about.
    pub(super) fn lines(&self, text: &mut String) {
        for line in &self.0 {
            let _ = writeln!(text, "// {line}");
        }
    }

    /// One comment inside a line.
    pub(super) fn inline(&self) -> Option<String> {
        let mut text = self.0.join(" ");
        while text.contains("*/") {
            text = text.replace("*/", "* /");
        }
        (!text.is_empty()).then(|| format!("/* {text} */"))
    }
}

fn ends_line(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

fn plain(line: &str) -> String {
    let shown = |c: char| {
        if c.is_control() || ends_line(c) {
            ' '
        } else {
            c
        }
    };
    line.trim().chars().map(shown).collect()
}
