//! The settings that only generateContent has.

use serde_json::{Map, Value};

use super::{
    Gemini, GenerateContent, GenerateContentBuilder, encode::OWN_GENERATION_FIELDS, place::Place,
};
use crate::model::{
    FormatCapability, ModelError,
    api::{
        HttpModel, HttpModelBuilder, config,
        environment::{missing, variable},
    },
};

/// Settings beyond those of every model.
#[derive(Clone)]
#[doc(hidden)]
pub struct Options {
    pub(super) place: Place,
    pub(super) capability: FormatCapability,
    pub(super) seed: Option<i32>,
    pub(super) generation: Map<String, Value>,
}

impl std::fmt::Debug for Options {
    /// Without the values of further fields, which may hold anything.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("place", &self.place)
            .field("capability", &self.capability)
            .field("seed", &self.seed)
            .field("generation", &self.generation.keys().collect::<Vec<_>>())
            .finish()
    }
}

impl Options {
    fn at(place: Place) -> Self {
        Self {
            place,
            capability: FormatCapability::JsonSchema,
            seed: None,
            generation: Map::new(),
        }
    }

    pub(super) fn check(&self) -> Result<(), ModelError> {
        let own = |key: &&String| OWN_GENERATION_FIELDS.contains(&key.as_str());
        match self.generation.keys().find(own) {
            Some(key) => Err(config(&format!(
                "the generation field `{key}` is the adapter's own; use the builder's method"
            ))),
            None => Ok(()),
        }
    }
}

impl HttpModel<Gemini> {
    /// Begins with the model's name, at `https://generativelanguage.googleapis.com/v1beta`.
    pub fn builder(model: impl Into<String>) -> GenerateContentBuilder {
        begin(Place::GoogleAi, model.into())
    }

    /// Begins with project, location (`global` is one) and model's name at Vertex AI. The
    /// [key](HttpModelBuilder::api_key) is an OAuth access token there, as
    /// `gcloud auth print-access-token` prints it; it is not renewed.
    ///
    /// ```
    /// use typed_extract::model::gemini::GenerateContent;
    ///
    /// let vertex = |project| GenerateContent::vertex(project, "global", "gemini-3.5-flash");
    /// assert!(vertex("my-project").api_key("ya29.0").build().is_ok());
    /// assert!(vertex("my-project/../other").build().is_err());
    /// ```
    pub fn vertex(
        project: impl Into<String>,
        location: impl Into<String>,
        model: impl Into<String>,
    ) -> GenerateContentBuilder {
        let place = Place::Vertex {
            project: project.into(),
            location: location.into(),
        };
        begin(place, model.into())
    }

    /// Takes all from the environment: `GEMINI_MODEL`, and `GEMINI_API_KEY` or else
    /// `GOOGLE_API_KEY`. Without a key, `GOOGLE_CLOUD_PROJECT`, `GOOGLE_CLOUD_LOCATION` and the
    /// access token `GOOGLE_OAUTH_ACCESS_TOKEN` make it a model at [Vertex AI](Self::vertex).
    ///
    /// A variable that is missing is a `Config` error that names it.
    pub fn from_env() -> Result<Self, ModelError> {
        from_variables(variable)?.build()
    }
}

impl HttpModelBuilder<Gemini> {
    /// Which format is asked for; [`FormatCapability::JsonSchema`] unless set.
    pub fn capability(mut self, capability: FormatCapability) -> Self {
        self.settings.options.capability = capability;
        self
    }

    /// The sampling seed; none unless set.
    pub fn seed(mut self, seed: i32) -> Self {
        self.settings.options.seed = Some(seed);
        self
    }

    /// Further fields of `generationConfig`, such as `thinkingConfig`.
    pub fn generation_config(mut self, fields: Map<String, Value>) -> Self {
        self.settings.options.generation = fields;
        self
    }
}

fn begin(place: Place, model: String) -> GenerateContentBuilder {
    GenerateContent::begin(place.base(), model, Options::at(place))
}

fn from_variables(
    read: impl Fn(&str) -> Option<String>,
) -> Result<GenerateContentBuilder, ModelError> {
    let model = read("GEMINI_MODEL").ok_or_else(|| missing("GEMINI_MODEL"))?;
    let keyed = read("GEMINI_API_KEY").or_else(|| read("GOOGLE_API_KEY"));
    if keyed.is_none() && read("GOOGLE_CLOUD_PROJECT").is_some() {
        vertex(&model, read)
    } else {
        gemini(&model, read)
    }
}

/// Google AI's model of this name, with all else from the environment.
pub(crate) fn keyed(model: &str) -> Result<GenerateContentBuilder, ModelError> {
    gemini(model, variable)
}

/// Vertex AI's.
pub(crate) fn on_vertex(model: &str) -> Result<GenerateContentBuilder, ModelError> {
    vertex(model, variable)
}

/// Gemini's own API with its usual key.
fn gemini(
    model: &str,
    read: impl Fn(&str) -> Option<String>,
) -> Result<GenerateContentBuilder, ModelError> {
    let key = read("GEMINI_API_KEY").or_else(|| read("GOOGLE_API_KEY"));
    let key = key.ok_or_else(|| missing("GEMINI_API_KEY"))?;
    Ok(GenerateContent::builder(model).api_key(key))
}

/// Vertex AI with the project, the location and a token from where they usually are.
fn vertex(
    model: &str,
    read: impl Fn(&str) -> Option<String>,
) -> Result<GenerateContentBuilder, ModelError> {
    let needed = |name: &str| read(name).ok_or_else(|| missing(name));
    let project = needed("GOOGLE_CLOUD_PROJECT")?;
    let location = needed("GOOGLE_CLOUD_LOCATION")?;
    let token = needed("GOOGLE_OAUTH_ACCESS_TOKEN")?;
    Ok(GenerateContent::vertex(project, location, model).api_key(token))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::api::environment::given;

    fn build(variables: &[(&str, &str)]) -> Result<GenerateContent, ModelError> {
        from_variables(given(variables))?.build()
    }

    #[test]
    fn a_missing_variable_is_named() {
        let model = ("GEMINI_MODEL", "m");
        let project = ("GOOGLE_CLOUD_PROJECT", "p");
        let location = ("GOOGLE_CLOUD_LOCATION", "global");
        for (variables, name) in [
            (vec![], "GEMINI_MODEL"),
            (vec![model], "GEMINI_API_KEY"),
            (vec![model, project], "GOOGLE_CLOUD_LOCATION"),
            (vec![model, project, location], "GOOGLE_OAUTH_ACCESS_TOKEN"),
        ] {
            let error = build(&variables).unwrap_err();
            assert_eq!(error.kind(), crate::model::ModelErrorKind::Config);
            assert!(error.to_string().contains(name), "{error}");
        }
    }

    #[test]
    fn a_key_goes_before_a_project() {
        let variables = [
            ("GEMINI_MODEL", "m"),
            ("GOOGLE_API_KEY", "k"),
            ("GOOGLE_CLOUD_PROJECT", "p"),
        ];
        let printed = format!("{:?}", build(&variables).unwrap());
        assert!(printed.contains("generativelanguage"), "{printed}");
    }

    #[test]
    fn a_project_and_a_token_lead_to_vertex() {
        let at = |location| {
            let model = build(&[
                ("GEMINI_MODEL", "m"),
                ("GOOGLE_CLOUD_PROJECT", "p"),
                ("GOOGLE_CLOUD_LOCATION", location),
                ("GOOGLE_OAUTH_ACCESS_TOKEN", "t"),
            ]);
            format!("{:?}", model.unwrap())
        };
        let regional = "\"https://europe-west1-aiplatform.googleapis.com/v1\"";
        assert!(at("europe-west1").contains(regional));
        assert!(at("global").contains("\"https://aiplatform.googleapis.com/v1\""));
    }
}
