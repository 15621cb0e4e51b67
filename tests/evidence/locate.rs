//! Where a quotation stands.

use typed_extract::__private::evidence::{Effort, Index, Places};

pub fn find(document: &str, quote: &str) -> Places {
    let mut effort = Effort::for_bytes(document.len() + quote.len());
    Index::new(document).find(document, quote, &mut effort)
}

/// The texts of all places, each with what was set aside.
fn found<'d>(document: &'d str, quote: &str) -> Vec<(&'d str, String)> {
    let places = find(document, quote);
    assert!(!places.more);
    let all = places.all.into_iter();
    all.map(|place| {
        let steps: Vec<String> = place.folds.iter().map(|step| step.to_string()).collect();
        (&document[place.span], steps.join(" "))
    })
    .collect()
}

#[track_caller]
fn only(document: &str, quote: &str, text: &str, steps: &str) {
    assert_eq!(
        found(document, quote),
        [(text, steps.to_owned())],
        "{quote:?} in {document:?}"
    );
}

#[track_caller]
fn nowhere(document: &str, quote: &str) {
    assert_eq!(found(document, quote), [], "{quote:?} in {document:?}");
}

#[test]
fn a_quotation_is_literal_text() {
    only(
        "The quay is about 30 m (est in 2019, see *note.",
        "30 m (est",
        "30 m (est",
        "",
    );
    only(
        "🚀 Aktion: Café-Menü 9,90 € bis Mai",
        "9,90 €",
        "9,90 €",
        "",
    );
}

#[test]
fn runs_of_white_space_are_alike() {
    let document = "Members may\n        borrow two keys\nper day.";
    let quote = "Members may borrow two keys per day";
    only(document, quote, &document[..43], "whitespace");
    only(
        "on which\u{c}the key",
        "which the key",
        "which\u{c}the key",
        "whitespace",
    );
    only("4\u{202f}°C", "4 °C", "4\u{202f}°C", "whitespace");
    only("a  b", "a b", "a  b", "whitespace");
    only("one two", " two ", "two", "whitespace");
    nowhere("never more", "nevermore");
    nowhere("nevermore", "never more");
}

#[test]
fn marks_on_letters_may_stand_apart() {
    let document = "Ort: Cafe\u{301} Lu\u{308}neburg!";
    only(
        document,
        "Café Lüneburg",
        "Cafe\u{301} Lu\u{308}neburg",
        "nfc",
    );
    only("Café", "Cafe\u{301}", "Café", "nfc");
    nowhere("Cafe\u{301}", "Cafe");
    nowhere("Café", "Cafe");
    only("각하", "\u{1100}\u{1161}\u{11a8}하", "각하", "nfc");
}

#[test]
fn typographic_characters_are_the_plain_ones() {
    only(
        "Dose: 10 mg‑per‑day, not ‘as needed’, at ≥ 4\u{202f}°C.",
        "10 mg-per-day, not 'as needed', at ≥ 4 °C",
        "10 mg‑per‑day, not ‘as needed’, at ≥ 4\u{202f}°C",
        "whitespace typography",
    );
    only("the “final” draft", "\"final\"", "“final”", "typography");
    only("the ﬁnal oﬃce", "final office", "ﬁnal oﬃce", "typography");
    nowhere("at ≥ 4 °C", "at > 4 °C");
}

#[test]
fn a_hyphen_at_a_lines_end_is_read_both_ways() {
    let document = "Valid for all English-\nspeaking mem-\nbers.";
    only(
        document,
        "English-speaking members",
        "English-\nspeaking mem-\nbers",
        "line_hyphen",
    );
    nowhere(document, "Englishspeaking mem-bers.x");
    only(
        "the invoi-\n  ce of May",
        "invoice of",
        "invoi-\n  ce of",
        "line_hyphen",
    );
    only(
        "inter-\nnatio-\nnal law",
        "international law",
        "inter-\nnatio-\nnal law",
        "line_hyphen",
    );
    only("mem-\nbers", "mem-\nbers", "mem-\nbers", "");
    only("mem-\nbers", "mem- bers", "mem-\nbers", "whitespace");
    only(
        "an in\u{ad}voice",
        "invoice",
        "in\u{ad}voice",
        "line_hyphen",
    );
    only(
        "an in\u{ad}\nvoice",
        "an invoice",
        "an in\u{ad}\nvoice",
        "line_hyphen",
    );
    only("No. AB-\n12", "AB-12", "AB-\n12", "line_hyphen");
    nowhere("14-\n50", "1450");
    nowhere("Smith-\nJones", "SmithJones");
}

#[test]
fn every_needed_step_is_told_and_no_other() {
    only(
        "„Cafe\u{301}\n mem-\nbers“ only",
        "\"Café members\"",
        "„Cafe\u{301}\n mem-\nbers“",
        "whitespace nfc typography line_hyphen",
    );
}

#[test]
fn no_number_is_found_inside_another() {
    for document in [
        "1450",
        "1,450",
        "145.50",
        "145,50",
        "0.145",
        "1.145",
        "12 145x",
        "x145",
        "145_000",
        "1\u{a0}145",
        "145\u{202f}000",
        "145'000",
        "-145",
        "(-145)",
        "−145",
        "$-145",
        "145:30",
        "145/2",
        ".145",
        "145-7",
        "145e3",
        "1145",
        "１145",
        "145²",
    ] {
        nowhere(document, "145");
    }
    for document in [
        "145",
        "145.",
        "(145)",
        "No.145",
        "145, 50",
        "€145",
        "145€",
        "145%",
        "D-145",
        "第145条",
        "145;50",
        "K-1,145,7.50",
        "- 145",
        "145.x",
        "«145»",
        "145 000",
        "145–150",
    ] {
        only(document, "145", "145", "");
    }
}

#[test]
fn no_word_is_found_inside_another() {
    nowhere("AB-123", "AB-12");
    nowhere("Total due 1450 kr by May.", "Total due 14");
    nowhere("theatre", "the");
    nowhere("Straßenbahn", "Straße");
    nowhere("приказ", "каз");
    nowhere("नमस्ते", "नमस");
    only("AB-12.", "AB-12", "AB-12", "");
}

#[test]
fn scripts_without_spaces_have_no_words_to_cut() {
    only("本サービスは完全無料です。", "完全無料", "完全無料", "");
    only("完全\n無料です", "完全無料", "完全\n無料", "whitespace");
    only("ราคา๑๐๐บาท", "บาท", "บาท", "");
    only("서울에서", "서울", "서울", "");
    nowhere("서 울", "서울");
    nowhere("合計1450円", "14");
    only("合計1450円", "1450円", "1450円", "");
}

#[test]
fn nothing_is_left_out_or_changed() {
    nowhere("The toll was 8 kr in June.", "The toll was 9 kr in June.");
    nowhere(
        "Payment is not due within 30 days of delivery.",
        "Payment is ... due within 30 days",
    );
    nowhere(
        "The tenant shall pay the\n12\nrent monthly.",
        "The tenant shall pay the rent monthly",
    );
    nowhere("total due", "Total due");
}

#[test]
fn all_places_are_told() {
    let leaks = find("Pump A: leak. Pump B: leak.", "leak");
    let spans: Vec<_> = leaks.all.into_iter().map(|place| place.span).collect();
    assert_eq!(spans, [8..12, 22..26]);
    let overlapping = find("leak leak leak", "leak leak");
    assert_eq!(overlapping.all.len(), 2);
}

#[test]
fn an_emoji_is_one_character() {
    nowhere("👩\u{200d}💻", "👩");
    nowhere("👍🏽", "👍");
    only("ok 👍🏽 ok", "👍🏽", "👍🏽", "");
}

#[test]
fn an_empty_quotation_stands_nowhere() {
    nowhere("some text", "");
    nowhere("some text", " \n");
    nowhere("", "text");
    nowhere("", "");
}
