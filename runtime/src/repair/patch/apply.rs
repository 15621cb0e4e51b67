//! A patch that came back: read, checked, and put into the last reply, whole or not at all.

use serde_json::Value;

use super::Round;
use super::faults::{PatchFaults, place_of, placed, unplaced};
use super::target::{Finder, parent};
use crate::failure::Failures;
use crate::flow::{Flow, Judgement};
use crate::json::{Cursor, Tape};
use crate::json::{edit::Edit, edit::Edits};
use crate::normalization::Normalization;
use crate::path::Segment;
use crate::repair::guard::same;
use crate::schema::dialect::Shapes;

/// A patch that was applied.
#[derive(Debug)]
pub(in crate::repair) struct Applied<T> {
    /// The whole reply with the patch in it.
    pub(in crate::repair) text: String,
    /// What the flow says of it.
    pub(in crate::repair) judgement: Judgement<T>,
    /// Whether anything became other than it was.
    pub(in crate::repair) changed: bool,
}

/// A patch that was not applied.
#[derive(Debug)]
pub(in crate::repair) struct Refused {
    /// What is wrong with the patch, and what was wrong before and still is.
    pub(in crate::repair) failures: Failures,
    pub(in crate::repair) steps: Vec<Normalization>,
}

/// The last reply with the patch in it and whether it differs, or what is wrong with the patch;
/// and the steps taken to read it.
type Read = (Result<(String, bool), PatchFaults>, Vec<Normalization>);

impl Round {
    /// Puts a patch into the last reply and judges the whole.
    pub(in crate::repair) fn apply<T, C: ?Sized>(
        &self,
        flow: &Flow<'_, T, C>,
        shapes: Option<&Shapes>,
        text: &str,
    ) -> Result<Applied<T>, Refused> {
        let (patched, steps) = self.read(flow, shapes, text);
        let (text, changed) = match patched {
            Ok(patched) => patched,
            Err(wrong) => return Err(self.refused(wrong, steps)),
        };
        match flow.reread(&text) {
            Ok(tape) => {
                let steps = steps.into_iter().chain(self.left_out()).collect();
                let judgement = flow.check(&tape, steps);
                let changed = changed || !self.places.unknown.is_empty();
                Ok(Applied {
                    text,
                    judgement,
                    changed,
                })
            }
            // A sound patch in a sound reply can still pass a limit of the whole.
            Err(unread) => Err(self.refused((*unread.failure).into(), steps)),
        }
    }

    fn refused(&self, wrong: PatchFaults, steps: Vec<Normalization>) -> Refused {
        let standing = self.standing.iter().cloned();
        let all = wrong.failures.into_iter().chain(standing).collect();
        Refused {
            failures: Failures::new(all).with_omitted(wrong.omitted),
            steps,
        }
    }

    fn left_out(&self) -> impl Iterator<Item = Normalization> {
        let unknown = self.places.unknown.iter();
        unknown.map(|path| Normalization::new("unknown_key", path.clone()))
    }

    fn read<T, C: ?Sized>(
        &self,
        flow: &Flow<'_, T, C>,
        shapes: Option<&Shapes>,
        text: &str,
    ) -> Read {
        let mut reader: Flow<'_, Value, ()> = Flow::new(&self.plan, &(), flow.normalize);
        reader.documents = flow.documents;
        reader.wire = shapes;
        let Ok(base) = Tape::parse(&self.base, flow.limits) else {
            return (Err(unplaced().into()), Vec::new());
        };
        let onto = Finder {
            flow,
            root: base.root(),
        };
        let (patched, steps) = match reader.read(text) {
            Ok(reading) => (self.patched(&reader, &onto, &reading.tape), reading.steps),
            Err(unread) => {
                let failure = unread.failure.map_paths(|path| placed(&onto, &path));
                (Err(failure.into()), unread.steps)
            }
        };
        let steps = steps.into_iter();
        let steps = steps.map(|step| step.map_path(|path| placed(&onto, &path)));
        (patched, steps.collect())
    }

    /// The last reply with a patch in it, if the patch is as it was asked for.
    fn patched<T, C: ?Sized>(
        &self,
        reader: &Flow<'_, Value, ()>,
        onto: &Finder<'_, '_, T, C>,
        patch: &Tape<'_>,
    ) -> Result<(String, bool), PatchFaults> {
        // Unknown keys inside a value are left out, where that is asked for, when the whole is
        // judged, and recorded then.
        let verdict = reader.check(patch, Vec::new()).verdict;
        let holds = verdict.is_ok();
        let wrong = self.wrong(onto, patch.root(), verdict.err());
        if holds && wrong.failures.is_empty() {
            patched(onto, patch.root()).ok_or_else(|| unplaced().into())
        } else {
            Err(wrong)
        }
    }
}

/// The last reply with the values of a patch, and whether it differs; nothing where a place is not
/// in the reply.
fn patched<T, C: ?Sized>(onto: &Finder<'_, '_, T, C>, patch: Cursor<'_>) -> Option<(String, bool)> {
    let mut edits = Edits::default();
    let mut changed = false;
    for (pointer, value) in patch.members() {
        let place = place_of(onto, &pointer);
        let text = value.raw();
        if let Some(before) = onto.at(&place) {
            changed |= !same(before, value);
            edits.set(before, Edit::Replace(text.to_owned()));
        } else {
            changed = true;
            let object = onto.at(&parent(&place)?)?;
            let Some(Segment::Key(key)) = place.segments().last() else {
                return None;
            };
            edits.add(object, key, text);
        }
    }
    Some((edits.apply(onto.root), changed))
}
