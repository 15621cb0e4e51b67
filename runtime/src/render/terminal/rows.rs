//! A document cut into rows that fit.

use std::ops::Range;

use super::super::glyph::Glyph;

/// A part of a line that fits in the width.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    /// Its bytes, without the end of the line.
    pub(super) span: Range<usize>,
    /// The number of its line, from 1.
    pub(super) line: usize,
    /// Whether the line begins here.
    pub(super) first: bool,
}

/// Lines are cut after a space where there is one, and anywhere else where there
/// is none.
pub(super) fn rows(document: &str, width: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut start = 0;
    for (at, text) in document.split_inclusive('\n').enumerate() {
        let line = text.strip_suffix('\n').unwrap_or(text);
        let line = line.strip_suffix('\r').unwrap_or(line);
        let parts = cut(line, width).into_iter();
        rows.extend(parts.enumerate().map(|(part, span)| Row {
            span: start + span.start..start + span.end,
            line: at + 1,
            first: part == 0,
        }));
        start += text.len();
    }
    rows
}

fn cut(line: &str, width: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut start, mut used) = (0, 0);
    // After the last space: the byte, and the columns used up to it.
    let mut gap = None;
    for (at, c) in line.char_indices() {
        let columns = Glyph::of(c).width();
        if used + columns > width && at > start {
            let (end, taken) = gap.take().unwrap_or((at, used));
            parts.push(start..end);
            start = end;
            used -= taken;
        }
        used += columns;
        if c == ' ' {
            gap = Some((at + 1, used));
        }
    }
    parts.push(start..line.len());
    parts
}

/// The row that holds a byte.
pub(super) fn row_of(rows: &[Row], byte: usize) -> usize {
    rows.partition_point(|row| row.span.start <= byte)
        .saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(document: &str, width: usize) -> Vec<(usize, &str)> {
        let rows = rows(document, width);
        let text = |row: Row| (row.line, document.get(row.span).unwrap_or("?"));
        rows.into_iter().map(text).collect()
    }

    #[test]
    fn lines_are_cut_after_spaces_and_nothing_is_lost() {
        assert_eq!(
            texts("one two three\r\n\nfour", 8),
            [(1, "one two "), (1, "three"), (2, ""), (3, "four")]
        );
        assert_eq!(
            texts("日本日本日", 4),
            [(1, "日本"), (1, "日本"), (1, "日")]
        );
        assert_eq!(texts("日本", 1), [(1, "日"), (1, "本")]);
    }

    #[test]
    fn every_byte_has_its_row() {
        let document = "one two three\nfour";
        let rows = rows(document, 8);
        let found: Vec<usize> = [0, 7, 8, 13, 14, 18].map(|byte| row_of(&rows, byte)).into();
        assert_eq!(found, [0, 0, 1, 1, 2, 2]);
    }
}
