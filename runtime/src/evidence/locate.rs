//! Where a quotation stands in a document.
//!
//! An [`Index`] lists the tokens of one document by their hashes. A quotation
//! is looked up by its rarest token and followed from there in both directions,
//! token by token, so that a lookup costs what the quotation is long and not
//! what the document is. Nothing is ever found by similarity.

use std::ops::Range;

use super::boundary;
use super::fold::{Folds, TextNormalization, difference};
use super::token::{Gap, Kind, Token, joined, tokens};

/// How many places of one quotation are listed.
const MOST_PLACES: usize = 1 << 16;

/// What a place costs beside the comparison of its text.
const PLACING: usize = 16;

/// One place of a quotation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Bytes of the document, on character boundaries.
    pub span: Range<usize>,
    /// What had to be set aside for the quotation to be found there.
    pub folds: Folds,
}

/// All places of a quotation, in the order of the document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Places {
    /// The places that were found.
    pub all: Vec<Place>,
    /// Whether there may be more: the quotation repeats too often to list.
    pub more: bool,
}

/// What the lookups for one reply may cost together. A document and quotations
/// made to be searched for ever use it up, and what is then not yet placed
/// counts as ambiguous.
#[derive(Debug)]
pub struct Effort(u64);

impl Effort {
    /// Enough for texts of `bytes` together, whatever they hold but mischief.
    pub fn for_bytes(bytes: usize) -> Self {
        Self((bytes as u64).saturating_mul(4).saturating_add(1 << 20))
    }

    pub(crate) fn spend(&mut self, steps: usize) -> Result<(), Cost> {
        let left = self.0.checked_sub(steps as u64);
        self.0 = left.unwrap_or(0);
        left.map(|_| ()).ok_or(Cost)
    }
}

/// The tokens of one document by their hashes; made in one pass.
#[derive(Debug)]
pub struct Index {
    tokens: Vec<Token>,
    joins: Vec<Join>,
    /// For each bucket, where its entries begin; one more than there are buckets.
    heads: Vec<u32>,
    /// Tokens, and after the last of them joins, bucket by bucket.
    entries: Vec<u32>,
}

/// Words on both sides of a hyphen at a line's end, read as one.
#[derive(Debug, Clone, Copy)]
struct Join {
    first: u32,
    /// Tokens from the first word to the last, hyphens included.
    length: u32,
    hash: u32,
}

impl Index {
    /// Reads a document; one of 4 GiB or more holds nothing.
    pub fn new(text: &str) -> Self {
        let tokens = tokens(text);
        let joins = joins(text, &tokens);
        let count = tokens.len() + joins.len();
        let mask = count.next_power_of_two() - 1;
        let hash_of = |entry: usize| hash_of(&tokens, &joins, entry);
        let mut heads = vec![0u32; mask + 2];
        for entry in 0..count {
            if let Some(head) = heads.get_mut((hash_of(entry) as usize & mask) + 1) {
                *head += 1;
            }
        }
        let mut sum = 0;
        for head in &mut heads {
            sum += *head;
            *head = sum;
        }
        let mut next = heads.clone();
        let mut entries = vec![0u32; count];
        for entry in 0..count {
            let Some(slot) = next.get_mut(hash_of(entry) as usize & mask) else {
                continue;
            };
            if let Some(place) = entries.get_mut(*slot as usize) {
                *place = u32::try_from(entry).unwrap_or(u32::MAX);
            }
            *slot += 1;
        }
        Self {
            tokens,
            joins,
            heads,
            entries,
        }
    }

    /// All places of a quotation in the text that the index was made of.
    pub fn find(&self, text: &str, quote: &str, effort: &mut Effort) -> Places {
        let wanted = tokens(quote);
        let mut places = Places::default();
        let Some((anchor, entries)) = self.rarest(&wanted) else {
            return places;
        };
        let search = Search {
            index: self,
            text,
            quote,
            wanted: &wanted,
        };
        if effort.spend(wanted.len() + entries.len()).is_err() {
            places.more = !entries.is_empty();
            return places;
        }
        for entry in entries {
            if places.all.len() == MOST_PLACES {
                places.more = true;
                break;
            }
            let Ok(found) = search.around(anchor, *entry as usize, effort) else {
                places.more = true;
                break;
            };
            places.all.extend(found);
        }
        places
            .all
            .sort_by_key(|place| (place.span.start, place.span.end));
        places.all.dedup_by(|one, other| one.span == other.span);
        places
    }

    /// The token of a quotation with the fewest entries, and those.
    fn rarest(&self, wanted: &[Token]) -> Option<(usize, &[u32])> {
        let buckets = wanted.iter().map(|token| self.bucket(token.hash));
        buckets.enumerate().min_by_key(|(_, entries)| entries.len())
    }

    fn bucket(&self, hash: u32) -> &[u32] {
        let bucket = hash as usize & (self.heads.len() - 2);
        let range = self.heads.get(bucket..bucket + 2);
        match range {
            Some([start, end]) => self
                .entries
                .get(*start as usize..*end as usize)
                .unwrap_or_default(),
            _ => &[],
        }
    }

    fn hash_of(&self, entry: usize) -> u32 {
        hash_of(&self.tokens, &self.joins, entry)
    }

    /// The tokens that an entry stands for.
    fn reach(&self, entry: usize) -> Option<Range<usize>> {
        if entry < self.tokens.len() {
            return Some(entry..entry + 1);
        }
        let join = self.joins.get(entry - self.tokens.len())?;
        let first = join.first as usize;
        Some(first..first + join.length as usize)
    }

    /// The join that begins at a token, has this many tokens and this hash.
    fn join(&self, first: usize, length: usize, hash: u32) -> bool {
        let from = self
            .joins
            .partition_point(|join| (join.first as usize) < first);
        let here = self.joins.iter().skip(from);
        here.take_while(|join| join.first as usize == first)
            .any(|join| join.length as usize == length && join.hash == hash)
    }

    /// Whether the token is a hyphen at the end of a line within a word.
    fn is_line_hyphen(&self, hyphen: usize) -> bool {
        line_hyphen(&self.tokens, hyphen)
    }
}

fn hash_of(tokens: &[Token], joins: &[Join], entry: usize) -> u32 {
    let token = tokens.get(entry).map(|token| token.hash);
    let join = || Some(joins.get(entry.checked_sub(tokens.len())?)?.hash);
    token.or_else(join).unwrap_or_default()
}

fn line_hyphen(tokens: &[Token], hyphen: usize) -> bool {
    let before = hyphen.checked_sub(1).and_then(|before| tokens.get(before));
    match (before, tokens.get(hyphen), tokens.get(hyphen + 1)) {
        (Some(before), Some(hyphen), Some(after)) => {
            before.kind == Kind::Word
                && (hyphen.kind, hyphen.gap) == (Kind::Hyphen, Gap::Nothing)
                && (after.kind, after.gap) == (Kind::Word, Gap::Break)
        }
        _ => false,
    }
}

/// Words that a line's end may have cut, over at most two lines' ends.
fn joins(text: &str, tokens: &[Token]) -> Vec<Join> {
    let mut joins = Vec::new();
    for (hyphen, _) in tokens
        .iter()
        .enumerate()
        .filter(|(_, token)| token.kind == Kind::Hyphen)
    {
        let Some(first) = hyphen
            .checked_sub(1)
            .filter(|_| one_word(text, tokens, hyphen))
        else {
            continue;
        };
        joins.extend(join(text, tokens, first, 3));
        if one_word(text, tokens, hyphen + 2) {
            joins.extend(join(text, tokens, first, 5));
        }
    }
    joins
}

fn join(text: &str, tokens: &[Token], first: usize, length: usize) -> Option<Join> {
    let parts = tokens.get(first..first + length)?.iter().step_by(2);
    Some(Join {
        first: u32::try_from(first).ok()?,
        length: u32::try_from(length).ok()?,
        hash: joined(parts.map(|token| slice(text, token))),
    })
}

/// Whether what stands around a hyphen at a line's end can be one word: letters
/// that do not go from small to capital.
fn one_word(text: &str, tokens: &[Token], hyphen: usize) -> bool {
    if !line_hyphen(tokens, hyphen) {
        return false;
    }
    let part = |at: usize| tokens.get(at).map_or("", |token| slice(text, token));
    let before = part(hyphen - 1).chars().next_back();
    let after = part(hyphen + 1).chars().next();
    match (before, after) {
        (Some(before), Some(after)) => {
            !before.is_numeric()
                && after.is_alphabetic()
                && !(before.is_lowercase() && after.is_uppercase())
        }
        _ => false,
    }
}

fn slice<'t>(text: &'t str, token: &Token) -> &'t str {
    text.get(token.start as usize..token.end as usize)
        .unwrap_or_default()
}

/// The effort is spent.
#[derive(Debug)]
pub(crate) struct Cost;

/// One quotation being looked for.
struct Search<'s> {
    index: &'s Index,
    text: &'s str,
    quote: &'s str,
    wanted: &'s [Token],
}

impl Search<'_> {
    /// The place that holds an entry as the quotation's token `anchor`.
    fn around(
        &self,
        anchor: usize,
        entry: usize,
        effort: &mut Effort,
    ) -> Result<Option<Place>, Cost> {
        let hash = self.wanted.get(anchor).map(|token| token.hash);
        if hash != Some(self.index.hash_of(entry)) {
            return Ok(None);
        }
        let Some(reach) = self.index.reach(entry) else {
            return Ok(None);
        };
        let Some(first) = self.backward(reach.start, anchor, effort)? else {
            return Ok(None);
        };
        let Some(after) = self.forward(reach.end, anchor + 1, effort)? else {
            return Ok(None);
        };
        self.place(first, after, effort)
    }

    /// Follows the quotation's tokens before `wanted` to the left of `at`; gives
    /// the first token of the passage.
    fn backward(
        &self,
        mut at: usize,
        wanted: usize,
        effort: &mut Effort,
    ) -> Result<Option<usize>, Cost> {
        for wanted in (0..wanted).rev() {
            effort.spend(1)?;
            let Some(last) = at.checked_sub(1).filter(|_| self.meet(at, wanted + 1)) else {
                return Ok(None);
            };
            match self.ends_at(last, wanted) {
                Some(first) => at = first,
                None => return Ok(None),
            }
        }
        Ok(Some(at))
    }

    /// The same from `wanted` on to the right; gives the token after the passage.
    fn forward(
        &self,
        mut at: usize,
        wanted: usize,
        effort: &mut Effort,
    ) -> Result<Option<usize>, Cost> {
        for wanted in wanted..self.wanted.len() {
            effort.spend(1)?;
            if !self.meet(at, wanted) {
                return Ok(None);
            }
            match self.begins_at(at, wanted) {
                Some(after) => at = after,
                None => return Ok(None),
            }
        }
        Ok(Some(at))
    }

    /// The first token of what ends at `last` and reads as a token of the
    /// quotation.
    fn ends_at(&self, last: usize, wanted: usize) -> Option<usize> {
        let hash = self.wanted.get(wanted)?.hash;
        if self.index.tokens.get(last)?.hash == hash {
            return Some(last);
        }
        [2, 4]
            .into_iter()
            .filter_map(|before| Some((last.checked_sub(before)?, before + 1)))
            .find(|(first, length)| self.index.join(*first, *length, hash))
            .map(|(first, _)| first)
    }

    /// The token after what begins at `first` and reads as a token of the
    /// quotation.
    fn begins_at(&self, first: usize, wanted: usize) -> Option<usize> {
        let hash = self.wanted.get(wanted)?.hash;
        if self.index.tokens.get(first)?.hash == hash {
            return Some(first + 1);
        }
        [3, 5]
            .into_iter()
            .find(|length| self.index.join(first, *length, hash))
            .map(|length| first + length)
    }

    /// Whether a token of the document follows the one before it as a token of
    /// the quotation does.
    fn meet(&self, at: usize, wanted: usize) -> bool {
        let tokens = &self.index.tokens;
        let pair = |tokens: &[Token], at: usize| {
            Some((*tokens.get(at.checked_sub(1)?)?, *tokens.get(at)?))
        };
        let (Some((before, here)), Some((_, wanted))) =
            (pair(tokens, at), pair(self.wanted, wanted))
        else {
            return false;
        };
        (before.kind, here.kind) == (Kind::Unspaced, Kind::Unspaced)
            || self.index.is_line_hyphen(at.wrapping_sub(1))
            || (here.gap == Gap::Nothing) == (wanted.gap == Gap::Nothing)
    }

    /// The place of a passage, if no word or number is cut at its ends and its
    /// text is the quotation's.
    fn place(
        &self,
        first: usize,
        after: usize,
        effort: &mut Effort,
    ) -> Result<Option<Place>, Cost> {
        let Some(passage) = self.index.tokens.get(first..after) else {
            return Ok(None);
        };
        let (Some(start), Some(end)) = (passage.first(), passage.last()) else {
            return Ok(None);
        };
        let span = start.start as usize..end.end as usize;
        let folding = span.len().max(self.quote.len());
        effort.spend(folding / 16 + PLACING)?;
        if boundary::is_cut(self.text, &span) {
            return Ok(None);
        }
        let there = self.text.get(span.clone()).unwrap_or_default();
        if there == self.quote {
            let folds = Folds::NONE;
            return Ok(Some(Place { span, folds }));
        }
        effort.spend(folding)?;
        Ok(self
            .folds(first..after, there)
            .map(|folds| Place { span, folds }))
    }

    /// What has to be set aside for a passage to be the quotation.
    fn folds(&self, passage: Range<usize>, there: &str) -> Option<Folds> {
        match self.read_as_quoted(passage) {
            None => difference(there, self.quote),
            Some(read) => {
                let folds = difference(&read, self.quote)?;
                Some(folds.with(TextNormalization::LineHyphen))
            }
        }
    }

    /// A passage with its lines' ends read as the quotation reads them; nothing
    /// where none of them is read otherwise than it stands.
    fn read_as_quoted(&self, passage: Range<usize>) -> Option<String> {
        let mut hyphens = passage.clone().filter(|at| self.index.is_line_hyphen(*at));
        hyphens.next()?;
        let tokens = &self.index.tokens;
        let mut read = String::new();
        let mut changed = false;
        let mut at = passage.start;
        let mut copied = tokens.get(at)?.start as usize;
        for wanted in 0..self.wanted.len() {
            let after = self.begins_at(at, wanted)?;
            // The hyphens of a joined word, and the break after one that stays.
            for last in (at..after).step_by(2).take((after - at) / 2) {
                read.push_str(self.text.get(copied..tokens.get(last)?.end as usize)?);
                copied = tokens.get(last + 2)?.start as usize;
                changed = true;
            }
            let next = self.wanted.get(wanted + 1);
            if self.index.is_line_hyphen(at) && next.is_some_and(|next| next.gap == Gap::Nothing) {
                read.push_str(self.text.get(copied..tokens.get(at)?.end as usize)?);
                copied = tokens.get(after)?.start as usize;
                changed = true;
            }
            at = after;
        }
        let last = tokens.get(passage.end.checked_sub(1)?)?.end as usize;
        read.push_str(self.text.get(copied..last)?);
        changed.then_some(read)
    }
}
