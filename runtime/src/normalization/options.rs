//! Which steps a caller allows.

/// Which steps may be taken before a reply is judged.
///
/// By default: the fence around a reply that is exactly one fenced block, a
/// closed reasoning block before the answer, a top-level array of strings that
/// came as one comma-separated string, a JSON number where the digits of an
/// exact decimal are asked for as text, and other names that serde reads for a
/// key or a variant (`#[serde(alias = "..")]`). Each step taken is in the record.
/// Nothing else is ever changed.
///
/// ```
/// use typed_extract::Normalize;
///
/// let strict = Normalize::none();
/// let lenient = Normalize::default().surrounding_prose(true);
/// assert_ne!(strict, lenient);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // Each is one independent switch.
pub struct Normalize {
    code_fence: bool,
    reasoning_block: bool,
    delimited_strings: bool,
    decimal_numbers: bool,
    aliases: bool,
    surrounding_prose: bool,
    drop_unknown_keys: bool,
}

impl Default for Normalize {
    fn default() -> Self {
        Self {
            code_fence: true,
            reasoning_block: true,
            delimited_strings: true,
            decimal_numbers: true,
            aliases: true,
            ..Self::none()
        }
    }
}

impl Normalize {
    /// No step at all: the reply is judged as it came.
    pub fn none() -> Self {
        Self {
            code_fence: false,
            reasoning_block: false,
            delimited_strings: false,
            decimal_numbers: false,
            aliases: false,
            surrounding_prose: false,
            drop_unknown_keys: false,
        }
    }

    /// Whether a reply that is exactly one fenced block loses its fence.
    #[must_use]
    pub fn code_fence(mut self, yes: bool) -> Self {
        self.code_fence = yes;
        self
    }

    /// Whether a closed reasoning block before the answer is skipped.
    #[must_use]
    pub fn reasoning_block(mut self, yes: bool) -> Self {
        self.reasoning_block = yes;
        self
    }

    /// Whether a top-level array of strings may come as one string, its
    /// elements separated by commas. A string that is JSON itself, holds quoted
    /// parts or a comma between two digits, or is one part only, is left as it
    /// is.
    #[must_use]
    pub fn delimited_strings(mut self, yes: bool) -> Self {
        self.delimited_strings = yes;
        self
    }

    /// Whether a JSON number where an exact decimal is asked for as text is
    /// taken digit for digit: `1200.50` becomes `"1200.50"`. A number with an
    /// exponent is not.
    ///
    /// ```
    /// use typed_extract::Normalize;
    ///
    /// let strict = Normalize::default().decimal_numbers(false);
    /// assert_ne!(strict, Normalize::default());
    /// ```
    #[must_use]
    pub fn decimal_numbers(mut self, yes: bool) -> Self {
        self.decimal_numbers = yes;
        self
    }

    /// Whether another name that serde reads (`#[serde(alias = "..")]`) stands
    /// for a key or a variant. Where the name itself is there too, the reply
    /// fails.
    ///
    /// ```
    /// # use serde::Deserialize;
    /// # use typed_extract::{Extract, Normalize, extract};
    /// #[derive(Debug, Deserialize, Extract)]
    /// struct Named {
    ///     #[serde(alias = "title")]
    ///     name: String,
    /// }
    ///
    /// let reply = r#"{"title": "Ida"}"#;
    /// let judge = |normalize| {
    ///     let flow = extract::<Named>().normalize(normalize).document("a document");
    ///     flow.validate(reply)
    /// };
    /// assert_eq!(judge(Normalize::default()).unwrap().value().name, "Ida");
    /// assert!(judge(Normalize::default().aliases(false)).is_err());
    /// ```
    #[must_use]
    pub fn aliases(mut self, yes: bool) -> Self {
        self.aliases = yes;
        self
    }

    /// Whether the single JSON value in surrounding prose is taken for the
    /// answer. Two different values stay an error.
    #[must_use]
    pub fn surrounding_prose(mut self, yes: bool) -> Self {
        self.surrounding_prose = yes;
        self
    }

    /// Whether keys that the schema does not know are left out. A key that
    /// differs from a missing one only in case, underscores or hyphens is not:
    /// it was meant, so it is told.
    #[must_use]
    pub fn drop_unknown_keys(mut self, yes: bool) -> Self {
        self.drop_unknown_keys = yes;
        self
    }

    pub(crate) fn drops_unknown_keys(self) -> bool {
        self.drop_unknown_keys
    }

    pub(crate) fn reads_decimal_numbers(self) -> bool {
        self.decimal_numbers
    }

    pub(crate) fn reads_aliases(self) -> bool {
        self.aliases
    }

    pub(crate) fn unfences(self) -> bool {
        self.code_fence
    }

    pub(crate) fn skips_reasoning(self) -> bool {
        self.reasoning_block
    }

    pub(crate) fn takes_prose(self) -> bool {
        self.surrounding_prose
    }

    pub(crate) fn splits_strings(self) -> bool {
        self.delimited_strings
    }
}
