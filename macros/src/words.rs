//! Every attribute word, once.

pub(crate) const EXTRACT: &str = "extract";
pub(crate) const VALIDATE: &str = "validate";
pub(crate) const SERDE: &str = "serde";
pub(crate) const SCHEMARS: &str = "schemars";

// `#[extract(..)]` on a type.
pub(crate) const RULE: &str = "rule";
pub(crate) const POLICY: &str = "policy";
pub(crate) const CHECK: &str = "check";
pub(crate) const CONTEXT: &str = "context";
pub(crate) const CRATE: &str = "crate";
pub(crate) const DESERIALIZE: &str = "deserialize";
pub(crate) const INSTRUCTIONS: &str = "instructions";
pub(crate) const NO_SCHEMA: &str = "no_schema";
pub(crate) const PORTABLE: &str = "portable";

pub(crate) const ON_TYPE: &[&str] = &[
    RULE,
    POLICY,
    CHECK,
    CONTEXT,
    INSTRUCTIONS,
    DESERIALIZE,
    NO_SCHEMA,
    PORTABLE,
    CRATE,
];

/// Who `portable(..)` may name: the runtime's providers.
pub(crate) const PROVIDERS: &[&str] = &[
    "openai",
    "azure",
    "anthropic",
    "gemini",
    "vertex",
    "xai",
    "deepseek",
    "openrouter",
    "mistral",
    "groq",
    "together",
    "fireworks",
    "ollama",
    "llamacpp",
    "lmstudio",
    "vllm",
];

// `#[extract(..)]` on a field.
pub(crate) const LEAF: &str = "leaf";
pub(crate) const KEEP_DELIMITERS: &str = "keep_delimiters";

pub(crate) const VERBATIM: &str = "verbatim";
pub(crate) const DATE_ORDER: &str = "date_order";

pub(crate) const ON_FIELD: &[&str] = &[LEAF, KEEP_DELIMITERS, VERBATIM, DATE_ORDER];

// The orders of `date_order`, with the variants of `DateOrder`.
pub(crate) const DATE_ORDERS: [(&str, &str); 3] = [("dmy", "Dmy"), ("mdy", "Mdy"), ("ymd", "Ymd")];

// `#[extract(..)]` on a variant.
pub(crate) const SHOWN_AS: &str = "shown_as";

// `#[validate(..)]` on a field.
pub(crate) const LENGTH: &str = "length";
pub(crate) const RANGE: &str = "range";
pub(crate) const EMAIL: &str = "email";
pub(crate) const URL: &str = "url";
pub(crate) const IP: &str = "ip";
pub(crate) const CONTAINS: &str = "contains";
pub(crate) const DOES_NOT_CONTAIN: &str = "does_not_contain";
pub(crate) const REGEX: &str = "regex";
pub(crate) const REQUIRED: &str = "required";
pub(crate) const NON_CONTROL_CHARACTER: &str = "non_control_character";
pub(crate) const MUST_MATCH: &str = "must_match";
pub(crate) const CUSTOM: &str = "custom";
pub(crate) const NESTED: &str = "nested";
pub(crate) const SKIP: &str = "skip";
pub(crate) const CREDIT_CARD: &str = "credit_card";

pub(crate) const CHECKS: &[&str] = &[
    LENGTH,
    RANGE,
    EMAIL,
    URL,
    IP,
    CONTAINS,
    DOES_NOT_CONTAIN,
    REGEX,
    REQUIRED,
    NON_CONTROL_CHARACTER,
    MUST_MATCH,
    CUSTOM,
    NESTED,
];

// `#[validate(..)]` on a type.
pub(crate) const SCHEMA: &str = "schema";
pub(crate) const NEST_ALL_FIELDS: &str = "nest_all_fields";

pub(crate) const CHECKS_ON_TYPE: &[&str] = &[SCHEMA, NESTED, NEST_ALL_FIELDS, CRATE];

// Arguments of a check.
pub(crate) const MESSAGE: &str = "message";
pub(crate) const CODE: &str = "code";
pub(crate) const MIN: &str = "min";
pub(crate) const MAX: &str = "max";
pub(crate) const EQUAL: &str = "equal";
pub(crate) const EXCLUSIVE_MIN: &str = "exclusive_min";
pub(crate) const EXCLUSIVE_MAX: &str = "exclusive_max";
pub(crate) const V4: &str = "v4";
pub(crate) const V6: &str = "v6";
pub(crate) const PATTERN: &str = "pattern";
pub(crate) const PATH: &str = "path";
pub(crate) const OTHER: &str = "other";
pub(crate) const FUNCTION: &str = "function";
pub(crate) const USE_CONTEXT: &str = "use_context";
pub(crate) const SKIP_ON_FIELD_ERRORS: &str = "skip_on_field_errors";

/// `` `a`, `b` or `c` ``
pub(crate) fn one_of<T: AsRef<str>>(words: &[T]) -> String {
    let quoted: Vec<String> = words
        .iter()
        .map(|word| format!("`{}`", word.as_ref()))
        .collect();
    match quoted.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}
