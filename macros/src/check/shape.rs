//! The wire shape: where each field stands in the reply and how it is bound.

use serde_derive_internals::ast::{self, Style};
use serde_derive_internals::attr::{self, TagType};
use syn::ExprPath;

use crate::names;
use crate::plan::{Absent, Bind, Body, Field, Reach, Shape, Tagging, Told, Variant};
use crate::written::{self, Written};

pub(crate) fn shape<'a>(
    written: &'a Written<'a>,
    serde: &'a ast::Container<'a>,
) -> Option<Shape<'a>> {
    match &serde.data {
        ast::Data::Struct(style, fields) => {
            let written = written.bodies.first()?;
            Some(Shape::Struct(body(*style, fields, written, serde)))
        }
        ast::Data::Enum(variants) => {
            let tagging = tagging(serde.attrs.tag());
            let bodies = written.bodies.iter().zip(&written.variants);
            let variants = variants
                .iter()
                .zip(bodies)
                .map(|(one, (body, words))| Variant {
                    shown_as: words.shown_as.as_ref().map_or(&[], |(_, texts)| texts),
                    ..variant(one, body, serde, tagging)
                })
                .collect();
            Some(Shape::Enum(tagging, variants))
        }
    }
}

pub(crate) fn is_opaque(serde: &ast::Container<'_>) -> bool {
    serde.attrs.type_from().is_some() || serde.attrs.type_try_from().is_some()
}

fn tagging(tag: &TagType) -> Tagging<'_> {
    match tag {
        TagType::External => Tagging::External,
        TagType::Internal { tag } => Tagging::Internal { tag },
        TagType::Adjacent { tag, content } => Tagging::Adjacent { tag, content },
        TagType::None => Tagging::Untagged,
    }
}

fn variant<'a>(
    variant: &'a ast::Variant<'a>,
    written: &'a [written::Field<'a>],
    serde: &'a ast::Container<'a>,
    tagging: Tagging<'a>,
) -> Variant<'a> {
    let name = &variant.attrs.name().deserialize_name().value;
    let untagged = variant.attrs.untagged() || matches!(tagging, Tagging::Untagged);
    let told = match untagged {
        _ if variant.attrs.skip_deserializing() => Told::Never,
        true => Told::ByContent,
        false => Told::ByName,
    };
    let key = match tagging {
        _ if untagged => None,
        Tagging::External => Some(name.as_str()),
        Tagging::Adjacent { content, .. } => Some(content),
        Tagging::Internal { .. } | Tagging::Untagged => None,
    };
    Variant {
        ident: &variant.original.ident,
        body: body(variant.style, &variant.fields, written, serde),
        names: with_aliases(name, variant.attrs.aliases()),
        key,
        told,
        with: variant.attrs.deserialize_with(),
        shown_as: &[],
    }
}

fn body<'a>(
    style: Style,
    fields: &'a [ast::Field<'a>],
    written: &'a [written::Field<'a>],
    serde: &'a ast::Container<'a>,
) -> Body<'a> {
    let mut place = 0;
    let fields = fields.iter().zip(written).enumerate();
    let fields = fields
        .map(|(index, (field, written))| {
            let reach = reach(style, field, &mut place, serde);
            Field {
                member: &field.member,
                local: names::local(index),
                ty: field.ty,
                reach,
                aliases: aliases(field),
                bind: bind(field, written),
                default: absent(field, serde),
                checks: &written.checks,
                verbatim: written.words.verbatim.is_some(),
                date_order: written.words.date_order.as_ref().map(|(_, order)| order),
            }
        })
        .collect();
    Body { style, fields }
}

fn reach<'a>(
    style: Style,
    field: &'a ast::Field<'a>,
    place: &mut usize,
    serde: &ast::Container<'_>,
) -> Reach<'a> {
    let unplaced = field.attrs.skip_deserializing() || field.attrs.flatten();
    if unplaced || field.attrs.transparent() || is_opaque(serde) {
        return Reach::Here;
    }
    match style {
        Style::Struct => Reach::Key(&field.attrs.name().deserialize_name().value),
        Style::Newtype | Style::Unit => Reach::Here,
        Style::Tuple => {
            *place += 1;
            Reach::Index(*place - 1)
        }
    }
}

fn aliases<'a>(field: &'a ast::Field<'a>) -> Vec<&'a str> {
    let name = &field.attrs.name().deserialize_name().value;
    let mut names = with_aliases(name, field.attrs.aliases());
    names.remove(0);
    names
}

/// The name first; serde counts it among its own aliases.
fn with_aliases<'a>(
    name: &'a str,
    aliases: impl IntoIterator<Item = &'a serde_derive_internals::name::Name>,
) -> Vec<&'a str> {
    let others = aliases.into_iter().map(|alias| alias.value.as_str());
    std::iter::once(name)
        .chain(others.filter(|alias| *alias != name))
        .collect()
}

fn bind<'a>(field: &'a ast::Field<'a>, written: &written::Field<'_>) -> Bind<'a> {
    if field.attrs.skip_deserializing() {
        return Bind::Skip;
    }
    let function = field.attrs.deserialize_with();
    let leaf = function.is_some() || written.words.leaf.is_some();
    match (function, field.attrs.flatten()) {
        (_, true) if leaf => Bind::FlatLeaf(function),
        (_, true) => Bind::Flat,
        (Some(function), false) => Bind::With(function),
        (None, false) if leaf => Bind::Leaf,
        (None, false) => Bind::Node,
    }
}

fn absent<'a>(field: &'a ast::Field<'a>, serde: &'a ast::Container<'a>) -> Absent<'a> {
    match (field.attrs.default(), serde.attrs.default()) {
        (attr::Default::Default, _) => Absent::Default,
        (attr::Default::Path(path), _) => Absent::Function(path),
        (attr::Default::None, container) => of_container(container),
    }
}

fn of_container(default: &attr::Default) -> Absent<'_> {
    let function: Option<&ExprPath> = match default {
        attr::Default::None => return Absent::Missing,
        attr::Default::Default => None,
        attr::Default::Path(path) => Some(path),
    };
    Absent::OfContainer(function)
}
