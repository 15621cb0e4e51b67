//! What the run was made from.

use std::fmt::{self, Write};

use super::super::report::{Report, tokens};
use super::escape::Inline;

pub(super) fn write(out: &mut impl Write, report: &Report<'_>) -> fmt::Result {
    let record = report.record;
    out.write_str("<section>\n<details open>\n<summary>Record</summary>\n<dl>\n")?;
    if let Some(model) = record.model() {
        pair(out, "model", model)?;
    }
    for passed in record.skipped_models() {
        let line = format!("{}: {}", passed.model(), passed.error());
        pair(out, "passed over", &line)?;
    }
    if let Some(tokens) = tokens(record.usage()).filter(|_| !record.attempts().is_empty()) {
        pair(out, "usage", &tokens)?;
    }
    if let Some(dialect) = record.wire_dialect() {
        pair(out, "schema on the wire", dialect.as_str())?;
    }
    for dropped in record.dropped() {
        pair(out, "not on the wire", &dropped.to_string())?;
    }
    pair(out, "schema dialect", record.schema_dialect())?;
    pair(out, "schema, SHA-256", &record.schema_hash())?;
    pair(out, "rules, SHA-256", &record.rules_hash())?;
    pair(out, "document, SHA-256", &record.document_hash())?;
    let bytes = report.document().len().to_string();
    pair(out, "document, bytes", &bytes)?;
    pair(out, "prompts", record.prompt_version())?;
    pair(out, "typed-extract", record.crate_version())?;
    out.write_str("</dl>\n</details>\n</section>\n")
}

fn pair(out: &mut impl Write, name: &str, value: &str) -> fmt::Result {
    writeln!(out, "<dt>{name}</dt><dd>{}</dd>", Inline(value))
}
