//! The backend with which a run goes on after an error.

use std::num::NonZeroU32;

use super::*;
use crate::case::Wanted;
use crate::checkpoint::keeping::Keeping;
use crate::run::{Course as _, Straight};
use tickless_core::ranks::{Ranks, TransportError};

/// A backend that cannot be opened.
fn gone() -> DeviceArguments {
    DeviceArguments { adapter: Some("no adapter has this name".into()), ..DeviceArguments::default() }
}

/// Goes on after so many errors with a named backend that is gone.
fn with_gone(tries: u32, retry_on: Option<Backend>, file: &Path) -> Result<RunOf<PholdCase>, CommandError> {
    let mut case = phold();
    let mut keeping = keeping(&mut case, file, tries, false);
    keeping.course.retry_on = retry_on;
    let mut backend = Ready::of(Box::new(Fails(AdapterDescription::imagined(true, 32), lost())));
    let device = gone();
    let given = Given { backend: Backend::Wgpu, device: &device, format: Format::Text };
    keeping.finish(&mut case, (&mut backend, given), Alone, &Interrupt::default())
}

/// The first error, the error of opening, and the last checkpoint.
#[test]
fn a_named_backend_that_is_gone_ends_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.ckpt");
    std::fs::write(&file, "a checkpoint").unwrap();
    let said = with_gone(3, None, &file).err().unwrap().to_string();
    assert!(said.starts_with("the device was lost (a test)"), "{said}");
    assert!(said.contains("; and what was to go on does not open: "), "{said}");
    assert!(said.contains("; the last checkpoint is at time 2.5, in "), "{said}");
}

/// If `auto` took a device whose compiler refuses a kernel, another one has the same bits; if the user named it, that is an error.
#[test]
fn a_refused_kernel_is_run_elsewhere() {
    let whole = whole(phold());
    let refusal = DeviceError::Refused { kernel: "a/b".into(), message: "error\n\n  X3507".into() };
    let limit = DeviceError::CompileLimit { adapter: "a".into(), seconds: 1.0 };
    let device = DeviceArguments::default();
    let given = Given { backend: Backend::Auto, device: &device, format: Format::Json };
    let wrong = DeviceError::Kernel { kernel: "a/b".into(), message: "no such module".into() };
    for error in [refusal, limit, lost(), wrong] {
        let named = || Ready::of(Box::new(Fails(AdapterDescription::imagined(true, 32), error.clone())));
        let is_refusal = matches!(error, DeviceError::Refused { .. } | DeviceError::CompileLimit { .. });
        for (mut backend, goes_on) in [(named().by_itself(), is_refusal), (named(), false)] {
            let mut case = phold();
            let straight =
                Straight.execute(&mut case, &mut backend, given, Wanted::Records, None, &Interrupt::default());
            assert_eq!(
                straight.as_ref().ok().map(|run| &run.outcome),
                Some(&whole.outcome.outcome).filter(|_| goes_on)
            );
            let told = backend.unused().iter().map(ToString::to_string).collect::<String>();
            assert_eq!((told.contains("imagined (none): "), told.contains('\n')), (goes_on, false), "{told}");
            assert!(!told.contains("--backend heap"), "{told}");
        }
        let (mut case, mut backend) = (phold(), named().by_itself());
        let keeping = keeping(&mut case, Path::new("no/such/folder/run.ckpt"), 0, true);
        let kept = keeping.finish(&mut case, (&mut backend, given), Alone, &Interrupt::default());
        assert_eq!(kept.ok().map(|run| run.events), Some(whole.events).filter(|_| is_refusal));
    }
}

/// Another backend only if asked for: at the last try, or earlier if the first does not open.
#[test]
fn a_backend_that_was_asked_for_runs_the_rest() {
    let whole = whole(phold());
    for tries in [1, 3] {
        let run = with_gone(tries, Some(Backend::Heap), Path::new("no/such/folder/run.ckpt")).unwrap();
        assert_eq!((&run.outcome, run.events), (&whole.outcome.outcome, whole.events));
    }
}

/// Threads, of which one has failed in the first parts.
struct Failing(u32, TransportError);

impl Parts<PholdCase> for Failing {
    fn run(
        &mut self,
        case: &mut PholdCase,
        from: Option<&Arc<<PholdCase as Case>::Checkpoint>>,
        backend: &Ready,
        watch: &mut dyn SnapshotWatch<SnapshotOf<PholdCase>>,
    ) -> Result<PartOf<PholdCase>, CommandError> {
        if self.0 > 0 {
            self.0 -= 1;
            return Err(self.1.clone().into());
        }
        let ranks = Ranks::Threads(NonZeroU32::new(3).unwrap());
        Shared { ranks, ready: &mut true }.run(case, from, backend, watch)
    }
}

/// A rank that fails ends the run with the last checkpoint's name, and a further try goes on from there.
#[test]
fn a_rank_that_fails_is_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.ckpt");
    std::fs::write(&file, "a checkpoint").unwrap();
    let whole = whole(phold());
    let after = |failures, error, tries| {
        let mut case = phold();
        let keeping: Keeping<PholdCase> = keeping(&mut case, &file, tries, false);
        let device = DeviceArguments::default();
        let given = (&mut Ready::heap(None), Given { backend: Backend::Heap, device: &device, format: Format::Text });
        keeping.finish(&mut case, given, Failing(failures, error), &Interrupt::default())
    };
    let gone = || TransportError::Gone { rank: 2 };
    for (error, failures) in [(gone(), 1), (gone(), 2), (TransportError::NoThread { rank: 1 }, 2)] {
        let run = after(failures, error, 2).unwrap();
        assert_eq!((&run.outcome, run.events), (&whole.outcome.outcome, whole.events));
    }
    let said = after(3, gone(), 2).err().unwrap().to_string();
    assert!(said.starts_with("rank 2 is gone in the midst of the run"), "{said}");
    assert!(said.contains("; the last checkpoint is at time 2.5, in "), "{said}");
    // Errors of ranks other than threads are not tried again.
    assert!(after(1, TransportError::Failed { rank: 1 }, 2).is_err());
}
