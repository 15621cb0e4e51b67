//! Anthropic's Messages: requests as bytes, settings, answers, and a real connection.

use serde_json::{Value, json};
use typed_extract::{
    Delta, Finish, FormatCapability, Model, ModelErrorKind, Reply, Request, WireSchema,
    anthropic::{
        DEFAULT_MAX_TOKENS, Headers, Messages, MessagesBuilder, decode, decode_stream, encode,
    },
};

use super::{
    server::{Act, Server, at_once, response},
    streams::{begun, chunked},
};

const KEY: &str = "sk-ant-very-secret-0123456789";
const EVENTS: &str = "text/event-stream; charset=utf-8";

fn builder() -> MessagesBuilder {
    Messages::builder("claude-sonnet-5")
}

fn body(builder: MessagesBuilder, request: &Request) -> String {
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

#[test]
fn a_plain_request_has_a_cap_and_little_else() {
    assert_eq!(
        body(builder(), &Request::new("Hi")),
        concat!(
            r#"{"model":"claude-sonnet-5","max_tokens":8192,"#,
            r#""messages":[{"role":"user","content":"Hi"}],"stream":false}"#,
        )
    );
    assert_eq!(DEFAULT_MAX_TOKENS, 8192);
}

#[test]
fn the_schema_travels_without_name_in_the_order_it_was_written() {
    assert_eq!(
        body(builder(), &parcel()),
        concat!(
            r#"{"model":"claude-sonnet-5","max_tokens":8192,"#,
            r#""messages":[{"role":"user","content":"Extract \"it\"."}],"#,
            r#""output_config":{"format":{"type":"json_schema","schema":"#,
            r#"{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"null"}}}}},"#,
            r#""stream":false}"#,
        )
    );
}

#[test]
fn every_option_has_its_field_in_a_streamed_request_too() {
    let extra = json!({"thinking": {"type": "adaptive"}});
    let builder = builder()
        .system("Be brief.")
        .temperature(0.0)
        .max_output_tokens(900)
        .effort("low")
        .extra(extra.as_object().unwrap().clone());
    assert_eq!(
        body(builder, &parcel().with_max_output_tokens(64).streamed()),
        concat!(
            r#"{"model":"claude-sonnet-5","max_tokens":64,"system":"Be brief.","#,
            r#""messages":[{"role":"user","content":"Extract \"it\"."}],"#,
            r#""output_config":{"effort":"low","format":{"type":"json_schema","schema":"#,
            r#"{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"null"}}}}},"#,
            r#""temperature":0.0,"stream":true,"thinking":{"type":"adaptive"}}"#,
        )
    );
}

#[test]
fn without_capability_the_schema_stays_at_home() {
    let text = body(builder().capability(FormatCapability::None), &parcel());
    assert!(!text.contains("output_config"), "{text}");
}

#[test]
fn what_cannot_work_is_refused_with_what_to_write() {
    let extra = json!({"output_config": {}}).as_object().unwrap().clone();
    for (builder, advice) in [
        (
            builder().capability(FormatCapability::JsonObject),
            "`JsonSchema`",
        ),
        (builder().version(""), "2023-06-01"),
        (builder().version("2023\r\nx: y"), "2023-06-01"),
        (builder().extra(extra), "`output_config`"),
        (
            builder().base_url("https://host/v1/messages"),
            "leave that off",
        ),
        (Messages::builder(""), "model name"),
    ] {
        let error = builder.build().unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Config);
        assert!(error.to_string().contains(advice), "{error}");
    }
}

fn read(body: &Value) -> Reply {
    decode(200, &Headers::default(), body.to_string().as_bytes()).unwrap()
}

#[test]
fn an_unknown_missing_or_null_stop_reason_is_no_success() {
    let text = json!([{"type": "text", "text": "{}"}]);
    for (reason, word) in [
        (json!("compaction"), "compaction"),
        (json!("pause_turn"), "pause_turn"),
        (json!("tool_use"), "tool_calls"),
        (json!("END_TURN"), "END_TURN"),
        (json!(null), "no stop reason"),
        (json!(7), "no stop reason"),
    ] {
        let reply = read(&json!({"content": text, "stop_reason": reason}));
        assert_eq!(reply.finish(), &Finish::Unknown(word.to_owned()));
        assert_eq!(reply.text(), "{}", "what came is kept");
    }
}

#[test]
fn only_text_blocks_are_text() {
    let content = json!([
        {"type": "thinking", "thinking": "hm", "text": "hm"},
        {"type": "text", "text": "{\"a\":"},
        {"type": "tool_use", "input": {}},
        {"type": "text", "text": "1}", "citations": null},
        {"text": "no type"},
        7,
    ]);
    let reply = read(&json!({"content": content, "stop_reason": "end_turn"}));
    assert_eq!(reply.text(), r#"{"a":1}"#);
}

#[test]
fn what_is_no_message_is_a_decode_error_that_may_have_cost_something() {
    for body in ["", "null", "[]", "{}", r#"{"content":{}}"#, "<html>"] {
        let error = decode(200, &Headers::default(), body.as_bytes()).unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Decode, "{body}");
        assert!(error.maybe_billed() && !error.is_retryable(), "{body}");
    }
}

#[test]
fn only_a_rate_limit_in_anthropics_words_and_without_a_time_is_a_spending_limit() {
    let anthropic = r#"{"type":"error","error":{"type":"rate_limit_error","message":"m"}}"#;
    for (headers, body, kind) in [
        (vec![], anthropic, ModelErrorKind::QuotaExhausted),
        (
            vec![("retry-after", "1")],
            anthropic,
            ModelErrorKind::RateLimited,
        ),
        (vec![], "<html>", ModelErrorKind::RateLimited),
        (vec![], r#"{"error":"busy"}"#, ModelErrorKind::RateLimited),
    ] {
        let error = decode(429, &headers.into_iter().collect(), body.as_bytes()).unwrap_err();
        assert_eq!(error.kind(), kind, "{body}");
    }
}

#[test]
fn a_cache_count_that_is_missing_is_unknown_and_adds_nothing() {
    let message = |usage: Value| {
        let body = json!({"content": [], "stop_reason": "end_turn", "usage": usage});
        read(&body).usage().copied()
    };
    let usage = message(json!({"input_tokens": 5, "cache_read_input_tokens": null})).unwrap();
    assert_eq!(usage.input_tokens(), Some(5));
    assert_eq!(usage.cached_input_tokens(), None);
    assert_eq!(usage.output_tokens(), None);
    let endless = json!({"input_tokens": u64::MAX, "cache_creation_input_tokens": 2});
    assert_eq!(message(endless).unwrap().input_tokens(), Some(u64::MAX));
    assert_eq!(message(json!([])), None);
}

/// Two pieces of text, the second with a letter that has three bytes, and these last events.
fn stream(last: &[&str]) -> String {
    let start = r#"{"type":"message_start","message":{"id":"msg_1","model":"claude-1","content":[],"stop_reason":null,"usage":{"input_tokens":10,"output_tokens":1}}}"#;
    let events = [
        start,
        r#"{"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"hm"}}"#,
        r#"{"type":"content_block_delta","delta":{"type":"text_delta","text":"{\"a\":"}}"#,
        r#"{"type":"content_block_delta","delta":{"type":"text_delta","text":"\"€\"}"}}"#,
    ];
    let mut text = String::new();
    for event in events.iter().chain(last) {
        text.push_str("event: x\ndata: ");
        text.push_str(event);
        text.push_str("\n\n");
    }
    text
}

const STOPPED: &str =
    r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}"#;
const REFUSED: &str = r#"{"type":"message_delta","delta":{"stop_reason":"refusal","stop_details":{"type":"refusal","category":"cyber","explanation":null}},"usage":{"output_tokens":5}}"#;
const END: &str = r#"{"type":"message_stop"}"#;

#[test]
fn an_error_event_is_what_its_type_says() {
    let headers = Headers::from_iter([("content-type", EVENTS)]);
    for (word, kind) in [
        ("invalid_request_error", ModelErrorKind::BadRequest),
        ("authentication_error", ModelErrorKind::Auth),
        ("billing_error", ModelErrorKind::QuotaExhausted),
        ("permission_error", ModelErrorKind::Auth),
        ("not_found_error", ModelErrorKind::NotFound),
        ("request_too_large", ModelErrorKind::TooLarge),
        ("rate_limit_error", ModelErrorKind::RateLimited),
        ("api_error", ModelErrorKind::Server),
        ("timeout_error", ModelErrorKind::Timeout),
        ("overloaded_error", ModelErrorKind::Overloaded),
        ("tomorrows_error", ModelErrorKind::Server),
    ] {
        let event = json!({"type": "error", "error": {"type": word, "message": "m"}}).to_string();
        let error = decode_stream(&headers, stream(&[&event]).as_bytes()).unwrap_err();
        assert_eq!((error.kind(), error.code()), (kind, Some(word)));
        assert_eq!(error.usage().unwrap().input_tokens(), Some(10), "{word}");
    }
}

#[test]
fn a_stream_that_never_began_is_no_empty_answer() {
    let headers = Headers::from_iter([("content-type", EVENTS)]);
    let error = decode_stream(&headers, format!("data: {END}\n\n").as_bytes()).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Decode);
}

#[tokio::test]
async fn key_and_version_go_in_headers_and_nowhere_else() {
    let answer = json!({"content": [{"type": "text", "text": "{}"}], "stop_reason": "end_turn"});
    let refused = json!({"error": {"type": "authentication_error", "message": KEY}});
    for bearer in [false, true] {
        let server = Server::start([
            Act::Answer(response(
                200,
                &[("request-id", "req_1")],
                &answer.to_string(),
            )),
            Act::Answer(response(401, &[], &refused.to_string())),
        ])
        .await;
        let builder = builder().base_url(server.base()).api_key(KEY);
        let model = builder.bearer(bearer).retries(at_once()).build().unwrap();
        let reply = model.generate(&Request::new("Hi")).await.unwrap();
        assert_eq!((reply.text(), reply.request_id()), ("{}", Some("req_1")));
        let error = model.generate(&Request::new("Hi")).await.unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Auth);

        let request = &server.seen()[0];
        let (line, rest) = request.split_once("\r\n").unwrap();
        assert_eq!(line, "POST /v1/messages HTTP/1.1");
        assert!(rest.contains("anthropic-version: 2023-06-01\r\n"), "{rest}");
        let (sent, other) = if bearer {
            (format!("authorization: Bearer {KEY}\r\n"), "x-api-key")
        } else {
            (format!("x-api-key: {KEY}\r\n"), "authorization")
        };
        assert!(rest.contains(&sent) && !rest.contains(other), "{rest}");
        assert_eq!(rest.matches(KEY).count(), 1);
        let printed = format!("{model:?} {error} {error:?}");
        assert!(!printed.contains("very-secret"), "{printed}");
    }
}

/// What a stream comes to over a socket, and all that was handed on.
async fn over_a_socket(bytes: Vec<u8>) -> (Result<Reply, typed_extract::ModelError>, Vec<String>) {
    let server = Server::start([Act::Bytes(bytes)]).await;
    let builder = builder().base_url(server.base()).retries(at_once());
    let model = builder.build().unwrap();
    let mut seen = Vec::new();
    let mut deltas = |delta: Delta<'_>| {
        seen.push(match delta {
            Delta::Text(text) => text.to_owned(),
            _ => "restart".to_owned(),
        });
    };
    let reply = model.stream(&Request::new("Hi"), &mut deltas).await;
    assert!(server.seen()[0].ends_with(r#""stream":true}"#));
    (reply, seen)
}

#[tokio::test]
async fn a_stream_in_odd_pieces_is_one_answer() {
    let (reply, seen) = over_a_socket(chunked(EVENTS, stream(&[STOPPED, END]).as_bytes(), 1)).await;
    let reply = reply.unwrap();
    assert_eq!(
        (reply.text(), reply.finish()),
        (r#"{"a":"€"}"#, &Finish::Stop)
    );
    assert_eq!(
        (reply.model(), reply.request_id()),
        (Some("claude-1"), Some("msg_1"))
    );
    assert_eq!(reply.usage().unwrap().total_tokens(), Some(15));
    assert_eq!(seen, [r#"{"a":"#, r#""€"}"#]);
}

#[tokio::test]
async fn a_refusal_in_the_middle_takes_the_text_back() {
    let (reply, seen) = over_a_socket(chunked(EVENTS, stream(&[REFUSED, END]).as_bytes(), 5)).await;
    let reply = reply.unwrap();
    let message = Some("cyber".to_owned());
    assert_eq!(
        (reply.text(), reply.finish()),
        ("", &Finish::Refused { message })
    );
    assert_eq!(seen.last().unwrap(), "restart");
}

#[tokio::test]
async fn a_stream_without_its_end_is_cut_whatever_came_before() {
    for end in [&[][..], &[STOPPED]] {
        let whole = stream(end);
        for bytes in [
            chunked(EVENTS, whole.as_bytes(), 3),
            begun(EVENTS, whole.as_bytes(), 3),
        ] {
            let (reply, _) = over_a_socket(bytes).await;
            let error = reply.unwrap_err();
            assert_eq!(error.kind(), ModelErrorKind::StreamCut);
            assert!(error.maybe_billed());
            assert_eq!(error.usage().unwrap().input_tokens(), Some(10));
        }
    }
}
