//! Panics of the caller's own code end the run with its record, and are not repaired.

use serde::{Deserialize, Deserializer};
use typed_extract::testing::Script;
use typed_extract::{ErrorKind, Extract, extract, rules, validate};
use validator::ValidationError;

#[derive(Debug, Deserialize, Extract)]
struct Split {
    total: u32,
    #[validate(custom(function = "split_evenly"))]
    parts: u32,
}

#[rules]
impl Split {
    /// The parts are equal.
    fn equal_parts(total: &u32, parts: &u32) -> bool {
        total
            .checked_rem(*parts)
            .expect("no parts in a\nsecret total")
            == 0
    }
}

#[allow(clippy::unnecessary_wraps)] // The validator crate asks for this signature.
fn split_evenly(parts: u32) -> Result<(), ValidationError> {
    assert!(parts != 13, "thirteen");
    Ok(())
}

#[derive(Debug, Deserialize, Extract)]
#[extract(policy(allowed(count), "the count is allowed", check = [1, 2][*count] > 0))]
struct Policed {
    count: usize,
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Odd {
    #[serde(deserialize_with = "odd")]
    count: u32,
}

fn odd<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let count = u32::deserialize(deserializer)?;
    assert!(count % 2 == 1, "even");
    Ok(count)
}

async fn ends<T: Extract<Context = ()> + std::fmt::Debug + Send + Sync>(reply: &str, named: &str) {
    let model = Script::new([reply, reply]);
    let error = extract::<T>()
        .model(&model)
        .document("d")
        .await
        .unwrap_err();
    assert_eq!(
        (error.kind(), model.calls()),
        (ErrorKind::Panicked, 1),
        "{reply}"
    );
    let shown = format!("{error} {error:?}");
    assert!(
        shown.contains(named) && !shown.contains("secret"),
        "{shown}"
    );
    assert_eq!(error.record().attempts()[0].reply().unwrap().text(), reply);
    assert!(error.record().cost().tokens() > 0);
    let failures = validate::<T>(reply).unwrap_err();
    let failure = failures
        .iter()
        .find(|one| one.code().as_str().ends_with(".panicked"));
    assert!(!failure.unwrap().to_string().contains('\n'));
}

#[tokio::test]
async fn whatever_panics_ends_the_run_and_is_named() {
    ends::<Split>(r#"{"total": 4, "parts": 0}"#, "equal_parts").await;
    ends::<Split>(r#"{"total": 4, "parts": 13}"#, "split_evenly").await;
    ends::<Split>(r#"{"total": 4, "parts": 0, "extra": 1}"#, "equal_parts").await;
    ends::<Policed>(r#"{"count": 7}"#, "allowed").await;
    ends::<Odd>(r#"{"count": 2}"#, "bound").await;
}

#[tokio::test]
async fn a_verification_that_panics_ends_the_run_at_whatever_poll() {
    for wait in [false, true] {
        let model = Script::new([r#"{"total": 4, "parts": 2}"#, "{}"]);
        let run = extract::<Split>().model(&model).document("d");
        let run = run.verify(async |split: &Split| {
            if wait {
                tokio::task::yield_now().await;
            }
            assert!(split.parts > 2, "a secret");
            true
        });
        let error = run.await.unwrap_err();
        assert_eq!((error.kind(), model.calls()), (ErrorKind::Panicked, 1));
        let shown = format!("{error} {error:?}");
        assert!(
            shown.contains("verify") && !shown.contains("secret"),
            "{shown}"
        );
    }
}
