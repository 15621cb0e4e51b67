//! Patterns as the engines behind the wires take them.

/// Groups and escapes that an engine may refuse: look-around and named groups,
/// word boundaries, Unicode classes, back references, ends of the text.
fn is_special(escaped: char) -> bool {
    escaped.is_ascii_digit() || "bBpPkAzZGQEuxX".contains(escaped)
}

/// Whether a pattern holds only what every engine takes.
pub(super) fn is_plain(pattern: &str) -> bool {
    let mut rest = pattern;
    while let Some(next) = rest.chars().next() {
        if next == '\\' {
            let escaped = rest.chars().nth(1);
            if escaped.is_none_or(is_special) {
                return false;
            }
        }
        if rest.starts_with("(?") && !rest.starts_with("(?:") {
            return false;
        }
        let step = if next == '\\' { 2 } else { 1 };
        let next = rest.char_indices().nth(step);
        rest = next.and_then(|(at, _)| rest.get(at..)).unwrap_or_default();
    }
    true
}

/// Whether a pattern holds a class of characters as an escape, such as `\\d`.
pub(super) fn has_classes(pattern: &str) -> bool {
    let mut escaped = false;
    pattern.chars().any(|next| {
        let is_class = escaped && "dDwWsS".contains(next);
        escaped = !escaped && next == '\\';
        is_class
    })
}

/// The pattern that matches the whole of the texts in which this one is found;
/// nothing where that cannot be written plainly.
pub(super) fn whole(pattern: &str) -> Option<String> {
    if !is_plain(pattern) {
        return None;
    }
    let (begins, rest) = pattern
        .strip_prefix('^')
        .map_or((false, pattern), |rest| (true, rest));
    let (ends, inner) = match rest.strip_suffix('$') {
        Some(inner) if !inner.ends_with('\\') => (true, inner),
        _ => (false, rest),
    };
    let alternatives = inner.contains('|');
    let grouped = inner.starts_with('(') && inner.ends_with(')') && one_group(inner);
    let anchors = inner.replace("[^", "").contains(['^', '$']);
    if anchors || alternatives && !grouped && (begins || ends) {
        return None;
    }
    let inner = if alternatives && !grouped {
        format!("({inner})")
    } else {
        inner.to_owned()
    };
    let before = if begins { "" } else { ".*" };
    let after = if ends { "" } else { ".*" };
    Some(format!("^{before}{inner}{after}$"))
}

/// Whether the first group is closed by the last character.
fn one_group(inner: &str) -> bool {
    let mut depth = 0;
    let mut escaped = false;
    for (at, next) in inner.char_indices() {
        match next {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1 == inner.len();
        }
    }
    false
}
