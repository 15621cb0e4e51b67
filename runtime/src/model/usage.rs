//! What a call cost, in tokens, with every provider's counting made one.

use std::{iter::Sum, ops::Add};

/// Token counts of one call, or of several added up.
///
/// All providers are brought to one meaning: **input** includes what was read from or written to a
/// cache, **output** includes reasoning. A count that the provider did not give is unknown
/// (`None`), which is not zero: a sum with an unknown part is unknown, so that no total claims
/// less than was spent.
///
/// ```
/// use typed_extract::Usage;
///
/// let first = Usage::new(100, 25).with_reasoning(10);
/// let second = Usage::new(40, 5);
/// let both = first + second;
/// assert_eq!(both.total_tokens(), Some(170));
/// assert_eq!(both.reasoning_tokens(), None, "the second call did not say");
/// assert_eq!((both + Usage::default()).total_tokens(), None);
/// assert_eq!([first, second].into_iter().sum::<Usage>(), both);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Usage {
    pub(crate) input: Option<u64>,
    pub(crate) output: Option<u64>,
    pub(crate) cached_input: Option<u64>,
    pub(crate) cache_write: Option<u64>,
    pub(crate) reasoning: Option<u64>,
}

impl Usage {
    /// Nothing spent, and known to be nothing: where a sum starts.
    pub const ZERO: Self = Self {
        input: Some(0),
        output: Some(0),
        cached_input: Some(0),
        cache_write: Some(0),
        reasoning: Some(0),
    };

    /// Known totals in tokens, with their parts unknown. [`Usage::default`] knows nothing at all.
    pub const fn new(input: u64, output: u64) -> Self {
        Self {
            input: Some(input),
            output: Some(output),
            cached_input: None,
            cache_write: None,
            reasoning: None,
        }
    }

    /// Sets the input, cached tokens included.
    #[must_use]
    pub const fn with_input(mut self, tokens: u64) -> Self {
        self.input = Some(tokens);
        self
    }

    /// Sets the output, reasoning included.
    #[must_use]
    pub const fn with_output(mut self, tokens: u64) -> Self {
        self.output = Some(tokens);
        self
    }

    /// Sets how much of the input was read from a cache.
    #[must_use]
    pub const fn with_cached_input(mut self, tokens: u64) -> Self {
        self.cached_input = Some(tokens);
        self
    }

    /// Sets how much of the input was written to a cache.
    #[must_use]
    pub const fn with_cache_write(mut self, tokens: u64) -> Self {
        self.cache_write = Some(tokens);
        self
    }

    /// Sets how much of the output was reasoning.
    #[must_use]
    pub const fn with_reasoning(mut self, tokens: u64) -> Self {
        self.reasoning = Some(tokens);
        self
    }

    /// Tokens sent, cached ones included.
    pub const fn input_tokens(&self) -> Option<u64> {
        self.input
    }

    /// Tokens generated, reasoning included.
    pub const fn output_tokens(&self) -> Option<u64> {
        self.output
    }

    /// The part of the input that was read from a cache.
    pub const fn cached_input_tokens(&self) -> Option<u64> {
        self.cached_input
    }

    /// The part of the input that was written to a cache, which some providers bill higher.
    pub const fn cache_write_tokens(&self) -> Option<u64> {
        self.cache_write
    }

    /// The part of the output that was reasoning.
    pub const fn reasoning_tokens(&self) -> Option<u64> {
        self.reasoning
    }

    /// Input and output together; unknown if either is.
    pub fn total_tokens(&self) -> Option<u64> {
        sum(self.input, self.output)
    }
}

impl Add for Usage {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            input: sum(self.input, other.input),
            output: sum(self.output, other.output),
            cached_input: sum(self.cached_input, other.cached_input),
            cache_write: sum(self.cache_write, other.cache_write),
            reasoning: sum(self.reasoning, other.reasoning),
        }
    }
}

impl Sum for Usage {
    fn sum<I: Iterator<Item = Self>>(usages: I) -> Self {
        usages.fold(Self::ZERO, Add::add)
    }
}

fn sum(left: Option<u64>, right: Option<u64>) -> Option<u64> {
    Some(left?.saturating_add(right?))
}
