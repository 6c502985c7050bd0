//! Times as people write them, and devices that are lost.

use super::*;
use crate::cli::arguments::{Backend, DeviceArguments};
use crate::cli::cases::PholdCase;
use crate::device::{AdapterDescription, Device, DeviceError, Program, Session, SetUp};
use crate::run::{Progress, unwatched};

#[test]
fn times_are_read_with_their_units() {
    for (text, seconds) in [("90s", 90.0), ("10m", 600.0), ("1.5h", 5400.0), ("0.1", 0.1), ("1000h", 3.6e6)] {
        assert_eq!(duration(text).unwrap().as_secs_f64(), seconds, "{text}");
    }
    for text in ["", "m", "0", "0.09s", "1001h", "-5m", "5d", "nan", "inf", "1e9s"] {
        assert!(duration(text).unwrap_err().contains("from 0.1s to 1000h"), "{text}");
    }
}

/// A device whose driver says this of every program.
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
    let words = "--processes 50 --population 3 --until 40";
    let command =
        <<PholdCase as Case>::Arguments as Args>::augment_args(clap::Command::new("case").no_binary_name(true));
    let matches = command.try_get_matches_from(words.split_whitespace()).unwrap();
    PholdCase::prepare(parsed(&matches).unwrap(), &Default::default(), &Default::default()).unwrap()
}

/// Goes on from the checkpoint of a first part on a device that fails, with so many tries; the heap is what is left.
fn after(error: DeviceError, tries: u32) -> Result<RunOf<PholdCase>, CommandError> {
    let mut case = phold();
    let mut stop = |_: &Progress| std::ops::ControlFlow::Break(());
    let mut first = case.run_from(None, Target::Heap, &mut stop).unwrap();
    assert!(first.interrupted);
    let mut so_far = SoFar::default();
    so_far.add::<PholdCase, _>(&mut first);
    let mut at = None;
    let run = first.map(|end| at = Some(end));
    let keeping = Keeping {
        pair: Pair::new(Path::new("no/such/folder/run.ckpt")),
        course: CourseArguments { every: None, retry: Some(tries) },
        words: vec![],
        origin: crate::cli::case::origin(&case).map(|arguments| serde_json::json!(arguments)),
        at,
        so_far,
        number: 1,
        run: Some(run),
        writing: Writing::default(),
    };
    let mut backend = Ready::of(Box::new(Fails(AdapterDescription::imagined(true, 32), error)));
    let device = DeviceArguments::default();
    let given = Given { backend: Backend::Heap, device: &device };
    keeping.finish(&mut case, &mut backend, given, &Interrupt::default())
}

fn lost() -> DeviceError {
    DeviceError::Lost { reason: "a test".into() }
}

/// What is left goes on from the last checkpoint, to the records and counts of a run that nothing has stopped.
#[test]
fn a_lost_device_is_replaced() {
    let whole = phold().run_from(None, Target::Heap, &mut unwatched()).unwrap();
    let memory = DeviceError::OutOfMemory { adapter: "a".into(), asked: "1 GiB".into() };
    for error in [lost(), memory] {
        let run = after(error, 1).unwrap();
        assert_eq!((&run.outcome, run.events), (&whole.outcome.outcome, whole.events));
    }
}

/// Without a try left the error says where the last checkpoint is; what is the model's own is not tried again.
#[test]
fn an_error_names_the_last_checkpoint() {
    let said = |error, tries| after(error, tries).err().unwrap().to_string();
    let once = said(lost(), 0);
    assert!(once.starts_with("the device was lost (a test)"), "{once}");
    assert!(
        once.contains("; the last checkpoint is at time ") && once.ends_with("tickless resume no/such/folder/run.ckpt")
    );
    let kernel = DeviceError::Kernel { kernel: "a".into(), message: "b".into() };
    assert!(said(kernel, 5).starts_with("kernel a does not compile: b; the last checkpoint is at time "));
}
