//! What identifies a type's demands, and what a change of them means.

use std::path::{Component, Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, panic};

use serde::Deserialize;
use typed_extract::testing::assert_schema_unchanged;
use typed_extract::{Extract, fingerprint, json_schema, rules};

use crate::support::Count;

/// A type of one name in two versions.
macro_rules! versions {
    ($old:ident, $new:ident: {$($before:tt)*} {$($after:tt)*}) => {
        #[allow(dead_code)]
        mod $old {
            use super::*;
            $($before)*
        }
        #[allow(dead_code)]
        mod $new {
            use super::*;
            $($after)*
        }
    };
}

versions!(order_1, order_2: {
    #[derive(Deserialize, Extract)]
    pub struct Line {
        pub sku: String,
        #[validate(range(min = 0, max = 10))]
        pub amount: i32,
    }

    #[derive(Deserialize, Extract)]
    pub enum Status { Open, Paid, Void }

    #[derive(Deserialize, Extract)]
    pub struct Order {
        pub number: String,
        pub vendor: String,
        pub status: Status,
        pub lines: Vec<Line>,
        pub note: Option<String>,
        pub count: u8,
        pub weight: f64,
    }
} {
    #[derive(Deserialize, Extract)]
    pub struct Line {
        pub sku: Option<String>,
        #[validate(range(min = 1, max = 20))]
        pub amount: i32,
    }

    #[derive(Deserialize, Extract)]
    pub enum Status { Open, Paid, Late }

    #[derive(Deserialize, Extract)]
    pub struct Order {
        pub number: String,
        pub supplier: String,
        pub status: Status,
        pub lines: Vec<Line>,
        /// What else there is to say.
        pub note: Option<String>,
        pub count: u16,
        pub weight: u8,
        pub due: Option<String>,
        pub total: u32,
    }
});

versions!(shape_1, shape_2: {
    #[derive(Deserialize, Extract)]
    #[serde(tag = "kind")]
    pub enum Shape { Round { size: u32 }, Square { size: u32 } }

    #[derive(Deserialize, Extract)]
    pub struct Tree { pub shape: Shape, pub below: Vec<Tree>, pub leaf: Leaf }

    #[derive(Deserialize, Extract)]
    pub struct Leaf { pub colour: String }
} {
    #[derive(Deserialize, Extract)]
    #[serde(tag = "kind")]
    pub enum Shape { Square { size: u32, depth: u32 }, Flat { size: u32 } }

    #[derive(Deserialize, Extract)]
    pub struct Tree { pub shape: Shape, pub below: Vec<Tree>, pub leaf: Option<Leaf> }

    #[derive(Deserialize, Extract)]
    pub struct Leaf { pub colour: String }
});

versions!(ruled_1, ruled_2: {
    #[derive(Deserialize, Extract)]
    pub struct Ruled { pub from: u32, pub to: u32 }

    #[rules]
    impl Ruled {
        /// It begins before it ends.
        fn ordered(from: &u32, to: &u32) -> bool { from < to }
        /// It is short.
        #[check]
        fn short(from: &u32, to: &u32) -> bool { to - from < 9 }
        /// It begins late.
        fn late(from: &u32) -> bool { *from > 9 }
    }
} {
    #[derive(Deserialize, Extract)]
    pub struct Ruled { pub from: u32, pub to: u32 }

    #[rules]
    impl Ruled {
        /// It does not end before it begins.
        fn ordered(from: &u32, to: &u32) -> bool { from <= to }
        /// It is short.
        fn short(from: &u32, to: &u32) -> bool { to - from < 9 }
        /// It ends late.
        fn end(to: &u32) -> bool { *to > 9 }
    }
});

versions!(row_1, row_2: {
    #[derive(Deserialize, Extract)]
    pub struct Row { pub a: u32, pub b: u32 }
} {
    #[derive(Deserialize, Extract)]
    pub struct Row { pub b: u32, pub a: u32 }
});

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fingerprint")
}

fn fresh() -> PathBuf {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let file = folder().join(format!("{}-{number}/type.json", std::process::id()));
    let _ = fs::remove_file(&file);
    file
}

fn failure(test: impl FnOnce() + panic::UnwindSafe) -> String {
    *panic::catch_unwind(test).unwrap_err().downcast().unwrap()
}

/// What is said where a file of `Old` is compared with `New`.
fn told<Old: Extract, New: Extract>() -> (Vec<String>, Vec<String>) {
    let file = fresh();
    assert_schema_unchanged::<Old>(&file);
    let message = failure(|| assert_schema_unchanged::<New>(&file));
    assert!(message.contains("TYPED_EXTRACT_UPDATE=1"), "{message}");
    let (breaking, compatible) = match message.split_once("compatible:") {
        Some((before, after)) => (before, after),
        None => (message.as_str(), ""),
    };
    let lines = |text: &str| {
        text.lines()
            .filter_map(|line| line.strip_prefix("- "))
            .map(str::to_owned)
            .collect()
    };
    (lines(breaking), lines(compatible))
}

#[test]
fn a_fingerprint_is_the_hash_of_schema_and_rules_as_they_are_stored() {
    let file = fresh();
    assert_schema_unchanged::<Count>(&file);
    let stored: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let print = fingerprint::<Count>().unwrap();
    assert_eq!(stored["fingerprint"], print.as_str());
    assert_eq!(stored["schema"], json_schema::<Count>().unwrap());
    assert_eq!(stored["rules"][0]["name"], "small");
    assert_eq!(stored["rules"][0]["kind"], "rule");
    assert_eq!(stored["rules"][0]["sentence"], "count is below a hundred");
    assert_eq!(stored["rules"][0]["fields"][0], "count");
    // The same on every machine and in every run, so it can stand here.
    assert_eq!(print.to_string(), COUNT);
}

const COUNT: &str = "1cdc4296de8569da7474b2612ba082ded03f2f4545032acdb96d635ea2336eeb";

#[test]
fn a_fingerprint_changes_with_whatever_is_asked() {
    let of = [
        fingerprint::<Count>(),
        fingerprint::<Vec<Count>>(),
        fingerprint::<Option<Count>>(),
        fingerprint::<ruled_1::Ruled>(),
        fingerprint::<ruled_2::Ruled>(),
        fingerprint::<row_1::Row>(),
        fingerprint::<row_2::Row>(),
    ];
    let mut of = of.map(|print| print.unwrap().to_string()).to_vec();
    of.sort();
    of.dedup();
    assert_eq!(of.len(), 7);
}

#[test]
fn a_type_that_did_not_change_passes() {
    let file = fresh();
    for _ in 0..3 {
        assert_schema_unchanged::<order_1::Order>(&file);
    }
    assert!(fs::read_to_string(&file).unwrap().ends_with("}\n"));
}

#[test]
fn changes_of_fields_are_told_by_place_and_by_what_they_break() {
    let (breaking, compatible) = told::<order_1::Order, order_2::Order>();
    assert_eq!(
        breaking,
        [
            "vendor: removed, or renamed to supplier",
            "status: does not take \"Void\" any more",
            "lines[].amount: minimum was 0 and is 1",
            "weight: was number and is integer",
            "weight: minimum is 0 now",
            "weight: maximum is 255 now",
            "total: new required field",
        ]
    );
    assert_eq!(
        compatible,
        [
            "status: takes \"Late\" now",
            "lines[].sku: was string and is string or null",
            "lines[].sku: optional now",
            "lines[].amount: maximum was 10 and is 20",
            "note: description changed",
            "count: maximum was 255 and is 65535",
            "due: new optional field",
        ]
    );
}

#[test]
fn the_way_back_breaks_what_the_way_there_allowed() {
    let (breaking, compatible) = told::<order_2::Order, order_1::Order>();
    for place in [
        "due: removed",
        "lines[].sku: required now",
        "count: maximum was 65535 and is 255",
    ] {
        assert!(
            breaking.iter().any(|line| line == place),
            "{place}: {breaking:?}"
        );
    }
    assert!(
        compatible
            .iter()
            .any(|line| line == "weight: was integer and is number")
    );
}

#[test]
fn alternatives_are_compared_by_their_tag_also_inside_themselves() {
    let (breaking, compatible) = told::<shape_1::Tree, shape_2::Tree>();
    assert!(
        breaking.contains(&"shape.depth: new required field".to_owned()),
        "{breaking:?}"
    );
    assert!(
        breaking.contains(
            &"shape: does not take the alternative with kind = \"Round\" any more".to_owned()
        ),
        "{breaking:?}"
    );
    // Once at the root and once below it, and no deeper.
    assert_eq!(breaking.len(), 4, "{breaking:?}");
    assert!(breaking.iter().all(|line| !line.contains("below[].below")));
    assert!(
        compatible.contains(&"shape: takes the alternative with kind = \"Flat\" now".to_owned()),
        "{compatible:?}"
    );
    assert!(
        compatible.contains(&"leaf: was object and is object or null".to_owned()),
        "{compatible:?}"
    );
    assert!(
        compatible.contains(&"leaf: optional now".to_owned()),
        "{compatible:?}"
    );
}

#[test]
fn a_new_rule_breaks_and_a_rule_that_went_does_not() {
    let (breaking, compatible) = told::<ruled_1::Ruled, ruled_2::Ruled>();
    assert_eq!(
        breaking,
        [
            "(root): rule short: was a check and is a rule",
            "(root): rule end: new"
        ]
    );
    assert_eq!(
        compatible,
        [
            "(root): rule ordered: its sentence changed; see whether it still asks for the same",
            "(root): rule late: removed",
        ]
    );
}

#[test]
fn another_order_is_a_change_too() {
    let (breaking, compatible) = told::<row_1::Row, row_2::Row>();
    assert!(breaking.is_empty());
    assert!(compatible[0].contains("order"), "{compatible:?}");
}

#[test]
fn a_file_that_was_edited_or_is_none_is_refused() {
    let file = fresh();
    assert_schema_unchanged::<Count>(&file);
    let text = fs::read_to_string(&file).unwrap();
    for other in [
        text.replace("hundred", "thousand"),
        "{}".into(),
        "no".into(),
        text.replace("\"version\": 1", "\"version\": 7"),
    ] {
        fs::write(&file, other).unwrap();
        let message = failure(|| assert_schema_unchanged::<Count>(&file));
        assert!(
            message.contains("type.json") && message.contains("TYPED_EXTRACT_UPDATE=1"),
            "{message}"
        );
    }
}

#[test]
fn the_environment_variable_has_the_file_written_anew() {
    let file = fresh();
    assert_schema_unchanged::<Count>(&file);
    fs::write(&file, "no").unwrap();
    let update = |value: &str| {
        Command::new(env::current_exe().unwrap())
            .args([
                "--exact",
                "fingerprint::compares_the_file_named_in_the_environment",
                "--ignored",
            ])
            .env("TYPED_EXTRACT_UPDATE", value)
            .env("SCHEMA_FILE", &file)
            .output()
            .unwrap()
            .status
            .success()
    };
    assert!(!update("0"));
    assert!(update("1"));
    assert_schema_unchanged::<Count>(&file);
}

#[test]
#[ignore = "run by the test above in an environment of its own"]
fn compares_the_file_named_in_the_environment() {
    assert_schema_unchanged::<Count>(env::var("SCHEMA_FILE").unwrap());
}

#[test]
fn a_relative_path_begins_at_the_manifest() {
    let manifest = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    // The target folder may stand anywhere.
    let names = |path: &Path| -> PathBuf {
        let named = path
            .components()
            .filter(|part| matches!(part, Component::Normal(_)));
        named.collect()
    };
    let up: PathBuf = names(&manifest).iter().map(|_| "..").collect();
    let relative = up.join(names(&target)).join("fingerprint/relative.json");
    let _ = fs::remove_file(manifest.join(&relative));
    assert_schema_unchanged::<Count>(&relative);
    assert!(manifest.join(&relative).exists());
}
