//! The arguments of `tickless search`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::batch::{Asked, Batch};
use crate::CommandError;
use crate::arguments::{allowed, ranged, whole, within};
use crate::inputs::InputPath;
use crate::rounds::check_unused;
use tickless_engine::pending::PendingSet;
use tickless_pathfinding::gpu::{OpenList, SearchOptions};
use tickless_pathfinding::{Corners, MOST_EXPANDED, MOST_SEARCHES, MOST_SIDE};

/// The default number of searches, without a file of scenarios.
const SEARCHES: u32 = 1000;
/// The mean side of obstacles, in cells.
const MEANS: std::ops::RangeInclusive<f64> = 1e-3..=1e3;

/// Whether a diagonal move may pass a blocked cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CornerRule {
    /// A diagonal move needs both cells beside it free
    Forbid,
    /// It needs only the cell that it goes to
    Allow,
}

impl CornerRule {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Forbid => "forbid",
            Self::Allow => "allow",
        }
    }
}

impl From<CornerRule> for Corners {
    fn from(rule: CornerRule) -> Self {
        match rule {
            CornerRule::Forbid => Self::Forbid,
            CornerRule::Allow => Self::Allow,
        }
    }
}

/// How searches run; none of it changes a result.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize, JsonSchema)]
#[command(next_help_heading = "How it runs")]
#[serde(deny_unknown_fields)]
pub struct HowArguments {
    /// How the open cells of a search are kept on a device: near-far, heap, heap-of-fours, circular,
    /// circular-single-pass, circular-parallel or splay [default: auto]
    #[arg(long, value_name = "NAME", value_parser = open_list)]
    #[serde(serialize_with = "name_of_list", deserialize_with = "list_of_name")]
    #[schemars(with = "Option<String>")]
    pending: Option<OpenList>,
    /// The most searches at once on a device [default: what suits and fits it]
    #[arg(long, value_name = "N", value_parser = within(1..=u32::MAX))]
    at_once: Option<u32>,
}

impl HowArguments {
    /// The options for the library.
    pub fn options(&self) -> SearchOptions {
        SearchOptions { open_list: self.pending.unwrap_or_default(), at_once: self.at_once, ..SearchOptions::default() }
    }

    /// Repeats checks of clap, for a result that was changed.
    fn check(&self) -> Result<(), CommandError> {
        self.at_once.map_or(Ok(()), |number| allowed("--at-once", number, within(1..=u32::MAX)))
    }

    /// Refuses options of a backend other than that of the run.
    ///
    /// # Errors
    /// [`CommandError::Usage`] with the first given option.
    pub fn check_unused(&self, on_a_device: bool) -> Result<(), CommandError> {
        if on_a_device {
            return Ok(());
        }
        check_unused(&[("--pending", self.pending.is_some()), ("--at-once", self.at_once.is_some())])
    }
}

/// How a search keeps its open cells.
fn open_list(name: &str) -> Result<OpenList, String> {
    let names = || OpenList::ALL.map(OpenList::name).join(", ");
    if name == PendingSet::GlobalHeap.name() {
        return Err(format!(
            "{name} is one heap for all, and each search has open cells of its own: it takes {}",
            names()
        ));
    }
    name.parse().map_err(|_| format!("it takes {}", names()))
}

fn name_of_list<S: Serializer>(list: &Option<OpenList>, serializer: S) -> Result<S::Ok, S::Error> {
    list.map(OpenList::name).serialize(serializer)
}

fn list_of_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<OpenList>, D::Error> {
    let name = Option::<String>::deserialize(deserializer)?;
    name.map(|name| open_list(&name).map_err(D::Error::custom)).transpose()
}

/// The model; every option has a default.
#[derive(Clone, Debug, Args, Serialize, Deserialize, JsonSchema)]
#[command(next_help_heading = "Model")]
#[serde(deny_unknown_fields)]
pub struct SearchArguments {
    /// Columns and rows of a map that is made up
    #[arg(long, value_name = "N", default_value_t = 512, conflicts_with_all = ["width", "height"])]
    #[arg(value_parser = within(1..=MOST_SIDE))]
    pub side: u32,
    /// Columns of a map that is made up
    #[arg(long, value_name = "W", value_parser = within(1..=MOST_SIDE), requires = "height")]
    pub width: Option<u32>,
    /// Rows
    #[arg(long, value_name = "H", value_parser = within(1..=MOST_SIDE), requires = "width")]
    pub height: Option<u32>,
    /// Obstacles of a map that is made up, as a share of its cells, 0 to 1; they may be larger than a cell, and overlap
    #[arg(long, value_name = "D", value_parser = ranged(0.0..=1.0, "from 0 to 1"), default_value_t = 0.2)]
    pub density: f64,
    /// The mean of the exponential variate, in cells, that rounded down is the side of an obstacle, and at least 1
    #[arg(long, value_name = "MEAN", value_parser = ranged(MEANS, "of cells from 0.001 to 1000"), default_value_t = 1.0)]
    pub obstacle_size: f64,
    /// A map in place of one that is made up, a .map file of the Moving AI benchmarks
    #[arg(long, value_name = "FILE", conflicts_with_all = ["side", "width", "height", "density", "obstacle_size"])]
    pub map: Option<InputPath>,
    /// What the letters of the map cost, a CSV file with the columns letter and cost [default: . G S are 1, @ O T W
    /// are blocked]
    #[arg(long, value_name = "FILE", requires = "map")]
    pub terrain: Option<InputPath>,
    /// Searches on the map with the lengths of their paths, a .scen file of the Moving AI benchmarks [default: drawn from the
    /// seed]
    #[arg(long, value_name = "FILE", requires = "map")]
    pub scenarios: Option<InputPath>,
    /// How many searches; of a file of scenarios the first ones [default: 1000; of a file all]
    #[arg(long, value_name = "N", value_parser = within(1..=MOST_SEARCHES))]
    pub searches: Option<u32>,
    /// Whether a diagonal move may cut the corner of a blocked cell
    #[arg(long, value_name = "RULE", default_value = "forbid")]
    pub corners: CornerRule,
    /// Cells that a search expands in a step, 1 to 32; with 1 it is the classic A*
    #[arg(long, value_name = "N", value_parser = within(1..=MOST_EXPANDED), default_value_t = 8)]
    pub expand: u32,
    /// Keep the paths, too: they count in the digest; --paths and --picture do so
    #[arg(long)]
    pub keep_paths: bool,
    /// One seed, one map and one set of searches
    #[arg(long, value_name = "S", value_parser = whole::<u64>, default_value_t = 1)]
    pub seed: u64,
    /// How searches run; none of it changes a result.
    #[command(flatten)]
    pub how: HowArguments,
}

impl SearchArguments {
    /// The searches, checked, and what they were read from. The number of searches is that which there is from here on.
    pub fn check(&mut self) -> Result<Batch, CommandError> {
        self.check_values()?;
        self.how.check()?;
        let batch = Batch::new(&Asked {
            sides: [self.width, self.height].map(|side| side.unwrap_or(self.side)),
            density: self.density,
            obstacle_size: self.obstacle_size,
            map: self.map.as_ref(),
            terrain: self.terrain.as_ref(),
            scenarios: self.scenarios.as_ref(),
            searches: self.searches,
            searches_drawn: self.searches.unwrap_or(SEARCHES),
            corners: self.corners.into(),
            expand: self.expand,
            paths: self.keep_paths,
            seed: self.seed,
        })?;
        self.searches = Some(batch.model.queries().len() as u32);
        Ok(batch)
    }

    /// Repeats checks of clap, for a result that was changed.
    fn check_values(&self) -> Result<(), CommandError> {
        if self.width.is_some() != self.height.is_some() {
            let message = "--width and --height go together: give both, or --side".to_owned();
            return Err(CommandError::Usage { message });
        }
        for (option, given) in [("--terrain", &self.terrain), ("--scenarios", &self.scenarios)] {
            if given.is_some() && self.map.is_none() {
                let message =
                    format!("{option} needs --map, whose letters and cells it names: leave it out, or give that");
                return Err(CommandError::Usage { message });
            }
        }
        let sides = [("--side", Some(self.side)), ("--width", self.width), ("--height", self.height)];
        for (option, length) in sides.into_iter().filter_map(|(option, length)| Some((option, length?))) {
            allowed(option, length, within(1..=MOST_SIDE))?;
        }
        allowed("--density", self.density, ranged(0.0..=1.0, "from 0 to 1"))?;
        allowed("--obstacle-size", self.obstacle_size, ranged(MEANS, "of cells from 0.001 to 1000"))?;
        allowed("--expand", self.expand, within(1..=MOST_EXPANDED))?;
        self.searches.map_or(Ok(()), |number| allowed("--searches", number, within(1..=MOST_SEARCHES)))
    }
}

/// One of a list of searches.
fn numbers(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "it takes numbers of searches, from 0 on, with commas between them".into())
}

/// Where the result goes.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct SearchFiles {
    /// Also write a line for each search to this CSV file
    #[arg(long, value_name = "FILE")]
    pub results: Option<PathBuf>,
    /// Also write all paths to this file, which tickless paths makes a CSV file of
    #[arg(long, value_name = "FILE")]
    pub paths: Option<PathBuf>,
    /// Also draw the map, the cells that the searches of --show have seen, and their paths to this PNG file
    #[arg(long, value_name = "FILE")]
    pub picture: Option<PathBuf>,
    /// The searches in the picture, by their numbers from 0 on, with commas between them [default: 0]
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', value_parser = numbers, requires = "picture")]
    pub show: Vec<u32>,
}

impl SearchFiles {
    /// Whether a file needs the paths.
    pub fn need_paths(&self) -> bool {
        self.paths.is_some() || self.picture.is_some()
    }

    /// The searches of the picture, each once.
    ///
    /// # Errors
    /// [`CommandError::Usage`] with a number that no search has.
    pub fn shown(&self, searches: usize) -> Result<Vec<usize>, CommandError> {
        let mut shown: Vec<usize> = self.show.iter().map(|&search| search as usize).collect();
        if shown.is_empty() {
            shown.push(0);
        }
        shown.sort_unstable();
        shown.dedup();
        match shown.last() {
            Some(&last) if last >= searches => {
                let there = if searches == 1 {
                    "is search 0 alone".into()
                } else {
                    format!("are searches 0 to {}", searches - 1)
                };
                Err(CommandError::Usage { message: format!("--show names search {last}; there {there}") })
            }
            _ => Ok(shown),
        }
    }
}
