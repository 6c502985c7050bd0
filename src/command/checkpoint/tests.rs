//! Times as people write them, and devices that are lost.

mod allocations;
mod snapshots;
mod tries;

use super::file::Writing;
use super::files::Files;
use super::keeping::Keeping;
use super::so_far::SoFar;
use super::*;
use crate::arguments::{Backend, DeviceArguments, Format};
use crate::backend::Ready;
use crate::case::{self, PartOf, RunOf, SnapshotOf, prepared};
use crate::cases::PholdCase;
use crate::run::Given;
use std::sync::Arc;
use tickless_core::run::{Progress, RunMode, SnapshotWatch, WithoutSnapshots, unwatched};
use tickless_device::{AdapterDescription, Device, DeviceError, Program, Session, SetUp, Target};

#[test]
fn times_are_read_with_their_units() {
    for (text, seconds) in [("90s", 90.0), ("10m", 600.0), ("1.5h", 5400.0), ("0.01", 0.01), ("1000h", 3.6e6)] {
        assert_eq!(duration(text).unwrap().as_secs_f64(), seconds, "{text}");
    }
    for text in ["", "m", "0", "0.009s", "1001h", "-5m", "5d", "nan", "inf", "1e9s"] {
        assert!(duration(text).unwrap_err().contains("from 0.01s to 1000h"), "{text}");
    }
}

/// A device whose driver gives this error for every program.
struct Fails(AdapterDescription, DeviceError);

impl Device for Fails {
    fn adapter(&self) -> &AdapterDescription {
        &self.0
    }

    fn load(&self, _: Program, _: &mut SetUp<'_>) -> Result<Box<dyn Session>, DeviceError> {
        Err(self.1.clone())
    }
}

fn phold() -> PholdCase {
    prepared("--processes 50 --population 3 --until 40")
}

/// A run after its first part, or one that resumes from its checkpoint.
fn keeping(case: &mut PholdCase, file: &Path, tries: u32, resumes: bool) -> Keeping<PholdCase> {
    let mut stop = |_: &Progress| std::ops::ControlFlow::Break(());
    let mut first = case.run(RunMode::restartable(None), Target::Heap, None, &mut WithoutSnapshots(&mut stop)).unwrap();
    assert!(first.interrupted);
    let mut so_far = SoFar::default();
    so_far.add::<PholdCase, _>(&mut first);
    let mut at = None;
    let run = first.map(|end| at = Some((1, Arc::new(end))));
    let origin = case::origin(case).map(|arguments| serde_json::json!(arguments));
    Keeping {
        course: CourseArguments { checkpoint_interval: None, retry: Some(tries), retry_on: None },
        at,
        so_far,
        run: Some(run).filter(|_| !resumes),
        files: Files {
            pair: Pair::new(file).unwrap(),
            same: Same { origin, run: run_id(), words: vec![], pilot: Value::Null, warnings: vec![] },
            number: 1,
            whole: Some((1, 2.5)),
            writing: Writing::default(),
        },
    }
}

/// A case from its beginning to its end on the heap.
fn whole<C: Resumable>(mut case: C) -> PartOf<C> {
    case.run(RunMode::restartable(None), Target::Heap, None, &mut WithoutSnapshots(&mut unwatched())).unwrap()
}

/// Resumes on a device that fails; the heap is the last choice.
fn on_what_fails(
    mut case: PholdCase,
    keeping: Keeping<PholdCase>,
    error: DeviceError,
) -> Result<RunOf<PholdCase>, CommandError> {
    let mut backend = Ready::of(Box::new(Fails(AdapterDescription::imagined(true, 32), error)));
    let device = DeviceArguments::default();
    let given = Given { backend: Backend::Heap, device: &device, format: Format::Text };
    keeping.finish(&mut case, (&mut backend, given), Alone, &Interrupt::default())
}

/// The same with so many tries.
fn after(error: DeviceError, tries: u32, file: &Path) -> Result<RunOf<PholdCase>, CommandError> {
    let mut case = phold();
    let keeping = keeping(&mut case, file, tries, false);
    on_what_fails(case, keeping, error)
}

fn lost() -> DeviceError {
    DeviceError::Lost { reason: "a test".into() }
}

/// A run that resumes from the last checkpoint has the records and counts of an uninterrupted run.
#[test]
fn a_lost_device_is_replaced() {
    let whole = whole(phold());
    let memory = DeviceError::OutOfMemory { adapter: "a".into(), asked: "1 GiB".into() };
    for error in [lost(), memory] {
        let run = after(error, 1, Path::new("no/such/folder/run.ckpt")).unwrap();
        assert_eq!((&run.outcome, run.events), (&whole.outcome.outcome, whole.events));
    }
}

/// Without a try left the error names the last checkpoint, if it exists; errors of the model are not tried again.
#[test]
fn an_error_names_the_last_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.ckpt");
    let said = |error, tries| after(error, tries, &file).err().unwrap().to_string();
    assert_eq!(said(lost(), 0), lost().to_string());
    std::fs::write(&file, "a checkpoint").unwrap();
    let once = said(lost(), 0);
    assert!(once.starts_with("the device was lost (a test)"), "{once}");
    assert!(once.contains("; the last checkpoint is at time 2.5, in ") && once.ends_with("run.ckpt"), "{once}");
    let kernel = DeviceError::Kernel { kernel: "a".into(), message: "b".into() };
    assert!(said(kernel, 5).starts_with("kernel a does not compile: b; the last checkpoint is at time 2.5"));
}

/// Counts that some parts lack are the sum of the others.
#[test]
fn parts_are_added_up() {
    let mut so_far = SoFar::default();
    let mut all = vec![];
    for (rounds, seconds) in [(None, None), (Some(3), Some(2)), (None, None), (Some(4), Some(1))] {
        let mut part = whole(phold());
        (part.rounds, part.device) = (rounds, seconds.map(Duration::from_secs));
        so_far.add::<PholdCase, _>(&mut part);
        all.push((part.rounds, part.device.map(|time| time.as_secs())));
    }
    assert_eq!(all, [(None, None), (Some(3), Some(2)), (Some(3), Some(2)), (Some(7), Some(3))]);
}

/// Two runs at once, names that collide with those of the run's files, and files of others.
#[test]
fn a_run_has_its_files_for_itself() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let pair = Pair::new(&path("c")).unwrap();
    let said = |pair: &Pair| pair.lock().err().unwrap().to_string();
    let lock = pair.lock().unwrap();
    assert!(said(&pair).contains("c.lock: another run holds it"));
    std::fs::write(path("c.part"), "half of it").unwrap();
    drop(lock);
    assert!(!path("c.part").exists() && !path("c.lock").exists());

    for name in ["c.part", "c.2.part", "c.lock"] {
        std::fs::write(path(name), "of somebody").unwrap();
        assert!(said(&pair).contains(&format!("{name}: it is there already, and no run has left it")));
        assert_eq!(std::fs::read_to_string(path(name)).unwrap(), "of somebody");
        std::fs::remove_file(path(name)).unwrap();
        assert!(!path("c.lock").exists());
    }
    for name in ["c.2", "c.part", "c.lock"] {
        let said = Pair::new(&path(name)).err().unwrap().to_string();
        assert!(said.contains("give --checkpoint another name"), "{said}");
    }
}

/// The files of a killed run are taken over by the next.
#[test]
fn a_killed_run_leaves_its_files_to_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let pair = Pair::new(&path("c")).unwrap();
    let lock = pair.lock().unwrap();
    let left = std::fs::read(path("c.lock")).unwrap();
    drop(lock);
    std::fs::write(path("c.lock"), left).unwrap();
    std::fs::write(path("c.part"), "half of it").unwrap();
    drop(pair.lock().unwrap());
    assert!(!path("c.part").exists() && !path("c.lock").exists());
}

/// Another schema has other fields, so it is checked first.
#[test]
fn another_schema_is_refused_by_its_number() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c");
    let head = serde_json::json!({ "schema": 2, "version": "0.0.7" });
    tickless_core::archive::write_file("checkpoint", &head, &Arrays::default(), &path).unwrap();
    let said = Pair::read(&path).err().unwrap().to_string();
    let expected = "it has schema 2, and this tickless has 4: go on with the version that wrote it, 0.0.7";
    assert!(said.ends_with(expected), "{said}");
}

/// Ctrl-C in the set-up of a resumed run: its checkpoint stays, and the message says so.
#[test]
fn an_interrupted_set_up_leaves_the_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.ckpt");
    std::fs::write(&file, "a checkpoint").unwrap();
    let mut case = phold();
    let keeping = keeping(&mut case, &file, 0, true);
    let said = on_what_fails(case, keeping, DeviceError::Interrupted).err().unwrap().to_string();
    assert!(said.contains("its checkpoint at time 2.5 is as it was; go on with tickless resume"), "{said}");
}
