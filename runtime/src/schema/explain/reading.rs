//! How a value that the schema refuses may be read all the same, without loss.

use crate::json::Cursor;
use crate::json::{edit::Edit, edit::Edits, edit::quote};
use crate::normalization::{Normalize, Steps};
use crate::path::FieldPath;

/// Which readings are looked for.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Readable {
    /// The digits of a JSON number for an exact decimal.
    pub(super) decimals: bool,
    /// Other names that serde reads.
    pub(super) aliases: bool,
    /// Keys that nothing knows are listed, to be left out.
    pub(super) unknown: bool,
}

impl Readable {
    /// Whether there is anything to look for.
    pub(super) fn any(self) -> bool {
        self.decimals || self.aliases || self.unknown
    }

    /// What a schema has, of what is looked for.
    pub(super) fn within(self, decimals: bool, aliases: bool) -> Self {
        Self {
            decimals: self.decimals && decimals,
            aliases: self.aliases && aliases,
            ..self
        }
    }

    pub(crate) fn of(normalize: Normalize) -> Self {
        Self {
            decimals: normalize.reads_decimal_numbers(),
            aliases: normalize.reads_aliases(),
            unknown: normalize.drops_unknown_keys(),
        }
    }
}

/// One value that is read in another form.
#[derive(Debug)]
pub(crate) struct Reading<'p> {
    pub(super) node: u32,
    pub(super) change: Change<'p>,
    /// Where it is told; nothing for one that is only counted.
    pub(super) path: Option<Box<FieldPath>>,
}

#[derive(Debug)]
pub(super) enum Change<'p> {
    /// The digits of the number become a string.
    Quote,
    /// The member stands under this key.
    Rename(&'p str),
    /// This name stands there.
    Name(&'p str),
    /// The member is left out.
    Remove,
}

impl Reading<'_> {
    /// Makes the edit and tells the step.
    pub(crate) fn take(self, root: Cursor<'_>, edits: &mut Edits, steps: &mut Steps) {
        let cursor = root.at(self.node);
        let name = match self.change {
            Change::Quote => {
                edits.set(cursor, Edit::Quote);
                "decimal_number"
            }
            Change::Rename(key) => {
                edits.rename(cursor, key);
                "alias"
            }
            Change::Name(text) => {
                edits.set(cursor, Edit::Replace(quote(text)));
                "alias"
            }
            Change::Remove => {
                edits.set(cursor, Edit::Remove);
                "unknown_key"
            }
        };
        steps.add(name, || {
            self.path.map_or_else(FieldPath::root, |path| *path)
        });
    }
}
