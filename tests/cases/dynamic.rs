//! Cases run through a flow built from their schema.

use serde_json::Value;
use typed_extract::model::ModelErrorKind;
use typed_extract::record::Record;
use typed_extract::testing::Script;
use typed_extract::{Error, ErrorKind, Extracted, Normalize, extract_value};

use super::data::{Case, Expected, Wrong, all, classes, reply, wanted};
use super::reach::{DYNAMIC, PROSE};

type Run = Result<Extracted<Value>, Error>;

/// Runs the whole loop over `replies`.
async fn run(case: &Case, replies: &[Value], attempts: u32, normalize: Normalize) -> (Run, usize) {
    let script = replies.iter().map(|written| match reply(written) {
        Ok(reply) => typed_extract::testing::Scripted::from(reply),
        Err(error) => typed_extract::testing::Scripted::from(error),
    });
    let model = Script::new(script);
    let schema = case.schema.clone().expect("a schema");
    let done = extract_value(schema)
        .unwrap_or_else(|error| panic!("{}: {error}", case.id))
        .normalize(normalize)
        .attempts(attempts)
        .model(&model)
        .document(case.document.as_deref().unwrap_or("a document"))
        .run()
        .await;
    (done, model.calls())
}

/// Whether a run came to what was expected, in full; the difference if not.
fn compare(done: &Run, calls: usize, expected: &Expected) -> Result<(), String> {
    let met = match (expected.outcome.as_str(), done) {
        ("accept", Ok(done)) => accepted(done, expected),
        ("repaired", Ok(done)) => repaired(done, expected),
        ("reject", Err(error)) => rejected(error, expected),
        ("fail", Err(error)) => failed(error, expected.error.as_ref()),
        (wanted, Ok(done)) => Err(format!("wanted {wanted}, accepted {}", done.value())),
        (wanted, Err(error)) => Err(format!(
            "wanted {wanted}, got {error}: {:?}",
            classes(error.failures())
        )),
    };
    met?;
    match expected.calls {
        Some(wanted) if wanted != calls => Err(format!("wanted {wanted} calls, made {calls}")),
        _ => Ok(()),
    }
}

fn accepted(done: &Extracted<Value>, expected: &Expected) -> Result<(), String> {
    if expected.value.as_ref() != Some(done.value()) {
        return Err(format!("wanted {:?}, got {}", expected.value, done.value()));
    }
    let taken = done.record().attempts()[0].normalizations();
    if taken.is_empty() != expected.recorded.is_empty() {
        return Err(format!(
            "wanted {:?} recorded, got {taken:?}",
            expected.recorded
        ));
    }
    Ok(())
}

fn repaired(done: &Extracted<Value>, expected: &Expected) -> Result<(), String> {
    let record = done.record();
    let first = classes(record.attempts()[0].failures());
    if first != wanted(&expected.first_errors) {
        return Err(format!("first errors {first:?}"));
    }
    if expected.value.as_ref() != Some(done.value()) {
        return Err(format!("value {}", done.value()));
    }
    if expected
        .attempt
        .is_some_and(|attempt| attempt != record.attempts().len())
    {
        return Err(format!("{} attempts", record.attempts().len()));
    }
    summed(record, expected)
}

fn summed(record: &Record, expected: &Expected) -> Result<(), String> {
    let Some(usage) = &expected.usage else {
        return Ok(());
    };
    let total = record.usage();
    let fits = total.input_tokens() == usage["prompt_tokens"].as_u64()
        && total.output_tokens() == usage["completion_tokens"].as_u64();
    if fits {
        Ok(())
    } else {
        Err(format!("usage {total:?}"))
    }
}

fn rejected(error: &Error, expected: &Expected) -> Result<(), String> {
    let found = classes(error.failures());
    if found != wanted(&expected.errors) {
        return Err(format!(
            "wanted {:?}, got {found:?}",
            wanted(&expected.errors)
        ));
    }
    for word in &expected.error_text_must_contain {
        let told = error
            .failures()
            .iter()
            .any(|failure| failure.to_string().contains(word.trim_start_matches('/')));
        if !told {
            return Err(format!("{word:?} is told nowhere"));
        }
    }
    Ok(())
}

fn failed(error: &Error, wrong: Option<&Wrong>) -> Result<(), String> {
    let class = wrong.map(|wrong| wrong.class.as_str()).unwrap_or_default();
    let model = error.model_error().map(typed_extract::ModelError::kind);
    let fits = match class {
        "truncated" => error.kind() == ErrorKind::Truncated,
        "refusal" => error.kind() == ErrorKind::Refused,
        "content_filter" => error.kind() == ErrorKind::Filtered,
        "exhausted" => error.kind() == ErrorKind::Rejected,
        "transport.connect" => model == Some(ModelErrorKind::Connect),
        "transport.auth" => model == Some(ModelErrorKind::Auth),
        "provider.bad_request" => {
            matches!(
                model,
                Some(ModelErrorKind::BadRequest | ModelErrorKind::NotFound)
            )
        }
        _ => false,
    };
    let every_reply_is_kept = error
        .record()
        .attempts()
        .iter()
        .all(|attempt| attempt.reply().is_some() || attempt.error().is_some());
    if fits && every_reply_is_kept {
        return Ok(());
    }
    Err(format!(
        "wanted {class}, got {:?} ({model:?})",
        error.kind()
    ))
}

/// The expected outcome or one that is as good.
fn check(id: &str, done: &Run, calls: usize, expected: &Expected) -> Option<String> {
    let main = compare(done, calls, expected).err()?;
    let also = expected
        .also_ok
        .iter()
        .any(|other| compare(done, calls, other).is_ok());
    (!also).then(|| format!("{id}: {main}"))
}

async fn judge(case: &Case, normalize: Normalize) -> Vec<String> {
    let mut wrong = Vec::new();
    if case.expected.outcome == "per_reply" {
        for (reply, expected) in case.replies.iter().zip(&case.expected.results) {
            let attempts = case.config.max_attempts.unwrap_or(1);
            let (done, calls) = run(case, std::slice::from_ref(reply), attempts, normalize).await;
            wrong.extend(check(&case.id, &done, calls, expected));
        }
        return wrong;
    }
    let attempts = u32::try_from(case.replies.len()).expect("few replies");
    let attempts = case.config.max_attempts.unwrap_or(attempts);
    let (done, calls) = run(case, &case.replies, attempts, normalize).await;
    wrong.extend(check(&case.id, &done, calls, &case.expected));
    wrong
}

#[tokio::test]
async fn every_case_comes_to_the_outcome_it_should() {
    let mut wrong = Vec::new();
    for case in all()
        .iter()
        .filter(|case| DYNAMIC.contains(&case.id.as_str()))
    {
        let lenient = PROSE.contains(&case.id.as_str());
        wrong.extend(judge(case, Normalize::default().surrounding_prose(lenient)).await);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn prose_around_the_answer_is_a_failure_where_it_is_not_asked_for() {
    for case in all()
        .iter()
        .filter(|case| PROSE.contains(&case.id.as_str()))
    {
        let (done, _) = run(case, &case.replies, 1, Normalize::default()).await;
        let error = done.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Rejected, "{}", case.id);
        assert!(
            error.failures()[0].code().as_str().starts_with("parse."),
            "{}",
            case.id
        );
    }
}
