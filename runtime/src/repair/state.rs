//! What one attempt leaves for the next.

use super::guard::Baseline;
use super::patch::Round;
use super::run::Run;
use crate::failure::Failures;
use crate::path::FieldPath;

/// What changes from attempt to attempt.
#[derive(Default)]
pub(super) struct State {
    /// What the next request asks for, and the failures it is to mend.
    pub(super) repairs: Option<(Ask, Failures)>,
    pub(super) last_reply: Option<String>,
    pub(super) baseline: Option<Baseline>,
    pub(super) raised_cap: Option<u32>,
}

/// What a repair asks for.
pub(super) enum Ask {
    /// The whole reply again; this was the last.
    Whole(String),
    Patch(Box<Round>),
}

impl State {
    /// The patch that is asked for, if one is.
    pub(super) fn round(&self) -> Option<&Round> {
        match &self.repairs {
            Some((Ask::Patch(round), _)) => Some(round),
            _ => None,
        }
    }

    /// Asks for the same patch again: the last one was not applied.
    pub(super) fn patch_again(&mut self, reply: String, failures: Failures) {
        self.last_reply = Some(reply);
        if let Some((_, known)) = &mut self.repairs {
            *known = failures;
        }
    }

    /// Prepares the next request: the reply that failed, its failures, and what must
    /// stay.
    pub(super) fn repair<T, C: ?Sized, V>(
        &mut self,
        run: &Run<'_, T, C, V>,
        reply: String,
        failures: Failures,
        baseline: Option<String>,
    ) {
        let round = baseline
            .as_deref()
            .and_then(|text| Round::new(&run.flow, text, &failures, run.repair));
        let ask = match round {
            Some(round) => Ask::Patch(Box::new(round)),
            None => Ask::Whole(baseline.clone().unwrap_or_else(|| reply.clone())),
        };
        if let Some(text) = baseline {
            self.baseline = Some(Baseline::new(text, failed_places(&failures)));
        }
        self.repairs = Some((ask, failures));
        self.last_reply = Some(reply);
    }
}

/// All places that failures concern, as they stand in the reply; nothing where some failures are
/// not spelled out.
fn failed_places(failures: &Failures) -> Option<Vec<FieldPath>> {
    let concerned = failures.iter().flat_map(|failure| {
        let paths = std::iter::once(failure.path()).chain(failure.related());
        paths.cloned()
    });
    (failures.omitted() == 0).then(|| concerned.collect())
}
