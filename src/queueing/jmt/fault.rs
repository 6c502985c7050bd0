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
#[error("line {line}: {place}{}{fault}", if place.is_empty() { "" } else { ": " })]
pub struct JmtError {
    /// The line, from 1 on.
    pub line: usize,
    /// The node, section, parameter and class, as far as there are any.
    pub place: String,
    /// What is wrong there, and what is allowed or needed.
    pub fault: String,
}

/// A fault at an element.
pub(super) fn fault(element: Xml<'_>, fault: impl Into<String>) -> JmtError {
    JmtError { line: line(element), place: place(element), fault: fault.into() }
}

/// A part that is not there.
pub(super) fn missing(element: Xml<'_>, what: impl std::fmt::Display) -> JmtError {
    fault(element, format!("it lacks {what}"))
}

/// A value that is not allowed.
pub(super) fn wrong(element: Xml<'_>, value: impl std::fmt::Display, allowed: impl std::fmt::Display) -> JmtError {
    fault(element, format!("'{value}' is wrong; it must be {allowed}"))
}

/// A word that JMT may know.
pub(super) fn unknown(element: Xml<'_>, what: &str, name: &str, known: &str) -> JmtError {
    fault(element, format!("the {what} '{name}' is not known; known are {known}"))
}

/// A part that no network file can say, and what that would need.
pub(super) fn no_equal(element: Xml<'_>, what: impl std::fmt::Display, needs: &str) -> JmtError {
    fault(element, format!("{what} has no equal here: it would need {needs}"))
}
