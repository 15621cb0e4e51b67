//! The client an application already has, as a model.

use std::sync::Arc;

use serde::Deserialize;
use typed_extract::model::{FinishReason, FormatCapability};
use typed_extract::{Error, Extract, ModelError, Reply, Request, Usage, extract, model_fn};

/// Stands for the application's own client.
struct Client {
    region: &'static str,
}

/// What that client returns.
struct Completion {
    text: String,
    stop_reason: &'static str,
    tokens: (u64, u64),
}

impl Client {
    async fn complete(&self, prompt: &str) -> Result<Completion, std::io::Error> {
        // A real one would send the prompt to its region.
        assert!(!self.region.is_empty() && prompt.contains("Ida"));
        let text = r#"{"name": "Ida Holm", "age": 40}"#.to_owned();
        std::future::ready(Ok(Completion {
            text,
            stop_reason: "end_turn",
            tokens: (210, 14),
        }))
        .await
    }
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)] // Printed through `Debug`.
struct Person {
    name: String,
    age: u8,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let client = Arc::new(Client { region: "eu-north" });
    let model = model_fn(
        "our-client",
        FormatCapability::Text,
        move |request: Request| {
            let client = Arc::clone(&client);
            async move {
                let completion = client
                    .complete(request.prompt())
                    .await
                    .map_err(ModelError::other)?;
                // How the reply ended decides before its text is read.
                let finish = match completion.stop_reason {
                    "end_turn" => FinishReason::Stop,
                    "max_tokens" => FinishReason::Truncated,
                    other => FinishReason::Unknown(other.to_owned()),
                };
                let (input, output) = completion.tokens;
                Ok(Reply::new(completion.text)
                    .with_finish(finish)
                    .with_usage(Usage::new(input, output)))
            }
        },
    );
    let person = extract::<Person>()
        .model(&model)
        .document("Ida Holm is 40")
        .await?;
    println!("{person:?}");
    Ok(())
}
