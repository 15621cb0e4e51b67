//! The macros of `typed-extract`: from an annotated type to its schema, its
//! rules and what the flow asks of it.

mod block;
mod check;
mod checks;
mod crate_path;
mod errors;
mod expand;
mod fallback;
mod plan;
mod words;
mod written;

use proc_macro::TokenStream;
use syn::{DeriveInput, ItemImpl, parse_macro_input};

/// Derives `Extract`; see its documentation in the crate `typed-extract`.
#[proc_macro_derive(Extract, attributes(extract, schemars, serde, validate))]
pub fn derive_extract(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    derive(&input).into()
}

/// Makes rules of the functions of an `impl` block; see its documentation in
/// the crate `typed-extract`.
#[proc_macro_attribute]
pub fn rules(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let block = parse_macro_input!(item as ItemImpl);
    block::expand(arguments.into(), block).into()
}

/// Reads what was written, checks it, and writes the expansion; where
/// something is wrong, all errors and a stand-in.
fn derive(input: &DeriveInput) -> proc_macro2::TokenStream {
    let mut errors = errors::Errors::new();
    let written = written::read(input, &mut errors);
    let plan = check::plan(input, written, &mut errors);
    match (errors.finish(), plan) {
        (Ok(()), Some(plan)) => expand::expand(&plan),
        (Ok(()), None) => proc_macro2::TokenStream::new(),
        (Err(error), _) => fallback::expand(input, &error),
    }
}
