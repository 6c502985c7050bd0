//! Models of several spaces, each of which runs on its own: values from one space come into another as events.

use std::collections::HashMap;
use std::io;

use super::coupling::Coupling;
use super::error::{Fault, RuleError};
use super::file::RuleFile;
use super::fixed::Fixed;
use super::inputs::Fed;
use super::source::Sources;
use tickless_cells::gpu::CellOptions;
use tickless_cells::log::CellLog;
use tickless_cells::{Cell, CellError};
use tickless_core::run::Watch;
use tickless_core::time::Time;
use tickless_device::Target;

/// The most values that come by a port binding in a replication. Further values would be more than can come into cells.
const MOST: usize = (1 << 22) + 1;

impl RuleFile {
    /// The names of the spaces of the model, in small letters and in the order of `components`.
    ///
    /// ```
    /// # use tickless_cdpp::facade as tickless;
    /// use tickless::cells::rules::RuleFile;
    /// let space = |name: &str| format!("[{name}]\ntype : cell\ndim : (1,2)\ndelay : transport\nborder : wrapped\n\
    ///     neighbors : {name}(0,0)\ninitialvalue : 0\nlocaltransition : r\n");
    /// let text = format!("[top]\ncomponents : a b\n{}{}[r]\nrule : {{(0,0)}} 1 {{t}}\n", space("a"), space("b"));
    /// let file = RuleFile::parse(&text, "two.ma", |_| None)?;
    /// assert_eq!((file.spaces(), file.space_name()), (vec!["a", "b"], "b"));
    /// assert_eq!(file.of_space("a").map(|file| file.space_name().to_owned()).as_deref(), Some("a"));
    /// # Ok::<(), tickless::cells::rules::RuleError>(())
    /// ```
    pub fn spaces(&self) -> Vec<&str> {
        match &*self.spaces {
            [] => vec![&self.space_name],
            all => all.iter().map(|space| space.space_name.as_str()).collect(),
        }
    }

    /// The name of the space of these cells, in small letters: the last of `components` unless one was chosen.
    pub fn space_name(&self) -> &str {
        &self.space_name
    }

    /// The same model with the cells of another space, by its name in small letters; `None` where there is no such
    /// space.
    pub fn of_space(&self, name: &str) -> Option<Self> {
        if name == self.space_name {
            return Some(self.clone());
        }
        let found = self.spaces.iter().find(|space| space.space_name == name)?;
        let mut found = Self { spaces: self.spaces.clone(), ..found.clone() };
        found.incoming.events.clone_from(&self.incoming.events);
        Some(found)
    }

    /// Whether other spaces send to this one.
    pub fn is_fed(&self) -> bool {
        self.incoming.bindings().next().is_some()
    }

    /// The same with the values that other spaces send before a horizon: those spaces run first, on the heap, with their random
    /// numbers from `seed` and in as many replications. Of the values that a cell sends at one time the last counts.
    ///
    /// # Errors
    /// The error of one of their runs.
    pub fn fed(mut self, until: Time, seed: u64, replications: u32, watch: &mut dyn Watch) -> Result<Self, CellError> {
        let mut bindings: Vec<usize> = self.incoming.bindings().collect();
        bindings.sort_unstable();
        bindings.dedup();
        if bindings.is_empty() {
            return Ok(self);
        }
        let copies = if self.incoming.fed_at_random { replications } else { 1 };
        let mut fed: Fed = vec![vec![vec![]; self.incoming.links.len()]; copies as usize];
        let mut spaces: Vec<usize> = bindings.iter().map(|binding| self.incoming.links[*binding].space).collect();
        spaces.sort_unstable();
        spaces.dedup();
        for space in spaces {
            let name = self.spaces.iter().find(|other| other.number == space).map(|other| &other.space_name);
            let Some(source) = name.and_then(|name| self.of_space(name)) else { continue };
            let source = source.fed(until, seed, replications, watch)?;
            let links = bindings.iter().filter(|binding| self.incoming.links[**binding].space == space).copied();
            run(source, until, seed, copies, (links.collect(), &mut fed), watch)?;
        }
        self.incoming.fed = Some(fed);
        Ok(self)
    }
}

/// Checks the links between spaces, and finds the spaces that receive random values.
pub(super) fn fed_by(sources: &Sources, coupling: &Coupling, spaces: &mut [RuleFile]) -> Result<(), RuleError> {
    let taken: Vec<usize> = spaces.iter().flat_map(|space| space.incoming.bindings()).collect();
    for (_, binding) in coupling.bindings.iter().enumerate().filter(|(number, _)| taken.contains(number)) {
        let space = spaces.iter().filter(|space| space.number == binding.space);
        let leaving = space.flat_map(|space| &space.outlets).filter(|(outlet, _)| outlet.to == binding.port);
        if let Some(space) = spaces.iter().find(|space| space.number == binding.space && space.slots > 1)
            && let Some((outlet, _)) = leaving.clone().next()
        {
            let what = format!("a tuple, which '{}' may have, and which goes to another space,", space.space_name);
            let why = "what comes into a space is a number".into();
            return Err(sources.fail(outlet.place, Fault::Unsupported { what, why }));
        }
        if let Some((outlet, _)) = leaving.clone().find(|(_, port)| port.is_none()) {
            let what = format!("the port '{}', by which cells send to another space,", outlet.port);
            let why = "what a cell sends there is its value, by 'out' or by one of its neighborports".into();
            return Err(sources.fail(outlet.place, Fault::Unsupported { what, why }));
        }
    }
    // As often as the longest chain of spaces.
    for _ in 0..spaces.len() {
        let draws: Vec<usize> = spaces.iter().filter(|space| space.draws()).map(|space| space.number).collect();
        for space in &mut *spaces {
            let bindings = space.incoming.bindings().collect::<Vec<_>>();
            space.incoming.fed_at_random |=
                bindings.into_iter().any(|binding| draws.contains(&coupling.bindings[binding].space));
        }
    }
    Ok(())
}

/// Runs a space, and keeps the values for others.
fn run(
    source: RuleFile,
    until: Time,
    seed: u64,
    copies: u32,
    (bindings, fed): (Vec<usize>, &mut Fed),
    watch: &mut dyn Watch,
) -> Result<(), CellError> {
    let mut model = source.model(until, seed).with_replications(copies);
    loop {
        let mut sent = Sent::new(&model, &bindings, fed);
        let options = CellOptions { log: Some(&mut sent), ..CellOptions::default() };
        match tickless_cells::run(&model, 0..copies, Target::Heap, options, watch) {
            Ok(run) if run.interrupted => return Err(tickless_core::run::Interrupted.into()),
            Ok(_) => return Ok(()),
            Err(error) => {
                let Some(other) = model.with_wide_numbers(&error).or_else(|| model.with_more_room(&error)) else {
                    return Err(error);
                };
                model = other;
            }
        }
    }
}

/// Keeps the values that leave a space.
struct Sent<'a> {
    /// The cell, its port and the port binding, by the cell.
    outlets: Vec<(u32, usize, usize)>,
    width: usize,
    has_ports: bool,
    fed: &'a mut Fed,
    /// The place and the value of what an outlet has last sent by a port binding, in the present replication.
    last: HashMap<(usize, usize), (usize, Fixed)>,
    replication: u32,
}

impl<'a> Sent<'a> {
    fn new(model: &super::RuleModel, bindings: &[usize], fed: &'a mut Fed) -> Self {
        let file = model.file();
        let mut outlets = vec![];
        for binding in bindings {
            fed.iter_mut().for_each(|of_one| of_one[*binding].clear());
            let leaving = file.outlets.iter().filter(|(outlet, _)| outlet.to == file.incoming.links[*binding].port);
            outlets.extend(leaving.filter_map(|(outlet, port)| Some((file.cell(outlet.cell), (*port)?, *binding))));
        }
        outlets.sort_by_key(|(cell, ..)| *cell);
        let has_ports = !file.ports.is_empty();
        Self { outlets, width: file.width(), has_ports, fed, last: HashMap::new(), replication: 0 }
    }
}

impl CellLog for Sent<'_> {
    /// An output has all ports, though only one may have been sent: a port whose value stays has not been sent.
    fn sent(&mut self, cell: Cell, time: Time, output: &[u32]) -> io::Result<()> {
        if cell.replication != self.replication {
            self.replication = cell.replication;
            self.last.clear();
        }
        let now = time.ticks();
        let first = self.outlets.partition_point(|(other, ..)| *other < cell.id);
        let own = self.outlets[first..].iter().take_while(|(other, ..)| *other == cell.id);
        for (place, (_, port, binding)) in own.enumerate() {
            let value = Fixed::read(output, *port, self.width);
            let all = &mut self.fed[cell.replication as usize][*binding];
            let known = self.last.get(&(first + place, *binding)).copied();
            if self.has_ports && known.is_some_and(|(_, before)| before == value) {
                continue;
            }
            let at = match known.map(|(at, _)| at).filter(|at| all.get(*at).is_some_and(|(then, _)| *then == now)) {
                Some(at) => {
                    all[at].1 = value;
                    at
                }
                None if all.len() < MOST => {
                    all.push((now, value));
                    all.len() - 1
                }
                None => continue,
            };
            self.last.insert((first + place, *binding), (at, value));
        }
        Ok(())
    }
}
