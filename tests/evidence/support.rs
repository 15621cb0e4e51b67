//! Whether a quotation carries the value it is cited for.

use typed_extract::__private::evidence::support::{
    Declared, Meaning, Passage, Scalar, ShownAs, Support, judge,
};
use typed_extract::citation::DateOrder;

fn number(value: &str, quote: &str) -> Support {
    let passage = Passage::new(quote, 0..quote.len());
    let declared = Declared::default();
    let as_number = judge(Scalar::Number(value), declared, &passage);
    let declared = Declared {
        meaning: Meaning::Decimal,
        ..declared
    };
    let as_decimal = judge(Scalar::String(value), declared, &passage);
    // A decimal in a string may also stand there letter by letter.
    if as_number == Support::Supported {
        assert_eq!(as_decimal, as_number, "{value} by {quote:?}");
    }
    as_number
}

#[track_caller]
fn carries(value: &str, quotes: &[&str]) {
    for quote in quotes {
        assert_eq!(
            number(value, quote),
            Support::Supported,
            "{value} by {quote:?}"
        );
    }
}

#[track_caller]
fn does_not_carry(value: &str, quotes: &[&str]) {
    for quote in quotes {
        assert_eq!(
            number(value, quote),
            Support::Mismatch,
            "{value} by {quote:?}"
        );
    }
}

#[test]
fn whole_numbers_stand_in_their_groups() {
    carries(
        "1250",
        &[
            "1250",
            "1,250",
            "1.250",
            "1 250",
            "1'250",
            "1’250",
            "1\u{a0}250",
            "1\u{202f}250",
            "1_250",
            "1,250.00",
            "1.250,00",
            "1 250,00",
            "1'250.00",
            "EUR 1,250",
            "€1,250.-",
            "1250kg",
            "no. 1250.",
            "(see 1250 items)",
            "１２５０",
            "١٢٥٠",
            "1.25e3",
            "1.25 thousand",
            "合計1250円",
            "1 1 250",
            "K-1,1250,7.50",
        ],
    );
    does_not_carry(
        "1250",
        &[
            "1250.50",
            "12500",
            "01,25",
            "AB1250",
            "K-1250",
            "1,25,0",
            "1.2.50",
            "-1250",
            "1,250,000",
            "12.50",
            "1 250 000,5x",
            "0,1250",
            "nothing",
        ],
    );
    carries("12345678", &["1,23,45,678", "12,345,678.00", "12 345 678"]);
    carries("0", &["0", "0.00", "zero", "0 items"]);
    carries(
        "2",
        &["two of BX", "2nd", "zwei Stück", "deux pièces", "2x"],
    );
    carries("450", &["450 EUR", "3 450,00 x", "qty 3 450"]);
    does_not_carry(
        "450",
        &["Subtotal: 540 EUR", "3\u{a0}450", "1,450", "twofold"],
    );
}

#[test]
fn decimals_have_a_point_or_a_comma() {
    carries(
        "1250.5",
        &["1,250.50", "1.250,50", "1 250.5", "1250,5", "1'250.50 CHF"],
    );
    carries(
        "0.5",
        &[
            "0.5",
            "0,50",
            "50%",
            "50 %",
            "50 percent",
            "50 Prozent",
            "5e-1",
        ],
    );
    carries("1.250", &["1.250", "1,250", "1.25"]);
    carries("9.90", &["9,90 €", "€9.90"]);
    does_not_carry(
        "1.25",
        &["1,250.00", "1.250,00", "1.250.000", "125", "1 250"],
    );
    does_not_carry("0.145", &["145", ",1450x1"]);
    carries(
        "1500000",
        &["1.5 million", "1,5 Mio. EUR", "1.5m", "1,500,000"],
    );
    carries("1000000000000", &["1 Billion", "1,000,000,000,000"]);
    carries("7", &["7%"]);
    carries(
        "12345678901234567890.12",
        &["12,345,678,901,234,567,890.12"],
    );
    does_not_carry(
        "12345678901234567890.12",
        &["12,345,678,901,234,567,890.13"],
    );
}

#[test]
fn a_sign_belongs_to_its_number() {
    carries(
        "-1250",
        &[
            "-1,250.00",
            "−1,250.00",
            "–1.250,00",
            "(1,250.00)",
            "1,250.00-",
            "-$1,250",
            "$-1,250",
            "$ -1,250.00",
            "- $1,250.00",
            "(EUR 1,250.00)",
            "(1250 €)",
            "minus 1250",
            "(1250)",
            "- 1250",
        ],
    );
    does_not_carry(
        "-1250",
        &[
            "1,250.00",
            "10-1250",
            "$1,250",
            "A-1250",
            "1,250.-",
            "1,250 - 3",
        ],
    );
    does_not_carry(
        "1250",
        &[
            "-1,250.00",
            "(1,250.00)",
            "1,250.00-",
            "($1250)",
            "minus 1250",
            "−1250",
        ],
    );
    carries(
        "1250",
        &["(1250)", "- 1250", "10-1250", "1,250.-", "1250–1300"],
    );
}

#[test]
fn what_stands_around_a_passage_counts() {
    let document = "a loss of (1,250.00) in all";
    let passage = Passage::new(document, 11..19);
    assert_eq!(&document[11..19], "1,250.00");
    let judged = |value| judge(Scalar::Number(value), Declared::default(), &passage);
    assert_eq!(judged("1250"), Support::Mismatch);
    assert_eq!(judged("-1250"), Support::Supported);
    let apart = "Table 1 450";
    let passage = Passage::new(apart, 8..11);
    let judged = |value| judge(Scalar::Number(value), Declared::default(), &passage);
    assert_eq!(judged("450"), Support::Supported);
    assert_eq!(judged("1450"), Support::Mismatch);
    assert_eq!(judged("1"), Support::Mismatch);
}

fn dated(value: &str, quote: &str, date_order: Option<DateOrder>) -> Support {
    let declared = Declared {
        meaning: Meaning::Date,
        date_order,
        ..Declared::default()
    };
    let passage = Passage::new(quote, 0..quote.len());
    judge(Scalar::String(value), declared, &passage)
}

#[test]
fn dates_stand_in_their_written_forms() {
    for quote in [
        "2027-03-03",
        "3 March 2027",
        "March 3rd, 2027",
        "03.03.2027",
        "3.3.2027",
        "3/3/2027",
        "3 Mar 2027",
        "Mar. 3, 2027",
        "the 3rd of March 2027",
        "3. März 2027",
        "3. Mrz. 2027",
        "3 mars 2027",
        "3-Mar-2027",
        "03-MAR-27",
        "2027/03/03",
        "2027年3月3日",
        "2027-03-03T10:00Z",
        "Wednesday, March 3, 2027.",
        "on 3rd March, 2027",
        "2027 March 3",
        "le 3 mars 2027",
        "MARCH 3 2027",
    ] {
        assert_eq!(
            dated("2027-03-03", quote, None),
            Support::Supported,
            "{quote:?}"
        );
    }
    assert_eq!(
        dated("2027-03-01", "le 1er mars 2027", None),
        Support::Supported
    );
    assert_eq!(dated("2027-08-01", "1 août 2027", None), Support::Supported);
    assert_eq!(
        dated("2027-12-24", "24. Dezember 2027", None),
        Support::Supported
    );
    assert_eq!(dated("2027-03-24", "03/24/2027", None), Support::Supported);
    assert_eq!(dated("2027-03-24", "24.03.2027", None), Support::Supported);
    for quote in [
        "3 March",
        "March 2027",
        "2027-03-04",
        "4 March 2027",
        "3 May 2027",
        "3 March 2028",
        "13 March 2027",
        "3 March 27 items",
        "1.3.3.2027",
        "33.03.2027",
        "20270303",
        "3 Marchand 2027",
    ] {
        assert_eq!(
            dated("2027-03-03", quote, None),
            Support::Mismatch,
            "{quote:?}"
        );
    }
}

#[test]
fn digits_alone_need_an_order() {
    for quote in ["03/04/2027", "3.4.2027", "03-04-2027", "3/4/27"] {
        assert_eq!(
            dated("2027-04-03", quote, None),
            Support::DateOrder,
            "{quote:?}"
        );
        assert_eq!(
            dated("2027-04-03", quote, Some(DateOrder::Dmy)),
            Support::Supported,
            "{quote:?}"
        );
        assert_eq!(
            dated("2027-04-03", quote, Some(DateOrder::Mdy)),
            Support::Mismatch,
            "{quote:?}"
        );
        assert_eq!(
            dated("2027-03-04", quote, Some(DateOrder::Mdy)),
            Support::Supported,
            "{quote:?}"
        );
    }
    assert_eq!(
        dated("2027-04-03", "27/04/03", Some(DateOrder::Ymd)),
        Support::Supported
    );
    assert_eq!(dated("2027-04-03", "27/04/03", None), Support::DateOrder);
}

#[test]
fn a_time_belongs_to_its_date() {
    let judged = |value: &str, quote: &str| {
        let declared = Declared {
            meaning: Meaning::DateTime,
            ..Declared::default()
        };
        judge(
            Scalar::String(value),
            declared,
            &Passage::new(quote, 0..quote.len()),
        )
    };
    assert_eq!(
        judged("2027-03-03T14:30:00Z", "3 March 2027, 14:30"),
        Support::Supported
    );
    assert_eq!(
        judged("2027-03-03T14:30:00Z", "March 3, 2027 at 2:30 p.m."),
        Support::Supported
    );
    assert_eq!(
        judged("2027-03-03T00:00:00Z", "3 March 2027"),
        Support::Supported
    );
    assert_eq!(
        judged("2027-03-03T00:00:00Z", "3 March 2027, 14:30"),
        Support::Mismatch
    );
    assert_eq!(
        judged("2027-03-03T14:30:00Z", "3 March 2027, 15:30"),
        Support::Mismatch
    );
    assert_eq!(
        judged("2027-03-03T14:30:00Z", "4 March 2027, 14:30"),
        Support::Mismatch
    );
    assert_eq!(judged("soon", "soon"), Support::Supported);
    assert_eq!(judged("later", "soon"), Support::Unjudged);
}

#[test]
fn texts_stand_there_themselves() {
    const SHOWN: ShownAs = &[("paid_in_full", &["paid", "settled"]), ("open", &[])];
    let judged = |value: &str, quote: &str| {
        let declared = Declared {
            shown_as: SHOWN,
            ..Declared::default()
        };
        judge(
            Scalar::String(value),
            declared,
            &Passage::new(quote, 0..quote.len()),
        )
    };
    assert_eq!(
        judged("Ida Lamb", "Tenant: Ida\n Lamb."),
        Support::Supported
    );
    assert_eq!(judged("Ida", "Tenant: Idaho"), Support::Mismatch);
    assert_eq!(judged("14", "Total due 1450"), Support::Mismatch);
    assert_eq!(
        judged("paid_in_full", "was settled in May"),
        Support::Supported
    );
    assert_eq!(
        judged("paid_in_full", "was unpaid in May"),
        Support::Mismatch
    );
    assert_eq!(judged("open", "is paid"), Support::Mismatch);
    assert_eq!(judged("", "anything"), Support::Mismatch);
}

#[test]
fn yes_and_no_need_a_quotation_and_null_has_none() {
    let passage = Passage::new("as agreed", 0..9);
    assert_eq!(
        judge(Scalar::Bool, Declared::default(), &passage),
        Support::Supported
    );
    assert_eq!(
        judge(Scalar::Null, Declared::default(), &passage),
        Support::Unjudged
    );
}

#[test]
fn long_runs_of_digits_and_odd_numbers_end() {
    let units = [
        "1", "1 ", "1,", "111 ", "1.", "100,", "(", "- ", "3 March ", "10:", "1e", "9",
    ];
    for unit in units {
        let quote = unit.repeat(10_000);
        let _ = number("1", &quote);
        let _ = dated("2027-03-03", &quote, None);
    }
    for odd in [
        "1e999999999",
        "-0",
        "1e99999999999999",
        "0e5",
        "1E+2",
        "--1",
        "",
        ".",
    ] {
        let _ = number(odd, "100");
    }
    carries("1E+2", &["100"]);
    carries("-0", &["0"]);
}
