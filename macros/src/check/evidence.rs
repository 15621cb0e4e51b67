//! `verbatim`, `date_order` and `shown_as`: only where the flow can look.

use syn::{Data, Fields};

use crate::errors::Errors;
use crate::plan::{Bind, Body, Shape};
use crate::written::Written;

pub(crate) fn words(written: &Written<'_>, shape: &Shape<'_>, errors: &Errors) {
    let bodies: Vec<&Body<'_>> = match shape {
        Shape::Struct(body) => vec![body],
        Shape::Enum(_, variants) => variants.iter().map(|variant| &variant.body).collect(),
    };
    let planned = bodies.iter().flat_map(|body| &body.fields);
    for (planned, field) in planned.zip(written.bodies.iter().flatten()) {
        if matches!(planned.bind, Bind::Node) {
            continue;
        }
        let order = field.words.date_order.as_ref().map(|(word, _)| word);
        for word in field.words.verbatim.iter().chain(order) {
            errors.at(
                word,
                format!(
                    "`{word}` needs a field that the flow looks into; it looks into none that is \
                     a leaf, flattened, skipped or bound by a function"
                ),
            );
        }
    }
    shown_as(written, errors);
}

/// What is shown as a text travels as one.
fn shown_as(written: &Written<'_>, errors: &Errors) {
    let Data::Enum(data) = &written.input.data else {
        return;
    };
    for (variant, words) in data.variants.iter().zip(&written.variants) {
        if let Some((word, _)) = &words.shown_as
            && !matches!(variant.fields, Fields::Unit)
        {
            errors.at(
                word,
                format!("`{word}` says what a variant without fields looks like, and this one has fields"),
            );
        }
    }
}
