//! A future event list for many events: only the next ones are in order, the others lie in buckets of time.

use super::Key;
use super::implicit_heap::Heap;

/// Up to so many events are all kept in order. With 30 events buckets cost as much as an order of all, with 60 half as much (measured).
const FEW: usize = 24;
/// Buckets are made as soon as more events than these are in order. An event for an opened bucket is put in order, too, where fewer are there.
const MANY: usize = 2 * FEW;
/// How many events a bucket should have, at least and at most: a list of them is sorted in the cache next to the core.
const BUCKET: (usize, usize) = (12, 2048);
/// The events up to the mean time of the far events should fill so many buckets; twice as many are made, or more where
/// buckets are as large as they should be. The ends of all buckets should stay in the cache.
const BUCKETS: usize = 1024;
/// The memory of a list of at most so many events is kept for its bucket's next events; larger lists give it back.
const KEPT: usize = 256;
/// How many events ahead [`BucketList::soon`] looks.
const SOON: usize = 6;

/// A priority queue of words, the smallest first, whose cost does not grow with their number.
///
/// A ladder queue with one rung (Tang, Goh and Thng 2005). Time from `origin` on is cut into buckets of equal width; an
/// event behind the last one is `far`. When the first bucket that is not empty is opened, its events are sorted and
/// taken one by one; an event that comes for an opened bucket is put among them, or, where they are many, onto a heap beside
/// them. When every bucket has been opened, new ones are made for what is far, so wide that a bucket has 12 events or more.
/// So an event is written twice or three times, at ends of lists, and compared with those of its bucket only. Where times are
/// such that all events fall into one bucket, what is left is the sort and the heap. Few events need no buckets: all of them
/// are kept in order.
///
/// ```
/// # use tickless_core::facade as tickless;
/// use tickless::heap::{BucketList, Key};
/// let mut list: BucketList<u128> = [5, 3, 9].into_iter().collect();
/// assert_eq!(list.first(), 3);
/// assert_eq!(list.pop(), 3);
/// list.push(4);
/// assert_eq!((list.first(), list.len()), (4, 3));
/// let popped: Vec<u128> = (0..4).map(|_| list.pop()).collect();
/// assert_eq!(popped, [4, 5, 9, <u128 as Key>::EMPTY]);
/// ```
#[derive(Clone)]
pub struct BucketList<K> {
    /// The events of the last bucket that was opened, the first last; while there are few, all events.
    run: Vec<K>,
    /// Events that came for opened buckets, while many were in order.
    late: Heap<K>,
    /// Whether there are few events, and no buckets.
    few: bool,
    /// The time at which the first unopened bucket begins; later than every event while there are few.
    edge: u64,
    /// The time at which the first bucket begins.
    origin: u64,
    /// The logarithm of a bucket's width.
    shift: u32,
    buckets: Vec<Vec<K>>,
    /// The first unopened bucket.
    next: usize,
    /// Events behind the last bucket.
    far: Vec<K>,
}

impl<K: Key> Default for BucketList<K> {
    fn default() -> Self {
        Self {
            run: vec![],
            late: Heap::default(),
            few: false,
            edge: 0,
            origin: 0,
            shift: 0,
            buckets: vec![],
            next: 0,
            far: vec![],
        }
    }
}

impl<K: Key> BucketList<K> {
    /// An empty list.
    #[inline]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many words the list has.
    #[inline]
    pub fn len(&self) -> usize {
        let buckets: usize = self.buckets[self.next..].iter().map(Vec::len).sum();
        self.run.len() + self.late.len() + buckets + self.far.len()
    }

    /// Whether the list has no word.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The smallest word, or [`Key::EMPTY`].
    #[inline]
    pub fn first(&mut self) -> K {
        if self.run.is_empty() && self.late.first() == K::EMPTY {
            self.open();
        }
        self.ahead().min(self.late.first())
    }

    /// The next of the sorted words.
    #[inline]
    fn ahead(&self) -> K {
        self.run.last().copied().unwrap_or(K::EMPTY)
    }

    /// A word that will probably be the first soon, or [`Key::EMPTY`].
    #[inline]
    pub fn soon(&self) -> K {
        let soon = self.run.len().checked_sub(1 + SOON);
        soon.map_or_else(|| self.late.first(), |place| self.run[place])
    }

    /// Removes and returns the smallest word; [`Key::EMPTY`] where there is none.
    #[inline]
    pub fn pop(&mut self) -> K {
        if self.run.is_empty() && self.late.first() == K::EMPTY {
            self.open();
        }
        let (ahead, late) = (self.ahead(), self.late.first());
        if ahead < late {
            self.run.pop();
            ahead
        } else {
            self.late.pop();
            late
        }
    }

    /// Adds a word.
    #[inline]
    pub fn push(&mut self, word: K) {
        let rank = word.rank();
        if rank >= self.edge {
            self.put(word, rank);
        } else {
            self.insert(word);
        }
    }

    /// Puts a word among those that are in order. Steps that a processor foresees are faster here than a search: nothing waits for its result
    /// (measured with 6 and 15 events).
    #[inline]
    fn insert(&mut self, word: K) {
        let mut place = self.run.len();
        if place >= MANY || place == self.run.capacity() {
            return self.insert_into_more(word);
        }
        self.run.push(word);
        let run = &mut self.run[..=place];
        while place > 0 && run[place - 1] < word {
            run[place] = run[place - 1];
            place -= 1;
        }
        run[place] = word;
    }

    /// The same where there is no room, or many are in order.
    #[cold]
    fn insert_into_more(&mut self, word: K) {
        if self.run.len() < MANY {
            self.run.reserve(FEW);
            self.insert(word);
        } else if self.few {
            self.spill();
            self.put(word, word.rank());
        } else {
            self.late.push(word);
        }
    }

    /// Puts a word behind all opened buckets into its bucket.
    #[inline]
    fn put(&mut self, word: K, rank: u64) {
        let bucket = (rank - self.origin) >> self.shift;
        let list = self.buckets.get_mut(usize::try_from(bucket).unwrap_or(usize::MAX)).unwrap_or(&mut self.far);
        list.push(word);
    }

    /// The few events have become many: all of them become far.
    #[cold]
    fn spill(&mut self) {
        self.far.append(&mut self.run);
        (self.edge, self.origin, self.few) = (0, 0, false);
    }

    /// Sorts the next bucket that is not empty. The opened buckets are used up.
    #[cold]
    fn open(&mut self) {
        loop {
            while let Some(bucket) = self.buckets.get_mut(self.next) {
                self.run.clear();
                if self.run.capacity() > KEPT {
                    self.run = vec![];
                }
                std::mem::swap(&mut self.run, bucket);
                self.next += 1;
                let edge = u128::from(self.origin) + ((self.next as u128) << self.shift);
                self.edge = u64::try_from(edge).unwrap_or(u64::MAX);
                if !self.run.is_empty() {
                    self.run.sort_unstable_by(|one, other| other.cmp(one));
                    return;
                }
            }
            if self.far.is_empty() {
                return;
            }
            self.cut();
            if self.buckets.is_empty() {
                return;
            }
        }
    }

    /// Makes buckets for the far events, or puts them in order where they are few.
    fn cut(&mut self) {
        let count = self.far.len();
        self.next = 0;
        if count <= FEW {
            self.run.clear();
            self.run.append(&mut self.far);
            self.run.sort_unstable_by(|one, other| other.cmp(one));
            self.buckets.clear();
            (self.edge, self.few) = (u64::MAX, true);
            return;
        }
        let origin = self.far.iter().map(|word| word.rank()).min().unwrap_or(0);
        let sum: u128 = self.far.iter().map(|word| u128::from(word.rank() - origin)).sum();
        let each = (count / BUCKETS).clamp(BUCKET.0, BUCKET.1);
        let width = sum / count as u128 * each as u128 / count as u128;
        (self.origin, self.edge) = (origin, origin);
        self.shift = u64::try_from(width).unwrap_or(u64::MAX).max(1).ilog2();
        self.buckets.resize_with((2 * count / each).next_power_of_two(), Vec::new);
        let far = std::mem::take(&mut self.far);
        for word in far {
            self.put(word, word.rank());
        }
    }

    /// The words, in no particular order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = K> + '_ {
        let buckets = self.buckets[self.next..].iter().flatten();
        self.run.iter().chain(buckets).chain(&self.far).copied().chain(self.late.iter())
    }
}

impl<K: Key> FromIterator<K> for BucketList<K> {
    fn from_iter<I: IntoIterator<Item = K>>(words: I) -> Self {
        Self { far: words.into_iter().collect(), ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;
    use std::collections::BinaryHeap;

    use super::*;
    use crate::random::{StreamKey, exponential};

    const EMPTY: u128 = <u128 as Key>::EMPTY;

    /// Compares the list with a heap: events schedule others `delay` later, at times more of them or fewer.
    fn compare(count: u32, events: u32, mut delay: impl FnMut(u32) -> u64) {
        let mut stream = StreamKey::new(3, 0).stream(count);
        let mut list = BucketList::new();
        let mut model = BinaryHeap::new();
        let mut number = 0_u64;
        let mut word = |time: u64| {
            number += 1;
            u128::from(time) << 64 | u128::from(number)
        };
        for _ in 0..count {
            let first = word(delay(stream.draw()));
            list.push(first);
            model.push(Reverse(first));
        }
        for event in 0..events {
            let first = list.first();
            assert_eq!(first, model.pop().map_or(EMPTY, |word| word.0), "event {event} of {count}");
            if first == EMPTY {
                break;
            }
            list.pop();
            // Twice as many events after a third, as few as before after two thirds.
            let again = match event / (events / 3) {
                0 => 1 + u32::from(event % 7 == 0),
                1 => u32::from(event % 8 != 0),
                _ => u32::from(event % 3 == 0),
            };
            for _ in 0..again {
                let next = word((first >> 64) as u64 + delay(stream.draw()));
                list.push(next);
                model.push(Reverse(next));
            }
            assert!(list.soon() == EMPTY || list.soon() >= list.first());
        }
        assert_eq!(list.len(), model.len());
        let mut rest: Vec<u128> = list.iter().collect();
        rest.sort_unstable();
        let model: Vec<u128> = model.into_sorted_vec().into_iter().rev().map(|word| word.0).collect();
        assert_eq!(rest, model);
        for expected in model {
            assert_eq!(list.first(), expected);
            list.pop();
        }
        list.pop();
        assert_eq!((list.first(), list.is_empty()), (EMPTY, true));
    }

    #[test]
    fn it_is_a_heap_whatever_the_delays() {
        let [few, many] = [FEW, MANY].map(|count| count as u32);
        for count in [0, 1, 2, few - 1, few, few + 1, many - 1, many, many + 1, 3000, 40_000] {
            let events = 3 + 4 * count.min(20_000);
            compare(count, events, |draw| (1 << 28) + exponential(draw));
            compare(count, events, exponential);
            // Ties, constant delays, delays of 0, and a few delays a billion times as long.
            compare(count, events, |draw| u64::from(draw >> 30));
            compare(count, events, |_| 5);
            compare(count, events, |draw| if draw % 1000 == 0 { 1 << 40 } else { u64::from(draw & 1023) });
            compare(count, events, |draw| if draw % 3 == 0 { 1 << 55 } else { 1 });
        }
    }

    #[test]
    fn the_last_ranks_are_in_order_too() {
        let words = |at: u64| (0..1000_u64).map(move |i| u128::from(at + i % 500) << 64 | u128::from(i));
        let mut list: BucketList<u128> = words(0).chain(words(u64::MAX - 500)).collect();
        assert_eq!(list.len(), 2000);
        let (mut last, mut more) = (0, true);
        while list.first() != EMPTY {
            assert!(list.first() >= last);
            last = list.first();
            list.pop();
            if more && list.len() == 1000 {
                more = false;
                words(u64::MAX - 500).for_each(|word| list.push(word | 1 << 32));
            }
        }
        assert_eq!((last >> 64) as u64, u64::MAX - 1);
    }
}
