//! OpenAI's Responses: requests as bytes, and answers and streams that no recording holds.

use serde_json::{Value, json};

mod decode;
mod encode;
mod stream;

/// A whole message of this text.
fn message(text: &str) -> Value {
    json!({"type": "message", "status": "completed", "content": [{"type": "output_text", "text": text}]})
}
