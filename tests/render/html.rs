//! The HTML rendering.

use serde::Deserialize;
use typed_extract::{Cited, Extract, extract, render};

use crate::support::{DOCUMENT, Lease, accepted, rejected, reply, right, run};

/// The tags of a page: the style sheet holds none, and no attribute holds `<`
/// or `>` unescaped.
fn tags(page: &str) -> Vec<&str> {
    let parts = page.split('<').skip(1);
    parts
        .map(|part| part.split_once('>').expect("every tag ends").0)
        .collect()
}

/// The names of a tag's attributes; their values are all quoted.
fn attributes(tag: &str) -> Vec<String> {
    let outside: String = tag.split('"').step_by(2).collect();
    let words = outside.split_whitespace().skip(1);
    words
        .map(|word| word.trim_end_matches('=').to_owned())
        .collect()
}

/// The document as a reader of the page sees it, with the pieces marked for
/// `id` set in brackets.
fn seen(page: &str, id: &str) -> String {
    let (_, rest) = page.split_once("<pre class=\"text\">\n").unwrap();
    let (text, _) = rest.split_once("</pre>").unwrap();
    let class = format!("m-{id}");
    let (mut seen, mut open) = (String::new(), false);
    let mut parts = text.split('<');
    seen.push_str(parts.next().unwrap());
    for part in parts {
        let (tag, text) = part.split_once('>').unwrap();
        if tag.starts_with("mark") {
            let classes = tag.split('"').nth(1).unwrap();
            open = classes.split(' ').any(|one| one == class);
            seen.push_str(if open { "[" } else { "" });
        } else if tag == "/mark" && std::mem::take(&mut open) {
            seen.push(']');
        }
        seen.push_str(text);
    }
    let entities = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ];
    entities
        .iter()
        .fold(seen, |seen, (from, to)| seen.replace(from, to))
}

fn holds_only_text(page: &str) {
    for tag in tags(page) {
        let name = tag.split_whitespace().next().unwrap_or_default();
        assert!(
            ![
                "script", "img", "iframe", "object", "link", "form", "svg", "base"
            ]
            .contains(&name),
            "{tag}"
        );
        for attribute in attributes(tag) {
            let known = [
                "charset",
                "class",
                "content",
                "data-n",
                "href",
                "html",
                "http-equiv",
                "id",
                "lang",
                "name",
                "open",
                "title",
            ];
            assert!(known.contains(&attribute.as_str()), "{attribute} in {tag}");
        }
        if let Some((_, target)) = tag.split_once("href=\"") {
            assert!(target.starts_with('#'), "{tag}");
        }
    }
    let (head, _) = page.split_once("<body>").unwrap();
    for loading in ["url(", "@import", "//"] {
        assert!(!head.contains(loading), "{loading}");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn each_field_is_marked_at_exactly_its_bytes() {
    let lease = accepted(DOCUMENT, &right());
    let page = render::html(&lease);
    assert_eq!(
        seen(&page, "c1-0"),
        DOCUMENT.replace("A. Brun", "[A. Brun]")
    );
    assert_eq!(
        seen(&page, "c2-0"),
        DOCUMENT.replace("CHF 1,850.00", "[CHF 1,850.00]")
    );
    for link in [
        "href=\"#c1-0\"",
        "href=\"#c2-0\"",
        "id=\"c1-0\"",
        "id=\"c2-0\"",
    ] {
        assert_eq!(page.matches(link).count(), 1, "{link}");
    }
    holds_only_text(&page);
}

#[test]
fn overlapping_passages_are_each_marked_whole() {
    #[derive(Deserialize, Extract)]
    #[allow(dead_code)]
    struct Sums {
        first: Cited<u32>,
        second: Cited<u32>,
        inner: Cited<u32>,
    }
    let document = "pay 10 then 20 then 30";
    let text = r#"{
        "first": {"quote": "pay 10 then 20", "value": 10},
        "second": {"quote": "20 then 30", "value": 30},
        "inner": {"quote": "then 20 then", "value": 20}
    }"#;
    let sums = extract::<Sums>().document(document).validate(text).unwrap();
    let page = render::html(&sums);
    let joined = |id: &str| seen(&page, id).replace("][", "");
    assert_eq!(joined("c1-0"), "[pay 10 then 20] then 30");
    assert_eq!(joined("c2-0"), "pay 10 then [20 then 30]");
    assert_eq!(joined("c3-0"), "pay 10 [then 20 then] 30");
    holds_only_text(&page);
}

#[tokio::test]
async fn failures_have_their_places_or_say_that_they_have_none() {
    let error = rejected(DOCUMENT, &[reply("B. Nobody", "CHF 1,850.00", 2000, 0)]).await;
    let page = render::html(&error);
    let paths: Vec<String> = error
        .failures()
        .iter()
        .map(|one| one.path().to_string())
        .collect();
    assert_eq!(paths, ["tenant", "rent.quote", "notice"]);
    assert_eq!(
        seen(&page, "f2-0"),
        DOCUMENT.replace("CHF 1,850.00", "[CHF 1,850.00]")
    );
    assert_eq!(page.matches("no known place in the document").count(), 2);
    assert!(page.contains("found <code>&quot;B. Nobody&quot;</code>"));
    assert!(page.contains("<code>support.unsupported</code>"));
    assert!(page.contains("Extraction rejected"));
    holds_only_text(&page);
}

#[tokio::test]
async fn attempts_stand_side_by_side_with_their_differences_marked() {
    let wrong = reply("A. Brun", "CHF 1,850.00", 2000, 3);
    let lease = run::<Lease>(DOCUMENT, &[wrong, right()]).await.unwrap();
    let page = render::html(&lease);
    assert!(page.contains("<h3>Attempt 1</h3>"));
    assert!(page.contains("<h3>Attempt 2</h3>"));
    assert!(page.contains("<del>2000</del>"));
    assert!(page.contains("<ins>1850</ins>"));
    assert_eq!(
        page.matches("<ins>").count(),
        2,
        "one of them in the legend"
    );
    let record = lease.record();
    for fact in [
        record.schema_hash(),
        record.rules_hash(),
        record.document_hash(),
    ] {
        assert!(page.contains(&fact), "{fact}");
    }
    holds_only_text(&page);
}

const HOSTILE: &str = "</pre></style></title><script>alert(1)</script>\
                       <img src=x onerror=alert(1)>\" onmouseover='a' &lt;b&gt; <!-- ]]> \
                       javascript:alert(1) \0\x1b\u{202e}";

#[tokio::test]
async fn hostile_documents_and_replies_stay_text() {
    let document = format!("{HOSTILE}A. Brun pays CHF 1,850.00 {HOSTILE}");
    let page = render::html(&accepted(&document, &right()));
    holds_only_text(&page);
    let shown = document
        .replace('\0', "\u{2400}")
        .replace('\x1b', "\u{241b}")
        .replace('\u{202e}', "<U+202E>");
    assert_eq!(seen(&page, "none"), shown);

    let first = reply(HOSTILE, HOSTILE, 7, 0);
    let mut second = reply("A. Brun", HOSTILE, 7, 0);
    second[HOSTILE] = 1.into();
    let error = rejected(&document, &[first, second]).await;
    assert!(!error.failures().is_empty());
    holds_only_text(&render::html(&error));
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let page = || render::html(&accepted(DOCUMENT, &right()));
    assert_eq!(page(), page());
}

#[tokio::test]
async fn an_error_before_any_request_is_a_page_too() {
    let page = render::html(&rejected("  ", &[right()]).await);
    assert!(page.contains("the document is empty"));
    holds_only_text(&page);
}
