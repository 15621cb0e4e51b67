//! The account of one binding: whatever a reply says is in the value, or is an
//! error.
//!
//! Serde has six ways to lose something in silence. Each is closed, so that
//! nothing can slip through:
//!
//! - **Ignored.** A type that does not want a value asks for
//!   `deserialize_ignored_any`: an error while an account is kept.
//! - **Left unread.** A visitor that takes three of four elements or members:
//!   the tape counts what is left.
//! - **Swallowed.** An error that was raised and did not come out (a flattened
//!   `Option` makes `None` of it): every error is counted when it is raised. A
//!   value that comes with one is bound part by part, each part under an account
//!   of its own, or each plain value in it is shown to be needed; else it is
//!   refused.
//! - **Buffered.** The derived code of untagged, internally tagged and flattened
//!   types copies the reply into a buffer, takes the first reading that raises
//!   no error, and drops the rest unseen. Types that derive `Extract` are never
//!   read so: [`Node::assemble`](crate::node::Node::assemble) binds them from
//!   the tape, each variant only where it accounts for every key. Types that the
//!   flow cannot look into (`leaf`, `with`, `from` without `Extract`) may read a
//!   plain value through a buffer that holds all of it, and no list or object.
//! - **Merged.** Map keys and set elements that differ as text and are equal as
//!   values: such maps and sets are assembled too, and count their entries.
//!   Those inside types that the flow cannot look into may hold texts, integers
//!   and enums by name, which differ as they are written; of other types no more
//!   than one, as their values cannot be compared here.
//! - **Changed.** Integers are exact or refused, and so is `-0`, which none of
//!   them holds; keys are taken only as their type writes them; a float is the
//!   nearest one, and refused where that is infinite, or zero for another value;
//!   decimals and times of more digits than their types hold, and leap seconds
//!   for types without them, are refused by the schema layer, or by
//!   [`held`](super::held) where the schema is the user's own.
//!
//! What a function of the user's makes of what it was given is not seen: it may
//! round or merge. That it swallows an error is.

use std::any::type_name;
use std::cell::Cell;

use super::{BindError, BindKind, Cursor, spoilt};

/// What is known of the binding that goes on in a thread.
#[derive(Debug, Clone, Copy)]
struct Account {
    kept: bool,
    raised: usize,
    /// The text that was read last as the name of an enum's variant.
    named: Option<u32>,
}

impl Account {
    const CLOSED: Self = Self {
        kept: false,
        raised: 0,
        named: None,
    };
}

thread_local! {
    static ACCOUNT: Cell<Account> = const { Cell::new(Account::CLOSED) };
}

/// Puts the account of an outer binding back, also when a type panics.
struct Outer(Account);

impl Drop for Outer {
    fn drop(&mut self) {
        ACCOUNT.set(self.0);
    }
}

/// Binds a value and keeps account of it.
///
/// An error that did not come out may have been swallowed, or be of a reading
/// that was tried first, or never have been one: many types make an error before
/// they know whether they need it. They are told apart by what becomes of a value
/// that nothing can be made of: whoever binds all the same does not need it.
///
/// # Errors
///
/// What `bind` says, or that it lost something of the reply.
#[inline]
pub(crate) fn accounted<'t, T>(
    value: Cursor<'t>,
    bind: impl for<'c> Fn(Cursor<'c>) -> Result<T, BindError>,
) -> Result<T, BindError> {
    let (result, raised) = watched(value, &bind);
    let fails = |spoilt: Cursor<'_>| watched(spoilt, &bind).0.is_err();
    if raised == 0 || result.is_err() || spoilt::all(value, fails) {
        return result;
    }
    Err(swallowed())
}

/// As [`accounted`], where an error that did not come out is always one that was
/// swallowed.
#[inline]
pub(crate) fn accounted_once<S, T>(
    source: S,
    bind: impl FnOnce(S) -> Result<T, BindError>,
) -> Result<T, BindError> {
    match watched(source, bind) {
        (Ok(_), raised) if raised > 0 => Err(swallowed()),
        (result, _) => result,
    }
}

/// Binds a value, and counts the errors that are raised.
#[inline]
fn watched<S, T>(
    source: S,
    bind: impl FnOnce(S) -> Result<T, BindError>,
) -> (Result<T, BindError>, usize) {
    let account = Account {
        kept: true,
        ..Account::CLOSED
    };
    let outer = Outer(ACCOUNT.replace(account));
    let result = bind(source);
    let raised = ACCOUNT.get().raised;
    drop(outer);
    (result, raised)
}

/// Whether what is lost is an error now.
#[inline]
pub(super) fn is_kept() -> bool {
    ACCOUNT.get().kept
}

/// Counts an error that was raised.
pub(super) fn raise() {
    let account = ACCOUNT.get();
    ACCOUNT.set(Account {
        raised: account.raised + 1,
        ..account
    });
}

/// Notes that a text was read as the name of an enum's variant.
pub(super) fn name(text: Cursor<'_>) {
    ACCOUNT.set(Account {
        named: Some(text.id()),
        ..ACCOUNT.get()
    });
}

/// Whether a text was, which tells it from all other names: the schema knows one
/// of each variant.
pub(super) fn is_name(text: Cursor<'_>) -> bool {
    ACCOUNT.get().named == Some(text.id())
}

#[cold]
fn swallowed() -> BindError {
    BindError::new(
        BindKind::Swallowed,
        "a part of this did not bind, and its type went on without it".to_owned(),
    )
}

/// Whether a visitor is the buffer of serde's derived code, or of `serde_with`'s.
/// The one of an internally tagged enum is another: its members go through this
/// one.
#[inline]
pub(super) fn is_buffer<V>() -> bool {
    let reader = type_name::<V>();
    // Most readers are of other crates or serde's own for std, and need no search.
    reader.starts_with("serde")
        && !reader.starts_with("serde_core::de::impls::")
        && is_kept()
        && reader.contains("::ContentVisitor")
}

/// The error for a value that a type reads through a buffer that cannot hold it,
/// or where it cannot be seen what becomes of it.
#[cold]
pub(super) fn buffered() -> BindError {
    BindError::new(
        BindKind::Lost,
        "its type reads this through a buffer of serde's, where what it drops cannot be seen; \
         derive `Extract` for the type"
            .to_owned(),
    )
}

/// The error for a value that its type does not want.
#[cold]
pub(super) fn ignored(value: Cursor<'_>) -> BindError {
    BindError::new(
        BindKind::Lost,
        "its type would ignore what stands here".to_owned(),
    )
    .at(value.id())
}

/// The error for a collection that may hold fewer values than were said.
#[cold]
pub(super) fn merged() -> BindError {
    BindError::new(
        BindKind::Lost,
        "its type may read two of these as one, which cannot be seen; give it types that derive \
         `Extract`, without `leaf`"
            .to_owned(),
    )
}
