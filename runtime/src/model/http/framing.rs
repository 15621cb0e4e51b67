//! Cutting the bytes of a stream into its messages.
//!
//! Server-sent events as [HTML](https://html.spec.whatwg.org/multipage/server-sent-events.html)
//! defines them, as far as a single response needs it, and JSON lines. Bytes arrive cut anywhere;
//! each is looked at once. It is done here and not by an async crate so that what a stream means
//! is decided by plain functions over bytes.

use std::ops::ControlFlow;

use crate::model::{ModelError, ModelErrorKind};

/// How messages are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `text/event-stream`.
    Events,
    /// `application/x-ndjson`: each line is a message.
    Lines,
}

/// Gathers bytes into lines and lines into messages.
#[derive(Debug)]
pub(crate) struct Framing {
    kind: Kind,
    line: Vec<u8>,
    /// The last byte was a carriage return, so a line feed belongs to it.
    after_return: bool,
    data: String,
    /// Whether a `data` line has come since the last message, even an empty one.
    has_data: bool,
    at_start: bool,
}

type Handled = Result<ControlFlow<()>, ModelError>;

impl Framing {
    /// For a response of this content type, if it is one of a stream.
    pub(crate) fn of(content_type: &str) -> Option<Self> {
        let kind = content_type.split(';').next().unwrap_or_default().trim();
        let is = |name: &str| kind.eq_ignore_ascii_case(name);
        match () {
            () if is("text/event-stream") => Some(Self::new(Kind::Events)),
            () if is("application/x-ndjson") || is("application/jsonl") => {
                Some(Self::new(Kind::Lines))
            }
            () => None,
        }
    }

    fn new(kind: Kind) -> Self {
        Self {
            kind,
            line: Vec::new(),
            after_return: false,
            data: String::new(),
            has_data: false,
            at_start: true,
        }
    }

    /// Takes the next bytes and hands on every message they complete, until the handler has seen
    /// enough.
    pub(crate) fn push(
        &mut self,
        mut bytes: &[u8],
        handle: &mut dyn FnMut(&str) -> Handled,
    ) -> Handled {
        if self.after_return && !bytes.is_empty() {
            self.after_return = false;
            bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
        }
        while let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let (line, rest) = bytes.split_at(end);
            self.line.extend_from_slice(line);
            bytes = self.past_line_end(rest);
            if self.end_line(handle)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        self.line.extend_from_slice(bytes);
        Ok(ControlFlow::Continue(()))
    }

    /// The stream has ended. JSON lines may lack the last line's end; an event without its blank
    /// line is not one.
    pub(crate) fn end(&mut self, handle: &mut dyn FnMut(&str) -> Handled) -> Handled {
        match self.kind {
            Kind::Lines => self.end_line(handle),
            Kind::Events => Ok(ControlFlow::Continue(())),
        }
    }

    fn past_line_end<'a>(&mut self, rest: &'a [u8]) -> &'a [u8] {
        if let Some(after) = rest.strip_prefix(b"\r") {
            self.after_return = after.is_empty();
            return after.strip_prefix(b"\n").unwrap_or(after);
        }
        rest.strip_prefix(b"\n").unwrap_or(rest)
    }

    fn end_line(&mut self, handle: &mut dyn FnMut(&str) -> Handled) -> Handled {
        let bytes = std::mem::take(&mut self.line);
        let line = std::str::from_utf8(&bytes).map_err(|_| not_utf8())?;
        let line = if std::mem::take(&mut self.at_start) {
            line.strip_prefix('\u{feff}').unwrap_or(line)
        } else {
            line
        };
        match self.kind {
            Kind::Lines if line.trim().is_empty() => Ok(ControlFlow::Continue(())),
            Kind::Lines => handle(line),
            Kind::Events => self.event_line(line, handle),
        }
    }

    fn event_line(&mut self, line: &str, handle: &mut dyn FnMut(&str) -> Handled) -> Handled {
        if line.is_empty() {
            let data = std::mem::take(&mut self.data);
            return if std::mem::take(&mut self.has_data) {
                handle(&data)
            } else {
                Ok(ControlFlow::Continue(()))
            };
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        if field == "data" {
            if std::mem::replace(&mut self.has_data, true) {
                self.data.push('\n');
            }
            self.data.push_str(value.strip_prefix(' ').unwrap_or(value));
        }
        Ok(ControlFlow::Continue(()))
    }
}

fn not_utf8() -> ModelError {
    ModelError::new(ModelErrorKind::Decode, "the stream is not UTF-8 text").with_maybe_billed(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(content_type: &str, text: &str, piece: usize) -> Vec<String> {
        let mut framing = Framing::of(content_type).unwrap();
        let mut seen = Vec::new();
        let mut note = |data: &str| {
            seen.push(data.to_owned());
            Ok(ControlFlow::Continue(()))
        };
        for bytes in text.as_bytes().chunks(piece) {
            let flow = framing.push(bytes, &mut note).unwrap();
            assert!(flow.is_continue());
        }
        assert!(framing.end(&mut note).unwrap().is_continue());
        seen
    }

    #[test]
    fn events_are_the_same_however_they_are_cut() {
        let text = "\u{feff}: note\r\n\r\nevent: x\r\ndata: {\"å\":1}\r\n\r\nid: 3\ndata:a\ndata:  b\n\n\rdata\r\rdata: lost";
        for piece in 1..text.len() {
            assert_eq!(
                messages("Text/Event-Stream; charset=utf-8", text, piece),
                ["{\"å\":1}", "a\n b", ""],
                "pieces of {piece}"
            );
        }
    }

    #[test]
    fn lines_are_messages_and_the_last_needs_no_end() {
        for piece in 1..9 {
            assert_eq!(
                messages("application/x-ndjson", "{\"a\":1}\r\n\n{}\n{\"b\"", piece),
                ["{\"a\":1}", "{}", "{\"b\""]
            );
        }
    }

    #[test]
    fn what_is_no_stream_has_no_framing_and_broken_text_is_an_error() {
        assert!(Framing::of("application/json").is_none());
        let mut framing = Framing::of("text/event-stream").unwrap();
        let error = framing
            .push(b"data: \xff\n\n", &mut |_| Ok(ControlFlow::Continue(())))
            .unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Decode);
    }
}
