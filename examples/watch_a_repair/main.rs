//! What goes out and what comes back in a repair, and what the drift guard does
//! when the model changes more than it was asked to.

use serde::Deserialize;
use typed_extract::testing::Script;
use typed_extract::{Error, Extract, extract};

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)] // Printed through `Debug`.
struct Order {
    vendor: String,
    #[validate(range(min = 1))]
    quantity: u32,
    tags: Vec<String>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    // The second reply mends the quantity, and renames the vendor on the way.
    let model = Script::new([
        r#"{"vendor": "Nordlys", "quantity": 0, "tags": ["rope"]}"#,
        r#"{"vendor": "Northern Lights", "quantity": 4, "tags": ["rope"]}"#,
    ]);
    let done = extract::<Order>()
        .model(&model)
        .document("4 coils of rope from Nordlys")
        .run()
        .await?;
    let requests = model.requests();
    let exchanges = requests.iter().zip(done.record().attempts());
    for (at, (request, attempt)) in exchanges.enumerate() {
        println!("--- request {}\n{}\n", at + 1, request.prompt());
        println!(
            "--- reply {}\n{}\n",
            at + 1,
            attempt.reply().map_or("", |reply| reply.text())
        );
        for place in attempt.restored() {
            println!("put back: {place}\n");
        }
    }
    println!("--- accepted\n{:?}", done.value());
    Ok(())
}
