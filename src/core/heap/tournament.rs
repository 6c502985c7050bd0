//! The next event of every entity, where an entity has at most one: a tournament among them.

use std::ops::{BitOr, Shl, Shr};

use crate::time::Time;

/// An unsigned word that holds a time above and an entity below.
pub trait Word:
    Copy + Ord + From<u32> + From<u64> + Shl<u32, Output = Self> + Shr<u32, Output = Self> + BitOr<Output = Self>
{
    /// The number of bits.
    const BITS: u32;
    /// No event: after every event.
    const EMPTY: Self;
    /// The lowest 64 bits.
    fn low(self) -> u64;
}

impl Word for u64 {
    const BITS: u32 = Self::BITS;
    const EMPTY: Self = Self::MAX;

    #[inline]
    fn low(self) -> u64 {
        self
    }
}

impl Word for u128 {
    const BITS: u32 = Self::BITS;
    const EMPTY: Self = Self::MAX;

    #[inline]
    fn low(self) -> u64 {
        self as u64
    }
}

/// The number of words that play for a place of the next level.
const ARITY: usize = 4;

/// The next event of each of a fixed number of entities; of several events at the earliest time, the first is that of the
/// entity with the smallest number.
///
/// When the event of an entity changes, it plays its way to the top again, without a branch on any time. Its opponents on
/// one level do not depend on the level before, so that the loads overlap and only a minimum a level waits for the last.
///
/// ```
/// # use tickless_core::facade as tickless;
/// use tickless::{heap::Tournament, time::Time};
/// let mut next = Tournament::<u64>::new(3, Time::from_ticks(100));
/// next.set(0, Time::from_ticks(7));
/// next.set(2, Time::from_ticks(5));
/// assert_eq!(next.first(), (Time::from_ticks(5), 2));
/// next.set(2, Time::NEVER);
/// assert_eq!(next.first(), (Time::from_ticks(7), 0));
/// ```
pub struct Tournament<W> {
    /// The earliest event.
    first: W,
    /// The words that play for a place, level after level, the entities first.
    groups: Vec<[W; ARITY]>,
    /// Where each level begins.
    levels: Vec<usize>,
    until: Time,
    bits: u32,
    /// The bits of an entity.
    mask: u64,
}

impl<W: Word> Tournament<W> {
    /// Entities without an event; an event at `until` or later counts as none.
    ///
    /// # Panics
    /// Where a word cannot hold what [`Self::holds`] asks for.
    #[inline]
    pub fn new(entities: u32, until: Time) -> Self {
        assert!(Self::holds(entities, until), "{entities} entities until {until} pass the word");
        let (mut groups, mut levels) = (0, vec![]);
        let mut players = entities as usize;
        while levels.is_empty() || players > 1 {
            levels.push(groups);
            players = players.div_ceil(ARITY);
            groups += players;
        }
        let bits = Self::bits(entities);
        let groups = vec![[W::EMPTY; ARITY]; groups];
        Self { first: W::EMPTY, groups, levels, until, bits, mask: !(u64::MAX << bits) }
    }

    /// Whether a word has room for every time before `until` beside an entity.
    #[inline]
    pub fn holds(entities: u32, until: Time) -> bool {
        let bits = W::BITS - Self::bits(entities);
        bits >= 64 || until.ticks() < (1 << bits)
    }

    fn bits(entities: u32) -> u32 {
        u32::BITS - entities.saturating_sub(1).leading_zeros()
    }

    /// Sets the time of an entity's next event; the horizon or later, such as [`Time::NEVER`], for none.
    #[inline]
    pub fn set(&mut self, entity: u32, time: Time) {
        let word = W::from(time.ticks()) << self.bits | W::from(entity);
        let mut word = if time < self.until { word } else { W::EMPTY };
        let mut player = entity as usize;
        for level in &self.levels {
            let group = &mut self.groups[level + player / ARITY];
            let place = player % ARITY;
            group[place] = word;
            let others = group[place ^ 1].min(group[place ^ 2]).min(group[place ^ 3]);
            word = word.min(others);
            player /= ARITY;
        }
        self.first = word;
    }

    /// The earliest event and its entity; a time at the horizon or later where there is none.
    #[inline]
    pub fn first(&self) -> (Time, u32) {
        let word = self.first;
        (Time::from_ticks((word >> self.bits).low()), (word.low() & self.mask) as u32)
    }
}
