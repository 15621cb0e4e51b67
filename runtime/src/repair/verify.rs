//! Failures that only the outside knows: a database, another service.

use crate::failure::{Failure, FailureCode, Layer};
use crate::node::panic;
use crate::rule::{RuleOutcome, Violation};

/// What is asked after the flow has accepted a value.
#[doc(hidden)]
pub trait Verify<T> {
    /// Whether there is anything to ask.
    const ASKS: bool;

    fn verify(&self, value: &T) -> impl Future<Output = Vec<Violation>>;
}

/// The failures that a verification adds.
pub(super) async fn verified<T>(verify: &impl Verify<T>, value: &T) -> Vec<Failure> {
    match panic::caught_later(verify.verify(value)).await {
        Ok(violations) => violations.into_iter().map(refused).collect(),
        Err(message) => vec![panic::in_rule("verify".to_owned(), &message)],
    }
}

fn refused(violation: Violation) -> Failure {
    let (message, place) = violation.into_parts();
    let path = place.unwrap_or_default();
    Failure::new(Layer::Rule, FailureCode::new("rule"), path, message).with_rule("verify")
}

/// Nothing is asked.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct NoVerify;

impl<T> Verify<T> for NoVerify {
    const ASKS: bool = false;

    fn verify(&self, _: &T) -> impl Future<Output = Vec<Violation>> {
        std::future::ready(Vec::new())
    }
}

/// An async closure is asked.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Verifier<F>(pub(crate) F);

/// What a verification says where it only says no.
pub(crate) const REFUSED: &str = "the value was refused by an outside check";

impl<T, O, F> Verify<T> for Verifier<F>
where
    F: AsyncFn(&T) -> O,
    O: RuleOutcome,
{
    const ASKS: bool = true;

    async fn verify(&self, value: &T) -> Vec<Violation> {
        (self.0)(value).await.violations(REFUSED)
    }
}
