//! The seam to an HTTP client.

use super::{HttpRequest, HttpResponse};
use crate::model::{BoxFuture, ModelError};

/// What carries a request to a provider and the response back: one exchange, nothing retried.
///
/// Unless another one is [given](super::HttpModelBuilder::transport), reqwest does it. A transport
/// answers with every status a server gives; an error is only for an exchange that did not come
/// about or broke off, as [`ModelError`] with a kind that says which
/// ([`Connect`](crate::ModelErrorKind::Connect), [`Timeout`](crate::ModelErrorKind::Timeout),
/// [`StreamCut`](crate::ModelErrorKind::StreamCut)) and
/// [`maybe_billed`](ModelError::with_maybe_billed) unless the request surely reached nobody. Its
/// texts hold neither URL nor header values, and it follows no redirects, which could take a
/// prompt to another place than the one configured.
///
/// ```
/// use typed_extract::model::http::{Headers, HttpRequest, HttpResponse, Transport};
/// use typed_extract::model::BoxFuture;
/// use typed_extract::{Model, ModelError, Request};
/// use typed_extract::model::openai_compatible::ChatCompletions;
///
/// struct Canned;
///
/// impl Transport for Canned {
///     fn send<'a>(&'a self, request: &'a HttpRequest) -> BoxFuture<'a, Result<HttpResponse, ModelError>> {
///         assert_eq!(request.url(), "http://localhost:8080/v1/chat/completions");
///         let body = r#"{"choices":[{"message":{"content":"{}"},"finish_reason":"stop"}]}"#;
///         let response = HttpResponse::new(200, Headers::default(), body.as_bytes().to_vec());
///         Box::pin(std::future::ready(Ok(response)))
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), ModelError> {
/// let model = ChatCompletions::builder("http://localhost:8080/v1", "qwen").transport(Canned).build()?;
/// assert_eq!(model.generate(&Request::new("Hello")).await?.text(), "{}");
/// # Ok(())
/// # }
/// ```
pub trait Transport: Send + Sync {
    /// Sends the request as a POST and gives the status and headers as soon as they are there; the
    /// body is read from the response. The whole exchange, reading included, ends within the
    /// request's [`timeout`](HttpRequest::timeout).
    fn send<'a>(
        &'a self,
        request: &'a HttpRequest,
    ) -> BoxFuture<'a, Result<HttpResponse, ModelError>>;
}

/// The body of a response, piece by piece as it arrives.
pub trait HttpBody: Send {
    /// The next piece; `None` at the end. A connection that breaks before the end is an error.
    fn chunk(&mut self) -> BoxFuture<'_, Result<Option<Vec<u8>>, ModelError>>;

    /// The length in bytes that the server announced, if it did.
    fn announced_length(&self) -> Option<u64> {
        None
    }
}

/// A body that is there already.
impl HttpBody for Vec<u8> {
    fn chunk(&mut self) -> BoxFuture<'_, Result<Option<Vec<u8>>, ModelError>> {
        let bytes = std::mem::take(self);
        Box::pin(std::future::ready(Ok((!bytes.is_empty()).then_some(bytes))))
    }

    fn announced_length(&self) -> Option<u64> {
        u64::try_from(self.len()).ok()
    }
}
