//! Gemini's generateContent, at both of its doors.

mod decode;
mod encode;
mod sending;
mod setup;

use serde_json::Value;
use typed_extract::model::gemini::{GenerateContent, GenerateContentBuilder};

fn builder() -> GenerateContentBuilder {
    GenerateContent::builder("gemini-3.5-flash")
}

fn object(value: &Value) -> serde_json::Map<String, Value> {
    value.as_object().unwrap().clone()
}
