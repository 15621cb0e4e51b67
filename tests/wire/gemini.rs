//! Gemini's generateContent, at both of its doors: requests as bytes, settings, answers, and a
//! real connection.

use serde_json::{Value, json};
use typed_extract::{
    Delta, Finish, FormatCapability, Model, ModelError, ModelErrorKind, Reply, Request, Usage,
    WireSchema,
    gemini::{GenerateContent, GenerateContentBuilder, Headers, decode, decode_stream, encode},
};

use super::{
    server::{Act, Server, at_once, response},
    streams::{begun, chunked},
};

const KEY: &str = "AIza-very-secret-0123456789";
const EVENTS: &str = "text/event-stream";

fn builder() -> GenerateContentBuilder {
    GenerateContent::builder("gemini-3.5-flash")
}

fn body(builder: GenerateContentBuilder, request: &Request) -> String {
    let model = builder.build().unwrap();
    let bytes = encode(model.settings(), request);
    assert_eq!(
        bytes,
        encode(model.settings(), request),
        "the same each time"
    );
    String::from_utf8(bytes).unwrap()
}

fn parcel() -> Request {
    let schema =
        json!({"type": "object", "properties": {"z": {"type": "string"}, "a": {"type": "null"}}});
    Request::new("Extract \"it\".").with_wire_schema(WireSchema::new("Parcel", schema))
}

fn object(value: &Value) -> serde_json::Map<String, Value> {
    value.as_object().unwrap().clone()
}

#[test]
fn a_plain_request_is_its_prompt() {
    let plain = r#"{"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}"#;
    assert_eq!(body(builder(), &Request::new("Hi")), plain);
    let streamed = Request::new("Hi").streamed();
    assert_eq!(body(builder(), &streamed), plain, "only the path tells");
    let vertex = GenerateContent::vertex("p", "global", "m");
    assert_eq!(
        body(vertex, &Request::new("Hi")),
        plain,
        "one wire for both"
    );
}

#[test]
fn the_schema_travels_in_the_order_it_was_written() {
    assert_eq!(
        body(builder(), &parcel()),
        concat!(
            r#"{"contents":[{"role":"user","parts":[{"text":"Extract \"it\"."}]}],"#,
            r#""generationConfig":{"responseMimeType":"application/json","responseJsonSchema":"#,
            r#"{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"null"}}}}}"#,
        )
    );
}

#[test]
fn the_format_follows_the_capability() {
    let json = body(
        builder().capability(FormatCapability::JsonObject),
        &parcel(),
    );
    assert!(json.ends_with(r#""generationConfig":{"responseMimeType":"application/json"}}"#));
    let text = body(builder().capability(FormatCapability::None), &parcel());
    assert!(!text.contains("generationConfig"), "{text}");
}

#[test]
fn every_option_has_its_field() {
    let builder = builder()
        .system("Be brief.")
        .temperature(0.0)
        .seed(-7)
        .max_output_tokens(900)
        .generation_config(object(&json!({"thinkingConfig": {"thinkingLevel": "low"}})))
        .extra(object(&json!({"labels": {"team": "a"}})));
    assert_eq!(
        body(builder, &Request::new("Hi").with_max_output_tokens(64)),
        concat!(
            r#"{"systemInstruction":{"parts":[{"text":"Be brief."}]},"#,
            r#""contents":[{"role":"user","parts":[{"text":"Hi"}]}],"#,
            r#""generationConfig":{"maxOutputTokens":64,"temperature":0.0,"seed":-7,"#,
            r#""thinkingConfig":{"thinkingLevel":"low"}},"labels":{"team":"a"}}"#,
        )
    );
}

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

fn read(body: &Value) -> Reply {
    decode(200, &Headers::default(), body.to_string().as_bytes()).unwrap()
}

fn candidate(parts: &Value, reason: &Value) -> Reply {
    read(&json!({"candidates": [{"content": {"parts": parts}, "finishReason": reason}]}))
}

#[test]
fn an_unknown_missing_or_null_finish_reason_is_no_success() {
    let parts = json!([{"text": "{}"}]);
    for (reason, word) in [
        (json!("OTHER"), "OTHER"),
        (
            json!("FINISH_REASON_UNSPECIFIED"),
            "FINISH_REASON_UNSPECIFIED",
        ),
        (json!("MALFORMED_FUNCTION_CALL"), "MALFORMED_FUNCTION_CALL"),
        (json!("stop"), "stop"),
        (json!(null), "no finish reason"),
        (json!(1), "no finish reason"),
    ] {
        let reply = candidate(&parts, &reason);
        assert_eq!(reply.finish(), &Finish::Unknown(word.to_owned()));
        assert_eq!(reply.text(), "{}", "what came is kept");
    }
    for filter in ["LANGUAGE", "IMAGE_SAFETY", "IMAGE_OTHER", "MODEL_ARMOR"] {
        let reply = candidate(&parts, &json!(filter));
        let reason = Some(filter.to_owned());
        assert_eq!(reply.finish(), &Finish::Filtered { reason });
    }
}

#[test]
fn a_blocked_prompt_goes_before_everything_and_names_its_categories() {
    let rated = json!([
        {"category": "HARM_CATEGORY_HARASSMENT", "probability": "LOW"},
        {"category": "HARM_CATEGORY_DANGEROUS_CONTENT", "blocked": true},
    ]);
    let answered = json!([{"content": {"parts": [{"text": "{}"}]}, "finishReason": "STOP"}]);
    let blocked = |reason: Value| {
        read(&json!({
            "promptFeedback": {"blockReason": reason, "safetyRatings": rated},
            "candidates": answered,
        }))
    };
    let reason = Some("SAFETY: HARM_CATEGORY_DANGEROUS_CONTENT".to_owned());
    let reply = blocked(json!("SAFETY"));
    assert_eq!(
        (reply.text(), reply.finish()),
        ("", &Finish::Filtered { reason })
    );
    assert_ne!(blocked(json!(7)).finish(), &Finish::Stop, "in any shape");
    assert_eq!(blocked(json!(null)).finish(), &Finish::Stop);
}

#[test]
fn thoughts_are_no_text_and_a_function_call_is_no_empty_answer() {
    let parts =
        json!([{"text": "hm", "thought": true}, {"text": "{"}, {"text": "}", "thought": false}, 7]);
    assert_eq!(candidate(&parts, &json!("STOP")).text(), "{}");
    let call = candidate(&json!([{"functionCall": {"name": "f"}}]), &json!("STOP"));
    assert_eq!(call.finish(), &Finish::Unknown("tool_calls".into()));
}

#[test]
fn what_is_no_response_is_a_decode_error_that_may_have_cost_something() {
    for body in [
        "",
        "null",
        "[]",
        "{}",
        r#"{"candidates":[]}"#,
        r#"{"candidates":{}}"#,
        "<html>",
    ] {
        let error = decode(200, &Headers::default(), body.as_bytes()).unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Decode, "{body}");
        assert!(error.maybe_billed() && !error.is_retryable(), "{body}");
    }
}

#[test]
fn counts_left_out_are_zero_only_where_the_prompt_is_counted() {
    let usage = |usage: Value| {
        let body = json!({"candidates": [{"finishReason": "STOP"}], "usageMetadata": usage});
        read(&body).usage().copied()
    };
    let zeros = Usage::new(9, 0).with_cached_input(0).with_reasoning(0);
    assert_eq!(usage(json!({"promptTokenCount": 9})), Some(zeros));
    let odd = usage(json!({"candidatesTokenCount": 3})).unwrap();
    assert_eq!((odd.input_tokens(), odd.output_tokens()), (None, None));
    let odd = usage(json!({"promptTokenCount": 9, "thoughtsTokenCount": "many"})).unwrap();
    assert_eq!((odd.input_tokens(), odd.output_tokens()), (Some(9), None));
    let tools = usage(json!({"promptTokenCount": 9, "toolUsePromptTokenCount": 4})).unwrap();
    assert_eq!(tools.input_tokens(), Some(13));
    assert_eq!(usage(json!(null)), None);
}

#[test]
fn an_error_in_a_stream_is_what_its_code_says() {
    let headers = Headers::from_iter([("content-type", EVENTS)]);
    let stream = format!(
        "{}data: {}\r\n\r\n",
        part("{", ""),
        json!({"error": {"code": 503, "message": "m", "status": "UNAVAILABLE"}})
    );
    let error = decode_stream(&headers, stream.as_bytes()).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Overloaded);
    assert_eq!(error.request_id(), Some("r-1"));
}

#[tokio::test]
async fn the_key_goes_in_a_header_and_nowhere_else() {
    let answer = json!({"candidates": [{"content": {"parts": [{"text": "{}"}]}, "finishReason": "STOP"}],
        "responseId": "r-1", "modelVersion": "gemini-1"});
    let refused = json!([{"error": {"code": 400, "message": format!("bad {KEY}"),
        "details": [{"reason": "API_KEY_INVALID"}]}}]);
    let vertex = || GenerateContent::vertex("p", "europe-west1", "gemini-3.5-flash");
    for (builder, path, sent) in [
        (
            builder(),
            "/v1/models/gemini-3.5-flash:generateContent",
            format!("x-goog-api-key: {KEY}\r\n"),
        ),
        (
            vertex(),
            "/v1/projects/p/locations/europe-west1/publishers/google/models/gemini-3.5-flash:generateContent",
            format!("authorization: Bearer {KEY}\r\n"),
        ),
    ] {
        let server = Server::start([
            Act::Answer(response(200, &[], &answer.to_string())),
            Act::Answer(response(400, &[], &refused.to_string())),
        ])
        .await;
        let builder = builder.base_url(server.base()).api_key(KEY);
        let model = builder.retries(at_once()).build().unwrap();
        let reply = model.generate(&Request::new("Hi")).await.unwrap();
        assert_eq!((reply.text(), reply.request_id()), ("{}", Some("r-1")));
        assert_eq!(reply.model(), Some("gemini-1"));
        let error = model.generate(&Request::new("Hi")).await.unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Auth);

        let request = &server.seen()[0];
        assert!(
            request.starts_with(&format!("POST {path} HTTP/1.1\r\n")),
            "{request}"
        );
        assert!(request.contains(&sent), "{request}");
        assert_eq!(request.matches(KEY).count(), 1);
        let printed = format!("{model:?} {error} {error:?}");
        assert!(!printed.contains("very-secret"), "{printed}");
    }
}

#[test]
fn further_fields_print_without_their_values() {
    let private = object(&json!({"thinkingConfig": "private words"}));
    let model = builder().generation_config(private).build().unwrap();
    let printed = format!("{model:?}");
    assert!(printed.contains("thinkingConfig") && !printed.contains("private"));
}

/// A part of a stream, with these further fields of its candidate.
fn part(text: &str, more: &str) -> String {
    let text = json!(text);
    format!(
        "data: {{\"candidates\":[{{\"content\":{{\"parts\":[{{\"text\":{text}}}]}}{more}}}],\
         \"usageMetadata\":{{\"promptTokenCount\":10,\"candidatesTokenCount\":5}},\
         \"responseId\":\"r-1\"}}\r\n\r\n"
    )
}

/// What a stream comes to over a socket, and all that was handed on.
async fn over_a_socket(bytes: Vec<u8>) -> (Result<Reply, ModelError>, Vec<String>) {
    let server = Server::start([Act::Bytes(bytes)]).await;
    let builder = builder().base_url(server.base()).api_key(KEY);
    let model = builder.retries(at_once()).build().unwrap();
    let mut seen = Vec::new();
    let mut deltas = |delta: Delta<'_>| {
        seen.push(match delta {
            Delta::Text(text) => text.to_owned(),
            _ => "restart".to_owned(),
        });
    };
    let reply = model.stream(&Request::new("Hi"), &mut deltas).await;
    let line = "POST /v1/models/gemini-3.5-flash:streamGenerateContent?alt=sse HTTP/1.1\r\n";
    assert!(server.seen()[0].starts_with(line));
    (reply, seen)
}

#[tokio::test]
async fn a_stream_in_odd_pieces_is_one_answer() {
    let stop = ",\"finishReason\":\"STOP\"";
    let whole = part("{\"a\":", "") + &part("\"€\"}", stop);
    let (reply, seen) = over_a_socket(chunked(EVENTS, whole.as_bytes(), 1)).await;
    let reply = reply.unwrap();
    assert_eq!(
        (reply.text(), reply.finish()),
        (r#"{"a":"€"}"#, &Finish::Stop)
    );
    assert_eq!(reply.usage().unwrap().total_tokens(), Some(15));
    assert_eq!(seen, [r#"{"a":"#, r#""€"}"#]);
}

#[tokio::test]
async fn a_stream_without_a_finish_reason_is_cut() {
    let half = part("{\"a\":", "");
    let stopped = part("{}", ",\"finishReason\":\"STOP\"");
    for bytes in [
        chunked(EVENTS, half.as_bytes(), 3),
        begun(EVENTS, half.as_bytes(), 3),
        begun(EVENTS, stopped.as_bytes(), 3),
        chunked(EVENTS, stopped.trim_end().as_bytes(), 3),
    ] {
        let (reply, _) = over_a_socket(bytes).await;
        let error = reply.unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::StreamCut);
        assert!(error.maybe_billed());
    }
}

#[tokio::test]
async fn a_prompt_blocked_after_text_takes_the_text_back() {
    let block = "data: {\"promptFeedback\":{\"blockReason\":\"OTHER\"}}\n\n";
    let whole = part("{", "") + block;
    let (reply, seen) = over_a_socket(chunked(EVENTS, whole.as_bytes(), 5)).await;
    let reason = Some("OTHER".to_owned());
    assert_eq!(reply.unwrap().finish(), &Finish::Filtered { reason });
    assert_eq!(seen, ["{", "restart"]);
}
