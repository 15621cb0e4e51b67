//! The keywords of arrays.

use super::finding::Finding;
use super::program::{ArrayRule, Contains, Id, Rule};
use super::walk::{Mode, Step, Walker};
use crate::json::{Cursor, Kind};

impl<'p, 'c> Walker<'p, 'c> {
    pub(super) fn array(&mut self, rule: &'p Rule, cursor: Cursor<'c>, mode: Mode) -> bool {
        let Some(array) = rule.array.as_deref() else {
            return true;
        };
        if cursor.kind() != Kind::Array {
            return true;
        }
        let mut fits = self.elements(array, cursor, mode);
        if let Some(contains) = array.contains {
            fits &= self.contains(contains, cursor, mode);
        }
        if let Some(rest) = array.unevaluated {
            fits &= self.unevaluated_elements(rule, rest, cursor, mode);
        }
        fits
    }

    fn elements(&mut self, array: &ArrayRule, cursor: Cursor<'c>, mode: Mode) -> bool {
        let mut fits = true;
        for (index, element) in cursor.elements().enumerate() {
            if mode == Mode::Ask && !fits || self.exhausted {
                break;
            }
            if let Some(id) = array.places.get(index).copied().or(array.items) {
                fits &= self.below(|| Step::Index(index), id, element, mode);
            }
        }
        fits
    }

    fn contains(&mut self, contains: Contains, cursor: Cursor<'c>, mode: Mode) -> bool {
        let elements = cursor.elements();
        let holding = elements.filter(|element| self.asks(contains.schema, *element));
        let count = holding.count();
        let fits = (contains.least..=contains.most).contains(&count);
        if !fits {
            let message = if count < contains.least {
                "lacks an element that is asked for"
            } else {
                "has too many elements of a kind"
            };
            let make = |place| Finding::at(&place, "schema.contains", message);
            self.tell(mode, make, cursor);
        }
        fits
    }

    fn unevaluated_elements(
        &mut self,
        rule: &'p Rule,
        rest: Id,
        cursor: Cursor<'c>,
        mode: Mode,
    ) -> bool {
        let beside = self.beside(rule, cursor, mode);
        let arrays = beside
            .iter()
            .filter_map(|one| Some((*one, one.array.as_deref()?)));
        let mut first = 0;
        let mut containing = Vec::new();
        for (one, array) in arrays {
            let others = array.unevaluated.is_some() && !std::ptr::eq(one, rule);
            if array.items.is_some() || others {
                return true;
            }
            first = first.max(array.places.len());
            containing.extend(array.contains.map(|contains| contains.schema));
        }
        let mut fits = true;
        for (index, element) in cursor.elements().enumerate().skip(first) {
            if containing.iter().any(|id| self.asks(*id, element)) {
                continue;
            }
            if self.program.rule(rest).never {
                let make = |place| Finding::at(&place, "schema.length", "has elements too many");
                self.tell(mode, make, cursor);
                return false;
            }
            fits &= self.below(|| Step::Index(index), rest, element, mode);
        }
        fits
    }
}
