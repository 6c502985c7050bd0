//! `tickless cells FILE.ma`

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::arguments::{ComparedArguments, RunArguments};
use super::inputs::{InputFile, InputFiles, InputPath};
use super::{Contents, Kind, execute};
use crate::RunError;
use crate::cells::log::{LogWord, Meaning};
use crate::cells::rules::{Fixed, RuleError, RuleFile, RuleModel, Waiting};
use crate::cells::{CellModel as _, CellOutcome};
use crate::cli::arguments::{time, whole};
use crate::cli::facilities::RecordsFile;
use crate::cli::interrupt::Interrupt;
use crate::cli::text::{Table, grouped, short};
use crate::cli::{CommandError, Ending};
use crate::time::Time;

/// How many values are listed.
const LISTED: usize = 16;

#[derive(Debug, Args)]
pub struct RulesArguments {
    #[command(flatten)]
    model: RulesModelArguments,
    #[command(flatten)]
    run: RunArguments,
    /// Also write the value of every cell to this CSV file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    values: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct CompareRulesArguments {
    #[command(flatten)]
    model: RulesModelArguments,
    #[command(flatten)]
    pub compared: ComparedArguments,
}

impl CompareRulesArguments {
    /// The model, checked.
    ///
    /// # Errors
    /// [`CommandError`].
    pub fn kind(&self) -> Result<RulesKind, CommandError> {
        self.model.kind()
    }
}

/// The model. `docs/json.md` describes each: results have them, and reruns read them.
#[derive(Clone, Debug, Args, Serialize)]
#[command(next_help_heading = "Model")]
pub struct RulesModelArguments {
    /// A Cell-DEVS model in the rule language of CD++; docs/cells.md says what of it there is
    #[arg(value_name = "FILE.ma")]
    pub file: InputPath,
    /// The horizon, in milliseconds: events before it happen
    #[arg(long, value_name = "T", value_parser = time, default_value_t = 10_000.0, allow_negative_numbers = true)]
    pub until: f64,
    /// How many copies run that differ in their random numbers
    #[arg(long, value_name = "R", value_parser = whole::<u32>, default_value_t = 1, allow_negative_numbers = true)]
    pub replications: u32,
    /// One seed, one sample path; only of use where rules draw random numbers
    #[arg(long, value_name = "S", value_parser = whole::<u64>, default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
    /// How many values may wait in a cell for their transport delay
    #[arg(long, value_name = "N", value_parser = whole::<u32>, default_value_t = 4, allow_negative_numbers = true)]
    pub room: u32,
}

impl RulesModelArguments {
    /// The model, checked.
    ///
    /// # Errors
    /// [`CommandError`].
    pub fn kind(&self) -> Result<RulesKind, CommandError> {
        let mut files = InputFiles::default();
        let file = self.rules(&mut files).map_err(RunError::from)?;
        let usage = |message: String| CommandError::Usage { message };
        let until = Time::from_units(self.until).filter(|time| *time > Time::ZERO && self.until <= 1e9);
        let until = until.ok_or_else(|| {
            usage(format!("until is {}; it must be above 0 and at most 1e9 milliseconds", self.until))
        })?;
        if self.replications == 0 {
            return Err(usage("--replications is 0; it must be 1 or more".into()));
        }
        if self.replications > 1 && !file.draws() {
            return Err(usage(format!(
                "{} replications would all be the same, as no rule draws random numbers: leave --replications out",
                self.replications
            )));
        }
        let model = file.model(until, self.seed).with_replications(self.replications);
        let model = model.with_room(self.room as usize).map_err(RunError::from)?;
        Ok(RulesKind { model, arguments: self.clone(), inputs: files.list() })
    }

    /// The file with those that it names, which are looked for beside it.
    fn rules(&self, files: &mut InputFiles) -> Result<RuleFile, RuleError> {
        let path: &Path = self.file.as_ref();
        let name = path.display().to_string();
        let text = files.text(path).map_err(|error| RuleError::Read { path: name.clone(), error })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        RuleFile::parse(&text, &name, |named| files.text(&folder.join(named)).ok())
    }
}

/// Cells of a rule file that are to run.
pub struct RulesKind {
    model: RuleModel,
    arguments: RulesModelArguments,
    inputs: Vec<InputFile>,
}

/// The effective parameters.
#[derive(Clone, Debug, Serialize)]
pub struct RulesParameters {
    file: String,
    delay: &'static str,
    draws: bool,
}

/// The figures of a run.
#[derive(Clone, Debug, Serialize)]
pub struct RulesStatistics {
    distinct_values: u64,
    mean_value: Option<f64>,
    values: Vec<ValueCount>,
}

/// How many cells have a value; `null` is one that is not known.
#[derive(Clone, Debug, Serialize)]
pub struct ValueCount {
    value: Option<f64>,
    cells: u64,
}

impl Kind for RulesKind {
    type Model = RuleModel;
    type Arguments = RulesModelArguments;
    type Parameters = RulesParameters;
    type Statistics = RulesStatistics;

    const NAME: &'static str = "rules";
    const IN_SOFTWARE: bool = true;

    fn model(&self) -> &RuleModel {
        &self.model
    }

    fn arguments(&self) -> &RulesModelArguments {
        &self.arguments
    }

    fn inputs(&self) -> &[InputFile] {
        &self.inputs
    }

    fn seed(&self) -> Option<u64> {
        self.model.file().draws().then_some(self.arguments.seed)
    }

    fn words(&self) -> Vec<LogWord> {
        vec![LogWord { name: "value".into(), meaning: Meaning::Number { fraction: 16 } }]
    }

    fn parameters(&self) -> RulesParameters {
        let file = self.model.file();
        RulesParameters {
            file: file.name().to_owned(),
            delay: match file.delay() {
                Waiting::Transport => "transport",
                Waiting::Inertial => "inertial",
            },
            draws: file.draws(),
        }
    }

    fn statistics(&self, outcome: &CellOutcome, _: Time) -> RulesStatistics {
        let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
        values(outcome).for_each(|value| *counts.entry(value.word()).or_default() += 1);
        let known = counts.iter().filter_map(|(word, cells)| Some((Fixed::from_word(*word).value()?, *cells)));
        let (sum, cells) = known.fold((0.0, 0), |(sum, all), (value, cells)| (sum + value * cells as f64, all + cells));
        let mut values: Vec<_> =
            counts.iter().map(|(word, &cells)| ValueCount { value: Fixed::from_word(*word).value(), cells }).collect();
        values.sort_by_key(|value| std::cmp::Reverse(value.cells));
        values.truncate(LISTED);
        let mean_value = (cells > 0).then(|| sum / cells as f64);
        RulesStatistics { distinct_values: counts.len() as u64, mean_value, values }
    }

    fn describe(&self, table: &mut Table) {
        let RulesParameters { file, delay, .. } = self.parameters();
        table.row("file", format!("{file}, {delay} delays"));
    }

    fn tell(&self, figures: &RulesStatistics, table: &mut Table) {
        let value = |value: &Option<f64>| value.map_or("?".to_owned(), |value| value.to_string());
        for (place, count) in figures.values.iter().enumerate() {
            let name = if place == 0 { "values" } else { "" };
            table.row(name, format!("{} in {} cells", value(&count.value), grouped(count.cells)));
        }
        let others = figures.distinct_values.saturating_sub(LISTED as u64);
        if others > 0 {
            table.row("", format!("and {} others", grouped(others)));
        }
        if let Some(mean) = figures.mean_value {
            table.row("mean value", short(mean));
        }
    }
}

/// The values of all cells.
fn values(outcome: &CellOutcome) -> impl Iterator<Item = Fixed> + '_ {
    outcome.output.iter().map(|&word| Fixed::from_word(word))
}

/// A line of `--values`. `docs/json.md` describes each column.
#[derive(Serialize)]
struct Line {
    replication: usize,
    row: u32,
    column: u32,
    plane: u32,
    value: Option<f64>,
}

/// Runs the model and prints the result.
///
/// # Errors
/// [`CommandError`].
pub fn run(arguments: &RulesArguments, interrupt: &Interrupt) -> Result<Ending, CommandError> {
    let kind = arguments.model.kind()?;
    let mut files: Vec<(RecordsFile, Contents)> = vec![];
    if let Some(path) = &arguments.values {
        files.push((RecordsFile::open("--values", path)?, Box::new(|outcome| lines(&kind, outcome))));
    }
    execute(&kind, &arguments.run, files, interrupt)
}

fn lines(kind: &RulesKind, outcome: &CellOutcome) -> Result<Vec<u8>, CommandError> {
    let cells = outcome.cells();
    let line = |(place, value): (usize, Fixed)| {
        let [column, row, plane] = kind.model.space().place((place % cells) as u32);
        Line { replication: place / cells, row, column, plane, value: value.value() }
    };
    super::super::facilities::csv_of(values(outcome).enumerate().map(line)).map_err(CommandError::Output)
}
