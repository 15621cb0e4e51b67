//! The types of the `time` crate. It has no schemas, nor has schemars any for it,
//! so they are written here; see [`HandWritten`].

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::field_schema::{ByItself, HandWritten};
use super::std_types::leaves;
use crate::schema::forms::{self, of_time_crate};

leaves!(
    time::Date,
    time::Time,
    time::PrimitiveDateTime,
    time::OffsetDateTime,
    time::Weekday,
    time::Month,
);

/// The schema of a type of the `time` crate.
#[derive(Debug)]
pub struct Of<T>(PhantomData<T>);

macro_rules! schemas {
    ($($type:ident: $schema:expr;)*) => {$(
        impl HandWritten<ByItself> for time::$type {
            type Schema = Of<Self>;
        }

        impl JsonSchema for Of<time::$type> {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn schema_id() -> Cow<'static, str> {
                concat!("time::", stringify!($type)).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    )*};
}

schemas!(
    Date: json_schema!({"type": "string", "format": "date"});
    Time: text(of_time_crate::TIME);
    PrimitiveDateTime: text(of_time_crate::DATE_TIME);
    OffsetDateTime: text(of_time_crate::OFFSET_DATE_TIME);
    Weekday: one_of(&[
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]);
    Month: one_of(&[
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]);
);

fn text(pattern: &str) -> Schema {
    json_schema!({"type": "string", "pattern": pattern, "description": forms::words(pattern)})
}

fn one_of(names: &[&str]) -> Schema {
    json_schema!({"type": "string", "enum": names})
}

macro_rules! containers {
    ($($type:ident [$($key:ident)?];)*) => {
        $(impl<$($key: JsonSchema,)? T: HandWritten<ByItself>> HandWritten<ByItself>
            for $type<$($key,)? T>
        {
            type Schema = $type<$($key,)? T::Schema>;
        })*
    };
}

containers!(
    Option [];
    Box [];
    Vec [];
    BTreeMap [K];
);

impl<K: JsonSchema, T: HandWritten<ByItself>, H> HandWritten<ByItself> for HashMap<K, T, H> {
    type Schema = BTreeMap<K, T::Schema>;
}
