//! The field types of the crates behind features.

#[cfg(feature = "chrono")]
super::std_types::leaves!(
    chrono::NaiveDate,
    chrono::NaiveTime,
    chrono::NaiveDateTime,
    chrono::DateTime<chrono::Utc>,
    chrono::DateTime<chrono::FixedOffset>,
    chrono::Weekday,
    chrono::TimeDelta,
);

#[cfg(feature = "rust_decimal")]
super::std_types::leaves!(rust_decimal::Decimal);

#[cfg(feature = "uuid")]
super::std_types::leaves!(uuid::Uuid);

#[cfg(feature = "url")]
super::std_types::leaves!(url::Url);

#[cfg(feature = "jiff")]
super::std_types::leaves!(
    jiff::Timestamp,
    jiff::Zoned,
    jiff::Span,
    jiff::SignedDuration,
    jiff::civil::Date,
    jiff::civil::Time,
    jiff::civil::DateTime,
);

// In a reply an array of numbers from 0 to 255, or a text that stands for its
// UTF-8 bytes: serde reads both.
#[cfg(feature = "bytes")]
super::std_types::leaves!(bytes::Bytes, bytes::BytesMut);
