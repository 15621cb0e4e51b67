//! What the modules share.

use serde::Deserialize;
use serde_json::{Value, json};
use typed_extract::testing::{Script, Scripted};
use typed_extract::{Cited, Error, Extract, Extracted, extract};

/// A value with both kinds of evidence, a rule and a check.
#[derive(Debug, Deserialize, Extract)]
#[extract(
    rule(low(rent), "the rent is below 5000", check = *rent.value() < 5000),
    check(usual(rent), "the rent is above 1000", check = *rent.value() > 1000)
)]
#[allow(dead_code)] // Read through what is rendered.
pub(crate) struct Lease {
    #[extract(verbatim)]
    pub(crate) tenant: String,
    pub(crate) rent: Cited<u32>,
    #[validate(range(min = 1))]
    pub(crate) notice: u8,
}

pub(crate) const DOCUMENT: &str = "\
Lease of a flat in Zürich
The tenant is A. Brun.
The rent is CHF 1,850.00 a month.
Notice: three months.
";

pub(crate) fn reply(tenant: &str, quote: &str, rent: u32, notice: u8) -> Value {
    json!({"tenant": tenant, "rent": {"quote": quote, "value": rent}, "notice": notice})
}

pub(crate) fn right() -> Value {
    reply("A. Brun", "CHF 1,850.00", 1850, 3)
}

/// The run in which the model gives these replies.
pub(crate) async fn run<T>(document: &str, replies: &[Value]) -> Result<Extracted<T>, Error>
where
    T: Extract<Context = ()> + serde::de::DeserializeOwned,
{
    let model = Script::new(
        replies
            .iter()
            .map(|reply| Scripted::from(reply.to_string())),
    );
    let attempts = u32::try_from(replies.len()).unwrap();
    extract::<T>()
        .model(&model)
        .document(document)
        .attempts(attempts)
        .run()
        .await
}

pub(crate) async fn rejected(document: &str, replies: &[Value]) -> Error {
    run::<Lease>(document, replies)
        .await
        .map(|_| ())
        .unwrap_err()
}

/// A lease from a reply that is right, without a model.
pub(crate) fn accepted(document: &str, reply: &Value) -> Extracted<Lease> {
    extract::<Lease>()
        .document(document)
        .validate(&reply.to_string())
        .unwrap()
}
