//! How long fronts take: of each cell an ellipse as three integers, and the time of a way over several cells from them.
//!
//! A fire takes |p| (1 - e cos) / (R (1 - e)) for a way p, R being the rate at its head and e the eccentricity of its ellipse with
//! the point of ignition in a focus. That is a |p| + b · p with a number a and a vector b of the cell. So a way over several cells
//! takes the sum of their a and b, each by the part of the way that lies in it.

use rayon::prelude::*;

use super::conditions::Conditions;
use super::delays::SLOWEST;
use super::ways::{OFFSETS, Way};
use super::{Fire, Spread};
use crate::memory::{self, NoMemory};
use crate::time::Time;

/// In place of a: no fire crosses the cell.
pub(super) const NONE: i32 = -1;
/// Units in a minute.
const PER_MINUTE: f64 = 65_536.0;
/// The largest a: the sum of six fits 31 bits.
const MOST: f64 = (1 << 28) as f64;

/// A cell's ellipse, per side of a cell in units of 2^-16 minutes: a, b toward east and toward south; a word that is unused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::NoUninit)]
#[repr(C)]
pub(super) struct Pace(pub(super) [i32; 4]);

impl Pace {
    /// Of a cell with sides of so many metres.
    fn new(spread: &Spread, side: f64) -> Self {
        // From one side of the cell to the other, with the head and as slowly as it can be told.
        let head = side / spread.rate() * PER_MINUTE;
        // Not a number where nothing burns.
        if head.is_nan() || head > SLOWEST * PER_MINUTE {
            return Self([NONE, 0, 0, 0]);
        }
        let around = (head / (1.0 - spread.eccentricity())).min(MOST);
        let along = (around - head).max(0.0);
        let [east, north] = spread.heading();
        // One unit at least is left at the head, whatever is rounded.
        let a = (around.ceil() as i32).max(1);
        Self([a, (along * east) as i32, (-along * north) as i32, 0])
    }

    /// From one side of the cell to the other with the head of the fire, in ticks.
    fn quickest(self) -> Option<Time> {
        let [a, east, south, _] = self.0;
        let along = libm::hypot(east.into(), south.into()).ceil() as i32;
        (a != NONE).then(|| Time::from_ticks(((a - along).max(1) as u64) << 16))
    }
}

/// The ellipses of all cells under each row of the weather.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Paces {
    cells: usize,
    pub(super) all: Vec<Pace>,
}

impl Paces {
    /// # Errors
    /// More memory than there is.
    pub(super) fn new(fire: &Fire) -> Result<Self, NoMemory> {
        let (frame, rows) = (fire.landscape().frame(), fire.rows());
        let (cells, side) = (frame.cells(), frame.cell_size);
        memory::room_of((cells * rows * size_of::<Pace>()) as u64, "the ellipses of the fire")?;
        let mut all = Vec::with_capacity(cells * rows);
        for row in 0..rows {
            let conditions = Conditions::new(fire, row);
            let pace = |cell| conditions.at(cell).map_or(Pace([NONE, 0, 0, 0]), |(spread, _)| Pace::new(&spread, side));
            all.par_extend((0..cells).into_par_iter().map(pace));
        }
        Ok(Self { cells, all })
    }

    /// How long a way to a cell takes under a row of the weather, in ticks; `None` where it leads through a cell that no fire
    /// crosses. All cells of the way exist.
    pub(super) fn of_way(&self, row: usize, cell: u32, way: &Way, width: u32) -> Option<u64> {
        let of = |[x, y]: [i32; 2]| {
            let id = i64::from(cell) + i64::from(x) + i64::from(width) * i64::from(y);
            self.all[row * self.cells + id as usize].0
        };
        let [first, second, last] = way.through.map(of);
        let paces = [of([0, 0]), first, second, last];
        if paces.iter().any(|pace| pace[0] == NONE) {
            return None;
        }
        let [own, first, second, last] = paces;
        let sum = |word: usize| i64::from(own[word] + 2 * (first[word] + second[word]) + last[word]);
        let [east, south] = way.along.map(i64::from);
        Some((sum(0) * i64::from(way.length) + sum(1) * east + sum(2) * south) as u64)
    }

    /// The least time from one side of a cell to the other; never where nothing burns.
    pub(super) fn quickest(&self) -> Time {
        self.all.par_iter().filter_map(|pace| pace.quickest()).min().unwrap_or(Time::NEVER)
    }

    /// The longest such time with the head of the fire.
    pub(super) fn slowest(&self) -> Option<Time> {
        self.all.par_iter().filter_map(|pace| pace.quickest()).max()
    }

    /// The median of some of them; 0 where nothing burns.
    pub(super) fn usual(&self) -> Time {
        let step = (self.all.len() / 8192) | 1;
        let mut sample: Vec<Time> = self.all.iter().step_by(step).filter_map(|pace| pace.quickest()).collect();
        if sample.is_empty() {
            // Little burns of a large landscape.
            sample = self.all.iter().filter_map(|pace| pace.quickest()).take(8192).collect();
        }
        let middle = sample.len() / 2;
        if sample.is_empty() { Time::ZERO } else { *sample.select_nth_unstable(middle).1 }
    }
}

/// What the device reads of ways, two words of 16 bytes each: where the cells that a way crosses lie behind the cell itself, and its
/// length; its direction and the number of the neighbour where its edge begins, and of the one where it ends.
pub(super) fn way_words(width: u32) -> Vec<[i32; 4]> {
    let behind = |[x, y]: [i32; 2]| x + width as i32 * y;
    let edges = super::ways::EDGES.iter();
    let words = edges.flat_map(|edge| {
        edge.ways.iter().flat_map(move |way| {
            let [first, second, last] = way.through.map(behind);
            let [east, south] = way.along;
            [[first, second, last, way.length as i32], [east, south, edge.ends[0] as i32, edge.ends[1] as i32]]
        })
    });
    words.collect()
}

/// The offsets of all neighbours.
pub(super) fn offsets() -> Vec<[i32; 3]> {
    OFFSETS.clone()
}
