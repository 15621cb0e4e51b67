//! A variant of a union is one thing, and no two are mixed.

use std::collections::BTreeMap;

use serde::Deserialize;
use typed_extract::Extract;

use super::{repaired, run};
use crate::support::{found, restored};

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Plant {
    device: Device,
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(tag = "art", rename_all = "lowercase")]
enum Device {
    Valve {
        dn: u8,
        maker: String,
        model: String,
    },
    Pump {
        dn: u8,
        maker: String,
        model: String,
    },
    Pipe {
        length: u8,
        maker: String,
    },
}

const VALVE: &str = r#"{"device":{"art":"valve","dn":300,"maker":"Holm","model":"M1"}}"#;

#[tokio::test]
async fn the_one_value_that_changed_beside_the_same_tag_is_put_back() {
    let second = r#"{"device":{"art":"valve","dn":30,"maker":"Berg","model":"M1"}}"#;
    let done = run::<Plant>(&[VALVE, second]).await.unwrap();
    let kept = second.replace("Berg", "Holm");
    assert_eq!(*done.value(), serde_json::from_str(&kept).unwrap());
    assert_eq!(restored(&done.record().attempts()[1]), ["/device/maker"]);
}

#[tokio::test]
async fn several_values_that_changed_in_one_variant_are_a_regression() {
    let second = r#"{"device":{"art":"valve","dn":30,"maker":"Berg","model":"B7"}}"#;
    assert_eq!(repaired::<Plant>(VALVE, second).await, None);
    let error = run::<Plant>(&[VALVE, second, second]).await.unwrap_err();
    assert_eq!(
        found(error.failures()),
        [
            ("repair.regression", "/device/maker".to_owned()),
            ("repair.regression", "/device/model".to_owned())
        ]
    );
}

#[tokio::test]
async fn another_variant_is_taken_as_it_came() {
    for second in [
        r#"{"device":{"art":"pump","dn":30,"maker":"Berg","model":"M1"}}"#,
        r#"{"device":{"art":"pump","dn":30,"maker":"Holm","model":"M1"}}"#,
        r#"{"device":{"art":"pipe","length":3,"maker":"Berg"}}"#,
    ] {
        let done = run::<Plant>(&[VALVE, second]).await.unwrap();
        assert_eq!(*done.value(), serde_json::from_str(second).unwrap());
        assert_eq!(restored(&done.record().attempts()[1]), [""; 0]);
    }
}

#[tokio::test]
async fn a_variant_without_a_failure_stays() {
    #[derive(Debug, PartialEq, Deserialize, Extract)]
    struct Sited {
        site: u8,
        device: Device,
    }
    let first = r#"{"site":300,"device":{"art":"pipe","length":3,"maker":"Berg"}}"#;
    let second = r#"{"site":3,"device":{"art":"pump","dn":30,"maker":"Berg","model":"M1"}}"#;
    let done = run::<Sited>(&[first, second]).await.unwrap();
    assert!(matches!(done.value().device, Device::Pipe { .. }));
    assert_eq!(restored(&done.record().attempts()[1]), ["/device"]);
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Parts {
    external: Option<External>,
    adjacent: Option<Adjacent>,
    untagged: Option<Untagged>,
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(rename_all = "lowercase")]
enum External {
    Off,
    Dim { level: u8, colour: String },
    Timed { level: u8, until: String },
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(tag = "t", content = "c", rename_all = "lowercase")]
enum Adjacent {
    Dim { level: u8, colour: String },
    Timed { level: u8, until: String },
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
#[serde(untagged)]
enum Untagged {
    Dim { level: Level, colour: String },
    Timed { level: Level, until: String },
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Level {
    #[validate(range(min = 1))]
    level: u32,
}

fn parts(key: &str, value: &str) -> String {
    let all = ["external", "adjacent", "untagged"].map(|name| {
        let value = if name == key { value } else { "null" };
        format!(r#""{name}":{value}"#)
    });
    format!("{{{}}}", all.join(","))
}

#[tokio::test]
async fn variants_of_every_tagging_are_taken_whole() {
    for (key, first, second) in [
        (
            "external",
            r#"{"dim":{"level":300,"colour":"red"}}"#,
            r#"{"timed":{"level":30,"until":"noon"}}"#,
        ),
        (
            "external",
            r#"{"dim":{"level":300,"colour":"red"}}"#,
            r#""off""#,
        ),
        (
            "adjacent",
            r#"{"t":"dim","c":{"level":300,"colour":"red"}}"#,
            r#"{"t":"timed","c":{"level":30,"until":"noon"}}"#,
        ),
        (
            "untagged",
            r#"{"level":{"level":0},"colour":"red"}"#,
            r#"{"level":{"level":3},"until":"noon"}"#,
        ),
    ] {
        let done = run::<Parts>(&[&parts(key, first), &parts(key, second)]).await;
        let done = done.expect(second);
        let as_given = serde_json::from_str(&parts(key, second)).unwrap();
        assert_eq!(*done.value(), as_given);
        assert_eq!(restored(&done.record().attempts()[1]), [""; 0]);
    }
}

#[tokio::test]
async fn values_of_the_same_variant_are_put_back_where_it_is_known() {
    for (key, first, second, place) in [
        (
            "external",
            r#"{"dim":{"level":300,"colour":"red"}}"#,
            r#"{"dim":{"level":30,"colour":"blue"}}"#,
            Some("/external/dim/colour"),
        ),
        (
            "adjacent",
            r#"{"t":"dim","c":{"level":300,"colour":"red"}}"#,
            r#"{"t":"dim","c":{"level":30,"colour":"blue"}}"#,
            Some("/adjacent/c/colour"),
        ),
        // Nothing else in it shows that it is about the same light.
        (
            "untagged",
            r#"{"level":{"level":0},"colour":"red"}"#,
            r#"{"level":{"level":3},"colour":"blue"}"#,
            None,
        ),
    ] {
        let second = parts(key, second);
        let done = run::<Parts>(&[&parts(key, first), &second, &second]).await;
        let put_back = done.ok().map(|done| restored(&done.record().attempts()[1]));
        assert_eq!(put_back, place.map(|place| vec![place.to_owned()]), "{key}");
    }
}

#[tokio::test]
async fn what_a_flattened_variant_stands_beside_is_no_part_of_it() {
    #[derive(Debug, PartialEq, Deserialize, Extract)]
    struct Listed {
        number: String,
        #[serde(flatten)]
        device: Device,
    }
    let first = r#"{"number":"7","art":"valve","dn":300,"maker":"Holm","model":"M1"}"#;
    let second = r#"{"number":"8","art":"pipe","length":3,"maker":"Berg"}"#;
    let done = run::<Listed>(&[first, second]).await.unwrap();
    assert_eq!(done.value().number, "7");
    assert!(matches!(&done.value().device, Device::Pipe { maker, .. } if maker == "Berg"));
    assert_eq!(restored(&done.record().attempts()[1]), ["/number"]);
}

#[tokio::test]
async fn variants_in_a_list_are_never_mixed() {
    let first = r#"{"value":[{"art":"valve","dn":300,"maker":"Holm","model":"M1"},{"art":"pipe","length":2,"maker":"Berg"}]}"#;
    for second in [
        r#"{"value":[{"art":"pipe","length":2,"maker":"Berg"},{"art":"valve","dn":30,"maker":"Holm","model":"M1"}]}"#,
        r#"{"value":[{"art":"pump","dn":30,"maker":"Berg","model":"B7"},{"art":"pipe","length":2,"maker":"Berg"}]}"#,
        r#"{"value":[{"art":"pipe","length":2,"maker":"Berg"}]}"#,
    ] {
        let value = repaired::<Vec<Device>>(first, second).await;
        let given: serde_json::Value = serde_json::from_str(second).unwrap();
        let as_given = serde_json::from_value(given["value"].clone()).unwrap();
        assert_eq!(value, Some(as_given));
    }
}

#[tokio::test]
async fn a_variant_that_becomes_null_is_a_regression_where_a_part_of_it_was_right() {
    let first = parts("external", r#"{"dim":{"level":300,"colour":"red"}}"#);
    assert_eq!(repaired::<Parts>(&first, &parts("", "")).await, None);
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Months {
    months: BTreeMap<String, Month>,
}

#[derive(Debug, PartialEq, Deserialize, Extract)]
struct Month {
    #[validate(range(min = 1))]
    sum: u32,
    note: String,
}

#[tokio::test]
async fn entries_of_a_map_are_known_by_their_keys() {
    let first = r#"{"months":{"1":{"sum":0,"note":"x"},"2":{"sum":5,"note":"y"}}}"#;
    let second = r#"{"months":{"2":{"sum":6,"note":"y"},"3":{"sum":9,"note":"z"},"1":{"sum":4,"note":"w"}}}"#;
    let done = run::<Months>(&[first, second]).await.unwrap();
    let kept = r#"{"months":{"1":{"sum":4,"note":"x"},"2":{"sum":5,"note":"y"},"3":{"sum":9,"note":"z"}}}"#;
    assert_eq!(*done.value(), serde_json::from_str(kept).unwrap());
    assert_eq!(
        restored(&done.record().attempts()[1]),
        ["/months/1/note", "/months/2"]
    );
}

#[tokio::test]
async fn a_failing_key_may_become_another() {
    #[derive(Debug, PartialEq, Deserialize, Extract)]
    struct Years {
        sums: BTreeMap<u16, u32>,
    }
    let first = r#"{"sums":{"year 2025":4,"2024":3}}"#;
    let second = r#"{"sums":{"2024":3,"2025":4}}"#;
    let value = repaired::<Years>(first, second).await;
    assert_eq!(value.map(|years| years.sums.len()), Some(2));
}

#[tokio::test]
async fn a_key_under_a_wrong_name_may_become_an_optional_one() {
    #[derive(Debug, PartialEq, Deserialize, Extract)]
    struct Bill {
        number: String,
        #[serde(default)]
        due: Option<String>,
    }
    let first = r#"{"number":"7","due_on":"May"}"#;
    let second = r#"{"number":"7","due":"May"}"#;
    let value = repaired::<Bill>(first, second).await.unwrap();
    assert_eq!(value.due.as_deref(), Some("May"));
}
