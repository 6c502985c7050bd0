//! What is wrong with a file of JMT, and where.

use super::xml::{Xml, line, place};

/// A file of JMT that cannot be read, or has what has no equal here.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// let error = tickless::queueing::from_jmt("<archive>\n<sim></archive>").unwrap_err();
/// assert_eq!(error.line, 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {}{fault}", if place.is_empty() { String::new() } else { format!("{place}: ") })]
pub struct JmtError {
    /// The line, from 1 on.
    pub line: usize,
    /// The node, section, parameter and class, as far as there are any.
    pub place: String,
    /// What is wrong there.
    pub fault: JmtFault,
}

/// What is wrong at a place of a file of JMT.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JmtFault {
    /// No XML.
    #[error("it is no XML: {0}")]
    Syntax(String),
    /// Another file.
    #[error("<{0}> is no model of JMT: the root must be an <archive> with a <sim>, or a <sim>")]
    Root(String),
    /// A missing part.
    #[error("it lacks {0}")]
    Missing(String),
    /// A wrong value.
    #[error("'{value}' is wrong; it must be {allowed}")]
    Value {
        /// The value.
        value: String,
        /// What is allowed.
        allowed: String,
    },
    /// A word that JMT may know.
    #[error("the {what} '{name}' is not known; known are {known}")]
    Unknown {
        /// The kind of thing.
        what: &'static str,
        /// The word.
        name: String,
        /// The known ones.
        known: String,
    },
    /// What a network file cannot say.
    #[error("{what} has no equal here: it would need {needs}")]
    NoEqual {
        /// What it is.
        what: String,
        /// What the simulator lacks.
        needs: String,
    },
}

impl JmtFault {
    /// The fault at an element.
    pub(super) fn at(self, element: Xml<'_>) -> JmtError {
        JmtError { line: line(element), place: place(element), fault: self }
    }
}

/// The fault of a part that is not there.
pub(super) fn missing(element: Xml<'_>, what: impl Into<String>) -> JmtError {
    JmtFault::Missing(what.into()).at(element)
}

/// The fault of a part that no network file can say.
pub(super) fn no_equal(element: Xml<'_>, what: impl Into<String>, needs: impl Into<String>) -> JmtError {
    JmtFault::NoEqual { what: what.into(), needs: needs.into() }.at(element)
}

/// The fault of a value.
pub(super) fn wrong(element: Xml<'_>, value: impl Into<String>, allowed: impl Into<String>) -> JmtError {
    JmtFault::Value { value: value.into(), allowed: allowed.into() }.at(element)
}
