//! From the state of a run to the words that are sent.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde_json::Value;

use super::{Prompts, Slot, Template, documents, neutral};
use crate::evidence::document::Document;
use crate::failure::Failures;
use crate::path::FieldPath;
use crate::repair::patch::Round;
use crate::schema::{Schema, SchemaNotation};

/// How many failures a repair spells out; the rest are counted.
pub(crate) const TOLD: usize = 100;

/// An example: a document and the JSON text of the right answer.
#[derive(Debug, Clone)]
pub(crate) struct Example<'a> {
    pub(crate) document: Document<'a>,
    pub(crate) answer: String,
}

/// The text of a schema for its slot. In the compact notation its descriptions
/// can leave neither their comments nor the slot.
pub(crate) fn schema_text(schema: &Schema, notation: SchemaNotation) -> Cow<'_, str> {
    let text = schema.shown(notation);
    match notation {
        SchemaNotation::JsonSchema => Cow::Borrowed(text),
        SchemaNotation::Compact => neutral(text),
    }
}

/// What all prompts of a run have in common.
#[derive(Debug)]
pub(crate) struct Message<'a> {
    pub(crate) prompts: &'a Prompts,
    pub(crate) schema: &'a Value,
    /// The schema in the notation of the prompts.
    pub(crate) schema_text: Cow<'a, str>,
    pub(crate) rules: &'a str,
    pub(crate) instructions: &'a [Cow<'a, str>],
    pub(crate) examples: &'a [Example<'a>],
    pub(crate) documents: &'a [Document<'a>],
    /// Whether the wire does not carry the schema, so that the prompt restates
    /// the shape.
    pub(crate) restate: bool,
}

impl Message<'_> {
    /// The first prompt.
    pub(crate) fn extraction(&self) -> String {
        self.fill(&self.prompts.extraction, "", String::new())
    }

    /// The prompt that sends every failure back. `place` shows a place of a failure as it stands in
    /// the reply.
    pub(crate) fn repair(&self, reply: &str, failures: &Failures) -> String {
        let errors = render_failures(failures, FieldPath::to_string);
        self.fill(&self.prompts.repair, reply, errors)
    }

    /// The prompt that asks for the failing places alone, under their own schema. Examples show whole replies and are left out.
    pub(in crate::repair) fn patch(
        &self,
        round: &Round,
        carried: bool,
        failures: &Failures,
        whole: &Schema,
    ) -> String {
        let schema = &round.plan.schema;
        let patch = Message {
            schema: &schema.asked,
            schema_text: Cow::Borrowed(&*schema.text),
            examples: &[],
            restate: !carried,
            prompts: self.prompts,
            rules: self.rules,
            instructions: self.instructions,
            documents: self.documents,
        };
        // In the form of the keys that the patch has.
        let errors = render_failures(failures, |path| whole.to_user_path(path.clone()).pointer());
        patch.fill(&self.prompts.patch, &round.shown, errors)
    }

    fn fill(&self, template: &Template, reply: &str, errors: String) -> String {
        let errors: Cow<'_, str> = errors.into();
        let mut text = template.fill(|slot| match slot {
            Slot::Schema => Cow::Borrowed(&*self.schema_text),
            Slot::Rules => Cow::Borrowed(self.rules),
            Slot::Context => self.context(),
            Slot::Document => documents::shown(self.documents),
            Slot::PreviousReply => neutral(reply),
            Slot::Errors => errors.clone(),
        });
        if self.restate {
            text.push_str(&restatement(self.schema));
        }
        text
    }

    /// Instructions and examples, each in a slot of its own where given.
    fn context(&self) -> Cow<'_, str> {
        let mut text = String::new();
        if !self.instructions.is_empty() {
            let lines = self.instructions.join("\n");
            let _ = writeln!(text, "<instructions>{}</instructions>", neutral(&lines));
        }
        if !self.examples.is_empty() {
            text.push_str("<examples>\n");
            for example in self.examples {
                let id = self.example_id(&example.document);
                let document = neutral(example.document.text());
                let answer = neutral(&example.answer);
                let _ = writeln!(text, "Document{id}: {document}\nReply: {answer}");
            }
            text.push_str("</examples>\n");
        }
        Cow::Owned(text)
    }
}

impl Message<'_> {
    /// The id that an example's answer names, where answers name any.
    fn example_id(&self, document: &Document<'_>) -> String {
        let id = document.name().filter(|_| self.documents.len() > 1);
        id.map(|id| format!(" {}", documents::shown_id(id)))
            .unwrap_or_default()
    }
}

/// The failures, a line each, their places as `place` shows them.
fn render_failures(failures: &Failures, place: impl Fn(&FieldPath) -> String) -> String {
    let mut lines: Vec<String> = failures
        .iter()
        .take(TOLD)
        .map(|failure| {
            let mut line = String::new();
            let _ = failure.tell(&mut line, &place);
            format!("- {}", neutral(&line))
        })
        .collect();
    let untold = failures.len().saturating_sub(TOLD) + failures.omitted();
    if untold > 0 {
        lines.push(format!("- and {untold} more of these kinds"));
    }
    lines.join("\n")
}

/// The shape in words, for a wire that does not enforce the schema.
fn restatement(schema: &Value) -> String {
    let mut text = String::from(
        "\n\nReply with a single JSON object and nothing around it, with these keys and types:\n",
    );
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        let must = if required.contains(&name.as_str()) {
            "required"
        } else {
            "optional"
        };
        let _ = writeln!(text, "- {name}: {} ({must})", declared(property));
    }
    text.push_str(
        "An array of strings is a JSON array such as [\"a\", \"b\"], never one string with \
         separators in it.",
    );
    text
}

/// A declared type in a few words.
fn declared(property: &Value) -> String {
    let kind = match property.get("type") {
        Some(Value::String(one)) => one.clone(),
        Some(Value::Array(several)) => several
            .iter()
            .filter_map(Value::as_str)
            .collect::<Vec<_>>()
            .join(" or "),
        _ if property.get("enum").is_some() => "one of the listed values".to_owned(),
        _ => "see the schema".to_owned(),
    };
    match property.pointer("/items/type").and_then(Value::as_str) {
        Some(element) => kind.replace("array", &format!("array of {element}")),
        None => kind,
    }
}
