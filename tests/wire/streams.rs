//! Streams as a server sends them.

/// A response whose body comes in chunks of this many bytes, wherever they cut.
pub(crate) fn chunked(content_type: &str, body: &[u8], piece: usize) -> Vec<u8> {
    let mut bytes = begun(content_type, body, piece);
    bytes.extend_from_slice(b"0\r\n\r\n");
    bytes
}

/// The same without its end.
pub(crate) fn begun(content_type: &str, body: &[u8], piece: usize) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 200 X\r\ncontent-type: {content_type}\r\ntransfer-encoding: chunked\r\n\
         connection: close\r\n\r\n"
    );
    let mut bytes = head.into_bytes();
    for chunk in body.chunks(piece) {
        bytes.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
        bytes.extend_from_slice(chunk);
        bytes.extend_from_slice(b"\r\n");
    }
    bytes
}
