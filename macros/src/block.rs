//! `#[rules]`: the functions of an `impl` block become rules.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Expr, FnArg, Ident, ImplItem, ImplItemFn, ItemImpl, Lit, Meta, Pat, Type};

use crate::check::unraw;
use crate::crate_path::CratePath;
use crate::errors::Errors;
use crate::words;
use crate::written::RuleKind;

/// A function that is a rule.
struct BlockRule {
    name: Ident,
    kind: RuleKind,
    sentence: String,
    parameters: Vec<Parameter>,
    returns: Type,
}

enum Parameter {
    /// A field by its name, and the type that the function takes.
    Field(Ident, Type),
    Context(Type),
    Whole,
}

pub(crate) fn expand(arguments: TokenStream, mut block: ItemImpl) -> TokenStream {
    let mut errors = Errors::new();
    let krate = read_arguments(arguments, &mut errors);
    if let Some((path, _)) = &block.trait_ {
        errors.at(
            path,
            "`#[rules]` stands on an inherent block: `#[rules] impl Type { .. }`",
        );
    }
    let mut rules = Vec::new();
    for item in &mut block.items {
        if let ImplItem::Fn(function) = item {
            rules.extend(read_rule(function, &mut errors));
        }
    }
    check_names(&rules, &mut errors);
    let failed = errors.finish().err().map(|error| error.to_compile_error());
    if let Some(errors) = failed {
        return quote!(#block #errors);
    }
    let hidden = hidden(&krate, &block, &rules);
    quote!(#block #hidden)
}

fn read_arguments(arguments: TokenStream, errors: &mut Errors) -> CratePath {
    let mut krate = CratePath::default();
    if arguments.is_empty() {
        return krate;
    }
    let parser = syn::meta::parser(|meta| {
        if !meta.path.is_ident(words::CRATE) {
            return Err(meta.error("`rules` takes no arguments but `crate = path`"));
        }
        krate = CratePath::new(meta.value()?.parse()?)?;
        Ok(())
    });
    errors.keep(syn::parse::Parser::parse2(parser, arguments));
    krate
}

/// Reads a function and takes our marks off it.
fn read_rule(function: &mut ImplItemFn, errors: &mut Errors) -> Option<BlockRule> {
    let kind = take_kind(&mut function.attrs, errors);
    let signature = &function.sig;
    if let Some(word) = &signature.asyncness {
        errors.at(
            word,
            "rules are synchronous; ask the outside with `.verify(async |value| ..)` on the \
             extraction",
        );
    }
    if !signature.generics.params.is_empty() {
        errors.at(
            &signature.generics,
            "a rule has no parameters of its own but fields",
        );
    }
    let sentence = sentence(&function.attrs);
    if sentence.is_empty() {
        errors.at(
            &signature.ident,
            format!(
                "the rule `{}` needs a sentence that the model and people can read: write it as \
                 a doc comment; a function that is no rule stands in another `impl` block",
                signature.ident
            ),
        );
    }
    let parameters = read_parameters(function, errors);
    let returns = match &signature.output {
        syn::ReturnType::Type(_, ty) => (**ty).clone(),
        syn::ReturnType::Default => {
            errors.at(
                &signature.ident,
                "a rule says whether it holds: return `bool`, `Result<(), impl Display>` or \
                 `Vec<Violation>`",
            );
            return None;
        }
    };
    Some(BlockRule {
        name: signature.ident.clone(),
        kind,
        sentence,
        parameters,
        returns,
    })
}

fn take_kind(attributes: &mut Vec<Attribute>, errors: &mut Errors) -> RuleKind {
    let marks = [
        (words::POLICY, RuleKind::Policy),
        (words::CHECK, RuleKind::Check),
    ];
    let mut kind = None;
    attributes.retain(|attribute| {
        let mark = marks
            .iter()
            .find(|(word, _)| attribute.path().is_ident(word));
        let Some((_, marked)) = mark else {
            return true;
        };
        if !matches!(attribute.meta, Meta::Path(_)) {
            errors.at(attribute, "this mark takes no arguments");
        }
        if kind.is_some() {
            errors.at(
                attribute,
                "a rule is a `#[policy]` or a `#[check]`, not both",
            );
        }
        kind = Some(*marked);
        false
    });
    kind.unwrap_or(RuleKind::Rule)
}

/// The doc comment, its lines joined.
fn sentence(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| {
        let Meta::NameValue(pair) = &attribute.meta else {
            return None;
        };
        let Expr::Lit(literal) = &pair.value else {
            return None;
        };
        match &literal.lit {
            Lit::Str(text) if pair.path.is_ident("doc") => Some(text.value().trim().to_owned()),
            _ => None,
        }
    });
    // What follows an empty line is for readers of the code.
    let told = lines.take_while(|line| !line.is_empty());
    told.collect::<Vec<_>>().join(" ")
}

fn read_parameters(function: &ImplItemFn, errors: &mut Errors) -> Vec<Parameter> {
    let inputs = &function.sig.inputs;
    let parameters: Vec<Parameter> = inputs
        .iter()
        .filter_map(|input| read_parameter(input, errors))
        .collect();
    let whole = parameters.iter().any(|one| matches!(one, Parameter::Whole));
    let fields = parameters
        .iter()
        .any(|one| matches!(one, Parameter::Field(..)));
    if whole && fields {
        errors.at(
            inputs,
            "a rule reads single fields, so that it can run while others are wrong, or `&self`, \
             not both",
        );
    }
    if !whole && !fields {
        errors.at(
            &function.sig.ident,
            "a rule's parameters are the fields it concerns, or `&self` for the whole value",
        );
    }
    parameters
}

fn read_parameter(input: &FnArg, errors: &mut Errors) -> Option<Parameter> {
    let typed = match input {
        FnArg::Receiver(receiver) => {
            let by_reference = matches!(receiver.kind, syn::ReceiverKind::Reference(_, _, None));
            if !by_reference || receiver.mutability.is_some() {
                errors.at(receiver, "a rule only looks: take `&self`");
            }
            return Some(Parameter::Whole);
        }
        FnArg::Typed(typed) => typed,
    };
    let Pat::Ident(pattern) = &*typed.pat else {
        errors.at(&typed.pat, "a rule's parameter is the name of a field");
        return None;
    };
    if let Some(word) = &pattern.mutability {
        errors.at(word, "a rule only looks: its parameters are not `mut`");
    }
    let is_reference =
        matches!(&*typed.ty, Type::Reference(reference) if reference.mutability.is_none());
    if !is_reference {
        let ty = &typed.ty;
        let ty_text = quote!(#ty).to_string();
        errors.at(
            ty,
            format!("a rule takes its fields by reference: `&{ty_text}`"),
        );
        return None;
    }
    if pattern.ident == words::CONTEXT {
        return Some(Parameter::Context((*typed.ty).clone()));
    }
    Some(Parameter::Field(pattern.ident.clone(), (*typed.ty).clone()))
}

fn check_names(rules: &[BlockRule], errors: &mut Errors) {
    for (at, rule) in rules.iter().enumerate() {
        if rules.iter().take(at).any(|other| other.name == rule.name) {
            errors.at(
                &rule.name,
                format!("a rule named `{}` is there already", rule.name),
            );
        }
    }
}

/// The hidden functions that the derive calls:
///
/// ```text
/// impl Invoice {
///     fn __extract_rules(fields: &InvoiceFields, ..) { if let Some(..) = .. { .. } }
///     fn __extract_rule_infos() -> &'static [RuleInfo] { &[..] }
/// }
/// ```
fn hidden(krate: &CratePath, block: &ItemImpl, rules: &[BlockRule]) -> TokenStream {
    let door = krate.door();
    let (impl_generics, _, where_clause) = block.generics.split_for_impl();
    let ty = &block.self_ty;
    let infos = rules.iter().map(|rule| info(&door, rule));
    let runs = rules.iter().map(|rule| run(&door, rule));
    quote! {
        #[automatically_derived]
        #[doc(hidden)]
        #[allow(clippy::all, clippy::pedantic, unused_qualifications, unused_variables)]
        impl #impl_generics #ty #where_clause {
            #[doc(hidden)]
            pub(crate) fn __extract_rules<'__f>(
                __fields: &<Self as #door::Declared>::Fields<'__f>,
                __whole: ::core::option::Option<&'__f Self>,
                __context: &<Self as #door::Declared>::Context,
                __sink: &mut #door::Sink<'_>,
            ) {
                #(#runs)*
            }

            #[doc(hidden)]
            pub(crate) fn __extract_rule_infos() -> &'static [#door::RuleInfo] {
                const { &[#(#infos),*] }
            }
        }
    }
}

fn info(door: &TokenStream, rule: &BlockRule) -> TokenStream {
    let name = unraw(&rule.name);
    let sentence = &rule.sentence;
    let kind = rule.kind.variant();
    let fields = rule
        .parameters
        .iter()
        .filter_map(|parameter| match parameter {
            Parameter::Field(ident, _) => Some(unraw(ident)),
            Parameter::Context(_) | Parameter::Whole => None,
        });
    quote! {
        #door::RuleInfo {
            name: #name,
            sentence: #sentence,
            kind: #door::RuleKind::#kind,
            fields: &[#(#fields),*],
        }
    }
}

fn run(door: &TokenStream, rule: &BlockRule) -> TokenStream {
    let info = info(door, rule);
    let name = &rule.name;
    let mut conditions = Vec::new();
    let mut patterns = Vec::new();
    let mut arguments = Vec::new();
    for (at, parameter) in rule.parameters.iter().enumerate() {
        let bound = format_ident!("__v{at}", span = proc_macro2::Span::mixed_site());
        match parameter {
            Parameter::Field(field, ty) => {
                conditions.push(quote_spanned!(field.span()=> __fields.#field));
                patterns.push(quote!(#bound));
                // A wrong type is an error under the parameter's type.
                arguments.push(spanned(&quote!(#bound), ty));
            }
            Parameter::Whole => {
                conditions.push(quote!(__whole));
                patterns.push(quote!(#bound));
                arguments.push(quote!(#bound));
            }
            Parameter::Context(ty) => {
                let wanted = match ty {
                    Type::Reference(reference) => &*reference.elem,
                    other => other,
                };
                let span = wanted.span();
                arguments.push(quote_spanned! {span=>
                    #door::as_context::<#wanted, _>(__context)
                });
            }
        }
    }
    let returns = &rule.returns;
    let outcome = format_ident!("__outcome", span = returns.span());
    let call = quote_spanned!(returns.span()=> __sink.outcome(const { &#info }, #outcome));
    quote! {
        if let (#(::core::option::Option::Some(#patterns),)*) = (#(#conditions,)*) {
            let #outcome = Self::#name(#(#arguments),*);
            #call;
        }
    }
}

fn spanned(tokens: &TokenStream, at: &impl ToTokens) -> TokenStream {
    let span = at
        .to_token_stream()
        .into_iter()
        .next()
        .map(|token| token.span());
    let span = span.unwrap_or_else(proc_macro2::Span::call_site);
    let respan = |mut token: proc_macro2::TokenTree| {
        token.set_span(span.resolved_at(token.span()));
        token
    };
    tokens.clone().into_iter().map(respan).collect()
}
