//! Ranks that are threads of one process.

use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering, fence};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::{hint, thread};

use super::{Mail, Transport, TransportError};
use crate::memory::STACK;

/// How often a rank looks for the others before it sleeps, where each has a core: about as long as a thread takes to wake up.
const SPINS: u32 = 2000;
/// The same where ranks share cores: a rank that looks takes the core that another one needs.
const SPINS_ON_FEW_CORES: u32 = 50;
/// The most ranks that are threads of one process: between each two of them there is memory for their messages.
pub const MOST_THREADS: u32 = 1024;
/// No rank has gone.
const NOBODY: u32 = u32::MAX;

/// A list of words on its way from one rank to another.
#[derive(Default)]
struct Place {
    /// Whether there is a list that has not been fetched.
    full: AtomicBool,
    /// Whether the sender waits until it has been fetched.
    awaited: AtomicBool,
    list: Mutex<Vec<u64>>,
}

/// Where a rank waits.
#[derive(Default)]
struct Seat {
    /// Lists that have come for the rank, of the exchanges that take turns; and how many it waits for.
    come: [AtomicU32; 2],
    wanted: AtomicU32,
    /// Whether the rank sleeps, or is about to.
    asleep: AtomicBool,
    sleeping: Mutex<()>,
    awake: Condvar,
}

/// The memory that the ranks share. A word for all ranks lies in one of two places that take turns: no rank can be two meetings
/// ahead of another, so that its next word never overwrites a word that another rank has yet to read. A list for one rank lies in a
/// place that says whether it is full, and two places take turns so that a sender need not wait for the reader.
struct Meeting {
    ranks: u32,
    /// How often a rank looks before it sleeps.
    spins: u32,
    /// Ranks that have come to the meeting under way.
    come: AtomicU32,
    /// Meetings that are over.
    over: AtomicU32,
    /// A rank that has left.
    gone: AtomicU32,
    words: [Vec<AtomicU64>; 2],
    gathered: [Vec<Mutex<Vec<u64>>>; 2],
    places: [Vec<Place>; 2],
    seats: Vec<Seat>,
}

impl Meeting {
    fn new(ranks: u32) -> Self {
        let words = || (0..ranks).map(|_| AtomicU64::new(0)).collect();
        let gathered = || (0..ranks).map(|_| Mutex::default()).collect();
        let places = || (0..u64::from(ranks) * u64::from(ranks)).map(|_| Place::default()).collect();
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Self {
            ranks,
            spins: if ranks as usize > cores { SPINS_ON_FEW_CORES } else { SPINS },
            come: AtomicU32::new(0),
            over: AtomicU32::new(0),
            gone: AtomicU32::new(NOBODY),
            words: [words(), words()],
            gathered: [gathered(), gathered()],
            places: [places(), places()],
            seats: (0..ranks).map(|_| Seat::default()).collect(),
        }
    }

    /// Locks; the value cannot be broken by a thread that panics.
    fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
        mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Wakes a rank if it sleeps, after a change that it waits for.
    fn wake(&self, rank: u32) {
        let seat = &self.seats[rank as usize];
        // Either this rank sees that the other one is asleep, or the other one sees the change.
        fence(Ordering::SeqCst);
        if seat.asleep.load(Ordering::SeqCst) {
            // A rank that has looked and does not yet sleep holds the lock.
            drop(Self::lock(&seat.sleeping));
            seat.awake.notify_one();
        }
    }

    fn wake_all(&self) {
        (0..self.ranks).for_each(|rank| self.wake(rank));
    }

    /// Returns when the condition holds; a rank waits. A rank that is gone can no longer make it hold.
    fn wait(&self, rank: u32, is_so: impl Fn() -> bool) -> Result<(), TransportError> {
        let state = || {
            // In this order: a rank that has ended well has done before all that the others wait for.
            let gone = self.gone.load(Ordering::Acquire);
            if is_so() {
                return Some(Ok(()));
            }
            (gone != NOBODY).then_some(Err(TransportError::Gone { rank: gone }))
        };
        for _ in 0..self.spins {
            if let Some(state) = state() {
                return state;
            }
            hint::spin_loop();
        }
        let seat = &self.seats[rank as usize];
        let mut lock = Self::lock(&seat.sleeping);
        seat.asleep.store(true, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        let found = loop {
            if let Some(state) = state() {
                break state;
            }
            lock = seat.awake.wait(lock).unwrap_or_else(std::sync::PoisonError::into_inner);
        };
        seat.asleep.store(false, Ordering::SeqCst);
        found
    }

    /// Returns when every rank has come to this meeting.
    fn meet(&self, rank: u32, number: u32) -> Result<(), TransportError> {
        if self.come.fetch_add(1, Ordering::AcqRel) + 1 == self.ranks {
            self.come.store(0, Ordering::Relaxed);
            self.over.store(number.wrapping_add(1), Ordering::Release);
            self.wake_all();
            return Ok(());
        }
        self.wait(rank, || self.over.load(Ordering::Acquire) != number)
    }
}

/// A rank that is a thread: see [`side_by_side`].
pub struct ThreadTransport<'a> {
    meeting: &'a Meeting,
    rank: u32,
    /// The meetings of this rank so far.
    met: u32,
    /// The exchanges of this rank so far.
    exchanged: u32,
}

impl ThreadTransport<'_> {
    /// Which of the two places is used until the next meeting.
    fn turn(&self) -> usize {
        (self.met % 2) as usize
    }

    fn meet(&mut self) -> Result<(), TransportError> {
        let number = self.met;
        self.met = number.wrapping_add(1);
        self.meeting.meet(self.rank, number)
    }

    /// The place of a list of this exchange.
    fn place(&self, turn: usize, from: u32, to: u32) -> &Place {
        &self.meeting.places[turn][(from * self.meeting.ranks + to) as usize]
    }
}

impl Transport for ThreadTransport<'_> {
    fn rank(&self) -> u32 {
        self.rank
    }

    fn ranks(&self) -> u32 {
        self.meeting.ranks
    }

    fn least(&mut self, word: u64) -> Result<u64, TransportError> {
        let words = &self.meeting.words[self.turn()];
        words[self.rank as usize].store(word, Ordering::Relaxed);
        self.meet()?;
        Ok(words.iter().map(|word| word.load(Ordering::Relaxed)).min().unwrap_or(word))
    }

    fn exchange(&mut self, mail: &mut Mail) -> Result<(), TransportError> {
        let turn = (self.exchanged % 2) as usize;
        for number in 0..mail.to().len() {
            let to = mail.to()[number];
            let place = self.place(turn, self.rank, to);
            if place.full.load(Ordering::Acquire) {
                place.awaited.store(true, Ordering::SeqCst);
                self.meeting.wait(self.rank, || !place.full.load(Ordering::SeqCst))?;
                place.awaited.store(false, Ordering::Relaxed);
            }
            // Lists are swapped, so that none is allocated when they are long enough.
            std::mem::swap(&mut *Meeting::lock(&place.list), mail.outgoing_mut(to));
            place.full.store(true, Ordering::Release);
            let seat = &self.meeting.seats[to as usize];
            if seat.come[turn].fetch_add(1, Ordering::SeqCst) + 1 >= seat.wanted.load(Ordering::SeqCst) {
                self.meeting.wake(to);
            }
        }
        let (own, wanted) = (&self.meeting.seats[self.rank as usize], mail.from().len() as u32);
        own.wanted.store(wanted, Ordering::SeqCst);
        self.meeting.wait(self.rank, || own.come[turn].load(Ordering::SeqCst) >= wanted)?;
        own.come[turn].fetch_sub(wanted, Ordering::SeqCst);
        for number in 0..mail.from().len() {
            let from = mail.from()[number];
            let place = self.place(turn, from, self.rank);
            std::mem::swap(&mut *Meeting::lock(&place.list), mail.incoming_mut(from));
            place.full.store(false, Ordering::SeqCst);
            if place.awaited.load(Ordering::SeqCst) {
                self.meeting.wake(from);
            }
        }
        self.exchanged = self.exchanged.wrapping_add(1);
        Ok(())
    }

    fn gather(&mut self, words: Vec<u64>) -> Result<Vec<Vec<u64>>, TransportError> {
        let turn = self.turn();
        let meeting = self.meeting;
        let place = |rank: u32| Meeting::lock(&meeting.gathered[turn][rank as usize]);
        *place(self.rank) = words;
        self.meet()?;
        let given = |rank| std::mem::take(&mut *place(rank));
        Ok(if self.rank == 0 { (0..self.meeting.ranks).map(given).collect() } else { vec![] })
    }
}

impl Drop for ThreadTransport<'_> {
    /// Ends every rank that waits for this one, or comes to a later meeting.
    fn drop(&mut self) {
        // The first rank that goes is the one to blame.
        let _ = self.meeting.gone.compare_exchange(NOBODY, self.rank, Ordering::AcqRel, Ordering::Relaxed);
        self.meeting.wake_all();
    }
}

/// Refuses more threads than there may be.
pub(super) fn check(ranks: NonZeroU32) -> Result<(), TransportError> {
    let ranks = ranks.get();
    if ranks > MOST_THREADS { Err(TransportError::TooManyThreads { ranks }) } else { Ok(()) }
}

/// Runs `ranks` ranks, of which rank 0 is the caller's thread; returns their results in rank order. A rank that panics, or
/// whose thread does not start, is an error of its own, and ends the others at their next meeting with it. More than [`MOST_THREADS`] are
/// one error.
///
/// ```
/// # use tickless_core::facade as tickless;
/// use std::num::NonZeroU32;
/// use tickless::ranks::{ThreadTransport, Transport, side_by_side};
/// let least = |ranks: &mut ThreadTransport| ranks.least(10 + u64::from(ranks.rank()));
/// let ends = side_by_side(NonZeroU32::new(3).unwrap(), least, least);
/// assert_eq!(ends, vec![Ok(Ok(10)); 3]);
/// ```
pub fn side_by_side<T: Send>(
    ranks: NonZeroU32,
    first: impl FnOnce(&mut ThreadTransport<'_>) -> T,
    others: impl Fn(&mut ThreadTransport<'_>) -> T + Sync,
) -> Vec<Result<T, TransportError>> {
    if let Err(error) = check(ranks) {
        return vec![Err(error)];
    }
    let meeting = Meeting::new(ranks.get());
    thread::scope(|scope| {
        let started: Vec<_> = (1..ranks.get())
            .map(|rank| {
                let mut transport = ThreadTransport { meeting: &meeting, rank, met: 0, exchanged: 0 };
                let others = &others;
                let work = move || others(&mut transport);
                thread::Builder::new().name(format!("rank {rank}")).stack_size(STACK).spawn_scoped(scope, work)
            })
            .collect();
        let own = first(&mut ThreadTransport { meeting: &meeting, rank: 0, met: 0, exchanged: 0 });
        let ended = (1..).zip(started).map(|(rank, thread)| match thread {
            Ok(thread) => thread.join().map_err(|_| TransportError::Gone { rank }),
            Err(_) => Err(TransportError::NoThread { rank }),
        });
        std::iter::once(Ok(own)).chain(ended).collect()
    })
}
