//! Walks and probes without a flow around them.

use serde_json::Value;
use typed_extract::__private::inspect;
use typed_extract::{Extract, Failure};

/// `path: name` or `path: code` of each failure.
fn shown(failures: &[Failure]) -> Vec<String> {
    let line = |failure: &Failure| match failure.rule() {
        Some(rule) => format!("{}: {rule}", failure.path()),
        None => format!("{}: {}", failure.path(), failure.code()),
    };
    failures.iter().map(line).collect()
}

/// What a walk finds in the value that `json` binds to.
pub(crate) fn walked<T: Extract<Context = ()>>(json: &Value) -> Vec<String> {
    walked_with::<T>(json, &())
}

pub(crate) fn walked_with<T: Extract>(json: &Value, context: &T::Context) -> Vec<String> {
    let value: T = serde_json::from_value(json.clone()).expect("the reply binds");
    shown(&inspect::walked(&value, context).0)
}

/// What is found in a reply that does not bind whole.
pub(crate) fn probed<T: Extract<Context = ()>>(json: &Value) -> Vec<String> {
    shown(&inspect::probed::<T>(&json.to_string(), &()))
}

/// `place: name: sentence` of each rule in the prompt.
pub(crate) fn described<T: Extract>() -> Vec<String> {
    let rules = inspect::described::<T>();
    let line = |(place, rule): (String, typed_extract::rule::Rule)| {
        let fields = rule.fields().join(", ");
        format!("{place}|{}({fields})|{}", rule.name(), rule.sentence())
    };
    rules.into_iter().map(line).collect()
}

/// The schema that goes into the prompt, as the contract for replies.
pub(crate) fn schema<T: schemars::JsonSchema>() -> Value {
    let settings = schemars::generate::SchemaSettings::draft2020_12();
    let generator = settings.for_deserialize().into_generator();
    generator.into_root_schema_for::<T>().into()
}

/// `place: code` of each failure of a wrong reply, as the whole flow tells them.
pub(crate) fn refused<T: Extract<Context = ()> + std::fmt::Debug>(reply: &Value) -> Vec<String> {
    let failures = typed_extract::validate::<T>(&reply.to_string()).expect_err("a wrong reply");
    shown(&failures)
}
