//! Whole runs that show their progress.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use typed_extract::model::{BoxFuture, Delta, FinishReason, FormatCapability, ModelErrorKind};
use typed_extract::testing::{Script, Scripted};
use typed_extract::{
    Budget, Error, ErrorKind, Event, Extract, Extracted, Model, ModelError, Reply, Request,
    extract, model_fn,
};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Extract)]
#[extract(rule(small(count), "count is below a hundred", check = *count < 100))]
struct Count {
    label: String,
    count: u32,
}

/// What a reader of the stream saw, the result left out.
#[derive(Debug, PartialEq)]
enum Saw {
    Attempt(u32),
    Shown(Option<Value>),
}

async fn watch(model: &impl Model) -> (Vec<Saw>, Result<Extracted<Count>, Error>) {
    let mut stream = extract::<Count>()
        .model(model)
        .document("two apples")
        .stream();
    let mut saw = Vec::new();
    let mut result = None;
    while let Some(event) = stream.next().await {
        assert!(result.is_none(), "nothing follows the result");
        match event {
            Event::Attempt(number) => saw.push(Saw::Attempt(number)),
            Event::Partial(partial) => saw.push(Saw::Shown(partial.to_value())),
            Event::Done(done) => result = Some(*done),
            other => panic!("{other:?}"),
        }
    }
    (saw, result.expect("a result"))
}

fn shown(value: Value) -> Saw {
    Saw::Shown(Some(value))
}

fn lost() -> ModelError {
    ModelError::new(ModelErrorKind::Connect, "the stream was cut")
}

#[tokio::test]
async fn a_reply_is_shown_as_it_arrives_and_judged_at_its_end() {
    let model = Script::new([Scripted::streamed([
        r#"{"label": "ap"#,
        r#"ples", "count": 2"#,
        "}",
    ])]);
    let (saw, result) = watch(&model).await;
    let expected = [
        Saw::Attempt(1),
        shown(json!({"label": "ap"})),
        shown(json!({"label": "apples"})),
        shown(json!({"label": "apples", "count": 2})),
    ];
    assert_eq!(saw, expected);
    let done = result.unwrap();
    assert_eq!(
        done.value(),
        &Count {
            label: "apples".into(),
            count: 2
        }
    );
    assert_eq!(done.record().attempts().len(), 1);
}

#[tokio::test]
async fn each_repair_round_is_an_attempt_of_its_own() {
    let model = Script::new([
        Scripted::streamed([r#"{"label": "apples", "#, r#""count": 200}"#]),
        Scripted::streamed([r#"{"label": "app"#, r#"les", "count": 20}"#]),
    ]);
    let (saw, result) = watch(&model).await;
    let expected = [
        Saw::Attempt(1),
        shown(json!({"label": "apples"})),
        shown(json!({"label": "apples", "count": 200})),
        Saw::Attempt(2),
        shown(json!({"label": "app"})),
        shown(json!({"label": "apples", "count": 20})),
    ];
    assert_eq!(saw, expected);
    assert_eq!(result.unwrap().value().count, 20);
    assert_eq!(model.calls(), 2);
}

/// Scripts of every kind of end.
fn scripts() -> Vec<Vec<Scripted>> {
    let wrong = || Scripted::streamed(["{\"label\": \"a\"", ", \"count\": 500}"]);
    let right = || Scripted::streamed(["```json\n{\"label\": \"a\"", ", \"count\": 5}\n```"]);
    vec![
        vec![right()],
        vec![wrong(), right()],
        vec![wrong(), wrong()],
        vec!["prose".into(), right()],
        vec![wrong(), Scripted::streamed(["{\"la"]).with_error(lost())],
        vec![right().with_finish(FinishReason::Truncated)],
        vec![Scripted::streamed(["no"]).with_finish(FinishReason::Refused { message: None })],
        vec![right().with_finish(FinishReason::Unknown("tool_calls".into()))],
        vec![Scripted::streamed(["{\"label\": \"a\", \"count\": 5"])],
        vec![lost().into()],
        vec![],
    ]
}

fn prompts(model: &Script) -> Vec<String> {
    model
        .requests()
        .iter()
        .map(|request| request.prompt().to_owned())
        .collect()
}

/// All that a run ends with, as text.
fn account(result: &Result<Extracted<Count>, Error>) -> String {
    let (end, record) = match result {
        Ok(done) => (format!("{:?}", done.value()), done.record()),
        Err(error) => (format!("{:?} {error}", error.kind()), error.record()),
    };
    let attempts = record.attempts().iter().map(|attempt| {
        let text = attempt.reply().map(Reply::text);
        let steps = attempt.normalizations();
        format!("{text:?} {:?} {steps:?}", attempt.failures())
    });
    format!("{end} {:?}", attempts.collect::<Vec<_>>())
}

#[tokio::test]
async fn the_end_is_the_same_as_without_streaming() {
    for script in scripts() {
        let asked = Script::new(script.clone());
        let plain = extract::<Count>()
            .model(&asked)
            .document("two apples")
            .run()
            .await;
        let streamed = Script::new(script.clone());
        let (_, result) = watch(&streamed).await;
        assert_eq!(account(&result), account(&plain));
        assert_eq!(prompts(&streamed), prompts(&asked));
        let finished = extract::<Count>()
            .model(Script::new(script))
            .document("two apples");
        assert_eq!(account(&finished.stream().finish().await), account(&plain));
    }
}

#[tokio::test]
async fn a_stream_that_is_cut_is_an_error_whatever_arrived() {
    let whole = [r#"{"label": "a", "#, r#""count": 5}"#];
    let model = Script::new([Scripted::streamed(whole).with_error(lost())]);
    let (saw, result) = watch(&model).await;
    assert_eq!(saw.last(), Some(&shown(json!({"label": "a", "count": 5}))));
    let error = result.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Model);
    assert_eq!(
        error.model_error().map(ModelError::kind),
        Some(ModelErrorKind::Connect)
    );

    let model = Script::new([Scripted::streamed(whole).with_finish(FinishReason::Truncated)]);
    assert_eq!(
        watch(&model).await.1.unwrap_err().kind(),
        ErrorKind::Truncated
    );
}

#[tokio::test]
async fn a_text_that_begins_anew_is_shown_from_its_beginning() {
    let model = Script::new([Scripted::streamed([r#"{"label": "pears""#])
        .restarted([r#"{"label": "a"#, r#"", "count": 5}"#])]);
    let (saw, result) = watch(&model).await;
    let expected = [
        Saw::Attempt(1),
        shown(json!({"label": "pears"})),
        Saw::Shown(None),
        shown(json!({"label": "a"})),
        shown(json!({"label": "a", "count": 5})),
    ];
    assert_eq!(saw, expected);
    assert_eq!(result.unwrap().value().label, "a");
}

#[tokio::test]
async fn a_model_that_cannot_stream_shows_its_reply_at_once() {
    let reply = Reply::new(r#"{"label": "a", "count": 5}"#);
    let model = model_fn("plain", FormatCapability::Text, move |_| {
        std::future::ready(Ok(reply.clone()))
    });
    let (saw, result) = watch(&model).await;
    assert_eq!(
        saw,
        [Saw::Attempt(1), shown(json!({"label": "a", "count": 5}))]
    );
    assert!(result.is_ok());
}

#[tokio::test]
async fn what_is_set_up_wrongly_is_the_only_event() {
    let mut stream = extract::<Count>()
        .model(Script::new([""]))
        .document(" ")
        .stream();
    let Some(Event::Done(result)) = stream.next().await else {
        panic!("the error comes first");
    };
    assert_eq!(result.unwrap_err().kind(), ErrorKind::Config);
    assert!(stream.next().await.is_none());
    assert_eq!(stream.finish().await.unwrap_err().kind(), ErrorKind::Config);
}

#[tokio::test]
async fn a_verification_takes_part() {
    let model = Script::new([
        Scripted::streamed([r#"{"label": "a", "#, r#""count": 5}"#]),
        Scripted::streamed([r#"{"label": "a", "#, r#""count": 6}"#]),
    ]);
    let stream = extract::<Count>()
        .model(&model)
        .document("two apples")
        .verify(async |value: &Count| value.count == 6)
        .stream();
    assert_eq!(stream.finish().await.unwrap().value().count, 6);
}

/// Writes half a reply and never goes on; counts how many of its answers were dropped.
struct Stuck(Arc<AtomicUsize>);

struct Dropped(Arc<AtomicUsize>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Model for Stuck {
    fn id(&self) -> &'static str {
        "stuck"
    }

    fn capability(&self) -> FormatCapability {
        FormatCapability::Text
    }

    fn generate<'a>(&'a self, _: &'a Request) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(std::future::pending())
    }

    fn stream<'a>(
        &'a self,
        _: &'a Request,
        deltas: &'a mut (dyn FnMut(Delta<'_>) + Send),
    ) -> BoxFuture<'a, Result<Reply, ModelError>> {
        let dropped = Dropped(Arc::clone(&self.0));
        Box::pin(async move {
            let _dropped = dropped;
            deltas(Delta::Text(r#"{"label": "a"#));
            deltas(Delta::Text("pp"));
            std::future::pending().await
        })
    }
}

#[tokio::test]
async fn dropping_the_stream_ends_the_request() {
    let dropped = Arc::new(AtomicUsize::new(0));
    let model = Stuck(Arc::clone(&dropped));
    let mut stream = extract::<Count>()
        .model(model)
        .document("two apples")
        .stream();
    assert!(matches!(stream.next().await, Some(Event::Attempt(1))));
    let Some(Event::Partial(partial)) = stream.next().await else {
        panic!("a partial comes next");
    };
    assert_eq!(dropped.load(Ordering::SeqCst), 0);
    drop(stream);
    assert_eq!(dropped.load(Ordering::SeqCst), 1);
    assert_eq!(
        partial.get("label").as_str(),
        Some("app"),
        "pieces of one poll make one"
    );
}

#[tokio::test]
async fn nothing_runs_before_the_stream_is_read() {
    let model = Script::new([r#"{"label": "a", "count": 5}"#]);
    let stream = extract::<Count>()
        .model(&model)
        .document("two apples")
        .stream();
    assert_eq!(model.calls(), 0);
    drop(stream);
    assert_eq!(model.calls(), 0);
}

#[tokio::test]
async fn the_deadline_ends_a_stream_that_stands_still() {
    let model = Stuck(Arc::default());
    let stream = extract::<Count>()
        .model(model)
        .document("two apples")
        .budget(Budget::default().deadline(Duration::from_millis(20)))
        .stream();
    assert_eq!(
        stream.finish().await.unwrap_err().kind(),
        ErrorKind::Deadline
    );
}

#[test]
fn a_pending_stream_says_so() {
    let model = Stuck(Arc::default());
    let mut stream = extract::<Count>()
        .model(model)
        .document("two apples")
        .stream();
    let mut cx = Context::from_waker(Waker::noop());
    let mut poll = || futures_core::Stream::poll_next(Pin::new(&mut stream), &mut cx);
    assert!(matches!(poll(), Poll::Ready(Some(Event::Attempt(1)))));
    assert!(matches!(poll(), Poll::Ready(Some(Event::Partial(_)))));
    assert!(poll().is_pending());
}

#[tokio::test]
async fn a_stream_may_move_to_another_thread() {
    fn movable<S: Send + Unpin + 'static>(stream: S) -> S {
        stream
    }
    let model = Arc::new(Script::new([Scripted::streamed([
        "{\"label\": \"a\", ",
        "\"count\": 5}",
    ])]));
    let stream = movable(
        extract::<Count>()
            .model(model)
            .document("two apples")
            .stream(),
    );
    let result = tokio::spawn(stream.finish()).await.unwrap();
    assert_eq!(result.unwrap().value().count, 5);
}

#[tokio::test]
async fn debug_output_says_nothing_of_the_reply() {
    let secret = r#"{"label": "secret", "count": 5}"#;
    let model = Script::new([Scripted::streamed([secret])]);
    let scripted = format!("{:?}", Scripted::streamed([secret]));
    let mut stream = extract::<Count>()
        .model(&model)
        .document("two apples")
        .stream();
    let mut seen = vec![scripted, format!("{stream:?}")];
    while let Some(event) = stream.next().await {
        seen.push(format!("{event:?}"));
    }
    assert!(
        seen.len() >= 5 && seen.iter().all(|text| !text.contains("secret")),
        "{seen:?}"
    );
}
