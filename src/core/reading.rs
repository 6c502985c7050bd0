//! Text files of users: read up to a size limit; an error says what to do.

mod format;
mod mark;
pub mod names;
pub mod parts;

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

pub use mark::Mark;

/// The kind of a text file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An ESRI ASCII grid, or a GeoTIFF.
    Grid,
    /// A landscape of several bands.
    Landscape,
    /// Fuel models.
    Models,
    /// Places of a map as GeoJSON.
    Places,
    /// A table with commas.
    Table,
    /// A network in TOML.
    Network,
    /// A rule file.
    Rules,
    /// A file that a rule file names.
    Named,
    /// Events for the ports of a rule file.
    Events,
    /// A map of Moving AI.
    Map,
    /// Searches on a map.
    Scenarios,
    /// The JSON of a run.
    Result,
    /// An input file of the run of a result.
    Input,
}

/// The meaning of a relative path.
const RELATIVE: &str = "a relative path starts at the working directory";
/// The meaning of a relative path in a file.
const BESIDE: &str = "it is looked for beside the file that names it";
/// The first bytes, by which a text is told from another file.
const FIRST: u64 = 1 << 16;

impl Kind {
    /// The most bytes: far more than any model of its kind that has been run here.
    fn most(self) -> u64 {
        match self {
            Self::Network | Self::Rules => 256 << 20,
            _ => 1 << 30,
        }
    }

    /// Whether a file of this kind needs a text. A file that a rule file includes, and an input of a run, may be empty.
    fn says_something(self) -> bool {
        !matches!(self, Self::Named | Self::Events | Self::Input)
    }

    /// Whether a text that is not UTF-8 is read as Latin-1, as CD++ reads bytes. An input of a run may be such a text.
    fn may_be_latin(self) -> bool {
        matches!(self, Self::Rules | Self::Named | Self::Events | Self::Input)
    }

    /// The advice for a file of another kind. The caller that reads an input of a result gives its own.
    fn advice(self) -> Option<&'static str> {
        match self {
            Self::Grid => Some("name an ESRI ASCII grid or a GeoTIFF"),
            Self::Landscape => Some("name a GeoTIFF with the bands of a landscape, or an .lcp of FARSITE"),
            Self::Models => Some("name an .fmd file of FARSITE"),
            Self::Places => Some("name a GeoJSON file"),
            Self::Table => Some("name a CSV file"),
            Self::Network => Some("name a TOML file that describes a network"),
            Self::Rules => Some("name a rule file of CD++"),
            Self::Named => Some(BESIDE),
            Self::Events => Some("name a file of events of CD++"),
            Self::Map => Some("name a .map file of the Moving AI benchmarks"),
            Self::Scenarios => Some("name a .scen file of the Moving AI benchmarks"),
            Self::Result => Some("name what tickless torus, network, phold, search or cells wrote with --format json"),
            Self::Input => None,
        }
    }
}

fn refused(kind: ErrorKind, reason: &str, advice: Option<&str>) -> io::Error {
    io::Error::new(kind, advice.map_or(reason.to_owned(), |advice| format!("{reason}; {advice}")))
}

/// Opens a file to read it. The error says what to do, and its text goes behind the path.
///
/// # Errors
/// A missing file, a folder, a file without permission to read.
pub fn open(path: &Path, advice: Option<&str>) -> io::Result<File> {
    let fail = |error: io::Error| match error.kind() {
        ErrorKind::NotFound => {
            let relative = |advice| if advice == BESIDE { BESIDE.into() } else { format!("{advice} ({RELATIVE})") };
            let advice = advice.map(relative);
            refused(error.kind(), "there is no such file", advice.as_deref())
        }
        ErrorKind::PermissionDenied => {
            let other = "allow it, as with chmod u+r, or name another file";
            refused(error.kind(), &format!("it may not be read ({error})"), Some(other))
        }
        kind => refused(kind, &error.to_string(), advice),
    };
    let file = File::open(path).map_err(fail)?;
    if file.metadata().map_err(fail)?.is_dir() {
        return Err(refused(ErrorKind::IsADirectory, "it is a folder", advice));
    }
    Ok(file)
}

/// The text of a file.
///
/// # Errors
/// As [`bytes`]; a file that is no text, by its format where that is known.
pub fn text(path: &Path, kind: Kind) -> io::Result<String> {
    bytes_of_text(path, kind).and_then(|bytes| decoded(bytes, kind))
}

/// The contents of a file whose first bytes are those of a text.
///
/// # Errors
/// As [`text`].
pub fn bytes_of_text(path: &Path, kind: Kind) -> io::Result<Vec<u8>> {
    read(path, kind, |first| {
        let other = format::other_than_text(first).filter(|format| !is_latin(format, kind));
        other.map_or(Ok(()), |format| Err(not_text(format, kind)))
    })
}

/// The contents of a file.
///
/// # Errors
/// As [`open`]; a file larger than its kind may be, or than the memory.
pub fn bytes(path: &Path, kind: Kind) -> io::Result<Vec<u8>> {
    read(path, kind, |_| Ok(()))
}

/// The text of a file's contents.
///
/// # Errors
/// Contents that are no text, by their format where that is known.
pub fn as_text(bytes: &[u8], kind: Kind) -> io::Result<&str> {
    let first = &bytes[..bytes.len().min(FIRST as usize)];
    if let Some(format) = format::other_than_text(first) {
        return Err(not_text(format, kind));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| not_text(format::of(bytes), kind))?;
    says_something(text, kind)?;
    Ok(text)
}

fn says_something(text: &str, kind: Kind) -> io::Result<()> {
    if kind.says_something() && text.trim().is_empty() {
        return Err(refused(ErrorKind::InvalidData, "it is empty", kind.advice()));
    }
    Ok(())
}

/// Reads a file to its end, if its first bytes are right.
fn read(path: &Path, kind: Kind, first: impl Fn(&[u8]) -> io::Result<()>) -> io::Result<Vec<u8>> {
    if is_named_pipe(path) {
        let reason = "it is a named pipe, and nobody may ever write to it";
        return Err(refused(
            ErrorKind::InvalidInput,
            reason,
            Some("write what comes out of it to a file, and name that"),
        ));
    }
    let mut file = open(path, kind.advice())?;
    let (most, long) = (kind.most(), file.metadata()?.len());
    let mut bytes = vec![];
    let fail = |error: io::Error| match error.kind() {
        ErrorKind::OutOfMemory => refused(error.kind(), "there is no memory for its text", Some("give a smaller one")),
        _ => refused(error.kind(), &format!("it cannot be read to its end ({error})"), None),
    };
    file.by_ref().take(FIRST).read_to_end(&mut bytes).map_err(fail)?;
    first(&bytes)?;
    // A file whose size is known to be too large is not read.
    if long <= most {
        file.take(most + 1 - bytes.len() as u64).read_to_end(&mut bytes).map_err(fail)?;
    }
    if long > most || bytes.len() as u64 > most {
        let reason = format!("it is longer than {} MiB, the most that is read of such a file", most >> 20);
        return Err(refused(ErrorKind::FileTooLarge, &reason, Some("give a smaller one")));
    }
    Ok(bytes)
}

/// The text of some bytes.
///
/// # Errors
/// Bytes that are no text, or an empty text where the kind needs one.
pub fn decoded(bytes: Vec<u8>, kind: Kind) -> io::Result<String> {
    let text = String::from_utf8(bytes).or_else(|error| {
        let format = format::of(error.as_bytes());
        let latin = || error.as_bytes().iter().map(|byte| char::from(*byte)).collect();
        if is_latin(&format, kind) { Ok(latin()) } else { Err(not_text(format, kind)) }
    })?;
    says_something(&text, kind)?;
    Ok(text)
}

/// A text without the mark (U+FEFF) with which some programs begin a text.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Whether a text that is not UTF-8 is read as Latin-1.
fn is_latin(format: &format::Format, kind: Kind) -> bool {
    kind.may_be_latin() && matches!(format, format::Format::Foreign(_, 0x80..))
}

fn not_text(format: format::Format, kind: Kind) -> io::Error {
    let remedy = format.remedy(kind);
    refused(ErrorKind::InvalidData, &format.to_string(), remedy.as_deref().or(kind.advice()))
}

/// Whether the path is a named pipe in a folder. A pipe of the shell has no name, and a program writes to it.
#[cfg(unix)]
fn is_named_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    let is_pipe = |path: &Path| std::fs::metadata(path).is_ok_and(|data| data.file_type().is_fifo());
    is_pipe(path) && path.canonicalize().is_ok_and(|path| is_pipe(&path))
}

#[cfg(not(unix))]
fn is_named_pipe(_: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests;
