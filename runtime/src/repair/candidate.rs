//! Who is asked, and who instead if no answer comes.

use crate::model::{Model, ModelError, ModelErrorKind, ResponseSchema};
use crate::schema::WireSchema;
use crate::schema::dialect::Shapes;

/// A model and what its wire carries of the schema.
pub(crate) struct Candidate<'a> {
    pub(crate) model: &'a dyn Model,
    /// The schema on the wire, where the model can enforce one.
    pub(crate) schema: Option<ResponseSchema>,
    pub(crate) dialect: Option<WireSchema>,
    /// What the wire asks for in another form than the schema.
    pub(crate) shapes: Option<&'a Shapes>,
}

/// Whether another model may be asked after this. Once the time is up nobody may.
pub(super) fn passes_on(error: &ModelError) -> bool {
    error.kind() != ModelErrorKind::Deadline
}
