//! Cases about what is sent.

use typed_extract::extract_value;
use typed_extract::testing::Script;

use super::data::{Case, one, reply};

async fn prompts(case: &Case, attempts: u32) -> Vec<String> {
    let replies = case
        .replies
        .iter()
        .filter_map(|written| reply(written).ok());
    let model = Script::new(replies);
    let schema = case.schema.clone().expect("a schema");
    extract_value(schema)
        .expect("a sound schema")
        .attempts(attempts)
        .model(&model)
        .document("Ida Holm is 40")
        .run()
        .await
        .expect("the last reply is right");
    model
        .requests()
        .iter()
        .map(|request| request.prompt().to_owned())
        .collect()
}

#[tokio::test]
async fn d03_a_repair_says_what_failed_and_says_it_once() {
    let sent = prompts(&one("D03"), 2).await;
    assert_ne!(sent[0], sent[1]);
    let told = "- age: found \"forty\"; expected integer, not string";
    assert_eq!(sent[1].matches(told).count(), 1, "{}", sent[1]);
    assert!(sent[1].contains(one("D03").replies[0].as_str().unwrap()));
}

#[tokio::test]
async fn d06_the_context_does_not_grow_with_the_attempts() {
    let case = one("D06");
    let sent = prompts(&case, 4).await;
    let said = |at: usize| case.replies[at].as_str().unwrap();
    assert!(sent[3].contains(said(2)));
    assert!(!sent[3].contains(said(0)) && !sent[3].contains(said(1)));
    assert!(sent[3].len() * 10 <= sent[1].len() * 12);
    assert_eq!(
        sent[3].matches("Ida Holm is 40").count(),
        1,
        "the document stands there once"
    );
}

#[tokio::test]
async fn d27_an_empty_reply_is_told_and_not_replayed() {
    let mut case = one("D27");
    case.replies[0] = "".into();
    let sent = prompts(&case, 2).await;
    assert!(sent[1].contains("<previous_reply></previous_reply>"));
    assert!(sent[1].contains("(root): "), "{}", sent[1]);
}
