//! The test that a type's schema can be carried by the providers named.

use proc_macro2::TokenStream;
use quote::quote;

use crate::names;
use crate::plan::Plan;

/// ```text
/// #[cfg(test)] #[test]
/// fn __portable_Invoice() -> Result<(), Unportable> { portable::<Invoice>(&["openai"]) }
/// ```
///
/// It stands beside the type: the test harness finds nothing inside a block.
pub(crate) fn test(plan: &Plan<'_>) -> Option<TokenStream> {
    if plan.portable.is_empty() {
        return None;
    }
    let (crate_path, ident) = (&plan.crate_path, &plan.input.ident);
    let name = names::portable(ident);
    let providers = plan.portable.iter().map(ToString::to_string);
    Some(quote! {
        #[cfg(test)]
        #[::core::prelude::v1::test]
        #[allow(non_snake_case)]
        fn #name() -> ::core::result::Result<(), #crate_path::__private::Unportable> {
            #crate_path::__private::portable::<#ident>(&[#(#providers),*])
        }
    })
}
