//! A copy of the type under a hidden name, so that other derives can run on it
//! without the user naming them.

use proc_macro2::TokenStream;
use quote::quote;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Data, DeriveInput, Field, Fields, Ident, Type};

/// A copy named `name`, keeping only the attributes in `kept`; its fields name
/// the real type.
pub(super) fn of(input: &DeriveInput, name: Ident, kept: &[&str]) -> DeriveInput {
    let mut shadow = input.clone();
    shadow.vis = syn::Visibility::Inherited;
    keep(&mut shadow.attrs, kept);
    match &mut shadow.data {
        Data::Struct(data) => keep_fields(&mut data.fields, kept),
        Data::Enum(data) => {
            for variant in &mut data.variants {
                keep(&mut variant.attrs, kept);
                keep_fields(&mut variant.fields, kept);
            }
        }
        Data::Union(_) => {}
    }
    let (_, ty_generics, _) = input.generics.split_for_impl();
    let ident = &input.ident;
    let real: Type = syn::parse_quote!(#ident #ty_generics);
    RealSelf(real).visit_derive_input_mut(&mut shadow);
    shadow.ident = name;
    shadow
}

fn keep(attributes: &mut Vec<Attribute>, kept: &[&str]) {
    attributes.retain(|attribute| kept.iter().any(|name| attribute.path().is_ident(name)));
}

fn keep_fields(fields: &mut Fields, kept: &[&str]) {
    for field in fields {
        keep(&mut field.attrs, kept);
        field.vis = syn::Visibility::Inherited;
    }
}

/// `Self` in a field means the real type.
struct RealSelf(Type);

impl VisitMut for RealSelf {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if matches!(ty, Type::Path(path) if path.path.is_ident("Self")) {
            *ty = self.0.clone();
        } else {
            visit_mut::visit_type_mut(self, ty);
        }
    }
}

/// Every field of a type.
pub(super) fn fields_mut(input: &mut DeriveInput) -> Vec<&mut Field> {
    match &mut input.data {
        Data::Struct(data) => data.fields.iter_mut().collect(),
        Data::Enum(data) => data
            .variants
            .iter_mut()
            .flat_map(|variant| &mut variant.fields)
            .collect(),
        Data::Union(_) => Vec::new(),
    }
}

/// `where` predicates of a type, with more behind them.
pub(super) fn predicates(input: &DeriveInput, more: TokenStream) -> TokenStream {
    let own = input
        .generics
        .where_clause
        .as_ref()
        .map(|clause| &clause.predicates);
    let comma = own
        .filter(|own| !own.is_empty() && !own.trailing_punct())
        .map(|_| quote!(,));
    quote!(where #own #comma #more)
}
