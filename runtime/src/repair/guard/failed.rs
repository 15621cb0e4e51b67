//! The places that failed, as one tree.

use std::collections::HashMap;

use crate::path::{FieldPath, Segment};

/// More steps than any reply has levels; what would lie deeper is at no place of it.
const DEEPEST: usize = 1_024;

/// The root's node.
const ROOT: u32 = 0;

/// The places that failed in a reply. Finding the one below another costs the same however many
/// there are.
#[derive(Debug)]
pub(super) struct FailedPlaces<'p> {
    nodes: Vec<FailedNode>,
    steps: HashMap<(u32, Step<'p>), u32>,
    /// Whether a key consists of digits.
    digits: bool,
}

#[derive(Debug, Default)]
struct FailedNode {
    failed: bool,
    below: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Step<'p> {
    Key(&'p str),
    Index(usize),
}

impl<'p> FailedPlaces<'p> {
    pub(super) fn new(paths: &'p [FieldPath]) -> Self {
        let mut places = Self {
            nodes: vec![FailedNode::default()],
            steps: HashMap::new(),
            digits: false,
        };
        for path in paths {
            places.insert(path);
        }
        places
    }

    /// The place of the whole, if anything failed.
    pub(super) fn root(&self) -> Option<FailedPlace<'_>> {
        let place = FailedPlace {
            places: self,
            node: ROOT,
        };
        (place.failed() || place.below() > 0).then_some(place)
    }

    fn insert(&mut self, path: &'p FieldPath) {
        let steps = path.segments();
        let mut here = ROOT;
        for segment in steps.iter().take(DEEPEST) {
            here = self.step(here, segment);
        }
        if let Some(node) = self.node_mut(here).filter(|_| steps.len() <= DEEPEST) {
            node.failed = true;
        }
    }

    fn step(&mut self, from: u32, segment: &'p Segment) -> u32 {
        let step = match segment {
            Segment::Key(key) => {
                self.digits |= digits(key).is_some();
                Step::Key(key)
            }
            Segment::Index(index) => Step::Index(*index),
        };
        let next = u32::try_from(self.nodes.len()).unwrap_or(ROOT);
        let to = *self.steps.entry((from, step)).or_insert(next);
        if to == next {
            self.nodes.push(FailedNode::default());
            if let Some(node) = self.node_mut(from) {
                node.below += 1;
            }
        }
        to
    }

    fn node_mut(&mut self, node: u32) -> Option<&mut FailedNode> {
        self.nodes.get_mut(usize::try_from(node).ok()?)
    }
}

/// A place that failed, or one with such a place below it.
#[derive(Debug, Clone, Copy)]
pub(super) struct FailedPlace<'p> {
    places: &'p FailedPlaces<'p>,
    node: u32,
}

impl<'p> FailedPlace<'p> {
    fn node(self) -> Option<&'p FailedNode> {
        self.places.nodes.get(usize::try_from(self.node).ok()?)
    }

    /// Whether all that stands here may change.
    pub(super) fn failed(self) -> bool {
        self.node().is_some_and(|node| node.failed)
    }

    /// How many steps lead from here to places that failed.
    pub(super) fn below(self) -> usize {
        self.node().map_or(0, |node| node.below)
    }

    /// The place of a member. A caller may have given a key of digits as an index.
    pub(super) fn key(self, key: &str) -> Option<Self> {
        let as_index = || self.step(Step::Index(digits(key)?));
        self.step(Step::Key(key)).or_else(as_index)
    }

    /// The place of an element. A caller may have given its index as a key.
    pub(super) fn index(self, index: usize) -> Option<Self> {
        let as_key = || self.step(Step::Key(&index.to_string()));
        let found = self.step(Step::Index(index));
        found.or_else(|| self.places.digits.then(as_key).flatten())
    }

    fn step(self, step: Step<'_>) -> Option<Self> {
        let steps: &HashMap<(u32, Step<'_>), u32> = &self.places.steps;
        let node = *steps.get(&(self.node, step))?;
        Some(Self { node, ..self })
    }
}

fn digits(key: &str) -> Option<usize> {
    let digits = key.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| key.parse().ok()).flatten()
}
