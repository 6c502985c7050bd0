//! The times that fronts take: an ellipse of three integers for each cell, and from these the time of a way over
//! several cells.
//!
//! A fire takes |p| (1 - e cos) / (R (1 - e)) for a way p, where R is the rate at its head and e the eccentricity of its ellipse
//! with the point of ignition in a focus. This is a |p| + b · p with a number a and a vector b of the cell. So a way over several
//! cells takes the sum of their a and b, each weighted by the part of the way in the cell. On a slope a and b of a cell count as many times
//! as a way there is longer over the ground than on the map ([`inclines`](super::inclines)).
//!
//! Ellipses are made of integers by integers ([`beds`](super::beds)). So the ellipses of all rows of the weather need not be
//! stored: if they are many, each is made when it is needed, by the heap and by devices, with the same bits.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::beds::{self, Bed, Ground, NONE, SLOWEST_HEAD};
use super::crossing;
use super::inclines::{STRETCHES, incline};
use super::ways::{EDGES, OFFSETS, Way, closed_corners};
use super::{Fire, FuelBed, Weather};
use tickless_core::memory::{self, NoMemory};
use tickless_core::time::Time;

/// A cell's ellipse, per side of a cell in units of 2^-16 minutes: a, -1 where no fire crosses it, b toward east and toward south;
/// the slope, and in its lowest four bits the corners over which no fire comes or goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::NoUninit)]
#[repr(C)]
pub(super) struct Pace(pub(super) [i32; 4]);

impl Pace {
    fn new(ground: Ground, bed: Bed, shapes: &[u32]) -> Self {
        let [a, east, south] = beds::ellipse(ground, bed, shapes).unwrap_or([NONE, 0, 0]);
        Self([a, east, south, 0])
    }

    /// The slope, with the corners.
    #[inline]
    pub(super) fn ground(self) -> u32 {
        self.0[3] as u32
    }

    fn with(self, incline: i32, corners: u32) -> Self {
        let [a, east, south, _] = self.0;
        Self([a, east, south, incline | corners as i32])
    }

    /// The time of the head of the fire from one side of the cell to the other, in ticks.
    fn quickest(self) -> Option<Time> {
        let [a, east, south, _] = self.0;
        let along = libm::hypot(east.into(), south.into()).ceil() as i32;
        (a != NONE).then(|| ticks((a - along).max(1) as u64))
    }
}

/// Units as ticks.
fn ticks(units: u64) -> Time {
    Time::from_ticks(units << 16)
}

/// The ellipses of all cells under each row of the weather.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Paces {
    cells: usize,
    rows: usize,
    ellipses: Ellipses,
}

/// The source of ellipses.
#[derive(Clone, Debug, PartialEq)]
enum Ellipses {
    /// Ellipses for every row of the weather and every cell.
    Stored(Vec<Pace>),
    Made(Box<Made>),
}

/// The data from which ellipses are made.
#[derive(Clone, Debug, PartialEq)]
struct Made {
    /// Columns and cells of the landscape.
    width: usize,
    cells: usize,
    kinds: usize,
    /// The ground of each cell; behind these, four in each, the inclines of the cells.
    grounds: Vec<Ground>,
    /// The bed for every row of the weather and every kind of fuel.
    beds: Vec<Bed>,
    /// The shapes of each kind of fuel.
    shapes: Vec<u32>,
    known: Known,
}

impl Paces {
    /// # Errors
    /// Too little memory.
    pub(super) fn new(fire: &Fire) -> Result<Self, NoMemory> {
        let (cells, rows) = (fire.landscape().frame().cells(), fire.rows());
        let made = Made::new(fire)?;
        let of_cells = fire.has_grids();
        let ellipses = if rows > 1 && cells * rows > fire.most_stored() && !of_cells {
            Ellipses::Made(Box::new(made))
        } else {
            Ellipses::Stored(made.all(fire, of_cells)?)
        };
        Ok(Self { cells, rows, ellipses })
    }

    fn pace(&self, row: usize, cell: usize) -> Pace {
        match &self.ellipses {
            Ellipses::Stored(all) => all[row * self.cells + cell],
            Ellipses::Made(made) => made.made(cell, made.bed(row, cell)),
        }
    }

    /// The ticks of a way to a cell under a row of the weather, on level ground; `None` where it leads through a cell that no fire crosses.
    /// All cells of the way exist.
    #[inline]
    pub(super) fn level(&self, row: usize, cell: u32, way: &Way, width: u32) -> Option<u64> {
        let id = |[x, y]: [i32; 2]| (i64::from(cell) + i64::from(x) + i64::from(width) * i64::from(y)) as usize;
        match &self.ellipses {
            Ellipses::Stored(all) => {
                let row = &all[row * self.cells..];
                crossing::level(way, |offset| row[id(offset)])
            }
            Ellipses::Made(made) => crossing::level(way, |offset| made.pace(row, id(offset))),
        }
    }

    /// The same as the ground is, from the ticks on level ground; `None` too where it leads over a corner that no fire crosses.
    #[inline]
    pub(super) fn ticks(&self, row: usize, cell: u32, (way, level): (&Way, u64), width: u32) -> Option<u64> {
        let id = |[x, y]: [i32; 2]| (i64::from(cell) + i64::from(x) + i64::from(width) * i64::from(y)) as usize;
        match &self.ellipses {
            Ellipses::Stored(all) => {
                let row = &all[row * self.cells..];
                crossing::ticks(way, level, |offset| row[id(offset)])
            }
            Ellipses::Made(made) => crossing::ticks(way, level, |offset| made.pace(row, id(offset))),
        }
    }

    /// The words of each cell for a device: four, and the name of their buffer.
    pub(super) fn words(&self) -> &[u32] {
        match &self.ellipses {
            Ellipses::Stored(all) => bytemuck::cast_slice(all),
            Ellipses::Made(made) => bytemuck::cast_slice(&made.grounds),
        }
    }

    pub(super) fn words_name(&self) -> &'static str {
        match &self.ellipses {
            Ellipses::Stored(_) => "fire_paces",
            Ellipses::Made(_) => "fire_grounds",
        }
    }

    /// Further words for a device: the ways, their directions, the stretches of slopes; behind them the data of ellipses, kinds under rows
    /// and then shapes.
    pub(super) fn tables(&self) -> Vec<[i32; 4]> {
        let mut tables = way_words();
        if let Ellipses::Made(made) = &self.ellipses {
            tables.extend(made.beds.iter().flat_map(|bed| bed.0.as_chunks().0));
            let shape = |four: &[u32]| std::array::from_fn(|n| four.get(n).map_or(0, |word| *word as i32));
            tables.extend(made.shapes.chunks(4).map(shape));
        }
        tables
    }

    /// The module with which a device gets ellipses.
    pub(super) fn module(&self) -> &'static str {
        match &self.ellipses {
            Ellipses::Stored(_) => "cells/fire_paces_stored",
            Ellipses::Made(_) => "cells/fire_paces_made",
        }
    }

    /// The kinds of fuel in the tables, where ellipses are made.
    pub(super) fn kinds(&self) -> u32 {
        if let Ellipses::Made(made) = &self.ellipses { made.kinds as u32 } else { 0 }
    }

    /// A lower bound on the time of a front from one side of a cell to the other: the least of all where they are stored; never
    /// where nothing burns.
    pub(super) fn quickest(&self) -> Time {
        match &self.ellipses {
            Ellipses::Stored(all) => all.par_iter().filter_map(|pace| pace.quickest()).min().unwrap_or(Time::NEVER),
            Ellipses::Made(made) => made.bounds().map(|[least, _]| least).min().unwrap_or(Time::NEVER),
        }
    }

    /// An upper bound on the time of the head of a fire: the longest of all where they are stored; `None` where nothing
    /// burns.
    pub(super) fn slowest(&self) -> Option<Time> {
        match &self.ellipses {
            Ellipses::Stored(all) => all.par_iter().filter_map(|pace| pace.quickest()).max(),
            Ellipses::Made(made) => made.bounds().map(|[_, most]| most).max(),
        }
    }

    /// The median of a sample; 0 where nothing burns.
    pub(super) fn usual(&self) -> Time {
        let all = self.cells * self.rows;
        let of = |place: usize| self.pace(place / self.cells, place % self.cells).quickest();
        let mut sample: Vec<Time> = (0..all).step_by((all / 8192) | 1).filter_map(of).collect();
        if sample.is_empty() {
            // In a large landscape where little burns.
            sample = (0..all).filter_map(of).take(8192).collect();
        }
        let middle = sample.len() / 2;
        if sample.is_empty() { Time::ZERO } else { *sample.select_nth_unstable(middle).1 }
    }
}

impl Made {
    fn new(fire: &Fire) -> Result<Self, NoMemory> {
        let (landscape, laws) = (fire.landscape(), fire.laws());
        let (frame, cells, side) = (landscape.frame(), landscape.frame().cells(), landscape.frame().cell_size);
        let mut burning = vec![false; 1 << 16];
        landscape.fuels().iter().for_each(|fuel| burning[usize::from(*fuel)] = true);
        let fuels: Vec<_> = landscape.models().all().filter(|fuel| burning[usize::from(fuel.number)]).collect();
        // The factors of wind and slope follow from the fuel alone.
        let usual = Weather::still().rows()[0].moisture;
        let dry: Vec<FuelBed> = fuels.iter().map(|fuel| FuelBed::new(fuel, &usual)).collect();
        let shapes = dry.iter().flat_map(|bed| beds::shapes(bed, laws.shape)).collect();
        let rows = fire.weather().rows().iter().take(fire.rows());
        let beds = rows.flat_map(|row| {
            fuels.iter().map(|fuel| Bed::new(&FuelBed::new(fuel, &row.moisture), row.wind(), laws, side))
        });
        let beds = beds.collect();
        memory::room::<[Ground; 2]>(cells, "the ground of the fire")?;
        let ground = |cell: usize| {
            let number = landscape.fuels()[cell];
            let Ok(kind) = fuels.binary_search_by_key(&number, |fuel| fuel.number) else { return Ground::BARE };
            let share = fire.wind_adjustment().map_or(1.0, |by| landscape.wind_share(by, cell, fuels[kind]));
            Ground::new(kind, &dry[kind], landscape.gradients()[cell], share)
        };
        let mut grounds: Vec<Ground> = (0..cells).into_par_iter().map(ground).collect();
        let four = |slopes: &[[f64; 2]]| Ground(std::array::from_fn(|n| slopes.get(n).copied().map_or(0, incline)));
        grounds.par_extend(landscape.gradients().par_chunks(4).map(four));
        let width = frame.columns as usize;
        Ok(Self { width, cells, kinds: fuels.len(), grounds, beds, shapes, known: Known::default() })
    }

    /// The ellipses of all cells under each row.
    fn all(&self, fire: &Fire, of_cells: bool) -> Result<Vec<Pace>, NoMemory> {
        let (cells, rows) = (self.cells, fire.rows());
        memory::room::<Pace>(cells * rows, "the ellipses of the fire")?;
        let mut all = Vec::with_capacity(cells * rows);
        for row in 0..rows {
            let own = |cell: usize| self.made(cell, self.bed_of_cell(fire, row, cell));
            let usual = |cell: usize| self.made(cell, self.bed(row, cell));
            let each = (0..cells).into_par_iter();
            if of_cells {
                all.par_extend(each.map(own))
            } else {
                all.par_extend(each.map(usual))
            }
            let under_row = &mut all[row * cells..];
            let crosses = |cell: usize| under_row.get(cell).is_some_and(|pace: &Pace| pace.0[0] != NONE);
            let corners = |cell: usize| closed_corners(cell, self.width, crosses) as u8;
            let corners: Vec<u8> = (0..cells).into_par_iter().map(corners).collect();
            let each = under_row.par_iter_mut().zip(corners).enumerate();
            each.for_each(|(cell, (pace, corners))| *pace = pace.with(self.incline(cell), corners.into()));
        }
        Ok(all)
    }

    fn incline(&self, cell: usize) -> i32 {
        self.grounds[self.cells + cell / 4].0[cell % 4]
    }

    /// The corners of a cell over which no fire comes or goes under a row of the weather.
    fn corners(&self, row: usize, cell: usize) -> u32 {
        let crosses = |cell: usize| cell < self.cells && beds::crosses(self.grounds[cell], self.bed(row, cell));
        closed_corners(cell, self.width, crosses)
    }

    /// The bed of a cell's fuel under a row of the weather.
    fn bed(&self, row: usize, cell: usize) -> Bed {
        let kind = self.grounds[cell].0[0];
        if kind == NONE { Bed::BARE } else { self.beds[row * self.kinds + kind as usize] }
    }

    /// The same where cells have a weather of their own.
    fn bed_of_cell(&self, fire: &Fire, row: usize, cell: usize) -> Bed {
        let landscape = fire.landscape();
        let Some(fuel) = landscape.models().of(landscape.fuels()[cell]) else { return Bed::BARE };
        let weather = fire.weather().at(row, cell);
        let bed = FuelBed::new(fuel, &weather.moisture);
        Bed::new(&bed, weather.wind(), fire.laws(), landscape.frame().cell_size)
    }

    fn made(&self, cell: usize, bed: Bed) -> Pace {
        let ground = self.grounds[cell];
        let shapes = if ground.0[0] == NONE { &[] } else { beds::shape_of(&self.shapes, ground.0[0] as usize) };
        Pace::new(ground, bed, shapes)
    }

    #[inline(never)]
    fn pace(&self, row: usize, cell: usize) -> Pace {
        let known = self.known.of(self.cells);
        known.find(row, cell, self.incline(cell)).unwrap_or_else(|| {
            let (pace, corners) = (self.made(cell, self.bed(row, cell)), self.corners(row, cell));
            known.remember(row, cell, pace, corners);
            pace.with(self.incline(cell), corners)
        })
    }

    /// For every row and kind that burns, a lower and an upper bound on the time of its head.
    fn bounds(&self) -> impl Iterator<Item = [Time; 2]> {
        let mut steepest = vec![0_u64; self.kinds];
        for Ground([kind, east, south, _]) in self.grounds[..self.cells].iter().filter(|ground| ground.0[0] != NONE) {
            let own = &mut steepest[*kind as usize];
            *own = (*own).max(u64::from(east.unsigned_abs()) + u64::from(south.unsigned_abs()));
        }
        self.beds.iter().enumerate().filter(|(_, bed)| bed.0[0] != NONE).map(move |(place, Bed(words))| {
            let [still, east, south, most, ..] = *words;
            let push = steepest[place % self.kinds] + u64::from(east.unsigned_abs()) + u64::from(south.unsigned_abs());
            let least = ((still as u64) << 14) / ((1 << 14) + push.min(most as u64));
            [least.max(1), (still as u64).min(SLOWEST_HEAD.into())].map(ticks)
        })
    }
}

/// The ellipses that the heap has used last, made at the first use; a device makes its own.
#[derive(Debug, Default)]
struct Known(OnceLock<Last>);

impl Known {
    /// The last ellipses of `cells` cells.
    fn of(&self, cells: usize) -> &Last {
        self.0.get_or_init(|| Last::of(cells))
    }
}

/// The remembered ellipses decide nothing.
impl Clone for Known {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for Known {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// For each cell the last ellipse used under a row with an even number, and under a row with an odd one. Several threads use it
/// at a time: both words of an ellipse have the row in them, and all threads make the same ellipse of a row.
#[derive(Debug)]
struct Last(Vec<[AtomicU64; 2]>);

/// Added to parts of an ellipse that may be negative, which then have a fixed number of bits.
const ABOVE: i32 = 1 << 28;
const BITS: u32 = 29;
/// The bits of a in either word beside a part, and of the row above them; above the row the first word has the corners.
const LOW: u32 = 15;
const ROW: u32 = 16;

impl Last {
    /// For `cells` cells; for none where there is too little memory: then each ellipse is made again and again.
    fn of(cells: usize) -> Self {
        let room = memory::room::<[[AtomicU64; 2]; 2]>(cells, "the last ellipses of the fire");
        let entries = if room.is_ok() { 2 * cells } else { 0 };
        Self((0..entries).map(|_| [const { AtomicU64::new(0) }; 2]).collect())
    }

    /// The row in both words, from 1 on. Later rows are not remembered.
    fn tag(row: usize) -> Option<u64> {
        let tag = row as u64 + 1;
        (tag < 1 << ROW).then_some(tag)
    }

    fn find(&self, row: usize, cell: usize, incline: i32) -> Option<Pace> {
        let words = self.0.get(2 * cell + row % 2)?.each_ref().map(|word| word.load(Ordering::Relaxed));
        let tag = Self::tag(row)?;
        if words.iter().any(|word| word >> (BITS + LOW) & ((1 << ROW) - 1) != tag) {
            return None;
        }
        let part = |word: u64| (word >> LOW & ((1 << BITS) - 1)) as i32 - ABOVE;
        let [high, low] = words.map(|word| word & ((1 << LOW) - 1));
        let corners = words[0] >> (BITS + LOW + ROW);
        Some(Pace([(high << LOW | low) as i32 - 1, part(words[0]), part(words[1]), incline | corners as i32]))
    }

    fn remember(&self, row: usize, cell: usize, Pace([a, east, south, _]): Pace, corners: u32) {
        let (Some(words), Some(tag)) = (self.0.get(2 * cell + row % 2), Self::tag(row)) else { return };
        let a = (a + 1) as u64;
        let parts = [(east, a >> LOW, u64::from(corners)), (south, a & ((1 << LOW) - 1), 0)];
        for (word, (part, share, corners)) in words.iter().zip(parts) {
            let tags = corners << ROW | tag;
            word.store(tags << (BITS + LOW) | ((part + ABOVE) as u64) << LOW | share, Ordering::Relaxed);
        }
    }
}

/// The words of the ways for a device, four at each place: of each way its number and the three cells that it crosses, each in a byte (a
/// cell as four bits toward south and four toward east); its length, and above it its corners; its extents toward east and south. Behind
/// the ways lie their directions, one at a place, and then the stretches of slopes, four at a place.
fn way_words() -> Vec<[i32; 4]> {
    let byte = |[x, y]: [i32; 2]| (y & 15) << 4 | (x & 15);
    let ways = || EDGES.iter().flat_map(|edge| &edge.ways);
    let words = ways().zip(0..).map(|(way, number)| {
        let [first, second, last] = way.through.map(byte);
        let [east, south] = way.along;
        [number | first << 8 | second << 16 | last << 24, (way.corners << 16 | way.length) as i32, east, south]
    });
    let directions = ways().map(|way| [way.direction[0], way.direction[1], 0, 0]);
    let stretches = STRETCHES.as_chunks().0.iter().map(|four: &[u32; 4]| four.map(|stretch| stretch as i32));
    words.chain(directions).chain(stretches).collect()
}

/// The offsets of all neighbours.
pub(super) fn offsets() -> Vec<[i32; 3]> {
    OFFSETS.clone()
}
