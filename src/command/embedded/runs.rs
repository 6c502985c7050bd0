//! Cases before and after their runs.

use std::num::NonZeroUsize;
use std::path::Path;

use clap::{Args as _, Command};
use serde_json::Value;
use tickless_core::run::Watch;
use tickless_device::Device;
use tickless_queueing::{NetworkModel, NetworkOutcome};

use super::options::matched;
use super::{Given, Held, Make, Prepared, Ran};
use crate::CommandError;
use crate::arguments::parsed;
use crate::backend::{Ready, Suits, only_on_the_heap};
use crate::case::{self, Case, Extent, RunOf, Wanted, Written};
use crate::inputs::check_unchanged;
use crate::output::{OutputFile, check_form};
use crate::report::{Report, json};
use crate::warning::Warning;
use crate::{page, report_text};

type ReportOf<C> = Report<<C as Case>::Arguments, <C as Case>::Parameters, <C as Case>::Figures>;

/// What a case was made by.
#[derive(Clone)]
pub struct Made {
    pub make: Make,
    /// The words of a command line.
    pub words: Vec<String>,
}

/// A case before its run.
pub struct Whole<C: Case> {
    pub case: C,
    pub options: C::Options,
    /// The most of the heap.
    pub threads: Option<NonZeroUsize>,
    pub made: Made,
    /// Whether it has the arguments of a run that went before.
    pub is_repeated: bool,
}

impl<C: Held> Prepared for Whole<C> {
    fn suits_a_gpu(&self) -> bool {
        !matches!(self.case.suits(), Suits::Heap(_) | Suits::NoRounds { .. })
    }

    fn run(
        self: Box<Self>,
        (name, device): (&'static str, Option<&'static dyn Device>),
        watch: &mut dyn Watch,
    ) -> Result<Box<dyn Ran>, CommandError> {
        let Self { mut case, options, threads, made, is_repeated } = *self;
        if device.is_some() && threads.is_some() {
            return Err(only_on_the_heap("this run would be on a device"));
        }
        let backend = Ready::opened(name, device, threads);
        if !is_repeated {
            case.check_options(&backend)?;
        }
        case.check_size(&backend.room(), Wanted::Records)?;
        let mut log = C::log(&options).map(|(option, path)| OutputFile::open(option, path)).transpose()?;
        let mut warnings = case.remarks();
        warnings.extend(if is_repeated { None } else { case.pilot(watch)? });
        let run = case::run_whole(&mut case, (backend.target(), Wanted::Records), log.as_mut(), watch)?;
        log.map_or(Ok(()), OutputFile::finish)?;
        warnings.extend(case.afterwards(&run));
        Ok(Box::new(Ended { case, run, backend, made, warnings }))
    }
}

/// A case after its run.
struct Ended<C: Case> {
    case: C,
    run: RunOf<C>,
    backend: Ready,
    made: Made,
    warnings: Vec<Warning>,
}

impl<C: Held> Ended<C> {
    fn result(&self) -> Result<ReportOf<C>, CommandError> {
        let backend = (self.backend.name(), self.backend.adapter());
        let run = case::report(&self.case, backend, &self.run, Extent::Everything)?;
        let (origin, parameters) = (case::origin(&self.case), self.case.parameters());
        Ok(Report { origin, parameters, run, warnings: self.warnings.clone() })
    }

    /// Refuses what the run would have had to keep, by the options that keep it.
    fn check_kept(&self, case: &C, option: &str) -> Result<(), CommandError> {
        let fields = |case: &C| serde_json::to_value(case.arguments()).unwrap_or_default();
        let lacking = lacking(&fields(&self.case), &fields(case));
        if lacking.is_empty() {
            return Ok(());
        }
        let message = format!("the run has not kept what {option} shows: run it with {}", lacking.join(", "));
        Err(CommandError::Usage { message })
    }
}

/// The fields whose values are needed and others.
fn lacking(had: &Value, needed: &Value) -> Vec<String> {
    let lacks = |(name, value): (&String, &Value)| match (value, &had[name]) {
        (value, other) if value == other => vec![],
        (Value::Object(_), other) => lacking(other, value),
        // A list without values, as of names, is a flag.
        (Value::Array(list), _) if list.is_empty() => vec![format!("{name}=True")],
        (Value::Bool(true), _) => vec![format!("{name}=True")],
        (value, _) => vec![format!("{name}={value}")],
    };
    needed.as_object().into_iter().flatten().flat_map(lacks).collect()
}

impl<C: Held> Ran for Ended<C> {
    fn backend(&self) -> (&'static str, Option<&str>) {
        (self.backend.name(), self.backend.adapter().map(|adapter| adapter.name.as_str()))
    }

    fn events(&self) -> u64 {
        self.run.events
    }

    fn seconds(&self) -> [f64; 2] {
        [self.run.wall, self.run.setup].map(|time| time.as_secs_f64())
    }

    fn digest(&self) -> String {
        C::digest(&self.run.outcome).to_string()
    }

    fn notes(&self) -> Vec<String> {
        // A shifted law is a line of the text, as there.
        let noted = self.warnings.iter().filter(|warning| !matches!(warning, Warning::ShiftedLaw { .. }));
        noted.map(ToString::to_string).collect()
    }

    fn network(&self) -> Option<(&NetworkModel, &[NetworkOutcome])> {
        self.case.network(&self.run.outcome)
    }

    fn texts(&self) -> Result<[String; 2], CommandError> {
        let result = self.result()?;
        Ok([report_text::run(&self.case, &self.run, &result), json(&result)?])
    }

    fn frame(&self) -> Result<String, CommandError> {
        let figures = self.case.figures(&self.run, Extent::Everything);
        let pictures = self.case.pictures(&self.run, &figures);
        page::frame(&format!("tickless {}", C::NAME), &figures, &self.case.answer(&figures), pictures.first())
    }

    fn report(&self, path: &Path) -> Result<(), CommandError> {
        let result = self.result()?;
        let figures = &result.run.figures;
        let mut pictures = self.case.pictures(&self.run, figures);
        pictures.extend(page::events_a_round(&self.run.moments, C::EVENTS));
        let subject = page::Subject {
            about: C::ABOUT,
            events: C::EVENTS,
            command: &page::command_line(self.made.words.iter().map(Into::into)),
        };
        let answer = self.case.answer(figures);
        OutputFile::open("--report", path)?.stream(|out| page::write(subject, &result, &answer, &pictures, out))
    }

    fn file(&self, given: &[Given], is_written: bool) -> Result<Vec<u8>, CommandError> {
        let allowed = C::Files::augment_args(Command::new(""));
        let (command, name) = (self.made.make)();
        let command = command.mut_args(|argument| argument.required(false));
        let files: C::Files = parsed(&matched((command, name), given, &allowed)?.0)?;
        let Some(Written { option, path, contents }) = C::files(&files).into_iter().next() else {
            let message = format!("{} is no option of a file", given.first().map_or("", |(name, _)| name));
            return Err(CommandError::Usage { message });
        };
        check_unchanged(self.case.inputs(), Path::new("this result"))?;
        let case = C::prepare(self.case.arguments(), &C::Options::default(), &files)?;
        self.check_kept(&case, option)?;
        let figures = case.figures(&self.run, Extent::Everything);
        if is_written {
            let file = OutputFile::open(option, path)?;
            return file.stream(|out| contents(&case, &self.run, &figures, out)).map(|()| vec![]);
        }
        check_form(option, path)?;
        let mut text = vec![];
        contents(&case, &self.run, &figures, &mut text)?;
        Ok(text)
    }

    fn again(&self) -> Result<Box<dyn Prepared>, CommandError> {
        check_unchanged(self.case.inputs(), Path::new("this result"))?;
        let case = C::prepare(self.case.arguments(), &C::Options::default(), &C::Files::default())?;
        let (options, made) = (C::Options::default(), self.made.clone());
        Ok(Box::new(Whole { case, options, threads: None, made, is_repeated: true }))
    }
}
