//! Reading: from the text of a reply to one JSON value in the form that its schema describes.

use super::{Flow, normalize};
use crate::failure::{Failure, FailureCode, Layer};
use crate::json::edit::Edits;
use crate::json::{Cursor, SyntaxCode, SyntaxError, Tape};
use crate::normalization::{Normalization, Steps};
use crate::schema::dialect::undo::undo;
use crate::schema::explain::{self, Readable};

/// A reply that is one JSON value.
#[derive(Debug)]
pub(crate) struct Reading<'t> {
    pub(crate) tape: Tape<'t>,
    /// What was done to the text on the way.
    pub(crate) steps: Vec<Normalization>,
}

impl Reading<'_> {
    /// The reading with the steps that were taken before its own.
    pub(super) fn after(self, mut earlier: Vec<Normalization>) -> Self {
        earlier.extend(self.steps);
        Self {
            steps: earlier,
            ..self
        }
    }
}

/// A reply that is not one JSON value.
#[derive(Debug)]
pub(crate) struct Unread {
    pub(crate) failure: Box<Failure>,
    pub(crate) steps: Vec<Normalization>,
}

impl<T, C: ?Sized> Flow<'_, T, C> {
    /// Reads the text as one JSON value, in the schema's own form.
    pub(crate) fn read<'t>(&self, text: &'t str) -> Result<Reading<'t>, Unread> {
        let reading = match Tape::parse(text, self.limits) {
            Ok(tape) => Reading {
                tape,
                steps: Vec::new(),
            },
            Err(error) => self.unwrapped(text, &error)?,
        };
        let reading = self.undone(reading)?;
        Ok(self.split(reading))
    }

    /// Reads what is left of a text that did not parse once what stands around the value is taken
    /// off, where that is allowed.
    fn unwrapped<'t>(&self, text: &'t str, error: &SyntaxError) -> Result<Reading<'t>, Unread> {
        let unwrapped = normalize::unwrap(text, self.normalize);
        let (inner, mut steps) = unwrapped.map_or((text, Vec::new()), |u| (u.text, u.steps));
        let inner_error = if steps.is_empty() {
            None
        } else {
            match Tape::parse(inner, self.limits) {
                Ok(tape) => return Ok(Reading { tape, steps }),
                Err(error) => Some(error),
            }
        };
        let error = inner_error.as_deref().unwrap_or(error);
        let found = if self.may_hold_answer(inner, error) {
            normalize::search(inner, self.limits)
        } else {
            normalize::Search::Nothing
        };
        let prose = self.normalize.takes_prose();
        let answer = prose.then(|| normalize::from_prose(&found)).flatten();
        if let Some(answer) = answer
            && let Ok(tape) = Tape::parse(answer.text, self.limits)
        {
            steps.extend(answer.steps);
            return Ok(Reading { tape, steps });
        }
        Err(Unread {
            failure: Box::new(syntax_failure(inner, error, &found)),
            steps,
        })
    }

    /// Whether a search in a text that did not parse can tell anything: it is
    /// prose, or prose is asked for.
    fn may_hold_answer(&self, text: &str, error: &SyntaxError) -> bool {
        let bounded = !matches!(error.code, SyntaxCode::Depth | SyntaxCode::Size);
        let prose = !text.trim_start().starts_with(['{', '[']);
        bounded && (prose || self.normalize.takes_prose())
    }

    /// What the wire asked for in another form than the schema takes its own.
    fn undone<'t>(&self, reading: Reading<'t>) -> Result<Reading<'t>, Unread> {
        let root = reading.tape.root();
        let undone = self.wire.and_then(|shapes| undo(shapes, root));
        // A reply that is right as it stands says what it says.
        let undone = undone.filter(|_| !self.plan.schema.validator.is_valid(root));
        let Some((text, more)) = undone else {
            return Ok(reading);
        };
        let steps = [reading.steps, more].concat();
        match Tape::parse_owned(text, self.limits) {
            Ok(tape) => Ok(Reading { tape, steps }),
            // An edit of a sound reply is sound but for keys that came twice.
            Err(error) => Err(Unread {
                steps,
                ..misread(&error)
            }),
        }
    }

    /// Strings become the arrays they were declared to be, where asked for.
    fn split<'t>(&self, reading: Reading<'t>) -> Reading<'t> {
        if !self.normalize.splits_strings() {
            return reading;
        }
        let keep = self.plan.hints.keep_delimiters;
        let root = reading.tape.root();
        let split = normalize::delimited_strings(&self.plan.schema, keep, root);
        match split.and_then(|(text, more)| self.edited(text, more)) {
            Some(split) => split.after(reading.steps),
            None => reading,
        }
    }

    /// What may be read in another form is read so before one reply is compared with another:
    /// the same value in two forms is no change.
    pub(crate) fn settled<'t>(&self, reading: Reading<'t>) -> Reading<'t> {
        let root = reading.tape.root();
        if explain::holds(&self.plan.schema, root) {
            return reading;
        }
        let readable = Readable::of(self.normalize);
        let readings = explain::explain(&self.plan.schema, root, readable).readings;
        match self.in_other_form(root, readings) {
            Some(other) => other.after(reading.steps),
            None => reading,
        }
    }

    /// A reply with all that may be read in another form; nothing where there is none.
    pub(super) fn in_other_form(
        &self,
        root: Cursor<'_>,
        readings: Vec<explain::Reading<'_>>,
    ) -> Option<Reading<'static>> {
        let mut edits = Edits::default();
        let mut steps = Steps::default();
        for reading in readings {
            reading.take(root, &mut edits, &mut steps);
        }
        (!edits.is_empty())
            .then(|| self.edited(edits.apply(root), steps.into_told()))
            .flatten()
    }

    /// An edit of a sound reply is sound; were it not, the reply stands.
    fn edited(&self, text: String, steps: Vec<Normalization>) -> Option<Reading<'static>> {
        let tape = Tape::parse_owned(text, self.limits).ok()?;
        Some(Reading { tape, steps })
    }

    /// Reads again a text that was made of a reply that was read. It can still pass a limit.
    pub(crate) fn reread<'t>(&self, text: &'t str) -> Result<Tape<'t>, Unread> {
        Tape::parse(text, self.limits).map_err(|error| misread(&error))
    }
}

fn misread(error: &SyntaxError) -> Unread {
    let path = error.path.iter().cloned().collect();
    let code = FailureCode::new(error.code.word());
    let failure = Failure::new(Layer::Parse, code, path, error.message.clone());
    Unread {
        failure: Box::new(failure),
        steps: Vec::new(),
    }
}

fn syntax_failure(text: &str, error: &SyntaxError, found: &normalize::Search<'_>) -> Failure {
    let (code, message) = normalize::misfit(text, error, found);
    let (line, column) = error.line_column(text);
    let message = if matches!(code, "parse.empty" | "parse.no_json") {
        message
    } else {
        format!("{message} (line {line}, column {column})")
    };
    // Where the text breaks, no place in the value is known.
    let broken = matches!(error.code, SyntaxCode::Syntax | SyntaxCode::Depth);
    let path = error.path.iter().filter(|_| !broken).cloned().collect();
    Failure::new(Layer::Parse, FailureCode::new(code), path, message)
}
