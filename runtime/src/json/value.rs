//! A value of the tape as `serde_json` holds it.

use serde_json::{Map, Number, Value};

use super::{BindError, BindKind, Cursor, Kind};

/// Whether `serde_json` is built with `arbitrary_precision`, so that its numbers
/// keep their text.
pub(crate) fn keeps_digits() -> bool {
    let number: Option<Number> = serde_json::from_str("1.0").ok();
    number.is_some_and(|number| number.to_string() == "1.0")
        && serde_json::from_str("0.10").is_ok_and(|number: Number| number.to_string() == "0.10")
}

/// [`Cursor::to_json`] as a function of any reply, which the method is not.
pub(crate) fn to_json(value: Cursor<'_>) -> Result<Value, BindError> {
    value.to_json()
}

impl Cursor<'_> {
    /// The value with its numbers as `serde_json` reads them: with
    /// `arbitrary_precision` digit for digit, else integers of 64 bits and the
    /// nearest double.
    ///
    /// # Errors
    ///
    /// At a number that neither holds: an integer of more than 64 bits, a
    /// fraction so small that it would be zero.
    pub(crate) fn to_json(self) -> Result<Value, BindError> {
        Ok(match self.kind() {
            Kind::Null => Value::Null,
            Kind::Bool => Value::Bool(self.as_bool() == Some(true)),
            Kind::String => Value::String(self.as_str().unwrap_or_default().into_owned()),
            Kind::Number => Value::Number(self.to_number()?),
            Kind::Array => {
                let elements = self.elements().map(Self::to_json);
                Value::Array(elements.collect::<Result<_, _>>()?)
            }
            Kind::Object => {
                let members = self
                    .members()
                    .map(|(key, value)| Ok((key.into_owned(), value.to_json()?)));
                Value::Object(members.collect::<Result<Map<_, _>, _>>()?)
            }
        })
    }

    fn to_number(self) -> Result<Number, BindError> {
        let text = self.number_text().unwrap_or_default();
        let number: Option<Number> = serde_json::from_str(text).ok();
        let exact = |number: &Number| number.to_string() == text;
        let held = number.filter(|number| exact(number) || self.is_near(number));
        held.ok_or_else(|| {
            let message = format!("{text} fits neither a 64-bit integer nor a double");
            BindError::new(BindKind::Range, message).at(self.id())
        })
    }

    /// Whether a double stands for this number: it is no integer beyond 64 bits,
    /// and no zero for another value.
    fn is_near(self, number: &Number) -> bool {
        let beyond = self.is_integer() && !number.is_u64() && !number.is_i64();
        let vanished = number.as_f64() == Some(0.0);
        self.is_zero() || !beyond && !vanished
    }
}
