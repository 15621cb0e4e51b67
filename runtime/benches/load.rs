//! A thousand documents at once against a loopback server that takes 50 ms for each answer: whole
//! extractions beside plain reqwest with serde, in the same run.
//!
//! `cargo bench -p typed-extract --features openai-compatible --bench load`

// A benchmark that cannot run fails at once.
#![allow(clippy::expect_used, clippy::panic, unreachable_pub, missing_docs)]

#[allow(dead_code, reason = "each benchmark uses a part of it")]
mod workload;

use std::{
    fs,
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use serde::Deserialize;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    task::JoinSet,
};
use typed_extract::extract;
use typed_extract::model::openai_compatible::ChatCompletions;

const DOCUMENTS: u32 = 1000;
const ROUNDS: usize = 5;
const LATENCY: Duration = Duration::from_millis(50);
const LINES: usize = 8;

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    if std::env::args().any(|argument| argument == "--serve") {
        runtime.block_on(serve());
        return;
    }
    rustls::crypto::ring::default_provider()
        .install_default()
        .expect("the first provider");
    let server = Server::start();
    println!(
        "{DOCUMENTS} documents, {} ms a call, medians of {ROUNDS} rounds",
        LATENCY.as_millis()
    );
    for repaired in [false, true] {
        for at_once in [64, 512] {
            runtime.block_on(compare(&server.base, at_once, repaired));
        }
    }
}

/// One line of the table: the two take turns, so that they meet the same machine.
async fn compare(base: &str, at_once: usize, repaired: bool) {
    let base = if repaired {
        format!("{base}/twice")
    } else {
        base.to_owned()
    };
    let plain = Arc::new(Plain::new(&base));
    let model = Arc::new(
        ChatCompletions::builder(&base, "m")
            .build()
            .expect("a model"),
    );
    let (mut plains, mut wholes) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let client = Arc::clone(&plain);
        plains.push(
            round(at_once, move |document| {
                let client = Arc::clone(&client);
                async move { client.ask(&document, if repaired { 2 } else { 1 }).await }
            })
            .await,
        );
        let model = Arc::clone(&model);
        wholes.push(
            round(at_once, move |document| {
                let model = Arc::clone(&model);
                async move {
                    let invoice = extract::<workload::Invoice>()
                        .model(&*model)
                        .document(document)
                        .await;
                    drop(invoice.expect("right"));
                }
            })
            .await,
        );
    }
    let (plain, whole) = (Cost::median(&plains), Cost::median(&wholes));
    println!(
        "{at_once:>3} in flight{}: {:.0} a second, plain {:.0} ({:.0} %); CPU {:.0} us a document, plain {:.0} ({:.2}x)",
        if repaired { ", each repaired once" } else { "" },
        whole.rate(),
        plain.rate(),
        100.0 * whole.rate() / plain.rate(),
        whole.cpu.as_secs_f64() * 1e6 / f64::from(DOCUMENTS),
        plain.cpu.as_secs_f64() * 1e6 / f64::from(DOCUMENTS),
        whole.cpu.as_secs_f64() / plain.cpu.as_secs_f64(),
    );
}

#[derive(Clone, Copy)]
struct Cost {
    wall: Duration,
    cpu: Duration,
}

impl Cost {
    fn rate(self) -> f64 {
        f64::from(DOCUMENTS) / self.wall.as_secs_f64()
    }

    fn median(costs: &[Self]) -> Self {
        let middle = |mut all: Vec<Duration>| {
            all.sort();
            all.get(all.len() / 2).copied().unwrap_or_default()
        };
        Self {
            wall: middle(costs.iter().map(|cost| cost.wall).collect()),
            cpu: middle(costs.iter().map(|cost| cost.cpu).collect()),
        }
    }
}

async fn round<F, Fut>(at_once: usize, one: F) -> Cost
where
    F: Fn(String) -> Fut,
    Fut: Future<Output = ()> + Send + 'static,
{
    let permits = Arc::new(Semaphore::new(at_once));
    let (begun, cpu) = (Instant::now(), cpu());
    let mut tasks = JoinSet::new();
    for number in 0..DOCUMENTS {
        let permits = Arc::clone(&permits);
        let work = one(document(number));
        tasks.spawn(async move {
            let _permit = permits.acquire().await.expect("an open semaphore");
            work.await;
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.expect("no panic");
    }
    Cost {
        wall: begun.elapsed(),
        cpu: self::cpu().saturating_sub(cpu),
    }
}

fn document(number: u32) -> String {
    format!(
        "Invoice {number}\n{}",
        workload::reply(LINES).replace(['{', '}', '"'], "")
    )
}

/// The time this thread, which does all the work, has spent on a processor.
fn cpu() -> Duration {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let spent = stat.split(' ').next().and_then(|first| first.parse().ok());
    Duration::from_nanos(spent.unwrap_or_default())
}

/// What an application would write by hand.
struct Plain {
    client: reqwest::Client,
    url: String,
    schema: serde_json::Value,
}

#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
}

#[derive(Deserialize)]
struct Message {
    content: String,
}

impl Plain {
    fn new(base: &str) -> Self {
        Self {
            client: reqwest::Client::new(),
            url: format!("{base}/chat/completions"),
            schema: typed_extract::json_schema::<workload::Invoice>().expect("a schema"),
        }
    }

    async fn ask(&self, document: &str, calls: usize) {
        for call in 1..=calls {
            let body = json!({
                "model": "m",
                "messages": [{"role": "user", "content": format!(
                    "Extract the fields.\n<schema>{}</schema>\n<document>{document}</document>{}",
                    self.schema, if call == 1 { "" } else { "<previous_reply>" })}],
                "response_format": {"type": "json_schema", "json_schema": {"name": "invoice", "schema": self.schema, "strict": true}},
            });
            let bytes = serde_json::to_vec(&body).expect("JSON");
            let request = self
                .client
                .post(&self.url)
                .header("content-type", "application/json");
            let response = request.body(bytes).send().await.expect("an answer");
            let bytes = response.bytes().await.expect("a body");
            let completion: Completion = serde_json::from_slice(&bytes).expect("a completion");
            let reply = completion.choices.first().expect("a choice");
            let invoice = workload::bare(&reply.message.content);
            assert_eq!(invoice.is_some(), call == calls);
        }
    }
}

/// The server, in a process of its own so that its work is not counted.
struct Server {
    child: Child,
    base: String,
}

impl Server {
    fn start() -> Self {
        let this = std::env::current_exe().expect("this program");
        let mut child = Command::new(this)
            .arg("--serve")
            .stdout(Stdio::piped())
            .spawn()
            .expect("a server");
        let mut base = String::new();
        let out = child.stdout.take().expect("its output");
        BufReader::new(out)
            .read_line(&mut base)
            .expect("its address");
        Self {
            child,
            base: base.trim().to_owned(),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

async fn serve() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    println!("http://{}", listener.local_addr().expect("an address"));
    let right: Arc<str> = answer(workload::reply(LINES)).into();
    let wrong: Arc<str> =
        answer(&workload::reply(LINES).replacen("\"quantity\":", "\"quantity\":-", 1)).into();
    loop {
        let (stream, _) = listener.accept().await.expect("a connection");
        tokio::spawn(connection(stream, Arc::clone(&right), Arc::clone(&wrong)));
    }
}

fn answer(content: &str) -> String {
    let body = json!({
        "id": "c-1", "model": "m",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 900, "completion_tokens": 500, "total_tokens": 1400},
    })
    .to_string();
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Answers until the client hangs up. Under `/twice` the first answer to each document is wrong.
async fn connection(mut stream: TcpStream, right: Arc<str>, wrong: Arc<str>) {
    let mut bytes = Vec::new();
    loop {
        let Some(length) = request_length(&bytes) else {
            match stream.read_buf(&mut bytes).await {
                Ok(1..) => continue,
                _ => return,
            }
        };
        let request: Vec<u8> = bytes.drain(..length).collect();
        let text = String::from_utf8_lossy(&request);
        let repair = text.contains("<previous_reply>");
        let answer = if text.starts_with("POST /twice") && !repair {
            &wrong
        } else {
            &right
        };
        tokio::time::sleep(LATENCY).await;
        if stream.write_all(answer.as_bytes()).await.is_err() {
            return;
        }
    }
}

fn request_length(bytes: &[u8]) -> Option<usize> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let head = String::from_utf8_lossy(bytes.get(..end)?).to_ascii_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length:"))?;
    let length = end + length.trim().parse::<usize>().ok()?;
    (bytes.len() >= length).then_some(length)
}
