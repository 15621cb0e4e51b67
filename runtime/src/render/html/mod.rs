use super::Reportable;

/// x
pub fn html(_: &impl Reportable) -> String {
    String::new()
}
