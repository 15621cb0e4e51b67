#![deny(warnings)]

use serde::Deserialize;
use typed_extract::Extract;

#[allow(dead_code)]
mod prelude {
    pub struct Result;
}
#[allow(unused_imports)]
use prelude::*;

#[derive(Deserialize, Extract)]
#[extract(portable(openai, azure, anthropic, gemini, vertex, xai, deepseek, openrouter, mistral, groq))]
pub struct r#Invoice {
    pub total: u32,
}

#[derive(Deserialize, Extract)]
#[extract(portable(together, fireworks, ollama, llamacpp, lmstudio, vllm))]
pub enum Result2 {
    Paid,
}

fn main() {
    let _ = |invoice: Invoice| invoice.total;
}
