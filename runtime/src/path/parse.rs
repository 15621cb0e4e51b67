//! A path from the way people write it.

use super::{FieldPath, Segment};

/// Reads a path as it prints: `lines[2].amount`. The empty text is the root.
///
/// Every text is some path: what is not an index in brackets, or a key in brackets as a JSON string
/// (`["a.b"]`), is a key up to the next dot or bracket.
///
/// ```
/// use typed_extract::FieldPath;
///
/// let path = FieldPath::from(r#"lines[2]["unit.price"]"#);
/// assert_eq!(path, FieldPath::root().key("lines").index(2).key("unit.price"));
/// assert_eq!(FieldPath::from("[0].amount").pointer(), "/0/amount");
/// assert!(FieldPath::from("").is_root());
/// ```
impl From<&str> for FieldPath {
    fn from(text: &str) -> Self {
        let mut path = Self::root();
        let mut rest = text;
        while !rest.is_empty() {
            let (step, after) = bracketed(rest).unwrap_or_else(|| plain(rest));
            path.0.push(step);
            rest = after.strip_prefix('.').unwrap_or(after);
        }
        path
    }
}

/// A copy of the path.
impl From<&FieldPath> for FieldPath {
    fn from(path: &FieldPath) -> Self {
        path.clone()
    }
}

/// An index, or a key as a JSON string, and what follows.
fn bracketed(text: &str) -> Option<(Segment, &str)> {
    let inner = text.strip_prefix('[')?;
    if inner.starts_with('"') {
        let mut keys = serde_json::Deserializer::from_str(inner).into_iter::<String>();
        let key = keys.next()?.ok()?;
        let after = inner.get(keys.byte_offset()..)?.strip_prefix(']')?;
        return Some((Segment::Key(key.into()), after));
    }
    let (index, after) = inner.split_once(']')?;
    let digits = index.bytes().all(|byte| byte.is_ascii_digit());
    let index = digits.then(|| index.parse().ok()).flatten()?;
    Some((Segment::Index(index), after))
}

/// A key up to the next dot or bracket, and what follows. A bracket that opens nothing belongs to it.
fn plain(text: &str) -> (Segment, &str) {
    let opens = |place: usize| bracketed(text.get(place..).unwrap_or_default()).is_some();
    let ends = |(place, c): &(usize, char)| *c == '.' || (*c == '[' && opens(*place));
    let end = text.char_indices().find(ends);
    let end = end.map_or(text.len(), |(place, _)| place);
    let (key, after) = text.split_at(end);
    (Segment::Key(key.to_owned().into()), after)
}
