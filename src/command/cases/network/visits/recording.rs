//! The replications of a run once more, on the heap, with their visits on the way to a file.
//!
//! Threads run them side by side and pass on parts of a format; the file takes the parts of one replication after the other. What waits for
//! its turn is bounded: a thread whose replication is not the next one waits where [`HELD`] bytes a thread are full.

use std::collections::{BTreeMap, VecDeque};
use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::format::Format;
use crate::CommandError;
use tickless_core::memory::STACK;
use tickless_core::run::{Progress, Watch, cores};
use tickless_queueing::{self as queueing, NetworkModel, NetworkOutcome};

/// Bytes of a part.
const PART: usize = 1 << 18;
/// Bytes that may wait, for each thread.
const HELD: usize = 64 << 20;
/// Parts of the replication that is being written which may wait where those bytes are full.
const AHEAD: usize = 8;

/// What is to be recorded.
pub(super) struct Recording<'a> {
    pub model: &'a NetworkModel,
    /// The number of the first replication, and how many there are.
    pub first: u32,
    pub count: u32,
    /// The outcomes that they must have; none of an interrupted run.
    pub expected: &'a [NetworkOutcome],
    /// Tokens are recorded whose number is a multiple of this one.
    pub sample: u64,
    pub threads: Option<NonZeroUsize>,
}

/// What a replication ended with.
type Ended = Result<(), CommandError>;

impl Recording<'_> {
    /// Writes the visits.
    ///
    /// # Errors
    /// [`CommandError::OtherVisits`], of the first such replication; a full disk, and the like.
    pub fn write<F: Format>(&self, format: &F, out: &mut dyn Write) -> Result<(), CommandError> {
        let mut file = format.begin(out)?;
        if self.count > 0 {
            let threads = cores(self.threads, self.count as usize, HELD as u64, 0);
            self.record(format, threads, &mut |part| format.put(&mut file, part, out))?;
        }
        format.finish(file, out)
    }

    /// Passes on all parts in order.
    fn record<F: Format>(
        &self,
        format: &F,
        threads: usize,
        put: &mut dyn FnMut(F::Part) -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        let turns = Turns::new(threads * HELD);
        let started = thread::scope(|scope| {
            let _stopping = StopOfPanic(&turns);
            let work = || {
                let _stopping = StopOfPanic(&turns);
                while let Some(place) = turns.begin(self.count) {
                    let ended = self.simulate(format, place, &turns.watch(), &mut |part| {
                        let bytes = F::bytes(&part);
                        turns.pass(place, part, bytes)
                    });
                    turns.end(place, ended);
                }
            };
            let spawn = || thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).is_ok();
            // Where no more threads start, the started ones do the work.
            let started = (0..threads).take_while(|_| spawn()).count() > 0;
            let written = if started { turns.take(self.count, put) } else { Ok(()) };
            turns.stop();
            written.map(|()| started)
        })?;
        if started { Ok(()) } else { self.here(format, put) }
    }

    /// The same in this thread.
    fn here<F: Format>(
        &self,
        format: &F,
        put: &mut dyn FnMut(F::Part) -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        (0..self.count).try_for_each(|place| {
            let mut failed = None;
            let ended = self.simulate(format, place, &|| false, &mut |part| {
                failed = failed.take().or_else(|| put(part).err());
                if failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            failed.map_or(ended, Err)
        })
    }

    /// Runs a replication and passes on its parts; what it ended with.
    fn simulate<F: Format>(
        &self,
        format: &F,
        place: u32,
        stops: &(dyn Fn() -> bool + Sync),
        pass: &mut dyn FnMut(F::Part) -> ControlFlow<()>,
    ) -> Ended {
        let number = self.first + place;
        let (mut open, mut part, mut flow) = (F::Open::default(), F::Part::default(), ControlFlow::Continue(()));
        let take = |visit: &queueing::Visit| {
            if flow.is_break() || !visit.token.is_multiple_of(self.sample) {
                return;
            }
            format.add(number, visit, &mut open, &mut part);
            if F::bytes(&part) >= PART {
                flow = pass(std::mem::take(&mut part));
            }
        };
        let run = queueing::visits(self.model, number, take, &mut Stopping(stops));
        if flow.is_break() || stops() {
            return Ok(());
        }
        let run = run.map_err(|error| CommandError::of_network(error, self.model))?;
        format.close(number, open, &mut part);
        let _ = pass(part);
        check(number, self.expected.get(place as usize), &run.outcome)
    }
}

/// Refuses visits of other results.
fn check(replication: u32, expected: Option<&NetworkOutcome>, found: &NetworkOutcome) -> Result<(), CommandError> {
    match expected.and_then(|expected| expected.first_difference(found)) {
        None => Ok(()),
        Some(difference) => Err(CommandError::OtherVisits { replication, difference }),
    }
}

/// Ends a replication whose visits nobody takes.
struct Stopping<'a>(&'a (dyn Fn() -> bool + Sync));

impl Watch for Stopping<'_> {
    fn look(&mut self, _: &Progress) -> ControlFlow<()> {
        if (self.0)() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn set_up(&mut self, _: Duration) -> ControlFlow<()> {
        if (self.0)() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Nobody waits for a thread that has failed.
struct StopOfPanic<'a, P>(&'a Turns<P>);

impl<P> Drop for StopOfPanic<'_, P> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

/// Parts of replications, which wait for their turns.
struct Turns<P> {
    state: Mutex<State<P>>,
    /// Something has come, or there is room.
    changed: Condvar,
    most: usize,
}

struct State<P> {
    /// The next replication to begin, and the one that is being written.
    next: u32,
    writing: u32,
    waiting: BTreeMap<u32, Waiting<P>>,
    /// Bytes of all that waits.
    held: usize,
    stopped: bool,
}

struct Waiting<P> {
    parts: VecDeque<(P, usize)>,
    ended: Option<Ended>,
}

impl<P> Default for Waiting<P> {
    fn default() -> Self {
        Self { parts: VecDeque::new(), ended: None }
    }
}

impl<P> Turns<P> {
    fn new(most: usize) -> Self {
        let state = State { next: 0, writing: 0, waiting: BTreeMap::new(), held: 0, stopped: false };
        Self { state: Mutex::new(state), changed: Condvar::new(), most }
    }

    fn state(&self) -> MutexGuard<'_, State<P>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State<P>>) -> MutexGuard<'a, State<P>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// A replication that no thread has begun.
    fn begin(&self, count: u32) -> Option<u32> {
        let mut state = self.state();
        let place = Some(state.next).filter(|next| *next < count && !state.stopped)?;
        state.next += 1;
        Some(place)
    }

    fn watch(&self) -> impl Fn() -> bool + Sync + '_
    where
        P: Send,
    {
        || self.state().stopped
    }

    /// Passes on a part, when there is room; whether to go on.
    fn pass(&self, place: u32, part: P, bytes: usize) -> ControlFlow<()> {
        let mut state = self.state();
        while !state.stopped && state.is_full(place, self.most) {
            state = self.wait(state);
        }
        if state.stopped {
            return ControlFlow::Break(());
        }
        state.held += bytes;
        state.waiting.entry(place).or_default().parts.push_back((part, bytes));
        self.changed.notify_all();
        ControlFlow::Continue(())
    }

    fn end(&self, place: u32, ended: Ended) {
        self.state().waiting.entry(place).or_default().ended = Some(ended);
        self.changed.notify_all();
    }

    fn stop(&self) {
        self.state().stopped = true;
        self.changed.notify_all();
    }

    /// Takes the parts of all replications in order.
    fn take(&self, count: u32, put: &mut dyn FnMut(P) -> Result<(), CommandError>) -> Result<(), CommandError> {
        let mut state = self.state();
        while state.writing < count && !state.stopped {
            let place = state.writing;
            let waiting = state.waiting.entry(place).or_default();
            if let Some((part, bytes)) = waiting.parts.pop_front() {
                state.held -= bytes;
                drop(state);
                self.changed.notify_all();
                put(part)?;
                state = self.state();
            } else if let Some(ended) = waiting.ended.take() {
                ended?;
                state.waiting.remove(&place);
                state.writing += 1;
                self.changed.notify_all();
            } else {
                state = self.wait(state);
            }
        }
        Ok(())
    }
}

impl<P> State<P> {
    /// Whether a part of this replication has to wait, as there is no room: what is being written always has some.
    fn is_full(&self, place: u32, most: usize) -> bool {
        let ahead = || self.waiting.get(&place).map_or(0, |waiting| waiting.parts.len());
        self.held >= most && (place != self.writing || ahead() >= AHEAD)
    }
}
