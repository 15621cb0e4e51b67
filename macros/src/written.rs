//! The raw tree: what stands in the attributes of each part of a type, before
//! anything was asked about it.

use syn::{Data, DeriveInput, Fields};

use crate::errors::Errors;
use crate::syntax::container::ContainerWords;
use crate::syntax::field::FieldWords;
use crate::syntax::validate::{self, Check};
use crate::syntax::variant::VariantWords;

pub(crate) struct Written<'a> {
    pub(crate) input: &'a DeriveInput,
    pub(crate) words: ContainerWords,
    /// `#[validate(schema(..))]`
    pub(crate) checks: Vec<Check>,
    /// One list of fields for a struct, one for each variant of an enum.
    pub(crate) bodies: Vec<Vec<Field<'a>>>,
    /// One for each variant of an enum.
    pub(crate) variants: Vec<VariantWords>,
}

pub(crate) struct Field<'a> {
    pub(crate) original: &'a syn::Field,
    pub(crate) words: FieldWords,
    pub(crate) checks: Vec<Check>,
}

/// Reads all of our attributes, also where serde could not make sense of its
/// own, so that all mistakes come at once.
pub(crate) fn read<'a>(input: &'a DeriveInput, errors: &Errors) -> Written<'a> {
    Written {
        input,
        words: ContainerWords::read(&input.attrs, errors),
        checks: validate::on_type(&input.attrs, errors),
        variants: variants(input, errors),
        bodies: bodies(input, errors),
    }
}

fn bodies<'a>(input: &'a DeriveInput, errors: &Errors) -> Vec<Vec<Field<'a>>> {
    match &input.data {
        Data::Struct(data) => vec![fields(&data.fields, errors)],
        Data::Enum(data) => data
            .variants
            .iter()
            .map(|variant| fields(&variant.fields, errors))
            .collect(),
        Data::Union(_) => Vec::new(),
    }
}

fn variants(input: &DeriveInput, errors: &Errors) -> Vec<VariantWords> {
    let Data::Enum(data) = &input.data else {
        return Vec::new();
    };
    let variants = data.variants.iter();
    variants
        .map(|variant| VariantWords::read(&variant.attrs, errors))
        .collect()
}

fn fields<'a>(fields: &'a Fields, errors: &Errors) -> Vec<Field<'a>> {
    let read = |original: &'a syn::Field| Field {
        original,
        words: FieldWords::read(&original.attrs, errors),
        checks: validate::on_field(&original.attrs, errors),
    };
    fields.iter().map(read).collect()
}
