//! Awaiting an extraction, and what the compiler says where a part of it is missing.

use std::pin::Pin;
use std::task::Poll;

use super::builder::Extractor;
use super::extracted::Extracted;
use super::states::{ByModel, NoContext, NoDocument, NoModel, Target, Text};
use crate::error::Error;
use crate::model::Model;
use crate::repair::verify::{NoVerify, Verifier, Verify};

type Sendable<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>>;
type Local<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + 'a>>;

impl<'a, T, M, C> IntoFuture for Extractor<'a, T, &'a C, ByModel<M>, Text<'a>, NoVerify>
where
    T: Target<Context = C> + Send + Sync + 'a,
    C: ?Sized + Sync + 'static,
    M: Model + 'a,
{
    type Output = Result<T, Error>;
    type IntoFuture = Sendable<'a, T>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { self.run().await.map(Extracted::into_value) })
    }
}

impl<'a, T, M> IntoFuture for Extractor<'a, T, NoContext<()>, ByModel<M>, Text<'a>, NoVerify>
where
    T: Target<Context = ()> + Send + Sync + 'a,
    M: Model + 'a,
{
    type Output = Result<T, Error>;
    type IntoFuture = Sendable<'a, T>;

    fn into_future(self) -> Self::IntoFuture {
        self.context(&()).into_future()
    }
}

impl<'a, T, M, C, F> IntoFuture for Extractor<'a, T, &'a C, ByModel<M>, Text<'a>, Verifier<F>>
where
    T: Target<Context = C> + 'a,
    C: ?Sized + Sync + 'static,
    M: Model + 'a,
    Verifier<F>: Verify<T>,
    F: 'a,
{
    type Output = Result<T, Error>;
    type IntoFuture = Local<'a, T>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { self.run().await.map(Extracted::into_value) })
    }
}

impl<'a, T, M, F> IntoFuture for Extractor<'a, T, NoContext<()>, ByModel<M>, Text<'a>, Verifier<F>>
where
    T: Target<Context = ()> + 'a,
    M: Model + 'a,
    Verifier<F>: Verify<T>,
    F: 'a,
{
    type Output = Result<T, Error>;
    type IntoFuture = Local<'a, T>;

    fn into_future(self) -> Self::IntoFuture {
        self.context(&()).into_future()
    }
}

/// Nothing implements it, so that what asks for it is an error that says how to
/// go on. Without the implementations of [`Future`] below the compiler
/// would only say that an unfinished extraction is not a future.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this extraction has no model to ask",
    label = "call `.model(&model)` on it before awaiting",
    note = "`.validate(reply)` checks a reply without a model"
)]
pub trait ModelBeforeAwait<T> {}

/// As [`ModelBeforeAwait`], for the document.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this extraction has no document",
    label = "call `.document(text)` on it before awaiting"
)]
pub trait DocumentBeforeAwait<T> {}

#[doc(hidden)]
impl<T: Target, Cx, D, V> Future for Extractor<'_, T, Cx, NoModel, D, V>
where
    NoModel: ModelBeforeAwait<T>,
{
    type Output = Result<T, Error>;

    fn poll(self: Pin<&mut Self>, _: &mut std::task::Context<'_>) -> Poll<Self::Output> {
        Poll::Pending
    }
}

#[doc(hidden)]
impl<T: Target, Cx, M, V> Future for Extractor<'_, T, Cx, ByModel<M>, NoDocument, V>
where
    NoDocument: DocumentBeforeAwait<T>,
{
    type Output = Result<T, Error>;

    fn poll(self: Pin<&mut Self>, _: &mut std::task::Context<'_>) -> Poll<Self::Output> {
        Poll::Pending
    }
}

/// As [`ModelBeforeAwait`], for the context.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the rules of this type read a context of type `{C}`",
    label = "call `.context(&value)` on it before awaiting"
)]
pub trait ContextBeforeAwait<C: ?Sized> {}

#[doc(hidden)]
impl<T, C, M, V> Future for Extractor<'_, T, NoContext<C>, ByModel<M>, Text<'_>, V>
where
    T: Target<Context = C>,
    C: ?Sized + 'static,
    NoContext<C>: ContextBeforeAwait<C>,
{
    type Output = Result<T, Error>;

    fn poll(self: Pin<&mut Self>, _: &mut std::task::Context<'_>) -> Poll<Self::Output> {
        Poll::Pending
    }
}
