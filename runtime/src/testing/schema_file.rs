//! A test that fails when a type asks for something else than before.

use std::path::{Path, PathBuf};

use crate::fingerprint::{Demands, Outcome, check};
use crate::node::extract_trait::Extract;

/// The environment variable that has a changed file written anew.
const UPDATE: &str = "TYPED_EXTRACT_UPDATE";

/// Fails a test where the schema or the rules of a type are not those in a file, so
/// that nobody changes by accident what stored records and clients rely on.
///
/// The message lists every difference by its place, and says which ones values that
/// were accepted before would not survive: a field removed, renamed or newly required,
/// a type, bound or list of values narrowed, a new rule. The others keep them valid: a
/// new optional field, wider bounds, more values, another description. Where it cannot
/// be told, a change counts as breaking.
///
/// The file holds the schema, the rules and their
/// [fingerprint](crate::fingerprint()); it belongs into version control. It is
/// written, with its folder, where there is none yet, and written anew where the
/// environment variable `TYPED_EXTRACT_UPDATE` is `1`. A relative path begins at the
/// manifest folder of the crate whose test runs, as Cargo tells it in
/// `CARGO_MANIFEST_DIR`, else in the working folder.
///
/// # Panics
///
/// Where something changed, the type's schema cannot be used, or the file cannot be
/// read or written.
///
/// ```
/// use serde::Deserialize;
/// use typed_extract::Extract;
/// use typed_extract::testing::assert_schema_unchanged;
///
/// #[derive(Deserialize, Extract)]
/// struct Invoice {
///     number: String,
/// }
///
/// # let folder = std::env::temp_dir().join(format!("typed-extract-{}", std::process::id()));
/// # let file = folder.join("invoice.json");
/// # #[cfg(any())]
/// let file = "schemas/invoice.json";
/// assert_schema_unchanged::<Invoice>(&file); // Writes it.
/// assert_schema_unchanged::<Invoice>(&file); // Compares.
/// # std::fs::remove_dir_all(folder).unwrap();
/// ```
#[track_caller]
#[allow(clippy::panic)] // A test fails by panicking.
pub fn assert_schema_unchanged<T: Extract>(file: impl AsRef<Path>) {
    let update = std::env::var_os(UPDATE).is_some_and(|value| value == "1");
    if let Err(message) = compared::<T>(file.as_ref(), update) {
        panic!("{message}");
    }
}

fn compared<T: Extract>(file: &Path, update: bool) -> Result<(), String> {
    let name = T::schema_name();
    let demands = Demands::of::<T>().map_err(|error| format!("{name}: {error}"))?;
    let again = format!(
        "If this is meant, run the test once with {UPDATE}=1 in the environment; it writes the file \
         anew."
    );
    match check(&demands, &from_manifest(file), update) {
        Ok(Outcome::Same | Outcome::Written) => Ok(()),
        Ok(Outcome::Changed(changes)) => Err(format!(
            "{name} does not ask for what {} says\n\n{changes}\n{again}",
            file.display()
        )),
        Err(why) => Err(format!("{}: {why}\n{again}", file.display())),
    }
}

fn from_manifest(file: &Path) -> PathBuf {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    folder.unwrap_or_default().join(file)
}
