//! What must not get into a recording.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use serde_json::Value;

use super::{
    Answered, Asked, failed,
    spelling::{replaced, stands_in},
};
use crate::model::{ModelError, http::HttpRequest};

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

    /// Empties this field of requests and responses too, given by its JSON Pointer (RFC 6901); of a
    /// stream it is a field of each message.
    #[must_use]
    pub fn field(mut self, pointer: impl Into<String>) -> Self {
        self.fields.push(pointer.into());
        self
    }

    /// Replaces this text wherever it stands, written plainly or inside JSON with any escapes.
    ///
    /// A stream that cuts it into pieces is not recorded: the call ends in an error that says so.
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
            // What is put in needs no escape, so the text is still JSON, but where a text to be
            // replaced has quotes that were JSON's own.
            body: serde_json::from_str(&text).unwrap_or(Value::String(text)),
        }
    }

    /// An error is for what cannot be scrubbed.
    pub(super) fn answered(
        &self,
        request: &HttpRequest,
        answered: Answered,
    ) -> Result<Answered, ModelError> {
        let own = self.secrets(request);
        let ids = ids(&answered.body).into_iter().map(|id| (id, "[id]"));
        let secrets = longest_first(own.iter().cloned().chain(ids).collect());
        let body = cleared(&self.response_fields(answered.body), &secrets);
        if is_cut(&body, &own) {
            return Err(failed(
                "the stream cuts a text in pieces that is to be scrubbed; record it without streaming",
            ));
        }
        let kept = answered
            .headers
            .into_iter()
            .filter(|(name, _)| is_kept(name));
        Ok(Answered {
            status: answered.status,
            headers: kept
                .map(|(name, value)| (name, cleared(&value, &secrets)))
                .collect(),
            body,
            milliseconds: answered.milliseconds,
        })
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
        let texts = texts.map(|text| (text.clone(), "[scrubbed]"));
        longest_first(keys.chain(texts).collect())
    }

    fn empty_fields(&self, body: &mut Value) {
        for pointer in &self.fields {
            if let Some(field) = body.pointer_mut(pointer) {
                *field = Value::from("[scrubbed]");
            }
        }
    }

    /// Only a message in which a field is to be emptied is written anew.
    fn response_fields(&self, body: String) -> String {
        if self.fields.is_empty() {
            return body;
        }
        if let Ok(value) = serde_json::from_str(&body) {
            return self.emptied(value).unwrap_or(body);
        }
        body.split_inclusive('\n')
            .map(|line| {
                let emptied = message(line).and_then(|value| self.emptied(value));
                let framing = if line.starts_with(DATA) { DATA } else { "" };
                emptied.map_or_else(|| line.to_owned(), |text| format!("{framing}{text}\n"))
            })
            .collect()
    }

    /// The value without the fields; nothing where it has none of them.
    fn emptied(&self, mut value: Value) -> Option<String> {
        let mut fields = self.fields.iter();
        fields.find(|field| value.pointer(field).is_some())?;
        self.empty_fields(&mut value);
        Some(value.to_string())
    }
}

/// What stands before a message in a stream of events.
const DATA: &str = "data:";

fn message(line: &str) -> Option<Value> {
    serde_json::from_str(line.strip_prefix(DATA).unwrap_or(line)).ok()
}

/// Of two texts one of which begins the other, the longer is to be found first, or its end is left.
fn longest_first(mut secrets: Vec<(String, &'static str)>) -> Vec<(String, &'static str)> {
    secrets.sort_by_key(|(secret, _)| std::cmp::Reverse(secret.len()));
    secrets
}

/// Whether one of the texts stands in what the messages of a stream add up to, place by place.
fn is_cut(body: &str, secrets: &[(String, &'static str)]) -> bool {
    if serde_json::from_str::<Value>(body).is_ok() {
        return false;
    }
    let mut sums: BTreeMap<String, String> = BTreeMap::new();
    for message in body.lines().filter_map(message) {
        let mut open = vec![(String::new(), message)];
        while let Some((place, value)) = open.pop() {
            match value {
                Value::String(piece) => sums.entry(place).or_default().push_str(&piece),
                Value::Array(items) => {
                    open.extend(
                        items
                            .into_iter()
                            .rev()
                            .map(|item| (format!("{place}/-"), item)),
                    );
                }
                Value::Object(members) => {
                    let below = |(key, value)| (format!("{place}/{key}"), value);
                    open.extend(members.into_iter().map(below));
                }
                _ => {}
            }
        }
    }
    let mut sums = sums.values();
    sums.any(|sum| secrets.iter().any(|(secret, _)| stands_in(sum, secret)))
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
            replaced(&text, secret, instead)
        })
}

/// The ids in a response: one JSON value, or a stream of them.
fn ids(body: &str) -> BTreeSet<String> {
    let whole = serde_json::from_str::<Value>(body).ok();
    let lines = body.lines().filter_map(message);
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
