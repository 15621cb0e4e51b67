//! What can be told of a type by how it is written. Used only where being wrong
//! costs a clear compile error, never a skipped check.

use quote::ToTokens;
use syn::visit::Visit;
use syn::{GenericArgument, Ident, PathArguments, PathSegment, Type};

/// The type inside groups and parentheses, which `macro_rules` leave around it.
pub(crate) fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare(&group.elem),
        Type::Paren(paren) => bare(&paren.elem),
        ty => ty,
    }
}

fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match bare(ty) {
        Type::Path(path) if path.qself.is_none() => path.path.segments.last(),
        _ => None,
    }
}

fn only_argument(segment: &PathSegment) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// `T` of `Option<T>`.
pub(crate) fn option_content(ty: &Type) -> Option<&Type> {
    let segment = last_segment(ty)?;
    (segment.ident == "Option").then(|| only_argument(segment))?
}

/// Whether it is written as a list, perhaps an optional or boxed one.
pub(crate) fn is_list(ty: &Type) -> bool {
    if matches!(bare(ty), Type::Array(_)) {
        return true;
    }
    let Some(segment) = last_segment(ty) else {
        return false;
    };
    match segment.ident.to_string().as_str() {
        "Vec" | "VecDeque" | "BTreeSet" | "HashSet" => true,
        "Option" | "Box" => only_argument(segment).is_some_and(is_list),
        _ => false,
    }
}

/// The types that this crate writes a schema for, their own crate having none.
/// Another type of the name has its own.
const WRITTEN_HERE: [&str; 6] = [
    "Date",
    "Time",
    "PrimitiveDateTime",
    "OffsetDateTime",
    "Weekday",
    "Month",
];

/// Whether it may hold one of the types whose schema is written here.
pub(crate) fn may_lack_schema(ty: &Type) -> bool {
    let mut named = Named(false);
    named.visit_type(ty);
    named.0
}

struct Named(bool);

impl Visit<'_> for Named {
    fn visit_ident(&mut self, ident: &Ident) {
        self.0 |= WRITTEN_HERE.iter().any(|one| ident == one);
    }
}

/// Whether it is written in a reply as something other than an object, as far as
/// the names of std's types tell.
pub(crate) fn is_no_object(ty: &Type) -> bool {
    if let Type::Tuple(tuple) = bare(ty) {
        return !tuple.elems.is_empty();
    }
    if matches!(bare(ty), Type::Array(_) | Type::Slice(_)) || is_number(ty) {
        return true;
    }
    let Some(segment) = last_segment(ty) else {
        return false;
    };
    match segment.ident.to_string().as_str() {
        "bool" | "char" | "str" | "String" | "PathBuf" | "Vec" | "VecDeque" | "LinkedList"
        | "BTreeSet" | "HashSet" => true,
        "Option" | "Box" | "Arc" | "Rc" => only_argument(segment).is_some_and(is_no_object),
        _ => false,
    }
}

/// Whether validator hands values of this type to a function by value.
pub(crate) fn is_number(ty: &Type) -> bool {
    matches!(
        bare(ty).to_token_stream().to_string().as_str(),
        "usize"
            | "u8"
            | "u16"
            | "u32"
            | "u64"
            | "u128"
            | "isize"
            | "i8"
            | "i16"
            | "i32"
            | "i64"
            | "i128"
            | "f32"
            | "f64"
    )
}
