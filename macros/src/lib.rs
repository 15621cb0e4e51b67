//! The macros of `typed-extract`. Their documentation stands where they are
//! re-exported, so that its examples run against the real crate.

mod check;
mod crate_path;
mod errors;
mod expand;
mod fallback;
mod names;
mod plan;
mod syntax;
mod types;
mod words;
mod written;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, ItemImpl, parse_macro_input};

use crate::errors::Errors;

#[proc_macro_derive(Extract, attributes(extract, schemars, validate, serde))]
pub fn derive_extract(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    derive(&input).into()
}

#[proc_macro_attribute]
pub fn rules(
    arguments: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    let block = parse_macro_input!(item as ItemImpl);
    rule_block(arguments.into(), &block).into()
}

/// read, check, write; or all the mistakes and a stub.
fn derive(input: &DeriveInput) -> TokenStream {
    let errors = Errors::default();
    let serde = check::serde::read(input, &errors);
    let written = written::read(input, &errors);
    let plan = serde
        .as_ref()
        .and_then(|serde| check::container(&written, serde, &errors));
    match (errors.finish(), plan) {
        (Ok(()), Some(plan)) => expand::container(&plan),
        (Ok(()), None) => TokenStream::new(),
        (Err(mistakes), _) if check::serde::borrows(input, serde.as_ref()) => mistakes,
        (Err(mistakes), _) => {
            let stub = fallback::container(&written, check::serde::is_unbound(serde.as_ref()));
            quote!(#mistakes #stub)
        }
    }
}

fn rule_block(arguments: TokenStream, block: &ItemImpl) -> TokenStream {
    let errors = Errors::default();
    let crate_path = syntax::block::arguments(arguments, &errors);
    let plan = check::block::block(block, crate_path, &errors);
    let cleaned = expand::block::without_markers(block);
    match errors.finish() {
        Ok(()) => {
            let registered = expand::block::registered(&plan);
            quote!(#cleaned #registered)
        }
        Err(mistakes) => quote!(#mistakes #cleaned),
    }
}
