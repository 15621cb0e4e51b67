//! Rules that came, went or say something else.

use super::Change;
use crate::fingerprint::NamedRule;
use crate::rule::RuleKind;

pub(super) fn compare(old: &[NamedRule], new: &[NamedRule], changes: &mut Vec<Change>) {
    let key = |rule: &NamedRule| (rule.name.clone(), rule.place.clone());
    let find = |rules: &[NamedRule], one: &NamedRule| {
        let found = rules.iter().position(|other| key(other) == key(one));
        found.and_then(|at| rules.get(at).cloned())
    };
    for rule in old {
        match find(new, rule) {
            None => changes.push(change(rule, "removed", false)),
            Some(now) => differences(rule, &now, changes),
        }
    }
    for rule in new.iter().filter(|rule| find(old, rule).is_none()) {
        let what = if rejects(rule) {
            "new"
        } else {
            "new, as a warning"
        };
        changes.push(change(rule, what, rejects(rule)));
    }
}

fn differences(old: &NamedRule, new: &NamedRule, changes: &mut Vec<Change>) {
    if old.kind != new.kind {
        let breaking = rejects(new) && !rejects(old);
        let what = format!("was a {} and is a {}", old.kind.as_str(), new.kind.as_str());
        changes.push(change(new, &what, breaking));
    }
    if old.sentence != new.sentence {
        let what = "its sentence changed; see whether it still asks for the same";
        changes.push(change(new, what, false));
    }
    if old.fields != new.fields {
        let what = format!("concerns {} now", new.fields.join(", "));
        changes.push(change(new, &what, false));
    }
}

fn rejects(rule: &NamedRule) -> bool {
    rule.kind != RuleKind::Check
}

fn change(rule: &NamedRule, what: &str, breaking: bool) -> Change {
    Change {
        place: rule.place.clone(),
        what: format!("rule {}: {what}", rule.name),
        breaking,
    }
}
