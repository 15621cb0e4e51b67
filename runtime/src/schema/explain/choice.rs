//! Which branch of a union was meant.

use super::look::{Look, Text};
use super::program::Id;
use super::walk::Walker;
use crate::json::Cursor;

/// The branch that a value was meant for, of those it fits none of.
#[derive(Debug)]
pub(super) enum Choice {
    Meant(Id),
    /// One of these, and nothing tells which.
    Among(Vec<Id>),
    /// Its kind or its tag is none that a branch has.
    None,
}

impl<'c> Walker<'_, 'c> {
    /// A tag decides; else what fits best by a short look, if one alone does.
    pub(super) fn choose(&mut self, branches: &[Id], cursor: Cursor<'c>) -> Choice {
        let looks = branches.iter().map(|id| (*id, self.look(*id, cursor)));
        let mut pool: Vec<(Id, Look)> = looks.collect();
        let digits = pool.iter().any(|(_, look)| look.text == Text::Digits);
        pool.retain(|(_, look)| !look.other_kind || digits && look.text == Text::Any);
        if pool.iter().all(|(_, look)| look.only_key.is_some()) {
            for (_, look) in &mut pool {
                look.named_by_key();
            }
        }
        keep(&mut pool, |look| look.named && !look.other_tag);
        pool.retain(|(_, look)| !look.other_tag);
        if pool.iter().any(|(_, look)| look.text == Text::Digits) {
            return of_digits(&pool);
        }
        if let [(one, _)] = pool.as_slice() {
            return Choice::Meant(*one);
        }
        let best = pool.iter().map(|(_, look)| look.distance()).min();
        let nearest = |look: &Look| Some(look.distance()) == best && look.known > 0;
        let mut near = pool.iter().filter(|(_, look)| nearest(look));
        match (near.next(), near.next()) {
            (Some((one, _)), None) => Choice::Meant(*one),
            _ if pool.is_empty() => Choice::None,
            _ => Choice::Among(pool.into_iter().map(|(id, _)| id).collect()),
        }
    }
}

/// The branch of a number that may be read as the text of a decimal: there must
/// be one, and no other that would take the text.
fn of_digits(pool: &[(Id, Look)]) -> Choice {
    let mut decimals = pool.iter().filter(|(_, look)| look.text == Text::Digits);
    match (decimals.next(), decimals.next()) {
        (Some((one, _)), None) if !pool.iter().any(|(_, look)| look.text == Text::Any) => {
            Choice::Meant(*one)
        }
        _ => Choice::Among(pool.iter().map(|(id, _)| *id).collect()),
    }
}

/// Narrows the branches to those that `best` names, if there are any.
fn keep(pool: &mut Vec<(Id, Look)>, best: impl Fn(&Look) -> bool) {
    if pool.iter().any(|(_, look)| best(look)) {
        pool.retain(|(_, look)| best(look));
    }
}
