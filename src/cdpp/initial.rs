//! Values of the cells at the start.

use std::collections::HashMap;

use super::cell_space::{CellSpace, number};
use super::error::{Fault, RuleError};
use super::fixed::Fixed;
use super::layers::AXES;
use super::ports::{Declared, check_count};
use super::source::{Columns, Place, Resolver, SourceLine, Sources};
use super::statements::Statement;
use super::tuples::{Start, UNKNOWN};

/// Values at the start: one for all cells, and others for some.
#[derive(Clone, Debug, Default)]
pub(super) struct Initial {
    /// The value of all other cells.
    pub all: Option<Start>,
    /// By row, column, plane and layer.
    pub some: HashMap<[u32; AXES], Start>,
    /// The state variables of every other cell.
    pub variables: Vec<Fixed>,
    /// State variables by row, column, plane and layer.
    pub some_variables: HashMap<[u32; AXES], Vec<Fixed>>,
    /// Remarks about parts that were not read, probably against the author's intention.
    pub remarks: Vec<String>,
}

impl Initial {
    /// The value of a cell.
    pub fn value(&self, cell: [u32; AXES]) -> &Start {
        self.some.get(&cell).or(self.all.as_ref()).unwrap_or(&UNKNOWN)
    }

    /// The number of numbers in the longest tuple.
    pub fn longest(&self) -> usize {
        self.all.iter().chain(self.some.values()).map(Start::size).max().unwrap_or(0)
    }

    /// All numbers.
    pub fn numbers(&self) -> impl Iterator<Item = Fixed> + '_ {
        let variables = self.variables.iter().chain(self.some_variables.values().flatten());
        self.all.iter().chain(self.some.values()).flat_map(Start::numbers).chain(variables).copied()
    }

    /// The state variables of a cell.
    pub fn variables(&self, cell: [u32; AXES]) -> &[Fixed] {
        self.some_variables.get(&cell).unwrap_or(&self.variables)
    }
}

/// The statements on values at the start, in the order in which CD++ reads them: later ones win.
const ORDER: [&str; 6] =
    ["initialvalue", "initialrow", "initialrowvalue", "initialcellsvalue", "initialmapvalue", "initialvariablesvalue"];

/// Reads the statements on values at the start. Of repeated ones that may be there once the first counts.
pub(super) fn initial(
    sources: &mut Sources,
    space: &CellSpace,
    declared: &Declared,
    files: &mut Resolver,
) -> Result<Initial, RuleError> {
    let CellSpace { size, dimensions, .. } = *space;
    let mut found = Initial { variables: declared.starts.clone(), ..Initial::default() };
    let often = |key: &str| key.starts_with("initialrow");
    let of = |key: &&'static str| {
        let all = space.initial.iter().filter(|s| s.key == **key);
        all.take(if often(key) { usize::MAX } else { 1 })
    };
    for statement in ORDER.iter().flat_map(of) {
        match statement.key.as_str() {
            "initialvalue" => {
                let (text, place) = statement.text();
                let is_tuple = text.starts_with('[');
                let line = SourceLine { place, text };
                found.all = Some(match is_tuple {
                    true => Start::new(sources, &line)?,
                    false => Start::Number(number(sources, &line.text, place)?),
                });
            }
            "initialrowvalue" | "initialrow" => row(sources, statement, size, dimensions, &mut found)?,
            key => {
                let (name, place) = statement.text();
                let name = name.trim_matches('"').to_owned();
                let missing = |why| sources.fail(place, Fault::File { name: name.clone(), why });
                let text = files(&name).map_err(missing)?;
                let start = sources.add(&name, &text);
                let mut lines = sources.lines(start);
                // CD++ reads such a file up to its last line break.
                let cut = lines.pop_if(|_| key != "initialmapvalue" && !text.ends_with('\n'));
                if let Some(cut) = cut.filter(|line| line.text.contains('=')) {
                    let line = sources.line(cut.place);
                    let end = "has no line break at its end and is not read, as in CD++: end it with one";
                    found.remarks.push(format!("{name}:{line}: the line '{}' {end}", cut.text.trim()));
                }
                match key {
                    "initialmapvalue" => map(sources, &lines, place, size, &mut found)?,
                    "initialvariablesvalue" => {
                        variables(sources, &lines, size, dimensions, &declared.variables, &mut found)?;
                    }
                    _ => cells(sources, &lines, size, dimensions, &mut found)?,
                }
            }
        }
    }
    Ok(found)
}

/// `initialrowvalue : ROW DIGITS` or `initialrow : ROW VALUE VALUE ...`.
fn row(
    sources: &Sources,
    statement: &Statement,
    [rows, columns, ..]: [u32; AXES],
    dimensions: usize,
    found: &mut Initial,
) -> Result<(), RuleError> {
    if dimensions > 2 {
        let (what, why) = (format!("'{}' in more than two dimensions", statement.key), "use initialCellsValue".into());
        return Err(sources.fail(statement.place, Fault::Unsupported { what, why }));
    }
    let words = statement.words();
    let Some(first) = words.first() else {
        let expected = "a row and its values".into();
        return Err(sources.fail(statement.place, Fault::Syntax { found: "nothing".into(), expected }));
    };
    let row = first.text.parse::<u32>().ok().filter(|row| *row < rows).ok_or_else(|| {
        let allowed = format!("rows are numbered from 0 to {}", i64::from(rows) - 1);
        sources.fail(first.place, Fault::Value { what: "the row".into(), value: first.text.clone(), allowed })
    })?;
    let values: Vec<SourceLine> = if statement.key == "initialrow" {
        words[1..].to_vec()
    } else {
        let digits = |word| {
            let mut columns = Columns::new(word);
            word.text.char_indices().map(move |(at, c)| columns.part(at, at + c.len_utf8()))
        };
        words[1..].iter().flat_map(digits).collect()
    };
    if values.len() as u64 != u64::from(columns) {
        let (what, value) = ("the number of values in the row".into(), values.len().to_string());
        let allowed = format!("a row has {columns} cells");
        return Err(sources.fail(words.get(1).unwrap_or(first).place, Fault::Value { what, value, allowed }));
    }
    let digits = statement.key == "initialrowvalue";
    for (column, value) in values.iter().enumerate() {
        // In CD++ a character that is no digit is `?`.
        let is_unknown = digits && !value.text.starts_with(|c: char| c.is_ascii_digit());
        let number = if is_unknown { Fixed::UNDEFINED } else { number(sources, &value.text, value.place)? };
        found.some.insert([row, column as u32, 0, 0], Start::Number(number));
    }
    Ok(())
}

/// Lines `(row,column)=value`. Other lines are notes.
fn cells(
    sources: &Sources,
    lines: &[SourceLine],
    size: [u32; AXES],
    dimensions: usize,
    found: &mut Initial,
) -> Result<(), RuleError> {
    for line in lines.iter().filter(|line| line.text.contains('=')) {
        let Some((cell, value)) = cell(sources, line, size, dimensions)? else { continue };
        // CD++ does not read what follows.
        found.some.insert(cell, Start::new(sources, &value)?);
    }
    Ok(())
}

/// Lines `(row,column)=value value ...`, a value for each state variable.
fn variables(
    sources: &Sources,
    lines: &[SourceLine],
    size: [u32; AXES],
    dimensions: usize,
    names: &[String],
    found: &mut Initial,
) -> Result<(), RuleError> {
    for line in lines.iter().filter(|line| line.text.contains('=')) {
        let Some((cell, values)) = cell(sources, line, size, dimensions)? else { continue };
        let place = values.place;
        let words = Statement { key: String::new(), place, value: vec![values] }.words();
        check_count(sources, place, words.len(), names)?;
        let values: Result<_, _> = words.iter().map(|word| number(sources, &word.text, word.place)).collect();
        found.some_variables.insert(cell, values?);
    }
    Ok(())
}

/// The cell of a line `(row,column)=...`, and the text after the sign; `None` where the space does not have the cell: CD++
/// leaves such lines out.
fn cell(
    sources: &Sources,
    line: &SourceLine,
    size: [u32; AXES],
    dimensions: usize,
) -> Result<Option<([u32; AXES], SourceLine)>, RuleError> {
    let wrong =
        |found: String, expected: &str| sources.fail(line.place, Fault::Syntax { found, expected: expected.into() });
    let Some((cell, value)) = line.text.split_once('=') else {
        let found = super::cell_space::first_word(&line.text);
        return Err(wrong(found, "'(ROW,COLUMN)=VALUE'"));
    };
    let inner = cell.trim().strip_prefix('(').and_then(|c| c.strip_suffix(')')).unwrap_or("");
    let parts: Option<Vec<u32>> = inner.split(',').map(|part| part.trim().parse().ok()).collect();
    let Some(parts) = parts.filter(|parts| parts.len() == dimensions) else {
        return Err(wrong(format!("'{}'", cell.trim()), "a cell with as many coordinates as the space has"));
    };
    let mut full = [0; AXES];
    full.iter_mut().zip(parts).for_each(|(to, from)| *to = from);
    if (0..AXES).any(|axis| full[axis] >= size[axis]) {
        return Ok(None);
    }
    let at = line.text.len() - value.trim_start().len();
    Ok(Some((full, line.part(at, line.text.len()))))
}

/// Values of all cells; the last coordinate runs fastest.
fn map(
    sources: &Sources,
    lines: &[SourceLine],
    place: Place,
    size: [u32; AXES],
    found: &mut Initial,
) -> Result<(), RuleError> {
    let cells: u64 = size.iter().map(|along| u64::from(*along)).product();
    let mut count = 0_u64;
    for line in lines {
        let words = Statement { key: String::new(), place: line.place, value: vec![line.clone()] }.words();
        for word in words {
            let value = number(sources, &word.text, word.place)?;
            if count < cells {
                let (mut cell, mut rest) = ([0; AXES], count);
                for axis in (0..AXES).rev() {
                    cell[axis] = (rest % u64::from(size[axis])) as u32;
                    rest /= u64::from(size[axis]);
                }
                found.some.insert(cell, Start::Number(value));
            }
            count += 1;
        }
    }
    if count < cells {
        let (what, value) = ("the number of values in the map".into(), count.to_string());
        return Err(sources.fail(place, Fault::Value { what, value, allowed: format!("the space has {cells} cells") }));
    }
    Ok(())
}
