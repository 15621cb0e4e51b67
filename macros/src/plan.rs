//! What the expansion is written from: nothing in here can be wrong any more.

use syn::{DeriveInput, Expr, Ident, Member, Type};

use crate::checks::Check;
use crate::written::Written;

/// A type that can be derived for.
pub(crate) struct Plan<'a> {
    pub(crate) input: &'a DeriveInput,
    pub(crate) written: Written,
    pub(crate) shape: Shape<'a>,
    /// `#[serde(default)]` on the type: what gives its default.
    pub(crate) default: Option<Expr>,
}

/// How the type lies in JSON.
pub(crate) enum Shape<'a> {
    /// An object with a key for each field.
    Named(Vec<PlannedField<'a>>),
    /// One field that stands for the whole.
    Newtype(PlannedField<'a>),
    /// An array with a place for each field.
    Tuple(Vec<PlannedField<'a>>),
    Unit,
    Enum(Tagging, Vec<PlannedVariant<'a>>),
    /// Bound by a conversion of the user's: nothing inside is ours.
    Opaque,
}

/// How a variant is told.
pub(crate) enum Tagging {
    External,
    Internal(String),
    Adjacent(String, String),
    Untagged,
}

pub(crate) struct PlannedVariant<'a> {
    pub(crate) ident: &'a Ident,
    /// Its names on the wire, the canonical one first.
    pub(crate) names: Vec<String>,
    pub(crate) content: Content<'a>,
    /// Told by its own content.
    pub(crate) untagged: bool,
    pub(crate) skipped: bool,
}

pub(crate) enum Content<'a> {
    Unit,
    Newtype(PlannedField<'a>),
    Tuple(Vec<PlannedField<'a>>),
    Named(Vec<PlannedField<'a>>),
}

impl<'a> Content<'a> {
    pub(crate) fn fields(&self) -> &[PlannedField<'a>] {
        match self {
            Self::Unit => &[],
            Self::Newtype(field) => std::slice::from_ref(field),
            Self::Tuple(fields) | Self::Named(fields) => fields,
        }
    }
}

pub(crate) struct PlannedField<'a> {
    pub(crate) member: Member,
    pub(crate) ty: &'a Type,
    /// Its Rust name; its number where it has none.
    pub(crate) rust: String,
    /// Its key, if it has one of its own.
    pub(crate) wire: Option<String>,
    pub(crate) aliases: Vec<String>,
    pub(crate) binding: Binding,
    /// What an absent key stands for.
    pub(crate) default: Option<Expr>,
    pub(crate) flatten: bool,
    pub(crate) skipped: bool,
    pub(crate) keep_delimiters: bool,
    pub(crate) checks: Vec<Check>,
}

/// How a field's value is bound and looked into.
pub(crate) enum Binding {
    /// By its type, whose rules run.
    Node,
    /// By its type, which holds no rules.
    Leaf,
    /// By a function of the user's.
    With(syn::ExprPath),
}

impl PlannedField<'_> {
    pub(crate) fn walks(&self) -> bool {
        matches!(self.binding, Binding::Node) && !self.skipped
    }

    pub(crate) fn ident(&self) -> Option<&Ident> {
        match &self.member {
            Member::Named(ident) => Some(ident),
            Member::Unnamed(_) => None,
        }
    }
}

impl<'a> Plan<'a> {
    /// The fields that rules can name.
    pub(crate) fn named_fields(&self) -> &[PlannedField<'a>] {
        match &self.shape {
            Shape::Named(fields) => fields,
            _ => &[],
        }
    }
}
