//! The fixed words of records that were written earlier, maybe by another version.

use std::collections::HashSet;
use std::sync::{LazyLock, PoisonError, RwLock};

/// How many different words may be kept, so that no input can fill the memory.
const MOST: usize = 4096;
const LONGEST: usize = 64;

static WORDS: LazyLock<RwLock<HashSet<&'static str>>> = LazyLock::new(RwLock::default);

/// A word such as a code or a version, kept for good; `None` where it is not one.
pub(super) fn word(text: &str) -> Option<&'static str> {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-+".contains(&byte);
    if text.is_empty() || text.len() > LONGEST || !text.bytes().all(letter) {
        return None;
    }
    let known = WORDS.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(word) = known.get(text) {
        return Some(word);
    }
    drop(known);
    let mut words = WORDS.write().unwrap_or_else(PoisonError::into_inner);
    if words.len() >= MOST {
        return None;
    }
    let kept: &'static str = Box::leak(text.into());
    words.insert(kept);
    Some(kept)
}
