//! One schema, as each dialect carries it.

mod apart;
mod exclusive;
mod limits;
mod merge;
mod normal;
mod openapi;
mod parts;
mod pattern;
mod plain;
mod profile;
mod reference;
mod rewrite;
mod shape;
mod tell;
pub(crate) mod undo;

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::model::SchemaDialect;
use crate::path::FieldPath;
use profile::Profile;
use rewrite::{Here, Made, Rewriter};

pub(crate) use parts::{KEY, VALUE, place_name};
pub(crate) use shape::{ArrayShape, Id, Members, ObjectShape, Shape, Shapes};

use super::WRAPPER_KEY;

/// A schema as the wire of one dialect carries it: see
/// [`wire_schema`](crate::wire_schema()).
///
/// ```
/// use serde::Deserialize;
/// use typed_extract::{Extract, Provider, wire_schema};
///
/// #[derive(Deserialize, Extract)]
/// struct Tags {
///     #[validate(length(min = 1, max = 5))]
///     tags: Vec<String>,
/// }
///
/// let wire = wire_schema::<Tags>(Provider::Anthropic)?;
/// let tags = &wire.schema()["properties"]["tags"];
/// assert_eq!(tags["minItems"], 1);
/// assert_eq!(tags["description"], "Must have at most 5 items.");
/// assert_eq!(wire.dropped()[0].to_string(), "maxItems at /properties/tags");
/// # Ok::<(), typed_extract::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct WireSchema {
    name: SchemaDialect,
    schema: Arc<Value>,
    dropped: Arc<[DroppedKeyword]>,
}

impl WireSchema {
    pub(crate) fn new(name: SchemaDialect, wire: &Wire) -> Self {
        Self {
            name,
            schema: Arc::clone(&wire.schema),
            dropped: Arc::clone(&wire.dropped),
        }
    }

    /// What a record tells of a dialect, without the schema.
    pub(crate) fn told(name: SchemaDialect, dropped: Arc<[DroppedKeyword]>) -> Self {
        Self {
            name,
            schema: Arc::default(),
            dropped,
        }
    }

    /// The schema that goes over the wire, its keys in the order of the type's
    /// fields.
    pub fn schema(&self) -> &Value {
        &self.schema
    }

    /// What the wire does not carry, in the order of the schema. Replies are
    /// checked for it all the same.
    pub fn dropped(&self) -> &[DroppedKeyword] {
        &self.dropped
    }

    /// The dialect it is written in.
    pub fn dialect(&self) -> SchemaDialect {
        self.name
    }
}

/// A keyword that a wire schema does not carry. It prints as
/// `maxItems at /properties/tags`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DroppedKeyword {
    place: Box<str>,
    keyword: Box<str>,
}

impl DroppedKeyword {
    pub(crate) fn new(place: &str, keyword: &str) -> Self {
        Self {
            place: place.into(),
            keyword: keyword.into(),
        }
    }

    /// The JSON Pointer (RFC 6901) of the schema that has the keyword, in the
    /// type's own [`json_schema`](crate::json_schema()); empty for its root.
    pub fn pointer(&self) -> &str {
        &self.place
    }

    /// The keyword, such as `maxItems`.
    pub fn keyword(&self) -> &str {
        &self.keyword
    }
}

impl fmt::Display for DroppedKeyword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.place.is_empty() {
            "the root"
        } else {
            &self.place
        };
        write!(f, "{} at {place}", self.keyword)
    }
}

/// Why a dialect cannot carry a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unsupported {
    pub(crate) dialect: SchemaDialect,
    /// The place that a reply would have.
    pub(crate) path: FieldPath,
    pub(crate) keyword: String,
    pub(crate) message: String,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the dialect {} cannot carry {} ({}); change the type there, or ask a model of another \
             provider",
            self.dialect, self.message, self.keyword
        )
    }
}

/// A schema of the wire, and how replies under it are read.
#[derive(Debug)]
pub(crate) struct Wire {
    pub(crate) schema: Arc<Value>,
    pub(crate) dropped: Arc<[DroppedKeyword]>,
    /// What was rewritten; none where replies need no undoing.
    pub(crate) shapes: Option<Shapes>,
}

/// The wire schema of what models are asked for. `canonical` is what replies
/// are checked against; it may require less.
pub(crate) fn wire(
    asked: &Arc<Value>,
    canonical: &Value,
    dialect: SchemaDialect,
) -> Result<Wire, Unsupported> {
    let Some(profile) = Profile::of(dialect) else {
        return Ok(Wire {
            schema: Arc::clone(asked),
            dropped: Arc::default(),
            shapes: None,
        });
    };
    let mut made = rewritten(asked, canonical, profile, usize::MAX)?;
    let most = profile.limits.unions;
    if made.unions > most && made.unions - most <= made.avoidable {
        let left = made.avoidable - (made.unions - most);
        made = rewritten(asked, canonical, profile, left)?;
    }
    limits::check(&made.schema, profile)?;
    Ok(Wire {
        schema: Arc::new(Value::Object(made.schema)),
        dropped: made.dropped.into(),
        shapes: made.shapes,
    })
}

struct Rewritten {
    schema: Map<String, Value>,
    dropped: Vec<DroppedKeyword>,
    shapes: Option<Shapes>,
    unions: usize,
    avoidable: usize,
}

fn rewritten(
    asked: &Value,
    canonical: &Value,
    profile: &'static Profile,
    unions_left: usize,
) -> Made<Rewritten> {
    let mut work = Rewriter::new(asked, canonical, profile, unions_left);
    let root = work.piece(asked, &Here::default())?;
    work.told_apart()?;
    let (mut schema, mut shape) = (root.node, root.shape);
    if profile.object_root && !is_object(&schema) {
        let mut wrapper = Map::new();
        wrapper.insert(WRAPPER_KEY.to_owned(), Value::Object(schema));
        schema = parts::closed(wrapper, true);
        shape = work.shapes.add(Shape {
            kinds: vec!["object".into()],
            object: Some(ObjectShape::Wrapped(shape)),
            ..Shape::default()
        });
    }
    let definitions = work.take_definitions();
    if !definitions.is_empty() {
        schema.insert("$defs".to_owned(), Value::Object(definitions));
    }
    if profile.openapi {
        schema = openapi::spell(schema);
    }
    let unions = limits::unions(&schema);
    let rewritten = work.shapes.settle(shape, profile.folds_case);
    Ok(Rewritten {
        schema,
        dropped: work.dropped,
        shapes: rewritten.then_some(work.shapes),
        unions,
        avoidable: work.avoidable,
    })
}

fn is_object(schema: &Map<String, Value>) -> bool {
    schema.get("type") == Some(&json!("object")) && schema.contains_key("properties")
}
