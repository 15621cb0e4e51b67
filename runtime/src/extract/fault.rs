//! What cannot be extracted: a schema that cannot be used, or that a wire cannot carry.

use crate::error::{Error, ErrorKind};
use crate::failure::{Failure, FailureCode, Failures, Layer};
use crate::flow::Plan;
use crate::path::FieldPath;
use crate::schema::SchemaFault;
use crate::schema::dialect::Unsupported;

/// A schema that a dialect cannot carry, at the place a reply would have.
pub(super) fn uncarried<T, C: ?Sized>(plan: &Plan<T, C>, why: &Unsupported) -> Error {
    let code = FailureCode::new("schema_build.unsupported");
    let path = plan.schema.to_user_path(why.path.clone());
    let failure = Failure::new(Layer::Schema, code, path, why.to_string());
    let reason = format!("the schema cannot be sent: {failure}");
    Error::before_any_call(ErrorKind::Schema, reason).with_failures(Failures::new(vec![failure]))
}

pub(crate) fn unusable(fault: &SchemaFault) -> Error {
    Error::before_any_call(ErrorKind::Schema, unusable_words(fault))
}

fn unusable_words(fault: &SchemaFault) -> String {
    let place = if fault.place.is_empty() {
        "its root"
    } else {
        &fault.place
    };
    format!("the schema cannot be used, at {place}: {}", fault.message)
}

pub(super) fn unusable_failures(fault: &SchemaFault) -> Failures {
    let code = FailureCode::new("schema_build.unsupported");
    let words = unusable_words(fault);
    Failures::new(vec![Failure::new(
        Layer::Schema,
        code,
        FieldPath::root(),
        words,
    )])
}
