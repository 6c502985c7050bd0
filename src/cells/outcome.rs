//! The end of a run of cells: its digest, and the first difference of two.
//!
//! The digest is SHA-256 over, all little-endian: columns, rows, planes and replications (32 bits each), transitions and
//! imminent cells over the whole run (64 each), then replication after replication the cells in id order: the words of the
//! state, the words of the last output (32 each), the time of the next own event (64), and the time of the last transition
//! (64) where the model has elapsed times.

use std::fmt;
use std::time::Duration;

use rayon::prelude::*;
use sha2::{Digest as _, Sha256};

use crate::statistics::Digest;
use crate::time::Time;

/// Cells that are hashed at once.
const CHUNK: usize = 1 << 18;

/// What every cell of every replication is like at the end: arrays with a cell's words side by side, cell after cell in id
/// order, replication after replication.
///
/// ```
/// use tickless::{cells::CellOutcome, time::Time};
/// let outcome = CellOutcome { size: [2, 1, 1], replications: 1, state: vec![4, 5], next: vec![Time::NEVER; 2], ..Default::default() };
/// assert_eq!((outcome.cells(), outcome.state_words(), outcome.state_of(0, 1)), (2, 1, &[5][..]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellOutcome {
    /// Columns, rows and planes.
    pub size: [u32; 3],
    /// How many copies of the space there are.
    pub replications: u32,
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
    /// Those of imminent cells: internal and confluent.
    pub imminent: u64,
}

/// Where two runs first differ.
///
/// ```
/// use tickless::{cells::CellOutcome, time::Time};
/// let one = CellOutcome { size: [2, 1, 1], replications: 1, state: vec![4, 5], next: vec![Time::NEVER; 2], ..Default::default() };
/// let mut two = one.clone();
/// two.state[1] = 6;
/// assert_eq!(one.first_difference(&two).unwrap().to_string(), "replication 0, cell 1, field state[0]: 5 against 6");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellDifference {
    /// The replication; none where the runs differ as a whole.
    pub place: Option<(usize, usize)>,
    /// Its first field that differs, in the order of the digest.
    pub field: String,
    /// The value in the first run.
    pub left: u64,
    /// The value in the second run.
    pub right: u64,
}

impl fmt::Display for CellDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((replication, cell)) = self.place {
            write!(f, "replication {replication}, cell {cell}, field ")?;
        }
        write!(f, "{}: {} against {}", self.field, self.left, self.right)
    }
}

impl CellOutcome {
    /// Cells of a replication.
    pub fn cells(&self) -> usize {
        self.size.iter().map(|&n| n as usize).product()
    }

    /// Words of a cell's state.
    pub fn state_words(&self) -> usize {
        self.state.len() / self.next.len().max(1)
    }

    /// Words of an output.
    pub fn output_words(&self) -> usize {
        self.output.len() / self.next.len().max(1)
    }

    /// The state of a cell of a replication.
    pub fn state_of(&self, replication: u32, cell: u32) -> &[u32] {
        let (place, words) = (replication as usize * self.cells() + cell as usize, self.state_words());
        &self.state[place * words..][..words]
    }

    /// The last output of a cell of a replication.
    pub fn output_of(&self, replication: u32, cell: u32) -> &[u32] {
        let (place, words) = (replication as usize * self.cells() + cell as usize, self.output_words());
        &self.output[place * words..][..words]
    }

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

    /// The digest: equal for equal runs whatever the backend.
    pub fn digest(&self) -> Digest {
        let mut hash = Sha256::new();
        self.size.iter().chain([&self.replications]).for_each(|word| hash.update(word.to_le_bytes()));
        [self.transitions, self.imminent].iter().for_each(|count| hash.update(count.to_le_bytes()));
        let each = 4 * (self.state_words() + self.output_words()) + if self.last.is_empty() { 8 } else { 16 };
        let mut bytes = vec![0; each * CHUNK.min(self.next.len())];
        for first in (0..self.next.len()).step_by(CHUNK) {
            let cells = &mut bytes[..each * CHUNK.min(self.next.len() - first)];
            let records = cells.par_chunks_exact_mut(each).with_min_len(1 << 12).enumerate();
            records.for_each(|(place, record)| self.write(first + place, record));
            hash.update(cells);
        }
        Digest::from_bytes(hash.finalize().into())
    }

    /// What the digest is of, of a cell.
    fn write(&self, cell: usize, record: &mut [u8]) {
        let (state, output) = (self.state_words(), self.output_words());
        let words = self.state[cell * state..][..state].iter().chain(&self.output[cell * output..][..output]);
        let (in_words, times) = record.split_at_mut(4 * (state + output));
        in_words.chunks_exact_mut(4).zip(words).for_each(|(to, word)| to.copy_from_slice(&word.to_le_bytes()));
        let own = [self.next.get(cell), self.last.get(cell)].into_iter().flatten();
        times.chunks_exact_mut(8).zip(own).for_each(|(to, time)| to.copy_from_slice(&time.ticks().to_le_bytes()));
    }

    /// The first cell and field in which two runs of one model differ, or `None` where they are equal. Cells come before
    /// counts over the whole run, which follow from them.
    pub fn first_difference(&self, other: &Self) -> Option<CellDifference> {
        let mut whole = self.whole().into_iter().zip(other.whole()).enumerate();
        let found =
            |(field, left): (&str, u64), right| CellDifference { place: None, field: field.into(), left, right };
        let mut counts = None;
        for (place, (a, b)) in whole.by_ref().filter(|(_, (a, b))| a.1 != b.1) {
            if place < 7 {
                return Some(found(a, b.1));
            }
            counts = counts.or_else(|| Some(found(a, b.1)));
        }
        (0..self.next.len()).find_map(|cell| self.cell_difference(other, cell)).or(counts)
    }

    fn cell_difference(&self, other: &Self, cell: usize) -> Option<CellDifference> {
        let words = |name: &str, left: &[u32], right: &[u32], words: usize| {
            let (left, right) = (&left[cell * words..][..words], &right[cell * words..][..words]);
            let place = left.iter().zip(right).position(|(left, right)| left != right)?;
            Some((format!("{name}[{place}]"), left[place].into(), right[place].into()))
        };
        let times = |name: &str, left: &[Time], right: &[Time]| {
            let (left, right) = (left.get(cell)?.ticks(), right.get(cell)?.ticks());
            (left != right).then(|| (name.to_owned(), left, right))
        };
        let (field, left, right) = words("state", &self.state, &other.state, self.state_words())
            .or_else(|| words("output", &self.output, &other.output, self.output_words()))
            .or_else(|| times("next", &self.next, &other.next))
            .or_else(|| times("last", &self.last, &other.last))?;
        let place = Some((cell / self.cells(), cell % self.cells()));
        Some(CellDifference { place, field, left, right })
    }
}

/// A finished or interrupted run of cells.
///
/// ```
/// use tickless::cells::{Watershed, reference};
/// let model = Watershed::new(2, 1, vec![1.0, 0.0]).until(100.0).check()?;
/// let run = reference::simulate(&model, &mut tickless::run::unwatched())?;
/// assert!(run.transitions_per_second() > 0.0 && !run.interrupted);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct CellRun {
    /// What every cell is like at the end.
    pub outcome: CellOutcome,
    /// Rounds, where the backend works in rounds.
    pub rounds: Option<u64>,
    /// Every event before this time has happened: the horizon, or where an interruption came.
    pub clock: Time,
    /// From the first event to the last.
    pub wall: Duration,
    /// Time that the device itself was busy with rounds, where it can tell.
    pub device: Option<Duration>,
    /// Everything before: buffers, kernels, the state at time 0.
    pub setup: Duration,
    /// What each kernel of a round took, where the device was opened to time them; else empty.
    pub timings: Vec<crate::device::KernelTime>,
    /// Whether a [`Watch`](crate::run::Watch) ended it before the horizon.
    pub interrupted: bool,
}

impl CellRun {
    /// Transitions per second of [`Self::wall`].
    pub fn transitions_per_second(&self) -> f64 {
        self.outcome.transitions as f64 / self.wall.as_secs_f64().max(1e-9)
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
            state: (0..8).collect(),
            output: (10..14).collect(),
            next: (20..24).map(Time::from_ticks).collect(),
            last: (30..34).map(Time::from_ticks).collect(),
            transitions: 40,
            imminent: 30,
        }
    }

    #[test]
    fn one_changed_value_anywhere_is_caught() {
        type Change = fn(&mut CellOutcome);
        type Place = Option<(usize, usize)>;
        let changes: [(Place, &str, Change); 6] = [
            (Some((1, 1)), "state[1]", |o| o.state[7] ^= 1),
            (Some((0, 1)), "output[0]", |o| o.output[1] ^= 1),
            (Some((1, 0)), "next", |o| o.next[2] = Time::UNIT),
            (Some((1, 1)), "last", |o| o.last[3] = Time::UNIT),
            (None, "transitions", |o| o.transitions += 1),
            (None, "imminent cells", |o| o.imminent += 1),
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
        let mut bytes: Vec<u8> = [2_u32, 1, 1, 2].iter().flat_map(|word| word.to_le_bytes()).collect();
        [40_u64, 30].iter().for_each(|count| bytes.extend(count.to_le_bytes()));
        for cell in 0..4_u32 {
            [2 * cell, 2 * cell + 1, 10 + cell].iter().for_each(|word| bytes.extend(word.to_le_bytes()));
            [20 + u64::from(cell), 30 + u64::from(cell)].iter().for_each(|time| bytes.extend(time.to_le_bytes()));
        }
        assert_eq!(outcome().digest().bytes(), &<[u8; 32]>::from(Sha256::digest(&bytes)));
    }
}
