//! A repair that asked for the failing places only.

use std::fmt;

use crate::path::FieldPath;
use crate::schema::WireSchema;

/// A repair that asked for the failing places only.
///
/// `Debug` shows the places and leaves out what the reply says.
#[derive(Clone)]
pub struct Patch {
    pub(crate) places: Vec<FieldPath>,
    pub(crate) wire: Option<WireSchema>,
    pub(crate) applied: bool,
    /// Not there where the record was redacted.
    pub(crate) merged: Option<String>,
}

impl Patch {
    /// The places that the patch could set, those that failed first.
    pub fn places(&self) -> &[FieldPath] {
        &self.places
    }

    /// The schema of the patch as it went over the wire; `None` where none did, since the model
    /// enforces none or its dialect cannot carry this one.
    pub fn wire(&self) -> Option<&WireSchema> {
        self.wire.as_ref()
    }

    /// Whether the patch was applied, so that the whole was judged.
    pub fn applied(&self) -> bool {
        self.applied
    }

    /// The JSON text of the whole reply with the patch in it: what was judged, and for the last
    /// attempt of an accepted run what the value was read from. `None` where the patch was not
    /// applied, or the record was [redacted](crate::Record::redacted).
    pub fn merged(&self) -> Option<&str> {
        self.merged.as_deref()
    }
}

impl fmt::Debug for Patch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Patch")
            .field("places", &self.places)
            .field("applied", &self.applied)
            .finish_non_exhaustive()
    }
}
