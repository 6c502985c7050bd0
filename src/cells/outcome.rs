//! The end of a run of cells: its digest, and the first difference of two.
//!
//! The digest is SHA-256 over the following, all little-endian and 64 bits wide: columns, rows, planes, replications, words of a
//! state, words of an output, the number of times of last transitions, transitions and imminent cells over the whole run, and four
//! sums. To these each cell adds the record of its place (among the cells of all replications from number 0 on, one after the
//! other), the words of its state, those of its last output, the time of its next own event, and that of its last transition where
//! the model has elapsed times.

use super::replications::Replications;
use super::{AddedUpCells, CellModel};
use tickless_core::memory::{self, NoMemory};
use tickless_core::run::{Difference, Digest, Place, Record, RecordKind, Sums};
use tickless_core::time::Time;

/// The arrays of one replication.
pub(super) struct Arrays<'a> {
    pub(super) state: &'a mut [u32],
    pub(super) output: &'a mut [u32],
    pub(super) next: &'a mut [Time],
    pub(super) last: &'a mut [Time],
}

/// Cuts an array into `count` equal parts, one after the other.
fn parts<'a, T>(array: &'a mut [T], count: u32) -> impl FnMut() -> &'a mut [T] {
    let (each, mut rest) = (array.len() / count.max(1) as usize, array);
    move || rest.split_off_mut(..each).unwrap_or_default()
}

/// The first so many numbers of a whole run are sizes of its arrays: [`CellOutcome::whole`].
const SIZES: usize = 7;

/// The cells of all replications at the end: arrays with a cell's words side by side, cell after cell in id order,
/// replication after replication.
///
/// ```
/// # use tickless_cells::facade as tickless;
/// use tickless::{cells::CellOutcome, time::Time};
/// let outcome = CellOutcome { size: [2, 1, 1], replications: 1, state: vec![4, 5], next: vec![Time::NEVER; 2], ..Default::default() };
/// assert_eq!((outcome.cells(), outcome.state_words(), outcome.state_of(0, 1)), (2, 1, &[5][..]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellOutcome {
    /// Columns, rows and planes.
    pub size: [u32; 3],
    /// The number of copies of the space.
    pub replications: u32,
    /// The number of the first copy.
    pub first_replication: u32,
    /// The words of all states.
    pub state: Vec<u32>,
    /// The words of all last outputs.
    pub output: Vec<u32>,
    /// When each cell's next own event would be: at the end of the run or later.
    pub next: Vec<Time>,
    /// When each cell's last transition was, 0 where it had none; empty where the model has no elapsed times.
    pub last: Vec<Time>,
    /// Transitions of all cells: internal, external and confluent.
    pub transitions: u64,
    /// Transitions of imminent cells: internal and confluent.
    pub imminent: u64,
    /// Set instead of the arrays, which are empty then, where they were not asked for and a device has added them up.
    pub added_up: Option<AddedUpCells>,
}

impl CellOutcome {
    /// Cells of a replication.
    pub fn cells(&self) -> usize {
        self.size.iter().map(|&n| n as usize).product()
    }

    /// Words of a cell's state.
    pub fn state_words(&self) -> usize {
        // The state of a first passage is a time.
        if self.added_up.is_some() { 2 } else { self.state.len() / self.next.len().max(1) }
    }

    /// Words of an output.
    pub fn output_words(&self) -> usize {
        self.output.len() / self.next.len().max(1)
    }

    /// The state of a cell of a replication.
    ///
    /// # Panics
    /// Where there is no such cell, or the run has no arrays.
    pub fn state_of(&self, replication: u32, cell: u32) -> &[u32] {
        let (place, words) = (replication as usize * self.cells() + cell as usize, self.state_words());
        &self.state[place * words..][..words]
    }

    /// The last output of a cell of a replication.
    ///
    /// # Panics
    /// As [`CellOutcome::state_of`].
    pub fn output_of(&self, replication: u32, cell: u32) -> &[u32] {
        let (place, words) = (replication as usize * self.cells() + cell as usize, self.output_words());
        &self.output[place * words..][..words]
    }

    /// Makes room for all replications.
    pub(super) fn reserve(&mut self, model: &Replications<'_, impl CellModel>) -> Result<(), NoMemory> {
        let cells = model.space().cells() as usize * model.count() as usize;
        let what = "the cells of all replications";
        self.state = memory::with_room(cells.saturating_mul(model.state_words()), what)?;
        self.output = memory::with_room(cells.saturating_mul(model.output_words()), what)?;
        self.next = memory::with_room(cells, what)?;
        self.last = memory::with_room(if model.elapsed() { cells } else { 0 }, what)?;
        Ok(())
    }

    /// The arrays of replications, all values 0.
    pub(super) fn zeroed(model: &Replications<'_, impl CellModel>) -> Result<Self, NoMemory> {
        let cells = model.space().cells() as usize * model.count() as usize;
        let what = "the cells of all replications";
        Ok(Self {
            size: model.space().size(),
            replications: model.count(),
            first_replication: model.first(),
            state: memory::zeroed(cells.saturating_mul(model.state_words()), what)?,
            output: memory::zeroed(cells.saturating_mul(model.output_words()), what)?,
            next: memory::zeroed(cells, what)?,
            last: memory::zeroed(if model.elapsed() { cells } else { 0 }, what)?,
            ..Self::default()
        })
    }

    /// The arrays of each of `replications` replications.
    pub(super) fn split(&mut self, replications: u32) -> impl Iterator<Item = Arrays<'_>> {
        let (mut state, mut output) = (parts(&mut self.state, replications), parts(&mut self.output, replications));
        let (mut next, mut last) = (parts(&mut self.next, replications), parts(&mut self.last, replications));
        (0..replications).map(move |_| Arrays { state: state(), output: output(), next: next(), last: last() })
    }

    /// All arrays.
    pub(super) fn arrays(&mut self) -> Arrays<'_> {
        Arrays { state: &mut self.state, output: &mut self.output, next: &mut self.next, last: &mut self.last }
    }

    /// Puts replications in the place of those from `first` on, or behind all others. Adds their counts.
    pub(super) fn put(&mut self, first: usize, other: Self) -> Result<(), NoMemory> {
        fn put<T: Copy>(own: &mut Vec<T>, other: &[T], first: usize, count: usize) -> Result<(), NoMemory> {
            let place = first * (other.len() / count.max(1));
            let behind = other.len() - own.len().saturating_sub(place).min(other.len());
            memory::room::<T>(behind, "the cells of all replications")?;
            let (over, behind) = other.split_at(other.len() - behind);
            own[place..][..over.len()].copy_from_slice(over);
            own.extend_from_slice(behind);
            Ok(())
        }
        let count = other.replications as usize;
        put(&mut self.state, &other.state, first, count)?;
        put(&mut self.output, &other.output, first, count)?;
        put(&mut self.next, &other.next, first, count)?;
        put(&mut self.last, &other.last, first, count)?;
        self.replications = self.replications.max(first as u32 + other.replications);
        self.transitions += other.transitions;
        self.imminent += other.imminent;
        Ok(())
    }

    /// Leaves out all replications but the first `first`, if there are `all` of them.
    pub(super) fn truncate(&mut self, first: u32, all: u32) {
        let part = |length: usize| length / all as usize * first as usize;
        self.state.truncate(part(self.state.len()));
        self.output.truncate(part(self.output.len()));
        self.next.truncate(part(self.next.len()));
        self.last.truncate(part(self.last.len()));
        self.replications = first;
    }

    /// The numbers of the whole run: first the sizes of its arrays, then counts.
    fn whole(&self) -> [(&'static str, u64); 9] {
        let [width, height, depth] = self.size.map(u64::from);
        [
            ("columns", width),
            ("rows", height),
            ("planes", depth),
            ("replications", self.replications.into()),
            ("words of state", self.state_words() as u64),
            ("words of output", self.output_words() as u64),
            ("times of transitions", self.last.len() as u64),
            ("transitions", self.transitions),
            ("imminent cells", self.imminent),
        ]
    }

    /// The digest: equal for equal runs, whatever the backend.
    pub fn digest(&self) -> Digest {
        Digest::of(|hashing| {
            hashing.record(self.whole().map(|(_, value)| value));
            hashing.sums(self.sums());
        })
    }

    /// The sums of all records.
    #[doc(hidden)]
    pub fn sums(&self) -> Sums {
        let first = self.first_replication as usize * self.cells();
        self.added_up.as_ref().map_or_else(|| self.sums_from(first), |added_up| added_up.sums)
    }

    /// The sums of all records of the arrays, whose first cell has this number.
    pub(super) fn sums_from(&self, first: usize) -> Sums {
        Sums::of_all(self.next.len(), |cell| self.record(cell, first + cell).sums())
    }

    /// The record of a cell with this number in the digest.
    fn record(&self, cell: usize, number: usize) -> Record {
        let (state, output) = (self.state_words(), self.output_words());
        let words = self.state[cell * state..][..state].iter().chain(&self.output[cell * output..][..output]);
        let times = [self.next.get(cell), self.last.get(cell)].into_iter().flatten();
        let record = Record::of(RecordKind::Cell).word(number as u64).words(words.map(|word| u64::from(*word)));
        record.words(times.map(|time| time.ticks()))
    }

    /// The first cell and field in which two runs of one model differ, or `None` where they are equal. Cells come before
    /// counts over the whole run, which follow from them. Where one of the runs has no arrays it is `sums of the digest[i]`,
    /// or a count.
    ///
    /// ```
    /// # use tickless_cells::facade as tickless;
    /// use tickless::{cells::CellOutcome, time::Time};
    /// let one = CellOutcome { size: [2, 1, 1], replications: 1, state: vec![4, 5], next: vec![Time::NEVER; 2], ..Default::default() };
    /// let mut two = one.clone();
    /// two.state[1] = 6;
    /// assert_eq!(one.first_difference(&two).unwrap().to_string(), "replication 0, cell 1, field state[0]: 5 against 6");
    /// ```
    pub fn first_difference(&self, other: &Self) -> Option<Difference> {
        let whole = self.whole().into_iter().zip(other.whole());
        let mut found = whole.map(|((field, left), (_, right))| Difference::find(Place::WHOLE, field, left, right));
        let sizes = found.by_ref().take(SIZES).flatten().next();
        if self.added_up.is_some() || other.added_up.is_some() {
            let [left, right] = [self.sums(), other.sums()].map(Sums::lanes);
            let sums = || Difference::find_in(Place::WHOLE, ("sums of the digest", 0), left, right);
            return sizes.or_else(|| found.flatten().next()).or_else(sums);
        }
        sizes
            .or_else(|| (0..self.next.len()).find_map(|cell| self.cell_difference(other, cell)))
            .or_else(|| found.flatten().next())
    }

    fn cell_difference(&self, other: &Self, cell: usize) -> Option<Difference> {
        let place = || {
            Place::of("cell", cell % self.cells()).in_replication(self.first_replication + (cell / self.cells()) as u32)
        };
        let words = |name: &str, left: &[u32], right: &[u32], words: usize| {
            let [left, right] = [left, right].map(|all| &all[cell * words..][..words]);
            let [left, right] = [left, right].map(|own| own.iter().map(|word| u64::from(*word)));
            Difference::find_in(place(), (name, 0), left, right)
        };
        let times = |name: &str, left: &[Time], right: &[Time]| {
            Difference::find(place(), name, left.get(cell)?.ticks(), right.get(cell)?.ticks())
        };
        words("state", &self.state, &other.state, self.state_words())
            .or_else(|| words("output", &self.output, &other.output, self.output_words()))
            .or_else(|| times("next", &self.next, &other.next))
            .or_else(|| times("last", &self.last, &other.last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two replications of two cells, with two words of state, one of output and elapsed times.
    fn outcome() -> CellOutcome {
        CellOutcome {
            size: [2, 1, 1],
            replications: 2,
            first_replication: 0,
            state: (0..8).collect(),
            output: (10..14).collect(),
            next: (20..24).map(Time::from_ticks).collect(),
            last: (30..34).map(Time::from_ticks).collect(),
            transitions: 40,
            imminent: 30,
            added_up: None,
        }
    }

    #[test]
    fn one_changed_value_anywhere_is_caught() {
        type Change = fn(&mut CellOutcome);
        let cell = |replication, cell| Place::of("cell", cell).in_replication(replication);
        let changes: [(Place, &str, Change); 6] = [
            (cell(1, 1), "state[1]", |o| o.state[7] ^= 1),
            (cell(0, 1), "output[0]", |o| o.output[1] ^= 1),
            (cell(1, 0), "next", |o| o.next[2] = Time::UNIT),
            (cell(1, 1), "last", |o| o.last[3] = Time::UNIT),
            (Place::WHOLE, "transitions", |o| o.transitions += 1),
            (Place::WHOLE, "imminent cells", |o| o.imminent += 1),
        ];
        assert_eq!(outcome().first_difference(&outcome()), None);
        for (place, field, change) in changes {
            let mut other = outcome();
            change(&mut other);
            let found = outcome().first_difference(&other).unwrap();
            assert_eq!((found.place, found.field.as_str()), (place, field));
            assert_ne!(outcome().digest(), other.digest(), "{field}");
        }
        let turned = CellOutcome { size: [1, 2, 1], ..outcome() };
        assert_eq!(outcome().first_difference(&turned).unwrap().field, "columns");
        assert_ne!(outcome().digest(), turned.digest());
    }

    #[test]
    fn the_digest_is_that_of_the_layout() {
        let mut sums = Sums::default();
        for cell in 0..4 {
            let numbers = [cell, 2 * cell, 2 * cell + 1, 10 + cell, 20 + cell, 30 + cell];
            sums += Record::of(RecordKind::Cell).words(numbers).sums();
        }
        let digest = Digest::of(|hashing| {
            hashing.record([2, 1, 1, 2, 2, 1, 4, 40, 30]);
            hashing.sums(sums);
        });
        assert_eq!(outcome().digest(), digest);
    }

    #[test]
    fn replications_are_counted_from_the_first_of_all() {
        let later = CellOutcome { first_replication: 3, ..outcome() };
        let mut other = later.clone();
        other.next[2] = Time::UNIT;
        assert_eq!(later.first_difference(&other).unwrap().place, Place::of("cell", 0).in_replication(4));
        assert_ne!(later.digest(), outcome().digest());
        assert_eq!(later.sums(), outcome().sums_from(6));
    }
}
