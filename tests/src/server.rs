//! A server that does as told, one connection an act, and keeps what it was sent.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};
use typed_extract::model::{
    RetryPolicy,
    openai_compatible::{ChatCompletions, ChatCompletionsBuilder},
};

/// Between two pieces of a slow answer.
const A_MOMENT: Duration = Duration::from_millis(2);

/// What to do with a connection.
pub enum Act {
    /// Answer with these bytes and close.
    Answer(String),
    /// Answer with these bytes, text or not, and close.
    Bytes(Vec<u8>),
    /// Read a byte and drop the connection, unread data and all, which resets it.
    Reset,
    /// Answer with these bytes and then keep the connection open without another word.
    Stall(String),
    /// Answer with these bytes and then reset the connection.
    AnswerAndReset(Vec<u8>),
    /// Answer with these pieces, each a moment after the one before, and close.
    Trickle(Vec<Vec<u8>>),
    /// Answer with these bytes, then with this piece again and again for as long as the client
    /// listens.
    Endless(String, &'static str),
    /// Keep the connection open and read nothing of it.
    Deaf,
}

pub struct Server {
    base: String,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Starts on a free port of this machine; after the last act it accepts nobody.
    pub async fn start(acts: impl IntoIterator<Item = Act>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        tokio::spawn(serve(
            listener,
            acts.into_iter().collect(),
            Arc::clone(&seen),
        ));
        Self { base, seen }
    }

    pub fn base(&self) -> &str {
        &self.base
    }

    /// A model on this server that retries three times without waiting.
    pub fn model(&self) -> ChatCompletionsBuilder {
        ChatCompletions::builder(self.base(), "m").retries(at_once())
    }

    /// Every request so far, head and body.
    pub fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

/// Retries three times without waiting.
pub fn at_once() -> RetryPolicy {
    RetryPolicy::default()
        .base_delay(Duration::ZERO)
        .jitter(|| 0.0)
}

async fn serve(listener: TcpListener, acts: Vec<Act>, seen: Arc<Mutex<Vec<String>>>) {
    let mut open = Vec::new();
    for act in acts {
        let (mut stream, _) = listener.accept().await.unwrap();
        let request = match act {
            Act::Deaf => String::new(),
            Act::Reset => {
                stream.read_u8().await.unwrap();
                String::new()
            }
            _ => read_request(&mut stream).await,
        };
        seen.lock().unwrap().push(request);
        open.extend(answer(stream, act).await);
    }
    // Connections that stay open do so until the test's runtime ends.
    drop(listener);
    std::future::pending::<()>().await;
}

/// Answers as told, and gives the connection back if it stays open.
async fn answer(mut stream: TcpStream, act: Act) -> Option<TcpStream> {
    match act {
        Act::Answer(bytes) => stream.write_all(bytes.as_bytes()).await.unwrap(),
        Act::Bytes(bytes) => stream.write_all(&bytes).await.unwrap(),
        Act::Stall(bytes) => {
            stream.write_all(bytes.as_bytes()).await.unwrap();
            return Some(stream);
        }
        Act::AnswerAndReset(bytes) => {
            stream.write_all(&bytes).await.unwrap();
            stream.set_zero_linger().unwrap();
        }
        Act::Trickle(pieces) => {
            for piece in pieces {
                stream.write_all(&piece).await.unwrap();
                tokio::time::sleep(A_MOMENT).await;
            }
        }
        Act::Endless(begin, piece) => {
            tokio::spawn(async move {
                stream.write_all(begin.as_bytes()).await.unwrap();
                while stream.write_all(piece.as_bytes()).await.is_ok() {
                    tokio::time::sleep(A_MOMENT).await;
                }
            });
        }
        Act::Deaf => return Some(stream),
        Act::Reset => {}
    }
    None
}

async fn read_request(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n")
            && body.len() >= content_length(head)
        {
            return text;
        }
        assert_ne!(
            stream.read_buf(&mut bytes).await.unwrap(),
            0,
            "the client hung up"
        );
    }
}

fn content_length(head: &str) -> usize {
    let line = head.lines().find_map(|line| {
        line.to_ascii_lowercase()
            .strip_prefix("content-length:")
            .map(str::to_owned)
    });
    line.unwrap().trim().parse().unwrap()
}

/// A response with these headers and this body, with its length told.
pub fn response(status: u16, headers: &[(&str, &str)], body: &str) -> String {
    let mut lines = vec![
        format!("HTTP/1.1 {status} X"),
        format!("content-length: {}", body.len()),
        "connection: close".to_owned(),
    ];
    lines.extend(
        headers
            .iter()
            .map(|(name, value)| format!("{name}: {value}")),
    );
    format!("{}\r\n\r\n{body}", lines.join("\r\n"))
}

/// A stream in pieces of so many bytes, without the end of it if it is to be cut.
pub fn streamed(content_type: &str, body: &str, piece: usize, cut: bool) -> Act {
    let head = format!(
        "HTTP/1.1 200 X\r\ncontent-type: {content_type}\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n"
    );
    let mut bytes = head.into_bytes();
    for piece in body.as_bytes().chunks(piece) {
        bytes.extend_from_slice(format!("{:x}\r\n", piece.len()).as_bytes());
        bytes.extend_from_slice(piece);
        bytes.extend_from_slice(b"\r\n");
    }
    if !cut {
        bytes.extend_from_slice(b"0\r\n\r\n");
    }
    Act::Bytes(bytes)
}

/// A completion with this text and 10 + 5 tokens.
pub fn completion(text: &str) -> String {
    let body = serde_json::json!({
        "id": "c-1", "model": "m-2026",
        "choices": [{"message": {"content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5},
    });
    response(
        200,
        &[
            ("content-type", "application/json"),
            ("x-request-id", "req-1"),
        ],
        &body.to_string(),
    )
}
