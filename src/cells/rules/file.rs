//! A rule file after it is checked.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::io;
use std::path::Path;

use super::cell_space::{CellSpace, Waiting, Zone, cell_space, find, needed};
use super::coupling::{Coupling, Inlet};
use super::error::{Fault, RuleError};
use super::expression::{Delay, Expression, Rule};
use super::fixed::Fixed;
use super::initial::{Initial, initial};
use super::inputs::Incoming;
use super::layout::{Layout, MOST_WORDS};
use super::parser::{Neighbourhood, rule};
use super::ports::{MOST_PORTS, PLAIN, declared, uses};
use super::source::{Place, Resolver, Sources, expand};
use super::statements::{Section, sections, shown};
use crate::cells::Space;
use crate::reading::{self, Kind, names};
use crate::time::Time;

/// The most rules of a section with those that its `else` adds.
const MOST_RULES: usize = 4096;

/// A rule file: a cell space, its values at the start and its rules, all of it checked.
///
/// ```
/// use tickless::cells::rules::RuleFile;
/// let text = "[top]\ncomponents : blink\n\
///             [blink]\ntype : cell\ndim : (2,3)\ndelay : transport\nborder : wrapped\nneighbors : blink(0,0)\n\
///             initialvalue : 0\nlocaltransition : flip\n[flip]\nrule : {1 - (0,0)} 100 {t}\n";
/// let file = RuleFile::parse(text, "blink.ma", |_| None)?;
/// assert_eq!(file.space().size(), [3, 2, 1]);
/// # Ok::<(), tickless::cells::rules::RuleError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RuleFile {
    pub(super) name: String,
    pub(super) space: Space,
    /// How many coordinates a cell has in the file.
    pub(super) dimensions: usize,
    pub(super) waiting: Waiting,
    /// Whether the cell itself is in its neighborhood.
    pub(super) hears_itself: bool,
    pub(super) sections: Vec<RuleSection>,
    /// Sections of boxes of cells; the last that a cell is in counts.
    pub(super) zones: Vec<(usize, Zone)>,
    /// The section of cells in no zone.
    pub(super) local: usize,
    pub(super) initial: Initial,
    /// Names of ports; none where cells have one value.
    pub(super) ports: Vec<String>,
    /// Names of state variables.
    pub(super) variables: Vec<String>,
    /// What comes into cells from outside.
    pub(super) incoming: Incoming,
    /// Whether a number has two words.
    pub(super) is_wide: bool,
}

/// Rules in the order in which they are tried.
#[derive(Clone, Debug)]
pub(super) struct RuleSection {
    pub name: String,
    pub rules: Vec<Rule>,
}

impl RuleSection {
    /// Whether a condition draws: then it may be that none holds.
    pub fn stochastic(&self) -> bool {
        self.rules.iter().any(|rule| rule.condition.draws())
    }
}

impl RuleFile {
    /// Reads a file. Files that it names are looked for beside it.
    ///
    /// # Errors
    /// [`RuleError`] with the place, what is wrong and what is allowed.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, RuleError> {
        let path = path.as_ref();
        Self::read_by(path, &mut reading::text)
    }

    /// Reads a file by what reads texts.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub(crate) fn read_by(
        path: &Path,
        text: &mut dyn FnMut(&Path, Kind) -> io::Result<String>,
    ) -> Result<Self, RuleError> {
        let name = path.display().to_string();
        let own = text(path, Kind::Rules).map_err(|error| RuleError::Read { path: name.clone(), error })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut named = |name: &str| {
            let path = folder.join(name);
            let path = if path.exists() { path } else { names::of_any_case(folder, name).unwrap_or(path) };
            text(&path, Kind::Named).map_err(|error| error.to_string())
        };
        Self::of_text(&own, &name, &mut named)
    }

    /// Reads a text. `files` gives the text of a file that it names, or none where there is no such file.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn parse(text: &str, name: &str, mut files: impl FnMut(&str) -> Option<String>) -> Result<Self, RuleError> {
        let why = || "there is no such file; it is looked for beside the file that names it".to_owned();
        Self::of_text(text, name, &mut |name: &str| files(name).ok_or_else(why))
    }

    fn of_text(text: &str, name: &str, files: &mut Resolver) -> Result<Self, RuleError> {
        let mut sources = Sources::default();
        let start = sources.add(name, text);
        let lines = expand(&mut sources, start, files)?;
        let sections = sections(&sources, lines)?;
        check(&mut sources, start, &sections, files)
    }

    /// The name that it was read by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The cells: a column is x, a row is y, a plane is z.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Whether the delay is inertial: a value that waits is lost when the rules give another. Where it is transport, both go
    /// out, each in its time.
    pub fn is_inertial(&self) -> bool {
        self.waiting == Waiting::Inertial
    }

    /// The names of the ports; none where cells have one value. Where a rule reads or sets the value without a port, too,
    /// it is the last of them, `out`.
    pub fn ports(&self) -> &[String] {
        &self.ports
    }

    /// What was not read and was probably meant to be.
    pub fn remarks(&self) -> &[String] {
        &self.initial.remarks
    }

    /// The names of the state variables.
    pub fn variables(&self) -> &[String] {
        &self.variables
    }

    /// The value of a cell at the start, on every port.
    pub fn initial(&self, cell: u32) -> Fixed {
        let [x, y, z] = self.space.place(cell);
        self.initial.value([y, x, z])
    }

    /// Whether a rule or a generator draws random numbers.
    pub fn draws(&self) -> bool {
        self.rules_draw() || self.incoming.draws()
    }

    fn rules_draw(&self) -> bool {
        self.rules().any(|rule| rule.expressions().any(Expression::draws))
    }

    /// Whether something may come into a cell from outside.
    pub(super) fn has_inputs(&self) -> bool {
        !self.incoming.inlets.is_empty()
    }

    /// All rules.
    fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.sections.iter().flat_map(|section| &section.rules)
    }

    /// The values of the state variables of a cell at the start.
    pub(super) fn variables_of(&self, cell: u32) -> &[Fixed] {
        let [x, y, z] = self.space.place(cell);
        self.initial.variables([y, x, z])
    }

    /// Words of a number.
    pub(super) fn width(&self) -> usize {
        1 + usize::from(self.is_wide)
    }

    /// Whether numbers lie between -2^37 and 2^37 rather than within 32768: where one of the file is beyond that, or a run has
    /// been. Such a file runs on the heap alone.
    pub fn is_wide(&self) -> bool {
        self.is_wide
    }

    /// Whether a number of the file has no place in one word.
    fn has_wide_numbers(&self) -> bool {
        let wide = |expression: &Expression| matches!(expression, Expression::Constant(number) if !number.is_narrow());
        let in_rules = || self.rules().any(|rule| rule.expressions().any(|expression| expression.any(&wide)));
        in_rules() || self.initial.numbers().any(|number| !number.is_narrow())
    }

    /// Where the words of a cell are.
    pub(super) fn layout(&self) -> Layout {
        let words = [self.ports.len(), self.variables.len()];
        Layout::new(words, self.width(), self.rules_draw(), self.has_inputs(), self.waiting)
    }

    /// The least time from an input to an output that it causes, over all rules. Under a transport delay a rule that
    /// keeps the value causes none.
    pub fn lookahead(&self) -> Time {
        // What waits may be lost, and then what comes in from outside is next.
        if self.has_inputs() && self.is_inertial() {
            return Time::ZERO;
        }
        let changes = |(port, value): &(usize, Expression)| *value != Expression::Own(*port);
        let inertial = self.is_inertial();
        let causing = self.rules().filter(|rule| rule.values.iter().any(|given| inertial || changes(given)));
        Time::from_ticks(causing.map(|rule| rule.delay.least()).min().unwrap_or(Time::NEVER.ticks() - 1))
    }

    /// The section of a cell: its zone's, or else that of the others.
    pub(super) fn section(&self, cell: u32) -> usize {
        let [x, y, z] = self.space.place(cell);
        let place = [y, x, z];
        let inside = |zone: &Zone| (0..3).all(|axis| (zone.first[axis]..=zone.last[axis]).contains(&place[axis]));
        let found = self.zones.iter().rev().find(|(_, zone)| inside(zone));
        found.map_or(self.local, |(section, _)| *section)
    }
}

/// Makes a file of its sections.
fn check(
    sources: &mut Sources,
    start: Place,
    sections: &[Section],
    files: &mut Resolver,
) -> Result<RuleFile, RuleError> {
    let Some(top) = sections.iter().find(|s| s.name == "top") else {
        let example = "it names the cell space as in 'components : life'".into();
        let fault = Fault::Missing { section: "the file".into(), key: "[top]".into(), example };
        return Err(sources.fail(start, fault));
    };
    if let Some(other) = top.statements.iter().find(|s| !TOP.contains(&s.key.as_str())) {
        let known = format!("the section 'top' has {}", TOP.join(", "));
        return Err(
            sources.fail(other.place, Fault::Unknown { what: "the key".into(), name: other.key.clone(), known })
        );
    }
    let coupling = Coupling::new(sources, top, sections)?;
    let (name, place) = (coupling.space.0.clone(), coupling.space.1.unwrap_or(top.place));
    let Some(section) = sections.iter().find(|s| s.name == name) else {
        let known = format!("a section '[{name}]' describes the cell space");
        let fault = Fault::Unknown { what: "the component".into(), name, known };
        return Err(sources.fail(place, fault));
    };
    let cells = cell_space(sources, section)?;
    needed(sources, section, "initialvalue", "initialvalue : 0")?;
    let space = space(sources.name(start), &cells)?;
    let declared = declared(sources, section)?;
    let initial = initial(sources, &cells, &declared, files)?;
    let inlets = coupling.inlets(sources, section, cells.size, cells.dimensions)?;
    let read = RefCell::new(vec![]);
    let neighbourhood = Neighbourhood {
        space: &name,
        dimensions: cells.dimensions,
        cells: &cells.neighbours,
        ports: &declared.ports,
        variables: &declared.variables,
        outlets: &inlets.outlets,
        inlet: Cell::new(false),
        read: &read,
    };
    let by_name = sections.iter().map(|section| (section.name.as_str(), section)).collect();
    let mut rules = Rules { sources, sections: by_name, neighbourhood, found: vec![] };
    let zones: Result<Vec<_>, RuleError> =
        cells.zones.iter().map(|zone| Ok((rules.section(&zone.rules)?, zone.clone()))).collect();
    let zones = zones?;
    let local = match &cells.local {
        Some(local) => rules.section(local)?,
        None if covered(&cells) => 0,
        None => {
            needed(rules.sources, section, "localtransition", "localtransition : RULES")?;
            0
        }
    };
    rules.neighbourhood.inlet.set(true);
    let inlets: Result<Vec<_>, RuleError> = inlets
        .all
        .iter()
        .filter(|inlet| !inlet.origins.is_empty())
        .map(|inlet| Ok((inlet.clone(), rules.of_inlet(inlet, cells.default_delay)?)))
        .collect();
    let (inlets, found) = (inlets?, rules.found);
    let incoming = Incoming {
        generators: coupling.generators,
        ports: coupling.ports,
        inlets,
        read: read.into_inner(),
        events: vec![],
    };
    let file = RuleFile {
        name: sources.name(start).to_owned(),
        space,
        dimensions: cells.dimensions,
        waiting: cells.waiting,
        hears_itself: cells.neighbours.contains(&[0; 3]),
        sections: found.into_iter().map(|(section, _)| section).collect(),
        zones,
        local,
        initial,
        ports: declared.ports,
        variables: declared.variables,
        incoming,
        is_wide: false,
    };
    let is_wide = file.has_wide_numbers();
    fitting(sources, RuleFile { is_wide, ..file }, declared.place)
}

/// Keys of the section `[top]`, which may have rules, too.
const TOP: [&str; 6] = ["components", "in", "out", "link", "rule", "else"];

/// Adds the value without a port to the ports, where there are ports and a rule uses it; refuses a file whose cells have no
/// place for all.
fn fitting(sources: &Sources, mut file: RuleFile, declared: Option<Place>) -> Result<RuleFile, RuleError> {
    let Some(place) = declared else { return Ok(file) };
    let plain = file.ports.len();
    if plain > 0 && file.rules().any(|rule| uses(rule, plain)) {
        file.ports.push(PLAIN.into());
    }
    if file.width() * file.ports.len() > MOST_PORTS {
        let what = "ports with the value without a port, which a rule uses,".into();
        return Err(sources.fail(place, Fault::Many { what, most: MOST_PORTS }));
    }
    let words = file.layout().least_words();
    if words > MOST_WORDS {
        let (ports, variables) = (file.ports.len(), file.variables.len());
        return Err(sources.fail(place, Fault::Words { ports, variables, words, most: MOST_WORDS }));
    }
    Ok(file)
}

/// The space: a column is x, a row is y, a plane is z.
fn space(file: &str, cells: &CellSpace) -> Result<Space, RuleError> {
    let [rows, columns, planes] = cells.size;
    let others = cells.neighbours.iter().filter(|cell| **cell != [0; 3]);
    let offsets = others.map(|[row, column, plane]| [*column, *row, *plane]).collect();
    Space::new([columns, rows, planes], cells.border, offsets)
        .map_err(|error| RuleError::Space { file: file.to_owned(), error })
}

/// Whether every cell is in a zone.
fn covered(cells: &CellSpace) -> bool {
    // Where zones begin and end; between two such places all cells are alike.
    let edges: Vec<Vec<u32>> = (0..3)
        .map(|axis| {
            let zones = cells.zones.iter().flat_map(|zone| [zone.first[axis], zone.last[axis] + 1]);
            let mut edges: Vec<u32> = zones.chain([0]).filter(|edge| *edge < cells.size[axis]).collect();
            edges.sort_unstable();
            edges.dedup();
            edges
        })
        .collect();
    let inside = |cell: [u32; 3]| {
        cells.zones.iter().any(|zone| (0..3).all(|axis| (zone.first[axis]..=zone.last[axis]).contains(&cell[axis])))
    };
    let planes = |row: u32, column: u32| edges[2].iter().all(|plane| inside([row, column, *plane]));
    edges[0].iter().all(|row| edges[1].iter().all(|column| planes(*row, *column)))
}

/// The sections of rules that are used.
struct Rules<'a> {
    sources: &'a Sources,
    sections: HashMap<&'a str, &'a Section>,
    neighbourhood: Neighbourhood<'a>,
    /// Each, and whether it is one of what comes in.
    found: Vec<(RuleSection, bool)>,
}

impl Rules<'_> {
    /// The number of a section, which is read where it is the first time.
    fn section(&mut self, name: &(String, Place)) -> Result<usize, RuleError> {
        let inlet = self.neighbourhood.inlet.get();
        if let Some(place) = self.found.iter().position(|(section, of)| section.name == name.0 && *of == inlet) {
            return Ok(place);
        }
        let mut rules = vec![];
        self.read(name, &mut rules)?;
        self.found.push((RuleSection { name: name.0.clone(), rules }, inlet));
        Ok(self.found.len() - 1)
    }

    /// The number of the section of what comes in by an inlet: where none is named, the cell becomes that after the default
    /// delay.
    fn of_inlet(&mut self, inlet: &Inlet, default_delay: u64) -> Result<usize, RuleError> {
        if let Some(name) = &inlet.rules {
            return self.section(name);
        }
        // No section has such a name.
        let name = "]";
        if let Some(place) = self.found.iter().position(|(section, _)| section.name == name) {
            return Ok(place);
        }
        let rule = Rule {
            values: vec![(self.neighbourhood.ports.len(), Expression::Input(0))],
            variables: vec![],
            delay: Delay::Ticks(default_delay),
            condition: Expression::Constant(Fixed::ONE),
        };
        self.found.push((RuleSection { name: name.into(), rules: vec![rule] }, true));
        Ok(self.found.len() - 1)
    }

    /// Adds the rules of a section, then those of the section that it names after `else`, and so on.
    fn read(&mut self, name: &(String, Place), rules: &mut Vec<Rule>) -> Result<(), RuleError> {
        let fail = |place, fault| Err(self.sources.fail(place, fault));
        let (mut name, mut within) = (name.clone(), HashSet::new());
        loop {
            if !within.insert(name.0.clone()) {
                return fail(name.1, Fault::Cycle { what: "the section".into(), name: name.0 });
            }
            let Some(section) = self.sections.get(name.0.as_str()) else {
                let known = "a section of this name holds the rules".into();
                return fail(name.1, Fault::Unknown { what: "the section".into(), name: name.0, known });
            };
            self.own(section, rules)?;
            if rules.len() > MOST_RULES {
                return fail(section.place, Fault::Many { what: "rules of a section".into(), most: MOST_RULES });
            }
            if let Some(other) = find(section, "else") {
                let (text, place) = other.text();
                name = (text.to_ascii_lowercase(), place);
                continue;
            }
            if rules.is_empty() {
                let example = format!("write it as in 'rule : 1 100 {{ t }}', not {}", shown(""));
                let (section_name, key) = (format!("the section '{}'", section.name), "rule".into());
                return fail(section.place, Fault::Missing { section: section_name, key, example });
            }
            return Ok(());
        }
    }

    /// Adds the rules that stand in a section.
    fn own(&self, section: &Section, rules: &mut Vec<Rule>) -> Result<(), RuleError> {
        let fail = |place, fault| Err(self.sources.fail(place, fault));
        for statement in &section.statements {
            match statement.key.as_str() {
                "rule" => rules.push(rule(self.sources, statement, &self.neighbourhood)?),
                // Of what is concurrent nothing is selected in Parallel DEVS.
                "else" | "select" => {}
                // A section of rules may have the name of another.
                _ if section.name == "top" || section.name == self.neighbourhood.space => {}
                key => {
                    let fault = Fault::Unknown {
                        what: "the key".into(),
                        name: key.into(),
                        known: "a section of rules has 'rule' and 'else'".into(),
                    };
                    return fail(statement.place, fault);
                }
            }
        }
        Ok(())
    }
}
