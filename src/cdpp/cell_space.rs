//! The section of a cell space: its size, neighborhood, zones and all else except values at the start.

use super::error::{Fault, RuleError};
use super::layers::AXES;
use super::lexer::{Token, tokens};
use super::numerals::{FixedError, decimal};
use super::source::{Place, Sources};
use super::statements::{Section, Statement, shown};
use tickless_cells::{Border, FURTHEST, MOST_CELLS};

/// The most zones.
const MOST_ZONES: usize = 100;
/// The most neighbours, the cell itself included.
const MOST_NEIGHBOURS: usize = 1 + tickless_cells::MOST_NEIGHBOURS;

/// The most values that may wait in a cell: its state has 1024 words.
pub const MOST_WAITING: usize = 320;

/// The effect of a new value on a waiting one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waiting {
    /// Both values are sent, each in its time.
    Transport,
    /// The waiting value is lost, and the new one waits in its place.
    Inertial,
}

/// A box of cells: first and last row, column, plane and layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Zone {
    /// The section of its rules, in small letters, and where it is named.
    pub rules: (String, Place),
    pub first: [u32; AXES],
    pub last: [u32; AXES],
}

/// The statements of a section about a cell space.
#[derive(Debug)]
pub(super) struct CellSpace {
    /// Rows, columns, planes and layers.
    pub size: [u32; AXES],
    pub dimensions: usize,
    pub border: Border,
    pub waiting: Waiting,
    /// Rows, columns, planes and layers from the cell.
    pub neighbours: Vec<[i32; AXES]>,
    pub local: Option<(String, Place)>,
    /// The delay, in ticks, of values that come in without rules.
    pub default_delay: u64,
    pub zones: Vec<Zone>,
    /// Statements on values at the start.
    pub initial: Vec<Statement>,
}

/// Keys that may be there once, and keys that may be there repeatedly.
const ONCE: [&str; 12] = [
    "type",
    "dim",
    "width",
    "height",
    "delay",
    "defaultdelaytime",
    "border",
    "initialvalue",
    "initialcellsvalue",
    "initialmapvalue",
    "initialvariablesvalue",
    "localtransition",
];
const OFTEN: [&str; 11] = [
    "neighbors",
    "zone",
    "initialrowvalue",
    "initialrow",
    "neighborports",
    "statevariables",
    "statevalues",
    "in",
    "out",
    "link",
    "portintransition",
];

/// Reads the section of a cell space.
pub(super) fn cell_space(sources: &Sources, section: &Section) -> Result<CellSpace, RuleError> {
    check_keys(sources, section)?;
    let kind = needed(sources, section, "type", "type : cell")?;
    one_of(sources, kind, "the type", &["cell", "flat"], "'cell' is allowed, and 'flat', which means the same")?;
    let (size, dimensions) = size(sources, section)?;
    let delay = needed(sources, section, "delay", "delay : transport")?;
    let delays = ["transport", "inertial"];
    let waiting = one_of(sources, delay, "the delay", &delays, "'transport' and 'inertial' are allowed")?;
    let border = needed(sources, section, "border", "border : wrapped")?;
    let borders = ["wrapped", "nowrapped", "nonwrapped", "unwrapped"];
    let border = one_of(sources, border, "the border", &borders, "'wrapped' and 'nowrapped' are allowed")?;
    let default_delay = match find(section, "defaultdelaytime") {
        Some(default) => {
            let (text, place) = default.text();
            let allowed = "milliseconds from 0 to below 4294967296 are allowed".into();
            let wrong = |value| Fault::Value { what: "the defaultDelayTime".into(), value, allowed };
            decimal(&text, 32).map_err(|_| sources.fail(place, wrong(text)))?
        }
        None => 0,
    };
    let local = find(section, "localtransition").map(|statement| {
        let (text, place) = statement.text();
        (text.to_ascii_lowercase(), place)
    });
    Ok(CellSpace {
        size,
        dimensions,
        border: if border == 0 { Border::Wrapped } else { Border::Open },
        waiting: if waiting == 0 { Waiting::Transport } else { Waiting::Inertial },
        neighbours: neighbours(sources, section, dimensions)?,
        local,
        default_delay,
        zones: zones(sources, section, size, dimensions)?,
        initial: section.statements.iter().filter(|s| s.key.starts_with("initial")).cloned().collect(),
    })
}

/// Keys of a section of rules, which may have the name of the space.
const RULES: [&str; 2] = ["rule", "else"];

/// Refuses unknown keys. Of a repeated key that may be there once the first counts, as in CD++.
fn check_keys(sources: &Sources, section: &Section) -> Result<(), RuleError> {
    for statement in &section.statements {
        let key = statement.key.as_str();
        if ![&ONCE[..], &OFTEN, &RULES].concat().contains(&key) {
            let known = format!("a cell space has {} and {}", ONCE.join(", "), OFTEN.join(", "));
            let fault = Fault::Unknown { what: "the key".into(), name: key.into(), known };
            return Err(sources.fail(statement.place, fault));
        }
    }
    Ok(())
}

pub(super) fn find<'a>(section: &'a Section, key: &str) -> Option<&'a Statement> {
    section.statements.iter().find(|s| s.key == key)
}

/// A statement that the section must have.
pub(super) fn needed<'a>(
    sources: &Sources,
    section: &'a Section,
    key: &str,
    example: &str,
) -> Result<&'a Statement, RuleError> {
    find(section, key).ok_or_else(|| {
        let example = format!("write it as in '{example}'");
        let fault = Fault::Missing { section: format!("the section '{}'", section.name), key: key.into(), example };
        sources.fail(section.place, fault)
    })
}

/// The place, in a list of words, of the value of a statement.
fn one_of(
    sources: &Sources,
    statement: &Statement,
    what: &str,
    words: &[&str],
    allowed: &str,
) -> Result<usize, RuleError> {
    let (value, place) = statement.text();
    words
        .iter()
        .position(|word| word.eq_ignore_ascii_case(&value))
        .ok_or_else(|| sources.fail(place, Fault::Value { what: what.into(), value, allowed: allowed.into() }))
}

/// Rows, columns, planes and layers, and the number of coordinates of a cell.
fn size(sources: &Sources, section: &Section) -> Result<([u32; AXES], usize), RuleError> {
    let number = |statement: &Statement| {
        let (text, place) = statement.text();
        text.parse::<u32>().map_err(|_| {
            let (what, allowed) = (format!("the {}", statement.key), "a whole number of cells is allowed".into());
            sources.fail(place, Fault::Value { what, value: text, allowed })
        })
    };
    let (width, height) = (find(section, "width"), find(section, "height"));
    let dim = match (find(section, "dim"), width, height) {
        (None, Some(width), Some(height)) => {
            let size = [number(height)?, number(width)?, 1, 1];
            checked(sources, height.text().1, "height and width", written(&size[..2], " x "), size)?;
            return Ok((size, 2));
        }
        _ => needed(sources, section, "dim", "dim : (ROWS, COLUMNS)")?,
    };
    if let Some(other) = width.or(height) {
        let fault = Fault::Twice { what: "the size".into(), before: sources.line(dim.place) };
        return Err(sources.fail(other.place, fault));
    }
    let mut words = Words::new(sources, dim)?;
    let cell = words.cell()?;
    words.end("the end after (ROWS, COLUMNS), (ROWS, COLUMNS, PLANES) or (ROWS, COLUMNS, PLANES, LAYERS)")?;
    let mut size = [1; AXES];
    size.iter_mut().zip(&cell).for_each(|(to, from)| *to = u32::try_from(*from).unwrap_or(0));
    checked(sources, dim.text().1, "the dim", format!("({})", written(&cell, ",")), size)?;
    Ok((size, cell.len()))
}

/// Refuses a space without cells, or with too many.
fn checked(sources: &Sources, place: Place, what: &str, value: String, size: [u32; AXES]) -> Result<(), RuleError> {
    let cells = size.iter().try_fold(1_u64, |cells, &n| cells.checked_mul(n.into()));
    if cells.is_some_and(|cells| (1..=MOST_CELLS).contains(&cells)) {
        return Ok(());
    }
    let allowed = "whole numbers from 1 are allowed, with 2^31 cells at most in all".into();
    Err(sources.fail(place, Fault::Value { what: what.into(), value, allowed }))
}

/// The cells that a cell hears.
fn neighbours(sources: &Sources, section: &Section, dimensions: usize) -> Result<Vec<[i32; AXES]>, RuleError> {
    let mut found = vec![];
    needed(sources, section, "neighbors", &format!("neighbors : {}(0,0)", section.name))?;
    for statement in section.statements.iter().filter(|s| s.key == "neighbors") {
        let mut words = Words::new(sources, statement)?;
        while !words.is_end() {
            words.any_name();
            let place = words.place();
            let cell = words.sized_cell(dimensions)?;
            if cell.iter().any(|along| along.unsigned_abs() > FURTHEST.unsigned_abs()) {
                let value = format!("({})", written(&cell[..dimensions], ","));
                let allowed = format!("each coordinate must be from -{FURTHEST} to {FURTHEST}");
                return Err(sources.fail(place, Fault::Value { what: "a neighbor".into(), value, allowed }));
            }
            if !found.contains(&cell) {
                found.push(cell);
            }
            if found.len() > MOST_NEIGHBOURS {
                return Err(sources.fail(place, Fault::Many { what: "neighbors".into(), most: MOST_NEIGHBOURS }));
            }
            words.skip(",");
        }
    }
    Ok(found)
}

/// The fault of a cell with a fifth coordinate.
pub(super) fn five_dimensions() -> Fault {
    let why = "a space has rows, columns, planes and, at most, layers of planes".into();
    Fault::Unsupported { what: "a space of five dimensions".into(), why }
}

/// The zones.
fn zones(sources: &Sources, section: &Section, size: [u32; AXES], dimensions: usize) -> Result<Vec<Zone>, RuleError> {
    let mut found = vec![];
    for statement in section.statements.iter().filter(|s| s.key == "zone") {
        let mut words = Words::new(sources, statement)?;
        let rules = words.name()?;
        words.expect("{")?;
        while !words.skip("}") {
            let place = words.place();
            let first = words.sized_cell(dimensions)?;
            let last = if words.skip("..") { words.sized_cell(dimensions)? } else { first };
            words.skip(",");
            let (one, other) = (first, last);
            let first = std::array::from_fn(|axis| one[axis].min(other[axis]));
            let last = std::array::from_fn(|axis| one[axis].max(other[axis]));
            let within = (0..AXES).all(|axis| first[axis] >= 0 && (last[axis] as u32) < size[axis]);
            if !within {
                let [value, end] = [one, other].map(|cell| written(&cell[..dimensions], ","));
                let (what, value) = ("a zone".into(), format!("({value})..({end})"));
                let size = written(&size[..dimensions], " x ");
                let allowed = format!("it goes from a cell to another within {size} cells, numbered from 0");
                return Err(sources.fail(place, Fault::Value { what, value, allowed }));
            }
            let [first, last] = [first, last].map(|cell: [i32; AXES]| cell.map(|along| along as u32));
            found.push(Zone { rules: rules.clone(), first, last });
            if found.len() > MOST_ZONES {
                return Err(sources.fail(place, Fault::Many { what: "zones".into(), most: MOST_ZONES }));
            }
        }
        words.end("the end after ZONE { (FIRST)..(LAST) }")?;
    }
    Ok(found)
}

/// A cell of the space in a word as `life(3,4)`.
pub(super) fn cell_of(
    sources: &Sources,
    text: &str,
    place: Place,
    size: [u32; AXES],
    dimensions: usize,
) -> Result<[u32; AXES], RuleError> {
    let inner = text.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).unwrap_or("");
    let parts: Option<Vec<u32>> = inner.split(',').map(|part| part.trim().parse().ok()).collect();
    let Some(parts) = parts.filter(|parts| parts.len() == dimensions) else {
        let expected = "a port of a cell with as many coordinates as the space has, as in 'in@SPACE(0,0)'".into();
        return Err(sources.fail(place, Fault::Syntax { found: format!("'{text}'"), expected }));
    };
    let mut full = [0; AXES];
    full.iter_mut().zip(parts).for_each(|(to, from)| *to = from);
    if (0..AXES).any(|axis| full[axis] >= size[axis]) {
        let allowed = format!("the space has {} cells, numbered from 0", written(&size[..dimensions], " x "));
        return Err(sources.fail(place, Fault::Value { what: "the cell".into(), value: text.into(), allowed }));
    }
    Ok(full)
}

/// The words of a statement, one after the other.
struct Words<'a> {
    sources: &'a Sources,
    words: Vec<(Token, Place)>,
    at: usize,
    last: Place,
}

impl<'a> Words<'a> {
    fn new(sources: &'a Sources, statement: &Statement) -> Result<Self, RuleError> {
        Ok(Self { sources, words: tokens(sources, &statement.value)?, at: 0, last: statement.place })
    }

    fn is_end(&self) -> bool {
        self.at == self.words.len()
    }

    fn place(&self) -> Place {
        self.words.get(self.at).or(self.words.last()).map_or(self.last, |(_, place)| *place)
    }

    fn unexpected(&self, expected: &str) -> RuleError {
        let found = self.words.get(self.at).map_or("the end".into(), |(token, _)| token.shown());
        self.sources.fail(self.place(), Fault::Syntax { found, expected: expected.into() })
    }

    fn skip(&mut self, sign: &str) -> bool {
        let is = matches!(self.words.get(self.at), Some((Token::Sign(s), _)) if *s == sign);
        self.at += usize::from(is);
        is
    }

    fn expect(&mut self, sign: &str) -> Result<(), RuleError> {
        if self.skip(sign) { Ok(()) } else { Err(self.unexpected(&format!("'{sign}'"))) }
    }

    fn end(&self, expected: &str) -> Result<(), RuleError> {
        if self.is_end() { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    /// A name up to a bracket. Names may have hyphens.
    fn name(&mut self) -> Result<(String, Place), RuleError> {
        let (start, mut name) = (self.place(), String::new());
        while let Some((token @ (Token::Name(text) | Token::Number(text)), _)) = self.words.get(self.at) {
            name += text;
            let is_number = matches!(token, Token::Number(_));
            self.at += 1;
            if self.skip("-") {
                name.push('-');
                continue;
            }
            // A name may begin with digits.
            if !is_number || !matches!(self.words.get(self.at), Some((Token::Name(_), _))) {
                break;
            }
        }
        if name.is_empty() { Err(self.unexpected("a name")) } else { Ok((name, start)) }
    }

    /// Passes over the name before a bracket: of a neighbor CD++ reads only the cell.
    fn any_name(&mut self) {
        let is_name = |token: &Token| !matches!(token, Token::Sign("(" | ")" | "{" | "}"));
        while self.words.get(self.at).is_some_and(|(token, _)| is_name(token)) {
            self.at += 1;
        }
    }

    /// A cell with as many coordinates as the space has.
    fn sized_cell(&mut self, dimensions: usize) -> Result<[i32; AXES], RuleError> {
        let start = self.place();
        let cell = self.cell()?;
        if cell.len() != dimensions {
            let found = format!("a cell with {} coordinates", cell.len());
            let expected = format!("one with {dimensions}, as many as the space has");
            return Err(self.sources.fail(start, Fault::Syntax { found, expected }));
        }
        let mut full = [0; AXES];
        full.iter_mut().zip(cell).for_each(|(to, from)| *to = from);
        Ok(full)
    }

    /// Two to four whole numbers in parentheses.
    fn cell(&mut self) -> Result<Vec<i32>, RuleError> {
        let mut cell = vec![];
        self.expect("(")?;
        loop {
            let negative = self.skip("-");
            let number = match self.words.get(self.at) {
                Some((Token::Number(text), _)) => text.parse::<i32>().ok(),
                _ => None,
            };
            let Some(number) = number else { return Err(self.unexpected("a whole number")) };
            self.at += 1;
            cell.push(if negative { -number } else { number });
            if cell.len() > 1 && self.skip(")") {
                return Ok(cell);
            }
            if cell.len() == AXES {
                let place = self.place();
                let error = self.unexpected("')': a cell has 2 to 4 coordinates");
                return Err(if self.skip(",") { self.sources.fail(place, five_dimensions()) } else { error });
            }
            self.expect(",")?;
        }
    }
}

/// Numbers as a message shows them.
pub(super) fn written(numbers: &[impl ToString], between: &str) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(between)
}

/// The first word as a message shows it.
pub(super) fn first_word(text: &str) -> String {
    shown(text)
}

/// A number at a place. One that is not 0 does not become 0.
pub(super) fn number(sources: &Sources, text: &str, place: Place) -> Result<super::Fixed, RuleError> {
    let wrong = |error: FixedError| sources.fail(place, Fault::Number { text: text.to_owned(), error });
    let number: super::Fixed = text.parse().map_err(wrong)?;
    let digits = text.split(['e', 'E']).next().unwrap_or_default();
    if number == super::Fixed::ZERO && digits.bytes().any(|digit| (b'1'..=b'9').contains(&digit)) {
        let allowed = "numbers are kept in steps of 2^-32, of which this one is less than half: write 0, or choose units in which it is larger";
        return Err(sources
            .fail(place, Fault::Value { what: "the number".into(), value: text.into(), allowed: allowed.into() }));
    }
    Ok(number)
}
