//! A value with the passage that supports it.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeStruct as _, Serializer};
use serde_json::json;

use crate::evidence::{Located, TextNormalization};
use crate::json::{CITED, CITED_NODE, Cursor};
use crate::node::{Describe, Node, PendingCitation, Walk};
use crate::path::At;
use crate::schema::SOURCED;

const SOURCE: &str = "source";
const QUOTE: &str = "quote";
const VALUE: &str = "value";

/// A value with the passage of the document that supports it.
///
/// The model gives `{"quote": "…", "value": …}`, the quotation first, so that
/// the value follows from it. The flow looks the quotation up in the document,
/// and accepts the value only if the quotation stands there, in one place, and
/// carries the value; then [`span`](Self::span) says where. A quotation may
/// differ from its passage in white space, Unicode composition, typographic
/// characters and hyphens at the ends of lines, and each such difference is
/// [recorded](Self::normalizations); similarity proves nothing.
///
/// What carries a value depends on its kind: a text stands there itself; a
/// number or a date stands there in one of its written forms; a yes or no needs
/// a quotation and no more. Of an object or a list, every value within must be
/// carried.
///
/// ```
/// use serde::Deserialize;
/// use typed_extract::{Cited, Extract, extract};
///
/// #[derive(Debug, Deserialize, Extract)]
/// struct Lease {
///     rent: Cited<u32>,
/// }
///
/// let document = "The rent is EUR 1,250.00 a month.";
/// let reply = r#"{"rent": {"quote": "EUR 1,250.00", "value": 1250}}"#;
/// let lease = extract::<Lease>().document(document).validate(reply)?.into_value();
/// assert_eq!(*lease.rent.value(), 1250);
/// assert_eq!(lease.rent.span(), Some(12..24));
///
/// let wrong = r#"{"rent": {"quote": "EUR 1,250.00", "value": 1520}}"#;
/// let failures = extract::<Lease>().document(document).validate(wrong).unwrap_err();
/// assert_eq!(failures[0].code(), "support.unsupported");
/// assert_eq!(failures[0].path().to_string(), "rent.quote");
/// # Ok::<(), typed_extract::Failures>(())
/// ```
///
/// Where several [documents](crate::Document) are given, the model says first
/// from which one it quotes, `{"source": "…", "quote": "…", "value": …}`; the
/// quotation is looked up in that one only, and [`source`](Self::source) tells
/// its id.
///
/// Serde reads and writes it without a flow too; such a value knows no span. So
/// does one inside a type that serde makes from another (`from`, `try_from`),
/// where no flow can see it.
#[derive(Clone)]
pub struct Cited<T> {
    value: T,
    quote: String,
    /// The document that it says it quotes.
    source: Option<String>,
    /// Where it stands in the reply, if it was read from one.
    node: Option<u32>,
    place: Arc<OnceLock<Located>>,
}

impl<T> Cited<T> {
    /// A value and the quotation that supports it, in no document yet: for
    /// examples.
    pub fn new(value: T, quote: impl Into<String>) -> Self {
        Self {
            value,
            quote: quote.into(),
            source: None,
            node: None,
            place: Arc::default(),
        }
    }

    /// Names the document that is quoted: for examples where several documents
    /// are given.
    ///
    /// ```
    /// use typed_extract::Cited;
    ///
    /// let rent = Cited::new(1250, "EUR 1,250.00").with_source("contract-7");
    /// assert_eq!(rent.source(), Some("contract-7"));
    /// ```
    #[must_use]
    pub fn with_source(mut self, id: impl Into<String>) -> Self {
        self.source = Some(id.into());
        self
    }

    /// The id of the document where the quotation stands, if it has one.
    pub fn source(&self) -> Option<&str> {
        let located = self.place.get().and_then(|place| place.source.as_deref());
        located.or(self.source.as_deref())
    }

    /// The value.
    pub fn value(&self) -> &T {
        &self.value
    }

    /// The value without its quotation.
    pub fn into_value(self) -> T {
        self.value
    }

    /// The quotation as the model gave it.
    pub fn quote(&self) -> &str {
        &self.quote
    }

    /// The bytes of the document where the quotation stands, on character
    /// boundaries; always there in an accepted value, and only there.
    pub fn span(&self) -> Option<Range<usize>> {
        self.place.get().map(|place| place.span.clone())
    }

    /// The same in characters (Unicode scalar values).
    pub fn char_span(&self) -> Option<Range<usize>> {
        self.place.get().map(|place| place.chars.clone())
    }

    /// The passage as it stands in the document.
    pub fn text(&self) -> Option<&str> {
        self.place.get().map(|place| &*place.text)
    }

    /// What was set aside to find the quotation: the smallest set, empty where
    /// it stands in the document as it is.
    pub fn normalizations(&self) -> impl Iterator<Item = TextNormalization> + use<T> {
        let folds = self.place.get().map(|place| place.folds);
        folds.unwrap_or_default().iter()
    }
}

impl<T: fmt::Debug> fmt::Debug for Cited<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cited")
            .field("value", &self.value)
            .field("source", &self.source())
            .field("quote", &self.quote)
            .field("span", &self.span())
            .finish_non_exhaustive()
    }
}

/// Equal where value and quotation are, wherever they stand.
impl<T: PartialEq> PartialEq for Cited<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value && self.quote == other.quote
    }
}

impl<T: Eq> Eq for Cited<T> {}

impl<T: Serialize> Serialize for Cited<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = if self.source.is_some() { 3 } else { 2 };
        let mut cited = serializer.serialize_struct("Cited", fields)?;
        if let Some(source) = &self.source {
            cited.serialize_field(SOURCE, source)?;
        }
        cited.serialize_field(QUOTE, &self.quote)?;
        cited.serialize_field(VALUE, &self.value)?;
        cited.end()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Cited<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct(CITED, &FIELDS, CitedVisitor(PhantomData))
    }
}

const FIELDS: [&str; 3] = [SOURCE, QUOTE, VALUE];

struct CitedVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for CitedVisitor<T> {
    type Value = Cited<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `quote` and `value`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Cited<T>, A::Error> {
        let (mut source, mut quote, mut value, mut node) = (None, None, None, None);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                SOURCE => fill(&mut source, SOURCE, map.next_value()?)?,
                QUOTE => fill(&mut quote, QUOTE, map.next_value()?)?,
                VALUE => fill(&mut value, VALUE, map.next_value()?)?,
                CITED_NODE => fill(&mut node, CITED_NODE, map.next_value()?)?,
                other => return Err(de::Error::unknown_field(other, &FIELDS)),
            }
        }
        Ok(Cited {
            quote: quote.ok_or_else(|| de::Error::missing_field(QUOTE))?,
            value: value.ok_or_else(|| de::Error::missing_field(VALUE))?,
            source: source.flatten(),
            node,
            place: Arc::default(),
        })
    }
}

fn fill<V, E: de::Error>(slot: &mut Option<V>, key: &'static str, value: V) -> Result<(), E> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(E::duplicate_field(key)),
    }
}

impl<T: JsonSchema> JsonSchema for Cited<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Cited_{}", T::schema_name()).into()
    }

    fn schema_id() -> Cow<'static, str> {
        format!("typed_extract::Cited<{}>", T::schema_id()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let sourced = generator.settings().meta_schema.as_deref() == Some(SOURCED);
        let value = generator.subschema_for::<T>();
        let quote = json!({
            "type": "string",
            "description": "The words of the document that hold the value itself, copied exactly \
                            as they stand there.",
        });
        let mut properties = json!({QUOTE: quote, VALUE: value});
        let mut required = json!([QUOTE, VALUE]);
        if sourced {
            let source = json!({
                "type": "string",
                "description": "The id of the document that is quoted.",
            });
            properties = json!({SOURCE: source, QUOTE: quote, VALUE: value});
            required = json!(FIELDS);
        }
        json_schema!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        })
    }
}

impl<T> Cited<T> {
    /// Asks that the quotation stands in the document and carries the value.
    fn cite<C: ?Sized>(&self, at: &At<'_>, cx: &mut Walk<'_, C>)
    where
        T: Node<C>,
    {
        cx.cite(PendingCitation {
            path: at.to_path(),
            node: self.node,
            quote: self.quote.clone(),
            source: self.source.clone(),
            shown_as: T::SHOWN_AS,
            date_order: cx.date_order(),
            place: Some(Arc::clone(&self.place)),
        });
    }
}

impl<C: ?Sized, T: Node<C>> Node<C> for Cited<T> {
    const WALKS: bool = true;

    fn walk(&self, at: &At<'_>, cx: &mut Walk<'_, C>) {
        self.value.walk(&at.key(VALUE), cx);
        self.cite(at, cx);
    }

    fn assemble(cursor: Cursor<'_>, at: &At<'_>, cx: &mut Walk<'_, C>) -> Option<Self> {
        let cited = cx.in_object(cursor, at, |members, cx| {
            let source = cx.member(
                members,
                at,
                &[SOURCE],
                None,
                <Option<String> as Node<C>>::probe,
            );
            let quote = cx.member(members, at, &[QUOTE], None, <String as Node<C>>::probe);
            let value = cx.member(members, at, &[VALUE], None, T::probe);
            Some(Self {
                value: value?,
                quote: quote?,
                source: source?,
                node: Some(cursor.id()),
                place: Arc::default(),
            })
        })?;
        if cx.trusts(cursor) {
            cited.cite(at, cx);
        }
        Some(cited)
    }

    fn describe(cx: &mut Describe) {
        cx.holder::<Self>(false, |cx| cx.under(VALUE, T::describe));
    }
}
