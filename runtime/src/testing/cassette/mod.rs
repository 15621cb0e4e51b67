//! Real exchanges with a provider, kept in a file and replayed.

mod difference;
mod scrubber;
mod spelling;

use std::{
    fmt, fs,
    future::poll_fn,
    io, mem,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::Poll,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::difference::difference;
pub use self::scrubber::Scrubber;
use crate::model::{
    BoxFuture, ModelError, ModelErrorKind,
    http::{
        Answer, ClientOptions, Headers, HttpBody, HttpRequest, HttpResponse, ReqwestTransport,
        Transport,
    },
};

const VERSION: u32 = 1;
/// In bytes: recordings are read by people.
const MAX_RESPONSE: usize = 8 << 20;

/// Records what a model and its provider say to each other, and replays it without either.
///
/// It is the [`Transport`] of a model, so everything above the bytes is the real thing: encoding,
/// decoding, streams, repairs. Replaying is strict: the requests must be those of the recording,
/// in order, and one that differs is an error that shows the first difference. Nothing is recorded
/// but what a [`Scrubber`] has been over.
///
/// ```
/// use typed_extract::model::openai_compatible::ChatCompletions;
/// use typed_extract::testing::{Cassette, Scrubber};
/// use typed_extract::{Model, Request};
/// # use typed_extract::model::http::{Headers, HttpRequest, HttpResponse, Transport};
/// # use typed_extract::model::BoxFuture;
/// # use typed_extract::ModelError;
/// # struct Provider;
/// # impl Transport for Provider {
/// #     fn send<'a>(&'a self, _: &'a HttpRequest) -> BoxFuture<'a, Result<HttpResponse, ModelError>> {
/// #         let body = r#"{"id":"c-1","choices":[{"message":{"content":"{}"},"finish_reason":"stop"}]}"#;
/// #         Box::pin(async move { Ok(HttpResponse::new(200, Headers::default(), body.as_bytes().to_vec())) })
/// #     }
/// # }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = std::env::temp_dir().join(format!("cassette-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// let file = folder.join("hello.json");
/// let model = |cassette: &Cassette| {
///     ChatCompletions::builder("https://llm.example/v1", "m").transport(cassette.clone()).build()
/// };
///
/// // Once, with the provider there; `.over(transport)` records another client than reqwest.
/// let cassette = Cassette::record(Scrubber::new()).over(Provider);
/// model(&cassette)?.generate(&Request::new("Hello")).await?;
/// cassette.save(&file)?;
///
/// // From then on without it.
/// let cassette = Cassette::replay(&file, Scrubber::new())?;
/// let replayed = model(&cassette)?;
/// let error = replayed.generate(&Request::new("Hallo")).await.unwrap_err();
/// assert!(error.to_string().contains("/messages/0/content"));
/// assert_eq!(replayed.generate(&Request::new("Hello")).await?.text(), "{}");
/// assert_eq!(cassette.left(), 0);
/// # std::fs::remove_dir_all(folder)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Cassette(Arc<Inner>);

struct Inner {
    scrubber: Scrubber,
    mode: Mode,
    exchanges: Mutex<Vec<Exchange>>,
}

enum Mode {
    Record(Arc<dyn Transport>),
    Replay { file: PathBuf, next: Mutex<usize> },
}

#[derive(Serialize, Deserialize)]
struct File {
    version: u32,
    exchanges: Vec<Exchange>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Exchange {
    request: Asked,
    response: Answered,
}

/// A request as far as it is compared: never its headers.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct Asked {
    url: String,
    body: Value,
}

#[derive(Clone, Serialize, Deserialize)]
struct Answered {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
    /// How long the provider took.
    milliseconds: u64,
}

impl Cassette {
    /// Begins a recording over a reqwest client with the usual settings.
    pub fn record(scrubber: Scrubber) -> Self {
        Self::recording(scrubber, Arc::new(Lazy))
    }

    /// Records over this transport instead.
    #[must_use]
    pub fn over(self, transport: impl Transport + 'static) -> Self {
        Self::recording(self.0.scrubber.clone(), Arc::new(transport))
    }

    fn recording(scrubber: Scrubber, transport: Arc<dyn Transport>) -> Self {
        Self(Arc::new(Inner {
            scrubber,
            mode: Mode::Record(transport),
            exchanges: Mutex::default(),
        }))
    }

    /// Opens a recording; the scrubber is the one it was made with, and goes over the requests
    /// before they are compared. A file that cannot be read, or is none of this version, is an
    /// error.
    pub fn replay(file: impl AsRef<Path>, scrubber: Scrubber) -> io::Result<Self> {
        let path = file.as_ref();
        let file: File = serde_json::from_slice(&fs::read(path)?)?;
        if file.version != VERSION {
            let message = format!("a cassette of version {}, not {VERSION}", file.version);
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        Ok(Self(Arc::new(Inner {
            scrubber,
            mode: Mode::Replay {
                file: path.to_owned(),
                next: Mutex::default(),
            },
            exchanges: Mutex::new(file.exchanges),
        })))
    }

    /// Writes what has been recorded so far.
    pub fn save(&self, file: impl AsRef<Path>) -> io::Result<()> {
        let recording = File {
            version: VERSION,
            exchanges: lock(&self.0.exchanges).clone(),
        };
        fs::write(file, serde_json::to_string_pretty(&recording)? + "\n")
    }

    /// How many exchanges are recorded.
    pub fn len(&self) -> usize {
        lock(&self.0.exchanges).len()
    }

    /// Whether nothing is recorded.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many recorded exchanges have not been replayed yet.
    pub fn left(&self) -> usize {
        match &self.0.mode {
            Mode::Record(_) => 0,
            Mode::Replay { next, .. } => self.len().saturating_sub(*lock(next)),
        }
    }

    /// How long the provider took for each exchange.
    pub fn latencies(&self) -> Vec<Duration> {
        lock(&self.0.exchanges)
            .iter()
            .map(|exchange| Duration::from_millis(exchange.response.milliseconds))
            .collect()
    }

    async fn pass_on(
        &self,
        transport: &dyn Transport,
        request: &HttpRequest,
    ) -> Result<HttpResponse, ModelError> {
        let begun = Instant::now();
        let answer = Answer::gather(transport.send(request).await?, MAX_RESPONSE).await?;
        let milliseconds = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let text =
            String::from_utf8(answer.body).map_err(|_| failed("the response is not text"))?;
        let exchange = Exchange {
            request: self.asked(request),
            response: self.0.scrubber.answered(
                request,
                Answered {
                    status: answer.status,
                    headers: owned(&answer.headers),
                    body: text.clone(),
                    milliseconds,
                },
            )?,
        };
        lock(&self.0.exchanges).push(exchange);
        Ok(HttpResponse::new(
            answer.status,
            answer.headers,
            text.into_bytes(),
        ))
    }

    fn asked(&self, request: &HttpRequest) -> Asked {
        let body = serde_json::from_slice(request.body()).unwrap_or(Value::Null);
        self.0.scrubber.asked(
            request,
            Asked {
                url: request.url().to_owned(),
                body,
            },
        )
    }

    fn play(
        &self,
        request: &HttpRequest,
        file: &Path,
        next: &Mutex<usize>,
    ) -> Result<HttpResponse, ModelError> {
        let mut next = lock(next);
        let exchanges = lock(&self.0.exchanges);
        let name = file.file_name().unwrap_or_default().display();
        let exchange = exchanges.get(*next).ok_or_else(|| {
            failed(&format!(
                "{name} holds {} exchanges and this is one more",
                exchanges.len()
            ))
        })?;
        if let Some(differs) = difference(&exchange.request, &self.asked(request)) {
            return Err(failed(&format!(
                "exchange {} of {name} was another: {differs}",
                *next + 1
            )));
        }
        *next += 1;
        let Answered {
            status,
            headers,
            body,
            ..
        } = exchange.response.clone();
        Ok(HttpResponse::new(
            status,
            headers.into_iter().collect(),
            Lines { body, from: 0 },
        ))
    }
}

impl Transport for Cassette {
    fn send<'a>(
        &'a self,
        request: &'a HttpRequest,
    ) -> BoxFuture<'a, Result<HttpResponse, ModelError>> {
        Box::pin(async move {
            match &self.0.mode {
                Mode::Record(transport) => self.pass_on(&**transport, request).await,
                Mode::Replay { file, next } => self.play(request, file, next),
            }
        })
    }
}

impl fmt::Debug for Cassette {
    /// Without the exchanges, which hold documents.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cassette")
            .field("exchanges", &self.len())
            .field("left", &self.left())
            .finish_non_exhaustive()
    }
}

/// The client is built when something is sent, so that beginning a recording cannot fail.
struct Lazy;

impl Transport for Lazy {
    fn send<'a>(
        &'a self,
        request: &'a HttpRequest,
    ) -> BoxFuture<'a, Result<HttpResponse, ModelError>> {
        Box::pin(async move {
            let client = ReqwestTransport::new(&ClientOptions {
                connect_timeout: Duration::from_secs(10),
                tls: request.url().starts_with("https:"),
            })?;
            client.send(request).await
        })
    }
}

/// A recorded body line by line, each at a poll of its own, so that a stream arrives in pieces.
struct Lines {
    body: String,
    from: usize,
}

impl HttpBody for Lines {
    fn chunk(&mut self) -> BoxFuture<'_, Result<Option<Vec<u8>>, ModelError>> {
        let rest = self.body.get(self.from..).unwrap_or_default();
        let line = rest.split_inclusive('\n').next().unwrap_or_default();
        self.from += line.len();
        let line = line.to_owned();
        Box::pin(async move {
            next_poll().await;
            Ok((!line.is_empty()).then(|| line.into_bytes()))
        })
    }
}

async fn next_poll() {
    let mut waited = false;
    poll_fn(|cx| {
        if mem::replace(&mut waited, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

fn owned(headers: &Headers) -> Vec<(String, String)> {
    headers
        .iter()
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

fn failed(message: &str) -> ModelError {
    ModelError::new(ModelErrorKind::Other, message)
}

/// A lock is poisoned only by a panic while it was held, and what it guards is whole all the time.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
