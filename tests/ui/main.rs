//! What the macros say about mistakes, one case a mistake, in folders by fault.

#[test]
fn every_mistake_is_said_where_it_stands() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/fail/*/*.rs");
    cases.pass("ui/pass/*/*.rs");
}
