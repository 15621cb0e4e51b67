//! What a run tells whoever listens to its spans and events.

use std::fmt::{Debug, Write as _};
use std::sync::{Arc, LazyLock, Mutex};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::Interest;
use tracing::{Event, Metadata, Subscriber};
use typed_extract::model::ModelErrorKind;
use typed_extract::testing::{Script, Scripted};
use typed_extract::{ModelError, Reply, Usage, extract};

use crate::support::{Count, RIGHT};

/// Keeps spans and events as lines: `name: field=value ...`.
#[derive(Clone, Default)]
struct Listener(Arc<Mutex<Heard>>);

#[derive(Default)]
struct Heard {
    spans: Vec<String>,
    events: Vec<String>,
}

struct Line<'a>(&'a mut String);

impl Visit for Line<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let _ = write!(self.0, " {field}={value:?};");
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        let _ = write!(self.0, " {field}={value};");
    }
}

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("typed_extract")
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let spans = &mut self.0.lock().unwrap().spans;
        let mut line = format!("{}:", span.metadata().name());
        span.record(&mut Line(&mut line));
        spans.push(line);
        Id::from_u64(spans.len() as u64)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        let at = usize::try_from(span.into_u64()).unwrap() - 1;
        values.record(&mut Line(&mut self.0.lock().unwrap().spans[at]));
    }

    fn event(&self, event: &Event<'_>) {
        let parent = event.parent().map(Id::into_u64);
        let mut line = format!("{} in {parent:?}:", event.metadata().level());
        event.record(&mut Line(&mut line));
        self.0.lock().unwrap().events.push(line);
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

/// Hears nothing and never lets a callsite be taken for uninteresting: tests without a listener run
/// at the same time, and what they cache would deafen the others.
struct Deaf;

impl Subscriber for Deaf {
    fn register_callsite(&self, _: &'static Metadata<'static>) -> Interest {
        Interest::sometimes()
    }

    fn enabled(&self, _: &Metadata<'_>) -> bool {
        false
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, _: &Event<'_>) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

static DEAF: LazyLock<bool> =
    LazyLock::new(|| tracing::subscriber::set_global_default(Deaf).is_ok());

const SECRET: &str = r#"{"count":"forty-secret"}"#;

async fn heard(replies: [Scripted; 2], log_replies: bool) -> Heard {
    assert!(*DEAF, "the only one for all threads");
    let listener = Listener::default();
    let guard = tracing::subscriber::set_default(listener.clone());
    let model = Script::new(replies);
    let run = extract::<Count>().model(&model).log_replies(log_replies);
    let _ = run.document("forty-secret").await;
    drop(guard);
    std::mem::take(&mut *listener.0.lock().unwrap())
}

fn replies() -> [Scripted; 2] {
    let first = Reply::new(SECRET)
        .with_usage(Usage::new(100, 20))
        .with_request_id("req-1");
    [first.into(), RIGHT.into()]
}

#[track_caller]
fn has(line: &str, parts: &[&str]) {
    for part in parts {
        assert!(line.contains(part), "{part} is missing in {line}");
    }
}

#[tokio::test]
async fn each_attempt_is_a_span_under_the_names_of_opentelemetry() {
    let spans = heard(replies(), false).await.spans;
    assert_eq!(spans.len(), 2, "{spans:?}");
    has(
        &spans[0],
        &[
            "chat:",
            " gen_ai.operation.name=chat;",
            " gen_ai.output.type=json;",
            " gen_ai.request.model=script;",
            " gen_ai.response.id=req-1;",
            " gen_ai.response.finish_reasons=stop;",
            " gen_ai.usage.input_tokens=100;",
            " gen_ai.usage.output_tokens=20;",
            " error.type=schema.type;",
            " typed_extract.attempt=1;",
        ],
    );
    has(&spans[1], &[" typed_extract.attempt=2;"]);
    for unknown in ["gen_ai.usage", "gen_ai.response.id", "error.type"] {
        assert!(!spans[1].contains(unknown), "{}", spans[1]);
    }
}

#[tokio::test]
async fn each_failure_is_an_event_of_its_attempt_without_what_was_found() {
    let heard = heard([r#"{"count":100}"#.into(), Scripted::from(SECRET)], false).await;
    let failed: Vec<&String> = heard
        .events
        .iter()
        .filter(|line| line.contains("failed a check"))
        .collect();
    assert_eq!(failed.len(), 2, "{:?}", heard.events);
    has(
        failed[0],
        &[
            "INFO in Some(1):",
            " path=count;",
            " code=rule;",
            " rule=small;",
        ],
    );
    has(
        failed[1],
        &["INFO in Some(2):", " path=count;", " code=schema.type;"],
    );
    let all = format!("{:?}{:?}", heard.spans, heard.events);
    assert!(!all.contains("secret"), "{all}");
}

#[tokio::test]
async fn the_text_of_replies_is_told_only_where_that_is_asked_for() {
    let quiet = heard(replies(), false).await;
    let quiet = format!("{:?}{:?}", quiet.spans, quiet.events);
    assert!(!quiet.contains("secret"), "{quiet}");
    let loud = heard(replies(), true).await.events;
    let told = |text: &str| loud.iter().filter(|line| line.contains(text)).count();
    assert_eq!(told(&format!(" reply={SECRET};")), 1, "{loud:?}");
    assert!(
        loud.iter()
            .all(|line| !line.contains("secret") || line.starts_with("DEBUG"))
    );
}

#[tokio::test]
async fn a_lost_call_is_a_warning_with_its_kind() {
    let lost = ModelError::new(ModelErrorKind::RateLimited, "slow down").with_status(429);
    let heard = heard([lost.into(), RIGHT.into()], false).await;
    has(&heard.spans[0], &[" error.type=RateLimited;"]);
    has(
        &heard.events[0],
        &["WARN in Some(1):", " kind=RateLimited;", " status=429;"],
    );
}
