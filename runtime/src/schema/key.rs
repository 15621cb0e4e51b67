//! The form of map keys.

use jsonschema::Validator;
use schemars::JsonSchema;
use serde_json::{Value, json};

use super::generate;
use crate::flow::tape::TapeJson;

/// What checks that a key has the form of its type; nothing where the type says
/// nothing of texts, or its own reading of a key allows one spelling only.
pub(crate) fn key_form<K: JsonSchema>() -> Option<Validator<TapeJson>> {
    let form = generate::canonical::<K>(false);
    let is_text = match form.get("type") {
        Some(Value::String(kind)) => kind == "string",
        Some(_) => false,
        None => form != json!({}) && form != Value::Bool(true),
    };
    is_text.then(|| super::validator(&form).ok()).flatten()
}
