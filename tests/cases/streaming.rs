//! Cases about what is shown of a reply while it arrives.

use serde_json::{Value, json};
use typed_extract::model::Delta;
use typed_extract::testing::{Script, Scripted};
use typed_extract::{Error, Event, Extracted, Model, Request, extract_value};

use super::data::{Case, all, classes, wanted};
use super::reach::STREAMING;

/// The pieces of a case's reply.
///
/// No tools are offered, so that the arguments of a tool call stand for the text of a reply.
fn chunks(case: &Case) -> Vec<String> {
    let chunks = case.replies[0]["chunks"].as_array().expect("chunks");
    let text = |chunk: &Value| chunk.as_str().expect("a text").to_owned();
    chunks.iter().map(text).collect()
}

/// What was shown, in order, and how it ended.
async fn run(case: &Case) -> (Vec<Value>, Result<Extracted<Value>, Error>) {
    let model = Script::new([Scripted::streamed(chunks(case))]);
    let mut stream = extract_value(case.schema.clone().expect("a schema"))
        .expect("a schema that can be used")
        .attempts(1)
        .model(&model)
        .document(case.document.as_deref().unwrap_or("a document"))
        .stream();
    let mut shown = Vec::new();
    let mut ends = Vec::new();
    while let Some(event) = stream.next().await {
        match event {
            Event::Partial(partial) => {
                assert!(ends.is_empty(), "{}: shown after the end", case.id);
                shown.push(partial.to_value().unwrap_or_else(|| json!({})));
            }
            Event::Done(result) => ends.push(*result),
            _ => {}
        }
    }
    assert_eq!(ends.len(), 1, "{}: one end", case.id);
    (shown, ends.remove(0))
}

/// Whether a later value holds everything that an earlier one showed.
fn grew(earlier: &Value, later: &Value) -> bool {
    match (earlier, later) {
        (Value::String(earlier), Value::String(later)) => later.starts_with(earlier.as_str()),
        (Value::Object(earlier), Value::Object(later)) => earlier
            .iter()
            .all(|(key, one)| later.get(key).is_some_and(|other| grew(one, other))),
        (Value::Array(earlier), Value::Array(later)) => {
            let pairs = earlier.iter().zip(later);
            earlier.len() <= later.len() && pairs.into_iter().all(|(one, other)| grew(one, other))
        }
        _ => earlier == later,
    }
}

/// Nothing shown ever vanishes or turns into something else, and nothing of the text's own writing
/// is seen: that is what the cases' `never` come to.
fn only_grows(case: &Case, shown: &[Value]) {
    for pair in shown.windows(2) {
        assert!(grew(&pair[0], &pair[1]), "{}: {pair:?}", case.id);
    }
    for value in shown {
        let text = value.to_string();
        for never in ["\\u", "\u{FFFD}", "```", "\\\\"] {
            assert!(!text.contains(never), "{}: {text}", case.id);
        }
    }
}

/// The partials that a case lists; where it describes them in words, any that grow are meant.
fn is_allowed(case: &Case, value: &Value) -> bool {
    let allowed = &case.expected.partials_allowed;
    allowed.iter().any(Value::is_string) || allowed.contains(value)
}

fn ends_as_expected(case: &Case, shown: &[Value], result: &Result<Extracted<Value>, Error>) {
    match (&case.expected.last, &case.expected.final_error, result) {
        (Some(wanted), None, Ok(done)) => {
            assert_eq!(done.value(), wanted, "{}", case.id);
            assert_eq!(
                shown.last(),
                Some(wanted),
                "{}: all of it was shown",
                case.id
            );
        }
        (None, Some(wrong), Err(error)) => {
            let wrong = wanted(std::slice::from_ref(wrong));
            assert_eq!(classes(error.failures()), wrong, "{}", case.id);
        }
        (_, _, other) => panic!("{}: {other:?}", case.id),
    }
}

/// The text that a model hands on is the text of its reply, whatever is shown of it.
async fn deltas_are_the_text(case: &Case) {
    let model = Script::new([Scripted::streamed(chunks(case))]);
    let mut text = String::new();
    let mut deltas = |delta: Delta<'_>| match delta {
        Delta::Text(piece) => text.push_str(piece),
        _ => panic!("nothing begins anew"),
    };
    let request = Request::new("a prompt");
    let reply = model.stream(&request, &mut deltas).await.expect("a reply");
    assert_eq!(reply.text(), text, "{}", case.id);
}

#[tokio::test]
async fn every_case_shows_what_it_may_and_ends_as_it_should() {
    for case in all()
        .iter()
        .filter(|case| STREAMING.contains(&case.id.as_str()))
    {
        let (shown, result) = run(case).await;
        assert!(
            shown.len() >= chunks(case).len(),
            "{}: a piece is not shown",
            case.id
        );
        only_grows(case, &shown);
        for value in &shown {
            assert!(is_allowed(case, value), "{}: {value}", case.id);
        }
        ends_as_expected(case, &shown, &result);
        deltas_are_the_text(case).await;
    }
}
