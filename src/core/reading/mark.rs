//! A place in a text, as messages show it.

use std::fmt;
use std::iter::once;

/// The most characters of a long line that are shown on each side of the place.
const BESIDE: usize = 60;

/// A line with a caret below one of its characters.
///
/// ```
/// use tickless::queueing::Network;
/// let error = Network::from_toml("until = 5\nseed\n").unwrap_err();
/// assert_eq!(error.mark.unwrap().to_string(), "  seed\n      ^");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The text of the line.
    pub text: String,
    /// The character in the line, from 1.
    pub column: usize,
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before = self.column.saturating_sub(1);
        let first = before.saturating_sub(BESIDE);
        let shown = |from, to| self.text.chars().skip(from).take(to - from);
        let cut = (first > 0).then_some('…');
        let rest = self.text.chars().nth(before + BESIDE).map(|_| '…');
        let line: String = cut.into_iter().chain(shown(first, before + BESIDE)).chain(rest).collect();
        // A tab stays a tab below a tab, so that the caret is where it should be.
        let below = cut.into_iter().chain(shown(first, before)).map(|c| if c == '\t' { '\t' } else { ' ' });
        // A line that ends before the place is padded.
        let missing = before.saturating_sub(self.text.chars().count());
        let below: String = below.chain(std::iter::repeat_n(' ', missing)).chain(once('^')).collect();
        write!(f, "  {line}\n  {below}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_is_below_the_place() {
        let shown = |text: &str, column| Mark { text: text.into(), column }.to_string();
        assert_eq!(shown("\tä b", 4), "  \tä b\n  \t  ^");
        assert_eq!(shown("ab", 3), "  ab\n    ^");
        assert_eq!(shown("", 1), "  \n  ^");
        let long = shown(&format!("{}!{}", "a".repeat(1000), "b".repeat(1000)), 1001);
        let lines: Vec<&str> = long.lines().collect();
        assert_eq!(lines[0], format!("  …{}!{}…", "a".repeat(60), "b".repeat(59)));
        assert_eq!(lines[1].find('^'), lines[0].find('!').map(|place| place - '…'.len_utf8() + 1));
    }
}
