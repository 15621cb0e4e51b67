//! The parameters of a generic type: which of them its fields hold.

use syn::visit::{self, Visit};
use syn::{
    Attribute, Data, DeriveInput, Fields, GenericParam, Generics, Ident, Path, Type, TypePath,
};

use crate::expand::schema::mentions;
use crate::words;

fn ident(parameter: &GenericParam) -> &Ident {
    match parameter {
        GenericParam::Type(one) => &one.ident,
        GenericParam::Const(one) => &one.ident,
        GenericParam::Lifetime(one) => &one.lifetime.ident,
    }
}

/// The names of the parameters, which own their data and so are no lifetimes.
pub(crate) fn names(generics: &Generics) -> Vec<String> {
    let parameters = generics.params.iter();
    parameters.map(|one| ident(one).to_string()).collect()
}

/// The parameters that occur in a type.
pub(crate) fn mentioned(generics: &Generics, ty: &Type) -> Generics {
    let mut seen = Idents::default();
    seen.visit_type(ty);
    let parameters = generics.params.iter();
    let seen = parameters.filter(|one| seen.0.contains(ident(one)));
    Generics {
        params: seen.cloned().map(without_bounds).collect(),
        ..Generics::default()
    }
}

/// An alias checks no bounds.
fn without_bounds(mut parameter: GenericParam) -> GenericParam {
    if let GenericParam::Type(one) = &mut parameter {
        one.bounds.clear();
        one.colon_token = None;
        one.default = None;
    }
    parameter
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
    of_fields(input, is_not_walked)
}

/// Whether the schema depends on a parameter itself.
pub(crate) fn is_in_schema(input: &DeriveInput, parameter: &Ident) -> bool {
    let is_it = |ty: &Type| matches!(ty, Type::Path(path) if path.path.is_ident(parameter));
    of_fields(input, is_skipped).iter().any(is_it)
}

/// The parameters and their associated types in the fields without an attribute
/// that leaves them out.
fn of_fields(input: &DeriveInput, left_out: fn(&Attribute) -> bool) -> Vec<Type> {
    let mut held = Held {
        parameters: input.generics.type_params().map(|one| &one.ident).collect(),
        types: Vec::new(),
    };
    let is_in = |attributes: &[Attribute]| !attributes.iter().any(left_out);
    let mut visit = |fields: &Fields| {
        let fields = fields.iter().filter(|field| is_in(&field.attrs));
        fields.for_each(|field| held.visit_type(&field.ty));
    };
    match &input.data {
        Data::Struct(data) => visit(&data.fields),
        Data::Enum(data) => {
            let variants = data.variants.iter();
            let variants = variants.filter(|variant| is_in(&variant.attrs));
            variants.for_each(|variant| visit(&variant.fields));
        }
        Data::Union(_) => {}
    }
    held.types
}

fn is_read_as_another(attribute: &Attribute) -> bool {
    let says = |word| mentions(attribute, words::SERDE, word);
    says("from") || says("try_from")
}

fn is_skipped(attribute: &Attribute) -> bool {
    let says = |word| mentions(attribute, words::SERDE, word);
    says("skip") || says("skip_deserializing")
}

fn is_not_walked(attribute: &Attribute) -> bool {
    let by_function = ["with", "deserialize_with"];
    let mut by_function = by_function.iter();
    is_skipped(attribute)
        || by_function.any(|word| mentions(attribute, words::SERDE, word))
        || mentions(attribute, words::EXTRACT, words::LEAF)
}

struct Held<'a> {
    parameters: Vec<&'a Ident>,
    types: Vec<Type>,
}

impl Held<'_> {
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
