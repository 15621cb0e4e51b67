//! Times of day as documents write them.

/// Hours, minutes and seconds.
pub(super) type Time = (u32, u32, u32);

/// Reads the time that an ISO 8601 time begins with; fractions of a second are
/// left out.
pub(super) fn parse(text: &str) -> Option<Time> {
    let (time, _) = read(text)?;
    Some(time)
}

/// Whether a text holds a time; midnight may also go without saying.
pub(super) fn is_written(time: Time, text: &str, may_be_unsaid: bool) -> bool {
    let mut times = times(text).peekable();
    if may_be_unsaid && time == (0, 0, 0) && times.peek().is_none() {
        return true;
    }
    times.any(|written| written == time)
}

fn times(text: &str) -> impl Iterator<Item = Time> + '_ {
    let starts = text.char_indices().filter(|(at, c)| {
        let before = text
            .get(..*at)
            .and_then(|before| before.chars().next_back());
        c.is_ascii_digit() && !before.is_some_and(|c| c.is_numeric() || matches!(c, ':' | '.'))
    });
    starts.filter_map(|(at, _)| {
        let (time, after) = read(text.get(at..)?)?;
        Some(half(time, after))
    })
}

/// A time at the start of a text, and what follows it.
fn read(text: &str) -> Option<(Time, &str)> {
    let (hours, rest) = number(text)?;
    let (minutes, rest) = number(rest.strip_prefix([':', 'h'])?)?;
    let seconds = rest.strip_prefix(':').and_then(number);
    let (seconds, rest) = seconds.unwrap_or((0, rest));
    (hours < 24 && minutes < 60 && seconds <= 60).then_some(((hours, minutes, seconds), rest))
}

fn number(text: &str) -> Option<(u32, &str)> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at_checked(length)?;
    (1..=2).contains(&length).then_some(())?;
    Some((digits.parse().ok()?, rest))
}

/// The time of day that `am` or `pm` makes of one on the dial.
fn half((hours, minutes, seconds): Time, after: &str) -> Time {
    let word: String = after
        .trim_start()
        .chars()
        .filter(|c| *c != '.')
        .take(2)
        .flat_map(char::to_lowercase)
        .collect();
    let hours = match (word.as_str(), hours) {
        ("am", 12) => 0,
        ("pm", 1..=11) => hours + 12,
        _ => hours,
    };
    (hours, minutes, seconds)
}
