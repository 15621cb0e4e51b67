//! One attempt: what was sent, what came, and what the record keeps of it.

use std::time::Duration;

use super::judge::Judged;
use super::trace;
use crate::failure::Failures;
use crate::model::{ModelError, Reply, Request};
use crate::record::{Attempt, Cost, Patch};
use crate::schema::Schema;
use crate::schema::dialect::Wire;

/// A request, and for a patch what its wire carries.
pub(super) struct Sent {
    pub(super) request: Request,
    pub(super) wire: Option<Wire>,
}

/// What came of a request.
pub(super) struct Asked {
    pub(super) reply: Result<Reply, ModelError>,
    pub(super) attempt: Pending,
}

/// An attempt whose end is not known yet.
pub(super) struct Pending {
    pub(super) latency: Duration,
    pub(super) span: tracing::Span,
    pub(super) spent: Cost,
    pub(super) patch: Option<Patch>,
}

impl Pending {
    pub(super) fn attempt(self) -> Attempt {
        Attempt {
            reply: None,
            error: None,
            failures: Failures::default(),
            normalizations: Vec::new(),
            citations: Vec::new(),
            restored: Vec::new(),
            patch: self.patch,
            latency: self.latency,
            spent: self.spent,
            reply_bytes: None,
        }
    }

    pub(super) fn unanswered(self, error: ModelError) -> Attempt {
        Attempt {
            error: Some(error),
            ..self.attempt()
        }
    }

    pub(super) fn failed(self, reply: Reply, failures: Failures) -> Attempt {
        trace::judged(&self.span, &failures);
        Attempt {
            reply: Some(reply),
            failures,
            ..self.attempt()
        }
    }

    /// The attempt with what its judgement says, every place as the caller sees it.
    pub(super) fn judged<T>(
        mut self,
        reply: Reply,
        judged: &Judged<T>,
        schema: &Schema,
    ) -> Attempt {
        if let Some(patch) = self.patch.as_mut().filter(|_| !judged.refused) {
            patch.applied = judged.baseline.is_some();
            patch.merged.clone_from(&judged.baseline);
        }
        let to_user = |path| schema.to_user_path(path);
        let judgement = &judged.judgement;
        let failures = match &judgement.verdict {
            Ok(_) => Failures::default(),
            Err(failures) => failures.clone().map_paths(to_user),
        };
        let steps = judgement.normalizations.iter().cloned();
        let citations = judgement.citations.iter().cloned();
        let restored = judged.restored.iter().cloned();
        Attempt {
            normalizations: steps.map(|step| step.map_path(to_user)).collect(),
            citations: citations.map(|one| one.map_path(to_user)).collect(),
            restored: restored.map(to_user).collect(),
            ..self.failed(reply, failures)
        }
    }
}
