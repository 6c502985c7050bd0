//! Ranks that are threads of one process.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::{hint, thread};

use super::{Mail, Transport, TransportError};

/// How often a rank looks for the others before it sleeps: about as long as a thread takes to wake up.
const SPINS: u32 = 2000;
/// No rank has gone.
const NOBODY: u32 = u32::MAX;

/// What a list of words passes through on its way.
type Place = Mutex<Vec<u64>>;

/// What the ranks have in common. Whatever one leaves for the others lies in one of two places that take turns: none can be two
/// meetings ahead of another, so that what it leaves next never takes the place of what somebody has yet to read.
struct Meeting {
    ranks: u32,
    /// Ranks that have come to the meeting under way.
    come: AtomicU32,
    /// Meetings that are over.
    over: AtomicU32,
    /// A rank that has left.
    gone: AtomicU32,
    words: [Vec<AtomicU64>; 2],
    lists: [Vec<Place>; 2],
    sleeping: Mutex<()>,
    awake: Condvar,
}

impl Meeting {
    fn new(ranks: u32) -> Self {
        let words = || (0..ranks).map(|_| AtomicU64::new(0)).collect();
        let lists = || (0..u64::from(ranks) * u64::from(ranks)).map(|_| Place::default()).collect();
        Self {
            ranks,
            come: AtomicU32::new(0),
            over: AtomicU32::new(0),
            gone: AtomicU32::new(NOBODY),
            words: [words(), words()],
            lists: [lists(), lists()],
            sleeping: Mutex::new(()),
            awake: Condvar::new(),
        }
    }

    /// Nothing of it can be broken by a thread that panics.
    fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
        mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn wake(&self) {
        // Whoever has looked and not yet slept holds the lock.
        drop(Self::lock(&self.sleeping));
        self.awake.notify_all();
    }

    /// Returns when every rank has come to this meeting.
    fn meet(&self, number: u32) -> Result<(), TransportError> {
        if self.come.fetch_add(1, Ordering::AcqRel) + 1 == self.ranks {
            self.come.store(0, Ordering::Relaxed);
            self.over.store(number.wrapping_add(1), Ordering::Release);
            self.wake();
            return Ok(());
        }
        let state = || {
            // In this order: who has ended in good order was at this meeting before, and left when it was over.
            let gone = self.gone.load(Ordering::Acquire);
            if self.over.load(Ordering::Acquire) != number {
                return Some(Ok(()));
            }
            (gone != NOBODY).then_some(Err(TransportError::Gone { rank: gone }))
        };
        for _ in 0..SPINS {
            if let Some(state) = state() {
                return state;
            }
            hint::spin_loop();
        }
        let mut lock = Self::lock(&self.sleeping);
        loop {
            if let Some(state) = state() {
                return state;
            }
            lock = self.awake.wait(lock).unwrap_or_else(std::sync::PoisonError::into_inner);
        }
    }
}

/// A rank that is a thread: see [`side_by_side`].
pub struct ThreadTransport<'a> {
    meeting: &'a Meeting,
    rank: u32,
    /// Meetings that this rank was at.
    met: u32,
}

impl ThreadTransport<'_> {
    /// Which of the two places is used until the next meeting.
    fn turn(&self) -> usize {
        (self.met % 2) as usize
    }

    fn meet(&mut self) -> Result<(), TransportError> {
        let number = self.met;
        self.met = number.wrapping_add(1);
        self.meeting.meet(number)
    }

    fn place(&self, turn: usize, from: u32, to: u32) -> MutexGuard<'_, Vec<u64>> {
        Meeting::lock(&self.meeting.lists[turn][(from * self.meeting.ranks + to) as usize])
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
        let turn = self.turn();
        for place in 0..mail.to().len() {
            let to = mail.to()[place];
            // Lists go round, so that none is allocated once they are long enough.
            std::mem::swap(&mut *self.place(turn, self.rank, to), mail.outgoing_mut(to));
        }
        self.meet()?;
        for place in 0..mail.from().len() {
            let from = mail.from()[place];
            std::mem::swap(&mut *self.place(turn, from, self.rank), mail.incoming_mut(from));
        }
        Ok(())
    }

    fn gather(&mut self, words: Vec<u64>) -> Result<Vec<Vec<u64>>, TransportError> {
        let turn = self.turn();
        *self.place(turn, self.rank, 0) = words;
        self.meet()?;
        let given = |rank| std::mem::take(&mut *self.place(turn, rank, 0));
        Ok(if self.rank == 0 { (0..self.meeting.ranks).map(given).collect() } else { vec![] })
    }
}

impl Drop for ThreadTransport<'_> {
    /// Whoever waits for this rank, or comes to a meeting after this, ends.
    fn drop(&mut self) {
        // The first that goes is the one to blame.
        let _ = self.meeting.gone.compare_exchange(NOBODY, self.rank, Ordering::AcqRel, Ordering::Relaxed);
        self.meeting.wake();
    }
}

/// Runs so many ranks, of which rank 0 is the thread of the caller; what each returns, in rank order. A rank that panics, or
/// whose thread does not start, is an error of its own, and ends the others at their next meeting with it.
///
/// ```
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
    let meeting = Meeting::new(ranks.get());
    thread::scope(|scope| {
        let started: Vec<_> = (1..ranks.get())
            .map(|rank| {
                let mut transport = ThreadTransport { meeting: &meeting, rank, met: 0 };
                let others = &others;
                let work = move || others(&mut transport);
                thread::Builder::new().name(format!("rank {rank}")).spawn_scoped(scope, work)
            })
            .collect();
        let own = first(&mut ThreadTransport { meeting: &meeting, rank: 0, met: 0 });
        let ended = (1..).zip(started).map(|(rank, thread)| match thread {
            Ok(thread) => thread.join().map_err(|_| TransportError::Gone { rank }),
            Err(_) => Err(TransportError::NoThread { rank }),
        });
        std::iter::once(Ok(own)).chain(ended).collect()
    })
}
