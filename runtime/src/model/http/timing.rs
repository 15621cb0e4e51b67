//! How long a provider asks to wait, in the four ways they say it.

use std::time::{Duration, SystemTime};

use super::Headers;

/// The delay in the headers of a refused call, if any.
pub(crate) fn retry_after(status: u16, headers: &Headers) -> Option<Duration> {
    milliseconds(headers)
        .or_else(|| {
            headers
                .get("retry-after")
                .and_then(|value| seconds(value).or_else(|| until(value, headers)))
        })
        .or_else(|| {
            if status == 429 {
                rate_window(headers)
            } else {
                None
            }
        })
}

fn milliseconds(headers: &Headers) -> Option<Duration> {
    let value: f64 = headers.get("retry-after-ms")?.trim().parse().ok()?;
    long(value / 1000.0)
}

fn seconds(value: &str) -> Option<Duration> {
    long(value.trim().parse().ok()?)
}

/// So many seconds. More than a duration holds is as long as can be, and not no delay at all.
fn long(seconds: f64) -> Option<Duration> {
    (seconds >= 0.0).then(|| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

/// An HTTP date, measured by the server's own clock where it gives one.
fn until(value: &str, headers: &Headers) -> Option<Duration> {
    let then = httpdate::parse_http_date(value.trim()).ok()?;
    let server_now = headers
        .get("date")
        .and_then(|date| httpdate::parse_http_date(date.trim()).ok());
    Some(
        then.duration_since(server_now.unwrap_or_else(SystemTime::now))
            .unwrap_or_default(),
    )
}

/// The reset time of the limit that is used up; those that are not say nothing about this call.
fn rate_window(headers: &Headers) -> Option<Duration> {
    ["requests", "tokens"]
        .into_iter()
        .filter(|limit| headers.get(&format!("x-ratelimit-remaining-{limit}")) == Some("0"))
        .filter_map(|limit| span(headers.get(&format!("x-ratelimit-reset-{limit}"))?))
        .max()
}

/// A time span such as `924ms`, `1.6s` or `2m59.56s`.
pub(crate) fn span(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut total = Duration::ZERO;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| c != '.' && !c.is_ascii_digit())?;
        let (number, tail) = rest.split_at_checked(digits)?;
        let end = tail
            .find(|c: char| c.is_ascii_digit())
            .unwrap_or(tail.len());
        let (unit, next) = tail.split_at_checked(end)?;
        let factor = match unit {
            "ms" => 0.001,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            "d" => 86400.0,
            _ => return None,
        };
        let part = long(number.parse::<f64>().ok()? * factor)?;
        total = total.saturating_add(part);
        rest = next;
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(status: u16, pairs: &[(&str, &str)]) -> Option<u128> {
        let headers: Headers = pairs.iter().copied().collect();
        retry_after(status, &headers).map(|delay| delay.as_millis())
    }

    #[test]
    fn the_finest_statement_wins() {
        assert_eq!(
            asked(429, &[("Retry-After", "1"), ("retry-after-ms", "924")]),
            Some(924)
        );
        assert_eq!(asked(503, &[("retry-after", "2")]), Some(2000));
        assert_eq!(asked(503, &[("retry-after", "-3")]), None);
        assert_eq!(asked(503, &[("retry-after", "soon")]), None);
        assert_eq!(asked(503, &[("retry-after", "NaN")]), None);
        assert_eq!(asked(503, &[]), None);
    }

    #[test]
    fn more_than_can_be_waited_is_not_taken_for_nothing() {
        let endless = Some(Duration::MAX.as_millis());
        let digits = "9".repeat(400);
        for (name, value) in [
            ("retry-after", "1e30"),
            ("retry-after-ms", "99999999999999999999999999"),
            ("retry-after", &digits),
        ] {
            assert_eq!(asked(429, &[(name, value)]), endless, "{name}");
        }
        assert_eq!(span(&format!("{digits}s")), Some(Duration::MAX));
    }

    #[test]
    fn a_date_is_measured_by_the_servers_clock() {
        let then = ("retry-after", "Fri, 06 Nov 2026 10:00:30 GMT");
        assert_eq!(
            asked(429, &[then, ("date", "Fri, 06 Nov 2026 10:00:00 GMT")]),
            Some(30_000)
        );
        assert_eq!(
            asked(429, &[then, ("date", "Fri, 06 Nov 2026 10:01:00 GMT")]),
            Some(0)
        );
    }

    #[test]
    fn only_the_window_that_is_used_up_counts() {
        let used_up = [
            ("x-ratelimit-remaining-tokens", "0"),
            ("x-ratelimit-reset-tokens", "2m59.56s"),
        ];
        assert_eq!(asked(429, &used_up), Some(179_560));
        assert_eq!(asked(503, &used_up), None);
        assert_eq!(
            asked(
                429,
                &[
                    ("x-ratelimit-remaining-tokens", "7"),
                    ("x-ratelimit-reset-tokens", "1s")
                ]
            ),
            None
        );
    }

    #[test]
    fn a_span_that_is_not_one_is_no_delay() {
        assert_eq!(span("924ms"), Some(Duration::from_millis(924)));
        assert_eq!(
            span(&"9999999999999999999s".repeat(9)),
            Some(Duration::MAX),
            "no overflow"
        );
        for text in ["1790000060000", "s", "1.2.3s", "5 parsecs", "é"] {
            assert_eq!(span(text), None, "{text}");
        }
    }
}
