//! What the macros say about mistakes, one case a mistake, in folders by fault.

/// The compiler whose wording the `.stderr` files hold.
const COMPILER: &str = "rustc 1.95.";

#[test]
fn every_mistake_is_said_where_it_stands() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui/pass/*/*.rs");
    if compiler().starts_with(COMPILER) {
        cases.compile_fail("ui/fail/*/*.rs");
    } else {
        println!("left out: the wording of errors is compared with {COMPILER}x only");
    }
}

/// What the compiler that cargo uses says of itself.
fn compiler() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = std::process::Command::new(rustc).arg("--version").output();
    output
        .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
        .unwrap_or_default()
}
