//! From what was written to what is expanded: every question that can have a
//! wrong answer is asked here.

use std::collections::HashMap;

use serde_derive_internals::ast::{Container, Data, Field, Style, Variant};
use serde_derive_internals::attr::{Default as SerdeDefault, TagType};
use serde_derive_internals::{Ctxt, Derive};
use syn::{DeriveInput, Expr, Ident, parse_quote};

use crate::errors::Errors;
use crate::plan::{Binding, Content, Plan, PlannedField, PlannedVariant, Shape, Tagging};
use crate::words;
use crate::written::{Written, read_field};

/// Plans the expansion; errors are noted and a plan may be given all the same.
pub(crate) fn plan<'a>(
    input: &'a DeriveInput,
    written: Written,
    errors: &mut Errors,
) -> Option<Plan<'a>> {
    check_owned(input, errors);
    let context = Ctxt::new();
    let private = Ident::new("__private", proc_macro2::Span::call_site());
    let container = Container::from_ast(&context, input, Derive::Deserialize, &private);
    errors.keep(context.check());
    let container = container?;
    if container.attrs.remote().is_some() {
        errors.at(
            &input.ident,
            "`#[serde(remote)]` types cannot be extracted; derive on a newtype around it",
        );
    }
    if let (SerdeDefault::Path(path), true) = (container.attrs.default(), written.deserialize) {
        errors.at(path, "with `#[extract(deserialize)]` a type's default comes from its `Default` impl; write `#[serde(default)]`, or derive `Deserialize` yourself");
    }
    let default = default(container.attrs.default(), || {
        parse_quote!(<Self as ::core::default::Default>::default())
    });
    let shape = shape(&container, errors);
    let plan = Plan {
        input,
        written,
        shape,
        default,
    };
    check_rules(&plan, errors);
    check_must_match(&plan, errors);
    Some(plan)
}

/// A value outlives the reply it came from.
fn check_owned(input: &DeriveInput, errors: &mut Errors) {
    if let Some(lifetime) = input.generics.lifetimes().next() {
        errors.at(
            lifetime,
            "an extracted type owns its data, since the reply it is read from does not live on; \
             use `String` for `&str`",
        );
    }
}

fn shape<'a>(container: &Container<'a>, errors: &mut Errors) -> Shape<'a> {
    let attrs = &container.attrs;
    if attrs.type_from().is_some() || attrs.type_try_from().is_some() {
        return Shape::Opaque;
    }
    match &container.data {
        Data::Struct(Style::Unit, _) => Shape::Unit,
        Data::Struct(style, fields) => {
            let transparent = attrs.transparent();
            let mut planned: Vec<_> = fields
                .iter()
                .map(|field| plan_field(field, errors))
                .collect();
            if transparent || matches!(style, Style::Newtype) {
                let held = planned.iter().position(|field| !field.skipped).unwrap_or(0);
                if planned.is_empty() {
                    return Shape::Unit;
                }
                return Shape::Newtype(planned.swap_remove(held));
            }
            match style {
                Style::Struct => Shape::Named(planned),
                _ => Shape::Tuple(planned),
            }
        }
        Data::Enum(variants) => {
            let tagging = match attrs.tag() {
                TagType::External => Tagging::External,
                TagType::Internal { tag } => Tagging::Internal(tag.clone()),
                TagType::Adjacent { tag, content } => {
                    Tagging::Adjacent(tag.clone(), content.clone())
                }
                TagType::None => Tagging::Untagged,
            };
            let planned = variants.iter().map(|variant| plan_variant(variant, errors));
            Shape::Enum(tagging, planned.collect())
        }
    }
}

fn plan_variant<'a>(variant: &Variant<'a>, errors: &mut Errors) -> PlannedVariant<'a> {
    let original: &'a syn::Variant = variant.original;
    let mut fields: Vec<_> = variant
        .fields
        .iter()
        .map(|field| plan_field(field, errors))
        .collect();
    let content = match variant.style {
        Style::Unit => Content::Unit,
        Style::Newtype if fields.len() == 1 => Content::Newtype(fields.swap_remove(0)),
        Style::Newtype | Style::Tuple => Content::Tuple(fields),
        Style::Struct => Content::Named(fields),
    };
    let attrs = &variant.attrs;
    let canonical = attrs.name().deserialize_name().value.clone();
    let aliases = attrs.aliases().iter().map(|name| name.value.clone());
    let names = std::iter::once(canonical.clone()).chain(aliases.filter(|name| *name != canonical));
    PlannedVariant {
        ident: &original.ident,
        names: names.collect(),
        content,
        untagged: attrs.untagged() || attrs.other() || attrs.deserialize_with().is_some(),
        skipped: attrs.skip_deserializing(),
    }
}

fn plan_field<'a>(field: &Field<'a>, errors: &mut Errors) -> PlannedField<'a> {
    let original: &'a syn::Field = field.original;
    let written = read_field(original, errors);
    let attrs = &field.attrs;
    let skipped = attrs.skip_deserializing();
    let flatten = attrs.flatten();
    let name = attrs.name().deserialize_name().value.clone();
    let aliases = attrs.aliases().iter().map(|alias| alias.value.clone());
    let binding = match (attrs.deserialize_with(), written.leaf) {
        (Some(path), _) => Binding::With(path.clone()),
        (None, true) => Binding::Leaf,
        (None, false) => Binding::Node,
    };
    for check in &written.checks {
        if let Some(fault) = check.fault() {
            errors.push(syn::Error::new(check.span, fault));
        }
    }
    if let (Some(word), true) = (&written.keep_delimiters, flatten || skipped) {
        errors.at(
            word,
            format!(
                "`{}` needs a field with a key of its own",
                words::KEEP_DELIMITERS
            ),
        );
    }
    let ty: &'a syn::Type = &original.ty;
    PlannedField {
        rust: match &field.member {
            syn::Member::Named(ident) => unraw(ident),
            syn::Member::Unnamed(index) => index.index.to_string(),
        },
        member: field.member.clone(),
        wire: (!flatten && !skipped).then(|| name.clone()),
        aliases: aliases.filter(|alias| *alias != name).collect(),
        binding,
        default: default(
            attrs.default(),
            || parse_quote!(<#ty as ::core::default::Default>::default()),
        ),
        flatten,
        skipped,
        keep_delimiters: written.keep_delimiters.is_some(),
        checks: written.checks,
        ty,
    }
}

fn default(written: &SerdeDefault, by_trait: impl FnOnce() -> Expr) -> Option<Expr> {
    match written {
        SerdeDefault::None => None,
        SerdeDefault::Default => Some(by_trait()),
        SerdeDefault::Path(path) => Some(parse_quote!(#path())),
    }
}

/// A rule's name is that of a function, so it can stand for one rule only; its
/// parameters are fields, so they must be there.
fn check_rules(plan: &Plan<'_>, errors: &mut Errors) {
    let mut named: HashMap<String, ()> = HashMap::new();
    let fields: Vec<String> = plan
        .named_fields()
        .iter()
        .map(|field| field.rust.clone())
        .collect();
    for rule in &plan.written.rules {
        if named.insert(rule.name.to_string(), ()).is_some() {
            errors.at(
                &rule.name,
                format!(
                    "a rule named `{}` is there already; give this one another name",
                    rule.name
                ),
            );
        }
        if rule.sentence.value().trim().is_empty() {
            errors.at(
                &rule.sentence,
                "the sentence is what the model and people read; say what must hold",
            );
        }
        if !matches!(plan.shape, Shape::Named(_)) {
            errors.at(&rule.name, "a one-line rule reads named fields; write a `#[rules]` block with a function that takes `&self`");
            continue;
        }
        if rule.fields.iter().all(|field| field == words::CONTEXT) {
            errors.at(
                &rule.name,
                "a rule names the fields it concerns: `name(field, ..)`",
            );
        }
        for field in &rule.fields {
            check_parameter(field, &fields, plan, errors);
        }
    }
}

fn check_parameter(field: &Ident, fields: &[String], plan: &Plan<'_>, errors: &mut Errors) {
    let name = unraw(field);
    if name == words::CONTEXT && !fields.contains(&name) {
        if plan.written.context.is_none() {
            errors.at(
                field,
                "name the type of the context: `#[extract(context = Type)]`",
            );
        }
        return;
    }
    if !fields.contains(&name) {
        let known = fields.join(", ");
        errors.at(
            field,
            format!(
                "`{name}` is not a field of `{}`; its fields are {known}",
                plan.input.ident
            ),
        );
    }
}

fn check_must_match(plan: &Plan<'_>, errors: &mut Errors) {
    let fields: Vec<String> = plan
        .named_fields()
        .iter()
        .map(|field| field.rust.clone())
        .collect();
    let checks = plan.named_fields().iter().flat_map(|field| &field.checks);
    for other in checks.filter_map(crate::checks::Check::other) {
        if !fields.contains(&unraw(&other)) {
            errors.at(
                &other,
                format!("`{other}` is not a field of `{}`", plan.input.ident),
            );
        }
    }
}

/// A name without its `r#`.
pub(crate) fn unraw(ident: &Ident) -> String {
    let name = ident.to_string();
    name.strip_prefix("r#")
        .map_or_else(|| name.clone(), str::to_owned)
}
