//! Where Google serves a model, and how it wants to be asked there.

use crate::model::{ModelError, api::config};

/// One of the two doors to the same wire.
#[derive(Debug, Clone)]
pub(super) enum Place {
    GoogleAi,
    Vertex { project: String, location: String },
}

impl Place {
    pub(super) fn base(&self) -> String {
        match self {
            Self::GoogleAi => "https://generativelanguage.googleapis.com/v1beta".to_owned(),
            Self::Vertex { location, .. } => format!("https://{}/v1", vertex_host(location)),
        }
    }

    pub(super) fn path(&self, model: &str, streamed: bool) -> String {
        let method = if streamed {
            "streamGenerateContent?alt=sse"
        } else {
            "generateContent"
        };
        match self {
            Self::GoogleAi => format!("/models/{model}:{method}"),
            Self::Vertex { project, location } => format!(
                "/projects/{project}/locations/{location}/publishers/google/models/{model}:{method}"
            ),
        }
    }

    pub(super) fn key_header(&self, key: &str) -> (&'static str, String) {
        match self {
            Self::GoogleAi => ("x-goog-api-key", key.to_owned()),
            Self::Vertex { .. } => ("authorization", format!("Bearer {key}")),
        }
    }

    /// Every part of the address must stay one segment of it.
    pub(super) fn check(&self, model: &str) -> Result<(), ModelError> {
        let complaint = if !is_segment(model, "-._@") {
            "the model name is not one; write it without `models/`, like gemini-3.5-flash"
        } else if let Self::Vertex { project, .. } = self
            && !is_segment(project, "-.:")
        {
            "the project is not one; write its id or number, like my-project-1"
        } else if let Self::Vertex { location, .. } = self
            && !is_location(location)
        {
            "the location is not one; write it like europe-west1, or global"
        } else {
            return Ok(());
        };
        Err(config(complaint))
    }
}

/// The whole world and the two unions of regions have hosts of their own.
fn vertex_host(location: &str) -> String {
    match location {
        "us" | "eu" => format!("aiplatform.{location}.rep.googleapis.com"),
        region if region != "global" && is_location(region) => {
            format!("{region}-aiplatform.googleapis.com")
        }
        // What is no location is refused by its own name, and not as part of a host.
        _ => "aiplatform.googleapis.com".to_owned(),
    }
}

fn is_location(text: &str) -> bool {
    is_segment(text, "-")
}

/// Letters, digits and these marks, beginning with a letter or digit.
fn is_segment(text: &str, marks: &str) -> bool {
    let begins = text.starts_with(|c: char| c.is_ascii_alphanumeric());
    let plain = |c: char| c.is_ascii_alphanumeric() || marks.contains(c);
    begins && text.chars().all(plain)
}
