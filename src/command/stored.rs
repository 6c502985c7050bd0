//! A stored result, and its faults.

use std::path::Path;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::CommandError;
use super::version::SCHEMA;
use tickless_core::archive::{self, ArchiveError, Arrays};
use tickless_core::number::Written;
use tickless_core::reading::{self, Kind};

/// A result as written.
pub struct Stored<'a> {
    pub path: &'a Path,
    pub value: Value,
}

/// The digits of a SHA-256, in hexadecimal.
const DIGITS: usize = 64;
/// The most characters of a value that an error repeats.
const LONGEST: usize = 40;

impl<'a> Stored<'a> {
    /// Reads a result, and refuses one with another schema.
    pub fn read(path: &'a Path) -> Result<Self, CommandError> {
        let text = reading::text(path, Kind::Result)
            .map_err(|source| CommandError::UnreadableFile { path: path.to_owned(), source })?;
        let mut stored = Self { path, value: Value::Null };
        stored.value =
            serde_json::from_str(reading::without_mark(&text)).map_err(|error| stored.fault(no_json(&text, &error)))?;
        if stored.value.get("schema").is_none() {
            return Err(stored
                .fault("it has no field `schema`: it is no result of tickless, or one from before schema 2".into()));
        }
        match stored.field("schema")? {
            SCHEMA => Ok(stored),
            newer @ SCHEMA.. => Err(CommandError::NewerSchema { path: path.to_owned(), found: newer }),
            older => Err(stored.fault(format!(
                "it has schema {older}; this tickless reads schema {SCHEMA}: run it anew, or repeat it with the version that wrote it"
            ))),
        }
    }

    /// An error for the result.
    pub fn fault(&self, fault: String) -> CommandError {
        CommandError::NoResult { path: self.path.to_owned(), fault }
    }

    /// A field that every result of tickless has.
    pub fn field<T: DeserializeOwned>(&self, name: &str) -> Result<T, CommandError> {
        let value = self.value.get(name).ok_or_else(|| self.fault(format!("it has no field `{name}`")))?;
        T::deserialize(value).map_err(|error| self.fault(format!("`{name}` is {}{}", shown(value), in_words(&error))))
    }

    /// The fields of a type; others are ignored.
    pub fn read_as<T: DeserializeOwned>(&self) -> Result<T, CommandError> {
        serde_path_to_error::deserialize(&self.value).map_err(|error| {
            let path = error.path().to_string();
            let pointer = format!("/{}", path.replace(['.', '['], "/").replace(']', ""));
            let fault = error.inner();
            self.fault(match self.value.pointer(&pointer) {
                Some(value) if !value.is_object() => format!("`{path}` is {}{}", shown(value), in_words(fault)),
                Some(_) => format!("in `{path}`: {fault}"),
                None => fault.to_string(),
            })
        })
    }

    /// Refuses a text that cannot be a digest: it would differ from every run.
    pub fn check_hash(&self, name: &str, hash: &str) -> Result<(), CommandError> {
        let right = hash.len() == DIGITS && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let what = format!("a SHA-256, which is {DIGITS} digits from 0 to 9 and a to f");
        let fault = || format!("`{name}` is {}; it must be {what}", shown(&hash.into()));
        if right { Ok(()) } else { Err(self.fault(fault())) }
    }

    /// An error of the arguments, with the field that the user has changed.
    pub fn wrong(&self, error: CommandError) -> CommandError {
        let field = match &error {
            // The file is not read again: its text is here.
            CommandError::NetworkText { .. } => Some("arguments.description".to_owned()),
            error => self.field_of(&error.to_string()),
        };
        let (path, field) = (self.path.to_owned(), field.unwrap_or_else(|| "arguments".into()));
        CommandError::Repeated { path, field, error: Box::new(error) }
    }

    /// The argument that a message is about: the first whose name and value are in it, else the only one whose value is.
    fn field_of(&self, said: &str) -> Option<String> {
        let mut leaves = vec![];
        collect("arguments", self.value.get("arguments")?, &mut leaves);
        let letters = |text: &str| text.to_lowercase().replace(['-', '_', ' '], "");
        let (words, plain) = (letters(said), said.replace(['\'', ';', ',', ':', '"'], " "));
        let valued = |value: &Value| match value {
            Value::Number(number) => {
                let shown = number.as_f64().map(|number| Written(number).to_string());
                plain.split_whitespace().any(|word| Some(word) == shown.as_deref() || word == number.to_string())
            }
            Value::String(text) => !text.is_empty() && said.contains(text.as_str()),
            _ => false,
        };
        let place = |path: &str| path.rsplit('.').next().and_then(|name| words.find(&letters(name)));
        leaves.retain(|(_, value)| valued(value));
        let named = leaves.iter().filter_map(|(path, _)| Some((place(path)?, path)));
        let only = || leaves.first().filter(|_| leaves.len() == 1).map(|(path, _)| path);
        named.min().map(|(_, path)| path).or_else(only).cloned()
    }
}

/// The values of an object and of nested objects, by their paths.
fn collect<'a>(path: &str, value: &'a Value, leaves: &mut Vec<(String, &'a Value)>) {
    match value.as_object() {
        Some(object) => object.iter().for_each(|(name, value)| collect(&format!("{path}.{name}"), value, leaves)),
        None => leaves.push((path.to_owned(), value)),
    }
}

/// The fault of a text that is no JSON, with the field where a text has no end.
fn no_json(text: &str, error: &serde_json::Error) -> String {
    let said = error.to_string();
    // A text cannot contain the end of a line, so the text of the line before has no end.
    let ends = error.column() == 0 && said.starts_with("control character");
    let number = if ends { error.line() - 1 } else { error.line() };
    let line = text.lines().nth(number.saturating_sub(1)).unwrap_or_default().trim();
    let field = line.strip_prefix('"').and_then(|rest| rest.split_once('"')).map(|(field, _)| field);
    match field.filter(|_| ends || said.starts_with("EOF while parsing a string")) {
        Some(field) => {
            format!("it is no JSON: in line {number} the text of `{field}` has no closing quote, \"; put it there")
        }
        None => format!("it is no JSON: {said}"),
    }
}

/// The head and the arrays of a file that a run has left for other commands. `wrong` makes an error of a fault, and `other` gives the advice
/// for a file of another schema, from the version that wrote it.
///
/// # Errors
/// A file that cannot be read, or is of another kind; too little memory.
pub fn read_archive<H: DeserializeOwned>(
    path: &Path,
    (kind, advice): (&'static str, &'static str),
    wrong: impl Fn(String) -> CommandError,
    other: impl Fn(&str) -> String,
) -> Result<(H, Arrays), CommandError> {
    let (head, arrays) = archive::read_file(kind, path, advice).map_err(|error| match error {
        ArchiveError::Memory(error) => error.into(),
        error => wrong(error.to_string()),
    })?;
    // Another schema has other fields.
    let schema = head.get("schema").and_then(Value::as_u64).unwrap_or_default();
    if schema != u64::from(SCHEMA) {
        let version = head.get("version").and_then(Value::as_str).unwrap_or("unknown");
        return Err(wrong(format!("it has schema {schema}, and this tickless has {SCHEMA}: {}", other(version))));
    }
    let head = serde_path_to_error::deserialize(head).map_err(|error| wrong(error.to_string()))?;
    Ok((head, arrays))
}

/// The expected kind of a value in words: serde names a type of Rust.
pub fn in_words(error: &serde_json::Error) -> String {
    let said = error.to_string();
    let Some((_, wanted)) = said.split_once(", expected ").filter(|_| said.starts_with("invalid ")) else {
        return format!(": {said}");
    };
    let words = match wanted {
        "u8" => format!("a whole number from 0 to {}", u8::MAX),
        "u32" => format!("a whole number from 0 to {}", u32::MAX),
        "u64" | "usize" => format!("a whole number from 0 to {}", u64::MAX),
        "f64" => "a number".into(),
        "a boolean" => "true or false".into(),
        "a string" => "a text".into(),
        other => other.into(),
    };
    format!("; it must be {words}")
}

/// A value as an error repeats it.
fn shown(value: &Value) -> String {
    shortened(&value.to_string(), LONGEST)
}

/// The first characters of a text, at most so many.
pub fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() > most { text.chars().take(most).chain(['…']).collect() } else { text.into() }
}
