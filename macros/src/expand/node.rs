//! `Node`: the walk over a bound value, and the probe of a broken one.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::run::{check_info, info, table_entry};
use super::{fields_ident, node_generics};
use crate::plan::{Binding, Content, Plan, PlannedField, PlannedVariant, Shape, Tagging};

pub(super) fn expand(plan: &Plan<'_>) -> TokenStream {
    let name = &plan.input.ident;
    let context = plan.written.context.as_ref();
    let generics = node_generics(&plan.input.generics, &quote!(__x), context);
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let (_, ty_generics, _) = plan.input.generics.split_for_impl();
    let c = context.map_or_else(|| quote!(__C), |context| quote!(#context));
    let body = match &plan.shape {
        Shape::Named(fields) => named(plan, fields, &c),
        Shape::Newtype(field) => newtype(plan, field, &c),
        Shape::Tuple(fields) => tuple(plan, fields, &c),
        Shape::Enum(tagging, variants) => variants_of(plan, tagging, variants, &c),
        Shape::Unit | Shape::Opaque => leaf(plan, &c),
    };
    quote! {
        #[automatically_derived]
        impl #impl_generics __x::Node<#c> for #name #ty_generics #where_clause {
            const WALKS: bool = true;
            #body
        }
    }
}

/// What the rules get as their context inside the walk.
fn given(plan: &Plan<'_>) -> TokenStream {
    if plan.written.context.is_some() {
        quote!(__context)
    } else {
        quote!(&())
    }
}

fn run(plan: &Plan<'_>, fields: &TokenStream, whole: &TokenStream) -> TokenStream {
    let given = given(plan);
    quote! {
        __cx.rules(__at, <Self as __x::Declared>::FIELDS, |__context, __sink| {
            let _ = __context;
            <Self as __x::Declared>::run(#fields, #whole, #given, __sink);
        });
    }
}

/// Runs the rules of a value without named fields.
fn run_whole(plan: &Plan<'_>) -> TokenStream {
    run(
        plan,
        &quote!(&()),
        &quote!(::core::option::Option::Some(self)),
    )
}

fn infos(plan: &Plan<'_>) -> TokenStream {
    let one_line = plan.written.rules.iter().map(info);
    let unsaid = plan.named_fields().iter().flat_map(|field| {
        let unsaid = field.checks.iter().filter(|check| !check.is_in_schema());
        unsaid.map(move |check| check_info(check, field))
    });
    quote! {
        &[const { &[#(#one_line,)* #(#unsaid),*] }, Self::__extract_rule_infos()]
    }
}

fn describe(plan: &Plan<'_>, below: impl Iterator<Item = TokenStream>) -> TokenStream {
    let infos = infos(plan);
    quote! {
        fn describe(__cx: &mut __x::Describe) {
            __cx.node::<Self>(#infos, <Self as __x::Declared>::FIELDS, |__cx| {
                let _ = &__cx;
                #(#below)*
            });
        }
    }
}

fn leaf(plan: &Plan<'_>, c: &TokenStream) -> TokenStream {
    let run = run_whole(plan);
    let describe = describe(plan, std::iter::empty());
    quote! {
        fn walk(&self, __at: &__x::At<'_>, __cx: &mut __x::Walk<'_, #c>) {
            #run
        }
        #describe
    }
}

fn named(plan: &Plan<'_>, fields: &[PlannedField<'_>], c: &TokenStream) -> TokenStream {
    let view = fields_ident(plan);
    let idents: Vec<&Ident> = fields.iter().filter_map(PlannedField::ident).collect();
    let whole = quote! {
        &#view {
            #(#idents: ::core::option::Option::Some(&self.#idents),)*
            __lifetime: ::core::marker::PhantomData,
        }
    };
    let walk = run(plan, &whole, &quote!(::core::option::Option::Some(self)));
    let descend = fields.iter().filter(|field| field.walks()).map(|field| {
        let ident = field.ident();
        match &field.wire {
            Some(wire) => quote!(__cx.field(&self.#ident, __at, #wire);),
            None => quote!(__x::Node::walk(&self.#ident, __at, __cx);),
        }
    });
    let probes = fields
        .iter()
        .enumerate()
        .map(|(at, field)| probe_field(plan, at, field, c));
    let bound: Vec<_> = (0..fields.len())
        .map(|at| format_ident!("__v{at}"))
        .collect();
    let parts = quote! {
        &#view {
            #(#idents: #bound.as_ref(),)*
            __lifetime: ::core::marker::PhantomData,
        }
    };
    let run_parts = run(plan, &parts, &quote!(::core::option::Option::None));
    let below = fields
        .iter()
        .filter(|field| field.walks())
        .map(|field| describe_field(field, c));
    let describe = describe(plan, below);
    quote! {
        fn walk(&self, __at: &__x::At<'_>, __cx: &mut __x::Walk<'_, #c>) {
            #walk
            #(#descend)*
        }

        fn probe_parts(
            __cursor: __x::Cursor<'_>,
            __at: &__x::At<'_>,
            __cx: &mut __x::Walk<'_, #c>,
        ) {
            let ::core::option::Option::Some(__members) =
                __cx.object(__cursor, <Self as __x::Declared>::FIELDS)
            else {
                return;
            };
            #(#probes)*
            #run_parts
        }

        fn probe_flat(
            __cursor: __x::Cursor<'_>,
            __at: &__x::At<'_>,
            __cx: &mut __x::Walk<'_, #c>,
        ) {
            <Self as __x::Node<#c>>::probe_parts(__cursor, __at, __cx);
        }

        #describe
    }
}

/// Binds one field of a broken object: `let v: Option<Type> = ..;`
fn probe_field(
    plan: &Plan<'_>,
    at: usize,
    field: &PlannedField<'_>,
    c: &TokenStream,
) -> TokenStream {
    let bound = format_ident!("__v{at}");
    let ty = field.ty;
    if field.skipped {
        return quote!(let #bound: ::core::option::Option<#ty> = ::core::option::Option::None;);
    }
    if field.flatten {
        let probe = matches!(field.binding, Binding::Node)
            .then(|| quote!(<#ty as __x::Node<#c>>::probe_flat(__cursor, __at, __cx);));
        return quote! {
            #probe
            let #bound: ::core::option::Option<#ty> = ::core::option::Option::None;
        };
    }
    let default = match (&field.default, &plan.default, field.ident()) {
        (Some(default), _, _) => quote!(::core::option::Option::Some(|| -> #ty { #default })),
        (None, Some(whole), Some(ident)) => {
            quote!(::core::option::Option::Some(|| -> #ty { let __d: Self = #whole; __d.#ident }))
        }
        _ => quote!(::core::option::Option::None),
    };
    let probe = match &field.binding {
        Binding::Node => quote!(__cx.member::<#ty>(&__members, __at, #at, #default)),
        Binding::Leaf => quote! {
            __cx.member_with::<#ty>(&__members, __at, #at, #default, |__c| {
                <#ty as __x::serde::Deserialize>::deserialize(__c)
            })
        },
        Binding::With(path) => quote! {
            __cx.member_with::<#ty>(&__members, __at, #at, #default, |__c| #path(__c))
        },
    };
    quote!(let #bound: ::core::option::Option<#ty> = #probe;)
}

fn describe_field(field: &PlannedField<'_>, c: &TokenStream) -> TokenStream {
    let ty = field.ty;
    match &field.wire {
        Some(wire) => quote!(__cx.field::<#ty, #c>(#wire);),
        None => quote!(__cx.flat::<#ty, #c>();),
    }
}

fn newtype(plan: &Plan<'_>, field: &PlannedField<'_>, c: &TokenStream) -> TokenStream {
    let run = run_whole(plan);
    let (member, ty) = (&field.member, field.ty);
    let checks = value_checks(std::slice::from_ref(field), |_| quote!(&self.#member));
    let descend = field
        .walks()
        .then(|| quote!(__x::Node::walk(&self.#member, __at, __cx);));
    let probe = field
        .walks()
        .then(|| quote!(__cx.probe::<#ty>(__cursor, __at);));
    let below = field
        .walks()
        .then(|| quote!(<#ty as __x::Node<#c>>::describe(__cx);));
    let describe = describe(plan, below.into_iter());
    let group = field.walks().then(|| {
        quote! {
            fn optional_group(
                __generator: &mut __x::schemars::SchemaGenerator,
            ) -> ::core::option::Option<__x::schemars::Schema> {
                <#ty as __x::Node<#c>>::optional_group(__generator)
            }
        }
    });
    quote! {
        fn walk(&self, __at: &__x::At<'_>, __cx: &mut __x::Walk<'_, #c>) {
            #checks
            #run
            #descend
        }

        fn probe_parts(
            __cursor: __x::Cursor<'_>,
            __at: &__x::At<'_>,
            __cx: &mut __x::Walk<'_, #c>,
        ) {
            #probe
        }

        #group
        #describe
    }
}

fn tuple(plan: &Plan<'_>, fields: &[PlannedField<'_>], c: &TokenStream) -> TokenStream {
    let run = run_whole(plan);
    let checks = value_checks(fields, |field| {
        let member = &field.member;
        quote!(&self.#member)
    });
    let descend = fields
        .iter()
        .enumerate()
        .filter(|(_, field)| field.walks())
        .map(|(at, field)| {
            let member = &field.member;
            quote!(__x::Node::walk(&self.#member, &__at.index(#at), __cx);)
        });
    let probe = probe_places(fields, c);
    let below = fields
        .iter()
        .enumerate()
        .filter(|(_, field)| field.walks())
        .map(|(at, field)| {
            let ty = field.ty;
            quote!(__cx.place::<#ty, #c>(#at);)
        });
    let describe = describe(plan, below);
    quote! {
        fn walk(&self, __at: &__x::At<'_>, __cx: &mut __x::Walk<'_, #c>) {
            #checks
            #run
            #(#descend)*
        }

        fn probe_parts(
            __cursor: __x::Cursor<'_>,
            __at: &__x::At<'_>,
            __cx: &mut __x::Walk<'_, #c>,
        ) {
            #probe
        }

        #describe
    }
}

/// Probes the elements of an array, each by its own type.
fn probe_places(fields: &[PlannedField<'_>], _: &TokenStream) -> TokenStream {
    let probes = fields.iter().enumerate().map(|(at, field)| {
        let ty = field.ty;
        if field.walks() {
            quote! {
                if let ::core::option::Option::Some(__element) = __elements.next() {
                    __cx.probe::<#ty>(__element, &__at.index(#at));
                }
            }
        } else {
            quote!(let _ = __elements.next();)
        }
    });
    quote! {
        let mut __elements = __cursor.elements();
        #(#probes)*
    }
}

/// Runs the checks of fields that no rule can name: those of tuples and
/// variants.
fn value_checks(
    fields: &[PlannedField<'_>],
    value: impl Fn(&PlannedField<'_>) -> TokenStream,
) -> Option<TokenStream> {
    if fields.iter().all(|field| field.checks.is_empty()) {
        return None;
    }
    let table = fields.iter().map(table_entry_unnamed);
    let runs = fields.iter().flat_map(|field| {
        let value = value(field);
        field.checks.iter().map(move |check| {
            let info = check_info(check, field);
            let outcome = check.outcome(&quote!(__x), &value);
            quote!(__sink.outcome(const { &#info }, #outcome);)
        })
    });
    Some(quote! {
        __cx.rules(__at, const { &[#(#table),*] }, |_, __sink| {
            #(#runs)*
        });
    })
}

/// A place without a key is reported at its parent.
fn table_entry_unnamed(field: &PlannedField<'_>) -> TokenStream {
    if field.ident().is_some() {
        return table_entry(field);
    }
    let rust = &field.rust;
    quote!(__x::Field { rust: #rust, wire: ::core::option::Option::None, aliases: &[] })
}

fn variants_of(
    plan: &Plan<'_>,
    tagging: &Tagging,
    variants: &[PlannedVariant<'_>],
    c: &TokenStream,
) -> TokenStream {
    let run = run_whole(plan);
    let arms = variants
        .iter()
        .map(|variant| walk_variant(tagging, variant));
    let walk = if variants.is_empty() {
        quote!(match *self {})
    } else {
        quote!(match self { #(#arms)* })
    };
    let probe = probe_variants(tagging, variants, c);
    let below = variants
        .iter()
        .filter_map(|variant| describe_variant(tagging, variant, c));
    let describe = describe(plan, below);
    quote! {
        fn walk(&self, __at: &__x::At<'_>, __cx: &mut __x::Walk<'_, #c>) {
            #run
            #walk
        }

        #probe
        #describe
    }
}

/// Where the content of a variant stands, seen from the enum.
fn content_key<'p>(tagging: &'p Tagging, variant: &'p PlannedVariant<'_>) -> Option<&'p str> {
    match tagging {
        _ if variant.untagged => None,
        Tagging::External => variant.names.first().map(String::as_str),
        Tagging::Adjacent(_, content) => Some(content),
        Tagging::Internal(_) | Tagging::Untagged => None,
    }
}

fn at_content(tagging: &Tagging, variant: &PlannedVariant<'_>) -> TokenStream {
    match content_key(tagging, variant) {
        Some(key) => quote!(let __at = &__at.key(#key);),
        None => quote!(),
    }
}

fn walk_variant(tagging: &Tagging, variant: &PlannedVariant<'_>) -> TokenStream {
    let ident = variant.ident;
    let fields = variant.content.fields();
    let bound: Vec<_> = (0..fields.len())
        .map(|at| format_ident!("__v{at}"))
        .collect();
    let pattern = match &variant.content {
        Content::Unit => quote!(Self::#ident),
        Content::Newtype(_) | Content::Tuple(_) => quote!(Self::#ident(#(#bound),*)),
        Content::Named(fields) => {
            let idents = fields.iter().filter_map(PlannedField::ident);
            quote!(Self::#ident { #(#idents: #bound),* })
        }
    };
    let at = at_content(tagging, variant);
    let numbered: Vec<_> = fields.iter().zip(&bound).collect();
    let checks = value_checks(fields, |field| {
        let found = numbered
            .iter()
            .find(|(other, _)| std::ptr::eq(*other, field));
        found.map(|(_, bound)| quote!(#bound)).unwrap_or_default()
    });
    let descend = numbered
        .iter()
        .enumerate()
        .filter(|(_, (field, _))| field.walks());
    let descend = descend.map(
        |(place, (field, bound))| match (&variant.content, &field.wire) {
            (Content::Named(_), Some(wire)) => quote!(__cx.field(#bound, __at, #wire);),
            (Content::Tuple(_), _) => quote!(__x::Node::walk(#bound, &__at.index(#place), __cx);),
            _ => quote!(__x::Node::walk(#bound, __at, __cx);),
        },
    );
    quote! {
        #[allow(unused_variables)]
        #pattern => {
            #at
            #checks
            #(#descend)*
        }
    }
}

fn probe_variants(
    tagging: &Tagging,
    variants: &[PlannedVariant<'_>],
    c: &TokenStream,
) -> TokenStream {
    let found = match tagging {
        Tagging::External => quote!(__x::by_key(__cursor)),
        Tagging::Internal(tag) => quote!(__x::by_tag(__cursor, #tag)),
        Tagging::Adjacent(tag, content) => quote!(__x::by_tag_beside(__cursor, #tag, #content)),
        Tagging::Untagged => return TokenStream::new(),
    };
    let told = variants
        .iter()
        .filter(|variant| !variant.untagged && !variant.skipped);
    let arms = told.filter_map(|variant| {
        let names = &variant.names;
        let at = at_content(tagging, variant);
        let probe = probe_content(tagging, &variant.content, c)?;
        Some(quote!(#(#names)|* => { #at #probe }))
    });
    quote! {
        fn probe_parts(
            __cursor: __x::Cursor<'_>,
            __at: &__x::At<'_>,
            __cx: &mut __x::Walk<'_, #c>,
        ) {
            let ::core::option::Option::Some((__name, __cursor)) = #found else {
                return;
            };
            match &*__name {
                #(#arms)*
                _ => {}
            }
        }
    }
}

fn probe_content(tagging: &Tagging, content: &Content<'_>, c: &TokenStream) -> Option<TokenStream> {
    match content {
        Content::Unit => None,
        Content::Newtype(field) if !field.walks() => None,
        Content::Newtype(field) => {
            let ty = field.ty;
            Some(match tagging {
                // The tag stands among the keys of the content.
                Tagging::Internal(_) => quote! {
                    <#ty as __x::Node<#c>>::probe_parts(__cursor, __at, __cx);
                },
                _ => quote!(__cx.probe::<#ty>(__cursor, __at);),
            })
        }
        Content::Tuple(fields) => Some(probe_places(fields, c)),
        Content::Named(fields) => Some(probe_named_content(fields)),
    }
}

fn probe_named_content(fields: &[PlannedField<'_>]) -> TokenStream {
    let table = fields.iter().map(table_entry);
    let probes = fields
        .iter()
        .enumerate()
        .filter(|(_, field)| field.wire.is_some());
    let probes = probes.map(|(at, field)| {
        let ty = field.ty;
        match &field.binding {
            Binding::Node => quote! {
                __cx.member::<#ty>(&__members, __at, #at, ::core::option::Option::None);
            },
            Binding::Leaf | Binding::With(_) => quote!(),
        }
    });
    quote! {
        let ::core::option::Option::Some(__members) =
            __cx.object(__cursor, const { &[#(#table),*] })
        else {
            return;
        };
        let _ = &__members;
        #(#probes)*
    }
}

fn describe_variant(
    tagging: &Tagging,
    variant: &PlannedVariant<'_>,
    c: &TokenStream,
) -> Option<TokenStream> {
    let fields: Vec<_> = variant
        .content
        .fields()
        .iter()
        .filter(|field| field.walks())
        .collect();
    if fields.is_empty() {
        return None;
    }
    let below = fields.iter().map(|field| {
        let ty = field.ty;
        match (&variant.content, &field.wire) {
            (Content::Named(_), Some(wire)) => quote!(__cx.field::<#ty, #c>(#wire);),
            _ => quote!(<#ty as __x::Node<#c>>::describe(__cx);),
        }
    });
    let below = quote!(#(#below)*);
    let below = match content_key(tagging, variant) {
        Some(key) => quote!(__cx.under(#key, |__cx| { #below });),
        None => below,
    };
    let buffered = variant.untagged || !matches!(tagging, Tagging::External);
    Some(if buffered {
        quote!(__cx.buffer(|__cx| { #below });)
    } else {
        below
    })
}
