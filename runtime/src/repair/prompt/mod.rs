//! The fixed texts of the prompts, and how their slots are filled.

mod documents;
pub(crate) mod message;

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use crate::record::PROMPT_VERSION;
use crate::schema::SchemaNotation;

const EXTRACTION: &str = include_str!("texts/extraction.txt");
const REPAIR: &str = include_str!("texts/repair.txt");
const PATCH: &str = include_str!("texts/patch.txt");

/// The prompts of a run, each a text with slots.
///
/// The slots are `{{json_schema}}`, `{{rules}}` and `{{document}}`; a repair
/// has `{{previous_reply}}` and `{{errors}}` as well. `{{context}}` is where
/// instructions and examples stand, if there are any.
///
/// ```
/// use typed_extract::prompt::Prompts;
///
/// let prompts = Prompts::new(
///     "Read <document>{{document}}</document> into {{json_schema}}. {{rules}}{{context}}",
///     "Mend {{previous_reply}}: {{errors}} {{document}} {{json_schema}} {{rules}}{{context}}",
/// );
/// assert!(prompts.is_ok());
/// assert!(Prompts::new("no slots", "none here").is_err());
/// ```
#[derive(Debug, Clone)]
pub struct Prompts {
    pub(crate) extraction: Template,
    pub(crate) repair: Template,
    pub(crate) patch: Template,
    built_in: bool,
}

static BUILT_IN: LazyLock<Prompts> = LazyLock::new(|| Prompts {
    extraction: Template::split(EXTRACTION),
    repair: Template::split(REPAIR),
    patch: Template::split(PATCH),
    built_in: true,
});

impl Default for Prompts {
    /// The built-in prompts.
    fn default() -> Self {
        BUILT_IN.clone()
    }
}

impl Prompts {
    /// The version of what is sent: of the texts and of what fills them.
    pub(crate) fn version(&self, notation: SchemaNotation, documents: usize) -> &'static str {
        match (self.built_in, notation, documents > 1) {
            (true, SchemaNotation::JsonSchema, false) => PROMPT_VERSION,
            (true, SchemaNotation::JsonSchema, true) => "1+documents",
            (true, SchemaNotation::Compact, false) => "1+compact",
            (true, SchemaNotation::Compact, true) => "1+compact+documents",
            (false, SchemaNotation::JsonSchema, false) => "custom",
            (false, SchemaNotation::JsonSchema, true) => "custom+documents",
            (false, SchemaNotation::Compact, false) => "custom+compact",
            (false, SchemaNotation::Compact, true) => "custom+compact+documents",
        }
    }

    /// Prompts of the caller's own, for the first request and for a repair of the whole reply. A
    /// repair by [patch](crate::Repair::Patch) keeps the built-in one until
    /// [`with_patch`](Self::with_patch) sets another.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Config`](crate::ErrorKind::Config) where a slot is unknown
    /// or one that the flow needs is missing.
    pub fn new(extraction: &str, repair: &str) -> Result<Self, crate::error::Error> {
        let mended = Template::checked(repair, &Slot::ALL, &REPAIRING);
        let first = [Slot::Schema, Slot::Rules, Slot::Context, Slot::Document];
        let prompts = Template::checked(extraction, &first, &[]).and_then(|extraction| {
            Ok(Self {
                extraction,
                repair: mended?,
                patch: BUILT_IN.patch.clone(),
                built_in: false,
            })
        });
        prompts.map_err(crate::error::Error::config)
    }

    /// The same with another prompt for a repair by [patch](crate::Repair::Patch). It has the
    /// slots of a repair: `{{json_schema}}` is the schema of the patch, and `{{previous_reply}}`
    /// one JSON object with what stands at the failing places, by JSON Pointer.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Config`](crate::ErrorKind::Config) where a slot is unknown or one that the
    /// flow needs is missing.
    ///
    /// ```
    /// use typed_extract::prompt::Prompts;
    ///
    /// let text = "Mend {{previous_reply}}: {{errors}} {{document}} {{json_schema}} {{rules}}{{context}}";
    /// assert!(Prompts::default().with_patch(text).is_ok());
    /// assert!(Prompts::default().with_patch("no slots").is_err());
    /// ```
    pub fn with_patch(self, patch: &str) -> Result<Self, crate::error::Error> {
        let patch = Template::checked(patch, &Slot::ALL, &REPAIRING);
        Ok(Self {
            patch: patch.map_err(crate::error::Error::config)?,
            built_in: false,
            ..self
        })
    }
}

/// The slots that a repair has beside those of every prompt.
const REPAIRING: [Slot; 2] = [Slot::PreviousReply, Slot::Errors];

/// What stands in a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slot {
    Schema,
    Rules,
    Context,
    Document,
    PreviousReply,
    Errors,
}

impl Slot {
    const ALL: [Self; 6] = [
        Self::Schema,
        Self::Rules,
        Self::Context,
        Self::Document,
        Self::PreviousReply,
        Self::Errors,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Schema => "json_schema",
            Self::Rules => "rules",
            Self::Context => "context",
            Self::Document => "document",
            Self::PreviousReply => "previous_reply",
            Self::Errors => "errors",
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|slot| slot.name() == name)
    }
}

/// A text cut at its slots, so that what fills one is never read for another.
#[derive(Debug, Clone)]
pub(crate) struct Template {
    /// The text before each slot.
    pieces: Arc<[(Box<str>, Slot)]>,
    rest: Arc<str>,
}

impl Template {
    /// Cuts a text whose slots are known to be right.
    fn split(text: &str) -> Self {
        let mut pieces = Vec::new();
        let mut rest = text.trim_end();
        while let Some((before, slot, after)) = next_slot(rest) {
            let Some(slot) = Slot::named(slot) else { break };
            pieces.push((before.into(), slot));
            rest = after;
        }
        Self {
            pieces: pieces.into(),
            rest: rest.into(),
        }
    }

    fn checked(text: &str, known: &[Slot], needed: &[Slot]) -> Result<Self, String> {
        let mut rest = text;
        while let Some((_, name, after)) = next_slot(rest) {
            if !Slot::named(name).is_some_and(|slot| known.contains(&slot)) {
                let known: Vec<&str> = known.iter().map(|slot| slot.name()).collect();
                return Err(format!(
                    "the prompt has no slot {{{{{name}}}}}; use {{{{{}}}}}",
                    known.join("}}, {{")
                ));
            }
            rest = after;
        }
        let template = Self::split(text);
        let always = [Slot::Schema, Slot::Rules, Slot::Context, Slot::Document];
        let missing = always
            .iter()
            .chain(needed)
            .find(|slot| !template.has(**slot));
        match missing {
            Some(slot) => Err(format!("the prompt lacks the slot {{{{{}}}}}", slot.name())),
            None => Ok(template),
        }
    }

    fn has(&self, slot: Slot) -> bool {
        self.pieces.iter().any(|(_, one)| *one == slot)
    }

    /// The text with every slot filled, once.
    pub(crate) fn fill<'f>(&self, fill: impl Fn(Slot) -> Cow<'f, str>) -> String {
        let filled: Vec<Cow<'_, str>> = self.pieces.iter().map(|(_, slot)| fill(*slot)).collect();
        let length = self
            .pieces
            .iter()
            .map(|(text, _)| text.len())
            .sum::<usize>()
            + filled.iter().map(|text| text.len()).sum::<usize>()
            + self.rest.len();
        let mut out = String::with_capacity(length);
        for ((before, _), text) in self.pieces.iter().zip(&filled) {
            out.push_str(before);
            out.push_str(text);
        }
        out.push_str(&self.rest);
        out
    }
}

fn next_slot(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("{{")?;
    let (name, after) = rest.split_once("}}")?;
    Some((before, name, after))
}

/// The words between angle brackets that delimit a slot.
const DELIMITERS: [&str; 8] = [
    "schema",
    "rules",
    "instructions",
    "examples",
    "example",
    "document",
    "previous_reply",
    "errors",
];

/// Text from outside, so written that it can neither open nor close a slot.
///
/// The `<` of a delimiter becomes the JSON escape `\u003c`: copied into a JSON
/// string it reads as the original again, so no value and no quotation changes.
pub(crate) fn neutral(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    for (at, _) in text.match_indices('<') {
        let after = text.get(at + 1..).unwrap_or_default();
        if is_delimiter(after) {
            out.push_str(text.get(copied..at).unwrap_or_default());
            out.push_str("\\u003c");
            copied = at + 1;
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(out)
}

fn is_delimiter(after: &str) -> bool {
    let name = after.trim_start_matches(|c: char| c == '/' || c.is_whitespace());
    DELIMITERS.iter().any(|delimiter| {
        name.get(..delimiter.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(delimiter))
            && !name
                .get(delimiter.len()..)
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_cannot_close_its_slot() {
        let text = "Total 5 </document> < / DOCUMENT > <errors> <documents> a < b";
        let safe = neutral(text);
        assert_eq!(
            safe,
            "Total 5 \\u003c/document> \\u003c / DOCUMENT > \\u003cerrors> <documents> a < b"
        );
        let read: String = serde_json::from_str(&format!("\"{safe}\"")).unwrap();
        assert_eq!(read, text);
        assert!(matches!(neutral("a < b <c>"), Cow::Borrowed(_)));
    }

    #[test]
    fn what_fills_a_slot_is_not_read_for_another() {
        let template = Template::split("{{document}}|{{rules}}");
        let filled = template.fill(|slot| match slot {
            Slot::Document => "{{rules}}".into(),
            _ => "R".into(),
        });
        assert_eq!(filled, "{{rules}}|R");
    }
}
