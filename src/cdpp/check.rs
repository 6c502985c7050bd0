//! The checks of a rule file: from sections to cells, rules and values at the start.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};

use super::cell_space::{CellSpace, cell_space, find, needed, written};
use super::coupling::{Coupling, Inlet};
use super::error::{Fault, RuleError};
use super::expression::{Delay, Expression, Rule};
use super::file::{RuleFile, RuleSection};
use super::fixed::Fixed;
use super::initial::initial;
use super::inputs::Incoming;
use super::layers::{AXES, Layers, TooFar};
use super::layout::MOST_WORDS;
use super::parser::{Neighbourhood, rule};
use super::ports::{MOST_PORTS, PLAIN, TAKEN, declared, uses};
use super::source::{Place, Resolver, Sources};
use super::spaces::fed_by;
use super::statements::{IDLE, Section, shown};
use super::tuples::{at, longest, names};
use tickless_cells::{FURTHEST, MOST_NEIGHBOURS, Space, SpaceError};

/// The most rules of a section, those of its `else` included.
const MOST_RULES: usize = 4096;

/// Makes a file from its sections.
pub(super) fn check(
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
    top.check(sources)?;
    if let Some(other) = top.statements.iter().find(|s| !TOP.contains(&s.key.as_str())) {
        let known = format!("the section 'top' has {}", TOP.join(", "));
        return Err(
            sources.fail(other.place, Fault::Unknown { what: "the key".into(), name: other.key.clone(), known })
        );
    }
    let coupling = Coupling::new(sources, top, sections)?;
    let (known, remarks) = coupling.known(sources)?;
    let files = known.into_iter().map(|number| space_of(sources, start, sections, &coupling, number, files));
    let mut found: Vec<RuleFile> = files.collect::<Result<_, _>>()?;
    found.iter_mut().for_each(|file| file.initial.remarks.extend_from_slice(&remarks));
    fed_by(sources, &coupling, &mut found)?;
    let Some(last) = found.last().cloned() else { unreachable!("one is known") };
    Ok(RuleFile { spaces: if found.len() > 1 { found.into() } else { last.spaces.clone() }, ..last })
}

/// Makes the file of one of the spaces.
fn space_of(
    sources: &mut Sources,
    start: Place,
    sections: &[Section],
    coupling: &Coupling,
    number: usize,
    files: &mut Resolver,
) -> Result<RuleFile, RuleError> {
    let (name, place) = coupling.spaces[number].clone();
    let Some(section) = sections.iter().find(|s| s.name == name) else {
        let known = format!("a section '[{name}]' describes the cell space");
        let fault = Fault::Unknown { what: "the component".into(), name, known };
        return Err(sources.fail(place, fault));
    };
    section.check(sources)?;
    let cells = cell_space(sources, section)?;
    needed(sources, section, "initialvalue", "initialvalue : 0")?;
    let (space, layers) = space(sources, section, &cells)?;
    let declared = declared(sources, section)?;
    let initial = initial(sources, &cells, &declared, files)?;
    let inlets = coupling.inlets(sources, (number, section), cells.size, cells.dimensions)?;
    let outlets: Vec<String> = inlets.outlets.iter().map(|outlet| outlet.port.clone()).collect();
    let read = RefCell::new(vec![]);
    let own = cells.zones.iter().map(|zone| &zone.rules).chain(&cells.local);
    let named = own.chain(inlets.all.iter().filter_map(|inlet| inlet.rules.as_ref())).map(|(name, _)| name.as_str());
    let slots = slots(sources, section, longest(sources, sections, named).max(initial.longest()))?;
    let neighbourhood = Neighbourhood {
        space: &name,
        dimensions: cells.dimensions,
        cells: &cells.neighbours,
        ports: &declared.ports,
        slots,
        variables: &declared.variables,
        outlets: &outlets,
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
    let leaving = inlets.outlets.into_iter().map(|outlet| {
        let port = if TAKEN.contains(&outlet.port.as_str()) { Some(declared.ports.len()) } else { None };
        let port = port.or(declared.ports.iter().position(|name| *name == outlet.port));
        (outlet, port.map(|port| port * slots))
    });
    let outlets = leaving.collect();
    let inlets: Result<Vec<_>, RuleError> = inlets
        .all
        .iter()
        .filter(|inlet| !inlet.origins.is_empty())
        .map(|inlet| Ok((inlet.clone(), rules.of_inlet(inlet, cells.default_delay)?)))
        .collect();
    let (inlets, found) = (inlets?, rules.found);
    let incoming = Incoming {
        generators: coupling.generators.clone(),
        queues: coupling.queues.clone(),
        ports: coupling.ports.clone(),
        inlets,
        read: read.into_inner(),
        events: vec![],
        links: coupling.bindings.clone(),
        fed_at_random: false,
        fed: None,
    };
    let file = RuleFile {
        name: sources.name(start).to_owned(),
        space,
        layers,
        dimensions: cells.dimensions,
        waiting: cells.waiting,
        hears_itself: cells.neighbours.contains(&[0; AXES]),
        sections: found.into_iter().map(|(section, _)| section).collect(),
        zones,
        local,
        initial,
        ports: declared.ports.iter().flat_map(|name| names(name, slots)).collect(),
        slots,
        variables: declared.variables,
        incoming,
        is_wide: false,
        number,
        space_name: name.clone(),
        spaces: [].into(),
        outlets,
    };
    fitting(sources, file, declared.place.unwrap_or(section.place))
}

/// The numbers of a port: one, or those of the longest tuple and their count.
fn slots(sources: &Sources, section: &Section, longest: usize) -> Result<usize, RuleError> {
    let slots = if longest == 0 { 1 } else { longest + 1 };
    if slots > MOST_PORTS {
        let what = "numbers of a tuple, with the one that says how many they are,".into();
        return Err(sources.fail(section.place, Fault::Many { what, most: MOST_PORTS }));
    }
    Ok(slots)
}

/// Keys of the section `[top]`, which may have rules, too.
const TOP: [&str; 6] = ["components", "in", "out", "link", "rule", "else"];

/// Adds the value without a port to the ports, where there are ports and a rule uses it; finds how long numbers are; refuses a file
/// whose cells have too few words.
fn fitting(sources: &Sources, mut file: RuleFile, place: Place) -> Result<RuleFile, RuleError> {
    let plain = file.ports.len();
    let leaves = || file.outlets.iter().any(|(_, port)| *port == Some(plain));
    if (plain > 0 || file.slots > 1) && (file.rules().any(|rule| uses(rule, plain)) || leaves()) {
        file.ports.extend(names(PLAIN, file.slots));
    }
    if file.ports.len() > MOST_PORTS {
        let what = match file.slots {
            1 => "ports with the value without a port, which a rule uses,",
            _ => "numbers of ports, each of which has those of the longest tuple and one more,",
        };
        let what = what.into();
        return Err(sources.fail(place, Fault::Many { what, most: MOST_PORTS }));
    }
    file.is_wide = !file.keeps_short_numbers();
    let words = file.layout().least_words();
    if words > MOST_WORDS {
        let (ports, variables) = (file.ports.len(), file.variables.len());
        return Err(sources.fail(place, Fault::Words { ports, variables, words, most: MOST_WORDS }));
    }
    Ok(file)
}

/// The space: a column is x, a row is y, a plane is z.
fn space(sources: &Sources, section: &Section, cells: &CellSpace) -> Result<(Space, Layers), RuleError> {
    let [rows, columns, planes, layers] = cells.size;
    let place = find(section, "neighbors").map_or(section.place, |statement| statement.place);
    let (layers_of, offsets) = Layers::new(cells).map_err(|TooFar(number)| {
        let value = format!("({})", written(&cells.neighbours[number], ","));
        let allowed = format!("it must be at most {FURTHEST} planes away, counted through all layers between");
        sources.fail(place, Fault::Value { what: "a neighbor".into(), value, allowed })
    })?;
    let space = Space::new([columns, rows, planes * layers], cells.border, offsets);
    let space = space.map_err(|error| match error {
        SpaceError::Neighbours { .. } if cells.dimensions == AXES => {
            let what = "neighbors, of which one counts twice where its planes wrap within a layer,".into();
            sources.fail(place, Fault::Many { what, most: MOST_NEIGHBOURS })
        }
        error => RuleError::Space { file: sources.name(section.place).to_owned(), error },
    })?;
    Ok((space, layers_of))
}

/// Whether every cell is in a zone.
fn covered(cells: &CellSpace) -> bool {
    // Where zones begin and end; between two such places all cells are alike.
    let edges: Vec<Vec<u32>> = (0..AXES)
        .map(|axis| {
            let zones = cells.zones.iter().flat_map(|zone| [zone.first[axis], zone.last[axis] + 1]);
            let mut edges: Vec<u32> = zones.chain([0]).filter(|edge| *edge < cells.size[axis]).collect();
            edges.sort_unstable();
            edges.dedup();
            edges
        })
        .collect();
    let inside = |cell: &[u32; AXES]| {
        cells.zones.iter().any(|zone| (0..AXES).all(|axis| (zone.first[axis]..=zone.last[axis]).contains(&cell[axis])))
    };
    // The next corner, as a number with a digit for each axis.
    let next = |mut at: [usize; AXES]| {
        let axis = (0..AXES).rev().find(|axis| at[*axis] + 1 < edges[*axis].len())?;
        at[axis] += 1;
        at[axis + 1..].fill(0);
        Some(at)
    };
    let corner = |at: [usize; AXES]| std::array::from_fn(|axis| edges[axis][at[axis]]);
    std::iter::successors(Some([0; AXES]), |at| next(*at)).all(|at| inside(&corner(at)))
}

/// The sections of rules in use.
struct Rules<'a> {
    sources: &'a Sources,
    sections: HashMap<&'a str, &'a Section>,
    neighbourhood: Neighbourhood<'a>,
    /// Each section, and whether it is for values that come in.
    found: Vec<(RuleSection, bool)>,
}

impl Rules<'_> {
    /// The number of a section, which is read at its first use.
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

    /// The number of the section for values that come in by an inlet: where none is named, the cell takes the value after
    /// the default delay.
    fn of_inlet(&mut self, inlet: &Inlet, default_delay: u64) -> Result<usize, RuleError> {
        if let Some(name) = &inlet.rules {
            return self.section(name);
        }
        // No section can have this name.
        let name = "]";
        if let Some(place) = self.found.iter().position(|(section, _)| section.name == name) {
            return Ok(place);
        }
        let (plain, slots) = (self.neighbourhood.plain(), self.neighbourhood.slots);
        let rule = Rule {
            values: (0..slots).map(|place| (plain + place, at(&Expression::Input(0), place, slots))).collect(),
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
            section.check(self.sources)?;
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
                // Parallel DEVS selects nothing among concurrent events.
                "else" | "select" => {}
                key if key.starts_with(IDLE) => {}
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
