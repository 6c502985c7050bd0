//! Tables of several columns, which grow with their cells, and names that fit into them.

use std::collections::HashSet;
use std::ffi::OsString;

use super::Table;
use tickless_core::number::acts;

/// The most characters of a name in a table.
const LONGEST_NAME: usize = 24;
/// The same of what texts do not have in common, if it still differs then.
const LONGEST_APART: usize = 40;
/// The fewest characters in common that are cut.
const SHORTEST_CUT: usize = 6;

/// Rows of cells: the first to the left of its column, the others to the right, with a blank or more between any two.
pub struct Columns {
    /// The width of each column, without the blank before it.
    widths: Vec<usize>,
    rows: Vec<Row>,
}

enum Row {
    /// The headings of the columns.
    Heads(Vec<String>),
    Cells(Vec<String>),
    /// A line across the columns.
    Line(String),
}

impl Columns {
    /// Columns of at least these widths.
    pub fn new(least: &[usize]) -> Self {
        Self { widths: least.to_vec(), rows: vec![] }
    }

    /// Characters of a line of all columns.
    pub fn width(&self) -> usize {
        self.widths.iter().map(|width| width + 1).sum()
    }

    /// The row of headings.
    ///
    /// # Panics
    /// With more cells than columns.
    pub fn heads(&mut self, cells: impl IntoIterator<Item = impl AsRef<str>>) {
        let cells = self.fitted(cells.into_iter().map(|cell| cell.as_ref().to_owned()).collect());
        self.rows.push(Row::Heads(cells));
    }

    /// A row. Cells that are missing at its end are empty.
    ///
    /// # Panics
    /// With more cells than columns.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let cells = self.fitted(cells.into_iter().collect());
        self.rows.push(Row::Cells(cells));
    }

    /// Makes the columns as wide as these cells.
    fn fitted(&mut self, cells: Vec<String>) -> Vec<String> {
        assert!(cells.len() <= self.widths.len(), "{} cells in {} columns", cells.len(), self.widths.len());
        for (width, cell) in self.widths.iter_mut().zip(&cells) {
            *width = (*width).max(cell.chars().count());
        }
        cells
    }

    /// A line across the columns, or an empty one.
    pub fn line(&mut self, text: impl Into<String>) {
        self.rows.push(Row::Line(text.into()));
    }

    /// Writes all rows, two blanks further in.
    pub fn write(&self, table: &mut Table) {
        for row in &self.rows {
            let indented = |text: &str| format!("  {text}").trim_end().to_owned();
            match row {
                Row::Heads(cells) => table.heading(indented(&self.aligned(cells))),
                Row::Cells(cells) => table.line(indented(&self.aligned(cells))),
                Row::Line(text) => table.line(indented(text)),
            };
        }
    }

    fn aligned(&self, cells: &[String]) -> String {
        let place = |(column, (width, cell)): (usize, (&usize, &String))| match column {
            0 => format!("{cell:<width$}"),
            _ => format!(" {cell:>width$}"),
        };
        self.widths.iter().zip(cells).enumerate().map(place).collect()
    }
}

/// The text with its control characters written out, so that a terminal shows them instead of acting on them.
pub fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if acts(c) { shown.extend(c.escape_debug()) } else { shown.push(c) }
    }
    shown
}

/// A text with its line breaks, which were its author's layout, as spaces.
pub fn one_line(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A text in which the user's words have their control characters escaped: none of them is layout.
pub fn with_escapes(text: &str, typed: &[OsString]) -> String {
    let mut text = text.to_owned();
    for word in typed.iter().map(|word| word.to_string_lossy()) {
        // An option and its value, a list, a law with its parameters: a message may repeat a part.
        for part in std::iter::once(word.as_ref()).chain(word.split(['=', ',', ':', '@'])) {
            let shown = escaped(part);
            if shown != part {
                text = text.replace(part, &shown);
            }
        }
    }
    text
}

/// A name as a table shows it: escaped, and without its middle if it is long, as names often differ at their ends. Other outputs have it in
/// full.
pub fn name(text: &str) -> String {
    without_middle(&escaped(text), LONGEST_NAME)
}

/// The beginning and the end of a text of more characters than these.
pub fn without_middle(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let (begin, end) = (most / 2, (most - 1) / 2);
    text.chars().take(begin).chain(['…']).chain(text.chars().skip(count - end)).collect()
}

/// Texts for a table, escaped. If one is long, all are without the words that they begin and end with alike.
pub fn apart(all: &[&str]) -> Vec<String> {
    let all: Vec<String> = all.iter().map(|text| escaped(text)).collect();
    let is_long = |text: &String| text.chars().count() > LONGEST_NAME;
    let differ = all.iter().any(|text| *text != all[0]);
    if !differ || !all.iter().any(is_long) {
        return all.iter().map(|text| without_middle(text, LONGEST_NAME)).collect();
    }
    let texts: Vec<Vec<char>> = all.iter().map(|text| text.chars().collect()).collect();
    let shortest = texts.iter().map(Vec::len).min().unwrap_or(0);
    let ends = |c: &char| !c.is_alphanumeric() && !":.-_+".contains(*c);
    let alike = |of: &dyn Fn(usize, &[char]) -> char, most: usize| {
        let same = (0..most).take_while(|place| texts.iter().all(|text| of(*place, text) == of(*place, &texts[0])));
        let same = same.count();
        // Whole words.
        let words = (0..same).rev().find(|place| ends(&of(*place, &texts[0]))).map_or(0, |place| place + 1);
        if words < SHORTEST_CUT { 0 } else { words }
    };
    let begin = alike(&|place, text| text[place], shortest);
    let end = alike(&|place, text| text[text.len() - 1 - place], shortest - begin);
    let dots = |cut: usize| if cut > 0 { "…" } else { "" };
    let middle = |text: &Vec<char>| text[begin..text.len() - end].iter().collect::<String>();
    let found: Vec<String> = texts.iter().map(|text| format!("{}{}{}", dots(begin), middle(text), dots(end))).collect();
    let count = |all: &[String]| all.iter().collect::<HashSet<_>>().len();
    let cut: Vec<String> = found.iter().map(|text| without_middle(text, LONGEST_APART)).collect();
    if count(&cut) == count(&found) { cut } else { found }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blank_is_between_any_two_columns() {
        let mut columns = Columns::new(&[4, 3, 3]);
        columns.row(["name", "one", "two"].map(str::to_owned));
        columns.row(["registration", "123456789", "1234567"].map(str::to_owned));
        columns.line("across");
        columns.row(["b".to_owned()]);
        let mut table = Table::default();
        columns.write(&mut table);
        let expected = "  name               one     two\n  registration 123456789 1234567\n  across\n  b\n";
        assert_eq!(table.finish(), expected);
    }

    #[test]
    fn names_are_escaped_and_cut() {
        for (given, shown) in [
            ("x-ray", "x-ray"),
            ("Empfang \"Süd\" it's", "Empfang \"Süd\" it's"),
            ("a\nb\tc", "a\\nb\\tc"),
            ("\u{1b}[31mred", "\\u{1b}[31mred"),
            ("\u{202e}x\u{9b}", "\\u{202e}x\\u{9b}"),
            ("123456789012345678901234", "123456789012345678901234"),
            ("1234567890123456789012345", "123456789012…56789012345"),
        ] {
            assert_eq!(name(given), shown);
        }
    }

    #[test]
    fn long_texts_show_what_differs() {
        let failures = |up: &str| format!("{{ use = \"exponential:{up}\", down = \"exponential:30\" }}");
        let all = [failures("60"), failures("600"), failures("6000")];
        let shown = apart(&all.each_ref().map(String::as_str));
        assert_eq!(shown, ["…exponential:60…", "…exponential:600…", "…exponential:6000…"]);
        assert_eq!(apart(&["exponential:60", "exponential:600"]), ["exponential:60", "exponential:600"]);
        let lists = [1, 2].map(|end| format!("[{end}, {}, {end}]", "5".repeat(50)));
        let shown = apart(&lists.each_ref().map(String::as_str));
        assert!(shown[0] != shown[1] && shown.iter().all(|text| text.chars().count() == 40), "{shown:?}");
        // What does not differ is cut.
        assert_eq!(apart(&["1234567890123456789012345"; 2]), ["123456789012…56789012345"; 2]);
        assert_eq!(apart(&["a\tb, 1234567890123456789012345", "a\tb, "]), ["…1234567890123456789012345", "…"]);
        assert_eq!(apart(&[]), [""; 0]);
    }
}
