//! The field types of the crates behind features.

use super::Node;
use super::std_types::leaves;

#[cfg(feature = "chrono")]
leaves!(
    chrono::NaiveDate,
    chrono::NaiveTime,
    chrono::NaiveDateTime,
    chrono::DateTime<chrono::Utc>,
    chrono::DateTime<chrono::FixedOffset>,
    chrono::Weekday,
    chrono::TimeDelta,
);

#[cfg(feature = "rust_decimal")]
leaves!(rust_decimal::Decimal);

#[cfg(feature = "uuid")]
leaves!(uuid::Uuid);

#[cfg(feature = "url")]
leaves!(url::Url);

#[cfg(feature = "jiff")]
leaves!(
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
leaves!(bytes::Bytes, bytes::BytesMut);
