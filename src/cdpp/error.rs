//! Errors of rule files.

use std::fmt;

use super::numerals::FixedError;
use tickless_cells::SpaceError;
use tickless_core::reading::Mark;

/// Why a rule file gives no model.
///
/// ```
/// # use tickless_cdpp::facade as tickless;
/// use tickless::cells::rules::RuleFile;
/// let text = "[top]\ncomponents : life\n[life]\ntype : cells\n";
/// let error = RuleFile::parse(text, "life.ma", |_| None).unwrap_err();
/// assert!(error.to_string().starts_with("life.ma:4:8: the type is 'cells'; 'cell' is allowed, and 'flat'"));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RuleError {
    /// A file that cannot be read.
    #[error("{path} cannot be read: {error}")]
    Read {
        /// The file.
        path: String,
        /// The cause.
        error: std::io::Error,
    },
    /// Something wrong at a place of a file.
    #[error("{}:{}:{}: {fault}\n{at}", at.file, at.line, at.column)]
    Text {
        /// The place.
        at: Box<Location>,
        /// The fault, and what is allowed.
        fault: Box<Fault>,
    },
    /// A number of waiting values that is not allowed.
    #[error("max_waiting is {max_waiting}; it must be from 1 to {most} values that wait")]
    MaxWaiting {
        /// The number asked for.
        max_waiting: usize,
        /// The most.
        most: usize,
    },
    /// Too many waiting values beside the ports and state variables.
    #[error(
        "a cell needs {words} words of state for {ports} ports, {variables} state variables and room for {max_waiting} values \
         that wait; there are 1024: lower max_waiting to {most}, or use fewer ports or variables"
    )]
    Words {
        /// The number asked for.
        max_waiting: usize,
        /// Ports.
        ports: usize,
        /// State variables.
        variables: usize,
        /// The words of all of these.
        words: usize,
        /// The most values beside these ports and variables.
        most: usize,
    },
    /// An invalid space.
    #[error("{file}: {error}")]
    Space {
        /// The file.
        file: String,
        /// The error of the space.
        error: SpaceError,
    },
}

/// A place in a file. It displays as the line with a caret below the place.
///
/// ```
/// # use tickless_cdpp::facade as tickless;
/// use tickless::cells::rules::Location;
/// let place = Location { file: "a.ma".into(), line: 3, column: 2, text: "x y".into() };
/// assert_eq!(place.to_string(), "  x y\n   ^");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The name of the file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// The text of the line.
    pub text: String,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Mark { text: self.text.clone(), column: self.column }.fmt(f)
    }
}

/// A fault at a place of a rule file.
///
/// ```
/// # use tickless_cdpp::facade as tickless;
/// use tickless::cells::rules::Fault;
/// let fault = Fault::Unsupported { what: "the function 'normal'".into(), why: "it is no integer arithmetic".into() };
/// assert_eq!(fault.to_string(), "the function 'normal' is not supported: it is no integer arithmetic");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// Unexpected text.
    #[error("there is {found} where {expected} should be")]
    Syntax {
        /// The text found.
        found: String,
        /// The text expected.
        expected: String,
    },
    /// An unknown name.
    #[error("{what} '{name}' is unknown; {known}")]
    Unknown {
        /// The kind of the name.
        what: String,
        /// The name.
        name: String,
        /// The known names.
        known: String,
    },
    /// A feature of the files' own tool that is not supported here.
    #[error("{what} is not supported: {why}")]
    Unsupported {
        /// The feature.
        what: String,
        /// Why it is not supported, or what to do.
        why: String,
    },
    /// A value that is not allowed.
    #[error("{what} is '{value}'; {allowed}")]
    Value {
        /// The quantity.
        what: String,
        /// The value.
        value: String,
        /// The allowed values.
        allowed: String,
    },
    /// An invalid number.
    #[error("'{text}': {error}")]
    Number {
        /// The text of the number.
        text: String,
        /// Its error.
        error: FixedError,
    },
    /// A part that may be there only once.
    #[error("{what} is given twice (before at line {before}): give it once")]
    Twice {
        /// The part.
        what: String,
        /// The line of the first.
        before: usize,
    },
    /// A missing part of a section.
    #[error("{section} has no '{key}': {example}")]
    Missing {
        /// The section.
        section: String,
        /// The missing part.
        key: String,
        /// An example.
        example: String,
    },
    /// A function with the wrong number of arguments.
    #[error("{function} takes {takes} and has {given}")]
    Arguments {
        /// The function.
        function: String,
        /// The number of arguments it takes.
        takes: String,
        /// The number given.
        given: usize,
    },
    /// A reference to a cell that is not in the neighborhood.
    #[error("the cell {cell} is not among the neighbors: name it in a line 'neighbors : {space}{cell}'")]
    Neighbour {
        /// The reference as written.
        cell: String,
        /// The name of the space.
        space: String,
    },
    /// Too many of a kind.
    #[error("{what} pass the limit of {most}: use fewer")]
    Many {
        /// The kind.
        what: String,
        /// The most allowed.
        most: usize,
    },
    /// Too many ports and state variables.
    #[error(
        "a cell needs {words} words of state for {ports} ports and {variables} state variables, with room for what waits; \
         there are {most}: use fewer ports or variables"
    )]
    Words {
        /// Ports.
        ports: usize,
        /// State variables.
        variables: usize,
        /// The words of all of these.
        words: usize,
        /// The most words.
        most: usize,
    },
    /// A file or a macro that is part of itself.
    #[error("{what} '{name}' is part of itself")]
    Cycle {
        /// The kind: a file, a macro, a section.
        what: String,
        /// Its name.
        name: String,
    },
    /// A file that is missing or no text.
    #[error("the file '{name}' cannot be read: {why}")]
    File {
        /// Its name.
        name: String,
        /// The cause, and what to do.
        why: String,
    },
}
