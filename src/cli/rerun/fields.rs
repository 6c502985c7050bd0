//! Fields of a result, by their paths.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::cli::cells::{InputFile, InputPath, Limit, Spot};
use crate::queueing::network::WhoseDistributions;

/// What a field may hold.
pub trait Field: DeserializeOwned {
    /// What is allowed, in words.
    const ALLOWED: &'static str;
}

impl Field for bool {
    const ALLOWED: &'static str = "true or false";
}

impl Field for u32 {
    const ALLOWED: &'static str = "a whole number from 0 to 4294967295";
}

impl Field for u64 {
    const ALLOWED: &'static str = "a whole number from 0 to 18446744073709551615";
}

impl Field for f64 {
    const ALLOWED: &'static str = "a number";
}

impl Field for String {
    const ALLOWED: &'static str = "a text in quotes";
}

impl Field for InputPath {
    const ALLOWED: &'static str = "a path in quotes";
}

impl Field for Option<InputPath> {
    const ALLOWED: &'static str = "a path in quotes, or null";
}

impl Field for Vec<InputFile> {
    const ALLOWED: &'static str = "a list of a `path` and a `sha256` each";
}

impl Field for Limit {
    const ALLOWED: &'static str = "\"none\" or \"rothermel\"";
}

impl Field for Vec<Spot> {
    const ALLOWED: &'static str = "a list of \"COLUMN,ROW@MINUTE\"";
}

impl Field for WhoseDistributions {
    const ALLOWED: &'static str = "true, false, null or a list of stations' names";
}

/// The most characters of a value that an error repeats.
const LONGEST: usize = 40;

/// A field by its path, or what is wrong with it.
pub fn field<T: Field>(value: &Value, path: &str) -> Result<T, String> {
    let mut found = value;
    for (end, _) in path.match_indices('.').chain([(path.len(), "")]) {
        let name = path[..end].rsplit('.').next().unwrap_or_default();
        found = found.get(name).ok_or_else(|| format!("missing field `{}`", &path[..end]))?;
    }
    T::deserialize(found).map_err(|_| {
        let mut given = found.to_string();
        if given.chars().count() > LONGEST {
            given = given.chars().take(LONGEST).chain(['…']).collect();
        }
        format!("`{path}` is {given}; it must be {}", T::ALLOWED)
    })
}

/// A field that may be missing or `null`.
pub fn optional<T: Field>(value: &Value, path: &str) -> Result<Option<T>, String> {
    let pointer = format!("/{}", path.replace('.', "/"));
    match value.pointer(&pointer) {
        None | Some(Value::Null) => Ok(None),
        Some(_) => field(value, path).map(Some),
    }
}
