//! Numbers and characters as messages show them.

use std::fmt;

/// A number in full, with an exponent where it would have many zeros: the text reads back as the same number.
#[derive(Clone, Copy)]
pub struct Written(pub f64);

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size == 0.0 || !size.is_finite() || (1e-7..1e16).contains(&size) {
            fmt::Display::fmt(&self.0, f)
        } else {
            fmt::LowerExp::fmt(&self.0, f)
        }
    }
}

/// Whether a character moves the cursor, changes the direction of writing or has no width: messages show it escaped.
pub fn acts(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// `1234567` as `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3 + 1);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The noun for a number of things: `event` for 1, else `events`, `searches` and `parties`.
pub fn named(number: impl Into<u64>, what: &str) -> String {
    if number.into() == 1 {
        return what.to_owned();
    }
    match what.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'i', 'o', 'u'])) {
        Some(stem) => format!("{stem}ies"),
        None if ["s", "x", "z", "ch", "sh"].iter().any(|end| what.ends_with(end)) => format!("{what}es"),
        None => format!("{what}s"),
    }
}

/// A size in a form that people read.
pub fn bytes(size: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    let mut value = size as f64;
    let mut unit = "bytes";
    for next in UNITS {
        if value < 1024.0 {
            break;
        }
        value /= 1024.0;
        unit = next;
    }
    if unit == "bytes" { format!("{size} bytes") } else { format!("{value:.1} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular() {
        assert_eq!([0_u32, 1, 2].map(|number| named(number, "event")), ["events", "event", "events"]);
        assert_eq!([1_u32, 2].map(|number| named(number, "process")), ["process", "processes"]);
        assert_eq!([1_u32, 2].map(|number| named(number, "search")), ["search", "searches"]);
    }

    #[test]
    fn only_many_zeros_become_an_exponent() {
        let shown = [0.0, -1.0, 0.1, 1e-7, 1e15, 1.5e16, 1e300, -2.5e-9, f64::NAN, f64::NEG_INFINITY]
            .map(|value| Written(value).to_string());
        let expected = ["0", "-1", "0.1", "0.0000001", "1000000000000000", "1.5e16", "1e300", "-2.5e-9", "NaN", "-inf"];
        assert_eq!(shown, expected);
    }
}
