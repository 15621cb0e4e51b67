//! What a request is expected to use before it is sent, and how long its reply may be.

use crate::model::{Model, Request, Usage};

/// Bytes that stand for a token where a host does not count.
const BYTES_A_TOKEN: usize = 4;

/// The same for what is reserved: prompts with a schema in them are denser than prose, and a
/// reservation that is too high is given back.
const BYTES_A_TOKEN_RESERVED: usize = 3;

/// The same for what does not fit into the run's own limit however the model counts.
const BYTES_A_TOKEN_AT_MOST: usize = 8;

/// The shortest reply worth a request where nothing is known of its length, in tokens.
pub(super) const LEAST_OUTPUT: u64 = 8;

/// The output limit that a budget implies where none is set, in tokens: models refuse a request
/// for more than they can give.
const MOST_OUTPUT: u64 = 16_384;

/// What one request may take at most of what runs share, where no output limit is set: a
/// sixteenth, so that others can run beside it, but no less than this many tokens.
const LEAST_SHARE: u64 = 1_024;
const SHARES: u64 = 16;

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

/// What a request takes of a budget, in tokens.
#[derive(Debug, Clone, Copy)]
pub(super) struct Demand {
    pub(super) input: u64,
    /// The least that the prompt takes; the same once the model has counted one.
    pub(super) least_input: u64,
    /// A reply that may not be as long is not worth the request: the output limit that the caller
    /// set, and once replies are known the longest of them.
    pub(super) least: u64,
    /// The output limit of the caller or of the model.
    set: Option<u64>,
}

impl Demand {
    pub(super) fn of(
        request: &Request,
        model: &(impl Model + ?Sized),
        known: Option<Known>,
    ) -> Self {
        let asked = request.max_output_tokens().map(u64::from);
        let set = asked.or(model.max_output_tokens().map(u64::from));
        let input = at_rate(request.prompt(), BYTES_A_TOKEN_RESERVED);
        let least_input = at_rate(request.prompt(), BYTES_A_TOKEN_AT_MOST);
        let least = match known {
            Some(known) => known.output.max(1),
            None => asked.unwrap_or(LEAST_OUTPUT),
        };
        Self {
            input: known.map_or(input, |known| known.input.max(input)),
            least_input: known.map_or(least_input, |known| known.input),
            least: set.map_or(least, |set| least.min(set)),
            set,
        }
    }

    /// The longest reply to ask for where a budget has `left` for it.
    pub(super) fn output(&self, left: u64) -> u64 {
        left.min(self.set.unwrap_or(MOST_OUTPUT.max(self.least)))
    }

    /// The same where others spend from what is left, too.
    pub(super) fn share(&self, left: u64) -> u64 {
        match self.set {
            Some(set) => left.min(set),
            None => left.min((left / SHARES).max(LEAST_SHARE).max(self.least)),
        }
    }

    /// What is charged if the request may have been billed and nobody tells with what.
    pub(super) fn usage(&self, output: Option<u64>) -> Usage {
        let output = output.or(self.set).unwrap_or(self.input);
        Usage::new(self.input, output)
    }
}
