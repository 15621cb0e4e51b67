//! The parameters of a generic type: which of them its fields hold.

use syn::visit::{self, Visit};
use syn::{Data, DeriveInput, Field, GenericParam, Generics, Ident, Path, Type, TypePath};

use crate::expand::schema::mentions;
use crate::words;

/// The parameters that occur in a type.
pub(crate) fn mentioned<'a>(generics: &'a Generics, ty: &Type) -> Vec<&'a GenericParam> {
    let ident = |parameter: &'a GenericParam| match parameter {
        GenericParam::Type(one) => &one.ident,
        GenericParam::Const(one) => &one.ident,
        GenericParam::Lifetime(one) => &one.lifetime.ident,
    };
    let mut seen = Idents::default();
    seen.visit_type(ty);
    let parameters = generics.params.iter();
    parameters
        .filter(|parameter| seen.0.iter().any(|one| one == ident(parameter)))
        .collect()
}

#[derive(Default)]
struct Idents(Vec<Ident>);

impl Visit<'_> for Idents {
    fn visit_ident(&mut self, ident: &Ident) {
        self.0.push(ident.clone());
    }
}

/// The types that must be nodes for a generic type to be one: its parameters and
/// their associated types, where a field that is looked into holds them. A
/// marker holds nothing, as serde sees it too.
pub(crate) fn held(input: &DeriveInput) -> Vec<Type> {
    if input.attrs.iter().any(is_read_as_another) {
        return Vec::new();
    }
    let mut held = Held {
        parameters: input.generics.type_params().map(|one| &one.ident).collect(),
        types: Vec::new(),
    };
    match &input.data {
        Data::Struct(data) => data.fields.iter().for_each(|field| held.field(field)),
        Data::Enum(data) => {
            let variants = data.variants.iter();
            let looked_into = variants.filter(|variant| !variant.attrs.iter().any(is_not_walked));
            let mut fields = looked_into.flat_map(|variant| &variant.fields);
            fields.by_ref().for_each(|field| held.field(field));
        }
        Data::Union(_) => {}
    }
    held.types
}

fn is_read_as_another(attribute: &syn::Attribute) -> bool {
    let says = |word| mentions(attribute, words::SERDE, word);
    says("from") || says("try_from")
}

fn is_not_walked(attribute: &syn::Attribute) -> bool {
    let unread = ["skip", "skip_deserializing", "with", "deserialize_with"];
    let by_serde = unread
        .iter()
        .any(|word| mentions(attribute, words::SERDE, word));
    by_serde || mentions(attribute, words::EXTRACT, words::LEAF)
}

struct Held<'a> {
    parameters: Vec<&'a Ident>,
    types: Vec<Type>,
}

impl Held<'_> {
    fn field(&mut self, field: &Field) {
        if !field.attrs.iter().any(is_not_walked) {
            self.visit_type(&field.ty);
        }
    }

    fn is_parameter(&self, path: &Path) -> bool {
        let first = path.segments.first();
        path.leading_colon.is_none()
            && first.is_some_and(|first| self.parameters.contains(&&first.ident))
    }

    fn add(&mut self, ty: Type) {
        if !self.types.contains(&ty) {
            self.types.push(ty);
        }
    }
}

impl Visit<'_> for Held<'_> {
    fn visit_type_path(&mut self, path: &TypePath) {
        if path.qself.is_some() || self.is_parameter(&path.path) {
            self.add(Type::Path(path.clone()));
            return;
        }
        let last = path.path.segments.last();
        if last.is_none_or(|last| last.ident != "PhantomData") {
            visit::visit_type_path(self, path);
        }
    }
}
