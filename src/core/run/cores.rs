//! Replications in parallel on the cores of the host: those of a run on the heap, or its searches, which share nothing.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::{Pause, Progress, Watch};
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
struct Shared {
    /// The first replication that no core has begun.
    next: AtomicU32,
    /// Replications from this number on are to end.
    end: AtomicU32,
    events: AtomicU64,
    /// The work of each replication; [`WHOLE`] where it has ended.
    work: AtomicU64,
}

impl Shared {
    /// A replication that no core has begun.
    fn begin(&self) -> Option<Part<'_>> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        (!self.ends(number)).then_some(Part { shared: self, number, events: 0, work: 0, look: None })
    }

    /// Whether a replication is to end, without a result or with a part of it.
    fn ends(&self, number: u32) -> bool {
        number >= self.end.load(Ordering::Relaxed)
    }

    fn end_from(&self, number: u32) {
        self.end.fetch_min(number, Ordering::Relaxed);
    }
}

/// Runs replications, which are numbered from 0 on, on some cores, and passes them to `take` in this order; `take` says
/// whether to go on. One core is that of the caller's thread. The clock that the watch sees is the finished share of all work, times `until`.
/// Where the watch ends the run, replications under way are cut short and no other begins; where it pauses the run, those under way
/// come to their end. Of several errors `take` gets the error of the lowest number; what is behind it is dropped.
///
/// # Errors
/// As `take`.
pub fn replications<T: Send, E: Send>(
    count: u32,
    cores: usize,
    until: Time,
    simulate: impl Fn(u32, &mut dyn Watch) -> Result<T, E> + Sync,
    mut take: impl FnMut(u32, Result<T, E>) -> Result<ControlFlow<()>, E>,
    watch: &mut dyn Watch,
) -> Result<(), E> {
    let begin = Instant::now();
    let shared = Shared { next: 0.into(), end: count.into(), events: 0.into(), work: 0.into() };
    let shared = &shared;
    let mut look = || {
        let [events, work] = [&shared.events, &shared.work].map(|count| count.load(Ordering::Relaxed));
        let next = if events == 0 && work == 0 {
            watch.set_up(begin.elapsed())
        } else {
            let done = u128::from(work) * u128::from(until.ticks());
            let clock = Time::from_ticks((done / (u128::from(count) * u128::from(WHOLE))) as u64);
            if watch.pause(Pause::BetweenReplications) {
                shared.end_from(shared.next.load(Ordering::Relaxed));
            }
            watch.look(&Progress { clock, until, events, rounds: 0, elapsed: begin.elapsed() })
        };
        if next.is_break() {
            shared.end_from(0);
        }
    };
    let (mut waiting, mut next, mut taken) = (BTreeMap::new(), 0, Ok(ControlFlow::Continue(())));
    let mut ended = |number: u32, given: Result<T, E>| {
        if given.is_err() {
            shared.end_from(number + 1);
        }
        waiting.insert(number, given);
        while let Ok(ControlFlow::Continue(())) = taken
            && let Some(given) = waiting.remove(&next)
        {
            taken = take(next, given);
            next += 1;
            if !matches!(taken, Ok(ControlFlow::Continue(()))) {
                shared.end_from(0);
            }
        }
    };
    let one = |mut part: Part<'_>| {
        let given = simulate(part.number, &mut part);
        part.count(part.events, WHOLE);
        (part.number, given)
    };
    if cores > 1 {
        on_threads(cores, shared, &one, &mut ended, &mut look);
    }
    // Where no thread has started, this one does the work.
    while let Some(part) = shared.begin() {
        let (number, given) = one(Part { look: Some(&mut look), ..part });
        ended(number, given);
        // A short replication ends before it looks at the watch.
        look();
    }
    taken.map(|_| ())
}

/// Runs the replications that no core has begun on this many threads, or on as many as start, and passes them on as they end.
fn on_threads<G: Send>(
    threads: usize,
    shared: &Shared,
    one: &(impl Fn(Part<'_>) -> (u32, G) + Sync),
    mut ended: impl FnMut(u32, G),
    mut look: impl FnMut(),
) {
    thread::scope(|scope| {
        let (send, receive) = mpsc::channel();
        for _ in 0..threads {
            let send = send.clone();
            let work = move || {
                while let Some(part) = shared.begin() {
                    // After the end of the run the channel is closed.
                    if send.send(one(part)).is_err() {
                        return;
                    }
                }
            };
            // Where no more threads start, the started ones do the work.
            if thread::Builder::new().stack_size(memory::STACK).spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        drop(send);
        let mut looked = Instant::now();
        loop {
            match receive.recv_timeout(LOOK) {
                Ok((number, given)) => ended(number, given),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
            if looked.elapsed() >= LOOK && !shared.ends(0) {
                looked = Instant::now();
                look();
            }
        }
    });
}

/// The watch of a replication: its progress is added to that of the others.
struct Part<'a> {
    shared: &'a Shared,
    number: u32,
    events: u64,
    work: u64,
    /// Asks the watch of all, in the caller's thread.
    look: Option<&'a mut dyn FnMut()>,
}

impl Part<'_> {
    fn count(&mut self, events: u64, work: u64) {
        // A run that begins again counts from 0; sums wrap, as that of the atomic does.
        self.shared.events.fetch_add(events.wrapping_sub(self.events), Ordering::Relaxed);
        self.shared.work.fetch_add(work - self.work, Ordering::Relaxed);
        (self.events, self.work) = (events, work);
    }

    fn goes_on(&mut self) -> ControlFlow<()> {
        if let Some(look) = &mut self.look {
            look();
        }
        if self.shared.ends(self.number) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Watch for Part<'_> {
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
