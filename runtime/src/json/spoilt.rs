//! Copies of a value in which one plain value is another: what binds all the same
//! does not need it.

use super::{Cursor, Kind, Node, Tape, tag};

/// Nodes that a value may have to be copied, and plain values that are tried: each
/// is a binding of its own.
const NODES: u32 = 64;
const TRIED: usize = 8;

/// Whether `fails` with each copy of a small value; not asked of a larger one.
#[cold]
pub(super) fn all(value: Cursor<'_>, mut fails: impl FnMut(Cursor<'_>) -> bool) -> bool {
    if value.after() - value.id() > NODES {
        return false;
    }
    let mut plain = Vec::new();
    list_plain(value, &mut plain);
    plain.len() <= TRIED
        && plain
            .into_iter()
            .all(|place| fails(spoilt(value, place).root()))
}

/// The ids of the plain values at and below one. Null says nothing.
fn list_plain(value: Cursor<'_>, plain: &mut Vec<u32>) {
    match value.kind() {
        Kind::Array => value.elements().for_each(|one| list_plain(one, plain)),
        Kind::Object => value
            .pairs()
            .for_each(|(_, member)| list_plain(member, plain)),
        Kind::Null => {}
        Kind::Bool | Kind::Number | Kind::String => plain.push(value.id()),
    }
}

/// The value with something at one place that no type takes for a plain value.
fn spoilt(value: Cursor<'_>, place: u32) -> Tape<'_> {
    let first = value.id();
    let nodes = (first..value.after()).map(|id| {
        let node = value.at(id).node();
        if id == place {
            return Node {
                meta: tag::SPOILT,
                ..node
            };
        }
        // Of a container, the link leads to another node.
        let link = if node.tag() >= tag::ARRAY {
            node.link - first
        } else {
            node.link
        };
        Node { link, ..node }
    });
    Tape {
        text: (&*value.tape.text).into(),
        nodes: nodes.collect(),
        controls: value.tape.controls,
    }
}
