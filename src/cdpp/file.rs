//! A checked rule file.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::cell_space::{Waiting, Zone};
use super::check::check;
use super::coupling::Outlet;
use super::error::{Fault, RuleError};
use super::expression::{Expression, Rule};
use super::fixed::Fixed;
use super::initial::Initial;
use super::inputs::Incoming;
use super::layers::{AXES, Layers};
use super::layout::Layout;
use super::source::{Resolver, Sources, expand};
use super::statements::sections;
use super::tuples::Start;
use tickless_cells::Space;
use tickless_core::reading::{self, Kind, names};
use tickless_core::time::Time;

/// A rule file: a cell space, its values at the start and its rules, all of it checked.
///
/// ```
/// # use tickless_cdpp::facade as tickless;
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
    pub(super) layers: Layers,
    /// The number of coordinates of a cell in the file.
    pub(super) dimensions: usize,
    pub(super) waiting: Waiting,
    /// Whether the cell itself is in its neighborhood.
    pub(super) hears_itself: bool,
    pub(super) sections: Vec<RuleSection>,
    /// Sections of boxes of cells; for a cell in several boxes the last counts.
    pub(super) zones: Vec<(usize, Zone)>,
    /// The section of cells outside of all zones.
    pub(super) local: usize,
    pub(super) initial: Initial,
    /// Names of ports; empty where cells have one value.
    pub(super) ports: Vec<String>,
    /// How many of these ports are one port of the file: more than 1 where it has tuples.
    pub(super) slots: usize,
    /// Names of state variables.
    pub(super) variables: Vec<String>,
    /// Values that come into cells from outside.
    pub(super) incoming: Incoming,
    /// Whether a number has two words.
    pub(super) is_wide: bool,
    /// The number and the name of the space in the model.
    pub(super) number: usize,
    pub(super) space_name: String,
    /// All spaces of the model, where there are several.
    pub(super) spaces: Arc<[RuleFile]>,
    /// The outlets of the space, and the port whose value each sends; `None` where cells send by the function `send`.
    pub(super) outlets: Vec<(Outlet, Option<usize>)>,
}

/// Rules in the order in which they are tried.
#[derive(Clone, Debug)]
pub(super) struct RuleSection {
    pub name: String,
    pub rules: Vec<Rule>,
}

impl RuleSection {
    /// Whether a condition draws: then possibly no rule holds.
    pub fn stochastic(&self) -> bool {
        self.rules.iter().any(|rule| rule.condition.draws())
    }
}

/// The fault of a scenario of Cadmium, whose rules are a program.
fn cadmium() -> Fault {
    let what = "JSON, in which Cadmium has its scenarios,".into();
    let why =
        "the model of its cells is a program in C++; docs/from/cadmium.md says how a rule file does the same".into();
    Fault::Unsupported { what, why }
}

impl RuleFile {
    /// Reads a file. Files that it names are looked for beside it, and then, as in CD++, in the working directory.
    ///
    /// # Errors
    /// [`RuleError`] with the place, the fault and what is allowed.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, RuleError> {
        let path = path.as_ref();
        Self::read_by(path, &mut reading::text)
    }

    /// Reads a file by a function that reads texts.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    #[doc(hidden)]
    pub fn read_by(path: &Path, text: &mut dyn FnMut(&Path, Kind) -> io::Result<String>) -> Result<Self, RuleError> {
        let name = path.display().to_string();
        let own = text(path, Kind::Rules).map_err(|error| RuleError::Read { path: name.clone(), error })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut named = |name: &str| {
            let found = [folder, Path::new("")].into_iter().find_map(|folder| {
                let path = folder.join(name);
                if path.exists() { Some(path) } else { names::of_any_case(folder, name).filter(|path| path.exists()) }
            });
            match found {
                Some(path) => text(&path, Kind::Named).map_err(|error| error.to_string()),
                None => {
                    let missing = text(&folder.join(name), Kind::Named);
                    missing.map_err(|error| format!("{error}, and then in the working directory"))
                }
            }
        };
        Self::of_text(&own, &name, &mut named)
    }

    /// Reads a text. `files` gives the text of a file that it names, or `None` where there is no such file.
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
        if reading::without_mark(text).trim_start().starts_with('{') {
            return Err(sources.fail(start, cadmium()));
        }
        let lines = expand(&mut sources, start, files)?;
        let sections = sections(&sources, lines)?;
        check(&mut sources, start, &sections, files)
    }

    /// The name by which the file was read.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The cells: a column is x, a row is y, a plane is z. The planes of a layer follow those of the layer before it.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The number of layers of planes: 1 where a cell has fewer than four coordinates.
    pub fn layers(&self) -> u32 {
        self.space.size()[2] / self.layers.planes()
    }

    /// The number of neighbours of a cell, without itself.
    pub fn neighbours(&self) -> usize {
        self.layers.ways().map_or(self.space.offsets().len(), <[_]>::len)
    }

    /// Row, column, plane and layer of a cell.
    pub fn place(&self, cell: u32) -> [u32; AXES] {
        self.layers.place(&self.space, cell)
    }

    /// The cell of a row, column, plane and layer.
    pub(super) fn cell(&self, place: [u32; AXES]) -> u32 {
        self.layers.cell(&self.space, place)
    }

    /// Whether the delay is inertial: a waiting value is lost when the rules give another one. With a transport delay both
    /// are sent, each in its time.
    pub fn is_inertial(&self) -> bool {
        self.waiting == Waiting::Inertial
    }

    /// The names of the ports; empty where cells have one value. Where a rule reads or sets the value without a port,
    /// too, this value is the last port, `out`.
    pub fn ports(&self) -> &[String] {
        &self.ports
    }

    /// Remarks about parts that were not read, probably against the author's intention.
    pub fn remarks(&self) -> &[String] {
        &self.initial.remarks
    }

    /// The names of the state variables.
    pub fn variables(&self) -> &[String] {
        &self.variables
    }

    /// The value of a cell at the start, on every port: for a tuple its first number.
    pub fn initial(&self, cell: u32) -> Fixed {
        self.start(cell).at(0, self.slots)
    }

    /// The value at the start of a cell, on every port.
    pub(super) fn start(&self, cell: u32) -> &Start {
        self.initial.value(self.place(cell))
    }

    /// Whether a rule or a generator draws random numbers.
    pub fn draws(&self) -> bool {
        self.rules_draw() || self.incoming.draws()
    }

    fn rules_draw(&self) -> bool {
        self.rules().any(|rule| rule.expressions().any(Expression::draws))
    }

    /// Whether values may come into a cell from outside.
    pub(super) fn has_inputs(&self) -> bool {
        !self.incoming.inlets.is_empty()
    }

    /// All rules.
    pub(super) fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.sections.iter().flat_map(|section| &section.rules)
    }

    /// The values of the state variables of a cell at the start.
    pub(super) fn variables_of(&self, cell: u32) -> &[Fixed] {
        self.initial.variables(self.place(cell))
    }

    /// The words of a number.
    pub(super) fn width(&self) -> usize {
        1 + usize::from(self.is_wide)
    }

    /// Whether cells keep numbers of 32 fraction bits in two words, from -2^31 to 2^31, rather than of 16 in one, within 32768: where
    /// the numbers that rules come to may have more bits, or a number of the file or of an earlier run is beyond that.
    pub fn is_wide(&self) -> bool {
        self.is_wide
    }

    /// The layout of the words of a cell.
    pub(super) fn layout(&self) -> Layout {
        let words = [self.ports.len(), self.variables.len()];
        Layout::new(words, self.width(), self.rules_draw(), self.has_inputs(), self.waiting)
    }

    /// The least time from an input to an output that it causes, over all rules. With a transport delay a rule that
    /// keeps the value causes no output.
    pub fn lookahead(&self) -> Time {
        // The waiting value may be lost; the next event is then a value from outside.
        if self.has_inputs() && self.is_inertial() {
            return Time::ZERO;
        }
        let changes = |(port, value): &(usize, Expression)| *value != Expression::Own(*port);
        let inertial = self.is_inertial();
        let causing = self.rules().filter(|rule| rule.values.iter().any(|given| inertial || changes(given)));
        Time::from_ticks(causing.map(|rule| rule.delay.least()).min().unwrap_or(Time::NEVER.ticks() - 1))
    }

    /// The section of a cell: that of its zone, or else the local one.
    pub(super) fn section(&self, cell: u32) -> usize {
        let place = self.place(cell);
        let inside = |zone: &Zone| (0..AXES).all(|axis| (zone.first[axis]..=zone.last[axis]).contains(&place[axis]));
        let found = self.zones.iter().rev().find(|(_, zone)| inside(zone));
        found.map_or(self.local, |(section, _)| *section)
    }
}
