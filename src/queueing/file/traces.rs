//! Traces of arrivals as tables.

use csv::StringRecord;

use super::numbers::ENDING;

/// Whether a text is the name of a table, not the table itself.
pub(super) fn is_file(text: &str) -> bool {
    text.ends_with(ENDING) && !text.contains('\n')
}

/// The columns of a trace.
const COLUMNS: [&str; 3] = ["time", "class", "batch"];

/// When tokens come, of which class if the table has classes, and how many.
pub(super) struct Row {
    pub(super) time: f64,
    pub(super) class: Option<String>,
    pub(super) tokens: u32,
    /// By attribute; where there is none it is drawn.
    pub(super) values: Vec<Option<f64>>,
}

/// The places of the columns in a table: of time, class and batch, then of the attributes.
type Places = Vec<Option<usize>>;

/// Whether a table has rows, whatever attributes the network has.
///
/// # Errors
/// The fault, with its line in the table.
pub(super) fn check(text: &str) -> Result<(), String> {
    let heading = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let names = heading.split(',').map(|name| name.trim().trim_matches('"'));
    let is_other = |name: &&str| !COLUMNS.contains(name) && name.parse::<f64>().is_err();
    rows(text, &names.filter(is_other).collect::<Vec<_>>()).map(|_| ())
}

/// The rows of a table with the columns time, class, batch and any attribute: a first row that does not begin with a number names the columns; without
/// such a row they are the first three, in this order.
///
/// # Errors
/// The fault, with its line in the table.
pub(super) fn rows(text: &str, attributes: &[&str]) -> Result<Vec<Row>, String> {
    let mut reader = csv::ReaderBuilder::new();
    let mut reader = reader.has_headers(false).flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
    let (mut rows, mut columns): (_, Option<Places>) = (vec![], None);
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        let line = record.position().map_or(0, csv::Position::line);
        if record.iter().all(str::is_empty) {
            continue;
        }
        let is_heading = record.get(0).is_some_and(|cell| cell.parse::<f64>().is_err());
        let places = match &columns {
            None if is_heading => {
                columns = Some(named(&record, attributes).map_err(|fault| format!("line {line}: {fault}"))?);
                continue;
            }
            None => {
                let unnamed = [Some(0), Some(1), Some(2)].into_iter().chain(attributes.iter().map(|_| None));
                &*columns.insert(unnamed.collect())
            }
            Some(places) => places,
        };
        let row = row(&record, places).map_err(|fault| format!("line {line}: {fault}"))?;
        if rows.last().is_some_and(|before: &Row| before.time > row.time) {
            return Err(format!("line {line}: a time before that of the row above; sort the rows by time"));
        }
        rows.push(row);
    }
    match rows.is_empty() {
        true => Err("there is no row with a time".into()),
        false => Ok(rows),
    }
}

/// The places of the columns in a heading.
fn named(heading: &StringRecord, attributes: &[&str]) -> Result<Places, String> {
    let columns: Vec<&str> = COLUMNS.iter().chain(attributes).copied().collect();
    if let Some(other) = heading.iter().find(|name| !columns.contains(name)) {
        return Err(format!("'{other}' is no column of a trace; it may be {}", columns.join(", ")));
    }
    let places: Places = columns.iter().map(|column| heading.iter().position(|name| name == *column)).collect();
    let is_twice = |(place, name): (usize, &str)| heading.iter().take(place).any(|before| before == name);
    if places[0].is_none() || heading.iter().enumerate().any(is_twice) {
        return Err("the heading must name the column time, and none twice".into());
    }
    Ok(places)
}

fn row(record: &StringRecord, places: &Places) -> Result<Row, String> {
    let most = places.iter().flatten().max().map_or(0, |last| last + 1);
    if record.len() > most {
        return Err(format!("there are {} cells; at most {most} are allowed", record.len()));
    }
    let cell = |column: usize| places[column].and_then(|place| record.get(place)).filter(|cell| !cell.is_empty());
    let time = cell(0).unwrap_or_default();
    let tokens = cell(2).unwrap_or("1");
    let value = |column: usize| {
        let Some(value) = cell(column) else { return Ok(None) };
        let read = value.parse().ok().filter(|value: &f64| *value >= 0.0);
        read.map(Some).ok_or_else(|| format!("'{value}' is no value of 0 or more of an attribute"))
    };
    Ok(Row {
        values: (COLUMNS.len()..places.len()).map(value).collect::<Result<_, String>>()?,
        time: time
            .parse()
            .ok()
            .filter(|time: &f64| *time >= 0.0)
            .ok_or_else(|| format!("'{time}' is no time of 0 or more"))?,
        class: cell(1).map(str::to_owned),
        tokens: tokens
            .parse()
            .ok()
            .filter(|tokens| *tokens > 0)
            .ok_or_else(|| format!("'{tokens}' is no number of tokens from 1 to {}", u32::MAX))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found() {
        let read = |text| {
            let row = |Row { time, class, tokens, .. }| (time, class, tokens);
            rows(text, &[]).map(|rows| rows.into_iter().map(row).collect::<Vec<_>>())
        };
        let expected = vec![(0.5, Some("a".to_owned()), 1), (2.0, None, 3)];
        assert_eq!(read("batch,time,class\n,0.5,a\n3, 2 ,\n"), Ok(expected.clone()));
        assert_eq!(read("0.5,a\n\n2,,3\n  "), Ok(expected));
        for (text, fault) in [
            ("", "there is no row with a time"),
            ("time\n", "there is no row with a time"),
            ("time,kind\n1,a\n", "line 1: 'kind' is no column of a trace; it may be time, class, batch"),
            ("class,batch\na,1\n", "line 1: the heading must name the column time"),
            ("time,time\n1,2\n", "line 1: the heading must name the column time, and none twice"),
            ("time\n1\n-1\n", "line 3: '-1' is no time of 0 or more"),
            ("time\n1\nx\n", "line 3: 'x' is no time of 0 or more"),
            ("time\n1,a\n", "line 2: there are 2 cells; at most 1 are allowed"),
            ("1\n0.5\n", "line 2: a time before that of the row above"),
            ("1,,0\n", "line 1: '0' is no number of tokens from 1 to 4294967295"),
        ] {
            let found = read(text).expect_err(text);
            assert!(found.starts_with(fault), "{found}");
        }
    }
}
