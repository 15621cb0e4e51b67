//! Clearing a provider's words of what must not reach a log.

/// A run of the prompt this long, in characters, is taken for a quote of it.
const QUOTE_CHARS: usize = 24;
/// A piece of the key this long is worth hiding where a message was cut inside it.
const KEY_PIECE: usize = 6;

/// The text without the key and without longer quotes from the prompt.
pub(crate) fn scrub(text: &str, key: Option<&str>, prompt: &str) -> String {
    without_quotes(&without_key(text, key.unwrap_or_default()), prompt)
}

fn without_key(text: &str, key: &str) -> String {
    if key.is_empty() {
        return text.to_owned();
    }
    let clean = text.replace(key, "[key]");
    let open = clean.trim_end_matches('…');
    let cut = (KEY_PIECE..key.len())
        .rev()
        .filter_map(|end| key.get(..end))
        .find_map(|piece| open.strip_suffix(piece));
    match cut {
        Some(before) => format!("{before}[key]"),
        None => clean,
    }
}

fn without_quotes(text: &str, prompt: &str) -> String {
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let mut clean = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(from) = starts.get(at).copied() {
        let quoted = quote_at(text, &starts, at, prompt);
        let end = at + quoted.max(1);
        match text.get(from..starts.get(end).copied().unwrap_or(text.len())) {
            Some(kept) if quoted == 0 => clean.push_str(kept),
            _ => clean.push_str("[quote]"),
        }
        at = end;
    }
    clean
}

/// How many characters from here on stand in the prompt too; zero if too few to be a quote.
fn quote_at(text: &str, starts: &[usize], at: usize, prompt: &str) -> usize {
    let stands = |chars: usize| {
        let from = starts.get(at).copied().unwrap_or(text.len());
        let to = starts.get(at + chars).copied().unwrap_or(text.len());
        at + chars <= starts.len() && text.get(from..to).is_some_and(|run| prompt.contains(run))
    };
    if !stands(QUOTE_CHARS) {
        return 0;
    }
    (QUOTE_CHARS..=starts.len())
        .take_while(|chars| stands(*chars))
        .last()
        .unwrap_or(QUOTE_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_hidden_whole_and_cut() {
        let key = Some("sk-secret-0123456789");
        assert_eq!(
            scrub("bad key sk-secret-0123456789!", key, ""),
            "bad key [key]!"
        );
        assert_eq!(scrub("bad key sk-secret-01…", key, ""), "bad key [key]");
        assert_eq!(scrub("no key given", None, ""), "no key given");
    }

    #[test]
    fn a_longer_quote_of_the_prompt_is_hidden_and_a_word_is_not() {
        let prompt = "Extract. Patient Åse Müller, born 1961-04-02, complains of headaches.";
        let said = "flagged: “Patient Åse Müller, born 1961-04-02” in the Patient record";
        assert_eq!(
            scrub(said, None, prompt),
            "flagged: “[quote]” in the Patient record"
        );
        assert_eq!(
            scrub(
                "ünïcödé only, and nothing from the other text",
                None,
                prompt
            )
            .chars()
            .count(),
            45
        );
    }
}
