//! `tickless cells FILE.ma`

mod map;

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::cells::CellCase;
use crate::CommandError;
use crate::arguments::{ranged, replications, whole, within};
use crate::case::Written;
use crate::figures::{Declared, Said, result_fields};
use crate::inputs::{InputFile, InputFiles, InputPath};
use crate::log::{COLUMNS, LAYER};
use crate::output::write_csv_of;
use crate::page::Picture;
use crate::text::{counted, grouped, short};
use tickless_cdpp::{Fixed, MOST_WAITING, RuleError, RuleFile, RuleModel};
use tickless_cells::log::{LogWord, Meaning};
use tickless_cells::{CellError, CellModel as _, CellOutcome, Checkpoint};
use tickless_core::memory::NoMemory;
use tickless_core::number::Written as Number;
use tickless_core::reading::Kind;
use tickless_core::run::unwatched;
use tickless_core::time::Time;

/// The most values that are listed.
const LISTED: usize = 16;
/// The most values of a port in the text.
const SHOWN: usize = 4;

/// Where the result goes.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct RulesFiles {
    /// Also write the value of every cell to this CSV file
    #[arg(long, value_name = "FILE")]
    values: Option<PathBuf>,
}

/// The model.
#[derive(Clone, Debug, Args, Serialize, Deserialize, JsonSchema)]
#[command(next_help_heading = "Model")]
#[serde(deny_unknown_fields)]
pub struct RulesArguments {
    /// A Cell-DEVS model in the rule language of CD++; docs/cells.md says what of it there is
    #[arg(value_name = "FILE.ma")]
    pub file: InputPath,
    /// A file of events of CD++: lines HH:MM:SS:mmm PORT VALUE, for the input ports of the model
    #[arg(long, value_name = "FILE.ev")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub events: Option<InputPath>,
    /// Which of the spaces of a model of several is run; those that send into it run before it [default: the last]
    #[arg(long, value_name = "NAME")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<String>,
    /// The horizon, in milliseconds: events before it happen
    #[arg(long, value_name = "T", default_value_t = 10_000.0)]
    #[arg(value_parser = ranged(Time::from_ticks(1).units()..=LATEST, HORIZONS))]
    pub until: f64,
    /// How many copies run that differ in their random numbers
    #[arg(long, value_name = "R", value_parser = replications, default_value_t = 1)]
    pub replications: u32,
    /// One seed, one sample path; only of use where rules draw random numbers
    #[arg(long, value_name = "S", value_parser = whole::<u64>, default_value_t = 1)]
    pub seed: u64,
    /// How many values may wait in a cell for their transport delay at first; a run that needs more takes more [default: 4]
    #[arg(long, value_name = "N", value_parser = within(1..=MOST_WAITING as u32))]
    pub max_waiting: Option<u32>,
    /// Numbers of two words in cells, up to 2^31 and of 32 fraction bits, also where one word would do [default: where the file or the
    /// run needs them]
    #[arg(long)]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub wide: bool,
}

/// The latest horizon, in milliseconds.
const LATEST: f64 = 1e9;
/// The allowed horizons.
const HORIZONS: &str = "of milliseconds from 2^-32 (a tick) to 1000000000";

impl RulesArguments {
    /// The checked model of a file.
    fn model(&self, file: RuleFile) -> Result<RuleModel, CommandError> {
        let usage = |message: String| CommandError::Usage { message };
        // This can only come from a changed result.
        let until = Time::from_units(self.until).filter(|time| *time > Time::ZERO && self.until <= LATEST);
        let until =
            until.ok_or_else(|| usage(format!("until is {}; it must be a number {HORIZONS}", Number(self.until))))?;
        if self.replications == 0 {
            return Err(usage(format!("--replications is 0; it must be from 1 to {}", u32::MAX)));
        }
        if self.replications > 1 && !file.draws() {
            return Err(usage(format!(
                "{} replications would all be the same, as nothing draws random numbers: leave --replications out",
                self.replications
            )));
        }
        let file = if self.wide { file.wide() } else { file };
        let file = file.fed(until, self.seed, self.replications, &mut unwatched())?;
        let model = file.model(until, self.seed);
        let mut model = model.prepared(&(0..self.replications))?.unwrap_or(model);
        if let Some(most) = self.max_waiting {
            model = model.with_max_waiting(most as usize)?;
        }
        Ok(model)
    }

    /// The chosen space.
    fn of_space(&self, file: RuleFile) -> Result<RuleFile, CommandError> {
        let Some(name) = &self.space else { return Ok(file) };
        file.of_space(&name.to_ascii_lowercase()).ok_or_else(|| {
            let all = file.spaces().join(", ");
            CommandError::Usage { message: format!("the model has no space '{name}': --space takes one of {all}") }
        })
    }

    /// The file with the files that it names, which are in the same folder.
    fn rules(&self, files: &mut InputFiles) -> Result<RuleFile, RuleError> {
        let file = RuleFile::read_by(self.file.as_ref(), &mut |path, kind| files.text(path, kind))?;
        let Some(events) = self.events.as_ref().map(InputPath::as_ref) else { return Ok(file) };
        let name = events.display().to_string();
        match files.text(events, Kind::Events) {
            Ok(text) => file.with_events(&text, &name),
            Err(error) => Err(RuleError::Read { path: name, error }),
        }
    }
}

/// Cells of a rule file that are to run.
pub struct RulesCase {
    model: RuleModel,
    arguments: RulesArguments,
    inputs: Vec<InputFile>,
    /// Whether the file has several spaces and none was chosen.
    silent: bool,
}

result_fields! {
    /// The effective parameters.
    pub struct RulesParameters(file: &RuleFile) {
        /// The path that was given.
        file: String = file.name().to_owned();
        /// The space of the model that is run; `null` of a file of one space.
        space: Option<String> = (file.spaces().len() > 1).then(|| file.space_name().to_owned());
        /// `transport` or `inertial`.
        delay: &'static str = if file.is_inertial() { "inertial" } else { "transport" };
        /// Whether a rule or a generator draws random numbers.
        draws: bool = file.draws();
        /// The names of its ports; none where there are none. Where the file has tuples, a port is several: `NAME`, `NAME!1` and so on, and
        /// `NAME!size`.
        ports: Vec<String> = file.ports().to_vec();
        /// The names of its state variables.
        variables: Vec<String> = file.variables().to_vec();
    } printed(of) {
        "file": {
            let space = of.space.as_ref().map(|space| format!("its space {space}, ")).unwrap_or_default();
            format!("{}, {space}{} delays", of.file, of.delay)
        };
        "ports": Some(of.ports.join(" ")).filter(|names| !names.is_empty());
        "state variables": Some(of.variables.join(" ")).filter(|names| !names.is_empty());
    }
}

/// The figures of a run: of the value of cells, or of each port.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum RulesStatistics {
    /// Of a file without ports.
    Value(ValueStatistics),
    /// Of a file with ports.
    Ports {
        /// The same of each port.
        ports: Vec<PortStatistics>,
    },
}

/// The figures of a port.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PortStatistics {
    /// Its name, as in `parameters.ports`.
    port: String,
    #[serde(flatten)]
    figures: ValueStatistics,
}

/// How values are distributed over the cells.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct ValueStatistics {
    /// How many values cells have at the end, in all replications.
    distinct_values: u64,
    /// The mean of those that are numbers; `null` where there is none.
    mean_value: Option<f64>,
    /// The 16 values that the most cells have.
    values: Vec<ValueCount>,
}

/// How many cells have a value; `null` is one that is not known.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ValueCount {
    /// A value; `null` for `?`.
    value: Option<f64>,
    /// How many cells have it.
    cells: u64,
}

impl CellCase for RulesCase {
    type Model = RuleModel;
    type Arguments = RulesArguments;
    type Files = RulesFiles;
    type Parameters = RulesParameters;
    type Statistics = RulesStatistics;

    const NAME: &'static str = "rules";
    const ABOUT: &'static str = "a file of rules; the file alone, without the word rules, does the same";

    fn prepare(arguments: RulesArguments, _: &RulesFiles) -> Result<Self, CommandError> {
        let mut files = InputFiles::default();
        let file = arguments.of_space(arguments.rules(&mut files)?)?;
        let others = file.spaces().len() > 1;
        let chosen = others.then(|| file.space_name().to_owned());
        let model = arguments.model(file)?;
        let silent = others && arguments.space.is_none();
        let max_waiting = Some(model.max_waiting() as u32);
        let arguments = RulesArguments { max_waiting, space: chosen, ..arguments };
        Ok(Self { model, arguments, inputs: files.list(), silent })
    }

    fn model(&self) -> &RuleModel {
        &self.model
    }

    fn arguments(&self) -> &RulesArguments {
        &self.arguments
    }

    fn inputs(&self) -> &[InputFile] {
        &self.inputs
    }

    fn seed(&self) -> Option<u64> {
        self.model.file().draws().then_some(self.arguments.seed)
    }

    fn numbers(&self) -> Range<u32> {
        0..self.arguments.replications
    }

    fn neighbours(&self) -> usize {
        self.model.file().neighbours()
    }

    fn layers(&self) -> u32 {
        self.model.file().layers()
    }

    fn remarks(&self) -> Vec<String> {
        let file = self.model.file();
        let about = |all: Vec<&str>| {
            let (all, this) = (all.join(", "), file.space_name());
            format!("the model has the spaces {all}, and this is a run of {this}: --space runs another")
        };
        file.remarks().iter().cloned().chain(self.silent.then(|| about(file.spaces()))).collect()
    }

    fn grow(&mut self, error: &CellError) -> bool {
        let wide = self.model.with_wide_numbers(error);
        self.arguments.wide |= wide.is_some();
        let Some(model) = wide.or_else(|| self.model.with_more_room(error)) else { return false };
        self.arguments.max_waiting = Some(model.max_waiting() as u32);
        self.model = model;
        true
    }

    fn grown(&self, from: &Checkpoint) -> Result<Option<Checkpoint>, NoMemory> {
        self.model.grown(from)
    }

    fn found(&self, arguments: &mut Value) {
        arguments["max_waiting"] = self.arguments.max_waiting.into();
        if self.arguments.wide {
            arguments["wide"] = true.into();
        }
    }

    fn words(&self) -> Vec<LogWord> {
        let word = |name: String, meaning| LogWord { name, meaning };
        let words = |name: String| match self.model.file().is_wide() {
            true => vec![word(name.clone(), Meaning::Fraction), word(name, Meaning::Number { fraction: 0 })],
            false => vec![word(name, Meaning::Number { fraction: 16 })],
        };
        names(self.model.file()).into_iter().flat_map(words).collect()
    }

    fn parameters(&self) -> RulesParameters {
        RulesParameters::new(self.model.file())
    }

    fn statistics(&self, outcome: &CellOutcome, _: Time) -> RulesStatistics {
        let names = self.model.file().ports();
        if names.is_empty() {
            return RulesStatistics::Value(ValueStatistics::new(self.model.numbers(&outcome.output)));
        }
        let of = |(port, name): (usize, &String)| {
            let figures = ValueStatistics::new(self.model.numbers(&outcome.output).skip(port).step_by(names.len()));
            PortStatistics { port: name.clone(), figures }
        };
        RulesStatistics::Ports { ports: names.iter().enumerate().map(of).collect() }
    }

    fn pictures(&self, outcome: &CellOutcome) -> Vec<Picture> {
        map::pictures(self, outcome)
    }

    fn files(files: &RulesFiles) -> Vec<Written<'_, Self>> {
        let values = Written::asked("--values", files.values.as_ref(), |case: &Self, run, _, out| {
            values(case, &run.outcome, out)
        });
        values.into_iter().collect()
    }
}

impl Declared for RulesStatistics {
    fn rows(&self) -> Vec<Said> {
        match self {
            Self::Value(figures) => figures.rows("values".into(), LISTED),
            Self::Ports { ports } => {
                ports.iter().flat_map(|port| port.figures.rows(format!("~{}", port.port), SHOWN)).collect()
            }
        }
    }
}

impl ValueStatistics {
    /// The statistics of the numbers of cells.
    fn new(numbers: impl Iterator<Item = Fixed>) -> Self {
        // Numbers of 0 and more first, then `?`, then the others.
        let mut counts: BTreeMap<u64, (Fixed, u64)> = BTreeMap::new();
        numbers.for_each(|number| counts.entry(number.bits() as u64).or_insert((number, 0)).1 += 1);
        let known = counts.values().filter_map(|(number, cells)| Some((number.value()?, *cells)));
        let (sum, cells) = known.fold((0.0, 0), |(sum, all), (value, cells)| (sum + value * cells as f64, all + cells));
        let count = |(number, cells): &(Fixed, u64)| ValueCount { value: number.value(), cells: *cells };
        let mut values: Vec<_> = counts.values().map(count).collect();
        values.sort_by_key(|value| std::cmp::Reverse(value.cells));
        values.truncate(LISTED);
        let mean_value = (cells > 0).then(|| sum / cells as f64);
        Self { distinct_values: counts.len() as u64, mean_value, values }
    }

    /// `name` says of what they are; so many values are shown.
    fn rows(&self, name: String, shown: usize) -> Vec<Said> {
        let value = |value: &Option<f64>| value.map_or("?".to_owned(), |value| value.to_string());
        let line = |count: &ValueCount| format!("{} in {}", value(&count.value), counted(count.cells, "cell"));
        let others = self.distinct_values.saturating_sub(shown as u64);
        let others = (others > 0).then(|| format!("and {} others", grouped(others)));
        let lines: Vec<_> = self.values.iter().take(shown).map(line).chain(others).collect();
        let mean = self.mean_value.map(|mean| ("mean value".into(), short(mean)));
        [(name.into(), lines.join("\n"))].into_iter().chain(mean).collect()
    }
}

/// The columns of the cells' outputs: the names of ports, longer where another column has that name.
fn names(file: &RuleFile) -> Vec<String> {
    let ports = file.ports();
    let is_layer = |name: &str| name == LAYER && file.layers() > 1;
    let name = |port: &String| {
        let mut name = port.clone();
        while COLUMNS.contains(&name.as_str()) || is_layer(&name) || (name != *port && ports.contains(&name)) {
            name.insert_str(0, "port_");
        }
        name
    };
    if ports.is_empty() { vec!["value".into()] } else { ports.iter().map(name).collect() }
}

/// The lines of `--values`. `docs/json.md` describes each column.
fn values(kind: &RulesCase, outcome: &CellOutcome, out: &mut dyn Write) -> Result<(), CommandError> {
    let (cells, names) = (outcome.cells(), names(kind.model.file()));
    let lines = outcome.output.len() / kind.model.output_words();
    // A column for layers if there are several.
    let places = if kind.model.file().layers() > 1 { 5 } else { 4 };
    let place = ["replication", "row", "column", "plane", LAYER].map(str::to_owned);
    let head: Vec<String> = place.into_iter().take(places).chain(names.iter().cloned()).collect();
    let line = |place: usize| -> Vec<String> {
        let words = outcome.output.len() / lines;
        let words = &outcome.output[place * words..][..words];
        let of_cell = kind.model.file().place((place % cells) as u32).map(u64::from);
        let place = [(place / cells) as u64].into_iter().chain(of_cell).take(places).map(|number| number.to_string());
        // As serde writes a number: with a point.
        let value = |number: Fixed| number.value().map_or(String::new(), |value| format!("{value:?}"));
        place.chain(kind.model.numbers(words).map(value)).collect()
    };
    write_csv_of(out, 1 + lines, |place| place.checked_sub(1).map_or_else(|| head.clone(), line))
}
