//! Which cases are run where, and why the others are not.

use super::data::all;

/// Run through a flow built from the case's schema.
pub const DYNAMIC: &[&str] = &[
    "A01", "A02", "A05", "A07", "A08", "A09", "A10", "A11", "A13", "A14", "A15", "A16", "A17",
    "A18", "A20", "A22", "A25", "A26", "A28", "A29", "A30", "A31", "A34", "A35", "A37", "A38",
    "A41", "A42", "A43", "A44", "A46", "A51", "A53", "A54", "A55", "A59", "A60", "B01", "B02",
    "B04", "B05", "B06", "B07", "B08", "B11", "B12", "B14", "B16", "B17", "B18", "B20", "B21",
    "B26", "B27", "B28", "B30", "B31", "B33", "B34", "B37", "B39", "B40", "B42", "B43", "B45",
    "B49", "B51", "B52", "C22", "C23", "C24", "D08", "D09", "D10", "D12", "D13", "D21", "D22",
    "D24", "D25",
];

/// Replies with more than the value in them: failures by default, accepted and
/// recorded where the caller asks for it. Both sides are run.
pub const PROSE: &[&str] = &["A01", "A05", "A08"];

/// Run through the requests that the loop sends.
pub const PROMPTS: &[&str] = &["D03", "D06", "D27"];

/// Run through types that derive `Extract`.
pub const TYPED: &[&str] = &[
    "B08", "B10", "B23", "B43", "B45", "B46", "C01", "C03", "C05", "C08", "C09", "C15", "C17",
    "C18", "C19", "C21", "D16", "D17", "D19", "D24",
];

/// Run through the wire schemas of providers.
pub const DIALECTS: &[&str] = &[
    "B47", "C07", "C08", "C10", "C12", "C13", "C21", "C26", "C27",
];
/// Run with repair by patch.
pub const PATCHES: &[&str] = &["D15"];

/// Run as streams.
pub const STREAMING: &[&str] = &["E01", "E02", "E03", "E04", "E06", "E07", "E10", "E14"];
/// Run through types with citations.
pub const EVIDENCE: &[&str] = &[
    "D30", "G01", "G03", "G04", "G05", "G07", "G08", "G09", "G11", "G12", "G13", "G16", "G18",
    "G19", "G21",
];

/// Run with connections and time limits.
pub const TRANSPORT: &[&str] = &["F01", "F03", "F09", "F11", "F12", "F14", "F15", "F17"];

/// Not run, with the reason.
pub const ELSEWHERE: &[(&str, &str)] = &[
    (
        "A23",
        "no tools are offered: a printed call is the wrong shape and is told so, as transport.rs asserts",
    ),
    (
        "A49",
        "no tools are offered: a call is an unfinished reply, as transport.rs asserts",
    ),
    (
        "D01",
        "no tools are offered: a call is an unfinished reply, so there is no call id to answer",
    ),
    (
        "D02",
        "no tools are offered: a call is an unfinished reply; prose is repaired in A17's way",
    ),
    (
        "D05",
        "no tools are offered: a call is an unfinished reply; that an error is told once is D03",
    ),
    (
        "E11",
        "no tools are offered: a call is an unfinished reply, as transport.rs asserts",
    ),
    ("F02", "batch files of providers are not used"),
    ("F04", "batch files of providers are not used"),
    (
        "F06",
        "results are the caller's to store, and so is resuming",
    ),
    (
        "F08",
        "results are the caller's to store, and so is running again",
    ),
];

#[test]
fn every_case_of_these_kinds_is_run_or_has_a_reason() {
    let lists = [
        DYNAMIC, PROMPTS, TYPED, DIALECTS, STREAMING, TRANSPORT, PATCHES, EVIDENCE,
    ];
    for case in all() {
        let run = lists.iter().any(|list| list.contains(&case.id.as_str()));
        let reason = ELSEWHERE.iter().find(|(id, _)| *id == case.id);
        assert!(
            run != reason.is_some(),
            "{} is neither run nor explained, or both",
            case.id
        );
    }
    for (id, reason) in ELSEWHERE {
        println!("{id} is not run: {reason}");
    }
}
