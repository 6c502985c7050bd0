//! The files that a run reads, and what was in them.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser as _, ValueParser, ValueParserFactory};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

use super::CommandError;
use tickless_core::reading::{self, Kind};
use tickless_fire::{FireError, RasterFile};
use tickless_queueing::{FromJmt, JmtMeasure, from_jmt, jmt, with_numbers};

/// A path as given. A name that is no Unicode is shown as far as possible, and cannot be found again from the text.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(try_from = "PathBuf")]
#[schemars(try_from = "String", into = "String")]
#[schemars(inline)]
pub struct InputPath(PathBuf);

impl TryFrom<PathBuf> for InputPath {
    type Error = &'static str;

    fn try_from(path: PathBuf) -> Result<Self, Self::Error> {
        if path.as_os_str().is_empty() { Err("it must be the path of a file") } else { Ok(Self(path)) }
    }
}

/// As clap reads other paths: an empty path is a missing value.
impl ValueParserFactory for InputPath {
    type Parser = ValueParser;

    fn value_parser() -> ValueParser {
        ValueParser::new(PathBufValueParser::new().try_map(Self::try_from))
    }
}

impl AsRef<Path> for InputPath {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

impl Serialize for InputPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0.display())
    }
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InputFile {
    /// As it was given; relative paths are relative to the working directory, those that a rule file names are beside it. A name that is no
    /// Unicode cannot be found again.
    pub path: String,
    /// SHA-256 of the contents in hexadecimal.
    pub sha256: String,
}

impl InputFile {
    /// From a file's contents.
    fn of(path: &Path, contents: &[u8]) -> Self {
        Self { path: path.display().to_string(), sha256: sha256(contents) }
    }
}

/// Refuses files that have changed since the run of `result` read them.
///
/// # Errors
/// [`CommandError::InputFile`] and [`CommandError::InputChanged`].
pub fn check_unchanged(inputs: &[InputFile], result: &Path) -> Result<(), CommandError> {
    for input in inputs {
        let (path, result) = (PathBuf::from(&input.path), result.to_owned());
        let found = match reading::bytes(&path, Kind::Input) {
            Ok(contents) => InputFile::of(&path, &contents),
            Err(source) => return Err(CommandError::InputFile { path, result, source }),
        };
        if found.sha256 != input.sha256 {
            let (expected, found) = (input.sha256.clone(), found.sha256);
            return Err(CommandError::InputChanged { path, result, expected, found });
        }
    }
    Ok(())
}

/// In hexadecimal.
fn sha256(contents: &[u8]) -> String {
    Sha256::digest(contents).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The model of a file of JMT; `None` of another file, with its text.
///
/// # Errors
/// A file that cannot be read, and faults in a file of JMT.
pub fn jmt_model(file: &InputPath) -> Result<(Option<FromJmt>, String), CommandError> {
    let path = || file.as_ref().to_owned();
    let unreadable = |source| CommandError::UnreadableFile { path: path(), source };
    let contents = reading::bytes(&path(), Kind::Network).map_err(unreadable)?;
    if !jmt::is_xml(&contents) {
        return Ok((None, reading::as_text(&contents, Kind::Network).map_err(unreadable)?.to_owned()));
    }
    let text = jmt::decoded(contents).map_err(|error| unreadable(io::Error::new(io::ErrorKind::InvalidData, error)))?;
    let model = from_jmt(reading::without_mark(&text));
    Ok((Some(model.map_err(|error| CommandError::Jmt { path: path(), error })?), text))
}

/// The text of a network file, with the numbers of the tables that its laws name; of a file of JMT that of the network file that says
/// the same, beside what JMT found. It is read at the first call and remembered; a rerun has it and reads no file.
///
/// # Errors
/// A file that cannot be read, and faults in it.
pub fn network_text<'a>(
    file: &InputPath,
    remembered: &'a mut Option<String>,
    found: &mut Option<Vec<JmtMeasure>>,
) -> Result<&'a str, CommandError> {
    if let Some(text) = remembered {
        return Ok(text);
    }
    let path = || file.as_ref().to_owned();
    let text = match jmt_model(file)? {
        (None, text) => text,
        (Some(model), _) => {
            *found = Some(model.results);
            return Ok(remembered.insert(model.toml));
        }
    };
    let folder = file.as_ref().parent().unwrap_or(Path::new(""));
    let numbers = with_numbers(&text, folder);
    let numbers = numbers.map_err(|error| CommandError::NetworkText { path: path(), error })?;
    let text = if let Cow::Owned(text) = numbers { text } else { text };
    Ok(remembered.insert(text))
}

/// The files of a run, in the order in which they are read.
#[derive(Debug, Default)]
pub struct InputFiles(Vec<InputFile>);

impl InputFiles {
    /// The text of a file.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn text(&mut self, path: &Path, kind: Kind) -> io::Result<String> {
        let bytes = reading::bytes_of_text(path, kind)?;
        self.add(path, &bytes);
        reading::decoded(bytes, kind)
    }

    /// The contents of a file.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn bytes(&mut self, path: &Path, kind: Kind) -> io::Result<Vec<u8>> {
        let bytes = reading::bytes(path, kind)?;
        self.add(path, &bytes);
        Ok(bytes)
    }

    fn add(&mut self, path: &Path, contents: &[u8]) {
        let file = InputFile::of(path, contents);
        if !self.0.contains(&file) {
            self.0.push(file);
        }
    }

    /// The parsed text of a fire or a watershed.
    ///
    /// # Errors
    /// A file that cannot be read, and faults in it.
    pub fn parsed<T>(
        &mut self,
        path: &InputPath,
        kind: Kind,
        parse: impl FnOnce(&str, &str) -> Result<T, FireError>,
    ) -> Result<T, FireError> {
        let file = path.0.display().to_string();
        match self.text(&path.0, kind) {
            Ok(text) => parse(&text, &file),
            Err(error) => Err(FireError::Read { file, cause: error.to_string() }),
        }
    }

    /// A file of grids, and what lies beside it.
    ///
    /// # Errors
    /// As [`InputFiles::parsed`].
    pub fn raster(&mut self, path: &Path, kind: Kind) -> Result<RasterFile<'static>, FireError> {
        RasterFile::read(path, kind, &mut |path, kind| self.bytes(path, kind))
    }

    /// All files read.
    pub fn list(self) -> Vec<InputFile> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_once_by_what_was_in_it() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/cells/heat.inc");
        let mut files = InputFiles::default();
        let text = files.text(&path, Kind::Named).unwrap();
        assert_eq!(files.text(&path, Kind::Named).unwrap(), text);
        assert!(files.text(Path::new("no/such.inc"), Kind::Named).is_err());
        let list = files.list();
        assert_eq!((list.len(), list[0].path.as_str()), (1, path.to_str().unwrap()));
        assert_eq!(list[0].sha256, sha256(text.as_bytes()));
        // The example of FIPS 180.
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
