//! Streams as a server sends them, and what is handed on of them.

use std::fmt::Write as _;

use typed_extract::model::Delta;
use typed_extract::model::http::Headers;
use typed_extract::{Model, ModelError, Reply, Request};

/// A response whose body comes in chunks of this many bytes, wherever they cut.
pub(crate) fn chunked(content_type: &str, body: &[u8], piece: usize) -> Vec<u8> {
    let mut bytes = begun(content_type, body, piece);
    bytes.extend_from_slice(b"0\r\n\r\n");
    bytes
}

/// The same without its end.
pub(crate) fn begun(content_type: &str, body: &[u8], piece: usize) -> Vec<u8> {
    let headers = Headers::from_iter([("content-type", content_type)]);
    in_pieces(200, &headers, body, piece)
}

/// A response with this status and these headers, its body in pieces of this many bytes, without
/// its end.
pub(crate) fn in_pieces(status: u16, headers: &Headers, body: &[u8], piece: usize) -> Vec<u8> {
    let mut head =
        format!("HTTP/1.1 {status} X\r\ntransfer-encoding: chunked\r\nconnection: close\r\n");
    for (name, value) in headers.iter() {
        let _ = write!(head, "{name}: {value}\r\n");
    }
    let mut bytes = format!("{head}\r\n").into_bytes();
    for chunk in body.chunks(piece) {
        bytes.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
        bytes.extend_from_slice(chunk);
        bytes.extend_from_slice(b"\r\n");
    }
    bytes
}

/// What a streamed answer comes to, and all that was handed on: each text, and `restart`.
pub(crate) async fn follow(model: &dyn Model) -> (Result<Reply, ModelError>, Vec<String>) {
    let mut seen = Vec::new();
    let mut deltas = |delta: Delta<'_>| {
        seen.push(match delta {
            Delta::Text(text) => text.to_owned(),
            _ => "restart".to_owned(),
        });
    };
    let reply = model.stream(&Request::new("Hello"), &mut deltas).await;
    (reply, seen)
}
