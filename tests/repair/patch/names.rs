//! Other names that serde reads, in the reply that is patched and in the patch.

use serde::Deserialize;
use typed_extract::testing::Script;
use typed_extract::{Extract, Extracted, Repair, extract};

use super::offered;

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Job {
    #[serde(alias = "jobTitle")]
    title: String,
    #[validate(range(min = 1))]
    years: u8,
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct History {
    name: String,
    #[serde(rename = "workHistory", alias = "jobs")]
    work: Vec<Job>,
}

async fn history(replies: [&str; 2], repair: Repair) -> Extracted<History> {
    extract::<History>()
        .model(&Script::new(replies))
        .document("Ida: 2 years a smith, 3 years a cook")
        .repair(repair)
        .run()
        .await
        .unwrap()
}

const ALIASED: &str = r#"{"name": "Ida", "jobs": [{"jobTitle": "smith", "years": 0}, {"title": "cook", "years": 3}]}"#;

fn is_right(history: &History) -> bool {
    let jobs = history.work.iter();
    let jobs: Vec<(&str, u8)> = jobs.map(|job| (job.title.as_str(), job.years)).collect();
    history.name == "Ida" && jobs == [("smith", 2), ("cook", 3)]
}

#[tokio::test]
async fn a_place_below_another_name_is_patched_where_it_stands() {
    let replies = [ALIASED, r#"{"/workHistory/0/years": 2}"#];
    let done = history(replies, Repair::Patch).await;
    assert!(is_right(done.value()), "{:?}", done.value());
    let attempts = done.record().attempts();
    assert_eq!(offered(&attempts[1]), ["/workHistory/0/years"]);
}

#[tokio::test]
async fn another_name_in_a_patch_is_read() {
    let wrong = r#"{"name": "Ida", "workHistory": ["smith", {"title": "cook", "years": 3}]}"#;
    let patch = r#"{"/workHistory/0": {"jobTitle": "smith", "years": 2}}"#;
    let done = history([wrong, patch], Repair::Patch).await;
    assert!(is_right(done.value()), "{:?}", done.value());
    let steps = done.record().attempts()[1].normalizations();
    let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
    assert_eq!(steps, ["alias at workHistory[0].jobTitle"]);
}

#[tokio::test]
async fn a_repair_under_the_right_names_keeps_what_stood_under_others() {
    let right = r#"{"name": "Ida", "workHistory": [{"title": "smith", "years": 2}, {"title": "cook", "years": 3}]}"#;
    let done = history([ALIASED, right], Repair::Whole).await;
    assert!(is_right(done.value()), "{:?}", done.value());
    assert!(done.record().attempts()[1].restored().is_empty());
}

#[tokio::test]
async fn a_repair_under_other_names_keeps_what_stood_under_the_right_ones() {
    let wrong = ALIASED
        .replace("jobs", "workHistory")
        .replace("jobTitle", "title");
    let right = ALIASED.replace(r#""years": 0"#, r#""years": 2"#);
    let done = history([&wrong, &right], Repair::Whole).await;
    assert!(is_right(done.value()), "{:?}", done.value());
}
