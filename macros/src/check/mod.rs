//! From what was written to a plan. Each check says its mistakes and goes on.

pub(crate) mod block;
mod evidence;
mod fields;
mod portable;
mod rules;
pub(crate) mod serde;
mod shape;
mod validate;

use serde_derive_internals::ast;

use crate::errors::Errors;
use crate::plan::Plan;
use crate::written::Written;

pub(crate) fn container<'a>(
    written: &'a Written<'a>,
    serde: &'a ast::Container<'a>,
    errors: &Errors,
) -> Option<Plan<'a>> {
    serde::owned(written.input, errors);
    serde::unborrowed(serde, errors);
    serde::bindable(serde, errors);
    serde::taggable(serde, errors);
    fields::keep_delimiters(written, errors);
    let shape = shape::shape(written, serde)?;
    evidence::words(written, &shape, errors);
    validate::shape(&shape, errors);
    validate::whole(&written.checks, errors);
    let portable = portable::providers(written, errors);
    let rules = rules::one_liners(written, errors);
    Some(Plan {
        input: written.input,
        serde,
        crate_path: written.words.crate_path.clone().unwrap_or_default(),
        context: written.words.context.as_ref(),
        instructions: written.words.instructions.as_ref(),
        portable,
        schema: written.words.no_schema.is_none(),
        deserialize: written.words.deserialize.is_some(),
        rules,
        whole_checks: &written.checks,
        opaque: shape::is_opaque(serde),
        keep_delimiters: fields::kept(written, &shape),
        shape,
    })
}
