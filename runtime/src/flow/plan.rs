//! What is made once for a type: its schema, its validator, its rules and the
//! fixed part of its prompt.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, LazyLock, OnceLock, RwLock};

use serde_json::Value;

use crate::json::{BindError, Cursor, value::to_json};
use crate::model::SchemaDialect;
use crate::node::{Describe, DescribedRule, Types, Walk};
use crate::node::{extract_trait::Extract, extract_trait::Hints};
use crate::path::At;
use crate::rule::RuleKind;
use crate::schema::dialect::{self, Unsupported, Wire};
use crate::schema::{Schema, SchemaFault};

/// Everything about a type that does not change from call to call.
pub(crate) struct Plan<T, C: ?Sized> {
    /// The name that the schema has on a wire: letters, digits, `_` and `-`, at
    /// most 64.
    pub(crate) wire_name: Arc<str>,
    wires: Wires,
    /// The plan under which citations name their source; nothing where there is
    /// no type that could hold any.
    pub(crate) sourced: Option<fn() -> Planned<T, C>>,
    pub(crate) schema: Schema,
    pub(crate) hints: Hints,
    /// The rules as the prompt shows them, a line each.
    pub(crate) rules: Arc<str>,
    pub(crate) types: Types,
    /// How serde binds a whole value; nothing where it would lose something of
    /// it, so that the value is assembled.
    pub(crate) bind: Option<Bind<T>>,
    pub(crate) walk: fn(&T, &At<'_>, &mut Walk<'_, C>),
    pub(crate) probe: fn(Cursor<'_>, &At<'_>, &mut Walk<'_, C>) -> Option<T>,
}

type Bind<T> = fn(Cursor<'_>) -> Result<T, BindError>;

/// A plan, or why there is none.
type Planned<T, C> = Result<Arc<Plan<T, C>>, SchemaFault>;

/// One place a dialect, filled at its first use.
type Wires = [OnceLock<Result<Wire, Unsupported>>; SchemaDialect::COUNT];

impl<T, C: ?Sized> Plan<T, C> {
    /// What the wire of a dialect carries of the schema.
    pub(crate) fn wire(&self, dialect: SchemaDialect) -> Result<&Wire, &Unsupported> {
        let [first, ..] = &self.wires;
        let place = self.wires.get(dialect as usize).unwrap_or(first);
        let make = || dialect::wire(&self.schema.asked, &self.schema.value, dialect);
        place.get_or_init(make).as_ref()
    }
}

impl<T, C: ?Sized> fmt::Debug for Plan<T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan")
            .field("name", &self.wire_name)
            .finish_non_exhaustive()
    }
}

type Made<T> = Planned<T, <T as Extract>::Context>;
/// A type, and whether its citations name their source.
type Key = (TypeId, bool);
type Shelf = RwLock<HashMap<Key, Arc<dyn Any + Send + Sync>, BuildHasherDefault<IdHasher>>>;

/// A type id is a hash already.
#[derive(Default)]
struct IdHasher(u64);

impl Hasher for IdHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, id: u64) {
        self.0 = id;
    }
}

static PLANS: LazyLock<Shelf> = LazyLock::new(Shelf::default);

impl<T: Extract> Plan<T, T::Context> {
    /// The plan of `T`, made at its first use.
    pub(crate) fn of() -> Made<T> {
        Self::kept(false)
    }

    fn sourced() -> Made<T> {
        Self::kept(true)
    }

    fn kept(sourced: bool) -> Made<T> {
        let key = (TypeId::of::<T>(), sourced);
        if let Some(made) = shelved::<T>(&PLANS, key) {
            return made;
        }
        let made: Made<T> = Self::make(sourced).map(Arc::new);
        // A lock is poisoned only by a panic while it was held, and nothing
        // that can panic runs under this one.
        let mut plans = PLANS
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        plans.insert(key, Arc::new(made.clone()));
        made
    }

    fn make(sourced: bool) -> Result<Self, SchemaFault> {
        let schema = Schema::of::<T>(sourced)?;
        let mut described = Describe::default();
        T::describe(&mut described);
        if let Some(fault) = described.take_fault() {
            return Err(fault);
        }
        let (rules, types) = described.into_types();
        Ok(Self {
            wire_name: wire_name(&T::schema_name()),
            wires: Wires::default(),
            sourced: Some(Self::sourced),
            schema,
            hints: T::hints(),
            rules: render_rules(&rules),
            bind: (!types.assembles::<T>()).then_some(|cursor| T::deserialize(cursor)),
            types,
            walk: |value, at, cx| value.walk(at, cx),
            probe: |cursor, at, cx| cx.probe::<T>(cursor, at),
        })
    }
}

fn shelved<T: Extract>(plans: &Shelf, key: Key) -> Option<Made<T>> {
    let plans = plans
        .read()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    plans.get(&key)?.downcast_ref::<Made<T>>().cloned()
}

impl Plan<Value, ()> {
    /// The plan of a schema known only at run time.
    pub(crate) fn given(schema: Value) -> Result<Self, SchemaFault> {
        let title = schema
            .get("title")
            .and_then(Value::as_str)
            .unwrap_or("value");
        let name = wire_name(title);
        Ok(Self::under(name, Schema::given(schema)?))
    }

    /// The plan of a patch of a value whose own plan has the name `whole`.
    pub(crate) fn patch(whole: &str, schema: Schema) -> Self {
        Self::under(wire_name(&format!("patch_{whole}")), schema)
    }

    fn under(wire_name: Arc<str>, schema: Schema) -> Self {
        Self {
            wire_name,
            wires: Wires::default(),
            sourced: None,
            schema,
            hints: Hints::default(),
            rules: render_rules(&[]),
            types: Types::default(),
            bind: Some(to_json),
            walk: |_, _, _| {},
            probe: |cursor, at, cx| cx.probe_with(cursor, at, to_json),
        }
    }
}

fn wire_name(name: &str) -> Arc<str> {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let name: String = name
        .chars()
        .map(|c| if fits(c) { c } else { '_' })
        .take(64)
        .collect();
    if name.is_empty() {
        "value".into()
    } else {
        name.into()
    }
}

/// The rules that can reject a value, as the prompt lists them.
fn render_rules(rules: &[DescribedRule]) -> Arc<str> {
    let lines: Vec<String> = rules
        .iter()
        .filter(|described| described.rule.kind() != RuleKind::Check)
        .map(|described| {
            let rule = &described.rule;
            let fields = rule
                .fields()
                .iter()
                .map(|field| place(&described.place, field));
            let places = fields.collect::<Vec<_>>().join(", ");
            let places = if places.is_empty() {
                described.place.clone()
            } else {
                places
            };
            let places = if places.is_empty() {
                places
            } else {
                format!(" [{places}]")
            };
            format!("- {}{places}: {}", rule.name(), rule.sentence())
        })
        .collect();
    if lines.is_empty() {
        "none".into()
    } else {
        format!("\n{}\n", lines.join("\n")).into()
    }
}

fn place(parent: &str, field: &str) -> String {
    if parent.is_empty() {
        field.to_owned()
    } else {
        format!("{parent}.{field}")
    }
}
