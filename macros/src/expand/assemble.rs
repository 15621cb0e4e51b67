//! Binding part by part: every field from its own place in the reply, and the
//! value from its fields.

use proc_macro2::TokenStream;
use quote::quote;
use serde_derive_internals::ast::Style;
use syn::Type;

use crate::expand::{Header, declared, variants, walk};
use crate::names;
use crate::plan::{Absent, Bind, Body, Field, Plan, Reach, Shape};

pub(crate) fn methods(plan: &Plan<'_>, header: &Header<'_>) -> TokenStream {
    if let Some(source) = source(plan) {
        return of_source(source, plan, header);
    }
    match &plan.shape {
        Shape::Struct(body) if is_keyed(body) => of_members(body, plan, header),
        Shape::Struct(body) => of_places(body, plan, header),
        Shape::Enum(..) => variants::methods(plan, header),
    }
}

/// What `assemble` and its like get.
pub(crate) struct Heads {
    pub(crate) assemble: TokenStream,
    pub(crate) flat: TokenStream,
    pub(crate) claims: TokenStream,
}

pub(crate) fn heads(header: &Header<'_>) -> Heads {
    let (x, context) = (names::private(), header.node_context());
    let rest = quote!(__at: &#x::At<'_>, __cx: &mut #x::Walk<'_, #context>);
    Heads {
        assemble: quote!(fn assemble(__cursor: #x::Cursor<'_>, #rest) -> #x::Option<Self>),
        flat: quote!(fn assemble_flat(__members: &#x::Members<'_>, #rest) -> #x::Option<Self>),
        claims: quote!(fn claims(__members: &#x::Members<'_>) -> bool),
    }
}

/// Whether the fields stand under keys, their own or flattened ones.
pub(crate) fn is_keyed(body: &Body<'_>) -> bool {
    let keyed = |field: &Field<'_>| {
        matches!(field.reach, Reach::Key(_)) || matches!(field.bind, Bind::Flat | Bind::FlatLeaf(_))
    };
    let here =
        |field: &Field<'_>| matches!(field.reach, Reach::Here) && !matches!(field.bind, Bind::Skip);
    body.fields.iter().any(keyed)
        || matches!(body.style, Style::Struct) && !body.fields.iter().any(here)
}

/// The type that `from` or `try_from` names.
fn source<'p>(plan: &'p Plan<'_>) -> Option<&'p Type> {
    let attributes = &plan.serde.attrs;
    attributes.type_from().or(attributes.type_try_from())
}

/// How the source of a type is read; see `Source` in the runtime.
fn reader(source: &Type, header: &Header<'_>) -> TokenStream {
    let (x, context) = (names::private(), header.node_context());
    quote! {{
        #[allow(unused_imports)]
        use #x::{ReadForeign as _, ReadNode as _};
        &&#x::Source::<#source, #context>::NEW
    }}
}

/// A call of the reader of a type's source, if it has one.
pub(crate) fn of_reader(
    plan: &Plan<'_>,
    header: &Header<'_>,
    method: &TokenStream,
) -> Option<TokenStream> {
    let (x, context) = (names::private(), header.node_context());
    let source = source(plan)?;
    Some(quote! {{
        #[allow(unused_imports)]
        use #x::{ReadForeign as _, ReadNode as _};
        (&&#x::Source::<#source, #context>::NEW).#method
    }})
}

fn of_source(source: &Type, plan: &Plan<'_>, header: &Header<'_>) -> TokenStream {
    let x = names::private();
    let Heads {
        assemble,
        flat,
        claims,
    } = heads(header);
    let call = |method: TokenStream| of_reader(plan, header, &method);
    let convert = if plan.serde.attrs.type_from().is_some() {
        quote!(|__source| #x::Result::<Self, ::core::convert::Infallible>::Ok(
            ::core::convert::From::from(__source)
        ))
    } else {
        quote!(<Self as ::core::convert::TryFrom<#source>>::try_from)
    };
    let own = whole_rules(header);
    let read = call(quote!(read(__cursor, __at, __cx)));
    let read_flat = call(quote!(read_flat(__members, __at, __cx)));
    let claimed = call(quote!(claims(__members)));
    let reader = reader(source, header);
    quote! {
        #assemble {
            let __source = #read;
            let __value = #reader.convert(
                __source,
                #convert,
                (#x::Some(__cursor), __at),
                __cx,
            )?;
            #own
            #x::Some(__value)
        }
        #flat {
            let __source = #read_flat;
            let __value = #reader.convert(__source, #convert, (#x::None, __at), __cx)?;
            #own
            #x::Some(__value)
        }
        #claims { #claimed }
    }
}

/// Runs the rules of the type on a value that is whole.
pub(crate) fn whole_rules(header: &Header<'_>) -> TokenStream {
    let x = names::private();
    let context = header.lent_context();
    quote! {
        __cx.own::<Self>(
            __at,
            &<Self as #x::Declared>::view(&__value),
            #x::Some(&__value),
            #context,
        );
    }
}

/// A struct of named fields finds its keys among its parent's as it would among
/// its own.
fn of_members(body: &Body<'_>, plan: &Plan<'_>, header: &Header<'_>) -> TokenStream {
    let Heads {
        assemble,
        flat,
        claims,
    } = heads(header);
    let fields = from_members(body, header);
    let whole = whole(body, plan, header);
    let claimed = claimed(body, header);
    quote! {
        #assemble { __cx.assemble_object::<Self>(__cursor, __at) }
        #flat { #fields #whole }
        #claims { #claimed }
    }
}

/// Whether a flattened body would take any of the members.
pub(crate) fn claimed(body: &Body<'_>, header: &Header<'_>) -> TokenStream {
    let own: Vec<_> = body.fields.iter().filter_map(Field::names).collect();
    let own = own.iter().flatten();
    let is_flat = |field: &&Field<'_>| matches!(field.bind, Bind::Flat | Bind::FlatLeaf(_));
    let flat = body.fields.iter().filter(is_flat);
    let below = flat.map(|field| {
        let claims = claims_of(field, header);
        quote!(|| #claims)
    });
    quote!(__members.has(&[#(#own),*]) #(#below)*)
}

/// A tuple, a newtype or a unit: its fields stand at places of one value.
fn of_places(body: &Body<'_>, plan: &Plan<'_>, header: &Header<'_>) -> TokenStream {
    let x = names::private();
    let Heads {
        assemble,
        flat,
        claims,
    } = heads(header);
    let whole = whole(body, plan, header);
    if let Some(field) = inner(body) {
        let fields = from_value(body, header);
        let flat_fields = body.fields.iter().map(|one| beside(one, header));
        let claimed = claims_of(field, header);
        return quote! {
            #assemble { #fields #whole }
            #flat { #(#flat_fields)* #whole }
            #claims { #claimed }
        };
    }
    if matches!(body.style, Style::Unit) {
        return quote! {
            #assemble { #x::Content::Value(__cursor).unit()?; #whole }
            #flat { #whole }
        };
    }
    let fields = from_value(body, header);
    quote!(#assemble { #fields #whole })
}

/// Whether the type of a flattened field would take any of the members.
pub(crate) fn claims_of(field: &Field<'_>, header: &Header<'_>) -> TokenStream {
    let x = names::private();
    if let Bind::Node | Bind::Flat = field.bind {
        let claims = header.node_of(field.ty, "claims");
        quote!(#claims(__members))
    } else {
        quote!(#x::claims_rest(__members))
    }
}

/// The one field that stands for the whole: of a newtype, of a transparent type.
fn inner<'b, 'a>(body: &'b Body<'a>) -> Option<&'b Field<'a>> {
    let mut fields = body.fields.iter();
    fields.find(|field| matches!(field.reach, Reach::Here) && !matches!(field.bind, Bind::Skip))
}

/// Checks what fields there are, and puts the value together where all are.
fn whole(body: &Body<'_>, plan: &Plan<'_>, header: &Header<'_>) -> TokenStream {
    let x = names::private();
    let context = header.lent_context();
    let view = declared::view_value(plan, |field| {
        let local = &field.local;
        quote!(#local.as_ref())
    });
    let value = built(body, &quote!(Self));
    let own = whole_rules(header);
    let missing = missing(body).map(|missing| {
        quote! {
            if #missing {
                __cx.own::<Self>(__at, &#view, #x::None, #context);
                return #x::None;
            }
        }
    });
    quote! {
        #missing
        let __value = #value;
        #own
        #x::Some(__value)
    }
}

/// Whether a local is nothing.
fn missing(body: &Body<'_>) -> Option<TokenStream> {
    let locals = body.fields.iter().map(|field| &field.local);
    (!body.fields.is_empty()).then(|| quote!(#(#locals.is_none())||*))
}

/// The value of its locals; leaves the function where one is nothing.
pub(crate) fn built(body: &Body<'_>, constructor: &TokenStream) -> TokenStream {
    let members = body.fields.iter().map(|field| field.member);
    let locals = body.fields.iter().map(|field| &field.local);
    quote!(#constructor { #(#members: #locals?),* })
}

/// One `let` for each field under a key of its own, then for the flattened ones.
pub(crate) fn from_members(body: &Body<'_>, header: &Header<'_>) -> TokenStream {
    let is_flat = |field: &&Field<'_>| matches!(field.bind, Bind::Flat | Bind::FlatLeaf(_));
    let keyed = body.fields.iter().filter(|field| !is_flat(field));
    let flat = body.fields.iter().filter(is_flat);
    keyed
        .chain(flat)
        .map(|field| beside(field, header))
        .collect()
}

/// A field among the members of an object.
fn beside(field: &Field<'_>, header: &Header<'_>) -> TokenStream {
    let value = match (field.bind, field.reach) {
        (Bind::Skip, _) => skipped(field),
        (_, Reach::Key(_)) => keyed(field, header),
        (Bind::Flat | Bind::Node, _) => {
            let assemble = header.node_of(field.ty, "assemble_flat");
            quote!(#assemble(__members, __at, __cx))
        }
        _ => {
            let bind = bind(field);
            quote!(__cx.flat_with(__members, __at, #bind))
        }
    };
    bound(field, &value)
}

/// One `let` for each field of a value that has places.
pub(crate) fn from_value(body: &Body<'_>, header: &Header<'_>) -> TokenStream {
    let is_placed = |field: &&Field<'_>| matches!(field.reach, Reach::Index(_));
    let count = body.fields.iter().filter(is_placed).count();
    let places = matches!(body.style, Style::Tuple) && count > 0;
    let places = places.then(|| quote!(__cx.places(__cursor, __at, #count);));
    let fields = body
        .fields
        .iter()
        .map(|field| bound(field, &placed(field, header)));
    quote!(#(#fields)* #places)
}

fn placed(field: &Field<'_>, header: &Header<'_>) -> TokenStream {
    let x = names::private();
    let probe = header.node_of(field.ty, "probe");
    let bind = bind(field);
    match (field.bind, field.reach) {
        (Bind::Skip, _) => skipped(field),
        (Bind::Node, Reach::Index(index)) => {
            quote!(__cx.probe_element(__cursor, __at, #index, #probe))
        }
        (Bind::Node, _) => quote!(#probe(#x::Some(__cursor), __at, __cx)),
        (_, Reach::Index(index)) => {
            quote!(__cx.probe_element_with(__cursor, __at, #index, #bind))
        }
        _ => quote!(__cx.probe_with(__cursor, __at, #bind)),
    }
}

/// Binds a field's local, and asks for what it says of its evidence.
pub(crate) fn bound(field: &Field<'_>, value: &TokenStream) -> TokenStream {
    let x = names::private();
    let (local, ty) = (&field.local, field.ty);
    let at = match field.reach {
        Reach::Here => quote!(__at),
        Reach::Key(key) => quote!(&__at.key(#key)),
        Reach::Index(index) => quote!(&__at.index(#index)),
    };
    let verbatim = walk::verbatim(field, &quote!(__value), &at)
        .map(|cite| quote!(if let #x::Some(__value) = &#local { #cite }));
    walk::in_date_order(
        field,
        &quote!(let #local: #x::Option<#ty> = #value; #verbatim),
    )
}

fn keyed(field: &Field<'_>, header: &Header<'_>) -> TokenStream {
    let names = field.names();
    let names = names.iter().flatten();
    let names = quote!(&[#(#names),*]);
    let default = default(field);
    match field.bind {
        Bind::With(_) => {
            let bind = bind(field);
            quote!(__cx.member_with(__members, __at, #names, #default, #bind))
        }
        Bind::Leaf => quote!(__cx.member_leaf(__members, __at, #names, #default)),
        _ => {
            let probe = header.node_of(field.ty, "probe");
            quote!(__cx.member(__members, __at, #names, #default, #probe))
        }
    }
}

/// How a value is bound that is not looked into.
pub(crate) fn bind(field: &Field<'_>) -> TokenStream {
    let x = names::private();
    match field.bind {
        Bind::With(function) | Bind::FlatLeaf(Some(function)) => {
            quote!(|__source| #function(__source))
        }
        _ => quote!(|__source| #x::serde::Deserialize::deserialize(__source)),
    }
}

/// What an absent key stands for, as a function pointer if anything.
fn default(field: &Field<'_>) -> TokenStream {
    let x = names::private();
    let ty = field.ty;
    match field.default {
        Absent::Missing => quote!(#x::None),
        Absent::Default => quote!(#x::Some(<#ty as ::core::default::Default>::default)),
        Absent::Function(path) => quote!(#x::Some(|| -> #ty { #path() })),
        Absent::OfContainer(function) => {
            let member = field.member;
            let whole = function.map_or_else(
                || quote!(<Self as ::core::default::Default>::default()),
                |path| quote!(#path()),
            );
            quote!(#x::Some(|| { let __whole: Self = #whole; __whole.#member }))
        }
    }
}

fn skipped(field: &Field<'_>) -> TokenStream {
    let x = names::private();
    let default = match field.default {
        // What serde's derive makes of a skipped field.
        Absent::Missing => {
            let ty = field.ty;
            quote!(#x::Some(<#ty as ::core::default::Default>::default))
        }
        _ => default(field),
    };
    let ty = field.ty;
    quote! {{
        let __make: #x::Option<fn() -> #ty> = #default;
        __make.map(|__make| __make())
    }}
}
