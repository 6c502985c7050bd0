//! Results as text for people: one value a line, numbers in groups of three.

mod columns;
mod paths;

use std::fmt::Write as _;
pub(crate) use tickless_core::number::grouped;

use anstyle::Style;

use super::terminal::{self, BAD, HEADING};
pub use columns::{Columns, apart, escaped, name, one_line, with_escapes, without_middle};
pub use paths::{path_in_words, words_of};
use tickless_core::number::named;

/// Lines of a name and a value.
#[derive(Default)]
pub struct Table {
    text: String,
    has_colours: bool,
    /// The columns of the terminal that shows it.
    columns: Option<usize>,
}

impl Table {
    /// For standard output.
    pub fn shown() -> Self {
        Self { text: String::new(), has_colours: terminal::has_colours(), columns: terminal::columns() }
    }

    /// The columns of the terminal that shows it, if any: drawings for terminals have no place in a file.
    pub fn columns(&self) -> Option<usize> {
        self.columns
    }

    /// A line that stands out.
    pub fn styled(&mut self, style: Style, text: impl AsRef<str>) -> &mut Self {
        let text = text.as_ref();
        let blanks = text.len() - text.trim_start().len();
        let (blanks, words) = text.split_at(blanks);
        if self.has_colours { self.line(format!("{blanks}{style}{words}{style:#}")) } else { self.line(text) }
    }

    /// A line above others.
    pub fn heading(&mut self, text: impl AsRef<str>) -> &mut Self {
        self.styled(HEADING, text)
    }

    /// A row that must not be overlooked.
    pub fn alarm(&mut self, name: &str, value: impl AsRef<str>) -> &mut Self {
        self.styled(BAD, format!("  {name:<16} {}", value.as_ref()))
    }

    /// A line; further lines of the value are indented below it.
    pub fn row(&mut self, name: &str, value: impl AsRef<str>) -> &mut Self {
        for (line, text) in value.as_ref().lines().enumerate() {
            let name = if line == 0 { name } else { "" };
            let _ = writeln!(self.text, "  {name:<16} {text}");
        }
        self
    }

    /// An empty line.
    pub fn gap(&mut self) -> &mut Self {
        self.text.push('\n');
        self
    }

    /// A line of its own.
    pub fn line(&mut self, text: impl AsRef<str>) -> &mut Self {
        self.text.push_str(text.as_ref());
        self.gap()
    }

    pub fn finish(&mut self) -> String {
        std::mem::take(&mut self.text)
    }
}

/// The number of replications, and the first number if it is not 0.
pub fn counted_from(count: u64, first: u32) -> String {
    let from = if first > 0 { format!(", from number {} on", grouped(first.into())) } else { String::new() };
    format!("{}{from}", grouped(count))
}

/// `1 event` and `1,234 events`.
pub fn counted(number: u64, what: &str) -> String {
    format!("{} {}", grouped(number), named(number, what))
}

/// Three significant digits, and a prefix.
pub fn rate(per_second: f64) -> String {
    let (value, prefix) = match per_second {
        x if x >= 1e9 => (x / 1e9, " G"),
        x if x >= 1e6 => (x / 1e6, " M"),
        x if x >= 1e3 => (x / 1e3, " k"),
        x => (x, ""),
    };
    format!("{}{prefix}", three(value))
}

/// A span of wall-clock time.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        s if s >= 3600.0 => format!("{:.0} h {:02.0} min", (s / 3600.0).floor(), (s % 3600.0 / 60.0).floor()),
        s if s >= 60.0 => format!("{:.0} min {:02.0} s", (s / 60.0).floor(), (s % 60.0).floor()),
        s if s >= 0.9995 => format!("{} s", three(s)),
        s if s >= 0.9995e-3 => format!("{} ms", three(s * 1e3)),
        s => format!("{} us", three(s * 1e6)),
    }
}

/// Three significant digits; below a tenth without trailing zeros.
pub fn three(value: f64) -> String {
    if value > 0.0 && value < 0.1 {
        return significant(value, 3);
    }
    let decimals = if value >= 100.0 { 0 } else { 2 - usize::from(value >= 10.0) };
    format!("{value:.decimals$}")
}

/// Five significant digits, without trailing zeros.
pub fn short(value: f64) -> String {
    significant(value, 5)
}

/// The same of a share: one that is nearly all does not look like all.
pub fn share(value: f64) -> String {
    let shown = short(value);
    if value < 1.0 && shown == "1" { value.to_string() } else { shown }
}

/// So many digits that count, without idle zeros: `0.0012346` and `1234567`, but `1.2346e-5` and `1.2346e7`.
pub fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".into() } else { value.to_string() };
    }
    let idle = |text: &str| {
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text.to_owned() }
    };
    let text = format!("{value:.*e}", digits - 1);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    match exponent.parse::<i32>() {
        Ok(exponent @ -4..=6) => {
            let decimals = usize::try_from(digits as i32 - 1 - exponent).unwrap_or(0);
            idle(&format!("{value:.decimals$}"))
        }
        _ => format!("{}e{exponent}", idle(mantissa)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        let cases = [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (100_000, "100,000")];
        for (number, text) in cases {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn one_of_them_is_singular() {
        assert_eq!([0, 1, 1000].map(|n| counted(n, "event")), ["0 events", "1 event", "1,000 events"]);
    }

    #[test]
    fn rates_and_spans_have_three_digits() {
        assert_eq!([0.0, 12.34, 1234.0, 4.5e7, 2.14e9].map(rate), ["0.00", "12.3", "1.23 k", "45.0 M", "2.14 G"]);
        let spans = [2e-5, 0.0123, 0.9999, 1.5, 75.0, 7500.0].map(seconds);
        assert_eq!(spans, ["20.0 us", "12.3 ms", "1.00 s", "1.50 s", "1 min 15 s", "2 h 05 min"]);
    }

    #[test]
    fn values_drop_idle_zeros() {
        assert_eq!([1.0, 0.25, 0.900001, 100.0, 0.0].map(short), ["1", "0.25", "0.9", "100", "0"]);
        assert_eq!([1.0, 0.25, 0.9999999].map(share), ["1", "0.25", "0.9999999"]);
    }

    #[test]
    fn small_and_large_values_keep_their_digits() {
        let small = [0.123_456_7, 0.000_123_456, 0.000_012_345_6, -2.5e-9, 0.999_999].map(short);
        assert_eq!(small, ["0.12346", "0.00012346", "1.2346e-5", "-2.5e-9", "1"]);
        let large = [1234.567, 99_999.96, 1_234_567.8, 12_345_678.0, 1e300, 120_000.0].map(short);
        assert_eq!(large, ["1234.6", "100000", "1234568", "1.2346e7", "1e300", "120000"]);
        assert_eq!([1.234e-5, 0.012_345, 0.5, 12.34].map(three), ["1.23e-5", "0.0123", "0.50", "12.3"]);
        assert_eq!([0.05, 0.000_012_3].map(rate), ["0.05", "1.23e-5"]);
    }
}
