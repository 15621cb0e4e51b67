//! The file that a type is compared with.

use std::path::Path;
use std::{fs, io};

use serde::{Deserialize, Serialize};

use super::{Changes, Demands, Fingerprint};

const VERSION: u32 = 1;

/// The file's content.
#[derive(Serialize, Deserialize)]
struct File {
    version: u32,
    fingerprint: Fingerprint,
    #[serde(flatten)]
    demands: Demands,
}

/// What a comparison came to.
#[derive(Debug)]
pub(crate) enum Outcome {
    Same,
    /// The file was written.
    Written,
    Changed(Changes),
}

/// Compares with the file; writes it where it is missing or `update` asks for it.
pub(crate) fn check(demands: &Demands, file: &Path, update: bool) -> Result<Outcome, String> {
    let stored = match fs::read_to_string(file) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(format!("it cannot be read: {error}")),
    };
    let Some(text) = stored.filter(|_| !update) else {
        write(demands, file).map_err(|error| format!("it cannot be written: {error}"))?;
        return Ok(Outcome::Written);
    };
    let stored = read(&text)?;
    if stored.fingerprint() == demands.fingerprint() {
        return Ok(Outcome::Same);
    }
    Ok(Outcome::Changed(Changes::between(&stored, demands)))
}

fn read(text: &str) -> Result<Demands, String> {
    let file: File = serde_json::from_str(text)
        .map_err(|error| format!("it is not a file of schema and rules: {error}"))?;
    if file.version != VERSION {
        return Err(format!("it has version {}, not {VERSION}", file.version));
    }
    if file.demands.fingerprint() != file.fingerprint {
        return Err("it was edited: its fingerprint is not that of its schema and rules".into());
    }
    Ok(file.demands)
}

fn write(demands: &Demands, file: &Path) -> io::Result<()> {
    let content = File {
        version: VERSION,
        fingerprint: demands.fingerprint(),
        demands: demands.clone(),
    };
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut text = serde_json::to_string_pretty(&content)?;
    text.push('\n');
    fs::write(file, text)
}
