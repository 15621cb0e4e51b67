//! The form of map keys.

use jsonschema::Validator;
use schemars::JsonSchema;
use serde_json::{Value, json};

use super::{exact, forms, generate};
use crate::json::{Cursor, TapeJson};

/// The form of the keys of a type.
#[derive(Debug)]
pub(crate) struct KeyForm {
    validator: Validator<TapeJson>,
    /// What a key must be.
    words: String,
}

impl KeyForm {
    /// Nothing where the type says nothing of texts, or its own reading of a key
    /// allows one spelling only.
    pub(crate) fn of<K: JsonSchema>() -> Option<Self> {
        let form = generate::canonical::<K>(false);
        let is_text = match form.get("type") {
            Some(Value::String(kind)) => kind == "string",
            Some(_) => false,
            None => form != json!({}) && form != Value::Bool(true),
        };
        let validator = super::validator(&form).ok().filter(|_| is_text)?;
        let words = words(&exact::checked(&form));
        Some(Self { validator, words })
    }

    /// What is wrong with a key.
    pub(crate) fn fault(&self, key: Cursor<'_>) -> Option<String> {
        let fits = self.validator.is_valid(key);
        (!fits).then(|| format!("this key must be {}", self.words))
    }
}

fn words(form: &Value) -> String {
    let text = |keyword| form.get(keyword).and_then(Value::as_str);
    let names = names(form);
    if !names.is_empty() {
        let names: Vec<String> = names.into_iter().map(Value::to_string).collect();
        return format!("one of {}", names.join(", "));
    }
    let of_pattern = text("pattern").and_then(forms::words).map(str::to_owned);
    let of_format = || text("format").map(exact::words);
    of_pattern
        .or_else(of_format)
        .unwrap_or_else(|| "as its type writes it".to_owned())
}

/// The variants of an enum.
fn names(form: &Value) -> Vec<&Value> {
    let list = |keyword| form.get(keyword).and_then(Value::as_array);
    let listed = list("enum").into_iter().flatten();
    let branches = list("oneOf").into_iter().flatten();
    let constants = branches.flat_map(|branch| {
        let alone = branch.get("const").into_iter();
        let listed = branch.get("enum").and_then(Value::as_array);
        alone.chain(listed.into_iter().flatten())
    });
    listed.chain(constants).collect()
}
