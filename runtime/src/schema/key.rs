//! The form of map keys.

use jsonschema::Validator;
use schemars::JsonSchema;
use serde_json::{Value, json};

use super::generate;
use crate::flow::tape::{Cursor, TapeJson};

/// The form of the keys of a type.
pub(crate) struct KeyForm {
    validator: Validator<TapeJson>,
    /// What a key is told that has another one.
    message: String,
}

impl KeyForm {
    /// Whether a key has the form; else what it must be.
    pub(crate) fn check(&self, key: Cursor<'_>) -> Result<(), &str> {
        if self.validator.is_valid(key) {
            Ok(())
        } else {
            Err(&self.message)
        }
    }
}

/// The form that the keys of a type must have; nothing where the type says
/// nothing of texts, or its own reading of a key allows one spelling only.
pub(crate) fn key_form<K: JsonSchema>() -> Option<KeyForm> {
    let form = generate::canonical::<K>(false);
    let is_text = match form.get("type") {
        Some(Value::String(kind)) => kind == "string",
        Some(_) => false,
        None => form != json!({}) && form != Value::Bool(true),
    };
    let validator = is_text.then(|| super::validator(&form).ok()).flatten()?;
    Some(KeyForm {
        validator,
        message: message(&form),
    })
}

/// The names that a key may have, where they are listed, or its format.
fn message(form: &Value) -> String {
    let branches = form.get("oneOf").and_then(Value::as_array);
    let branches = branches.map_or(std::slice::from_ref(form), Vec::as_slice);
    let listed = branches.iter().flat_map(|branch| {
        let listed = branch.get("enum").and_then(Value::as_array);
        listed.into_iter().flatten().chain(branch.get("const"))
    });
    let names: Vec<&str> = listed.filter_map(Value::as_str).collect();
    let format = form.get("format").and_then(Value::as_str);
    match (names.as_slice(), format) {
        ([], Some(format)) => format!("this key must have the format {format}"),
        ([], None) => "this key has not the form that its type writes".to_owned(),
        (names, _) => format!("this key must be one of {}", names.join(", ")),
    }
}
