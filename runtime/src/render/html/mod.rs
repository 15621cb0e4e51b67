//! A run as one HTML file.

mod attempts;
mod difference;
mod document;
mod escape;
mod lists;
mod names;
mod summary;

use std::fmt::{self, Write};

use super::Reportable;
use super::entry::{Entry, Kind};
use super::report::{Ending, Report, counted, tokens};
use escape::Inline;

const STYLE: &str = include_str!("style.css");

/// Nothing is loaded, run or sent, whatever the page holds.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// A run as one HTML file: the document with its citations and failures marked,
/// the fields and failures with links to their places, the attempts side by
/// side, and what the run was made from.
///
/// The file holds the document and the replies. It loads nothing and runs no
/// script, and the same run gives the same bytes.
///
/// ```
/// use serde::Deserialize;
/// use typed_extract::{Cited, Extract, extract, render};
///
/// #[derive(Deserialize, Extract)]
/// struct Lease {
///     rent: Cited<u32>,
/// }
///
/// let document = "The rent is EUR 1,250.00 a month <script>alert(1)</script>";
/// let reply = r#"{"rent": {"quote": "EUR 1,250.00", "value": 1250}}"#;
/// let lease = extract::<Lease>().document(document).validate(reply)?;
/// let page = render::html(&lease);
/// assert!(page.contains(">EUR 1,250.00</mark>"));
/// assert!(!page.contains("<script"));
/// # Ok::<(), typed_extract::Failures>(())
/// ```
pub fn html(outcome: &impl Reportable) -> String {
    let report = outcome.report();
    let mut page = String::new();
    // Writing to a string does not fail.
    let _ = write(&mut page, &report);
    page
}

fn write(out: &mut String, report: &Report<'_>) -> fmt::Result {
    let entries = report.entries();
    head(out, report, &entries)?;
    headline(out, report)?;
    out.write_str("<main>\n")?;
    review(out, report, &entries)?;
    attempts::write(out, report)?;
    summary::write(out, report)?;
    out.write_str("</main>\n</body>\n</html>\n")
}

fn head(out: &mut String, report: &Report<'_>, entries: &[Entry<'_>]) -> fmt::Result {
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>Extraction {}</title>\n<style>\n{STYLE}",
        report.ending.word()
    )?;
    document::write_targets(out, entries)?;
    out.write_str("</style>\n</head>\n<body>\n")
}

fn headline(out: &mut String, report: &Report<'_>) -> fmt::Result {
    let record = report.record;
    let mut parts = vec![counted(record.attempts().len(), "attempt")];
    parts.extend(record.model().map(str::to_owned));
    if !record.attempts().is_empty() {
        parts.extend(tokens(record.usage()));
    }
    let class = match report.ending {
        Ending::Accepted => "good",
        Ending::NotAccepted | Ending::Failed { .. } => "bad",
    };
    write!(
        out,
        "<header class=\"{class}\">\n<h1>Extraction {}</h1>\n<p>{}</p>\n",
        report.ending.word(),
        Inline(&parts.join("; "))
    )?;
    if let Ending::Failed { reason, .. } = report.ending {
        writeln!(out, "<p>{}</p>", Inline(reason))?;
    }
    out.write_str("</header>\n")
}

fn review(out: &mut String, report: &Report<'_>, entries: &[Entry<'_>]) -> fmt::Result {
    out.write_str("<div class=\"review\">\n<section>\n")?;
    lists::write(out, entries, Kind::Failure, "Failures")?;
    if report.omitted > 0 {
        let more = counted(report.omitted, "more failure");
        writeln!(out, "<p>{more} not spelled out</p>")?;
    }
    lists::write(out, entries, Kind::Warning, "Warnings")?;
    lists::write(out, entries, Kind::Cited, "Fields with their passages")?;
    if entries.is_empty() {
        out.write_str("<p class=\"small\">No field cites the document.</p>\n")?;
    }
    out.write_str("</section>\n")?;
    if !report.document().is_empty() {
        out.write_str("<section class=\"document\">\n<h2>Document</h2>\n")?;
        document::write(out, report.document(), entries)?;
        out.write_str("</section>\n")?;
    }
    out.write_str("</div>\n")
}
