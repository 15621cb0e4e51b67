//! The name under which a schema travels to OpenAI and to those who speak its wires.

/// The longest schema name that OpenAI takes, in characters.
const NAME_CHARS: usize = 64;

/// The name in the alphabet that OpenAI takes.
pub(crate) fn openai_name(name: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || c == '-' {
            c
        } else {
            '_'
        }
    };
    let name: String = name.chars().take(NAME_CHARS).map(plain).collect();
    if name.is_empty() {
        "answer".to_owned()
    } else {
        name
    }
}
