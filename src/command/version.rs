//! The versions of the command and of its results.

/// The version of the command.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The version of the fields, which goes up when a field is renamed or gets another meaning.
pub const SCHEMA: u32 = 4;
/// The output of `--version`.
pub const VERSIONS: &str = concat!(env!("CARGO_PKG_VERSION"), " (results of schema 4)");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_names_the_schema() {
        assert_eq!(VERSIONS, format!("{VERSION} (results of schema {SCHEMA})"));
    }
}
