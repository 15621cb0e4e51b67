//! A run that shows its progress.

use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_core::Stream;

use super::Extracted;
use crate::error::Error;
use crate::partial::{Log, Partial};
use crate::repair::{Notice, ProgressReceiver};

/// What happens while an extraction runs; the last one is [`Done`](Event::Done).
#[non_exhaustive]
pub enum Event<T> {
    /// A request is sent: the first has number 1, each repair the next. Partials from here on are
    /// of its reply.
    Attempt(u32),
    /// More of the reply has arrived, or its text begins anew, since the request was sent again or
    /// another model took over: then the partial is empty. Pieces that arrive together make one.
    Partial(Partial<T>),
    /// The run has ended, with what it would have given without streaming.
    Done(Box<Result<Extracted<T>, Error>>),
}

impl<T> fmt::Debug for Event<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Attempt(number) => f.debug_tuple("Attempt").field(number).finish(),
            Self::Partial(partial) => f.debug_tuple("Partial").field(partial).finish(),
            Self::Done(result) => f.debug_tuple("Done").field(result).finish(),
        }
    }
}

/// A run that shows its progress, as [`Extractor::stream`](crate::Extractor::stream) begins it.
///
/// Read it with [`next`](Self::next), or as a [`Stream`]; [`finish`](Self::finish) gives the result
/// alone. It runs while it is read, and dropping it ends the run and the request that is under way.
/// It moves between threads where the run itself does.
#[must_use = "a streamed extraction does nothing until it is read"]
pub struct ExtractStream<T, F> {
    /// The run, until it has ended.
    run: Option<Pin<Box<F>>>,
    receiver: ProgressReceiver,
    /// The reply that is arriving, and how much of it was shown.
    reply: Option<(Arc<Log>, usize)>,
    events: VecDeque<Event<T>>,
}

/// The run is pinned in its box; nothing else refers to itself.
impl<T, F> Unpin for ExtractStream<T, F> {}

impl<T, F> ExtractStream<T, F>
where
    F: Future<Output = Result<Extracted<T>, Error>>,
{
    pub(crate) fn new(run: F, receiver: ProgressReceiver) -> Self {
        Self {
            run: Some(Box::pin(run)),
            receiver,
            reply: None,
            events: VecDeque::new(),
        }
    }

    /// The next event; nothing after [`Event::Done`].
    pub async fn next(&mut self) -> Option<Event<T>> {
        std::future::poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await
    }

    /// Runs to the end and gives the result, as [`run`](crate::Extractor::run) does.
    ///
    /// # Errors
    ///
    /// An [`Error`] of any kind; [`ErrorKind::Config`](crate::ErrorKind::Config) where
    /// [`Event::Done`] was read before, since it holds the only result.
    pub async fn finish(mut self) -> Result<Extracted<T>, Error> {
        while let Some(event) = self.next().await {
            if let Event::Done(result) = event {
                return *result;
            }
        }
        Err(Error::config(
            "the result was read before, with the event `Done`; take it from there",
        ))
    }

    /// Turns what the run has told into events.
    fn tell(&mut self, notices: VecDeque<Notice>) {
        for notice in notices {
            match notice {
                Notice::Attempt(number, log) => {
                    let growth = self.growth();
                    self.events.extend(growth);
                    self.events.push_back(Event::Attempt(number));
                    self.reply = Some((log, 0));
                }
                Notice::Restart(log) => {
                    self.events.push_back(Event::Partial(Partial::new(&log, 0)));
                    self.reply = Some((log, 0));
                }
            }
        }
        let growth = self.growth();
        self.events.extend(growth);
    }

    /// What has arrived of the reply since it was last shown.
    #[inline]
    fn growth(&mut self) -> Option<Event<T>> {
        let (log, shown) = self.reply.as_mut()?;
        let length = log.length();
        if length == *shown {
            return None;
        }
        *shown = length;
        Some(Event::Partial(Partial::new(log, length)))
    }
}

impl<T, F> Stream for ExtractStream<T, F>
where
    F: Future<Output = Result<Extracted<T>, Error>>,
{
    type Item = Event<T>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Event<T>>> {
        let this = self.get_mut();
        if this.events.is_empty()
            && let Some(run) = &mut this.run
        {
            let polled = run.as_mut().poll(cx);
            let notices = this.receiver.notices();
            if polled.is_pending() && notices.is_empty() {
                // The usual case goes through no queue.
                return this
                    .growth()
                    .map_or(Poll::Pending, |more| Poll::Ready(Some(more)));
            }
            this.tell(notices);
            if let Poll::Ready(result) = polled {
                this.run = None;
                this.events.push_back(Event::Done(Box::new(result)));
            }
        }
        Poll::Ready(this.events.pop_front())
    }
}

impl<T, F> fmt::Debug for ExtractStream<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExtractStream")
            .field("ended", &self.run.is_none())
            .finish_non_exhaustive()
    }
}
