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
//!   `Option` makes `None` of it): every error is counted when it is raised, and
//!   a value that comes with one is refused.
//! - **Buffered.** The derived code of untagged, internally tagged and flattened
//!   types copies the reply into a buffer, takes the first reading that raises
//!   no error, and drops the rest unseen. Types that derive `Extract` are never
//!   read so: [`Node::assemble`](crate::node::Node::assemble) binds them from
//!   the tape, each variant only where it accounts for every key. Types that the
//!   flow cannot look into (`leaf`, `with`, `from` without `Extract`) may read a
//!   plain value through a buffer, and no list or object.
//! - **Merged.** Map keys and set elements that differ as text and are equal as
//!   values: such maps and sets are assembled too, and count their entries.
//! - **Changed.** Integers are exact or refused, and so is `-0`, which none of
//!   them holds; keys are taken only as their type writes them; a float is the
//!   nearest one, and refused where that is infinite, or zero for another value;
//!   decimals and times of more digits than their types hold are refused by the
//!   schema layer.

use std::any::type_name;
use std::cell::Cell;

use super::{BindError, BindKind, Cursor};

/// What is known of the binding that goes on in a thread.
#[derive(Debug, Clone, Copy, Default)]
struct Account {
    kept: bool,
    raised: usize,
}

thread_local! {
    static ACCOUNT: Cell<Account> = const { Cell::new(Account { kept: false, raised: 0 }) };
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
/// # Errors
///
/// What `bind` says, or that it lost something of the reply.
#[inline]
pub(crate) fn accounted<S, T>(
    source: S,
    bind: impl FnOnce(S) -> Result<T, BindError>,
) -> Result<T, BindError> {
    let account = Account {
        kept: true,
        raised: 0,
    };
    let outer = Outer(ACCOUNT.replace(account));
    let result = bind(source);
    let raised = ACCOUNT.get().raised;
    drop(outer);
    match result {
        Ok(_) if raised > 0 => Err(swallowed()),
        result => result,
    }
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

#[cold]
fn swallowed() -> BindError {
    BindError::new(
        BindKind::Lost,
        "a part of this did not bind, and its type went on without it".to_owned(),
    )
}

/// Whether a visitor is the buffer of serde's derived code, or of `serde_with`'s.
/// The one of an internally tagged enum is another: of its members, those that
/// are lists or objects go through this one.
pub(super) fn is_buffer<V>() -> bool {
    type_name::<V>().contains("::ContentVisitor")
}

/// The error for a list or an object that a type reads through a buffer.
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
