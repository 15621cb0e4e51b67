//! Colours, where they are wanted.

use std::env;
use std::fmt;
use std::io::{self, IsTerminal as _};

use super::super::entry::Kind;

/// Whether text is coloured.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ink {
    pub(super) on: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Tone {
    Heading,
    Faint,
    Good,
    Bad,
    Doubtful,
}

impl Ink {
    /// As standard output takes it: colours on a terminal that does not ask for
    /// none (`NO_COLOR`, or `TERM=dumb`).
    pub(super) fn of_stdout() -> Self {
        let refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self {
            on: !refused && !dumb && io::stdout().is_terminal(),
        }
    }

    /// `text` must be shown text already: nothing is taken out of it.
    pub(super) fn paint(self, tone: Tone, text: &str) -> Painted<'_> {
        let tone = self.on.then_some(tone);
        Painted { tone, text }
    }
}

impl Tone {
    pub(super) fn of(kind: Kind) -> Self {
        match kind {
            Kind::Cited => Self::Good,
            Kind::Failure => Self::Bad,
            Kind::Warning => Self::Doubtful,
        }
    }

    fn code(self) -> u8 {
        match self {
            Self::Heading => 1,
            Self::Faint => 2,
            Self::Good => 32,
            Self::Bad => 31,
            Self::Doubtful => 33,
        }
    }
}

#[derive(Debug)]
pub(super) struct Painted<'t> {
    tone: Option<Tone>,
    text: &'t str,
}

impl fmt::Display for Painted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tone {
            Some(tone) => write!(f, "\x1b[{}m{}\x1b[0m", tone.code(), self.text),
            None => f.write_str(self.text),
        }
    }
}
