//! Generic types: parameters named like ours, consts, where-clauses.

use std::marker::PhantomData;

use serde::Deserialize;
use serde_json::json;
use typed_extract::{Extract, rules};

use crate::support::{probed, schema, walked};

#[derive(Debug, Deserialize, Extract)]
#[extract(rule(positive(n), "n is positive", check = *n > 0))]
struct Amt {
    n: i64,
}

#[derive(Debug, Deserialize, Extract)]
#[extract(rule(short(items), "pages are short", check = items.len() <= N))]
struct Page<C, D: Clone, const N: usize>
where
    D: std::fmt::Debug,
{
    items: Vec<C>,
    other: Option<D>,
    #[serde(skip)]
    marker: PhantomData<D>,
}

#[test]
fn parameters_may_be_called_as_ours() {
    type Nested = Page<Page<Amt, u8, 3>, String, 1>;
    let inner = json!({"items": [{"n": 1}, {"n": 0}], "other": null});
    let reply = json!({"items": [inner, inner], "other": "x"});
    let expected = [
        "items: short",
        "items[0].items[1].n: positive",
        "items[1].items[1].n: positive",
    ];
    assert_eq!(walked::<Nested>(&reply), expected);
    assert!(Page::<Amt, u8, 1>::short(&Vec::new()).is_ok());
}

#[derive(Debug, Deserialize, Extract)]
#[serde(bound(deserialize = "T: Deserialize<'de>"))]
struct Bound<T> {
    value: T,
}

#[derive(Debug, Deserialize, Extract)]
enum Either<L, R> {
    Left(L),
    Right { right: R },
}

#[rules]
impl<L, R> Either<L, R> {
    /// It is left.
    fn left(&self) -> bool {
        matches!(self, Self::Left(_))
    }
}

#[test]
fn enums_and_explicit_bounds() {
    let reply = json!({"value": {"Right": {"right": {"n": 0}}}});
    let expected = ["value: left", "value.Right.right.n: positive"];
    assert_eq!(walked::<Bound<Either<u8, Amt>>>(&reply), expected);
    let reply = json!({"value": {"Right": {"right": {"n": "x"}}}});
    assert_eq!(
        probed::<Bound<Either<u8, Amt>>>(&reply),
        ["value.Right.right.n: bind.type"]
    );
}

#[test]
fn schemas_are_named_for_their_arguments() {
    assert_eq!(
        schema::<Page<Amt, u8, 3>>()["title"],
        "Page_for_Amt_and_uint8_and_3"
    );
    assert_eq!(schema::<Bound<Amt>>()["title"], "Bound");
}

struct Ledger(i64);

#[derive(Debug, Deserialize, Extract)]
#[extract(context = Ledger)]
#[extract(policy(any(items, context), "not too many", check = items.len() < usize::try_from(context.0).unwrap_or(0)))]
struct Batch<T> {
    items: Vec<T>,
}

#[test]
fn a_generic_type_may_read_a_context() {
    let reply = json!({"items": [{"n": 0}]});
    let found = crate::support::walked_with::<Batch<Amt>>(&reply, &Ledger(1));
    assert_eq!(found, ["items: any", "items[0].n: positive"]);
}

/// No `Extract` type, nor any other of ours.
#[derive(Debug)]
struct Kilometres;

#[derive(Debug, Deserialize, Extract)]
#[extract(rule(named(id), "the id is given", check = !id.is_empty()))]
struct Tagged<T> {
    id: String,
    #[serde(skip)]
    marker: PhantomData<T>,
}

#[derive(Debug, Deserialize, Extract)]
struct Bare<T>(String, PhantomData<T>);

#[derive(Debug, Extract)]
#[extract(deserialize)]
struct Derived<T, U> {
    amt: U,
    #[serde(skip)]
    marker: PhantomData<(T, U)>,
}

#[test]
fn a_marker_may_be_of_any_type() {
    let reply = json!({"id": ""});
    assert_eq!(walked::<Tagged<Kilometres>>(&reply), ["id: named"]);
    assert_eq!(
        schema::<Tagged<Kilometres>>()["properties"],
        json!({"id": {"type": "string"}})
    );
    let reply = json!({"id": "x"});
    typed_extract::validate::<Tagged<Kilometres>>(&reply.to_string()).expect("right");
    let reply = json!({"value": ["x", null]});
    typed_extract::validate::<Bare<Kilometres>>(&reply.to_string()).expect("right");
    let reply = json!({"amt": {"n": 0}});
    assert_eq!(
        walked::<Derived<Kilometres, Amt>>(&reply),
        ["amt.n: positive"]
    );
}

trait Unit {
    type Amount;
}

impl Unit for Kilometres {
    type Amount = Amt;
}

#[derive(Debug, Deserialize, Extract)]
#[serde(bound(deserialize = "U::Amount: Deserialize<'de>"))]
#[schemars(bound = "U::Amount: schemars::JsonSchema")]
struct Measured<U: Unit> {
    amount: U::Amount,
}

#[test]
fn an_associated_type_is_looked_into() {
    let reply = json!({"amount": {"n": 0}});
    assert_eq!(
        walked::<Measured<Kilometres>>(&reply),
        ["amount.n: positive"]
    );
}

#[derive(Debug, Deserialize, Extract)]
struct Matrix<T, const N: usize, const M: usize>
where
    [T; N]: serde::de::DeserializeOwned,
{
    #[serde(default = "Vec::new")]
    rows: Vec<T>,
    #[serde(skip)]
    marker: PhantomData<([T; N], [T; M])>,
}

#[test]
fn consts_where_clauses_and_defaults_by_path() {
    typed_extract::validate::<Matrix<u8, 2, 99>>("{}").expect("right");
    let reply = json!({"rows": [{"n": 0}]});
    assert_eq!(
        walked::<Matrix<Amt, 2, 99>>(&reply),
        ["rows[0].n: positive"]
    );
}
