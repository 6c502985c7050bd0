//! `tickless reproduce`: the experiments of a paper, repeated, as one report.
//!
//! A [`Paper`] has a file of its own. It runs models in a [`Lab`] and makes [`Exhibit`]s of the results: a table or a figure of the
//! paper, with our numbers beside those that its text gives, point by point, and with its claims. A claim is a sentence of the paper in
//! our words and a function of our numbers, so that the verdict is that of this run; the reason of a known difference is text beside
//! it. Exhibits that cannot be repeated are listed with the reason. [`report`] is the JSON of a reproduction, [`text`] its text for
//! people, and [`page`] the file of `--report`.
//!
//! A quick run has small sizes. Claims on speed are open where no GPU runs the rounds, and claims on large sizes in a quick run.

mod baudis;
mod exhibit;
mod lab;
mod land;
mod liu;
mod page;
mod park;
mod report;
mod sang;
mod seok;
mod text;
mod torus;

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};

use super::arguments::{Backend, DeviceArguments, Format};
use super::backend::{Ready, Suits};
use super::interrupt::{Interrupt, LEFT_OUT};
use super::output::{OutputFile, check_apart, complain, ended};
use super::report::print_as;
use super::warning::{self, Warning};
use super::{CommandError, Ending};
use exhibit::Exhibit;
use lab::Lab;
use report::Ends;
pub use report::{ClaimReport, ExhibitReport, Reproduction};

/// The arguments of a reproduction.
#[derive(Debug, Args)]
pub struct ReproduceArguments {
    /// Whose experiments
    #[arg(value_name = "PAPER")]
    paper: Name,
    /// Small sizes, for two minutes on a laptop; what claims say of large ones stays open
    #[arg(long)]
    quick: bool,
    /// What runs the rounds; auto takes an adapter where there is one, a software adapter too. The sequential simulator runs beside it
    #[arg(long, value_name = "NAME", default_value = "auto", help_heading = "Device")]
    backend: Backend,
    #[command(flatten)]
    device: DeviceArguments,
    /// How the result is written to standard output
    #[arg(long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    format: Format,
    /// Also write the result with figures to this HTML file, which needs no other one
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
}

/// The papers by their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Name {
    /// A window for queueing networks on a GPU: tables 1 and 2, figures 10 to 15
    Sang,
    /// Approximate time for queueing networks on a GPU: figures 19 and 20
    Park,
    /// Sets of pending events on a GPU: figures 6 to 11, table III
    Baudis,
    /// Cellular models on a GPU: figure 6
    Seok,
    /// A wildfire and a watershed on the Cell processor: figures 20 to 26
    Liu,
}

impl Name {
    fn paper(self) -> Paper {
        match self {
            Self::Sang => sang::PAPER,
            Self::Park => park::PAPER,
            Self::Baudis => baudis::PAPER,
            Self::Seok => seok::PAPER,
            Self::Liu => liu::PAPER,
        }
    }
}

/// A paper whose experiments are repeated.
#[derive(Clone, Copy)]
pub struct Paper {
    /// Its name on the command line.
    pub name: &'static str,
    pub title: &'static str,
    /// Who wrote it, where and when.
    pub citation: &'static str,
    /// Repeats its experiments. Each exhibit is there as soon as it is done, for an interruption may come.
    repeat: fn(&Lab<'_>, &mut Vec<Exhibit>) -> Result<(), CommandError>,
}

/// Repeats the experiments of a paper and prints what agrees and what differs.
pub fn run(arguments: &ReproduceArguments, interrupt: &Interrupt) -> Result<Ending, CommandError> {
    let ReproduceArguments { paper, quick, backend, device, format, report: page } = arguments;
    let paper = paper.paper();
    // The rounds themselves are the subject, whatever runs them.
    let (ready, mut warnings) = Ready::choose(*backend, device, Suits::Rounds { events: f64::INFINITY })?;
    let page = page.as_deref().map(|path| OutputFile::open("--report", path)).transpose()?;
    check_apart(&page.iter().collect::<Vec<_>>(), [])?;
    warning::tell(*format, &warnings);
    let lab = Lab::new(&ready, (*backend, device), *quick, interrupt);
    let begin = Instant::now();
    let Repeated { done, interrupted, failure } = Repeated::of(paper.repeat, &lab)?;
    if interrupted && done.is_empty() {
        complain("note", &"interrupted before the first exhibit: there is nothing to report");
        return Ok(Ending::Interrupted);
    }
    let notes: Vec<Warning> = lab.notes().into_iter().map(|about| Warning::Model { about }).collect();
    warning::tell(*format, &notes);
    warnings.extend(notes);
    let ends = Ends { interrupted, error: failure.as_ref().map(ToString::to_string) };
    let report = Reproduction::new(paper, &lab, &done, begin.elapsed(), ends, warnings);
    let mut failures = Vec::from_iter(failure);
    failures.extend(print_as(*format, &report, || text::whole(&report))?.err());
    interrupt.printed();
    let late = interrupt.came() && !interrupted;
    if let Some(file) = page {
        if late {
            complain("note", &LEFT_OUT);
        } else {
            failures.extend(file.stream(|out: &mut dyn Write| page::write(&report, out)).err());
        }
    }
    ended(if late || interrupted { Ending::Interrupted } else { Ending::Done }, failures)
}

/// The exhibits of a paper that are done, and the error that ended it before the others.
struct Repeated {
    done: Vec<Exhibit>,
    interrupted: bool,
    failure: Option<CommandError>,
}

impl Repeated {
    /// Repeats a paper.
    ///
    /// # Errors
    /// What ends it before anything is done. Behind that what is done counts, and the error is beside it.
    fn of(
        repeat: impl FnOnce(&Lab<'_>, &mut Vec<Exhibit>) -> Result<(), CommandError>,
        lab: &Lab<'_>,
    ) -> Result<Self, CommandError> {
        let mut done = vec![];
        match repeat(lab, &mut done) {
            Ok(()) => Ok(Self { done, interrupted: false, failure: None }),
            Err(CommandError::Run(error)) if error.is_interrupted() => {
                Ok(Self { done, interrupted: true, failure: None })
            }
            Err(error) if done.is_empty() => Err(error),
            Err(error) => Ok(Self { done, interrupted: false, failure: Some(error) }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::json;
    use super::*;
    use tickless_device::DeviceError;

    #[test]
    fn an_error_leaves_what_is_done() {
        let (device, interrupt) = (DeviceArguments::default(), Interrupt::default());
        let (ready, _) = Ready::choose(Backend::Heap, &device, Suits::Rounds { events: f64::INFINITY }).unwrap();
        let lab = Lab::new(&ready, (Backend::Heap, &device), true, &interrupt);
        // The exhibit behind so many fails, or is interrupted.
        let repeated = |exhibits, interrupted| {
            let repeat = |_: &Lab<'_>, done: &mut Vec<Exhibit>| {
                done.extend((0..exhibits).map(|_| Exhibit::left_out("figure 1", "something", "a reason")));
                let lost = CommandError::Usage { message: "the device is lost".into() };
                Err(if interrupted { DeviceError::Interrupted.into() } else { lost })
            };
            Repeated::of(repeat, &lab)
        };
        assert!(repeated(0, false).is_err() && repeated(0, true).unwrap().interrupted);
        let ended = repeated(1, true).unwrap();
        assert_eq!((ended.done.len(), ended.interrupted, ended.failure.is_none()), (1, true, true));

        let ended = repeated(1, false).unwrap();
        assert_eq!((ended.done.len(), ended.interrupted), (1, false));
        let ends = Ends { interrupted: false, error: ended.failure.map(|error| error.to_string()) };
        let report = Reproduction::new(seok::PAPER, &lab, &ended.done, Default::default(), ends, vec![]);
        let mut written = vec![];
        page::write(&report, &mut written).unwrap();
        let written = String::from_utf8(written).unwrap();
        for all in [text::whole(&report), json(&report).unwrap(), written] {
            for part in ["the device is lost", "a reason"] {
                assert!(all.contains(part), "{part} is not in {all}");
            }
        }
    }

    #[test]
    fn every_paper_has_its_name() {
        for name in Name::value_variants() {
            let known = name.to_possible_value().map(|value| value.get_name().to_owned());
            assert_eq!(known.as_deref(), Some(name.paper().name));
        }
    }
}
