//! The fixed words of records that were written earlier, maybe by another version.

use std::borrow::Cow;

const LONGEST: usize = 64;

/// A word such as a code or a version; `None` where it is not one. It lives as long as what holds
/// it, so that no number of records fills the memory of the process.
pub(super) fn word(text: &str) -> Option<Cow<'static, str>> {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-+".contains(&byte);
    let is_word = !text.is_empty() && text.len() <= LONGEST && text.bytes().all(letter);
    is_word.then(|| Cow::Owned(text.to_owned()))
}
