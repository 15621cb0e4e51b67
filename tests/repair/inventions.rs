//! A model that mends what failed by making up the rest is caught, by whole reply and by patch.
//!
//! What a model writes at a place that did fail is beyond this: no check of shape tells a date that
//! was read from one that was made up.

use serde::Deserialize;
use typed_extract::testing::Script;
use typed_extract::{Error, Extract, Extracted, Repair, extract};

use crate::support::{found, restored};

#[derive(Debug, Deserialize, Extract)]
struct Line {
    goods: String,
    amount: u32,
}

#[derive(Debug, Deserialize, Extract)]
#[extract(rule(
    adds_up(total, lines),
    "the lines add up to the total",
    check = lines.iter().map(|line| line.amount).sum::<u32>() == *total,
))]
struct Invoice {
    vendor: String,
    due: Option<String>,
    #[validate(length(min = 3, max = 3))]
    currency: String,
    lines: Vec<Line>,
    total: u32,
}

const FIRST: &str = r#"{"vendor": "Holm AS", "due": null, "currency": "kroner", "lines": [{"goods": "a", "amount": 30}, {"goods": "b", "amount": 12}], "total": 42}"#;

/// What else a model changes when it mends the currency: in the whole reply, in a patch, and where.
const INVENTIONS: [(&str, &str, &str, &str); 4] = [
    (
        "\"due\": null",
        "\"due\": \"2026-05-01\"",
        "/due",
        "\"2026-05-01\"",
    ),
    (
        "Holm AS",
        "Holm Trading AS",
        "/vendor",
        "\"Holm Trading AS\"",
    ),
    (
        ", {\"goods\": \"b\", \"amount\": 12}",
        "",
        "/lines",
        "[{\"goods\": \"a\", \"amount\": 30}]",
    ),
    ("\"total\": 42", "\"total\": 30", "/total", "30"),
];

async fn run(replies: Vec<String>, repair: Repair) -> Result<Extracted<Invoice>, Error> {
    let run = extract::<Invoice>()
        .model(Script::new(replies))
        .document("Holm AS: a 30, b 12, NOK 42");
    run.repair(repair).run().await
}

#[tokio::test]
async fn what_a_whole_reply_makes_up_is_put_back_by_name() {
    for (old, new, place, _) in INVENTIONS {
        let mended = FIRST.replace("kroner", "NOK").replace(old, new);
        let done = run(vec![FIRST.to_owned(), mended], Repair::Whole)
            .await
            .unwrap();
        assert_eq!(restored(&done.record().attempts()[1]), [place]);
        assert_eq!((done.value().total, done.value().lines.len()), (42, 2));
        assert_eq!(done.value().vendor, "Holm AS");
        assert_eq!(done.value().due, None);
        assert_eq!(done.value().lines[1].goods, "b");
    }
}

/// The line is dropped and the total changed to match, so that no rule is broken.
#[tokio::test]
async fn two_inventions_that_agree_are_both_put_back() {
    let [.., dropped, total] = INVENTIONS;
    let mended = FIRST.replace("kroner", "NOK");
    let mended = mended
        .replace(dropped.0, dropped.1)
        .replace(total.0, total.1);
    let done = run(vec![FIRST.to_owned(), mended], Repair::Whole)
        .await
        .unwrap();
    assert_eq!(restored(&done.record().attempts()[1]), ["/lines", "/total"]);
    assert_eq!(done.value().total, 42);
}

#[tokio::test]
async fn what_a_patch_makes_up_is_refused_by_name() {
    for (_, _, place, value) in INVENTIONS {
        let patch = format!(r#"{{"/currency": "NOK", "{place}": {value}}}"#);
        let honest = r#"{"/currency": "NOK"}"#.to_owned();
        let done = run(vec![FIRST.to_owned(), patch, honest], Repair::Patch)
            .await
            .unwrap();
        let failures = found(done.record().attempts()[1].failures());
        assert_eq!(failures[0], ("repair.patch.not_offered", place.to_owned()));
        assert_eq!((done.value().total, done.value().lines.len()), (42, 2));
        assert_eq!(done.value().vendor, "Holm AS");
        assert_eq!(done.value().due, None);
    }
}

#[tokio::test]
async fn a_dropped_line_is_a_regression_where_another_line_failed() {
    let mut line = FIRST.replace("\"amount\": 30", "\"amount\": -30");
    line = line.replace("kroner", "NOK");
    let mended = line.replace(", {\"goods\": \"b\", \"amount\": 12}", "");
    let mended = mended.replace("-30", "42");
    let right = FIRST.replace("kroner", "NOK");
    let whole = run(vec![line.clone(), mended, right], Repair::Whole)
        .await
        .unwrap();
    let failures = found(whole.record().attempts()[1].failures());
    assert_eq!(failures[0], ("repair.regression", "/lines".to_owned()));

    let replies = [
        r#"{"/lines": [{"goods": "a", "amount": 42}]}"#,
        r#"{"/lines/0/amount": 30}"#,
    ];
    let replies = [line.as_str(), replies[0], replies[1]];
    let patched = run(replies.map(str::to_owned).to_vec(), Repair::Patch)
        .await
        .unwrap();
    let failures = found(patched.record().attempts()[1].failures());
    assert_eq!(
        failures[0],
        ("repair.patch.not_offered", "/lines".to_owned())
    );
    assert_eq!(patched.value().lines.len(), 2);
}
