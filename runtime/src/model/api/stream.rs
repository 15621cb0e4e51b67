//! A streamed response: messages in, text out as it comes, and at the end one body like any other.
//!
//! The body that the messages add up to goes through the same reading as an unstreamed one, so a
//! stream cannot mean something else than a response.

use std::{future::poll_fn, ops::ControlFlow, task::Poll};

use serde_json::Value;

use super::Api;
use crate::model::{
    BoxFuture, Delta, ModelError, ModelErrorKind, Reply,
    http::{Answer, Cap, Framing, Headers, HttpBody, HttpResponse, Reader},
};

/// What a message of a stream means for the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// More must come.
    More,
    /// This was the terminal marker.
    Done,
}

/// Adds up the messages of a stream.
#[doc(hidden)]
pub trait Assemble: Send {
    /// Takes a message and hands on the text in it.
    fn message(&mut self, message: Value, text: &mut dyn FnMut(&str)) -> Step;

    /// Whether the stream may end here without a marker of its own: what had to come has come.
    fn may_end(&self) -> bool {
        false
    }

    /// Why a stream that came to its end is still no response.
    fn fault(&self) -> Option<ModelError> {
        None
    }

    /// The body of the response that this stream stands for, as far as it came.
    fn body(self) -> Value;
}

/// How an answer ended, as the messages of its stream tell it. After the end only counts and other
/// facts about the answer may come: which of two ends, or of two texts, is the right one, nobody
/// can say.
#[cfg(any(
    feature = "anthropic",
    feature = "gemini",
    feature = "ollama",
    feature = "openai-compatible"
))]
#[derive(Debug, Default)]
pub(crate) struct End {
    reason: Option<Value>,
    complaint: Option<&'static str>,
}

#[cfg(any(
    feature = "anthropic",
    feature = "gemini",
    feature = "ollama",
    feature = "openai-compatible"
))]
impl End {
    /// Takes note of the reason, which hosts may repeat and not change.
    pub(crate) fn note(&mut self, reason: &Value) {
        if self.reason.get_or_insert_with(|| reason.clone()) != reason {
            self.complain("the stream tells a second finish reason, which differs from the first");
        }
    }

    /// Whether content may come; that it came all the same is kept as a fault.
    pub(crate) fn admits(&mut self, has_content: bool) -> bool {
        let late = has_content && self.reason.is_some();
        if late {
            self.complain("the stream goes on with the answer after its finish reason");
        }
        !late
    }

    pub(crate) fn reason(&self) -> Option<&Value> {
        self.reason.as_ref()
    }

    pub(crate) fn fault(&self) -> Option<ModelError> {
        self.complaint.map(contradiction)
    }

    fn complain(&mut self, complaint: &'static str) {
        self.complaint.get_or_insert(complaint);
    }
}

/// A stream that came whole and contradicts itself.
pub(crate) fn contradiction(complaint: &str) -> ModelError {
    ModelError::new(ModelErrorKind::Decode, complaint).with_maybe_billed(true)
}

/// Reads whole responses.
pub(super) struct Whole<A>(pub(super) std::marker::PhantomData<A>);

impl<A: Api> Reader for Whole<A> {
    fn read(
        &mut self,
        response: HttpResponse,
        max_response: usize,
    ) -> BoxFuture<'_, Result<Reply, ModelError>> {
        Box::pin(async move {
            let answer = Answer::gather(response, max_response).await?;
            A::decode(answer.status, &answer.headers, &answer.body)
        })
    }
}

/// Reads streams, and hands on their text.
pub(super) struct Streamed<'d, A> {
    pub(super) deltas: &'d mut (dyn FnMut(Delta<'_>) + Send),
    /// Text has been handed on since the last restart.
    pub(super) begun: bool,
    pub(super) api: std::marker::PhantomData<A>,
}

impl<A: Api> Reader for Streamed<'_, A> {
    fn read(
        &mut self,
        response: HttpResponse,
        max_response: usize,
    ) -> BoxFuture<'_, Result<Reply, ModelError>> {
        Box::pin(async move {
            let kind = response.headers.get("content-type").unwrap_or_default();
            match Framing::of(kind).filter(|_| response.status == 200) {
                Some(framing) => {
                    let reply = self.follow(response, framing, max_response).await;
                    // Whatever ended it, an answer had been begun.
                    reply.map_err(|error| {
                        let maybe = self.begun || error.maybe_billed();
                        error.with_maybe_billed(maybe)
                    })
                }
                None => self.whole(response, max_response).await,
            }
        })
    }

    fn restart(&mut self) {
        if std::mem::take(&mut self.begun) {
            (self.deltas)(Delta::Restart);
        }
    }
}

impl<A: Api> Streamed<'_, A> {
    /// A server that does not stream answers at once.
    async fn whole(&mut self, response: HttpResponse, max: usize) -> Result<Reply, ModelError> {
        let answer = Answer::gather(response, max).await?;
        let reply = A::decode(answer.status, &answer.headers, &answer.body)?;
        self.hand_on(reply.text());
        Ok(reply)
    }

    async fn follow(
        &mut self,
        response: HttpResponse,
        framing: Framing,
        max: usize,
    ) -> Result<Reply, ModelError> {
        let HttpResponse {
            status,
            headers,
            mut body,
        } = response;
        let mut cap = Cap::new(max);
        let mut stream = Stream::<A>::new(framing);
        let cut = loop {
            match body.chunk().await {
                Ok(Some(bytes)) => {
                    let taken = cap.take(bytes.len());
                    match taken.and_then(|()| stream.push(&bytes, &mut |text| self.hand_on(text))) {
                        Ok(Step::More) => {}
                        Ok(Step::Done) => {
                            release(&mut *body).await;
                            break None;
                        }
                        Err(error) => break Some(error),
                    }
                }
                Ok(None) => break stream.end(&mut |text| self.hand_on(text)).err(),
                Err(error) => break Some(error),
            }
        };
        let cut = cut.map(|error| error.with_status(status));
        let reply = stream.reply(&headers, cut)?;
        // What a refusal or a filter made void is taken back.
        if reply.text().is_empty() {
            self.restart();
        }
        Ok(reply)
    }

    fn hand_on(&mut self, text: &str) {
        if !text.is_empty() {
            self.begun = true;
            (self.deltas)(Delta::Text(text));
        }
    }
}

/// Takes note of the end if it is there already, so that the connection can be used again; never
/// waits for it.
async fn release(body: &mut dyn HttpBody) {
    let mut rest = body.chunk();
    poll_fn(|cx| {
        let _ = rest.as_mut().poll(cx);
        Poll::Ready(())
    })
    .await;
}

/// The stream of one response, bytes in, a reply out.
pub(super) struct Stream<A: Api> {
    framing: Framing,
    assembly: A::Assembly,
    done: bool,
}

impl<A: Api> Stream<A> {
    pub(super) fn new(framing: Framing) -> Self {
        Self {
            framing,
            assembly: A::Assembly::default(),
            done: false,
        }
    }

    pub(super) fn push(
        &mut self,
        bytes: &[u8],
        text: &mut dyn FnMut(&str),
    ) -> Result<Step, ModelError> {
        let Self {
            framing, assembly, ..
        } = self;
        let flow = framing.push(bytes, &mut |data| take(assembly, data, text))?;
        self.done = flow.is_break();
        Ok(if self.done { Step::Done } else { Step::More })
    }

    pub(super) fn end(&mut self, text: &mut dyn FnMut(&str)) -> Result<(), ModelError> {
        let Self {
            framing, assembly, ..
        } = self;
        let flow = framing.end(&mut |data| take(assembly, data, text))?;
        self.done = flow.is_break();
        Ok(())
    }

    /// The reply, if the stream came to its end.
    pub(super) fn reply(
        self,
        headers: &Headers,
        cut: Option<ModelError>,
    ) -> Result<Reply, ModelError> {
        let whole = self.done || (cut.is_none() && self.assembly.may_end());
        let fault = self.assembly.fault();
        let body = self.assembly.body();
        if whole && fault.is_none() {
            return A::decode_value(headers, &body);
        }
        let error = cut.or(fault).unwrap_or_else(without_end);
        Err(known_of_it(error, &A::decode_value(headers, &body)))
    }
}

/// The stream ended, and its terminal marker was not there.
pub(crate) fn without_end() -> ModelError {
    ModelError::new(
        ModelErrorKind::StreamCut,
        "the stream ended without its terminal marker",
    )
    .with_maybe_billed(true)
}

/// Reads a whole stream that is there already, as [`Api::decode`] reads a response.
pub(crate) fn decode_stream<A: Api>(headers: &Headers, body: &[u8]) -> Result<Reply, ModelError> {
    let kind = headers.get("content-type").unwrap_or_default();
    let Some(framing) = Framing::of(kind) else {
        return A::decode(200, headers, body);
    };
    let mut stream = Stream::<A>::new(framing);
    let cut = match stream.push(body, &mut |_| ()) {
        Ok(Step::More) => stream.end(&mut |_| ()).err(),
        Ok(Step::Done) => None,
        Err(error) => Some(error),
    };
    stream.reply(headers, cut)
}

/// One message, whatever its framing.
fn take<S: Assemble>(
    assembly: &mut S,
    data: &str,
    text: &mut dyn FnMut(&str),
) -> Result<ControlFlow<()>, ModelError> {
    if data.trim().is_empty() {
        return Ok(ControlFlow::Continue(()));
    }
    // The marker of the OpenAI family is no JSON.
    let step = if data.trim() == "[DONE]" {
        Step::Done
    } else {
        let message = serde_json::from_str(data).map_err(|_| {
            ModelError::new(
                ModelErrorKind::Decode,
                "a message of the stream is not JSON",
            )
            .with_maybe_billed(true)
        })?;
        assembly.message(message, text)
    };
    Ok(match step {
        Step::Done => ControlFlow::Break(()),
        Step::More => ControlFlow::Continue(()),
    })
}

/// The costs and the id of a cut stream, where the part that came tells them.
fn known_of_it(mut error: ModelError, part: &Result<Reply, ModelError>) -> ModelError {
    let (usage, id) = match part {
        Ok(reply) => (reply.usage(), reply.request_id()),
        Err(error) => (error.usage(), error.request_id()),
    };
    if let Some(usage) = usage {
        error = error.with_usage(*usage);
    }
    match id {
        Some(id) => error.with_request_id(id),
        None => error,
    }
}
