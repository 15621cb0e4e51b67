//! A union that failed: the errors of the branch that was meant, or what all
//! branches together would have taken.

use std::collections::BTreeSet;

use super::choice::Choice;
use super::finding::{Finding, Place};
use super::program::{Id, Rule};
use super::walk::{Mode, Walker};
use crate::json::Cursor;

impl<'p, 'c> Walker<'p, 'c> {
    pub(super) fn unions(&mut self, rule: &'p Rule, cursor: Cursor<'c>, mode: Mode) -> bool {
        self.any_of(&rule.any_of, cursor, mode) && self.one_of(&rule.one_of, cursor, mode)
    }

    fn any_of(&mut self, branches: &[Id], cursor: Cursor<'c>, mode: Mode) -> bool {
        if branches.is_empty() || branches.iter().any(|id| self.asks(*id, cursor)) {
            return true;
        }
        self.explain_union(branches, cursor, "schema.any_of", mode);
        false
    }

    fn one_of(&mut self, branches: &[Id], cursor: Cursor<'c>, mode: Mode) -> bool {
        let holding = branches.iter().filter(|id| self.asks(**id, cursor));
        match holding.take(2).count() {
            1 => return true,
            0 if branches.is_empty() => return true,
            0 => self.explain_union(branches, cursor, "schema.one_of", mode),
            _ => {
                let message = "fits more than one of the allowed shapes";
                let make = |place| Finding::at(&place, "schema.one_of", message);
                self.tell(mode, make, cursor);
            }
        }
        false
    }

    fn explain_union(
        &mut self,
        branches: &[Id],
        cursor: Cursor<'c>,
        code: &'static str,
        mode: Mode,
    ) {
        if mode == Mode::Ask || self.exhausted {
            return;
        }
        // What is only counted counts once, unless something of it may yet be read otherwise.
        if self.told.is_full() && !self.readable.any() {
            return self.told.count();
        }
        let choice = self.choose(branches, cursor);
        if let Choice::Meant(id) = choice {
            self.check(id, cursor, Mode::Tell);
            return;
        }
        if self.told.is_full() {
            return self.told.count();
        }
        let place = self.place(cursor);
        let among = match &choice {
            Choice::Among(several) => several.as_slice(),
            Choice::Meant(_) | Choice::None => branches,
        };
        if !self.may_look_into(among.len()) {
            let several = among.len();
            return self
                .told
                .add(|| Finding::no_branch(&place, several, &[], code));
        }
        let told = self.each_shallow(among, cursor);
        let findings = match choice {
            Choice::Among(_) => common(&told)
                .unwrap_or_else(|| vec![Finding::no_branch(&place, told.len(), &told, code)]),
            Choice::Meant(_) | Choice::None => vec![none_meant(&place, &told, code)],
        };
        for finding in findings {
            self.told.add(|| finding);
        }
    }

    fn each_shallow(&mut self, branches: &[Id], cursor: Cursor<'c>) -> Vec<Vec<Finding>> {
        let told = branches.iter().map(|id| self.shallow(*id, cursor));
        told.collect()
    }
}

/// What stands against every branch that may have been meant.
fn common(branches: &[Vec<Finding>]) -> Option<Vec<Finding>> {
    let (first, rest) = branches.split_first()?;
    let same = |one: &Finding, other: &Finding| one.code == other.code && one.path == other.path;
    let everywhere = |finding: &&Finding| {
        rest.iter()
            .all(|branch| branch.iter().any(|other| same(finding, other)))
    };
    let shared: Vec<Finding> = first.iter().filter(everywhere).cloned().collect();
    (!shared.is_empty()).then_some(shared)
}

/// Nothing was meant: if the branches differ in one place's value or type, say
/// what that place may hold.
fn none_meant(place: &Place<'_>, branches: &[Vec<Finding>], code: &'static str) -> Finding {
    let all = || branches.iter().flatten();
    let tag = all().find(|finding| finding.code == "schema.enum");
    if let Some(tag) = tag {
        let mut options: BTreeSet<String> = all()
            .filter(|finding| finding.code == "schema.enum" && finding.path == tag.path)
            .flat_map(|finding| finding.options.iter().cloned())
            .collect();
        let takes_null = all().any(|f| f.types.contains("null") && f.path == tag.path);
        options.extend(takes_null.then(|| "null".to_owned()));
        let place = Place {
            path: tag.path.clone(),
            cursor: place.cursor.at(tag.node),
        };
        return Finding::not_among(&place, options);
    }
    let types: BTreeSet<&'static str> = all()
        .filter(|finding| finding.path == place.path)
        .flat_map(|finding| finding.types.iter().copied())
        .collect();
    let differs = |branch: &Vec<Finding>| {
        branch
            .iter()
            .any(|finding| finding.code == "schema.type" && finding.path == place.path)
    };
    if branches.iter().all(differs) {
        return Finding::not_of_types(place, types);
    }
    Finding::no_branch(place, branches.len(), branches, code)
}
