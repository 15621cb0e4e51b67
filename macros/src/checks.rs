//! The words of `#[validate(..)]` on a field: read, and written as calls of
//! validator's own traits.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::meta::ParseNestedMeta;
use syn::{Expr, Ident, LitStr, Path};

use crate::errors::Errors;
use crate::words;
use crate::written::{USE_CONTEXT, skip, unknown};

/// One check of a field.
pub(crate) struct Check {
    pub(crate) word: &'static str,
    pub(crate) span: Span,
    pub(crate) arguments: Arguments,
}

/// What stood in a check's parentheses.
#[derive(Default)]
pub(crate) struct Arguments {
    named: Vec<(Ident, Expr)>,
    /// `regex = X`, `contains = X`: the value without a name.
    bare: Option<Expr>,
}

impl Arguments {
    pub(crate) fn get(&self, name: &str) -> Option<&Expr> {
        let found = self.named.iter().find(|(ident, _)| ident == name);
        found.map(|(_, value)| value)
    }
}

/// The arguments that each word takes, beside `message` and `code`.
const TAKES: &[(&str, &[&str])] = &[
    ("length", &["min", "max", "equal"]),
    ("range", &["min", "max", "exclusive_min", "exclusive_max"]),
    ("email", &[]),
    ("url", &[]),
    ("ip", &[]),
    ("ipv4", &[]),
    ("ipv6", &[]),
    ("contains", &["pattern"]),
    ("does_not_contain", &["pattern"]),
    ("must_match", &["other"]),
    ("regex", &["path"]),
    ("required", &[]),
    ("non_control_character", &[]),
    ("custom", &["function"]),
];

/// Reads one word; nothing where it needs no check of ours.
pub(crate) fn read_check(
    meta: &ParseNestedMeta<'_>,
    errors: &mut Errors,
) -> syn::Result<Option<Check>> {
    if meta.path.is_ident("nested") || meta.path.is_ident("skip") {
        skip(meta)?;
        return Ok(None);
    }
    let known = TAKES.iter().find(|(word, _)| meta.path.is_ident(word));
    let Some((word, takes)) = known else {
        unknown(meta, "validate", words::VALIDATIONS, errors)?;
        return Ok(None);
    };
    let mut arguments = Arguments::default();
    if meta.input.peek(syn::Token![=]) {
        arguments.bare = Some(meta.value()?.parse()?);
    } else if meta.input.peek(syn::token::Paren) {
        meta.parse_nested_meta(|inner| argument(&inner, word, takes, &mut arguments))?;
    }
    let span = meta
        .path
        .get_ident()
        .map_or_else(Span::call_site, Ident::span);
    Ok(Some(Check {
        word,
        span,
        arguments,
    }))
}

fn argument(
    meta: &ParseNestedMeta<'_>,
    word: &str,
    takes: &[&str],
    arguments: &mut Arguments,
) -> syn::Result<()> {
    let name = meta.path.require_ident()?.clone();
    if name == "use_context" {
        return Err(meta.error(USE_CONTEXT));
    }
    if !takes.contains(&name.to_string().as_str()) && name != "message" && name != "code" {
        let known = takes
            .iter()
            .chain(&["message", "code"])
            .copied()
            .collect::<Vec<_>>();
        let known = known.join(", ");
        return Err(meta.error(format!("`{word}` takes no `{name}`; it takes {known}")));
    }
    arguments.named.push((name, meta.value()?.parse()?));
    Ok(())
}

impl Check {
    /// The name under which a failure is reported.
    pub(crate) fn name(&self) -> String {
        if let Some(code) = self.arguments.get("code").and_then(text) {
            return code;
        }
        match self.function() {
            Some(path) => path.segments.last().map(|last| last.ident.to_string()),
            None => None,
        }
        .unwrap_or_else(|| self.word.to_owned())
    }

    /// What is said where nothing else is.
    pub(crate) fn sentence(&self) -> String {
        if let Some(message) = self.arguments.get("message").and_then(text) {
            return message;
        }
        let shown = |name: &str| self.arguments.get(name).map(shown);
        match self.word {
            "length" => match shown("equal") {
                Some(equal) => format!("has a length of {equal}"),
                None => bounds("has a length", shown("min"), shown("max")),
            },
            "range" => {
                let low = shown("min")
                    .or_else(|| shown("exclusive_min").map(|x| format!("more than {x}")));
                let high = shown("max")
                    .or_else(|| shown("exclusive_max").map(|x| format!("less than {x}")));
                bounds("is", low, high)
            }
            "email" => "is an e-mail address".to_owned(),
            "url" => "is a URL".to_owned(),
            "ip" => "is an IP address".to_owned(),
            "ipv4" => "is an IPv4 address".to_owned(),
            "ipv6" => "is an IPv6 address".to_owned(),
            "contains" => format!("contains {}", self.subject("pattern")),
            "does_not_contain" => format!("does not contain {}", self.subject("pattern")),
            "must_match" => format!("equals {}", self.subject("other")),
            "regex" => format!("matches {}", self.subject("path")),
            "required" => "is there".to_owned(),
            "non_control_character" => "holds no control characters".to_owned(),
            _ => format!("passes {}", self.name()),
        }
    }

    fn subject(&self, name: &str) -> String {
        self.expression(name).map(shown).unwrap_or_default()
    }

    fn expression(&self, name: &str) -> Option<&Expr> {
        self.arguments.get(name).or(self.arguments.bare.as_ref())
    }

    /// Whether the JSON Schema says it too.
    pub(crate) fn is_in_schema(&self) -> bool {
        matches!(
            self.word,
            "length" | "range" | "email" | "url" | "ip" | "contains" | "regex" | "required"
        )
    }

    /// The exclusive bounds, which schemars does not read.
    pub(crate) fn exclusive_bounds(&self) -> Vec<(&'static str, &Expr)> {
        let bound = |name, keyword| Some((keyword, self.arguments.get(name)?));
        if self.word != "range" {
            return Vec::new();
        }
        let low = bound("exclusive_min", "exclusiveMinimum");
        let high = bound("exclusive_max", "exclusiveMaximum");
        low.into_iter().chain(high).collect()
    }

    fn function(&self) -> Option<Path> {
        if self.word != "custom" {
            return None;
        }
        path_of(self.arguments.get("function")?)
    }

    /// The field that this one must equal.
    pub(crate) fn other(&self) -> Option<Ident> {
        if self.word != "must_match" {
            return None;
        }
        path_of(self.expression("other")?)?.get_ident().cloned()
    }

    /// What is missing or of the wrong form.
    pub(crate) fn fault(&self) -> Option<String> {
        let wants = |what: &str| Some(format!("`{}` needs {what}", self.word));
        let lacks = |name| self.arguments.get(name).is_none();
        match self.word {
            "length" if lacks("min") && lacks("max") && lacks("equal") => {
                wants("`min`, `max` or `equal`")
            }
            "range"
                if ["min", "max", "exclusive_min", "exclusive_max"]
                    .into_iter()
                    .all(lacks) =>
            {
                wants("a bound: `min`, `max`, `exclusive_min` or `exclusive_max`")
            }
            "contains" | "does_not_contain" if self.expression("pattern").is_none() => {
                wants("`pattern = \"..\"`")
            }
            "regex" if self.expression("path").is_none() => wants("`path = STATIC_REGEX`"),
            "custom" if self.function().is_none() => wants("`function = path`"),
            "must_match" if self.other().is_none() => wants("`other = field`"),
            _ => None,
        }
    }

    /// The outcome of the check on `value`, a reference to the field.
    pub(crate) fn outcome(&self, door: &TokenStream, value: &TokenStream) -> TokenStream {
        let v = quote!(#door::validator);
        let some = |name: &str| match self.arguments.get(name) {
            Some(expression) => quote!(::core::option::Option::Some(#expression)),
            None => quote!(::core::option::Option::None),
        };
        let subject = |name: &str| self.expression(name).map(ToTokens::to_token_stream);
        match self.word {
            "length" => {
                let (min, max, equal) = (some("min"), some("max"), some("equal"));
                quote!(#v::ValidateLength::<u64>::validate_length(#value, #min, #max, #equal))
            }
            "range" => {
                let (min, max) = (some("min"), some("max"));
                let (low, high) = (some("exclusive_min"), some("exclusive_max"));
                quote!(#v::ValidateRange::validate_range(#value, #min, #max, #low, #high))
            }
            "email" => quote!(#v::ValidateEmail::validate_email(#value)),
            "url" => quote!(#v::ValidateUrl::validate_url(#value)),
            "ip" => quote!(#v::ValidateIp::validate_ip(#value)),
            "ipv4" => quote!(#v::ValidateIp::validate_ipv4(#value)),
            "ipv6" => quote!(#v::ValidateIp::validate_ipv6(#value)),
            "contains" => {
                let pattern = subject("pattern");
                quote!(#v::ValidateContains::validate_contains(#value, #pattern))
            }
            "does_not_contain" => {
                let pattern = subject("pattern");
                quote!(#v::ValidateDoesNotContain::validate_does_not_contain(#value, #pattern))
            }
            "regex" => {
                let path = subject("path");
                quote!(#v::ValidateRegex::validate_regex(#value, &*#path))
            }
            "required" => quote!(#v::ValidateRequired::validate_required(#value)),
            "non_control_character" => {
                quote!(#v::ValidateNonControlCharacter::validate_non_control_character(#value))
            }
            _ => {
                let function = self.function();
                quote!(#door::custom_check(#function(#value)))
            }
        }
    }
}

/// A path, in quotes or without.
fn path_of(expression: &Expr) -> Option<Path> {
    match expression {
        Expr::Path(path) => Some(path.path.clone()),
        Expr::Lit(literal) => match &literal.lit {
            syn::Lit::Str(text) => text.parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

fn text(expression: &Expr) -> Option<String> {
    let text: LitStr = syn::parse2(expression.to_token_stream()).ok()?;
    Some(text.value())
}

fn shown(expression: &Expr) -> String {
    expression.to_token_stream().to_string().replace(' ', "")
}

fn bounds(what: &str, low: Option<String>, high: Option<String>) -> String {
    match (low, high) {
        (Some(low), Some(high)) => format!("{what} from {low} to {high}"),
        (Some(low), None) => format!("{what} of at least {low}"),
        (None, Some(high)) => format!("{what} of at most {high}"),
        (None, None) => what.to_owned(),
    }
}
