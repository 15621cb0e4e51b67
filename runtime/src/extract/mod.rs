//! Asking for a value: the entry points, the builder and its run.

mod awaiting;
mod builder;
mod entries;
mod extracted;
mod fault;
pub(crate) mod portable;
mod run;
mod settings;
mod states;
mod stream;

pub use builder::Extractor;
pub use entries::{extract, extract_value, json_schema, validate, wire_schema};
pub use extracted::Extracted;
pub(crate) use fault::unusable;
pub use states::Target;
pub use stream::{Event, ExtractStream};
