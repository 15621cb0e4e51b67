//! What a reference inside a schema means, decided in one place: a JSON Pointer in a URI fragment
//! (RFC 6901, section 6) that leads to a schema.

use std::borrow::Cow;

use serde_json::Value;

use super::walk::{LIST, NAMED, ONE};

/// How many references that lead only to each other are followed.
const CHAIN: usize = 128;

/// Why a reference means nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unresolved {
    /// It leads out of the schema.
    Outside,
    /// It names an anchor.
    Anchor,
    /// It is no text, or its escapes are no UTF-8.
    Malformed,
    /// Nothing stands there.
    Nothing,
    /// What stands there is no schema.
    NoSchema,
    /// It leads only to references.
    Circle,
}

impl Unresolved {
    pub(crate) fn message(self) -> &'static str {
        match self {
            Self::Outside => {
                "only references inside the schema are followed, such as \"#/$defs/Name\""
            }
            Self::Anchor => {
                "anchors are not followed; refer to the place, such as \"#/$defs/Name\""
            }
            Self::Malformed => "a reference is a text such as \"#/$defs/Name\"",
            Self::Nothing => "a reference to nothing",
            Self::NoSchema => "a reference to a place that holds no schema",
            Self::Circle => "references that lead only to each other",
        }
    }
}

/// The JSON Pointer that a reference holds.
pub(crate) fn pointer(reference: &str) -> Result<Cow<'_, str>, Unresolved> {
    let fragment = reference.strip_prefix('#').ok_or(Unresolved::Outside)?;
    let pointer = decoded(fragment).ok_or(Unresolved::Malformed)?;
    if pointer.is_empty() || pointer.starts_with('/') {
        Ok(pointer)
    } else {
        Err(Unresolved::Anchor)
    }
}

/// A fragment without its percent escapes.
fn decoded(fragment: &str) -> Option<Cow<'_, str>> {
    if !fragment.contains('%') {
        return Some(Cow::Borrowed(fragment));
    }
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut parts = fragment.split('%');
    bytes.extend_from_slice(parts.next()?.as_bytes());
    for part in parts {
        let code = part.get(..2)?;
        bytes.push(u8::from_str_radix(code, 16).ok()?);
        bytes.extend_from_slice(part.get(2..)?.as_bytes());
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

/// The schema that a reference names, another reference included.
pub(crate) fn target<'s>(root: &'s Value, reference: &Value) -> Result<&'s Value, Unresolved> {
    let reference = reference.as_str().ok_or(Unresolved::Malformed)?;
    at(root, &pointer(reference)?)
}

/// The schema that a reference names, and where it stands. Where that is but another reference,
/// what that one means.
pub(crate) fn resolved<'s>(
    root: &'s Value,
    reference: &Value,
) -> Result<(String, &'s Value), Unresolved> {
    let mut reference = reference.clone();
    for _ in 0..CHAIN {
        let text = reference.as_str().ok_or(Unresolved::Malformed)?;
        let pointer = pointer(text)?;
        let target = at(root, &pointer)?;
        let alone = target.as_object().filter(|node| node.len() == 1);
        match alone.and_then(|node| node.get("$ref")) {
            Some(next) => reference = next.clone(),
            None => return Ok((pointer.into_owned(), target)),
        }
    }
    Err(Unresolved::Circle)
}

/// The schema at a pointer: each step goes from a schema to one of its parts.
fn at<'s>(root: &'s Value, pointer: &str) -> Result<&'s Value, Unresolved> {
    let found = root.pointer(pointer).ok_or(Unresolved::Nothing)?;
    let mut steps = pointer.split('/').skip(1);
    while let Some(keyword) = steps.next() {
        let inside = ONE.contains(&keyword)
            || (LIST.contains(&keyword) || NAMED.contains(&keyword)) && steps.next().is_some();
        if !inside {
            return Err(Unresolved::NoSchema);
        }
    }
    if found.is_object() || found.is_boolean() {
        Ok(found)
    } else {
        Err(Unresolved::NoSchema)
    }
}
