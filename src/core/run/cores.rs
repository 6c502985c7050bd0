//! Tasks in parallel on the cores of the host: the replications and the searches of a run on the heap, which share nothing.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::{Pause, Progress, Watch, Whole};
use crate::memory;
use crate::time::Time;

/// How often a watch looks.
const LOOK: Duration = Duration::from_millis(20);
/// The work that a replication counts once it has ended.
const WHOLE: u64 = 1 << 20;

/// How many tasks run at once: one a core, at most `most` where that is given, and at most as many as fit in memory. A task
/// needs `each` bytes while it runs, and all results together need `left`.
pub fn cores(most: Option<NonZeroUsize>, tasks: usize, each: u64, left: u64) -> usize {
    let most = most.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    most.min(tasks).min(fitting(memory::available(), memory::address_space().is_some(), each, left)).max(1)
}

/// Of a thread: its stack, and where the address space is limited the space that an allocator sets aside for it.
const THREAD: [u64; 2] = [4 << 20, 144 << 20];

/// How many tasks of `each` bytes fit in memory, of which half stays free.
fn fitting(available: Option<u64>, is_limited: bool, each: u64, left: u64) -> usize {
    let Some(available) = available else { return usize::MAX };
    let each = each.saturating_add(THREAD[usize::from(is_limited)]);
    (available.saturating_sub(left) / 2 / each) as usize
}

/// The state that the cores share.
pub struct Shared {
    /// The first task that no core has begun.
    next: AtomicUsize,
    /// Tasks from this number on are to end.
    end: AtomicUsize,
    events: AtomicU64,
    /// The work of each task; [`WHOLE`] where it has ended.
    work: AtomicU64,
}

impl Shared {
    /// Whether a task is to end, without a result or with a part of it.
    #[doc(hidden)]
    pub fn ends(&self, task: usize) -> bool {
        task >= self.end.load(Ordering::Relaxed)
    }

    /// Counts a task's events since its last count.
    #[doc(hidden)]
    pub fn count(&self, events: u64) {
        self.events.fetch_add(events, Ordering::Relaxed);
    }

    /// The counts of all tasks together.
    #[doc(hidden)]
    pub fn events(&self) -> u64 {
        self.events.load(Ordering::Relaxed)
    }

    /// Lets tasks that have begun end, and no other task begin.
    #[doc(hidden)]
    pub fn begin_no_more(&self) {
        self.end_from(self.next.load(Ordering::Relaxed));
    }

    fn end_from(&self, task: usize) {
        self.end.fetch_min(task, Ordering::Relaxed);
    }
}

/// Runs tasks, which are numbered from 0 on, each by one of the workers; there is at least one worker, and each has a thread.
/// `ended` gets their results, in the order in which they end, and may end the tasks from a number on. `look` is asked every
/// 20 ms and may end all of them. Tasks that are to end before they have begun give no result.
pub fn side_by_side<T: Send>(
    tasks: usize,
    workers: &mut [impl FnMut(usize, &Shared) -> T + Send],
    mut ended: impl FnMut(usize, T, &mut dyn FnMut(usize)),
    mut look: impl FnMut(&Shared) -> ControlFlow<()>,
) {
    let shared = Shared {
        next: AtomicUsize::new(0),
        end: AtomicUsize::new(tasks),
        events: AtomicU64::new(0),
        work: AtomicU64::new(0),
    };
    let take = || Some(shared.next.fetch_add(1, Ordering::Relaxed)).filter(|task| !shared.ends(*task));
    let mut threads = 0;
    thread::scope(|scope| {
        let (send, receive) = mpsc::channel();
        for worker in workers.iter_mut() {
            let (send, shared) = (send.clone(), &shared);
            let work = move || {
                while let Some(task) = take() {
                    // After the end of the run the channel is closed.
                    if send.send((task, worker(task, shared))).is_err() {
                        return;
                    }
                }
            };
            // Where no more threads start, the started ones do the work.
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
            threads += 1;
        }
        drop(send);
        let mut looked = Instant::now();
        loop {
            match receive.recv_timeout(LOOK) {
                Ok((task, given)) => ended(task, given, &mut |from| shared.end_from(from)),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
            if looked.elapsed() >= LOOK && !shared.ends(0) {
                looked = Instant::now();
                if look(&shared).is_break() {
                    shared.end_from(0);
                }
            }
        }
    });
    // Where no thread has started, this one does the work.
    while threads == 0
        && let Some(task) = take()
    {
        let given = workers[0](task, &shared);
        ended(task, given, &mut |from| shared.end_from(from));
        if look(&shared).is_break() {
            shared.end_from(0);
        }
    }
}

/// Runs replications, which are numbered from 0 on, on some cores, and passes them to `take` in this order; `take` says
/// whether to go on. A single replication, or all on one core, run in the caller's thread. Where the watch ends the run,
/// those behind the first that was cut short are dropped. Of several errors `take` gets the error of the lowest number; what
/// is behind it is dropped.
///
/// # Errors
/// As `take`.
pub fn replications<T: Send, E: Send>(
    count: u32,
    cores: usize,
    until: Time,
    simulate: impl Fn(u32, &mut dyn Watch) -> Result<T, E> + Sync,
    take: impl FnMut(u32, Result<T, E>) -> Result<ControlFlow<()>, E>,
    watch: &mut dyn Watch,
) -> Result<(), E> {
    if cores == 1 {
        return in_order(count, until, simulate, take, watch);
    }
    on_threads(count, cores, until, simulate, take, watch)
}

/// The same on this many threads; a single task, too, has a thread of its own. The clock that the watch sees is the finished share of all
/// work, times `until`.
///
/// # Errors
/// As `take`.
pub fn on_threads<T: Send, E: Send>(
    count: u32,
    threads: usize,
    until: Time,
    simulate: impl Fn(u32, &mut dyn Watch) -> Result<T, E> + Sync,
    mut take: impl FnMut(u32, Result<T, E>) -> Result<ControlFlow<()>, E>,
    watch: &mut dyn Watch,
) -> Result<(), E> {
    let begin = Instant::now();
    let work = |task: usize, shared: &Shared| {
        let mut watching = Watching { shared, task, events: 0, work: 0 };
        let given = simulate(task as u32, &mut watching);
        watching.count(watching.events, WHOLE);
        given
    };
    let (mut waiting, mut next, mut taken) = (BTreeMap::new(), 0, Ok(ControlFlow::Continue(())));
    let ended = |task: usize, given: Result<T, E>, end_from: &mut dyn FnMut(usize)| {
        if given.is_err() {
            end_from(task + 1);
        }
        waiting.insert(task, given);
        while let Ok(ControlFlow::Continue(())) = taken
            && let Some(given) = waiting.remove(&next)
        {
            taken = take(next as u32, given);
            next += 1;
            if !matches!(taken, Ok(ControlFlow::Continue(()))) {
                end_from(0);
            }
        }
    };
    let look = |shared: &Shared| {
        if shared.events() == 0 && shared.work.load(Ordering::Relaxed) == 0 {
            return watch.set_up(begin.elapsed());
        }
        let done = u128::from(shared.work.load(Ordering::Relaxed)) * u128::from(until.ticks());
        let clock = Time::from_ticks((done / (u128::from(count) * u128::from(WHOLE))) as u64);
        if watch.pause(Pause::BetweenReplications) {
            shared.begin_no_more();
        }
        watch.look(&Progress { clock, until, events: shared.events(), rounds: 0, elapsed: begin.elapsed() })
    };
    side_by_side(count as usize, &mut vec![work; threads], ended, look);
    taken.map(|_| ())
}

/// Runs replications one after the other in the caller's thread.
///
/// # Errors
/// As `take`.
pub fn in_order<T, E>(
    count: u32,
    until: Time,
    mut simulate: impl FnMut(u32, &mut dyn Watch) -> Result<T, E>,
    mut take: impl FnMut(u32, Result<T, E>) -> Result<ControlFlow<()>, E>,
    watch: &mut dyn Watch,
) -> Result<(), E> {
    let begin = Instant::now();
    for number in 0..count {
        // A short replication ends before it looks at the watch.
        let progress = Progress { clock: Time::ZERO, until, events: 0, rounds: 0, elapsed: begin.elapsed() };
        let ends = number > 0 && (watch.look(&progress).is_break() || watch.pause(Pause::BetweenReplications));
        let mut run = |number| if count > 1 { simulate(number, &mut Whole(watch)) } else { simulate(number, watch) };
        if ends || take(number, run(number))?.is_break() {
            break;
        }
    }
    Ok(())
}

/// The watch of a replication: its progress is added to that of the others.
struct Watching<'a> {
    shared: &'a Shared,
    task: usize,
    events: u64,
    work: u64,
}

impl Watching<'_> {
    fn count(&mut self, events: u64, work: u64) {
        // A run that begins again counts from 0; sums wrap, as that of the atomic does.
        self.shared.count(events.wrapping_sub(self.events));
        self.shared.work.fetch_add(work - self.work, Ordering::Relaxed);
        (self.events, self.work) = (events, work);
    }

    fn goes_on(&self) -> ControlFlow<()> {
        if self.shared.ends(self.task) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Watch for Watching<'_> {
    fn look(&mut self, progress: &Progress) -> ControlFlow<()> {
        let work = u128::from(progress.clock.ticks()) * u128::from(WHOLE) / u128::from(progress.until.ticks().max(1));
        self.count(progress.events, (work as u64).clamp(self.work, WHOLE));
        self.goes_on()
    }

    fn set_up(&mut self, _: Duration) -> ControlFlow<()> {
        self.goes_on()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_what_is_available_is_shared() {
        let stack = THREAD[0];
        assert_eq!(fitting(Some(2 * 5 * (100 + stack)), false, 100, 0), 5);
        assert_eq!(fitting(Some(2 * 5 * (100 + stack) - 1), false, 100, 0), 4);
        assert_eq!(fitting(Some(2 * 5 * (100 + stack) + 7), false, 100, 8), 4);
        assert_eq!(fitting(Some(2 * 3 * THREAD[1]), true, 0, 0), 3);
        assert_eq!((fitting(Some(10), false, 0, 11), fitting(None, true, 9, 9)), (0, usize::MAX));
        assert_eq!(fitting(Some(u64::MAX), false, u64::MAX, 0), 0);
    }
}
