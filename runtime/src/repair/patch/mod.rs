//! Repair by patch: the model is asked for the failing places alone, and what it gives is put into
//! the last reply.

mod apply;
mod faults;
mod target;

use std::sync::Arc;

use serde_json::Value;

use super::strategy::Repair;
use crate::failure::Failures;
use crate::flow::{Flow, Plan};
use crate::json::edit::quote;
use crate::json::{Cursor, Tape};
use crate::model::{FormatCapability, ResponseSchema};
use crate::path::FieldPath;
use crate::repair::candidate::Candidate;
use crate::repair::prompt::message::TOLD;
use crate::schema::PatchKey;
use crate::schema::dialect::{self, Wire};
use target::{Finder, PatchTargets};

pub(super) use apply::Refused;

/// What one patch is asked for, until one could be applied.
#[derive(Debug)]
pub(super) struct Round {
    /// The last reply, without the keys that no schema knows.
    base: String,
    /// What is wrong with it.
    standing: Failures,
    places: PatchTargets,
    /// The values at the places, as the model is shown them.
    pub(super) shown: String,
    /// The schema of the patch, and what reads a patch by it.
    pub(super) plan: Plan<Value, ()>,
}

impl Round {
    /// What to ask for to mend `text`; nothing where the whole reply is to be asked for.
    pub(super) fn new<T, C: ?Sized>(
        flow: &Flow<'_, T, C>,
        text: &str,
        failures: &Failures,
        repair: Repair,
    ) -> Option<Self> {
        let all_told = failures.len() <= TOLD && failures.omitted() == 0;
        if repair == Repair::Whole || !all_told {
            return None;
        }
        let tape = Tape::parse(text, flow.limits).ok()?;
        let places = PatchTargets::failing(flow, tape.root(), failures)?;
        let most = match repair {
            Repair::Auto => tape.root().raw().len(),
            _ => usize::MAX,
        };
        if places.bytes(flow, tape.root()).saturating_mul(2) >= most {
            return None;
        }
        Some(Self {
            plan: plan(flow, tape.root(), &places)?,
            shown: shown(flow, tape.root(), &places.shown()),
            base: places.without_unknown(flow, tape.root()),
            standing: failures.clone(),
            places,
        })
    }

    /// The schema of the patch as a candidate's wire carries it, if it can.
    pub(super) fn wire(&self, candidate: &Candidate<'_>) -> Option<Wire> {
        if candidate.model.capability() != FormatCapability::JsonSchema {
            return None;
        }
        let schema = &self.plan.schema;
        dialect::wire(&schema.asked, &schema.value, candidate.model.dialect()).ok()
    }

    pub(super) fn wire_schema(&self, wire: &Wire) -> ResponseSchema {
        ResponseSchema::new(Arc::clone(&self.plan.wire_name), Arc::clone(&wire.schema))
    }

    /// The places that a patch may set, those that it must set before the others.
    pub(super) fn places(&self) -> Vec<FieldPath> {
        let offered = self.places.offered.iter();
        offered.map(|place| place.path.clone()).collect()
    }
}

/// The plan of the patch that sets these places.
fn plan<T, C: ?Sized>(
    flow: &Flow<'_, T, C>,
    root: Cursor<'_>,
    places: &PatchTargets,
) -> Option<Plan<Value, ()>> {
    let whole = &flow.plan.schema;
    let finder = Finder { flow, root };
    let keys = places.offered.iter().map(|place| {
        Some(PatchKey {
            pointer: flow.pointer(&place.path),
            value: finder.schema(&whole.value, &place.path)?,
            checked: finder.schema(&whole.checked, &place.path)?,
            asked: finder.schema(&whole.asked, &place.path)?,
            required: place.required,
        })
    });
    let keys: Vec<PatchKey<'_>> = keys.collect::<Option<_>>()?;
    let mut schema = whole.patch(&keys).ok()?;
    let keep = flow.plan.hints.keep_delimiters;
    let kept = |pointer: &str| {
        keep.iter()
            .any(|key| pointer.strip_prefix('/') == Some(*key))
    };
    schema.string_lists.retain(|pointer| !kept(pointer));
    Some(Plan::patch(&flow.plan.wire_name, schema))
}

/// The values at these places, as one JSON object by pointer.
fn shown<T, C: ?Sized>(flow: &Flow<'_, T, C>, root: Cursor<'_>, places: &[FieldPath]) -> String {
    let finder = Finder { flow, root };
    let values = places.iter().filter_map(|path| {
        let value = finder.at(path)?;
        Some(format!("{}: {}", quote(&flow.pointer(path)), value.raw()))
    });
    format!("{{{}}}", values.collect::<Vec<_>>().join(", "))
}
