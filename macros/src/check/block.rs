//! A `#[rules]` block: each function in it is a rule.

use proc_macro2::Span;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Attribute, Expr, ExprLit, FnArg, GenericArgument, GenericParam, Generics, Ident, ImplItem,
    ImplItemFn, ItemImpl, Lit, Meta, Pat, PatType, PathArguments, ReturnType, Safety, Signature,
    Token, Type,
};

use crate::check::rules::given_once;
use crate::crate_path::CratePath;
use crate::errors::Errors;
use crate::plan::RuleKind;
use crate::types;
use crate::words;

pub(crate) struct Block<'a> {
    pub(crate) item: &'a ItemImpl,
    pub(crate) crate_path: CratePath,
    pub(crate) rules: Vec<BlockRule<'a>>,
}

pub(crate) struct BlockRule<'a> {
    pub(crate) name: &'a Ident,
    pub(crate) sentence: String,
    pub(crate) kind: RuleKind,
    pub(crate) whole: bool,
    pub(crate) arguments: Vec<Argument<'a>>,
    /// Where a wrong outcome is shown: the return type.
    pub(crate) outcome: Span,
    pub(crate) cfgs: Vec<&'a Attribute>,
}

pub(crate) enum Argument<'a> {
    Field(&'a Ident, Span),
    Context(&'a Type),
}

pub(crate) fn block<'a>(item: &'a ItemImpl, crate_path: CratePath, errors: &Errors) -> Block<'a> {
    inherent(item, errors);
    whole_type(item, errors);
    let functions = item.items.iter().filter_map(|item| match item {
        ImplItem::Fn(function) => Some(function),
        _ => None,
    });
    let rules: Vec<BlockRule<'_>> = functions
        .filter_map(|function| rule(function, errors))
        .collect();
    Block {
        item,
        crate_path,
        rules,
    }
}

fn inherent(item: &ItemImpl, errors: &Errors) {
    if let Some((path, _)) = &item.trait_ {
        errors.at(
            path,
            "rules are functions of the type itself; write `#[rules] impl Type`",
        );
    }
}

/// The rules of a type run for all its values. A block for some of them, or one
/// with bounds of its own, would be passed over in silence for the others.
fn whole_type(item: &ItemImpl, errors: &Errors) {
    const ADVICE: &str = "where it does not hold the rules would be skipped in silence; write such a rule as `#[extract(rule(name(field), \"..\", check = ..))]` on the type";
    for parameter in item.generics.type_params() {
        if !parameter.bounds.is_empty() {
            errors.at(
                &parameter.bounds,
                format!("a `#[rules]` block cannot add a bound: {ADVICE}"),
            );
        }
    }
    if let Some(clause) = &item.generics.where_clause {
        errors.at(
            clause,
            format!("a `#[rules]` block cannot add a bound: {ADVICE}"),
        );
    }
    for argument in generic_arguments(&item.self_ty) {
        if !is_parameter(argument, &item.generics) {
            errors.at(
                argument,
                "a `#[rules]` block speaks for all values of a type; write `impl<T> Type<T>`, with a parameter here",
            );
        }
    }
}

fn generic_arguments(ty: &Type) -> Vec<&GenericArgument> {
    let Type::Path(path) = types::bare(ty) else {
        return Vec::new();
    };
    match path.path.segments.last().map(|last| &last.arguments) {
        Some(PathArguments::AngleBracketed(arguments)) => arguments.args.iter().collect(),
        _ => Vec::new(),
    }
}

fn is_parameter(argument: &GenericArgument, generics: &Generics) -> bool {
    let written = argument.to_token_stream().to_string();
    let mut parameters = generics.params.iter();
    parameters.any(|parameter| match parameter {
        GenericParam::Type(one) => one.ident == written,
        GenericParam::Const(one) => one.ident == written,
        GenericParam::Lifetime(_) => true,
    })
}

fn rule<'a>(function: &'a ImplItemFn, errors: &Errors) -> Option<BlockRule<'a>> {
    let signature = &function.sig;
    let sentence = sentence(&function.attrs);
    if sentence.is_empty() {
        errors.at(
            &signature.ident,
            "a rule needs a sentence that the model can read; write it as a doc comment (a function that is no rule belongs in another `impl` block)",
        );
    }
    plain(signature, errors);
    let kind = kind(&function.attrs, errors);
    let outcome = outcome(signature, errors);
    let (whole, arguments) = arguments(signature, errors)?;
    Some(BlockRule {
        name: &signature.ident,
        sentence,
        kind,
        whole,
        arguments,
        outcome,
        cfgs: function
            .attrs
            .iter()
            .filter(|attribute| attribute.path().is_ident("cfg"))
            .collect(),
    })
}

/// The first paragraph of a doc comment, on one line.
fn sentence(attributes: &[Attribute]) -> String {
    let lines = attributes
        .iter()
        .filter_map(|attribute| match &attribute.meta {
            Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
                Expr::Lit(ExprLit {
                    lit: Lit::Str(text),
                    ..
                }) => Some(text.value()),
                _ => None,
            },
            _ => None,
        });
    let text = lines.collect::<Vec<_>>().join("\n");
    let lines = text.lines().map(str::trim);
    let first = lines
        .skip_while(|line| line.is_empty())
        .take_while(|line| !line.is_empty());
    first.collect::<Vec<_>>().join(" ")
}

fn plain(signature: &Signature, errors: &Errors) {
    if let Some(word) = &signature.asyncness {
        errors.at(
            word,
            "rules are synchronous, so that a reply is judged without waiting; ask the outside in `.verify(async |value| ..)` on the builder",
        );
    }
    if let Some(first) = signature.generics.params.first() {
        errors.at(
            first,
            "a rule is called with the type's own fields; leave its generic parameters out",
        );
    }
    if let Safety::Unsafe(word) = &signature.safety {
        errors.at(word, "the flow calls rules as they are; leave `unsafe` out");
    }
}

/// What a marker makes of a rule.
pub(crate) fn marker(attribute: &Attribute) -> Option<RuleKind> {
    let is = |word| attribute.path().is_ident(word);
    if is(words::POLICY) {
        Some(RuleKind::Policy)
    } else if is(words::CHECK) {
        Some(RuleKind::Check)
    } else {
        is(words::RULE).then_some(RuleKind::Rule)
    }
}

fn kind(attributes: &[Attribute], errors: &Errors) -> RuleKind {
    let mut kind = None;
    for attribute in attributes {
        let Some(marked) = marker(attribute) else {
            continue;
        };
        if !matches!(attribute.meta, Meta::Path(_)) {
            errors.at(
                attribute,
                "the function itself says the rest: its name, its doc comment and its parameters; leave the arguments out",
            );
        }
        if kind.is_some() {
            errors.at(attribute, "a rule is of one kind; keep one of the markers");
        }
        kind = Some(marked);
    }
    kind.unwrap_or(RuleKind::Rule)
}

fn outcome(signature: &Signature, errors: &Errors) -> Span {
    match &signature.output {
        ReturnType::Type(_, ty) => ty.span(),
        ReturnType::Default => {
            errors.at(
                &signature.ident,
                "a rule says whether it holds; return `bool`, `Result<(), impl Display>` or `Vec<Violation>`",
            );
            signature.ident.span()
        }
    }
}

fn arguments<'a>(signature: &'a Signature, errors: &Errors) -> Option<(bool, Vec<Argument<'a>>)> {
    let whole = signature.receiver().is_some();
    if let Some(receiver) = signature.receiver()
        && receiver.to_token_stream().to_string() != "& self"
    {
        errors.at(receiver, "a rule only looks at the value; write `&self`");
    }
    let inputs = typed(&signature.inputs);
    if let (true, Some(field)) = (whole, inputs.iter().find(|one| !is_context(one))) {
        errors.at(
            *field,
            "a rule takes `&self` or the fields it concerns, not both; with fields it runs as soon as these are valid",
        );
        return None;
    }
    if !whole && !inputs.iter().any(|one| !is_context(one)) {
        errors.at(
            &signature.ident,
            "a rule takes the fields it concerns as parameters, or `&self` for the whole value (a function that is no rule belongs in another `impl` block)",
        );
        return None;
    }
    given_once(inputs.iter().filter_map(|one| name(one)), errors);
    let arguments: Option<Vec<_>> = inputs.iter().map(|one| argument(one, errors)).collect();
    Some((whole, arguments?))
}

fn typed(inputs: &Punctuated<FnArg, Token![,]>) -> Vec<&PatType> {
    let typed = inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => Some(typed),
        FnArg::Receiver(_) => None,
    });
    typed.collect()
}

fn name(parameter: &PatType) -> Option<&Ident> {
    match parameter.pat.as_ref() {
        Pat::Ident(pattern) if pattern.subpat.is_none() && pattern.by_ref.is_none() => {
            Some(&pattern.ident)
        }
        _ => None,
    }
}

fn is_context(parameter: &PatType) -> bool {
    name(parameter).is_some_and(|name| name.unraw() == words::CONTEXT)
}

fn argument<'a>(parameter: &'a PatType, errors: &Errors) -> Option<Argument<'a>> {
    let Some(name) = name(parameter) else {
        errors.at(
            &parameter.pat,
            "a parameter is a field's name; take the value apart in the body",
        );
        return None;
    };
    if let Pat::Ident(pattern) = parameter.pat.as_ref()
        && let Some(word) = &pattern.mutability
    {
        errors.at(word, "a rule only looks at the field; leave `mut` out");
    }
    let Type::Reference(reference) = types::bare(&parameter.ty) else {
        let ty = parameter.ty.to_token_stream().to_string().replace(' ', "");
        errors.at(
            &parameter.ty,
            format!("a rule looks at the field where it is; write `{name}: &{ty}`"),
        );
        return None;
    };
    if let Some(word) = &reference.mutability {
        errors.at(word, "a rule only looks at the field; leave `mut` out");
    }
    if is_context(parameter) {
        return Some(Argument::Context(&reference.elem));
    }
    Some(Argument::Field(name, parameter.ty.span()))
}
