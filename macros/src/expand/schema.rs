//! The hidden copy of the type that carries schemars' derive, and on demand
//! serde's, so that the user needs neither in the derive list.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use serde_derive_internals::attr;
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{
    Attribute, Data, DeriveInput, Fields, Ident, Meta, Token, Type, Visibility, parse_quote,
};

use crate::expand::defaults::Defaults;
use crate::expand::given::{self, Given};
use crate::expand::unself::ReplaceSelf;
use crate::expand::{Header, bounds, parameters};
use crate::names;
use crate::plan::{Bind, Body, Field, Plan, Reach, Shape, Tagging, Variant};
use crate::syntax::validate::Check;
use crate::words;

pub(crate) fn shadow(plan: &Plan<'_>) -> TokenStream {
    let copied = plan.deserialize && !plan.opaque;
    if !plan.schema && !copied {
        return if plan.deserialize {
            deserialize(plan)
        } else {
            TokenStream::new()
        };
    }
    let (copy, named) = copy(plan, copied);
    let default = default(plan);
    let schema = plan.schema.then(|| json_schema(plan));
    let deserialize = plan.deserialize.then(|| deserialize(plan));
    quote!(#named #copy #default #schema #deserialize)
}

/// The copy, and the items that stand in its attributes for fields' types.
fn copy(plan: &Plan<'_>, deserialize: bool) -> (DeriveInput, TokenStream) {
    let x = names::private();
    let mut copy = plan.input.clone();
    copy.ident = names::shadow(&plan.input.ident);
    copy.vis = Visibility::Inherited;
    copy.attrs.retain(is_kept);
    copy.attrs.iter_mut().for_each(unnamed_default);
    let mut derives = Vec::new();
    if plan.schema {
        derives.push(quote!(#x::schemars::JsonSchema));
        copy.attrs
            .push(parse_quote!(#[schemars(crate = "__schemars")]));
        copy.attrs.extend(schema_name(plan));
    } else {
        copy.attrs.retain(|one| one.path().is_ident(words::SERDE));
    }
    if deserialize {
        derives.push(quote!(#x::serde::Deserialize));
        copy.attrs
            .retain(|one| !mentions(one, words::SERDE, words::CRATE));
        copy.attrs.push(parse_quote!(#[serde(crate = "__serde")]));
        copy.attrs.extend(expecting(plan));
    }
    copy.attrs.insert(0, parse_quote!(#[derive(#(#derives),*)]));
    let mut named = Named {
        given: Given::new(plan.input),
        defaults: Defaults::new(plan.input),
    };
    fields_of(&mut copy, plan, &mut named);
    ReplaceSelf(plan.input).visit_data_mut(&mut copy.data);
    ReplaceSelf(plan.input).visit_generics_mut(&mut copy.generics);
    let (given, defaults) = (named.given.into_items(), named.defaults.into_items());
    (copy, quote!(#given #defaults))
}

/// The attributes that the schema and serde read.
fn is_kept(attribute: &Attribute) -> bool {
    let kept = [
        words::SERDE,
        words::SCHEMARS,
        words::VALIDATE,
        "garde",
        "doc",
        "deprecated",
    ];
    kept.iter().any(|word| attribute.path().is_ident(word))
}

/// What the attributes of the copy's fields name.
struct Named<'a> {
    given: Given<'a>,
    defaults: Defaults<'a>,
}

/// The copy keeps its fields' attributes and says what schemars leaves out.
fn fields_of(copy: &mut DeriveInput, plan: &Plan<'_>, named: &mut Named<'_>) {
    match (&mut copy.data, &plan.shape) {
        (Data::Struct(data), Shape::Struct(body)) => {
            fields(&mut data.fields, body, plan, named, Some(false));
        }
        (Data::Enum(data), Shape::Enum(tagging, variants)) => {
            for (variant, planned) in data.variants.iter_mut().zip(variants) {
                variant.attrs.retain(is_kept);
                given::without_with(&mut variant.attrs);
                let by_function =
                    (!given::is_said(&variant.attrs)).then_some(planned.with.is_some());
                if plan.schema {
                    variant.attrs.extend(variant_aliases(planned, *tagging));
                }
                let body = &planned.body;
                fields(&mut variant.fields, body, plan, named, by_function);
            }
        }
        _ => {}
    }
}

/// `by_function`: whether a function binds the variant; nothing where the user
/// says its schema.
fn fields(
    fields: &mut Fields,
    body: &Body<'_>,
    plan: &Plan<'_>,
    named: &mut Named<'_>,
    by_function: Option<bool>,
) {
    for (field, planned) in fields.iter_mut().zip(&body.fields) {
        field.attrs.retain(is_kept);
        given::without_with(&mut field.attrs);
        named.defaults.typed(&mut field.attrs, planned);
        if !plan.schema {
            field.attrs.retain(|one| one.path().is_ident(words::SERDE));
            continue;
        }
        if let Some(by_function) = by_function.filter(|_| !given::is_said(&field.attrs)) {
            let attribute = named.given.attribute(planned, by_function);
            field.attrs.extend(attribute);
        }
        field
            .attrs
            .extend(planned.checks.iter().flat_map(exclusive));
        field.attrs.extend(field_aliases(planned));
    }
}

/// Notes for the flow, which reads what serde reads; no schema shows them.
fn field_aliases(field: &Field<'_>) -> Option<Attribute> {
    let aliases = &field.aliases;
    if aliases.is_empty() || !matches!(field.reach, Reach::Key(_)) {
        return None;
    }
    Some(parse_quote!(#[schemars(extend("x-typed-extract-aliases" = [#(#aliases),*]))]))
}

/// The same of a variant, with the key that holds its name.
fn variant_aliases(variant: &Variant<'_>, tagging: Tagging<'_>) -> Option<Attribute> {
    let (_, aliases) = variant.names.split_first()?;
    if aliases.is_empty() {
        return None;
    }
    let tag = match tagging {
        Tagging::External => None,
        Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } => Some(tag),
        Tagging::Untagged => return None,
    };
    let tag = tag.map(|tag| quote!(, "x-typed-extract-variant-tag" = #tag));
    Some(parse_quote! {
        #[schemars(extend("x-typed-extract-variant-aliases" = [#(#aliases),*] #tag))]
    })
}

/// schemars does not read exclusive bounds.
fn exclusive(check: &Check) -> Vec<Attribute> {
    let x = names::private();
    let pairs = [
        (words::EXCLUSIVE_MIN, "exclusiveMinimum"),
        (words::EXCLUSIVE_MAX, "exclusiveMaximum"),
    ];
    let written = pairs.into_iter().filter_map(|(word, key)| {
        let bound = check.expression(word)?;
        Some(parse_quote!(#[schemars(transform = #x::checks::exclusive(#key, #bound))]))
    });
    written.collect()
}

/// The schema is called as the type is, not as its copy.
fn schema_name(plan: &Plan<'_>) -> Option<Attribute> {
    let ident = plan.input.ident.unraw().to_string();
    let named = plan.serde.attrs.name().deserialize_name().value != ident;
    let renamed = |one: &Attribute| mentions(one, words::SCHEMARS, "rename");
    if named || plan.input.attrs.iter().any(renamed) {
        return None;
    }
    let bound = plan.serde.attrs.de_bound().is_some();
    let generics = &plan.input.generics;
    let types = generics.type_params().map(|one| &one.ident);
    let types = types.filter(|ident| parameters::is_in_schema(plan.input, ident));
    let consts = generics.const_params().map(|one| &one.ident);
    let parameters: Vec<String> = types
        .chain(consts)
        .map(|ident| format!("{{{ident}}}"))
        .collect();
    let name = if parameters.is_empty() || bound {
        ident
    } else {
        format!("{ident}_for_{}", parameters.join("_and_"))
    };
    Some(parse_quote!(#[schemars(rename = #name)]))
}

/// serde's messages name the type.
fn expecting(plan: &Plan<'_>) -> Option<Attribute> {
    let given = |one: &Attribute| mentions(one, words::SERDE, "expecting");
    if plan.input.attrs.iter().any(given) {
        return None;
    }
    let what = match &plan.shape {
        Shape::Struct(_) => "struct",
        Shape::Enum(..) => "enum",
    };
    let text = format!("{what} {}", plan.input.ident.unraw());
    Some(parse_quote!(#[serde(expecting = #text)]))
}

pub(super) fn mentions(attribute: &Attribute, name: &str, word: &str) -> bool {
    attribute.path().is_ident(name) && metas(attribute).iter().any(|one| one.path().is_ident(word))
}

pub(super) fn metas(attribute: &Attribute) -> Vec<Meta> {
    attribute
        .parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)
        .map_or_else(|_| Vec::new(), |metas| metas.into_iter().collect())
}

/// `default = "path"` gives the real type; the copy has a `Default` of its own.
fn unnamed_default(attribute: &mut Attribute) {
    if !mentions(attribute, words::SERDE, "default") {
        return;
    }
    let metas = metas(attribute).into_iter().map(|meta| {
        if meta.path().is_ident("default") {
            parse_quote!(default)
        } else {
            meta
        }
    });
    *attribute = parse_quote!(#[serde(#(#metas),*)]);
}

/// `#[serde(default)]` on the type makes the copy want a `Default` too.
fn default(plan: &Plan<'_>) -> Option<TokenStream> {
    let header = Header::new(plan.input, plan.context);
    let (ident, shadow) = (&plan.input.ident, names::shadow(&plan.input.ident));
    let real = header.real();
    let mut generics = header.plain();
    let value = match plan.serde.attrs.default() {
        attr::Default::None => return None,
        attr::Default::Default => {
            if header.is_generic() {
                bounds::demand(&mut generics, parse_quote!(#real: ::core::default::Default));
            }
            quote!(<#real as ::core::default::Default>::default())
        }
        attr::Default::Path(path) => quote!(#path()),
    };
    let moved = moved(plan.body()?, &quote!(#ident), &quote!(Self));
    let (head, arguments, clause) = generics.split_for_impl();
    Some(quote! {
        impl #head ::core::default::Default for #shadow #arguments #clause {
            fn default() -> Self {
                match #value { #moved }
            }
        }
    })
}

/// `From { a: __f0 } => To { a: __f0 }`
fn moved(body: &Body<'_>, from: &TokenStream, to: &TokenStream) -> TokenStream {
    let members: Vec<_> = body.fields.iter().map(|field| field.member).collect();
    let locals: Vec<_> = body.fields.iter().map(|field| &field.local).collect();
    quote!(#from { #(#members: #locals),* } => #to { #(#members: #locals),* },)
}

fn json_schema(plan: &Plan<'_>) -> TokenStream {
    let x = names::private();
    let header = Header::new(plan.input, plan.context);
    let shadow = names::shadow(&plan.input.ident);
    let (_, arguments, _) = plan.input.generics.split_for_impl();
    let copy = quote!(#shadow #arguments);
    let real = header.real();
    let context = header.declared_context();
    let flat: Vec<&Type> = flat_fields(plan).map(|field| field.ty).collect();
    let mut generics = header.plain();
    if header.is_generic() {
        bounds::demand(&mut generics, parse_quote!(#copy: #x::schemars::JsonSchema));
        for ty in &flat {
            bounds::demand(&mut generics, parse_quote!(#ty: #x::Node<#context>));
        }
    }
    let schema = quote!(<#copy as #x::schemars::JsonSchema>);
    let body = if flat.is_empty() {
        quote!(#schema::json_schema(__g))
    } else {
        quote! {
            let mut __schema = #schema::json_schema(__g);
            #(#x::require_group(
                &mut __schema,
                <#flat as #x::Node<#context>>::optional_group(__g).as_ref(),
            );)*
            __schema
        }
    };
    let (head, _, clause) = generics.split_for_impl();
    let inner = forwarded(&schema);
    quote! {
        #[automatically_derived]
        impl #head #x::schemars::JsonSchema for #real #clause {
            fn json_schema(__g: &mut #x::schemars::SchemaGenerator) -> #x::schemars::Schema {
                #x::shared(
                    __g,
                    ::core::any::type_name::<Self>(),
                    &<Self as #x::schemars::JsonSchema>::schema_name(),
                    |__g| { #body },
                )
            }
            #inner
        }
    }
}

/// The rest of what schemars asks of a type.
fn forwarded(schema: &TokenStream) -> TokenStream {
    let x = names::private();
    quote! {
        fn schema_name() -> #x::Text {
            #schema::schema_name()
        }
        fn schema_id() -> #x::Text {
            #schema::schema_id()
        }
        fn inline_schema() -> bool {
            #schema::inline_schema()
        }
        fn _schemars_private_non_optional_json_schema(
            __g: &mut #x::schemars::SchemaGenerator,
        ) -> #x::schemars::Schema {
            #schema::_schemars_private_non_optional_json_schema(__g)
        }
        fn _schemars_private_is_option() -> bool {
            #schema::_schemars_private_is_option()
        }
    }
}

fn flat_fields<'p, 'a>(plan: &'p Plan<'a>) -> impl Iterator<Item = &'p Field<'a>> {
    let fields = plan.body().map_or(&[][..], |body| &body.fields);
    fields
        .iter()
        .filter(|field| matches!(field.bind, Bind::Flat))
}

fn deserialize(plan: &Plan<'_>) -> TokenStream {
    let x = names::private();
    let header = Header::new(plan.input, plan.context);
    let real = header.real();
    let shadow = names::shadow(&plan.input.ident);
    let (_, arguments, _) = plan.input.generics.split_for_impl();
    let mut generics = header.plain();
    generics.params.insert(0, parse_quote!('__de));
    let value = if let Some(source) = source(plan) {
        if header.is_generic() {
            let ty = &source.0;
            bounds::demand(
                &mut generics,
                parse_quote!(#ty: #x::serde::Deserialize<'__de>),
            );
        }
        source.1
    } else {
        if header.is_generic() {
            let copy = quote!(#shadow #arguments);
            bounds::demand(
                &mut generics,
                parse_quote!(#copy: #x::serde::Deserialize<'__de>),
            );
        }
        from_copy(plan, &shadow)
    };
    let (head, _, clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #head #x::serde::Deserialize<'__de> for #real #clause {
            fn deserialize<__D: #x::serde::Deserializer<'__de>>(
                __from: __D,
            ) -> #x::Result<Self, __D::Error> {
                #value
            }
        }
    }
}

/// The type that `from` or `try_from` names, and how it is read.
fn source(plan: &Plan<'_>) -> Option<(Type, TokenStream)> {
    let x = names::private();
    let attributes = &plan.serde.attrs;
    if let Some(ty) = attributes.type_from() {
        let read = quote_spanned! {names::shown_at(ty.span())=>
            <#ty as #x::serde::Deserialize>::deserialize(__from).map(::core::convert::From::from)
        };
        return Some((ty.clone(), read));
    }
    let ty = attributes.type_try_from()?;
    let read = quote_spanned! {names::shown_at(ty.span())=>
        <#ty as #x::serde::Deserialize>::deserialize(__from).and_then(|__value| {
            ::core::convert::TryFrom::try_from(__value).map_err(#x::serde::de::Error::custom)
        })
    };
    Some((ty.clone(), read))
}

fn from_copy(plan: &Plan<'_>, shadow: &Ident) -> TokenStream {
    let x = names::private();
    let arms: TokenStream = match &plan.shape {
        Shape::Struct(body) => moved(body, &quote!(#shadow), &quote!(Self)),
        Shape::Enum(_, variants) => variants
            .iter()
            .map(|variant| {
                let ident = variant.ident;
                moved(
                    &variant.body,
                    &quote!(#shadow::#ident),
                    &quote!(Self::#ident),
                )
            })
            .collect(),
    };
    quote! {
        #x::serde::Deserialize::deserialize(__from).map(|__copy| match __copy { #arms })
    }
}
