//! The account of a run.

use std::time::Duration;

use typed_extract::model::FormatCapability;
use typed_extract::record::Record;
use typed_extract::testing::{Script, Scripted};
use typed_extract::{Reply, Usage, extract, model_fn};

use crate::support::{Count, RIGHT, WRONG};

async fn record(replies: [Scripted; 2], document: &str) -> Record {
    let model = Script::new(replies);
    let run = extract::<Count>().model(&model).document(document);
    run.run().await.unwrap().record().clone()
}

#[tokio::test]
async fn usage_is_summed_and_what_one_attempt_did_not_say_is_unknown() {
    let usage = Usage::new(100, 20).with_reasoning(5).with_cached_input(50);
    let first = Reply::new(WRONG).with_usage(usage);
    let second = Reply::new(RIGHT).with_usage(Usage::new(150, 10).with_reasoning(1));
    let known = record([first.clone().into(), second.into()], "d").await;
    let sum = known.usage();
    assert_eq!(sum.input_tokens(), Some(250));
    assert_eq!(sum.output_tokens(), Some(30));
    assert_eq!(sum.reasoning_tokens(), Some(6));
    assert_eq!(sum.cached_input_tokens(), None);
    assert_eq!(known.attempts()[0].usage(), Some(&usage));

    let silent = record([first.into(), RIGHT.into()], "d").await;
    assert_eq!(silent.usage().total_tokens(), None);
    assert_eq!(silent.attempts()[1].usage(), None);
}

#[tokio::test]
async fn hashes_are_sha_256_in_hexadecimal_of_what_was_used() {
    let replies = || [WRONG.into(), RIGHT.into()];
    let one = record(replies(), "abc").await;
    let other = record(replies(), "abd").await;
    // The example of FIPS 180-4.
    assert_eq!(
        one.document_hash(),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
    assert_ne!(one.document_hash(), other.document_hash());
    assert_eq!(one.schema_hash(), other.schema_hash());
    assert_eq!(one.rules_hash(), other.rules_hash());
    for hash in [one.schema_hash(), one.rules_hash(), other.document_hash()] {
        let hexadecimal = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
        assert!(hash.len() == 64 && hash.chars().all(hexadecimal), "{hash}");
    }
}

#[tokio::test]
async fn each_attempt_has_its_reply_request_id_and_steps() {
    let first = Reply::new(WRONG).with_request_id("req-1");
    let second = Reply::new(format!("```json\n{RIGHT}\n```")).with_request_id("req-2");
    let record = record([first.into(), second.into()], "d").await;
    assert_eq!(record.model(), Some("script"));
    let [first, second] = record.attempts() else {
        panic!("two attempts were made")
    };
    assert_eq!(first.reply().unwrap().text(), WRONG);
    assert_eq!(first.request_id(), Some("req-1"));
    assert!(first.normalizations().is_empty());
    assert_eq!(first.failures().len(), 1);
    assert_eq!(second.request_id(), Some("req-2"));
    assert!(second.failures().is_empty());
    let steps: Vec<&str> = second
        .normalizations()
        .iter()
        .map(typed_extract::record::Normalization::name)
        .collect();
    assert_eq!(steps, ["code_fence"]);
}

#[tokio::test]
async fn the_latency_of_an_attempt_covers_the_call() {
    let wait = Duration::from_millis(5);
    let model = model_fn("slow", FormatCapability::Text, async |_| {
        tokio::time::sleep(wait).await;
        Ok(RIGHT.into())
    });
    let run = extract::<Count>().model(&model).document("d");
    let done = run.run().await.unwrap();
    assert!(done.record().attempts()[0].latency() >= wait);
}

#[test]
fn a_reply_that_was_only_validated_is_one_attempt_of_no_model() {
    let done = extract::<Count>().document("d").validate(RIGHT).unwrap();
    let record = done.record();
    assert_eq!(record.model(), None);
    assert_eq!(record.attempts().len(), 1);
    assert_eq!(record.attempts()[0].latency(), Duration::ZERO);
    assert_eq!(record.usage().total_tokens(), None);
    assert_eq!(record.document_hash().len(), 64);
}
