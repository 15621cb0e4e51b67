//! Text that stays text.

use std::fmt::{self, Write as _};

use super::super::glyph::Glyph;

/// Text on one line, for content and for quoted attributes: what steers is
/// shown by name, markup is escaped.
#[derive(Debug, Clone, Copy)]
pub(super) struct Inline<'t>(pub(super) &'t str);

impl fmt::Display for Inline<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| character(f, c))
    }
}

/// Text over several lines, for preformatted content only.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block<'t>(pub(super) &'t str);

impl fmt::Display for Block<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut characters = self.0.chars().peekable();
        while let Some(c) = characters.next() {
            match c {
                '\r' if characters.peek() == Some(&'\n') => {}
                '\n' | '\t' => f.write_char(c)?,
                _ => character(f, c)?,
            }
        }
        Ok(())
    }
}

fn character(f: &mut fmt::Formatter<'_>, c: char) -> fmt::Result {
    match c {
        '&' => f.write_str("&amp;"),
        '<' => f.write_str("&lt;"),
        '>' => f.write_str("&gt;"),
        '"' => f.write_str("&quot;"),
        '\'' => f.write_str("&#39;"),
        _ => match Glyph::of(c) {
            Glyph::Code(c) => write!(f, "&lt;U+{:04X}&gt;", u32::from(c)),
            glyph => write!(f, "{glyph}"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_escaped_and_what_steers_is_named() {
        let text = "</pre><script a='b' c=\"d\">&\x1b\u{202e}\r\n\t.";
        assert_eq!(
            Block(text).to_string(),
            "&lt;/pre&gt;&lt;script a=&#39;b&#39; c=&quot;d&quot;&gt;&amp;\u{241b}&lt;U+202E&gt;\n\t."
        );
        assert_eq!(Inline("a\nb\0").to_string(), "a\u{240a}b\u{2400}");
    }
}
