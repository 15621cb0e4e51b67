//! The command line.

/// What was asked for.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    model: Option<String>,
    name: Option<String>,
    pub(crate) record: Option<String>,
    pub(crate) document: Option<String>,
}

const USAGE: &str = "usage: invoice [--model URL --name NAME [--record FILE]] [DOCUMENT]";

impl Arguments {
    pub(crate) fn read(words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut arguments = Self::default();
        let mut words = words;
        while let Some(word) = words.next() {
            let slot = match word.as_str() {
                "--model" => &mut arguments.model,
                "--name" => &mut arguments.name,
                "--record" => &mut arguments.record,
                option if option.starts_with('-') => {
                    return Err(format!("no option {option}; {USAGE}"));
                }
                _ => {
                    arguments.document = Some(word);
                    continue;
                }
            };
            *slot = Some(
                words
                    .next()
                    .ok_or_else(|| format!("{word} needs a value; {USAGE}"))?,
            );
        }
        match (&arguments.model, &arguments.name) {
            (None, None) if arguments.document.is_some() || arguments.record.is_some() => Err(
                format!("the recording is of one document; name a server for another; {USAGE}"),
            ),
            (Some(_), None) | (None, Some(_)) => {
                Err(format!("--model and --name belong together; {USAGE}"))
            }
            _ => Ok(arguments),
        }
    }

    /// The base URL and the model's name, where a server was named.
    pub(crate) fn server(&self) -> Option<(&str, &str)> {
        Some((self.model.as_deref()?, self.name.as_deref()?))
    }
}
