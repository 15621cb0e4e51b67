//! The schema of a field that is not bound as its type alone says. schemars'
//! derive reads `with` as a type, so the copy gets a stand-in that asks for the
//! schema where the answer may be an error that says what to write.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{
    Attribute, DeriveInput, Expr, ExprLit, ExprPath, GenericArgument, Generics, Ident, Lit, LitStr,
    Meta, PathArguments, Type, parse_quote,
};

use crate::expand::parameters;
use crate::expand::schema::{mentions, metas};
use crate::expand::unself::ReplaceSelf;
use crate::names;
use crate::plan::{Bind, Field};
use crate::types;
use crate::words;

/// The stand-ins of one copy.
pub(crate) struct Given<'a> {
    input: &'a DeriveInput,
    count: usize,
    items: TokenStream,
}

impl<'a> Given<'a> {
    pub(crate) fn new(input: &'a DeriveInput) -> Self {
        Self {
            input,
            count: 0,
            items: TokenStream::new(),
        }
    }

    /// The items that the attributes name.
    pub(crate) fn into_items(self) -> TokenStream {
        self.items
    }

    /// `#[schemars(with = "..")]` for a field that needs it. `by_function`: one
    /// of the user's binds the variant that it stands in.
    pub(crate) fn attribute(&mut self, field: &Field<'_>, by_function: bool) -> Option<Attribute> {
        let function = match field.bind {
            Bind::With(function) => Some(function),
            _ => None,
        };
        let by_function = by_function || function.is_some();
        let asked = matches!(field.bind, Bind::Leaf | Bind::FlatLeaf(_))
            || matches!(field.bind, Bind::Node) && types::may_lack_schema(field.ty);
        if !by_function && !asked {
            return None;
        }
        let mut ty = function
            .and_then(|function| written_as(function, field.ty))
            .unwrap_or_else(|| field.ty.clone());
        ReplaceSelf(self.input).visit_type_mut(&mut ty);
        let named = format_ident!("__Schema{}", self.count);
        self.count += 1;
        let parameters = parameters::mentioned(&self.input.generics, &ty);
        if parameters.params.is_empty() {
            self.items.extend(self.asked(&named, &ty, by_function));
            return Some(with(&format!("{}::Marked<{named}>", names::private())));
        }
        if !by_function {
            return None;
        }
        self.items.extend(alias(&named, &ty, &parameters));
        let arguments = parameters::names(&parameters).join(", ");
        Some(with(&format!("{named}<{arguments}>")))
    }

    /// ```text
    /// struct __Schema0;
    /// impl SchemaOf for __Schema0 { .. FieldSchema::<u8, ByFunction>::NEW.source() }
    /// ```
    fn asked(&self, named: &Ident, ty: &Type, by_function: bool) -> TokenStream {
        let x = names::private();
        let id = format!("{}.{named}", self.input.ident);
        let bound = if by_function {
            quote!(ByFunction)
        } else {
            quote!(ByItself)
        };
        let source = quote_spanned! {names::shown_at(ty.span())=>
            #x::FieldSchema::<#ty, #x::#bound>::NEW.source()
        };
        quote! {
            struct #named;
            impl #x::SchemaOf for #named {
                const ID: &'static str = ::core::concat!(::core::module_path!(), "::", #id);
                const REQUIRED: bool = #by_function;
                fn source() -> #x::SchemaSource {
                    use #x::NoFieldSchema as _;
                    #source
                }
            }
        }
    }
}

fn with(text: &str) -> Attribute {
    parse_quote!(#[schemars(with = #text)])
}

/// Bounds in a generic type are schemars' to find, so it is shown the type.
fn alias(named: &Ident, ty: &Type, parameters: &Generics) -> TokenStream {
    let x = names::private();
    quote!(type #named #parameters = #x::Required<#ty>;)
}

/// Whether the user says what the schema is.
pub(crate) fn is_said(attributes: &[Attribute]) -> bool {
    let said = |meta: &Meta| meta.path().is_ident("with") || meta.path().is_ident("schema_with");
    attributes
        .iter()
        .filter(|one| one.path().is_ident(words::SCHEMARS))
        .any(|one| metas(one).iter().any(said))
}

/// Keeps from schemars what serde means by `with`: the copy is only ever read,
/// so `deserialize_with` says the same.
pub(crate) fn without_with(attributes: &mut [Attribute]) {
    for attribute in attributes {
        if !mentions(attribute, words::SERDE, "with") {
            continue;
        }
        let metas = metas(attribute)
            .into_iter()
            .map(|meta| reading_function(&meta).unwrap_or(meta));
        *attribute = parse_quote!(#[serde(#(#metas),*)]);
    }
}

/// `deserialize_with = "module::deserialize"` for `with = "module"`.
fn reading_function(meta: &Meta) -> Option<Meta> {
    let Meta::NameValue(pair) = meta else {
        return None;
    };
    let Expr::Lit(ExprLit {
        lit: Lit::Str(module),
        ..
    }) = &pair.value
    else {
        return None;
    };
    let path = LitStr::new(&format!("{}::deserialize", module.value()), module.span());
    let is_with = pair.path.is_ident("with");
    is_with.then(|| parse_quote!(deserialize_with = #path))
}

/// The type that has the schema of what a well-known function reads.
fn written_as(function: &ExprPath, ty: &Type) -> Option<Type> {
    serde_with(function, ty).or_else(|| known(function))
}

/// `Schema<T, X>` for `serde_with::As::<X>`, which `#[serde_as]` writes.
fn serde_with(function: &ExprPath, ty: &Type) -> Option<Type> {
    let segments: Vec<_> = function.path.segments.iter().collect();
    let [prefix @ .., module, _] = segments.as_slice() else {
        return None;
    };
    let PathArguments::AngleBracketed(arguments) = &module.arguments else {
        return None;
    };
    let Some(GenericArgument::Type(format)) = arguments.args.first() else {
        return None;
    };
    if module.ident != "As" {
        return None;
    }
    let leading = function.path.leading_colon;
    Some(if prefix.is_empty() {
        parse_quote!(::serde_with::Schema<#ty, #format>)
    } else {
        parse_quote!(#leading #(#prefix::)* Schema<#ty, #format>)
    })
}

/// Modules of well-known crates that read another form than their type's own.
fn known(function: &ExprPath) -> Option<Type> {
    let segments = &function.path.segments;
    let names: Vec<String> = segments.iter().map(|one| one.ident.to_string()).collect();
    let (_, module) = names.split_last()?;
    let module: Vec<&str> = module.iter().map(String::as_str).collect();
    let x = names::private();
    let date_time = quote!(#x::DateTimeText);
    let (read, optional) = match module.as_slice() {
        ["chrono", "serde", name] => {
            let plain = name.trim_end_matches("_option");
            let known = [
                "ts_seconds",
                "ts_milliseconds",
                "ts_microseconds",
                "ts_nanoseconds",
            ];
            known.contains(&plain).then_some(())?;
            (quote!(i64), plain != *name)
        }
        ["time", "serde", "rfc3339" | "iso8601", rest @ ..] => (date_time, *rest == ["option"]),
        ["time", "serde", "rfc2822", rest @ ..] => (quote!(#x::String), *rest == ["option"]),
        ["time", "serde", "timestamp", rest @ ..] => (quote!(i64), rest.contains(&"option")),
        ["jiff", "fmt", "serde", "timestamp", _, kind] => (quote!(i64), *kind == "optional"),
        _ => return None,
    };
    Some(if optional {
        parse_quote!(#x::Option<#read>)
    } else {
        parse_quote!(#read)
    })
}
