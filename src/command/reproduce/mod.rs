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
use super::output::{OutputFile, check_apart, complain, ended, print};
use super::report::json;
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
    fn paper(self) -> &'static dyn Paper {
        match self {
            Self::Sang => &sang::Sang,
            Self::Park => &park::Park,
            Self::Baudis => &baudis::Baudis,
            Self::Seok => &seok::Seok,
            Self::Liu => &liu::Liu,
        }
    }
}

/// A paper whose experiments are repeated.
pub trait Paper {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    fn title(&self) -> &'static str;

    /// Its authors, journal and year.
    fn citation(&self) -> &'static str;

    /// Repeats its experiments. Each exhibit is added as soon as it is done, since an interruption may come.
    ///
    /// # Errors
    /// The error of a run.
    fn repeat(&self, lab: &Lab<'_>, done: &mut Vec<Exhibit>) -> Result<(), CommandError>;
}

/// Repeats the experiments of a paper and prints agreements and differences.
///
/// # Errors
/// [`CommandError`].
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
    let Repeated { done, interrupted, failure } = Repeated::of(paper, &lab)?;
    if interrupted && done.is_empty() {
        complain("note", &"interrupted before the first exhibit: there is nothing to report");
        return Ok(Ending::Interrupted);
    }
    let notes: Vec<Warning> = lab.notes().into_iter().map(|about| Warning::Model { about }).collect();
    warning::tell(*format, &notes);
    warnings.extend(notes);
    let ends = Ends { interrupted, error: failure.as_ref().map(ToString::to_string) };
    let report = Reproduction::new(paper, &lab, &done, begin.elapsed(), ends, warnings);
    let shown = match format {
        Format::Text => text::whole(&report),
        Format::Json => json(&report)?,
    };
    let mut failures = Vec::from_iter(failure);
    failures.extend(print(&shown).err());
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
    /// An error before any exhibit is done. Later the exhibits count, and the error stands beside them.
    fn of(paper: &dyn Paper, lab: &Lab<'_>) -> Result<Self, CommandError> {
        let mut done = vec![];
        match paper.repeat(lab, &mut done) {
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
    use super::*;
    use tickless_device::DeviceError;

    /// Its second exhibit fails, or is interrupted, and the first one too if there is none.
    struct Broken {
        exhibits: usize,
        interrupted: bool,
    }

    impl Paper for Broken {
        fn name(&self) -> &'static str {
            "broken"
        }

        fn title(&self) -> &'static str {
            "a title"
        }

        fn citation(&self) -> &'static str {
            "a citation"
        }

        fn repeat(&self, _: &Lab<'_>, done: &mut Vec<Exhibit>) -> Result<(), CommandError> {
            done.extend((0..self.exhibits).map(|_| Exhibit::left_out("figure 1", "something", "a reason")));
            match self.interrupted {
                true => Err(DeviceError::Interrupted.into()),
                false => Err(CommandError::Usage { message: "the device is lost".into() }),
            }
        }
    }

    #[test]
    fn an_error_leaves_what_is_done() {
        let (device, interrupt) = (DeviceArguments::default(), Interrupt::default());
        let (ready, _) = Ready::choose(Backend::Heap, &device, Suits::Rounds { events: f64::INFINITY }).unwrap();
        let lab = Lab::new(&ready, (Backend::Heap, &device), true, &interrupt);
        let repeated = |exhibits, interrupted| Repeated::of(&Broken { exhibits, interrupted }, &lab);
        assert!(repeated(0, false).is_err() && repeated(0, true).unwrap().interrupted);
        let ended = repeated(1, true).unwrap();
        assert_eq!((ended.done.len(), ended.interrupted, ended.failure.is_none()), (1, true, true));

        let ended = repeated(1, false).unwrap();
        assert_eq!((ended.done.len(), ended.interrupted), (1, false));
        let ends = Ends { interrupted: false, error: ended.failure.map(|error| error.to_string()) };
        let paper = Broken { exhibits: 1, interrupted: false };
        let report = Reproduction::new(&paper, &lab, &ended.done, Default::default(), ends, vec![]);
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
            assert_eq!(known.as_deref(), Some(name.paper().name()));
        }
    }
}
