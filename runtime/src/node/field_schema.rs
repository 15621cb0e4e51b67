//! The schema of a field that serde binds through a function of the user's, or
//! that is not looked into. Its type need not have a schema in general, so the
//! macros ask here and not in a bound: the answer is a schema, or one compile
//! error that names the attribute to write.

use std::borrow::Cow;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

type Generate = fn(&mut SchemaGenerator) -> Schema;

/// Where the schema of a type comes from.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct SchemaSource {
    schema: Generate,
    without_null: Generate,
    optional: bool,
}

impl SchemaSource {
    fn of<T: ?Sized + JsonSchema>() -> Self {
        Self {
            schema: |generator| generator.subschema_for::<T>(),
            without_null: T::_schemars_private_non_optional_json_schema,
            optional: T::_schemars_private_is_option(),
        }
    }
}

/// A field bound by a function of the user's: only its type's own schema can be
/// meant.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub enum ByFunction {}

/// A field bound as its type is.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub enum ByItself {}

/// Asks for the schema of `T`: the one that it derives, else, by
/// [`NoFieldSchema`], the one that this crate has for it.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct FieldSchema<T: ?Sized, B>(PhantomData<B>, PhantomData<T>);

impl<T: ?Sized, B> FieldSchema<T, B> {
    pub const NEW: Self = Self(PhantomData, PhantomData);
}

impl<T: ?Sized + JsonSchema, B> FieldSchema<T, B> {
    pub fn source(self) -> SchemaSource {
        SchemaSource::of::<T>()
    }
}

/// Answers for the types without [`JsonSchema`]: a method of the type itself is
/// preferred over this one.
#[doc(hidden)]
pub trait NoFieldSchema<T: ?Sized, B> {
    fn source(self) -> SchemaSource
    where
        T: HandWritten<B>;
}

impl<T: ?Sized, B> NoFieldSchema<T, B> for FieldSchema<T, B> {
    fn source(self) -> SchemaSource
    where
        T: HandWritten<B>,
    {
        SchemaSource::of::<T::Schema>()
    }
}

/// A type of another crate whose schema is written here.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the schema of a field of type `{Self}` is not known",
    label = "has no `JsonSchema`",
    note = "write `#[schemars(with = \"Type\")]` on the field, where `Type` is written in a reply as the field is"
)]
pub trait HandWritten<B> {
    /// What has the schema.
    type Schema: JsonSchema;
}

/// Stands in schemars' derive for the type of one field.
#[doc(hidden)]
pub trait SchemaOf {
    /// Names the field, for schemars' own bookkeeping.
    const ID: &'static str;
    /// Whether a function of the user's binds the field, so that serde asks for
    /// its key even where it may be null.
    const REQUIRED: bool;

    fn source() -> SchemaSource;
}

/// The schema of a field by its [`SchemaOf`].
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Marked<M>(PhantomData<M>);

impl<M: SchemaOf> JsonSchema for Marked<M> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        M::ID.into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        (M::source().schema)(generator)
    }

    fn _schemars_private_non_optional_json_schema(generator: &mut SchemaGenerator) -> Schema {
        (M::source().without_null)(generator)
    }

    fn _schemars_private_is_option() -> bool {
        !M::REQUIRED && M::source().optional
    }
}

/// The schema of `T` for a field whose key serde asks for even where it may be
/// null.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Required<T: ?Sized>(PhantomData<T>);

impl<T: ?Sized + JsonSchema> JsonSchema for Required<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }

    fn _schemars_private_non_optional_json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::_schemars_private_non_optional_json_schema(generator)
    }
}

/// A date and time as RFC 3339 writes it, for functions that read one.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct DateTimeText;

impl JsonSchema for DateTimeText {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "DateTime".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "format": "date-time"})
    }
}
