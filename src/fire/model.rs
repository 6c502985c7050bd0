//! A checked fire, which every backend runs.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::Fire;
use super::delays::{NO_WAY, ticks};
use super::paces::Paces;
use super::ways::REACH;
use tickless_cells::gpu::{CellKernels, DeviceCells, FirstPassage, Passing};
use tickless_cells::{Cell, CellError, CellModel, Fronts, Inputs, Moment, Space, Times};
use tickless_core::memory;
use tickless_core::time::Time;
use tickless_device::{BufferSpec, BufferUse};
use tickless_kernels::Mounts;

/// The state of a cell before it burns.
const UNBURNT: [u32; 2] = [u32::MAX; 2];

/// What a replication draws, whether it needs it or not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Drawn {
    /// The cell that burns first.
    pub(super) cell: u32,
    /// The row of weather that is in force throughout.
    pub(super) row: u32,
}

/// How fire comes from cell to cell.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ways {
    /// From the eight neighbours, after a delay each.
    Neighbours {
        /// Delays for every row of the weather and every cell.
        delays: Vec<u32>,
        /// The least delay to each cell.
        quickest: Vec<u32>,
    },
    /// As fronts, by the ellipses of the cells.
    Fronts(Paces),
}

/// A checked [`Fire`], in ticks.
///
/// A state is the time of ignition (low word, high word), all ones before it. Outputs have no words: a neighbour only
/// hears that an output comes.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use tickless::cells::fire::{Fire, Ignition, Landscape, Spreading, Weather};
/// let meadow = Landscape::uniform(3, 1, 30.0, 1)?;
/// let fire = Fire::new(meadow, Weather::still()).ignite([Ignition::cell(0, 0)]);
/// let model = fire.spreading(Spreading::Neighbours).check()?;
/// // The middle cell hears its western neighbour by offset 3; there is none in the north.
/// assert!(model.delay(0, 1, 3).is_some());
/// assert!(model.delay(0, 1, 1).is_none());
/// # Ok::<(), tickless::cells::fire::FireError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FireModel {
    pub(super) description: Arc<Fire>,
    pub(super) space: Space,
    pub(super) until: Time,
    pub(super) lookahead: Time,
    pub(super) ways: Arc<Ways>,
    /// The cells that were given to ignite by themselves and when, in the order of cells; `None` where each replication draws one.
    pub(super) given: Option<Vec<(u32, Time)>>,
    /// When the rows of the weather begin that matter where they are not drawn.
    pub(super) starts: Vec<Time>,
    /// What replication 0 draws.
    pub(super) first: Drawn,
    /// The replications that the model is prepared for, and what they draw.
    pub(super) numbers: Range<u32>,
    pub(super) drawn: Vec<Drawn>,
}

impl FireModel {
    /// The user's description.
    pub fn description(&self) -> &Fire {
        &self.description
    }

    /// How long the fire takes to a cell from its n-th neighbour under a row of weather; `None` where it does not come
    /// from there, or takes more than 4,095 minutes, and where it [spreads](super::Spreading) otherwise.
    pub fn delay(&self, row: usize, cell: u32, n: usize) -> Option<Time> {
        let Ways::Neighbours { delays, .. } = &*self.ways else { return None };
        let place = (row * self.space.cells() as usize + cell as usize) * 8 + n;
        delays.get(place).filter(|&&delay| delay != NO_WAY).map(|&delay| ticks(delay))
    }

    /// The longest time that a fire takes from a cell to a neighbour, as a front with its head; `None` where none spreads.
    pub fn slowest(&self) -> Option<Time> {
        match &*self.ways {
            Ways::Neighbours { delays, .. } => {
                delays.par_iter().copied().filter(|&delay| delay != NO_WAY).max().map(ticks)
            }
            Ways::Fronts(paces) => paces.slowest(),
        }
    }

    /// The median of the times that a fire takes from a cell to a neighbour; 0 where none spreads.
    fn usual(&self) -> Time {
        let delays = match &*self.ways {
            Ways::Neighbours { delays, .. } => delays,
            Ways::Fronts(paces) => return paces.usual(),
        };
        let is_way = |delay: &u32| *delay != NO_WAY;
        // A sample is enough. The step is odd, so that all eight directions are in it.
        let sample = delays.iter().copied().step_by((delays.len() / 8192) | 1);
        let mut sample: Vec<u32> = sample.filter(is_way).collect();
        if sample.is_empty() {
            // In a large landscape where little burns.
            sample = delays.iter().copied().filter(is_way).take(8192).collect();
        }
        let middle = sample.len() / 2;
        if sample.is_empty() { Time::ZERO } else { ticks(*sample.select_nth_unstable(middle).1) }
    }

    /// When a cell ignites by itself; `None` where it does not.
    pub fn ignition(&self, cell: Cell) -> Option<Time> {
        match &self.given {
            Some(cells) => cells.binary_search_by_key(&cell.id, |ignition| ignition.0).ok().map(|place| cells[place].1),
            None => (self.drawn_cell(cell.replication)? == cell.id).then_some(Time::ZERO),
        }
    }

    /// The cells that ignite by themselves in a replication, and when.
    pub fn ignitions(&self, replication: u32) -> Vec<(u32, Time)> {
        let drawn = || self.drawn_cell(replication).map(|cell| (cell, Time::ZERO)).into_iter().collect();
        self.given.clone().unwrap_or_else(drawn)
    }

    /// The row of weather in force.
    pub fn row(&self, replication: u32, now: Time) -> usize {
        if self.description.has_random_weather() {
            let drawn = self.at_hand(replication).map(|drawn| drawn.row);
            return drawn.unwrap_or_else(|| self.description.drawn_row(replication)) as usize;
        }
        self.starts.partition_point(|start| *start <= now).saturating_sub(1)
    }

    /// The row of the weather where one is in force throughout a replication.
    pub(super) fn row_throughout(&self, replication: u32) -> Option<usize> {
        let is_one = self.description.has_random_weather() || self.starts.len() < 2;
        is_one.then(|| self.row(replication, Time::ZERO))
    }

    /// When fire would come to a cell from the cells that burn before the horizon, by the times of all cells.
    pub(super) fn next_arrival(&self, cell: Cell, times: &[Time]) -> Time {
        let known = Times::new(&self.space, times, self.until, cell.id);
        let from = |n: usize| match &*self.ways {
            Ways::Fronts(_) => self.arrival(cell, n, &known),
            Ways::Neighbours { .. } => {
                let out = known.of(n);
                let delay = (out < Time::NEVER).then(|| self.delay(self.row(cell.replication, out), cell.id, n));
                delay.flatten().map_or(Time::NEVER, |delay| Time::from_ticks(out.ticks() + delay.ticks()))
            }
        };
        (0..self.space.offsets().len()).map(from).fold(Time::NEVER, Time::min)
    }

    /// What a replication draws, where the model is [prepared](CellModel::prepared) for it. Starts on devices are those of replication 0
    /// with differences.
    fn at_hand(&self, replication: u32) -> Option<Drawn> {
        let place = replication.checked_sub(self.numbers.start);
        let drawn = place.and_then(|place| self.drawn.get(place as usize)).copied();
        drawn.or((replication == 0).then_some(self.first))
    }

    /// The cell that a replication draws; without the memory to look for it there is none.
    fn drawn_cell(&self, replication: u32) -> Option<u32> {
        if let Some(drawn) = self.at_hand(replication) {
            return Some(drawn.cell);
        }
        let burnable = self.description.burnable(self.space.cells()).ok()?;
        Some(self.description.drawn(&burnable, replication).cell)
    }

    /// The words of the spread for the device: from [neighbours](super::Spreading::Neighbours), row by row of the weather and cell by
    /// cell, the delay from each in units of 2⁻²⁰ minutes, all ones for none; of fronts the ellipse, in four words, or the part of the
    /// cell that no weather changes where ellipses are made when they are needed.
    pub fn delay_words(&self) -> &[u32] {
        match &*self.ways {
            Ways::Neighbours { delays, .. } => delays,
            Ways::Fronts(paces) => paces.words(),
        }
    }

    /// What the device reads of the weather: the row of every replication that the model is prepared for where they are drawn, else when each row
    /// begins (low word, high word).
    pub fn row_words(&self) -> Vec<u32> {
        match self.description.has_random_weather() {
            true => self.drawn.iter().map(|drawn| drawn.row).collect(),
            false => self.starts.iter().flat_map(|start| words(*start)).collect(),
        }
    }

    /// The uniform of the device: cells, rows of weather, 1 where rows are drawn, the first replication; kinds of fuel where ellipses are
    /// made on the device, and a lower bound on the units of 2^-16 minutes in which a front passes a cell; the columns of the landscape.
    pub fn parameter_words(&self) -> [u32; 8] {
        let drawn = self.description.has_random_weather();
        let kinds = if let Ways::Fronts(paces) = &*self.ways { paces.kinds() } else { 0 };
        let quickest = (self.lookahead.ticks() >> 16).min(1 << 28) as u32;
        [
            self.space.cells(),
            self.description.rows() as u32,
            drawn.into(),
            self.numbers.start,
            kinds,
            quickest,
            self.space.size()[0],
            0,
        ]
    }
}

/// The low and the high word of a time.
fn words(time: Time) -> [u32; 2] {
    [time.ticks() as u32, (time.ticks() >> 32) as u32]
}

/// When a cell ignited, from its state; [`Time::NEVER`] if it did not.
pub(super) fn ignited(state: [u32; 2]) -> Time {
    Time::from_ticks(u64::from(state[1]) << 32 | u64::from(state[0]))
}

impl CellModel for FireModel {
    fn space(&self) -> &Space {
        &self.space
    }

    fn prepared(&self, replications: &Range<u32>) -> Result<Option<Self>, CellError> {
        let same = self.given.is_some() && !self.description.has_random_weather();
        // The second is like the first.
        if same && replications.len() > 1 {
            let why = format!(
                "{} replications of one fire are the same fire: leave the ignitions out to draw them, or ask for random weather",
                replications.len()
            );
            return Err(CellError::Replications { why });
        }
        if replications.is_empty() {
            return Err(CellError::NoReplications);
        }
        let has = |number: u32| self.numbers.contains(&number);
        if has(replications.start) && has(replications.end - 1) {
            return Ok(None);
        }
        let burnable = self.description.burnable(self.space.cells())?;
        memory::room::<Drawn>(replications.len(), "the draws of the replications")?;
        let drawn = replications.clone().map(|number| self.description.drawn(&burnable, number)).collect();
        Ok(Some(Self { drawn, numbers: replications.clone(), ..self.clone() }))
    }

    fn until(&self) -> Time {
        self.until
    }

    fn lookahead(&self) -> Time {
        self.lookahead
    }

    /// The least delay, whatever the weather and the neighbour.
    fn lookahead_of(&self, cell: u32) -> Time {
        match &*self.ways {
            Ways::Neighbours { quickest, .. } => ticks(quickest[cell as usize]),
            Ways::Fronts(_) => self.lookahead,
        }
    }

    fn fronts(&self) -> Option<&dyn Fronts> {
        matches!(*self.ways, Ways::Fronts(_)).then_some(self)
    }

    fn state_words(&self) -> usize {
        2
    }

    fn output_words(&self) -> usize {
        0
    }

    fn initialize(&self, cell: Cell, state: &mut [u32], _: &mut [u32]) -> Result<Time, CellError> {
        state.copy_from_slice(&UNBURNT);
        Ok(self.ignition(cell).unwrap_or(Time::NEVER))
    }

    fn output(&self, _: Cell, _: Time, _: &[u32], _: &mut [u32]) -> Result<bool, CellError> {
        Ok(true)
    }

    fn transition(
        &self,
        cell: Cell,
        moment: Moment,
        next: Time,
        state: &mut [u32],
        inputs: &impl Inputs,
    ) -> Result<Time, CellError> {
        if moment.imminent {
            state.copy_from_slice(&words(moment.now));
            return Ok(Time::NEVER);
        }
        if state != UNBURNT {
            return Ok(next);
        }
        let row = self.row(cell.replication, moment.now);
        let arrives = (0..8).filter(|&n| inputs.arrives(n)).filter_map(|n| self.delay(row, cell.id, n));
        // No event is later than 2^31 minutes, so no sum passes the range.
        let times = arrives.map(|delay| Time::from_ticks(moment.now.ticks() + delay.ticks()));
        Ok(times.fold(next, Time::min))
    }
}

tickless_cells::ready_cells!(FireModel);

impl DeviceCells for FireModel {
    fn kernels(&self) -> Option<CellKernels> {
        let filled = |name, usage, words: &[u32]| BufferSpec::filled(name, usage, bytemuck::cast_slice(words).to_vec());
        let name = match &*self.ways {
            Ways::Neighbours { .. } => "fire_delays",
            Ways::Fronts(paces) => paces.words_name(),
        };
        let mut buffers = vec![
            BufferSpec::words(name, self.delay_words()),
            filled("fire", BufferUse::Uniform, &self.parameter_words()),
            filled("fire_rows", BufferUse::Storage, &self.row_words()),
        ];
        if let Ways::Fronts(paces) = &*self.ways {
            buffers.push(filled("fire_ways", BufferUse::Storage, bytemuck::cast_slice(&paces.tables())));
        }
        Some(CellKernels { buffers, ..CellKernels::of("fire", "cells/fire") })
    }

    fn first_passage(&self) -> Option<FirstPassage> {
        let of = |r| self.ignitions(r).into_iter().map(move |(cell, time)| (r, cell, time));
        let starts = self.numbers.clone().flat_map(of).collect();
        let passing = match &*self.ways {
            // Where the weather changes, a cell that burns later may be the first to pass the fire on.
            Ways::Neighbours { .. } => Passing::Delays {
                delays: "cells/fire_delay".into(),
                changing: !self.description.has_random_weather() && self.starts.len() > 1,
            },
            Ways::Fronts(paces) => {
                let modules = Mounts::default().with("fronts", "cells/fire_fronts").with("ellipses", paces.module());
                Passing::Fronts { modules, reach: REACH as u32 }
            }
        };
        Some(FirstPassage { passing, starts, usual: self.usual() })
    }

    fn starting_otherwise(&self, replication: u32) -> Option<Vec<u32>> {
        let cells = |replication| self.ignitions(replication).into_iter().map(|(cell, _)| cell);
        let mut otherwise: Vec<_> = cells(0).chain(cells(replication)).collect();
        otherwise.sort_unstable();
        otherwise.dedup();
        Some(otherwise)
    }
}
