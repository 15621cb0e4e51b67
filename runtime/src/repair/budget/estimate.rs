//! What a request is expected to use before it is sent.

use crate::model::{Request, Usage};

/// Bytes that stand for a token where nothing is known.
const BYTES_A_TOKEN: usize = 4;

/// Bytes of a prompt whose tokens are few: what does not fit at this rate does not
/// fit.
const BYTES_A_TOKEN_AT_MOST: usize = 8;

/// The tokens that a text is taken for.
pub(super) fn tokens(text: &str) -> u64 {
    at_rate(text, BYTES_A_TOKEN)
}

fn at_rate(text: &str, bytes: usize) -> u64 {
    u64::try_from(text.len().div_ceil(bytes)).unwrap_or(u64::MAX)
}

/// The most that earlier requests of the run used, by report or by estimate.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    pub(super) input: u64,
    pub(super) output: u64,
}

/// What a request is expected to use, in tokens.
#[derive(Debug, Clone, Copy)]
pub(super) struct Estimate {
    pub(super) input: u64,
    pub(super) output: u64,
    /// What it is held to use for the run's own limit.
    pub(super) held: u64,
}

impl Estimate {
    pub(super) fn of(request: &Request, known: Option<Known>) -> Self {
        let cap = request.max_output_tokens().map(u64::from);
        if let Some(known) = known {
            let (input, output) = (known.input, cap.unwrap_or(known.output));
            return Self {
                input,
                output,
                held: input.saturating_add(output),
            };
        }
        let input = tokens(request.prompt());
        let least = at_rate(request.prompt(), BYTES_A_TOKEN_AT_MOST);
        Self {
            input,
            output: cap.unwrap_or(input),
            held: least.saturating_add(cap.unwrap_or_default()),
        }
    }

    pub(super) fn usage(&self) -> Usage {
        Usage::new(self.input, self.output)
    }

    pub(super) fn total(&self) -> u64 {
        self.input.saturating_add(self.output)
    }
}
