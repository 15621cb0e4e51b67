//! The schema layer: every error of the validator, each at its own place and in
//! one phrasing, and for a union only those of the branch that was meant.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

use super::tape::{Cursor, Kind};
use crate::failure::{Code, Failure, Layer};
use crate::path::{Path, Segment};
use crate::schema::{DECIMAL, Schema, forms};

/// One error of the schema layer, and the node it taints.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    pub(crate) path: Path,
    pub(crate) node: u32,
    code: &'static str,
    message: String,
    /// The values that would have been right, for `enum` and `const`.
    options: BTreeSet<String>,
    /// The types that would have been right, for `type`.
    types: BTreeSet<&'static str>,
    found: Option<String>,
}

impl Finding {
    pub(crate) fn code(&self) -> &'static str {
        self.code
    }

    pub(crate) fn into_failure(self) -> Failure {
        Failure::new(Layer::Schema, Code::new(self.code), self.path, self.message)
            .with_found(self.found)
    }
}

/// How many errors of one reply are spelled out.
const SPELLED_OUT: usize = 256;

/// What the schema says against a value.
#[derive(Debug, Clone, Default)]
pub(crate) struct Explained {
    pub(crate) findings: Vec<Finding>,
    /// How many more errors there are.
    pub(crate) omitted: usize,
}

/// All that the schema says against the value at `root`.
pub(crate) fn explain(schema: &Schema, root: Cursor<'_>) -> Explained {
    if echoes_schema(schema, root) {
        return Explained::of(Finding::at(
            &Place {
                path: Path::root(),
                cursor: root,
            },
            "shape.schema_echo",
            "this is the schema itself; reply with a value that matches it",
        ));
    }
    let errors: Vec<_> = schema.validator.iter_errors(root).collect();
    explain_all(root, &errors)
}

impl Explained {
    fn of(finding: Finding) -> Self {
        Self {
            findings: vec![finding],
            omitted: 0,
        }
    }

    /// Adds what `more` says, as far as there is room.
    fn extend(&mut self, more: Self) {
        let room = SPELLED_OUT.saturating_sub(self.findings.len());
        self.omitted += more.omitted + more.findings.len().saturating_sub(room);
        self.findings.extend(more.findings.into_iter().take(room));
    }
}

/// Keys that exist only in the language of schemas show that the schema came
/// back in place of an answer.
fn echoes_schema(schema: &Schema, root: Cursor<'_>) -> bool {
    let declared = |key: &str| {
        schema
            .value
            .pointer(&format!("/properties/{key}"))
            .is_some()
    };
    let holds = |key: &str, kind| root.get(key).is_some_and(|value| value.kind() == kind);
    holds("properties", Kind::Object)
        && holds("type", Kind::String)
        && !declared("properties")
        && !declared("type")
}

/// Where an error of the validator stands on the tape.
struct Place<'c> {
    path: Path,
    cursor: Cursor<'c>,
}

impl<'c> Place<'c> {
    /// Follows a JSON Pointer of the validator's from the root.
    fn locate(root: Cursor<'c>, pointer: &str) -> Self {
        let mut place = Place {
            path: Path::root(),
            cursor: root,
        };
        for token in pointer.split('/').skip(1) {
            let key = token.replace("~1", "/").replace("~0", "~");
            let (step, below) = match place.cursor.kind() {
                Kind::Array => {
                    let index = key.parse().unwrap_or(usize::MAX);
                    (Segment::Index(index), place.cursor.elements().nth(index))
                }
                _ => (Segment::Key(key.clone().into()), place.cursor.get(&key)),
            };
            let Some(below) = below else { break };
            place = Place {
                path: extend(&place.path, step),
                cursor: below,
            };
        }
        place
    }

    fn key(&self, name: &str) -> Path {
        self.path.clone().key(name.to_owned())
    }
}

fn extend(path: &Path, step: Segment) -> Path {
    path.segments().iter().cloned().chain([step]).collect()
}

fn explain_all(root: Cursor<'_>, errors: &[ValidationError<'_>]) -> Explained {
    let mut all = Explained::default();
    for error in errors {
        if all.findings.len() < SPELLED_OUT {
            all.extend(explain_one(root, error));
        } else {
            all.omitted += 1;
        }
    }
    let mut seen = BTreeSet::new();
    all.findings
        .retain(|finding| seen.insert((finding.path.pointer(), finding.code)));
    all
}

fn explain_one(root: Cursor<'_>, error: &ValidationError<'_>) -> Explained {
    use ValidationErrorKind as E;
    let place = Place::locate(root, error.instance_path().as_str());
    match error.kind() {
        E::AnyOf { context } => union(root, &place, context, "schema.any_of"),
        E::OneOfNotValid { context } => union(root, &place, context, "schema.one_of"),
        E::AdditionalProperties { unexpected } | E::UnevaluatedProperties { unexpected } => {
            let told = unexpected.iter().take(SPELLED_OUT);
            let findings: Vec<_> = told.map(|key| Finding::unknown_key(&place, key)).collect();
            Explained {
                omitted: unexpected.len() - findings.len(),
                findings,
            }
        }
        kind => Explained::of(single(&place, kind)),
    }
}

/// The kinds of error that are one finding.
fn single(place: &Place<'_>, kind: &ValidationErrorKind) -> Finding {
    use ValidationErrorKind as E;
    match kind {
        E::Required { property } => Finding::missing_key(place, property),
        E::Type { kind } => Finding::wrong_type(place, kind),
        E::Enum { options } => {
            let options = options.as_array().into_iter().flatten();
            Finding::not_listed(place, options.map(Value::to_string).collect())
        }
        E::Constant { expected_value } => {
            Finding::not_listed(place, BTreeSet::from([expected_value.to_string()]))
        }
        E::PropertyNames { error } => Finding::at(
            place,
            "schema.property_names",
            format!("a key here is not allowed: {}", error.masked()),
        ),
        kind => plain(place, kind),
    }
}

/// The kinds of error that say all in a code and a sentence.
fn plain(place: &Place<'_>, kind: &ValidationErrorKind) -> Finding {
    use ValidationErrorKind as E;
    let (code, message) = match kind {
        E::Format { format } => (
            "schema.format",
            format!("expected {}", format_words(format)),
        ),
        E::Minimum { limit } => ("schema.range", format!("must be at least {limit}")),
        E::Maximum { limit } => ("schema.range", format!("must be at most {limit}")),
        E::ExclusiveMinimum { limit } => ("schema.range", format!("must be more than {limit}")),
        E::ExclusiveMaximum { limit } => ("schema.range", format!("must be less than {limit}")),
        E::MultipleOf { multiple_of } => (
            "schema.multiple_of",
            format!("must be a multiple of {multiple_of}"),
        ),
        E::MinLength { limit } => (
            "schema.length",
            format!("needs at least {limit} characters"),
        ),
        E::MaxLength { limit } => (
            "schema.length",
            format!("may have at most {limit} characters"),
        ),
        E::MinItems { limit } => ("schema.length", format!("needs at least {limit} elements")),
        E::MaxItems { limit } => (
            "schema.length",
            format!("may have at most {limit} elements"),
        ),
        E::AdditionalItems { limit } => (
            "schema.length",
            format!("may have at most {limit} elements"),
        ),
        E::UnevaluatedItems { .. } => ("schema.length", "has elements too many".to_owned()),
        E::MinProperties { limit } => ("schema.length", format!("needs at least {limit} keys")),
        E::MaxProperties { limit } => ("schema.length", format!("may have at most {limit} keys")),
        E::Pattern { pattern } if pattern == DECIMAL => (
            "schema.pattern",
            "expected a plain decimal such as \"1234.50\": a point before the decimals, no \
             thousands separators, no currency sign"
                .to_owned(),
        ),
        E::Pattern { pattern } => (
            "schema.pattern",
            forms::words(pattern).map_or_else(
                || format!("must match the pattern {pattern}"),
                |words| format!("expected {words}"),
            ),
        ),
        E::UniqueItems => ("schema.unique", "no two elements may be equal".to_owned()),
        E::Contains => (
            "schema.contains",
            "lacks an element that is asked for".to_owned(),
        ),
        E::Not { .. } => ("schema.not", "has a shape that is ruled out".to_owned()),
        E::FalseSchema => ("schema.additional", "nothing may stand here".to_owned()),
        E::OneOfMultipleValid { .. } => (
            "schema.one_of",
            "fits more than one of the allowed shapes".to_owned(),
        ),
        other => (
            "schema.other",
            format!("breaks the keyword {}", other.keyword()),
        ),
    };
    Finding::at(place, code, message)
}

fn format_words(format: &str) -> String {
    let words = match format {
        "date" => "a date as YYYY-MM-DD",
        "date-time" => "a date and time with offset as YYYY-MM-DDThh:mm:ssZ (RFC 3339)",
        "time" => "a time with offset as hh:mm:ssZ (RFC 3339)",
        "duration" => "an ISO 8601 duration such as P3DT4H",
        "email" => "an e-mail address",
        "uri" => "a URI with a scheme",
        "uuid" => "a UUID",
        "ipv4" => "an IPv4 address",
        "ipv6" => "an IPv6 address",
        other => return format!("text of the format {other}"),
    };
    words.to_owned()
}

impl Finding {
    fn at(place: &Place<'_>, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            path: place.path.clone(),
            node: place.cursor.id(),
            code,
            message: message.into(),
            options: BTreeSet::new(),
            types: BTreeSet::new(),
            found: place.cursor.shown(),
        }
    }

    fn unknown_key(place: &Place<'_>, key: &str) -> Self {
        let cursor = place.cursor.get(key).unwrap_or(place.cursor);
        let unknown = Place {
            path: place.key(key),
            cursor,
        };
        Self::at(
            &unknown,
            "schema.additional",
            "no such key is known here; leave it out",
        )
    }

    fn missing_key(place: &Place<'_>, property: &Value) -> Self {
        let key = property.as_str().unwrap_or_default();
        let mut finding = Self::at(place, "schema.required", "this key is required and missing");
        finding.path = place.key(key);
        finding.found = None;
        finding
    }

    fn wrong_type(place: &Place<'_>, kind: &TypeKind) -> Self {
        let types = match kind {
            TypeKind::Single(one) => BTreeSet::from([type_name(*one)]),
            TypeKind::Multiple(several) => several.iter().map(type_name).collect(),
        };
        Self::not_of_types(place, types)
    }

    fn not_of_types(place: &Place<'_>, types: BTreeSet<&'static str>) -> Self {
        let expected = types.iter().copied().collect::<Vec<_>>().join(" or ");
        let found = found_type(place.cursor);
        let message = if types.contains("integer") && found == "number" {
            format!("expected {expected}, written without a fraction or an exponent")
        } else {
            format!("expected {expected}, not {found}")
        };
        Self {
            types,
            ..Self::at(place, "schema.type", message)
        }
    }

    fn not_listed(place: &Place<'_>, options: BTreeSet<String>) -> Self {
        let listed = options.iter().map(String::as_str).collect::<Vec<_>>();
        let message = match listed.as_slice() {
            [one] => format!("must be {one}"),
            several => format!("must be one of {}", several.join(", ")),
        };
        Self {
            options,
            ..Self::at(place, "schema.enum", message)
        }
    }
}

fn type_name(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Array => "array",
        JsonType::Boolean => "boolean",
        JsonType::Integer => "integer",
        JsonType::Null => "null",
        JsonType::Number => "number",
        JsonType::Object => "object",
        JsonType::String => "string",
    }
}

fn found_type(cursor: Cursor<'_>) -> &'static str {
    match cursor.kind() {
        Kind::Null => "null",
        Kind::Bool => "boolean",
        Kind::Number => "number",
        Kind::String => "string",
        Kind::Array => "array",
        Kind::Object => "object",
    }
}

/// A union that failed: the errors of the branch that was meant, or what all
/// branches together would have taken.
fn union(
    root: Cursor<'_>,
    place: &Place<'_>,
    context: &[Vec<ValidationError<'static>>],
    code: &'static str,
) -> Explained {
    let branches: Vec<Explained> = context
        .iter()
        .map(|errors| explain_all(root, errors))
        .collect();
    let depth = place.path.segments().len();
    let meant: Vec<&Explained> = branches
        .iter()
        .filter(|branch| !rules_itself_out(&branch.findings, depth))
        .collect();
    match meant.as_slice() {
        [one] => (*one).clone(),
        [] => Explained::of(none_meant(place, &branches, code)),
        several => {
            common(several).unwrap_or_else(|| Explained::of(no_branch(place, &branches, code)))
        }
    }
}

/// Whether a branch cannot be the one that was meant: its tag differs, its type
/// differs, or its only key is another.
fn rules_itself_out(findings: &[Finding], depth: usize) -> bool {
    let level = |finding: &Finding| {
        finding.path.segments().len() - depth.min(finding.path.segments().len())
    };
    let has = |code: &str, at: usize| {
        findings
            .iter()
            .any(|finding| finding.code == code && level(finding) <= at)
    };
    has("schema.enum", 1)
        || has("schema.type", 0)
        || has("schema.required", 1) && has("schema.additional", 1)
}

/// What stands against every branch that may have been meant.
fn common(branches: &[&Explained]) -> Option<Explained> {
    let (first, rest) = branches.split_first()?;
    let everywhere = |finding: &&Finding| {
        rest.iter().all(|branch| {
            branch
                .findings
                .iter()
                .any(|other| other.code == finding.code && other.path == finding.path)
        })
    };
    let shared: Vec<Finding> = first.findings.iter().filter(everywhere).cloned().collect();
    (!shared.is_empty()).then_some(Explained {
        findings: shared,
        omitted: first.omitted,
    })
}

/// Nothing was meant: if the branches differ in one place's value or type, say
/// what that place may hold.
fn none_meant(place: &Place<'_>, branches: &[Explained], code: &'static str) -> Finding {
    let all = || branches.iter().flat_map(|branch| &branch.findings);
    let tag = all().find(|finding| finding.code == "schema.enum");
    if let Some(tag) = tag {
        let mut options: BTreeSet<String> = all()
            .filter(|finding| finding.code == "schema.enum" && finding.path == tag.path)
            .flat_map(|finding| finding.options.iter().cloned())
            .collect();
        let takes_null = all().any(|f| f.types.contains("null") && f.path == tag.path);
        options.extend(takes_null.then(|| "null".to_owned()));
        let place = Place {
            path: tag.path.clone(),
            cursor: place.cursor.at(tag.node),
        };
        return Finding::not_listed(&place, options);
    }
    let types: BTreeSet<&'static str> = all()
        .filter(|finding| finding.path == place.path)
        .flat_map(|finding| finding.types.iter().copied())
        .collect();
    let differs = |branch: &Explained| {
        branch
            .findings
            .iter()
            .any(|f| f.code == "schema.type" && f.path == place.path)
    };
    if branches.iter().all(differs) {
        return Finding::not_of_types(place, types);
    }
    no_branch(place, branches, code)
}

fn no_branch(place: &Place<'_>, branches: &[Explained], code: &'static str) -> Finding {
    let wanting: BTreeSet<String> = branches
        .iter()
        .flat_map(|branch| &branch.findings)
        .filter(|finding| finding.code == "schema.required")
        .map(|finding| finding.path.to_string())
        .collect();
    let mut message = format!("fits none of the {} allowed shapes", branches.len());
    if !wanting.is_empty() {
        let keys = wanting.into_iter().collect::<Vec<_>>().join(", ");
        let _ = write!(
            message,
            "; keys that one of them asks for are missing: {keys}"
        );
    }
    Finding::at(place, code, message)
}

/// Whether the value passes; the cheap question of the success path.
pub(crate) fn holds(schema: &Schema, root: Cursor<'_>) -> bool {
    schema.validator.is_valid(root)
}
