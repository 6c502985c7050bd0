//! The models that the command runs, one file each.

mod cells;
mod families;
mod fire;
mod network;
mod phold;
mod rules;
mod search;
mod study;
mod torus;
mod watershed;

use std::ffi::OsString;

use clap::{ArgMatches, Args as _, Command};
use schemars::Schema;

pub use families::{prepare_family, prepare_network};
pub use network::suits_a_gpu;
#[cfg(test)]
pub use {network::FileCase, phold::PholdCase, torus::TorusCase, watershed::WatershedCase};

use super::arguments::{AFTER, CompareArguments, RunArguments};
use super::case::Case;
use super::checkpoint::{self, KeptArguments, OverRanks, Resumable};
use super::distributed::{self, OverArguments};
use super::interrupt::Interrupt;
use super::merge::Merge;
use super::profile::ProfileArguments;
use super::report::Report;
use super::rerun::RerunArguments;
use super::resume::{self, Resumption};
use super::shard::Sharded;
use super::stored::Stored;
use super::{CommandError, Ending, compare, merge, profile, rerun, run, shape};
use tickless_core::ranks::Transport;

/// The models by their commands.
pub static CASES: [Commands; 15] = [
    Commands::sharded::<torus::TorusCase>(None).over_ranks::<torus::TorusCase>(),
    Commands::sharded::<network::FileCase>(None).over_ranks::<network::FileCase>(),
    Commands::resumable::<study::ExperimentCase>(None),
    Commands::resumable::<study::OptimizeCase>(None),
    Commands::of::<phold::PholdCase>(None).over_ranks::<phold::PholdCase>(),
    Commands::resumable::<search::SearchCase>(None),
    Commands::sharded::<fire::FireCase>(CELLS).over_ranks::<fire::FireCase>(),
    Commands::of::<watershed::WatershedCase>(CELLS).over_ranks::<watershed::WatershedCase>(),
    Commands::of::<rules::RulesCase>(CELLS).over_ranks::<rules::RulesCase>(),
    Commands::sweep::<torus::TorusCase>(),
    Commands::sweep::<phold::PholdCase>(),
    Commands::sweep::<search::SearchCase>(),
    Commands::sweep::<fire::FireCase>(),
    Commands::sweep::<watershed::WatershedCase>(),
    Commands::sweep::<rules::RulesCase>(),
];

impl study::Sweep for torus::TorusCase {
    const SWEEP: &'static str = "experiment torus";
}

impl study::Sweep for phold::PholdCase {
    const SWEEP: &'static str = "experiment phold";
}

impl study::Sweep for search::SearchCase {
    const SWEEP: &'static str = "experiment search";
}

impl study::Sweep for fire::FireCase {
    const SWEEP: &'static str = "experiment fire";
}

impl study::Sweep for watershed::WatershedCase {
    const SWEEP: &'static str = "experiment watershed";
}

impl study::Sweep for rules::RulesCase {
    const SWEEP: &'static str = "experiment rules";
}

/// The command whose subcommands are cells.
pub const CELLS: Option<&str> = Some("cells");

/// The command whose subcommands are models with varied options.
pub const EXPERIMENT: Option<&str> = Some("experiment");

/// The commands of the model of this name.
pub fn named(name: &str) -> Option<&'static Commands> {
    CASES.iter().find(|case| case.name == name)
}

/// Runs a command with its arguments.
type Execute = fn(&ArgMatches, &Interrupt) -> Result<Ending, CommandError>;
/// The same, with the words after the name of the command.
type ExecuteWords = fn(&ArgMatches, &[OsString], &Interrupt) -> Result<Ending, CommandError>;
/// Takes part in a run over ranks.
type TakePart = fn(&ArgMatches, &[OsString], &mut dyn Transport, &Interrupt) -> Result<Ending, CommandError>;
/// The commands of a model, without its type.
#[derive(Clone, Copy)]
pub struct Commands {
    /// Its name in results. The last word of it is its command.
    pub name: &'static str,
    /// The command of which its own is a subcommand, if any.
    pub group: Option<&'static str>,
    pub about: &'static str,
    /// The JSON Schema of its results.
    pub schema: fn() -> Schema,
    run_options: fn(Command) -> Command,
    compare_options: fn(Command) -> Command,
    profile_options: fn(Command) -> Command,
    pub run: ExecuteWords,
    pub compare: Execute,
    pub profile: Execute,
    pub rerun: fn(&Stored, &RerunArguments, &Interrupt) -> Result<Ending, CommandError>,
    /// Merges shards, if the model has any.
    pub merge: Option<Merge>,
    /// Resumes from checkpoints.
    pub resume: Resumption,
    /// Takes part as a process in a run over ranks, if the model has such runs.
    pub take_part: Option<TakePart>,
}

impl Commands {
    const fn of<C: Case>(group: Option<&'static str>) -> Self {
        Self {
            name: C::NAME,
            group,
            about: C::ABOUT,
            schema: shape::of_result::<Report<C::Arguments, C::Parameters, C::Figures>>,
            run_options: RunArguments::<C::Arguments, C::Options, C::Files>::augment_args,
            compare_options: CompareArguments::<C::Arguments, C::Files>::augment_args,
            profile_options: ProfileArguments::<C::Arguments>::augment_args,
            run: run::run::<C>,
            compare: compare::run::<C>,
            profile: profile::run::<C>,
            rerun: rerun::repeat::<C>,
            merge: None,
            resume: Resumption::NONE,
            take_part: None,
        }
    }

    /// The commands of a model whose runs leave checkpoints.
    const fn resumable<C: Resumable>(group: Option<&'static str>) -> Self {
        Self {
            run_options: KeptArguments::<C::Arguments, C::Options, C::Files>::augment_args,
            run: checkpoint::run_alone::<C>,
            resume: Resumption { whole: Some(resume::go_on_alone::<C>), part: None },
            ..Self::of::<C>(group)
        }
    }

    /// Adds runs over ranks.
    const fn over_ranks<C: OverRanks>(self) -> Self {
        Self {
            run_options: OverArguments::<C::Arguments, C::Options, C::Files>::augment_args,
            run: distributed::run::<C>,
            resume: Resumption { whole: Some(resume::go_on::<C>), part: Some(resume::resume_part::<C>) },
            take_part: Some(distributed::take_part::<C>),
            ..self
        }
    }

    const fn sharded<C: Sharded>(group: Option<&'static str>) -> Self {
        Self { merge: Some(merge::of_model::<C>), ..Self::of::<C>(group) }
    }

    const fn sweep<C: study::Sweep>() -> Self {
        Self::resumable::<study::SweepCase<C>>(EXPERIMENT)
    }

    /// The word of its command.
    pub fn word(&self) -> &'static str {
        self.name.rsplit(' ').next().unwrap_or(self.name)
    }

    /// The words of its command, in one.
    pub fn words(&self) -> String {
        self.group.into_iter().chain([self.word()]).collect::<Vec<_>>().join(" ")
    }

    /// `tickless NAME`
    pub fn run_command(&self) -> Command {
        self.command(if self.group == EXPERIMENT { "Vary" } else { "Run" }, self.run_options)
    }

    /// `tickless compare NAME`
    pub fn compare_command(&self) -> Command {
        self.command("Compare runs of", self.compare_options)
    }

    /// `tickless profile NAME`
    pub fn profile_command(&self) -> Command {
        self.command("Time the kernels of", self.profile_options)
    }

    fn command(&self, what: &str, options: fn(Command) -> Command) -> Command {
        // The part of the help after a semicolon is about the model's own command alone.
        let model = self.about.split(';').next().unwrap_or(self.about);
        let about = if self.group == EXPERIMENT { model } else { self.about };
        options(Command::new(self.word())).about(format!("{what} {about}")).after_help(AFTER)
    }
}
