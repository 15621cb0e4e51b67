//! What can be wrong with a patch, told at the places that it is about.

use super::Round;
use super::target::Finder;
use crate::failure::{Failure, FailureCode, Failures, Layer};
use crate::flow::step;
use crate::json::{Cursor, Kind};
use crate::path::{FieldPath, Segment};
use crate::repair::guard::same;

/// What is wrong with a patch.
#[derive(Debug, Default)]
pub(super) struct PatchFaults {
    pub(super) failures: Vec<Failure>,
    pub(super) omitted: usize,
}

impl From<Failure> for PatchFaults {
    fn from(failure: Failure) -> Self {
        Self {
            failures: vec![failure],
            omitted: 0,
        }
    }
}

/// How many places are named that a patch may not set; the rest are counted, so that what failed
/// before is told as well.
const NAMED: usize = 16;

impl Round {
    /// All that is wrong with a patch, at the places that it is about.
    pub(super) fn wrong<T, C: ?Sized>(
        &self,
        onto: &Finder<'_, '_, T, C>,
        patch: Cursor<'_>,
        found: Option<Failures>,
    ) -> PatchFaults {
        if patch.kind() != Kind::Object {
            return PatchFaults {
                failures: misshapen(onto, patch),
                omitted: 0,
            };
        }
        let offered = self.plan.schema.value.get("properties");
        let is_offered = |key: &str| offered.is_some_and(|all| all.get(key).is_some());
        let mut keys = patch.members().filter(|(key, _)| !is_offered(key));
        let told = keys.by_ref().take(NAMED);
        let mut wrong = PatchFaults {
            failures: told
                .map(|(key, value)| not_offered(onto, &key, value))
                .collect(),
            omitted: keys.count(),
        };
        let unknown = |failure: &Failure| {
            failure.code() == "schema.additional" && failure.path().segments().len() == 1
        };
        let found = found.into_iter().flatten();
        let found = found.filter(|failure| !unknown(failure));
        let found = found.map(|failure| broken(onto, &failure));
        wrong.failures.extend(found);
        if wrong.failures.is_empty() {
            wrong.failures.extend(disagreeing(onto, patch));
        }
        wrong
    }
}

/// Failures of the patch's own schema in the words of a patch.
fn broken<T, C: ?Sized>(onto: &Finder<'_, '_, T, C>, failure: &Failure) -> Failure {
    let path = placed(onto, failure.path());
    let missing = failure.code() == "schema.required" && failure.path().segments().len() == 1;
    let (word, message) = match failure.path().segments().len() {
        0 => ("repair.patch.shape", failure.message()),
        1 if missing => (
            "repair.patch.missing",
            "the patch does not give this place; every place that is asked for must be given",
        ),
        _ => ("repair.patch.value", failure.message()),
    };
    Failure::new(Layer::Repair, FailureCode::new(word), path, message)
        .with_found(failure.found().map(str::to_owned))
}

fn not_offered<T, C: ?Sized>(
    onto: &Finder<'_, '_, T, C>,
    pointer: &str,
    value: Cursor<'_>,
) -> Failure {
    let message = if pointer.starts_with('/') {
        "the patch may not set this place; give those of its schema and no others"
    } else {
        "this key is no JSON Pointer; begin it with a slash, as the schema of the patch writes it"
    };
    let code = FailureCode::new("repair.patch.not_offered");
    let path = place_of(onto, pointer);
    Failure::new(Layer::Repair, code, path, message).with_found(value.shown())
}

const SHAPE: &str = "a patch is one object; its keys are the JSON Pointers of its schema, its \
                     values what belongs there";

/// What is no object is none, or a list of operations, of which each names its place.
fn misshapen<T, C: ?Sized>(onto: &Finder<'_, '_, T, C>, patch: Cursor<'_>) -> Vec<Failure> {
    let failure = |path, value: Cursor<'_>| {
        Failure::new(
            Layer::Repair,
            FailureCode::new("repair.patch.shape"),
            path,
            SHAPE,
        )
        .with_found(value.shown())
    };
    let operations = patch.elements().filter_map(|operation| {
        let pointer = operation.get("path")?.as_str()?;
        Some(failure(place_of(onto, &pointer), operation))
    });
    let operations: Vec<Failure> = operations.take(NAMED).collect();
    if operations.is_empty() {
        vec![failure(FieldPath::root(), patch)]
    } else {
        operations
    }
}

/// A list and a part of it can both be given; then the part must say what the list says.
fn disagreeing<T, C: ?Sized>(onto: &Finder<'_, '_, T, C>, patch: Cursor<'_>) -> Vec<Failure> {
    let given: Vec<(FieldPath, Cursor<'_>)> = patch
        .members()
        .map(|(key, value)| (place_of(onto, &key), value))
        .collect();
    let outer = |path: &FieldPath| {
        let mut all = given.iter();
        all.find(|(other, _)| other != path && other.contains(path))
    };
    let disagrees = given.iter().filter_map(|(path, value)| {
        let (around, whole) = outer(path)?;
        let steps = path.segments().iter().skip(around.segments().len());
        let inside = steps.into_iter().try_fold(*whole, step);
        let agrees = inside.is_some_and(|inside| same(inside, *value));
        (!agrees).then(|| {
            let code = FailureCode::new("repair.patch.conflict");
            let message = format!(
                "differs from what the patch gives for {}",
                onto.flow.pointer(around)
            );
            Failure::new(Layer::Repair, code, path.clone(), message).with_found(value.shown())
        })
    });
    disagrees.collect()
}

/// A place that was looked up before cannot be lost; were it, the patch would not be applied.
pub(super) fn unplaced() -> Failure {
    let message = "the patch cannot be applied: a place that it sets is not in the reply";
    let code = FailureCode::new("repair.patch.place");
    Failure::new(Layer::Repair, code, FieldPath::root(), message)
}

/// A place in a patch as one of the reply: its first key is a pointer.
pub(super) fn placed<T, C: ?Sized>(onto: &Finder<'_, '_, T, C>, path: &FieldPath) -> FieldPath {
    match path.segments().split_first() {
        Some((Segment::Key(pointer), rest)) => {
            place_of(onto, pointer).join(&rest.iter().cloned().collect())
        }
        _ => path.clone(),
    }
}

/// The place that a pointer names: a number is an index where a list stands.
pub(super) fn place_of<T, C: ?Sized>(onto: &Finder<'_, '_, T, C>, pointer: &str) -> FieldPath {
    let Some(tokens) = pointer.strip_prefix('/') else {
        return onto.whole().key(pointer.to_owned());
    };
    let mut here = onto.at(&onto.whole());
    let steps = tokens.split('/').map(|token| {
        let is_list = here.is_some_and(|value| value.kind() == Kind::Array);
        let taken = match token.parse() {
            Ok(index) if is_list => Segment::Index(index),
            _ => Segment::Key(token.replace("~1", "/").replace("~0", "~").into()),
        };
        here = here.and_then(|value| step(value, &taken));
        taken
    });
    onto.whole().join(&steps.collect())
}
