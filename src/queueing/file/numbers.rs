//! Laws whose numbers are in tables of their own.

use std::borrow::Cow;
use std::fmt::Write;
use std::path::Path;

use super::durations::in_time_units;
use super::{FileError, traces};
use tickless_core::number::Written;
use tickless_core::reading::{self, Kind};

/// The ending of the names of such tables.
pub(super) const ENDING: &str = ".csv";

/// The text of a network file with the numbers of the tables that its laws name: `empirical:FILE.csv`, a sample a row, becomes
/// `samples:...`, and `histogram:FILE.csv`, an edge and a weight a row and the last edge, becomes `histogram:...`. A first row
/// without numbers is a heading. In `trace = "FILE.csv"` the table replaces the name. Paths start at `folder`. Times with units become
/// numbers.
///
/// # Errors
/// A table that cannot be read, with the line that names it.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// let text = "station = [{ name = 'desk', service = 'gamma:2,3' }]";
/// assert_eq!(tickless::queueing::with_numbers(text, std::path::Path::new("")).unwrap(), text);
/// let error = tickless::queueing::with_numbers("a = 'empirical:none.csv'", std::path::Path::new("")).unwrap_err();
/// assert!(error.to_string().starts_with("line 1: none.csv: "));
/// ```
pub fn with_numbers<'a>(text: &'a str, folder: &Path) -> Result<Cow<'a, str>, FileError> {
    if !text.contains(ENDING) {
        return in_time_units(text);
    }
    let mut whole = String::with_capacity(text.len());
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let fault = |fault| FileError { line: number + 1, fault, mark: None };
        let mut rest = line;
        while let Some(place) = rest.find(['"', '\'', '#']) {
            let (before, quoted) = rest.split_at(place);
            whole.push_str(before);
            let quote = &quoted[..1];
            let end = if quote == "#" { None } else { quoted[1..].find(quote) };
            let Some(end) = end else {
                rest = quoted;
                break;
            };
            let said = &quoted[1..=end];
            if is_trace(&whole) && traces::is_file(said) {
                whole.push_str(&trace(said, folder).map_err(fault)?);
            } else {
                let law = numbers(said, folder).map_err(fault)?;
                let _ = write!(whole, "{quote}{}{quote}", law.as_deref().unwrap_or(said));
            }
            rest = &quoted[end + 2..];
        }
        whole.push_str(rest);
    }
    Ok(in_time_units(&whole)?.into_owned().into())
}

/// Whether the value behind a text is that of the key `trace`.
fn is_trace(before: &str) -> bool {
    let key = before.trim_end().strip_suffix('=').map(str::trim_end);
    let rest = key.and_then(|key| key.strip_suffix("trace"));
    rest.is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric() || "_-".contains(c)))
}

/// A table of arrivals as a text of TOML in quotes.
fn trace(file: &str, folder: &Path) -> Result<String, String> {
    let text = reading::text(&folder.join(file), Kind::Named).map_err(|error| format!("{file}: {error}"))?;
    let text = reading::without_mark(&text);
    traces::check(text).map_err(|fault| format!("{file}, {fault}"))?;
    Ok(quoted(text))
}

/// A text of TOML in quotes.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        let _ = match c {
            '"' | '\\' => write!(quoted, "\\{c}"),
            '\n' => write!(quoted, "\\n"),
            c if c.is_control() => write!(quoted, "\\u{:04X}", u32::from(c)),
            c => write!(quoted, "{c}"),
        };
    }
    quoted.push('"');
    quoted
}

/// The law with its numbers, where a text is a law that names a table.
fn numbers(said: &str, folder: &Path) -> Result<Option<String>, String> {
    let Some((name, file)) = said.split_once(':').filter(|(_, file)| file.ends_with(ENDING)) else { return Ok(None) };
    let name = match name.trim() {
        "empirical" => "samples",
        "histogram" => "histogram",
        _ => return Ok(None),
    };
    let file = file.trim();
    let text = reading::text(&folder.join(file), Kind::Named).map_err(|error| format!("{file}: {error}"))?;
    let columns = if name == "samples" { 1 } else { 2 };
    let rows = rows(&text, columns).map_err(|fault| format!("{file}, {fault}"))?;
    let mut law = format!("{name}:");
    for (place, row) in rows.iter().enumerate() {
        let weight = row.get(1).map(|weight| format!("*{}", Written(*weight))).unwrap_or_default();
        let _ = write!(law, "{}{}{weight}", if place == 0 { "" } else { "," }, Written(row[0]));
    }
    Ok(Some(law))
}

/// The numbers of a table: `columns` a row or, in the last row, one.
fn rows(text: &str, columns: usize) -> Result<Vec<Vec<f64>>, String> {
    let mut reader = csv::ReaderBuilder::new();
    let mut reader = reader.has_headers(false).flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
    let mut rows: Vec<Vec<f64>> = vec![];
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        let line = record.position().map_or(0, csv::Position::line);
        let cells = || record.iter().filter(|cell| !cell.is_empty());
        if rows.is_empty() && line == 1 && cells().all(|cell| cell.parse::<f64>().is_err()) {
            continue;
        }
        let row = cells().map(|cell| cell.parse().map_err(|_| format!("line {line}: '{cell}' is not a number")));
        let row = row.collect::<Result<Vec<f64>, _>>()?;
        if row.is_empty() || row.len() > columns {
            let allowed = if columns == 1 { "one" } else { "an edge and a weight" };
            return Err(format!("line {line}: there are {} numbers; {allowed} a row is allowed", row.len()));
        }
        if rows.last().is_some_and(|last| last.len() < columns) {
            return Err(format!("line {line}: the row before it has no weight; only the last edge has none"));
        }
        rows.push(row);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_put_in_place() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("times.csv"), "minutes\n1.50\n2\n 0.25\n").unwrap();
        std::fs::write(folder.path().join("ages.csv"), "0,3\n10,5\n20\n").unwrap();
        let text =
            "a = 'empirical:times.csv' # 'empirical:none.csv'\nb = [\"histogram:ages.csv\", 'it']\nc = '''x'''\nd = 'é";
        let found = with_numbers(text, folder.path()).unwrap();
        let expected = text.replacen("empirical:times.csv", "samples:1.5,2,0.25", 1);
        assert_eq!(found, expected.replace("histogram:ages.csv", "histogram:0*3,10*5,20"));
    }

    #[test]
    fn traces_are_put_in_place() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("t.csv"), "time,class\r\n0.5,\"a\\\"\n").unwrap();
        let text = "source = [{ name = 't.csv', trace = \"t.csv\" }]\ntrace_of = 't.csv'\n";
        let found = with_numbers(text, folder.path()).unwrap();
        let table = "\"time,class\\u000D\\n0.5,\\\"a\\\\\\\"\\n\"";
        assert_eq!(found, text.replacen("\"t.csv\"", table, 1));
        let read: toml::Table = toml::from_str(&found).unwrap();
        assert_eq!(read["source"][0]["trace"].as_str(), Some("time,class\r\n0.5,\"a\\\"\n"));
        std::fs::write(folder.path().join("t.csv"), "time\n5\n3\n").unwrap();
        let error = with_numbers(text, folder.path()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 1: t.csv, line 3: a time before that of the row above; sort the rows by time"
        );
    }

    #[test]
    fn faults_name_the_line_and_the_row() {
        let folder = tempfile::tempdir().unwrap();
        for (table, fault) in [
            ("1\nx\n", "t.csv, line 2: 'x' is not a number"),
            ("1,2,3\n", "t.csv, line 1: there are 3 numbers; an edge and a weight a row"),
            ("1\n2,3\n", "t.csv, line 2: the row before it has no weight"),
        ] {
            std::fs::write(folder.path().join("t.csv"), table).unwrap();
            let error = with_numbers("\n a = 'histogram:t.csv'", folder.path()).unwrap_err();
            assert!(error.line == 2 && error.fault.starts_with(fault), "{error}");
        }
    }
}
