//! The field types of the crates behind features.

#[cfg(feature = "chrono")]
super::std_types::leaves!(
    chrono::NaiveDate,
    chrono::NaiveTime,
    chrono::NaiveDateTime,
    chrono::DateTime<chrono::Utc>,
    chrono::DateTime<chrono::FixedOffset>,
    chrono::Weekday,
);

/// Its own reading makes an error whether or not it is needed, which looks like
/// one that was swallowed.
#[cfg(feature = "chrono")]
impl<C: ?Sized> super::Node<C> for chrono::TimeDelta {
    fn assemble(
        cursor: crate::flow::tape::Cursor<'_>,
        at: &crate::path::At<'_>,
        cx: &mut super::Walk<'_, C>,
    ) -> Option<Self> {
        use serde::de::Error as _;

        cx.probe_with(cursor, at, |cursor| {
            let (seconds, nanos) = cursor.bind::<(i64, u32)>()?;
            let out_of_range = || crate::flow::tape::BindError::custom("is too long a duration");
            Self::new(seconds, nanos).ok_or_else(out_of_range)
        })
    }

    fn describe(cx: &mut super::Describe) {
        cx.holder::<Self>(true, |_| {});
    }
}

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
