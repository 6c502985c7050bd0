//! The runs of all points, as many at a time as there is room for: on the heap one a core, on a device as members of joint programs.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Instant;

use serde_json::Value;

use super::outcome::{SweepOutcome, is_of_time, measures, numbers};
use super::{Sweep, SweepCase};
use crate::CommandError;
use crate::case::{Extent, Wanted, run_whole};
use crate::memory::Room;
use tickless_core::run::{Adding, Digest, Pause, Run, Watch};
use tickless_core::time::Time;
use tickless_device::{Target, joint};

/// The most runs on a device at a time: each has a thread, and runs that are alike are one program.
const MOST_ON_A_DEVICE: usize = 256;

/// A run that has ended, and its figures.
struct Ended<D> {
    run: Run<(), D>,
    digest: Digest,
    figures: Value,
}

/// The runs of a sweep, and their results.
struct Runs<'a, C: Sweep> {
    case: &'a SweepCase<C>,
    target: Target<'a>,
    all: Run<SweepOutcome>,
}

/// Runs the remaining runs, up to the last run of the last point, or to where the watch ends or pauses it. Its clock counts runs.
///
/// # Errors
/// The first error of a run; a measure that no run has.
pub fn go_on<C: Sweep>(
    case: &SweepCase<C>,
    from: SweepOutcome,
    target: Target<'_>,
    watch: &mut dyn Watch,
) -> Result<Run<SweepOutcome>, CommandError> {
    let is_device = matches!(target, Target::Device(_));
    let nothing = Run::nothing(Time::ZERO, (!is_device).then_some(1), is_device);
    let mut runs = Runs { case, target, all: nothing.map(|()| from) };
    let (at_once, mut begun) = (runs.at_once()?, false);
    while runs.ended() < case.runs() && !runs.all.interrupted {
        let left = case.runs() - runs.ended();
        match target {
            // A checkpoint is due.
            Target::Device(_) if begun && watch.pause(Pause::BetweenReplications) => {
                runs.all.interrupted = true;
                break;
            }
            // All begin together, and the next ones when they have ended.
            Target::Device(_) if at_once > 1 => runs.further(left.min(at_once as u32), at_once, watch)?,
            _ => runs.further(left, at_once.min(left as usize), watch)?,
        }
        begun = true;
    }
    let mut all = runs.all;
    all.clock = of_runs(all.outcome.runs());
    all.interrupted = all.outcome.runs() < case.runs();
    Ok(all)
}

/// A number of runs on the clock of all.
fn of_runs(count: u32) -> Time {
    Time::from_ticks(u64::from(count) << 32)
}

impl<C: Sweep> Runs<'_, C> {
    fn ended(&self) -> u32 {
        self.all.outcome.runs()
    }

    /// The number of runs at a time: on the heap one a core, and never more than there is memory for. If times are measured, a run
    /// runs alone.
    fn at_once(&self) -> Result<usize, CommandError> {
        let cores = || self.target.most_cores().or_else(|| thread::available_parallelism().ok());
        let most = match self.target {
            Target::Device(_) => MOST_ON_A_DEVICE,
            Target::Heap | Target::HeapOn(_) => cores().map_or(1, NonZeroUsize::get),
        };
        let runs = self.case.runs() as usize;
        // If there are fewer runs than cores, a model that uses all cores by itself runs alone.
        let uses_all_cores = C::SIDE_BY_SIDE && !matches!(self.target, Target::Device(_)) && runs < most;
        let times_kernels = matches!(self.target, Target::Device(device) if device.times_kernels());
        if times_kernels || uses_all_cores || self.case.arguments.measures.iter().any(|name| is_of_time(name)) {
            return Ok(1);
        }
        let fitting = &self.case.fitting[usize::from(self.all.threads.is_none())];
        let known = fitting.load(Ordering::Relaxed);
        if known > 0 {
            return Ok(known);
        }
        let (mut most, room) = (most.min(runs), Room::of(self.target));
        self.case.of_points(|case| {
            while most > 1 && case.check_size(&room.of_each(most), Wanted::Figures).is_err() {
                most /= 2;
            }
            Ok(())
        })?;
        fitting.store(most, Ordering::Relaxed);
        Ok(most)
    }

    /// Adds so many runs, some at a time.
    fn further(&mut self, count: u32, at_once: usize, watch: &mut dyn Watch) -> Result<(), CommandError> {
        let (begin, setup) = (Instant::now(), self.all.setup);
        let (case, first) = (self.case, self.ended());
        let simulate =
            |number: u32, target: Target<'_>, watch: &mut dyn Watch| one(case, first + number, target, watch);
        let before = self.all.wall;
        let mut adding = Adding::new(watch, self.all.events, before).behind(of_runs(first), of_runs(case.runs()));
        let all = &mut self.all;
        let take = |number: u32, ended: Result<Ended<C::Details>, CommandError>| {
            let ended = match ended {
                // The runs that have ended count; the interrupted run is left out.
                Err(CommandError::Run(error)) if error.is_interrupted() => {
                    let some_have_ended = first + number > 0;
                    return if some_have_ended { Ok(ControlFlow::Break(())) } else { Err(CommandError::Run(error)) };
                }
                ended => ended.map_err(|error| case.at_run(first + number, error))?,
            };
            if ended.run.interrupted {
                return Ok(ControlFlow::Break(()));
            }
            all.add(&ended.run);
            all.threads = all.threads.max(ended.run.threads);
            case.take_in(&mut all.outcome, ended)?;
            Ok(ControlFlow::Continue(()))
        };
        let counts = (count, at_once);
        joint::runs(self.target, counts, of_runs(count), simulate, CommandError::device, take, &mut adding)?;
        self.all.interrupted = self.ended() < first + count;
        if at_once > 1 {
            // Their times overlap, and their set-ups are within the time of all.
            (self.all.wall, self.all.device, self.all.setup) = (before + begin.elapsed(), None, setup);
            self.all.threads = self.all.threads.map(|threads| threads.max(at_once));
        }
        Ok(())
    }
}

impl<C: Sweep> SweepCase<C> {
    /// The runs of all points.
    pub(super) fn runs(&self) -> u32 {
        // The most runs are far below 32 bits.
        self.points.len() as u32 * self.seeds
    }

    /// Adds a run.
    fn take_in(&self, outcome: &mut SweepOutcome, ended: Ended<C::Details>) -> Result<(), CommandError> {
        let Ended { run, digest, figures } = ended;
        let numbers = numbers(&run, &figures);
        if outcome.measures.is_empty() {
            outcome.measures = measures(&self.arguments.measures, &numbers, &figures)?;
        }
        outcome.take_in(digest, &numbers, self.seeds);
        Ok(())
    }
}

/// A run, by its number: all seeds of a point come one after the other.
fn one<C: Sweep>(
    case: &SweepCase<C>,
    number: u32,
    target: Target<'_>,
    watch: &mut dyn Watch,
) -> Result<Ended<C::Details>, CommandError> {
    let mut model = case.case((number / case.seeds) as usize, number % case.seeds)?;
    let run = run_whole(&mut model, (target, Wanted::Figures), None, watch)?;
    let figures = serde_json::to_value(model.figures(&run, Extent::Summary));
    let figures = figures.map_err(|error| CommandError::Output(error.into()))?;
    Ok(Ended { digest: C::digest(&run.outcome), figures, run: run.map(|_| ()) })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::case::{Case, prepared};
    use crate::cases::PholdCase;
    use tickless_core::run::{Progress, unwatched};
    use tickless_device::wgpu::WgpuDevice;
    use tickless_device::{AdapterDescription, Device, DeviceError, OpenOptions, Program, Selection, Session, SetUp};

    /// The device of this machine; in CI there is one.
    fn device() -> Option<WgpuDevice> {
        match WgpuDevice::open(&Selection::Auto, OpenOptions::default()) {
            Ok(device) => Some(device),
            Err(error) if std::env::var_os("CI").is_some() => panic!("{error}"),
            Err(error) => {
                eprintln!("SKIPPED: {error}");
                None
            }
        }
    }

    /// A device that has no memory for joint programs, and none for a program of one run at its first call, or ever. It does not
    /// depend on the order of threads.
    struct Short {
        device: WgpuDevice,
        loaded: AtomicUsize,
        ever: bool,
        seen: Mutex<HashSet<Vec<Vec<u8>>>>,
    }

    impl Device for Short {
        fn adapter(&self) -> &AdapterDescription {
            self.device.adapter()
        }

        fn load(&self, program: Program, set_up: &mut SetUp<'_>) -> Result<Box<dyn Session>, DeviceError> {
            self.loaded.fetch_add(1, Ordering::Relaxed);
            let contents = program.buffers.iter().filter_map(|buffer| buffer.contents.clone()).collect();
            if self.ever || program.members > 1 || self.seen.lock().unwrap().insert(contents) {
                return Err(DeviceError::OutOfMemory { adapter: "short".into(), asked: "a member".into() });
            }
            self.device.load(program, set_up)
        }
    }

    /// A device on which Ctrl-C comes while kernels are compiled.
    struct Stopped(AdapterDescription);

    impl Device for Stopped {
        fn adapter(&self) -> &AdapterDescription {
            &self.0
        }

        fn load(&self, _: Program, _: &mut SetUp<'_>) -> Result<Box<dyn Session>, DeviceError> {
            Err(DeviceError::Interrupted)
        }
    }

    /// The command recognizes an interruption by the error itself, without a point.
    #[test]
    fn an_interrupted_first_run_is_no_error_of_a_point() {
        let case: SweepCase<PholdCase> = prepared("--processes 16 --until 3 --vary remote=0,1 --seeds 3");
        let device = Stopped(AdapterDescription::imagined(true, 0));
        let ended = go_on(&case, SweepOutcome::default(), Target::Device(&device), &mut unwatched());
        assert!(matches!(ended, Err(CommandError::Run(error)) if error.is_interrupted()));
    }

    #[test]
    fn a_run_that_lacks_memory_beside_others_runs_alone() {
        let Some(device) = device() else { return };
        let case: SweepCase<PholdCase> = prepared("--processes 16 --until 3 --vary remote=0,1 --seeds 3");
        let run = |target: Target<'_>| go_on(&case, SweepOutcome::default(), target, &mut unwatched());
        let digest = |run: Run<SweepOutcome>| SweepCase::<PholdCase>::digest(&run.outcome);
        let whole = digest(run(Target::Heap).unwrap());
        let short = |ever| Short { device: device.clone(), loaded: AtomicUsize::new(0), ever, seen: Mutex::default() };
        // All six are one program; then they are two, and so on until each is refused by itself.
        let some = short(false);
        assert_eq!(digest(run(Target::Device(&some)).unwrap()), whole);
        assert_eq!(some.loaded.into_inner(), 5 + 6 + 6);
        let error = run(Target::Device(&short(true))).unwrap_err().to_string();
        assert!(
            error.starts_with("at point 1 (remote = 0, seed = 1): out of memory on short (a member asked)"),
            "{error}"
        );
    }

    /// A watch for which a checkpoint is due whenever it is asked.
    struct Due;

    impl Watch for Due {
        fn look(&mut self, _: &Progress) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }

        fn pause(&mut self, place: Pause) -> bool {
            place == Pause::BetweenReplications
        }
    }

    #[test]
    fn a_checkpoint_is_due_between_the_runs_of_a_device() {
        let Some(device) = device() else { return };
        let case: SweepCase<PholdCase> = prepared("--processes 4 --until 1 --vary remote=0,1 --seeds 140");
        let target = Target::Device(&device);
        let some = go_on(&case, SweepOutcome::default(), target, &mut Due).unwrap();
        assert!(some.interrupted && some.outcome.runs() == MOST_ON_A_DEVICE as u32, "{} runs", some.outcome.runs());
        let all = go_on(&case, some.outcome, target, &mut Due).unwrap();
        let whole = go_on(&case, SweepOutcome::default(), Target::Heap, &mut unwatched()).unwrap();
        assert!(!all.interrupted && all.outcome.first_difference(&whole.outcome).is_none());
        assert_eq!(all.outcome.all.digest(), whole.outcome.all.digest());
    }
}
