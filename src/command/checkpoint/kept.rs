//! The course of a run with checkpoints: from its beginning, or from a checkpoint.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::file::{Pair, Read, Same, Writing, wrong};
use super::files::Files;
use super::keeping::{Keeping, restored};
use super::parts::Parts;
use super::so_far::SoFar;
use super::{CourseArguments, Resumable};
use crate::CommandError;
use crate::backend::Ready;
use crate::case::{self, RunOf, Wanted};
use crate::files::READ;
use crate::foreign;
use crate::interrupt::Interrupt;
use crate::output::{OutputFile, check_apart};
use crate::run::{Course, Given};
use crate::warning::Warning;

/// An identifier of a run, 128 random bits.
pub fn run_id() -> String {
    use std::hash::{BuildHasher as _, RandomState};
    let word = || RandomState::new().hash_one((std::time::SystemTime::now(), std::process::id()));
    format!("{:016x}{:016x}", word(), word())
}

/// The constant part of a run beside its model.
pub struct Begun {
    /// The identifier of the run.
    pub run: String,
    /// The words of the command line after the name of the command.
    pub words: Vec<String>,
    /// The warnings.
    pub warnings: Vec<Warning>,
}

/// A run that leaves checkpoints, from its beginning or from one of them.
pub struct Kept<P> {
    /// The runner of its parts.
    pub parts: P,
    pub pair: Pair,
    pub course: CourseArguments,
    pub begun: Begun,
    pub from: Option<Read>,
    /// Whether its outputs may replace files outside of the current folder: the words of a checkpoint may be somebody else's.
    pub overwrites: bool,
}

impl<C: Resumable, P: Parts<C>> Course<C> for Kept<P> {
    fn begins(&self) -> bool {
        self.from.is_none()
    }

    fn check(&self, case: &C) -> Result<(), CommandError> {
        self.parts.check(case)
    }

    fn open(&self, case: &C, given: Given<'_>) -> Result<(Ready, Vec<Warning>), CommandError> {
        self.parts.open(case, given)
    }

    fn ranks(&self) -> Option<u32> {
        self.parts.ranks()
    }

    fn wanted(&self, _: bool) -> Wanted {
        Wanted::Records
    }

    fn check_size(&self, case: &C, backend: &Ready, wanted: Wanted) -> Result<(), CommandError> {
        let room = backend.room();
        case.check_size(&room, wanted)?;
        let there = room.available();
        case.check_size(&room, Wanted::Checkpoint).map_err(|error| match error {
            CommandError::Memory { what, part, asked, available, .. } => {
                let there = there.unwrap_or(available);
                let asked = asked + there.saturating_sub(available);
                let (part, fits) = (format!("{part} with checkpoints"), "a smaller model, or leave --checkpoint out");
                CommandError::Memory { what, part, asked, available: there, fits: fits.into() }
            }
            error => error,
        })
    }

    fn found(&mut self, by_pilot: Option<Warning>) -> Vec<Warning> {
        self.begun.warnings.extend(by_pilot);
        self.begun.warnings.clone()
    }

    fn own_files(&self, case: &C) -> Result<Vec<PathBuf>, CommandError> {
        let paths = self.pair.all();
        for path in &paths {
            // This is a test only: the file is written with a checkpoint.
            let file = OutputFile::open("--checkpoint", path)?;
            check_apart(&[&file], case.read_only().into_iter().map(|path| (path, READ)))?;
        }
        Ok(paths.into())
    }

    fn check_outputs(&self, read: &[&Path], outputs: &[(&'static str, &Path)]) -> Result<(), CommandError> {
        let Some(from) = &self.from else { return Ok(()) };
        foreign::tell(&from.path, read, outputs);
        if self.overwrites { Ok(()) } else { foreign::check(outputs) }
    }

    fn execute(
        self,
        case: &mut C,
        backend: &mut Ready,
        given: Given<'_>,
        _: Wanted,
        _: Option<&mut OutputFile>,
        interrupt: &Interrupt,
    ) -> Result<RunOf<C>, CommandError> {
        let Self { mut parts, pair, course, begun, from, overwrites: _ } = self;
        let (mut at, mut number, mut whole, mut so_far) = (None, 0, None, SoFar::default());
        if let Some(read) = from {
            let (path, pilot) = (read.path.clone(), read.head.same.pilot.clone());
            (number, whole) = (read.head.number, Some((read.head.number, read.head.clock)));
            let (found, counted) = restored(case, read)?;
            (at, so_far) = (Some((number, Arc::new(found))), counted);
            case.set_pilot(pilot).map_err(|error| wrong(&path, format!("in `pilot`: {error}")))?;
        }
        let Begun { run, words, warnings } = begun;
        let origin = case::origin(case).map(|arguments| serde_json::json!(arguments));
        let same = Same { origin, run, words, pilot: case.pilot_found(), warnings };
        let files = Files { pair, same, number, whole, writing: Writing::default() };
        let keeping = Keeping { course, at, so_far, run: None, files };
        parts.begin()?;
        keeping.finish(case, (backend, given), parts, interrupt)
    }
}
