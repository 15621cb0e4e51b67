//! What serde makes of the type, read by serde's own code, and what of it the
//! flow cannot follow.

use proc_macro2::Span;
use serde_derive_internals::ast::Style;
use serde_derive_internals::attr::{Identifier, TagType};
use serde_derive_internals::{Ctxt, Derive, ast};
use syn::{DeriveInput, GenericParam, Ident};

use crate::errors::Errors;
use crate::types;

pub(crate) fn read<'a>(input: &'a DeriveInput, errors: &Errors) -> Option<ast::Container<'a>> {
    let context = Ctxt::new();
    let private = Ident::new("__private", Span::call_site());
    let read = ast::Container::from_ast(&context, input, Derive::Deserialize, &private);
    errors.ok(context.check())?;
    read
}

/// Whether serde's derive gives the type no `Deserialize`.
pub(crate) fn is_unbound(serde: Option<&ast::Container<'_>>) -> bool {
    serde.is_none_or(|serde| serde.attrs.remote().is_some())
}

/// A value outlives the reply it was read from.
pub(crate) fn owned(input: &DeriveInput, errors: &Errors) {
    for parameter in &input.generics.params {
        if let GenericParam::Lifetime(lifetime) = parameter {
            errors.at(
                lifetime,
                "an extracted value outlives the reply, so it must own its data; write `String` for `&str`, `Vec<T>` for `&[T]`, and leave the lifetime out",
            );
        }
    }
}

/// Nor can a field borrow from the reply for ever. A lifetime of the type's own
/// is told where it is declared.
pub(crate) fn unborrowed(serde: &ast::Container<'_>, errors: &Errors) {
    for field in serde.data.all_fields() {
        if borrows_for_ever(field) {
            errors.at(
                field.ty,
                "an extracted value outlives the reply, so it must own its data; leave `borrow` out, and write `String` or `Arc<str>` for `&str`",
            );
        }
    }
}

fn borrows_for_ever(field: &ast::Field<'_>) -> bool {
    let mut lifetimes = field.attrs.borrowed_lifetimes().iter();
    lifetimes.any(|lifetime| lifetime.ident == "static")
}

/// Whether serde's derive gives a `Deserialize` that no reply of a shorter life
/// can be read by, so that the type can be nothing of what is asked of it.
pub(crate) fn borrows(input: &DeriveInput, serde: Option<&ast::Container<'_>>) -> bool {
    let mut fields = serde.into_iter().flat_map(|serde| serde.data.all_fields());
    input.generics.lifetimes().next().is_some() || fields.any(borrows_for_ever)
}

pub(crate) fn bindable(serde: &ast::Container<'_>, errors: &Errors) {
    if let Some(remote) = serde.attrs.remote() {
        errors.at(
            remote,
            "`remote` gives no `Deserialize` for this type; derive `Extract` on a type of your own and convert it, with `#[serde(from = \"..\")]` or by hand",
        );
    }
    if !matches!(serde.attrs.identifier(), Identifier::No) {
        errors.at(
            &serde.ident,
            "an identifier enum names fields or variants and is no value; leave `field_identifier` or `variant_identifier` out",
        );
    }
    if serde.attrs.is_packed() {
        errors.at(
            &serde.ident,
            "rules take references to fields, which a packed type cannot give; leave `repr(packed)` out",
        );
    }
}

/// The content of an internally tagged variant stands beside its tag, so it must
/// be an object. What a named type holds is seen when the schema is built.
pub(crate) fn taggable(serde: &ast::Container<'_>, errors: &Errors) {
    let (ast::Data::Enum(variants), TagType::Internal { .. }) = (&serde.data, serde.attrs.tag())
    else {
        return;
    };
    for variant in variants {
        if let (Style::Newtype, [field]) = (variant.style, variant.fields.as_slice())
            && types::is_no_object(field.ty)
            && variant.attrs.deserialize_with().is_none()
            && field.attrs.deserialize_with().is_none()
            && !variant.attrs.untagged()
            && !variant.attrs.skip_deserializing()
            && !field.attrs.skip_deserializing()
        {
            errors.at(
                field.ty,
                "a tag can stand only inside an object, and this is none; name the field (`{ value: .. }`), or write `#[serde(tag = \"..\", content = \"..\")]`",
            );
        }
    }
}
