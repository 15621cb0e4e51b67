//! interim
use crate::path::Path;
use std::borrow::Cow;
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Null,
    Bool,
    Number,
    String,
    Array,
    Object,
}
#[derive(Debug, Clone, Copy)]
pub struct Cursor<'a>(&'a serde_json::Value);
#[derive(Debug)]
pub struct BindError {
    message: String,
}
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BindKind {
    Type,
    Range,
    Required,
    Unknown,
    Value,
}
impl BindError {
    pub fn kind(&self) -> BindKind {
        BindKind::Value
    }
    pub fn node(&self) -> u32 {
        0
    }
    pub fn message(&self) -> &str {
        &self.message
    }
}
impl std::fmt::Display for BindError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}
impl std::error::Error for BindError {}
impl serde::de::Error for BindError {
    fn custom<T: std::fmt::Display>(m: T) -> Self {
        Self {
            message: m.to_string(),
        }
    }
}
impl<'a> Cursor<'a> {
    pub fn new(v: &'a serde_json::Value) -> Self {
        Self(v)
    }
    pub fn kind(self) -> Kind {
        use serde_json::Value as V;
        match self.0 {
            V::Null => Kind::Null,
            V::Bool(_) => Kind::Bool,
            V::Number(_) => Kind::Number,
            V::String(_) => Kind::String,
            V::Array(_) => Kind::Array,
            V::Object(_) => Kind::Object,
        }
    }
    pub fn id(self) -> u32 {
        0
    }
    pub fn subtree_end(self) -> u32 {
        1
    }
    pub fn as_str(self) -> Option<Cow<'a, str>> {
        self.0.as_str().map(Cow::Borrowed)
    }
    pub fn elements(self) -> impl Iterator<Item = Cursor<'a>> {
        self.0.as_array().into_iter().flatten().map(Cursor)
    }
    pub fn members(self) -> impl Iterator<Item = (Cow<'a, str>, Cursor<'a>)> {
        self.0
            .as_object()
            .into_iter()
            .flatten()
            .map(|(k, v)| (Cow::Borrowed(k.as_str()), Cursor(v)))
    }
    pub fn get(self, k: &str) -> Option<Cursor<'a>> {
        self.0.get(k).map(Cursor)
    }
    pub fn path_below(self, _n: u32) -> Path {
        Path::root()
    }
    pub fn tape_node(self, _n: u32) -> Option<Cursor<'a>> {
        None
    }
    pub fn shown(self) -> Option<String> {
        None
    }
}
impl<'de> serde::Deserializer<'de> for Cursor<'de> {
    type Error = BindError;
    fn deserialize_any<V: serde::de::Visitor<'de>>(self, v: V) -> Result<V::Value, BindError> {
        use serde::de::Error;
        self.0.deserialize_any(v).map_err(BindError::custom)
    }
    fn deserialize_option<V: serde::de::Visitor<'de>>(self, v: V) -> Result<V::Value, BindError> {
        use serde::de::Error;
        self.0.deserialize_option(v).map_err(BindError::custom)
    }
    fn deserialize_newtype_struct<V: serde::de::Visitor<'de>>(
        self,
        n: &'static str,
        v: V,
    ) -> Result<V::Value, BindError> {
        use serde::de::Error;
        self.0
            .deserialize_newtype_struct(n, v)
            .map_err(BindError::custom)
    }
    fn deserialize_enum<V: serde::de::Visitor<'de>>(
        self,
        n: &'static str,
        x: &'static [&'static str],
        v: V,
    ) -> Result<V::Value, BindError> {
        use serde::de::Error;
        self.0.deserialize_enum(n, x, v).map_err(BindError::custom)
    }
    serde::forward_to_deserialize_any! {bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any}
}
