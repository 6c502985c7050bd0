//! How a caller watches a run and stops it.

use std::ops::ControlFlow;
use std::time::Duration;

use crate::time::Time;

/// The progress of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Every event before this time has happened. Of parallel replications on the heap it is the mean of their clocks.
    pub clock: Time,
    /// The horizon.
    pub until: Time,
    /// Events so far.
    pub events: u64,
    /// Rounds so far; 0 on the heap simulator.
    pub rounds: u64,
    /// Wall-clock time since the first event; of parallel replications since their start.
    pub elapsed: Duration,
}

/// Called now and then during a run: after each batch on a device, every few thousand events on the heap, sooner where
/// events take long.
///
/// [`ControlFlow::Break`] ends the run early: its counts so far are kept and marked as interrupted.
/// Every `FnMut(&Progress) -> ControlFlow<()>` is a `Watch`; [`unwatched`] never stops a run.
///
/// A device compiles kernels before the first event, for seconds to minutes where it is the processor itself, and the heap
/// makes a large state. An implementation of [`Watch::set_up`] can end this phase, too.
///
/// ```
/// use std::ops::ControlFlow;
/// use tickless::{device::Target, processes::{self, Phold}};
/// let model = Phold::new(1024).until(1e6).check()?;
/// let mut stop = |_: &tickless::run::Progress| ControlFlow::Break(());
/// let run = processes::run(&model, Target::Heap, Default::default(), &mut stop)?;
/// assert!(run.interrupted);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Watch {
    /// Looks at the progress and says whether to go on.
    fn look(&mut self, progress: &Progress) -> ControlFlow<()>;

    /// Asked every 50 ms or so while a device compiles kernels or the heap makes a large state; `elapsed` is the time so
    /// far. [`ControlFlow::Break`] ends the run without a result, by
    /// `DeviceError::Interrupted` or, on the heap, [`Interrupted`](super::Interrupted);
    /// of several replications the finished ones are kept.
    ///
    /// ```
    /// # use tickless_core::facade as tickless;
    /// use std::{ops::ControlFlow, time::Duration};
    /// use tickless::run::{Progress, Watch};
    /// struct Impatient;
    /// impl Watch for Impatient {
    ///     fn look(&mut self, _: &Progress) -> ControlFlow<()> {
    ///         ControlFlow::Continue(())
    ///     }
    ///     fn set_up(&mut self, elapsed: Duration) -> ControlFlow<()> {
    ///         if elapsed > Duration::from_secs(10) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    ///     }
    /// }
    /// assert!(Impatient.set_up(Duration::from_secs(11)).is_break());
    /// assert!(tickless::run::unwatched().set_up(Duration::from_secs(11)).is_continue());
    /// ```
    fn set_up(&mut self, elapsed: Duration) -> ControlFlow<()> {
        let _ = elapsed;
        ControlFlow::Continue(())
    }

    /// Asked together with [`Watch::look`]: whether the run is to end at a place where no work is lost, so that it can resume
    /// from its `Checkpoint` later.
    fn pause(&mut self, place: Pause) -> bool {
        let _ = place;
        false
    }
}

/// Where a run may end so that another run resumes from there.
///
/// ```
/// use tickless::{device::Target, queueing::{self, Network, Station, Topology}, run::{Pause, Progress, Restartable, Watch}};
/// struct Between;
/// impl Watch for Between {
///     fn look(&mut self, _: &Progress) -> std::ops::ControlFlow<()> {
///         std::ops::ControlFlow::Continue(())
///     }
///     fn pause(&mut self, place: Pause) -> bool {
///         place == Pause::BetweenReplications
///     }
/// }
/// let each = Station::new("s", "exponential:10".parse()?).tokens(1);
/// let model = Network::generate(&Topology::Torus { width: 4, height: 4 }, &each, 0.0)?.check()?;
/// let one_core = Target::HeapOn(std::num::NonZeroUsize::MIN);
/// let restartable = Restartable { model: &model, from: None };
/// let run = queueing::run(restartable, 0..3, one_core, Default::default(), &mut Between)?;
/// assert_eq!((run.interrupted, run.outcome.clocks), (true, vec![model.until()]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// At any event.
    Anywhere,
    /// Between replications, or searches: those under way come to their end first.
    BetweenReplications,
}

/// A watch that lets replications come to their end.
pub struct Whole<'a>(pub &'a mut dyn Watch);

impl Watch for Whole<'_> {
    fn look(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.0.look(progress)
    }

    fn set_up(&mut self, elapsed: Duration) -> ControlFlow<()> {
        self.0.set_up(elapsed)
    }

    fn pause(&mut self, place: Pause) -> bool {
        place == Pause::BetweenReplications && self.0.pause(place)
    }
}

/// A watch that sees a part of a run as the whole run.
pub struct Adding<'a> {
    watch: &'a mut dyn Watch,
    events: u64,
    elapsed: Duration,
    times: Option<[Time; 2]>,
}

impl<'a> Adding<'a> {
    /// The watch of a part that begins after these events, and this time of the run.
    pub fn new(watch: &'a mut dyn Watch, events: u64, elapsed: Duration) -> Self {
        Self { watch, events, elapsed, times: None }
    }

    /// The same, where the part begins at a clock of a run up to a horizon.
    #[must_use]
    pub fn behind(self, clock: Time, until: Time) -> Self {
        Self { times: Some([clock, until]), ..self }
    }
}

impl Watch for Adding<'_> {
    fn look(&mut self, progress: &Progress) -> ControlFlow<()> {
        let [before, until] = self.times.unwrap_or([Time::ZERO, progress.until]);
        let clock = Time::from_ticks(before.ticks() + progress.clock.ticks());
        let (events, elapsed) = (self.events + progress.events, self.elapsed + progress.elapsed);
        self.watch.look(&Progress { clock, until, events, elapsed, ..*progress })
    }

    fn set_up(&mut self, elapsed: Duration) -> ControlFlow<()> {
        self.watch.set_up(elapsed)
    }

    fn pause(&mut self, place: Pause) -> bool {
        self.watch.pause(place)
    }
}

impl<F: FnMut(&Progress) -> ControlFlow<()>> Watch for F {
    fn look(&mut self, progress: &Progress) -> ControlFlow<()> {
        self(progress)
    }
}

/// A [`Watch`] that lets every run go on to its horizon.
pub fn unwatched() -> impl Watch {
    |_: &Progress| ControlFlow::Continue(())
}
