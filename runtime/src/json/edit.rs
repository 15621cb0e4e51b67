//! A reply with some values replaced, added or left out, as text: what is not
//! edited is copied byte for byte, so numbers stay as they were written.

use std::collections::BTreeMap;

use crate::json::{Cursor, Kind};

/// What happens to one node of the tape.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Edit {
    /// This JSON text stands there instead.
    Replace(String),
    /// Its own text stands there as a string.
    Quote,
    /// The member and its key are left out.
    Remove,
    /// An object stands there, each of its members one node's text and another
    /// node.
    Members(Vec<(u32, u32)>),
    /// An array of these nodes stands there.
    Elements(Vec<u32>),
    /// This node, which is below, stands there instead.
    Inner(u32),
}

/// The edits of one reply.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    nodes: BTreeMap<u32, Edit>,
    /// The keys, as JSON text, under which members stand instead of their own.
    renamed: BTreeMap<u32, String>,
    /// Members added at the end of an object: key and value as JSON text.
    added: BTreeMap<u32, Vec<(String, String)>>,
}

impl Edits {
    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.renamed.is_empty() && self.added.is_empty()
    }

    pub(crate) fn set(&mut self, cursor: Cursor<'_>, edit: Edit) {
        self.nodes.insert(cursor.id(), edit);
    }

    /// Puts a member's value under another key.
    pub(crate) fn rename(&mut self, value: Cursor<'_>, key: &str) {
        self.renamed.insert(value.id(), quote(key));
    }

    pub(crate) fn add(&mut self, object: Cursor<'_>, key: &str, value: &str) {
        let member = (quote(key), value.to_owned());
        self.added.entry(object.id()).or_default().push(member);
    }

    /// The whole text with the edits made.
    pub(crate) fn apply(&self, root: Cursor<'_>) -> String {
        let mut out = String::with_capacity(root.raw().len() + 64);
        self.write(root, &mut out);
        out
    }

    /// Recursion is bounded by the depth that parsing allows.
    fn write(&self, cursor: Cursor<'_>, out: &mut String) {
        match self.nodes.get(&cursor.id()) {
            Some(Edit::Replace(text)) => return out.push_str(text),
            Some(Edit::Remove) => return,
            Some(Edit::Quote) => return out.push_str(&quote(cursor.raw())),
            Some(Edit::Members(members)) => return self.write_members(cursor, members, out),
            Some(Edit::Elements(all)) => {
                let all = all.iter().map(|id| cursor.at(*id));
                return self.write_elements(all, out);
            }
            Some(Edit::Inner(id)) => return self.write(cursor.at(*id), out),
            None => {}
        }
        if !self.touches(cursor) {
            return out.push_str(cursor.raw());
        }
        match cursor.kind() {
            Kind::Object => self.write_object(cursor, out),
            Kind::Array => self.write_elements(cursor.elements(), out),
            _ => out.push_str(cursor.raw()),
        }
    }

    fn touches(&self, cursor: Cursor<'_>) -> bool {
        let inside = cursor.id()..cursor.after();
        self.nodes.range(inside.clone()).next().is_some()
            || self.renamed.range(inside.clone()).next().is_some()
            || self.added.range(inside).next().is_some()
    }

    fn write_object(&self, cursor: Cursor<'_>, out: &mut String) {
        out.push('{');
        let mut separate = separator();
        for (key, value) in cursor.members() {
            if self.nodes.get(&value.id()) != Some(&Edit::Remove) {
                out.push_str(separate());
                match self.renamed.get(&value.id()) {
                    Some(other) => out.push_str(other),
                    None => out.push_str(&quote(&key)),
                }
                out.push_str(": ");
                self.write(value, out);
            }
        }
        for (key, value) in self.added.get(&cursor.id()).into_iter().flatten() {
            out.push_str(separate());
            out.push_str(key);
            out.push_str(": ");
            out.push_str(value);
        }
        out.push('}');
    }

    fn write_members(&self, cursor: Cursor<'_>, members: &[(u32, u32)], out: &mut String) {
        out.push('{');
        let mut separate = separator();
        for (key, value) in members {
            out.push_str(separate());
            out.push_str(cursor.at(*key).raw());
            out.push_str(": ");
            self.write(cursor.at(*value), out);
        }
        out.push('}');
    }

    fn write_elements<'c>(&self, all: impl Iterator<Item = Cursor<'c>>, out: &mut String) {
        out.push('[');
        let mut separate = separator();
        for element in all {
            out.push_str(separate());
            self.write(element, out);
        }
        out.push(']');
    }
}

fn separator() -> impl FnMut() -> &'static str {
    let mut first = true;
    move || if std::mem::take(&mut first) { "" } else { ", " }
}

/// `text` as a JSON string.
pub(crate) fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
