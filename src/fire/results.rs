//! Results of a fire: arrival times, area and perimeter, burn counts.

use std::io::{self, Write};

use rayon::prelude::*;

use super::model::ignited;
use super::{FireError, FireModel, Frame, Grid};
use tickless_cells::{Cell, CellModel as _, CellOutcome, Passages};
use tickless_core::time::Time;

/// Square metres in a hectare.
const HECTARE: f64 = 10_000.0;
/// The most rows of a table of growth.
const MOST_ROWS: f64 = 1_000_000.0;
/// Cells of all fires that a core counts at a time.
const CELLS: usize = 1 << 11;

/// When each cell of one fire burnt.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use tickless::cells::fire::{Arrivals, Frame};
/// use tickless::time::Time;
/// let frame = Frame { columns: 2, rows: 1, corner: [0.0; 2], cell_size: 100.0 };
/// let arrivals = Arrivals::new(frame, vec![Time::UNIT, Time::NEVER])?;
/// assert_eq!((arrivals.burnt(), arrivals.hectares()), (1, 1.0));
/// assert!(arrivals.grid().values[1].is_nan());
/// # Ok::<(), tickless::cells::fire::FireError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Arrivals {
    frame: Frame,
    times: Vec<Time>,
    pub(super) beyond: Option<Beyond>,
}

/// What comes behind the horizon.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Beyond {
    /// The horizon.
    pub(super) until: Time,
    /// When fire would come to each cell that it has not reached, straight from those that it has; never where it would not, or has been.
    pub(super) next: Vec<Time>,
}

/// A fire at one time.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// let growth = tickless::cells::fire::Growth { minutes: 0.0, cells: 1, hectares: 0.09, perimeter: 113.8 };
/// assert_eq!(growth.cells, 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// The time, in minutes.
    pub minutes: f64,
    /// Cells that burn or have burnt.
    pub cells: u64,
    /// Their area.
    pub hectares: f64,
    /// The length of the border of the burnt area, in metres.
    pub perimeter: f64,
}

impl Arrivals {
    /// Arrivals from the times of all cells, [`Time::NEVER`] for cells that do not burn.
    ///
    /// # Errors
    /// [`FireError`] where the number of times is not that of the cells.
    pub fn new(frame: Frame, times: Vec<Time>) -> Result<Self, FireError> {
        if times.len() == frame.cells() {
            Ok(Self { frame, times, beyond: None })
        } else {
            Err(FireError::Results { found: times.len(), expected: frame.cells() })
        }
    }

    /// Arrivals from the states of all cells of one replication, two words each.
    ///
    /// # Errors
    /// As [`Arrivals::new`].
    pub fn of_states(frame: Frame, words: &[u32]) -> Result<Self, FireError> {
        let (states, rest) = words.as_chunks::<2>();
        if !rest.is_empty() {
            return Err(FireError::Results { found: words.len(), expected: 2 * frame.cells() });
        }
        Self::new(frame, states.iter().map(|state| ignited(*state)).collect())
    }

    /// The arrivals of a replication of a run.
    ///
    /// # Panics
    /// Where there is no such replication, or the run has no arrays ([`CellOutcome::added_up`]).
    pub fn of(model: &FireModel, outcome: &CellOutcome, replication: u32) -> Self {
        let cells = outcome.cells();
        let states = outcome.state[2 * cells * replication as usize..][..2 * cells].as_chunks::<2>().0;
        let frame = model.description().landscape().frame();
        Self { frame, times: states.par_iter().map(|state| ignited(*state)).collect(), beyond: None }
    }

    /// The same fire of a replication of this model, with the times at which it would come to the next cells behind the horizon: so
    /// [perimeters](Self::write_perimeters) up to the horizon are those of its front.
    ///
    /// # Panics
    /// Where the model has other cells.
    #[must_use]
    pub fn beyond_the_horizon(mut self, model: &FireModel, replication: u32) -> Self {
        let next = |cell: usize| match self.times[cell] {
            Time::NEVER => model.next_arrival(Cell { id: cell as u32, replication }, &self.times),
            _ => Time::NEVER,
        };
        let (until, next) = (model.until(), (0..self.frame.cells()).into_par_iter().map(next).collect::<Vec<_>>());
        // A fire that was interrupted would come to cells before the horizon.
        if next.iter().all(|time| *time >= until) {
            self.beyond = Some(Beyond { until, next });
        }
        self
    }

    /// Where its cells lie.
    pub fn frame(&self) -> Frame {
        self.frame
    }

    /// The times.
    pub fn times(&self) -> &[Time] {
        &self.times
    }

    /// The number of burnt cells.
    pub fn burnt(&self) -> u64 {
        self.finite().count() as u64
    }

    /// The burnt area.
    pub fn hectares(&self) -> f64 {
        self.burnt() as f64 * self.frame.hectares()
    }

    /// When the last cell ignited; `None` where none did.
    pub fn last(&self) -> Option<Time> {
        self.finite().max()
    }

    /// The length of the border of the whole burnt area, in metres, as [`Arrivals::growth`] measures it.
    pub fn perimeter(&self) -> f64 {
        self.frame.perimeter(&self.passages())
    }

    /// The first passages of the fire.
    pub fn passages(&self) -> Passages {
        Passages::of_times([self.frame.columns, self.frame.rows], |cell| self.times[cell])
    }

    fn finite(&self) -> impl Iterator<Item = Time> {
        self.times.iter().copied().filter(|time| *time < Time::NEVER)
    }

    /// The times in minutes, without a value where nothing burnt.
    pub fn grid(&self) -> Grid {
        let minutes = |time: &Time| if *time < Time::NEVER { time.units() } else { f64::NAN };
        Grid {
            name: "arrivals".into(),
            frame: self.frame,
            projection: None,
            values: self.times.par_iter().map(minutes).collect(),
        }
    }

    /// Area and perimeter at 0 and every `step` minutes, until the last cell burns.
    ///
    /// The perimeter is measured by how often rows, columns and diagonals cross the border (the formula of Cauchy and
    /// Crofton in four directions): it does not follow the staircase of cells, and is up to 5.2 % short on straight
    /// edges.
    ///
    /// # Errors
    /// [`FireError`] where the step is not above 0 or makes more than a million rows.
    pub fn growth(&self, step: f64) -> Result<Vec<Growth>, FireError> {
        let span = self.last().map_or(0.0, Time::units);
        let wrong =
            FireError::Time { what: "the step", minutes: step, allowed: "above 0, and long enough for 10^6 rows" };
        let ticks = Time::from_units(step).filter(|ticks| *ticks > Time::ZERO && span / step < MOST_ROWS);
        let step = ticks.ok_or(wrong)?.ticks();
        let row = |time: Time| time.ticks().div_ceil(step) as usize;
        let rows = self.last().map_or(1, |last| row(last) + 1);
        // The counts that every row adds: cells, and crossings along and across, and of diagonals.
        let mut changes = vec![[0_i64; 3]; rows + 1];
        self.finite().for_each(|time| changes[row(time)][0] += 1);
        self.for_each_pair(|a, b, diagonal| {
            let (first, second) = (a.min(b), a.max(b));
            if first < Time::NEVER {
                changes[row(first)][1 + usize::from(diagonal)] += 1;
                let gone = if second < Time::NEVER { row(second) } else { rows };
                changes[gone][1 + usize::from(diagonal)] -= 1;
            }
        });
        let mut now = [0_i64; 3];
        let rows = changes[..rows].iter().zip(0_u64..).map(|(change, row)| {
            now.iter_mut().zip(change).for_each(|(sum, more)| *sum += more);
            let [cells, straight, diagonal] = now.map(|sum| sum as f64);
            let crossings = straight + diagonal * std::f64::consts::FRAC_1_SQRT_2;
            Growth {
                minutes: Time::from_ticks(row * step).units(),
                cells: now[0] as u64,
                hectares: cells * self.frame.hectares(),
                perimeter: std::f64::consts::PI / 8.0 * self.frame.cell_size * crossings,
            }
        });
        Ok(rows.collect())
    }

    /// Writes [`Arrivals::growth`] as CSV: minutes, cells, hectares, perimeter in metres.
    ///
    /// # Errors
    /// The error of writing.
    pub fn write_growth(growth: &[Growth], to: &mut impl Write) -> io::Result<()> {
        writeln!(to, "minutes,cells,hectares,perimeter_m")?;
        growth.iter().try_for_each(|Growth { minutes, cells, hectares, perimeter }| {
            writeln!(to, "{minutes},{cells},{hectares:.4},{perimeter:.1}")
        })
    }

    /// Visits all pairs of cells that touch, once each, with their times and whether they touch at a corner. Nothing
    /// burns beyond the border.
    fn for_each_pair(&self, mut visit: impl FnMut(Time, Time, bool)) {
        let [width, height] = [self.frame.columns, self.frame.rows].map(i64::from);
        let time = |x: i64, y: i64| {
            let inside = (0..width).contains(&x) && (0..height).contains(&y);
            if inside { self.times[(x + width * y) as usize] } else { Time::NEVER }
        };
        for y in -1..height {
            for x in -1..=width {
                let own = time(x, y);
                for (dx, dy) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                    let there = time(x + dx, y + dy);
                    if own != there {
                        visit(own, there, dx != 0 && dy != 0);
                    }
                }
            }
        }
    }
}

impl Frame {
    /// The length of the border of the cells that a fire has reached, in metres.
    #[doc(hidden)]
    pub fn perimeter(&self, passages: &Passages) -> f64 {
        let crossings = passages.sides as f64 + passages.corners as f64 * std::f64::consts::FRAC_1_SQRT_2;
        std::f64::consts::PI / 8.0 * self.cell_size * crossings
    }

    /// The area of a cell.
    pub fn hectares(&self) -> f64 {
        self.cell_size * self.cell_size / HECTARE
    }
}

/// How often each cell burnt in an ensemble of fires.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use tickless::cells::fire::{Arrivals, BurnCounts, Frame};
/// use tickless::time::Time;
/// let frame = Frame { columns: 2, rows: 1, corner: [0.0; 2], cell_size: 100.0 };
/// let mut counts = BurnCounts::new(frame);
/// for times in [[Time::ZERO, Time::UNIT], [Time::NEVER, Time::ZERO]] {
///     counts.add(&Arrivals::new(frame, times.to_vec())?)?;
/// }
/// assert_eq!((counts.fires(), counts.counts()), (2, [1, 2].as_slice()));
/// assert_eq!(counts.probability().values, [0.5, 1.0]);
/// # Ok::<(), tickless::cells::fire::FireError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BurnCounts {
    frame: Frame,
    fires: u32,
    counts: Vec<u32>,
}

impl BurnCounts {
    /// Counts of no fire yet.
    pub fn new(frame: Frame) -> Self {
        Self { frame, fires: 0, counts: vec![0; frame.cells()] }
    }

    /// Counts of the fires of a run, on all cores.
    ///
    /// # Panics
    /// Where the run has no arrays ([`CellOutcome::added_up`]).
    pub fn of(model: &FireModel, outcome: &CellOutcome) -> Self {
        let mut all = Self::new(model.description().landscape().frame());
        let (cells, states) = (all.counts.len(), outcome.state.as_chunks::<2>().0);
        all.fires = outcome.replications;
        assert_eq!(states.len(), cells * all.fires as usize, "the run has the cells of all its fires");
        // Each core has some cells of every fire.
        all.counts.par_chunks_mut(CELLS).enumerate().for_each(|(part, counts)| {
            for fire in states.chunks(cells.max(1)) {
                let burnt = fire[part * CELLS..].iter().map(|state| u32::from(ignited(*state) < Time::NEVER));
                counts.iter_mut().zip(burnt).for_each(|(count, burnt)| *count += burnt);
            }
        });
        all
    }

    /// Counts of `fires` fires, by the number of fires that burnt each cell.
    pub(super) fn of_counts(frame: Frame, fires: u32, counts: Vec<u32>) -> Self {
        Self { frame, fires, counts }
    }

    /// Adds one fire.
    ///
    /// # Errors
    /// [`FireError`] where it has another number of cells.
    pub fn add(&mut self, arrivals: &Arrivals) -> Result<(), FireError> {
        let (found, expected) = (arrivals.times.len(), self.counts.len());
        if found != expected {
            return Err(FireError::Results { found, expected });
        }
        self.fires += 1;
        let burnt = arrivals.times.iter().map(|time| u32::from(*time < Time::NEVER));
        self.counts.iter_mut().zip(burnt).for_each(|(count, burnt)| *count += burnt);
        Ok(())
    }

    /// The number of counted fires.
    pub fn fires(&self) -> u32 {
        self.fires
    }

    /// The number of fires that burnt each cell.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// The share of fires that burnt each cell; 0 without fires.
    pub fn probability(&self) -> Grid {
        let fires = f64::from(self.fires.max(1));
        let values = self.counts.iter().map(|&count| f64::from(count) / fires).collect();
        Grid { name: "burn probability".into(), frame: self.frame, projection: None, values }
    }
}
