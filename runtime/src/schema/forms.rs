//! Forms of text that no asserted format of JSON Schema names: a pattern for the
//! schema, and words for people and models.

use serde_json::{Value, json};

/// A time of day without an offset. Without leap seconds, which some types
/// would shift in silence.
pub(crate) const TIME: &str = r"^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]+)?)?$";

/// A date and a time of day without an offset.
pub(crate) const DATE_TIME: &str = r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]+)?$";

/// The same with an offset and a time zone by name, as RFC 9557 writes it. Without its offset a time
/// may stand for two moments or for none.
const ZONED: &str = r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]+)?)?(Z|[+-][0-9]{2}:[0-9]{2})\[[A-Za-z0-9_+/:-]+\]$";

/// What the `time` crate writes by itself.
#[cfg(feature = "time")]
pub(crate) mod of_time_crate {
    pub(crate) const TIME: &str = r"^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]+$";
    pub(crate) const DATE_TIME: &str = r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]) ([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]+$";
    pub(crate) const OFFSET_DATE_TIME: &str = r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]) ([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]+ [+-][0-9]{2}:[0-9]{2}:[0-9]{2}$";
}

/// An IP address of either kind, as the branches of a choice.
pub(super) fn address() -> Value {
    json!([{"format": "ipv4"}, {"format": "ipv6"}])
}

/// Each pattern and what it stands for.
const FORMS: &[(&str, &str)] = &[
    (TIME, "a time as hh:mm:ss"),
    (
        DATE_TIME,
        "a date and time without offset as YYYY-MM-DDThh:mm:ss",
    ),
    (
        ZONED,
        "a date and time with its zone as YYYY-MM-DDThh:mm:ss+hh:mm[Area/City]",
    ),
    #[cfg(feature = "time")]
    (of_time_crate::TIME, "a time as hh:mm:ss.f"),
    #[cfg(feature = "time")]
    (
        of_time_crate::DATE_TIME,
        "a date and time without offset as YYYY-MM-DD hh:mm:ss.f",
    ),
    #[cfg(feature = "time")]
    (
        of_time_crate::OFFSET_DATE_TIME,
        "a date and time with offset as YYYY-MM-DD hh:mm:ss.f +hh:mm:ss",
    ),
];

/// The pattern of a format that schemars writes and no validator asserts.
pub(super) fn pattern_of(format: &str) -> Option<&'static str> {
    match format {
        "partial-time" => Some(TIME),
        "partial-date-time" => Some(DATE_TIME),
        "zoned-date-time" => Some(ZONED),
        _ => None,
    }
}

/// What a pattern stands for, where it is one of these.
pub(crate) fn words(pattern: &str) -> Option<&'static str> {
    let found = FORMS.iter().find(|(known, _)| *known == pattern);
    found.map(|(_, words)| *words)
}
