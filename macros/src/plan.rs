//! The checked tree: all that an expansion needs, known to be sound.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use serde_derive_internals::ast::{self, Style};
use syn::{DeriveInput, Expr, ExprPath, Ident, LitStr, Member, Type};

use crate::crate_path::CratePath;
use crate::syntax::validate::Check;
use crate::words;

pub(crate) struct Plan<'a> {
    pub(crate) input: &'a DeriveInput,
    pub(crate) serde: &'a ast::Container<'a>,
    pub(crate) crate_path: CratePath,
    pub(crate) context: Option<&'a Type>,
    pub(crate) instructions: Option<&'a LitStr>,
    pub(crate) schema: bool,
    /// The providers whose dialects must carry the schema.
    pub(crate) portable: &'a [Ident],
    pub(crate) deserialize: bool,
    pub(crate) rules: Vec<Rule<'a>>,
    /// Functions over the whole value.
    pub(crate) whole_checks: &'a [Check],
    pub(crate) shape: Shape<'a>,
    /// The wire shape is another type's (`from`, `try_from`).
    pub(crate) opaque: bool,
    pub(crate) keep_delimiters: Vec<&'a str>,
}

pub(crate) enum Shape<'a> {
    Struct(Body<'a>),
    Enum(Tagging<'a>, Vec<Variant<'a>>),
}

#[derive(Clone, Copy)]
pub(crate) enum Tagging<'a> {
    External,
    Internal { tag: &'a str },
    Adjacent { tag: &'a str, content: &'a str },
    Untagged,
}

pub(crate) struct Variant<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) body: Body<'a>,
    /// The wire name, then its aliases.
    pub(crate) names: Vec<&'a str>,
    /// The key under which the content stands, if any.
    pub(crate) key: Option<&'a str>,
    pub(crate) told: Told,
    /// The function of the user's through which serde binds it.
    pub(crate) with: Option<&'a ExprPath>,
    /// What documents show it as.
    pub(crate) shown_as: &'a [LitStr],
}

/// How a reply says that it is a variant.
#[derive(Clone, Copy)]
pub(crate) enum Told {
    ByName,
    /// Untagged.
    ByContent,
    /// Serde never reads it.
    Never,
}

pub(crate) struct Body<'a> {
    pub(crate) style: Style,
    pub(crate) fields: Vec<Field<'a>>,
}

pub(crate) struct Field<'a> {
    pub(crate) member: &'a Member,
    pub(crate) local: Ident,
    pub(crate) ty: &'a Type,
    pub(crate) reach: Reach<'a>,
    pub(crate) aliases: Vec<&'a str>,
    pub(crate) bind: Bind<'a>,
    pub(crate) default: Absent<'a>,
    pub(crate) checks: &'a [Check],
    /// Its text stands in the document.
    pub(crate) verbatim: bool,
    /// The variant of `DateOrder` that holds below it.
    pub(crate) date_order: Option<&'a Ident>,
}

/// Where a field's value stands, seen from its struct or variant.
#[derive(Clone, Copy)]
pub(crate) enum Reach<'a> {
    Here,
    Key(&'a str),
    Index(usize),
}

/// How a field's value comes to be.
#[derive(Clone, Copy)]
pub(crate) enum Bind<'a> {
    Node,
    Leaf,
    With(&'a ExprPath),
    Flat,
    /// Flattened and not looked into; bound by the function if there is one.
    FlatLeaf(Option<&'a ExprPath>),
    Skip,
}

/// What an absent key stands for.
#[derive(Clone, Copy)]
pub(crate) enum Absent<'a> {
    Missing,
    Default,
    Function(&'a ExprPath),
    /// The field of the container's default.
    OfContainer(Option<&'a ExprPath>),
}

pub(crate) struct Rule<'a> {
    pub(crate) kind: RuleKind,
    pub(crate) name: &'a Ident,
    pub(crate) parameters: Vec<Parameter<'a>>,
    pub(crate) sentence: &'a LitStr,
    pub(crate) check: &'a Expr,
}

pub(crate) struct Parameter<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
    pub(crate) source: Source<'a>,
}

pub(crate) enum Source<'a> {
    Field(&'a Ident),
    Context,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RuleKind {
    Rule,
    Policy,
    Check,
}

impl RuleKind {
    pub(crate) fn from_word(word: &Ident) -> Self {
        match word.to_string().as_str() {
            words::POLICY => Self::Policy,
            words::CHECK => Self::Check,
            _ => Self::Rule,
        }
    }
}

impl ToTokens for RuleKind {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Self::Rule => quote!(Rule),
            Self::Policy => quote!(Policy),
            Self::Check => quote!(Check),
        });
    }
}

impl<'a> Plan<'a> {
    pub(crate) fn body(&self) -> Option<&Body<'a>> {
        match &self.shape {
            Shape::Struct(body) => Some(body),
            Shape::Enum(..) => None,
        }
    }
}

impl<'a> Field<'a> {
    /// The wire name, then its aliases.
    pub(crate) fn names(&self) -> Option<Vec<&'a str>> {
        let Reach::Key(key) = self.reach else {
            return None;
        };
        Some(std::iter::once(key).chain(self.aliases.clone()).collect())
    }
}
