//! What must not get into a recording.

use std::{collections::BTreeSet, fmt};

use serde_json::Value;

use super::{Answered, Asked};
use crate::model::http::HttpRequest;

/// The headers that a replay needs; all others stay out of a recording.
const KEPT_HEADERS: [&str; 3] = ["content-type", "date", "x-should-retry"];
const KEPT_BEGINNINGS: [&str; 3] = ["retry-after", "x-ratelimit-", "anthropic-ratelimit-"];
/// Keys under which providers name a request, an answer or a machine.
const ID_KEYS: [&str; 9] = [
    "id",
    "item_id",
    "request_id",
    "requestId",
    "responseId",
    "system_fingerprint",
    "obfuscation",
    "thoughtSignature",
    "encrypted_content",
];
/// Request headers that carry no secret.
const OPEN_HEADERS: [&str; 3] = ["content-type", "accept", "anthropic-version"];
/// A shorter value is no key, and taking it out would leave nothing readable.
const KEY_BYTES: usize = 6;

/// Takes out of an exchange what must not be kept.
///
/// Always: the headers of a request, keys wherever they show up again, response headers but for
/// those about type and retries, and ids of requests, answers and machines. What else is private
/// is [named](Self::field) or [given](Self::text), and then replaced in what is recorded and in
/// the requests of a replay alike.
///
/// ```
/// use typed_extract::testing::Scrubber;
///
/// let scrubber = Scrubber::new().field("/user").text("Acme Ltd");
/// # let _ = scrubber;
/// ```
#[derive(Clone, Default)]
pub struct Scrubber {
    fields: Vec<String>,
    texts: Vec<String>,
}

impl fmt::Debug for Scrubber {
    /// Without the texts, which are private.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scrubber")
            .field("fields", &self.fields)
            .field("texts", &self.texts.len())
            .finish()
    }
}

impl Scrubber {
    /// Takes out keys and ids.
    pub fn new() -> Self {
        Self::default()
    }

    /// Empties this field of requests and responses too, given by its JSON Pointer (RFC 6901).
    #[must_use]
    pub fn field(mut self, pointer: impl Into<String>) -> Self {
        self.fields.push(pointer.into());
        self
    }

    /// Replaces this text wherever it stands, written plainly or inside JSON.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.texts.push(text.into());
        self
    }

    pub(super) fn asked(&self, request: &HttpRequest, asked: Asked) -> Asked {
        let secrets = self.secrets(request);
        let mut body = asked.body;
        self.empty_fields(&mut body);
        let text = cleared(&body.to_string(), &secrets);
        Asked {
            url: cleared(&asked.url, &secrets),
            // What is put in needs no escape, so the text is still JSON.
            body: serde_json::from_str(&text).unwrap_or(body),
        }
    }

    pub(super) fn answered(&self, request: &HttpRequest, answered: Answered) -> Answered {
        let mut secrets = self.secrets(request);
        secrets.extend(ids(&answered.body).into_iter().map(|id| (id, "[id]")));
        let body = self.response_fields(answered.body);
        let kept = answered
            .headers
            .into_iter()
            .filter(|(name, _)| is_kept(name));
        Answered {
            status: answered.status,
            headers: kept
                .map(|(name, value)| (name, cleared(&value, &secrets)))
                .collect(),
            body: cleared(&body, &secrets),
            milliseconds: answered.milliseconds,
        }
    }

    /// What is replaced by what.
    fn secrets(&self, request: &HttpRequest) -> Vec<(String, &'static str)> {
        let keys = request
            .headers()
            .filter(|(name, _)| !OPEN_HEADERS.contains(name))
            .map(|(_, value)| value.strip_prefix("Bearer ").unwrap_or(value))
            .filter(|key| key.len() >= KEY_BYTES)
            .map(|key| (key.to_owned(), "[key]"));
        let texts = self.texts.iter().filter(|text| !text.is_empty());
        let texts = texts.flat_map(|text| spellings(text).map(|text| (text, "[scrubbed]")));
        keys.chain(texts).collect()
    }

    fn empty_fields(&self, body: &mut Value) {
        for pointer in &self.fields {
            if let Some(field) = body.pointer_mut(pointer) {
                *field = Value::from("[scrubbed]");
            }
        }
    }

    /// Only a body in which a field is to be emptied is written anew.
    fn response_fields(&self, body: String) -> String {
        let named = |value: &Value| {
            self.fields
                .iter()
                .any(|field| value.pointer(field).is_some())
        };
        match serde_json::from_str::<Value>(&body) {
            Ok(mut value) if named(&value) => {
                self.empty_fields(&mut value);
                value.to_string()
            }
            _ => body,
        }
    }
}

/// A text as it stands, in a JSON string, and in JSON that stands in a JSON string.
fn spellings(text: &str) -> [String; 3] {
    let quoted = Value::from(text).to_string();
    let once = inner(&quoted).to_owned();
    let twice = inner(&Value::from(once.as_str()).to_string()).to_owned();
    [twice, once, text.to_owned()]
}

fn inner(quoted: &str) -> &str {
    quoted
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .unwrap_or(quoted)
}

fn is_kept(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    KEPT_HEADERS.contains(&name.as_str())
        || KEPT_BEGINNINGS.iter().any(|begin| name.starts_with(begin))
}

fn cleared(text: &str, secrets: &[(String, &'static str)]) -> String {
    secrets
        .iter()
        .fold(text.to_owned(), |text, (secret, instead)| {
            text.replace(secret, instead)
        })
}

/// The ids in a response: one JSON value, or a stream of them.
fn ids(body: &str) -> BTreeSet<String> {
    let whole = serde_json::from_str::<Value>(body).ok();
    let lines = body
        .lines()
        .map(|line| line.strip_prefix("data:").unwrap_or(line))
        .filter_map(|line| serde_json::from_str(line).ok());
    let mut open: Vec<Value> = match whole {
        Some(value) => vec![value],
        None => lines.collect(),
    };
    let mut ids = BTreeSet::new();
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => {
                for (key, value) in members {
                    match value {
                        Value::String(id)
                            if ID_KEYS.contains(&key.as_str()) && id.len() >= KEY_BYTES =>
                        {
                            ids.insert(id);
                        }
                        other => open.push(other),
                    }
                }
            }
            _ => {}
        }
    }
    ids
}
