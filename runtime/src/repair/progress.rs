//! What a run tells a watcher while it goes on.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::model::Delta;
use crate::partial::{Log, Settings, Writer};

/// The end of the run: it says which attempt begins and takes what the model writes.
pub(crate) struct ProgressSender {
    channel: Arc<Channel>,
    settings: Settings,
}

/// The end of the watcher.
pub(crate) struct ProgressReceiver(Arc<Channel>);

/// What is rare goes through the queue; text goes into the log that both ends hold.
#[derive(Default)]
struct Channel {
    queue: Mutex<VecDeque<Notice>>,
    /// Whether the queue may hold something.
    news: AtomicBool,
}

/// Where new text is to be looked for from now on, and why.
pub(crate) enum Notice {
    /// A request is sent.
    Attempt(u32, Arc<Log>),
    /// The answer to the same request begins anew.
    Restart(Arc<Log>),
}

pub(crate) fn progress(settings: Settings) -> (ProgressSender, ProgressReceiver) {
    let channel = Arc::new(Channel::default());
    let receiver = ProgressReceiver(Arc::clone(&channel));
    (ProgressSender { channel, settings }, receiver)
}

impl ProgressSender {
    /// Says that a request is being sent; its answer goes into what comes back.
    pub(super) fn attempt(&self, number: usize) -> Answer<'_> {
        let writer = Writer::new(self.settings.clone());
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        let log = Arc::clone(writer.log());
        self.channel.tell(Notice::Attempt(number, log));
        Answer {
            progress: self,
            writer,
        }
    }
}

/// One answer while it arrives.
pub(super) struct Answer<'f> {
    progress: &'f ProgressSender,
    writer: Writer,
}

impl Answer<'_> {
    pub(super) fn take(&mut self, delta: Delta<'_>) {
        match delta {
            Delta::Text(piece) => self.writer.push(piece),
            Delta::Restart => {
                self.writer = Writer::new(self.progress.settings.clone());
                let log = Arc::clone(self.writer.log());
                self.progress.channel.tell(Notice::Restart(log));
            }
        }
    }
}

impl Channel {
    fn tell(&self, notice: Notice) {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.push_back(notice);
        self.news.store(true, Ordering::Release);
    }
}

impl ProgressReceiver {
    /// What was told since the last time, in order.
    pub(crate) fn notices(&self) -> VecDeque<Notice> {
        if !self.0.news.load(Ordering::Acquire) {
            return VecDeque::new();
        }
        let mut queue = self.0.queue.lock().unwrap_or_else(PoisonError::into_inner);
        self.0.news.store(false, Ordering::Release);
        std::mem::take(&mut *queue)
    }
}
