//! The notations in which a prompt can show a schema.

/// How the prompt shows the schema; replies and their checks are the same.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), typed_extract::Error> {
/// use serde::Deserialize;
/// use typed_extract::testing::Script;
/// use typed_extract::prompt::SchemaNotation;
/// use typed_extract::{Extract, extract};
///
/// #[derive(Deserialize, Extract)]
/// struct Count {
///     /// How many there are.
///     count: u8,
/// }
///
/// let model = Script::new([r#"{"count": 2}"#]);
/// let run = extract::<Count>().schema_notation(SchemaNotation::Compact);
/// run.model(&model).document("two pears").await?;
/// let prompt = model.requests()[0].prompt().to_owned();
/// assert!(prompt.contains("// How many there are.\ncount: uint8\n"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum SchemaNotation {
    /// The JSON Schema itself.
    #[default]
    JsonSchema,
    /// Types as in TypeScript, descriptions as comments and limits in
    /// parentheses: about half the tokens. What has no such form stands in it as
    /// JSON Schema; `|` stands for `anyOf` and for `oneOf`.
    Compact,
}
