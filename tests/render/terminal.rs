//! The terminal rendering.

use typed_extract::record::Record;
use typed_extract::testing::Script;
use typed_extract::{Document, extract, render};

use crate::support::{DOCUMENT, Lease, accepted, rejected, reply, right};

/// The marks under the line that contains `text`, padded like it.
fn under<'r>(rendered: &'r str, text: &str) -> Vec<&'r str> {
    let mut lines = rendered.lines().skip_while(|line| !line.contains(text));
    assert!(lines.next().is_some(), "{text:?} is not shown:\n{rendered}");
    lines.take_while(|line| line.starts_with("  |")).collect()
}

#[test]
fn the_passage_of_each_field_is_marked_where_it_stands() {
    let lease = accepted(DOCUMENT, &right());
    let rendered = render::terminal(&lease).color(false).to_string();
    assert!(
        rendered.starts_with("accepted after 1 attempt\n"),
        "{rendered}"
    );
    assert!(
        rendered.contains("3 | The rent is CHF 1,850.00 a month.\n"),
        "{rendered}"
    );
    assert_eq!(
        under(&rendered, "The rent is"),
        ["  |             ^^^^^^^^^^^^ rent = 1850"]
    );
    assert_eq!(
        under(&rendered, "The tenant is"),
        ["  |               ^^^^^^^ tenant"]
    );
}

#[test]
fn only_the_lines_around_a_passage_are_shown() {
    let filler = "Nothing is said here.\n".repeat(5000);
    let document = format!("{filler}{DOCUMENT}{filler}");
    let lease = accepted(&document, &right());
    let rendered = render::terminal(&lease).color(false).to_string();
    assert!(
        rendered.contains("5003 | The rent is CHF 1,850.00 a month.\n"),
        "{rendered}"
    );
    assert!(rendered.lines().count() < 20, "{rendered}");
}

#[test]
fn a_long_line_is_cut_into_rows_and_the_mark_stays_under_its_passage() {
    let filler = "word ".repeat(10_000);
    let document = format!("{filler}A. Brun pays CHF 1,850.00 a month {filler}");
    let lease = accepted(&document, &right());
    let rendered = render::terminal(&lease).color(false).width(60).to_string();
    assert!(
        rendered.lines().all(|line| line.chars().count() <= 60),
        "{rendered}"
    );
    assert!(rendered.lines().count() < 20, "{rendered}");
    let row = rendered
        .lines()
        .position(|line| line.contains("CHF 1,850.00"));
    let lines: Vec<&str> = rendered.lines().collect();
    let row = row.expect("the passage is shown");
    let mark = lines[row + 1..]
        .iter()
        .find(|line| line.contains("rent"))
        .unwrap();
    assert_eq!(
        lines[row].find("CHF 1,850.00"),
        mark.find("^^^^^^^^^^^^"),
        "{rendered}"
    );
}

#[test]
fn wide_and_combining_characters_do_not_move_the_marks() {
    let document = "日本 e\u{301}te\u{301} A. Brun\npays CHF 1,850.00 a month";
    let lease = accepted(document, &right());
    let rendered = render::terminal(&lease).color(false).to_string();
    // Four columns, a space, three columns, a space.
    assert_eq!(under(&rendered, "Brun"), ["  |          ^^^^^^^ tenant"]);
}

#[tokio::test]
async fn a_failure_stands_at_its_place_and_the_others_are_listed() {
    let error = rejected(DOCUMENT, &[reply("B. Nobody", "CHF 1,850.00", 2000, 0)]).await;
    let rendered = render::terminal(&error).color(false).to_string();
    assert!(
        rendered.starts_with("rejected after 1 attempt"),
        "{rendered}"
    );
    let marks = under(&rendered, "The rent is");
    assert_eq!(marks[0], "  |             !!!!!!!!!!!!", "{rendered}");
    assert!(
        marks[1].contains("rent.quote: found \"CHF 1,850.00\""),
        "{rendered}"
    );
    let (_, listed) = rendered
        .split_once("failures without a known place\n")
        .unwrap();
    let (listed, attempts) = listed.split_once("\nattempts\n").unwrap();
    assert!(listed.contains("tenant: found \"B. Nobody\""), "{rendered}");
    assert!(listed.contains("notice: found 0"), "{rendered}");
    assert!(!listed.contains("rent"), "{rendered}");
    assert!(attempts.contains("1: 3 failures"), "{rendered}");
}

#[tokio::test]
async fn a_broken_rule_stands_where_its_field_is_cited() {
    let document = DOCUMENT.replace("1,850.00", "8,500.00");
    let error = rejected(&document, &[reply("A. Brun", "CHF 8,500.00", 8500, 3)]).await;
    let rendered = render::terminal(&error).color(false).to_string();
    let marks = under(&rendered, "The rent is");
    assert_eq!(
        marks[0], "  |             ^^^^^^^^^^^^ rent = 8500",
        "{rendered}"
    );
    assert_eq!(
        marks[1],
        "  |             !!!!!!!!!!!! rent: the rent is below 5000 (rule low) [rule]"
    );
    assert!(!rendered.contains("without a known place"), "{rendered}");
}

#[tokio::test]
async fn an_ambiguous_quotation_is_marked_at_all_its_places() {
    let document = format!("{DOCUMENT}Deposit: CHF 1,850.00\n");
    let error = rejected(&document, &[right()]).await;
    let rendered = render::terminal(&error).color(false).to_string();
    assert!(
        under(&rendered, "The rent is")[0].contains("!!!!!!!!!!!!"),
        "{rendered}"
    );
    let second = under(&rendered, "Deposit:");
    assert_eq!(
        second,
        ["  |          !!!!!!!!!!!! rent.quote [support.ambiguous], place 2 of 2"]
    );
}

#[test]
fn warnings_stand_at_their_fields() {
    let document = DOCUMENT.replace("1,850.00", "850.00");
    let lease = accepted(&document, &reply("A. Brun", "CHF 850.00", 850, 3));
    let rendered = render::terminal(&lease).color(false).to_string();
    assert!(
        under(&rendered, "The rent is")[1].contains("~~~~~~~~~~"),
        "{rendered}"
    );
}

const HOSTILE: &str = "\x1b[2J\x1b]0;owned\x07\u{9b}31m\u{202e}\u{2028}\r\u{8}";

fn holds_no_control(rendered: &str) {
    let steers = |c: char| {
        (c.is_control() && c != '\n') || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202e}')
    };
    assert!(!rendered.contains(steers), "{rendered:?}");
}

#[tokio::test]
async fn a_hostile_document_or_reply_sends_no_escapes() {
    let document = format!("{HOSTILE} A. Brun pays {HOSTILE} CHF 1,850.00 {HOSTILE}");
    let rendered = render::terminal(&accepted(&document, &right()))
        .color(false)
        .to_string();
    holds_no_control(&rendered);
    assert!(
        rendered.contains("\u{241b}[2J"),
        "shown by its picture: {rendered}"
    );

    let tenant = format!("{HOSTILE}Nobody");
    let error = rejected(&document, &[reply(&tenant, HOSTILE, 7, 0)]).await;
    holds_no_control(&render::terminal(&error).color(false).to_string());
}

#[test]
fn colours_are_there_when_asked_for_and_only_then() {
    let lease = accepted(DOCUMENT, &right());
    assert!(
        render::terminal(&lease)
            .color(true)
            .to_string()
            .contains("\x1b[32m")
    );
    assert!(
        !render::terminal(&lease)
            .color(false)
            .to_string()
            .contains('\x1b')
    );
}

#[test]
fn the_same_run_is_shown_in_the_same_bytes() {
    let shown = || {
        let lease = accepted(DOCUMENT, &right());
        render::terminal(&lease).color(false).to_string()
    };
    assert_eq!(shown(), shown());
}

#[tokio::test]
async fn an_error_before_any_request_is_shown_without_a_document() {
    let error = rejected("  ", &[right()]).await;
    let rendered = render::terminal(&error).color(false).to_string();
    assert!(
        rendered.starts_with("set up wrongly after 0 attempts\n"),
        "{rendered}"
    );
    assert!(rendered.contains("the document is empty"), "{rendered}");
}

#[tokio::test]
async fn a_record_that_was_stored_is_shown_like_the_run_itself() {
    let lease = accepted(DOCUMENT, &right());
    let stored = serde_json::to_string(lease.record()).unwrap();
    let record: Record = serde_json::from_str(&stored).unwrap();
    let shown = render::terminal(&record).color(false).to_string();
    assert_eq!(shown, render::terminal(&lease).color(false).to_string());
    assert_eq!(render::html(&record), render::html(&lease));

    let error = rejected(DOCUMENT, &[reply("A. Brun", "CHF 1,999.00", 1999, 3)]).await;
    let stored = serde_json::to_string(error.record()).unwrap();
    let record: Record = serde_json::from_str(&stored).unwrap();
    assert!(!record.is_accepted());
    let shown = render::terminal(&record).color(false).to_string();
    assert!(shown.starts_with("not accepted after "), "{shown}");
    for failure in error.failures() {
        assert!(shown.contains(&failure.path().to_string()), "{shown}");
    }
}

#[tokio::test]
async fn citations_of_several_documents_are_listed_with_their_source() {
    let reply = r#"{"tenant": "A. Brun", "notice": 3,
        "rent": {"source": "lease", "quote": "CHF 1,850.00", "value": 1850}}"#;
    let model = Script::new([reply]);
    let run = extract::<Lease>().model(&model);
    let run = run.document(Document::new(DOCUMENT).id("lease"));
    let run = run.document(Document::new("Nothing of matter.").id("letter"));
    let lease = run.run().await.unwrap();
    let shown = render::terminal(&lease).color(false).to_string();
    let line = "rent = 1850: lease, \"CHF 1,850.00\"";
    assert!(shown.contains(line), "{shown}");
}
