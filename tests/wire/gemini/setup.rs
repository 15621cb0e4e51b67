//! Where requests go, and what cannot be requested.

use serde_json::json;
use typed_extract::model::{ModelErrorKind, gemini::GenerateContent};

use super::{builder, object};

#[test]
fn what_would_lead_to_another_address_is_refused() {
    for name in [
        "models/m", "..", ".", "../m", "m/x", "m?key=1", "m#x", "m:x", "m%2f", "ä", "m m", "-m",
    ] {
        for builder in [
            GenerateContent::builder(name),
            GenerateContent::vertex("p", "global", name),
        ] {
            let error = builder.build().unwrap_err();
            assert_eq!(error.kind(), ModelErrorKind::Config);
            assert!(error.to_string().contains("model name"), "{name}: {error}");
        }
    }
    for project in ["", "..", "p/q", "p?", "p q"] {
        let error = GenerateContent::vertex(project, "global", "m").build();
        let error = error.unwrap_err().to_string();
        assert!(error.contains("my-project-1"), "{project}: {error}");
    }
    for location in ["", "evil.com/", "evil.com#", "user@evil", "a b", "-", "a.b"] {
        let error = GenerateContent::vertex("p", location, "m").build();
        let error = error.unwrap_err().to_string();
        assert!(error.contains("europe-west1"), "{location}: {error}");
    }
    assert!(
        GenerateContent::vertex("example.com:p-1", "global", "m@001")
            .build()
            .is_ok()
    );
}

#[test]
fn the_adapters_own_fields_are_set_by_its_own_methods() {
    for own in ["seed", "responseSchema", "responseFormat", "candidateCount"] {
        let error = builder()
            .generation_config(object(&json!({own: 1})))
            .build();
        assert!(error.unwrap_err().to_string().contains(own));
    }
    let error = builder()
        .extra(object(&json!({"generationConfig": {}})))
        .build();
    assert!(error.unwrap_err().to_string().contains("generationConfig"));
}

#[test]
fn each_place_has_its_host() {
    for (location, host) in [
        ("global", "https://aiplatform.googleapis.com/v1"),
        ("eu", "https://aiplatform.eu.rep.googleapis.com/v1"),
        (
            "europe-west1",
            "https://europe-west1-aiplatform.googleapis.com/v1",
        ),
    ] {
        let model = GenerateContent::vertex("p", location, "m").build().unwrap();
        assert!(
            format!("{model:?}").contains(&format!("\"{host}\"")),
            "{location}"
        );
    }
}

#[test]
fn further_fields_print_without_their_values() {
    let private = object(&json!({"thinkingConfig": "private words"}));
    let model = builder().generation_config(private).build().unwrap();
    let printed = format!("{model:?}");
    assert!(printed.contains("thinkingConfig") && !printed.contains("private"));
}
