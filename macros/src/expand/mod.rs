//! From a plan to tokens. Nothing here can fail.

mod assemble;
pub(crate) mod block;
mod bounds;
mod checks;
mod declared;
mod defaults;
mod describe;
mod extract;
mod given;
mod node;
mod parameters;
mod portable;
mod rules;
mod schema;
mod unself;
mod variants;
mod walk;

pub(crate) use bounds::Header;
pub(crate) use declared::{view_of, view_type};

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use crate::names;
use crate::plan::Plan;

/// ```text
/// impl Invoice { fn due_after_issue(..) -> Result<(), RuleError> { .. } }
/// const _: () = {
///     use ::typed_extract::__private as __x;
///     struct __ExtractInvoice { .. }        // derives the schema
///     impl JsonSchema for Invoice { .. }    // forwards to it
///     struct InvoiceFields<'a> { .. }       // what rules read
///     impl Declared for Invoice { .. }
///     impl<C> Node<C> for Invoice { .. }
///     impl Extract for Invoice { .. }
/// };
/// #[cfg(test)] #[test] fn __portable_Invoice() { .. }
/// ```
pub(crate) fn container(plan: &Plan<'_>) -> TokenStream {
    let functions = rules::functions(plan);
    let body = [
        schema::shadow(plan),
        declared::view(plan),
        declared::implementation(plan),
        node::implementation(plan),
        extract::implementation(plan),
    ];
    let body = body.into_iter().collect();
    let block = enclosed(&plan.crate_path, &body);
    let portable = portable::test(plan);
    quote!(#functions #block #portable)
}

/// Puts items where their names meet nobody else's.
pub(crate) fn enclosed(crate_path: impl ToTokens, items: &TokenStream) -> TokenStream {
    let x = names::private();
    quote! {
        #[allow(
            dead_code, deprecated, missing_debug_implementations, non_camel_case_types,
            private_interfaces, unreachable_pub, unused_qualifications, unused_variables
        )]
        const _: () = {
            use #crate_path::__private as #x;
            #[allow(unused_imports)]
            use #x::{NoRules as _, schemars as __schemars, serde as __serde};
            #items
        };
    }
}
