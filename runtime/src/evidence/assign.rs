//! Which of several places a quotation means.
//!
//! A passage that repeats is told apart by what the reply itself says of the
//! order: the elements of a list follow the document, each from a place of its
//! own, and the citations of one object lie together. Where that leaves more
//! than one place, nothing is chosen.

use std::collections::HashMap;

use super::locate::{Place, Places};
use crate::path::{FieldPath, Segment};

/// A quotation of a reply, in the order of the reply.
#[derive(Debug, Clone, Copy)]
pub struct Quotation<'a> {
    /// Where the reply cites.
    pub path: &'a FieldPath,
    /// Which lookup found its places; the same quotation is looked up once.
    pub lookup: usize,
}

/// The places of one lookup, each with the number of its document.
#[derive(Debug, Clone, Default)]
pub struct Lookup {
    /// In the order of documents and, within one, of places.
    pub spots: Vec<Spot>,
    /// Whether there may be more.
    pub more: bool,
}

/// A place in one of several documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// Which document, from 0.
    pub document: usize,
    /// The place in it.
    pub place: Place,
}

impl Lookup {
    /// Adds what was found in the next document.
    pub fn add(&mut self, document: usize, places: Places) {
        self.more |= places.more;
        let all = places.all.into_iter();
        self.spots.extend(all.map(|place| Spot { document, place }));
    }

    /// The spots where the quotation stands as it is, or all of them where it
    /// stands so nowhere.
    fn closest(&self) -> Vec<&Spot> {
        let literal = |spot: &&Spot| spot.place.folds.is_empty();
        let literals: Vec<&Spot> = self.spots.iter().filter(literal).collect();
        if literals.is_empty() {
            self.spots.iter().collect()
        } else {
            literals
        }
    }
}

/// A position in the documents one after the other.
type Position = (usize, usize);

impl Spot {
    fn start(&self) -> Position {
        (self.document, self.place.span.start)
    }

    fn end(&self) -> Position {
        (self.document, self.place.span.end)
    }
}

/// The spot that each citation means; nothing where none or more than one is
/// left.
pub fn assign<'l>(citations: &[Quotation<'_>], lookups: &'l [Lookup]) -> Vec<Option<&'l Spot>> {
    let mut chosen = vec![None; citations.len()];
    let mut open = Vec::new();
    for group in groups(citations) {
        let lookup = group
            .first()
            .and_then(|one| lookup(citations, lookups, *one));
        let Some(lookup) = lookup.filter(|lookup| !lookup.more) else {
            continue;
        };
        // Several elements may well cite one passage each in another spelling.
        let spots = if group.len() == 1 {
            lookup.closest()
        } else {
            lookup.spots.iter().collect()
        };
        match spots.as_slice() {
            [] => {}
            [only] => group.iter().for_each(|one| set(&mut chosen, *one, only)),
            _ => open.push((group, spots)),
        }
    }
    let clusters = Clusters::new(citations, &chosen);
    for (group, spots) in open {
        let ordered = clusters.in_order(citations, &group, &spots);
        for (place, one) in group.iter().enumerate() {
            let by_order = ordered.get(place).copied().flatten();
            let path = citations.get(*one).map(|citation| citation.path);
            let by_place = || clusters.among_siblings(path?, &spots);
            if let Some(spot) = by_order.or_else(by_place) {
                set(&mut chosen, *one, spot);
            }
        }
    }
    chosen
}

fn set<'l>(chosen: &mut [Option<&'l Spot>], one: usize, spot: &'l Spot) {
    if let Some(slot) = chosen.get_mut(one) {
        *slot = Some(spot);
    }
}

fn lookup<'l>(
    citations: &[Quotation<'_>],
    lookups: &'l [Lookup],
    one: usize,
) -> Option<&'l Lookup> {
    lookups.get(citations.get(one)?.lookup)
}

/// Citations of one quotation from the same field, whatever element it is in.
fn groups(citations: &[Quotation<'_>]) -> Vec<Vec<usize>> {
    let mut numbers: HashMap<(usize, Vec<Option<&str>>), usize> = HashMap::new();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (one, citation) in citations.iter().enumerate() {
        let shape = citation
            .path
            .segments()
            .iter()
            .map(|segment| match segment {
                Segment::Key(key) => Some(key.as_ref()),
                Segment::Index(_) => None,
            });
        let next = groups.len();
        let number = *numbers
            .entry((citation.lookup, shape.collect()))
            .or_insert(next);
        match groups.get_mut(number) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    groups
}

/// From where to where the citations below one place of the reply lie.
#[derive(Debug, Clone, Copy)]
struct Hull {
    from: Position,
    to: Position,
}

/// Where the objects and elements of a reply lie in the documents, as far as
/// quotations with one place tell.
struct Clusters<'a> {
    hulls: HashMap<&'a [Segment], Hull>,
    lists: HashMap<&'a [Segment], List>,
}

/// The elements of a list that are placed, by index.
#[derive(Debug, Default)]
struct List {
    elements: Vec<(usize, Hull)>,
    /// Whether each lies after the one before it.
    ordered: bool,
}

impl<'a> Clusters<'a> {
    fn new(citations: &[Quotation<'a>], chosen: &[Option<&Spot>]) -> Self {
        let shared = shared_prefixes(citations);
        let mut hulls: HashMap<&[Segment], Hull> = HashMap::new();
        for (citation, spot) in citations.iter().zip(chosen) {
            let Some(spot) = spot else { continue };
            // What several elements cite says nothing of where one of them is.
            let own = shared.get(&citation.lookup).copied().unwrap_or(0);
            for prefix in prefixes(citation.path).take(own) {
                let here = Hull {
                    from: spot.start(),
                    to: spot.end(),
                };
                hulls
                    .entry(prefix)
                    .and_modify(|hull| hull.widen(here))
                    .or_insert(here);
            }
        }
        let mut lists: HashMap<&[Segment], List> = HashMap::new();
        for (place, hull) in &hulls {
            if let Some((Segment::Index(index), list)) = place.split_last() {
                lists
                    .entry(list)
                    .or_default()
                    .elements
                    .push((*index, *hull));
            }
        }
        lists.values_mut().for_each(List::settle);
        Self { hulls, lists }
    }

    /// The spots of a group whose elements stand in the order of the document,
    /// as far as there is one way only.
    fn in_order<'l>(
        &self,
        citations: &[Quotation<'_>],
        group: &[usize],
        spots: &[&'l Spot],
    ) -> Vec<Option<&'l Spot>> {
        let windows: Option<Vec<Window>> = group
            .iter()
            .map(|one| self.window(citations.get(*one)?.path))
            .collect();
        let Some(windows) = windows else {
            return Vec::new();
        };
        let (Some(first), Some(last)) = (leftmost(&windows, spots), rightmost(&windows, spots))
        else {
            return Vec::new();
        };
        let both = first.into_iter().zip(last);
        both.map(|(first, last)| (first == last).then_some(first))
            .collect()
    }

    /// Between what the elements around a citation's element leave; nothing
    /// where it is in no list or the list is in no order.
    fn window(&self, path: &FieldPath) -> Option<Window> {
        let mut window = None;
        let segments = path.segments();
        for (place, segment) in segments.iter().enumerate() {
            let Segment::Index(index) = segment else {
                continue;
            };
            let list = segments.get(..place).and_then(|list| self.lists.get(list));
            let here = match list {
                Some(list) => list.window(*index)?,
                None => Window::default(),
            };
            window = Some(here.within(window.unwrap_or_default()));
        }
        window
    }

    /// The only spot between, or inside, the citations of the same object.
    fn among_siblings<'l>(&self, path: &FieldPath, spots: &[&'l Spot]) -> Option<&'l Spot> {
        let (_, parent) = path.segments().split_last()?;
        let hull = self.hulls.get(parent)?;
        let first = spots.partition_point(|spot| spot.start() < hull.from);
        let mut inside = spots
            .iter()
            .skip(first)
            .take_while(|spot| spot.start() <= hull.to)
            .filter(|spot| spot.end() <= hull.to);
        let only = inside.next()?;
        inside.next().is_none().then_some(*only)
    }
}

impl Hull {
    fn widen(&mut self, other: Self) {
        self.from = self.from.min(other.from);
        self.to = self.to.max(other.to);
    }
}

impl List {
    fn settle(&mut self) {
        self.elements.sort_by_key(|(index, _)| *index);
        let after = self.elements.iter().skip(1);
        self.ordered = self
            .elements
            .iter()
            .zip(after)
            .all(|((_, one), (_, next))| one.to <= next.from);
    }

    fn window(&self, index: usize) -> Option<Window> {
        if !self.ordered {
            return None;
        }
        let before = self.elements.partition_point(|(other, _)| *other < index);
        let after = self.elements.partition_point(|(other, _)| *other <= index);
        let from = before.checked_sub(1).and_then(|one| self.elements.get(one));
        let to = self.elements.get(after);
        Some(Window {
            from: from.map(|(_, hull)| hull.to),
            to: to.map(|(_, hull)| hull.from),
        })
    }
}

/// Where a citation may lie; an end that is not there is open.
#[derive(Debug, Clone, Copy, Default)]
struct Window {
    from: Option<Position>,
    to: Option<Position>,
}

impl Window {
    fn within(self, outer: Self) -> Self {
        Self {
            from: self.from.max(outer.from),
            to: [self.to, outer.to].into_iter().flatten().min(),
        }
    }

    fn holds(&self, spot: &Spot) -> bool {
        self.from.is_none_or(|from| from <= spot.start())
            && self.to.is_none_or(|to| spot.end() <= to)
    }
}

/// The first spot for each window that leaves the ones before it theirs.
fn leftmost<'l>(windows: &[Window], spots: &[&'l Spot]) -> Option<Vec<&'l Spot>> {
    let mut free = spots.iter();
    let mut end: Option<Position> = None;
    let take = |window: &Window| {
        let fits = |spot: &&&Spot| window.holds(spot) && end.is_none_or(|end| end <= spot.start());
        let spot = free.by_ref().find(fits).copied()?;
        end = Some(spot.end());
        Some(spot)
    };
    windows.iter().map(take).collect()
}

/// The last spot for each window that leaves the ones after it theirs.
fn rightmost<'l>(windows: &[Window], spots: &[&'l Spot]) -> Option<Vec<&'l Spot>> {
    let mut free = spots.iter().rev();
    let mut start: Option<Position> = None;
    let take = |window: &Window| {
        let fits =
            |spot: &&&Spot| window.holds(spot) && start.is_none_or(|start| spot.end() <= start);
        let spot = free.by_ref().find(fits).copied()?;
        start = Some(spot.start());
        Some(spot)
    };
    let backwards: Option<Vec<&Spot>> = windows.iter().rev().map(take).collect();
    backwards.map(|mut spots| {
        spots.reverse();
        spots
    })
}

/// A place and those above it, the root left out.
fn prefixes(path: &FieldPath) -> impl Iterator<Item = &[Segment]> {
    let segments = path.segments();
    (1..=segments.len()).filter_map(|length| segments.get(..length))
}

/// For each lookup, how many steps all of its citations have in common.
fn shared_prefixes(citations: &[Quotation<'_>]) -> HashMap<usize, usize> {
    let mut shared: HashMap<usize, (&[Segment], usize)> = HashMap::new();
    for citation in citations {
        let segments = citation.path.segments();
        shared
            .entry(citation.lookup)
            .and_modify(|(first, length)| {
                let common = first.iter().zip(segments).take_while(|(a, b)| a == b);
                *length = (*length).min(common.count());
            })
            .or_insert((segments, segments.len()));
    }
    let lengths = shared.into_iter();
    lengths
        .map(|(lookup, (_, length))| (lookup, length))
        .collect()
}
