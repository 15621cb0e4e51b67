//! Exchanges with a llama.cpp server, recorded once and replayed: plain, with each format, and
//! streamed.
//!
//! `LLAMACPP_BASE_URL=http://127.0.0.1:8080/v1 LLAMACPP_MODEL=name cargo test -p
//! typed-extract-tests --test wire real_server` records them anew.

use std::path::PathBuf;

use serde::Deserialize;
use typed_extract::model::openai_compatible::ChatCompletions;
use typed_extract::model::{FormatCapability, SchemaDialect};
use typed_extract::testing::{Cassette, Scrubber};
use typed_extract::{Event, Extract, Extracted, Provider, extract};

/// A parcel on its way.
#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Parcel {
    /// The code printed on the label.
    tracking_code: String,
    weight_g: u32,
    fragile: bool,
    /// The company that carries it.
    carrier: Option<String>,
}

const DOCUMENT: &str = "Parcel ZX-4471, 820 g. Handle with care: fragile. Carrier: Polar Post.";
const RECORDED_AT: &str = "http://127.0.0.1:8080/v1";
const RECORDED_MODEL: &str = "qwen2.5-coder-1.5b-instruct";

/// A cassette of this name, and the model behind it.
struct Exchange {
    file: PathBuf,
    cassette: Cassette,
    model: ChatCompletions,
    recording: bool,
}

impl Exchange {
    fn new(name: &str, capability: FormatCapability) -> Self {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures/cassettes");
        let file = folder.join(format!("{name}.json"));
        let live = std::env::var("LLAMACPP_BASE_URL").ok();
        let cassette = match live {
            Some(_) => Cassette::record(Scrubber::new()),
            None => Cassette::replay(&file, Scrubber::new()).unwrap(),
        };
        let recording = live.is_some();
        let base = live.unwrap_or_else(|| RECORDED_AT.to_owned());
        let name = std::env::var("LLAMACPP_MODEL").unwrap_or_else(|_| RECORDED_MODEL.to_owned());
        let model = ChatCompletions::on(Provider::LlamaCpp, name)
            .base_url(base)
            .capability(capability)
            .temperature(0.0)
            .transport(cassette.clone())
            .build()
            .unwrap();
        Self {
            file,
            cassette,
            model,
            recording,
        }
    }

    /// What holds for every one of them.
    fn check(&self, done: &Extracted<Parcel>) {
        assert_eq!(done.value(), &right());
        let attempt = &done.record().attempts()[0];
        assert_eq!(done.record().attempts().len(), 1);
        let usage = attempt.usage().unwrap();
        assert!(usage.input_tokens().unwrap() > 100 && usage.output_tokens().unwrap() > 10);
        assert!(attempt.request_id().is_some());
        assert_eq!(self.cassette.left(), 0);
        if self.recording {
            self.cassette.save(&self.file).unwrap();
        }
    }
}

fn right() -> Parcel {
    Parcel {
        tracking_code: "ZX-4471".to_owned(),
        weight_g: 820,
        fragile: true,
        carrier: Some("Polar Post".to_owned()),
    }
}

#[tokio::test]
async fn it_answers_plain_and_in_each_format() {
    for (name, capability) in [
        ("plain", FormatCapability::Text),
        ("json_object", FormatCapability::JsonObject),
        ("json_schema", FormatCapability::JsonSchema),
    ] {
        let exchange = Exchange::new(name, capability);
        let run = extract::<Parcel>()
            .model(&exchange.model)
            .document(DOCUMENT);
        let done = run.run().await.unwrap();
        exchange.check(&done);
        let enforced = capability == FormatCapability::JsonSchema;
        assert_eq!(
            done.record().wire_dialect(),
            enforced.then_some(SchemaDialect::LlamaCpp)
        );
    }
}

#[tokio::test]
async fn it_streams() {
    let exchange = Exchange::new("streamed", FormatCapability::JsonSchema);
    let mut stream = extract::<Parcel>()
        .model(&exchange.model)
        .document(DOCUMENT)
        .stream();
    let (mut codes, mut result) = (Vec::new(), None);
    while let Some(event) = stream.next().await {
        match event {
            Event::Partial(partial) => {
                if let Some(code) = partial.get("tracking_code").as_str() {
                    codes.push(code.to_owned());
                }
            }
            Event::Done(done) => result = Some(*done),
            _ => {}
        }
    }
    let done = result.unwrap().unwrap();
    exchange.check(&done);
    // While recording, the whole answer is waited for.
    assert!(exchange.recording || codes.len() > 3, "it came in pieces");
    assert!(
        codes
            .iter()
            .all(|code| done.value().tracking_code.starts_with(code))
    );
    assert!(codes.is_sorted_by_key(String::len), "and only grew");
}
