//! Rain on a terrain: two planes of cells, the terrain below and the water above, as in the model of Liu and Wainer
//! (2010; Zeigler et al. 1996, Wainer 2006).

mod rate;

use std::io::{self, Write};

use rate::Rate;
use tickless_cells::gpu::{CellKernels, DeviceCells};
use tickless_cells::{Border, Cell, CellError, CellModel, CellOutcome, Inputs, Moment, Space, SpaceError};
use tickless_core::memory::{self, NoMemory};
use tickless_core::number::Written;
use tickless_core::picture::{colour, write};
use tickless_core::time::Time;
use tickless_device::{BufferSpec, BufferUse};

/// Units of water and height in a millimetre.
pub const UNITS: f64 = 1024.0;
/// The most relief, in metres: 2^31 units.
const MOST_RELIEF: f64 = 2_000.0;
/// The most water on a cell, as in the shader.
const MOST_WATER: u32 = 1 << 30;
/// The most rain or soaking of a step, in units.
const MOST_A_STEP: f64 = 1e6;
/// The places of the words of a state. The last are there where water runs: what shares have over whole units.
const WATER: usize = 0;
const SOAKED: usize = 1;
const LEAVING: usize = 3;
const OVER: usize = 7;
/// Where a side is lower by less, what a share has over whole units is lost: standing water would go to and fro for ever.
const STEEP: u32 = 8;
/// The largest share of a difference that may flow to each of four sides in a step without oscillation.
pub const MOST_FLOW: f64 = 0.2;
/// The least share.
pub const LEAST_FLOW: f64 = 1e-6;
/// The shortest step and horizon, in seconds.
pub const SHORTEST: f64 = 1e-3;
/// The longest step, in seconds.
pub const LONGEST_STEP: f64 = 1e6;
/// The latest horizon, in seconds.
pub const LATEST: f64 = 1e9;
/// The longest rain, in hours.
pub const MOST_HOURS: f64 = 250_000.0;

/// Why a watershed cannot run.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use tickless::cells::{Watershed, WatershedError};
/// let error = Watershed::new(3, 2, vec![0.0; 5]).check().unwrap_err();
/// assert_eq!(error, WatershedError::Heights { found: 5, needed: 6 });
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WatershedError {
    /// Too little memory.
    #[error(transparent)]
    Memory(#[from] NoMemory),
    /// The number of heights is not that of the cells.
    #[error("there are {found} heights for {needed} cells")]
    Heights {
        /// How many there are.
        found: u64,
        /// The number of cells.
        needed: u64,
    },
    /// A height that is no number, or too large a difference between the lowest and the highest.
    #[error("the height of cell {cell} is {} m; the lowest is {} m, and none may be more than {MOST_RELIEF} m above that", Written(*.height), Written(*.lowest))]
    Relief {
        /// The cell.
        cell: usize,
        /// Its height in metres.
        height: f64,
        /// The lowest height.
        lowest: f64,
    },
    /// A parameter out of its range.
    #[error("the {what} is {}; it must lie from {least} to {most} {unit}", Written(*.value))]
    Range {
        /// The parameter.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The least allowed.
        least: f64,
        /// The most allowed.
        most: f64,
        /// The unit.
        unit: &'static str,
    },
    /// An error of the space.
    #[error(transparent)]
    Space(#[from] SpaceError),
}

/// A watershed as the user describes it. Times are in seconds.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use tickless::{device::Target, cells::{self, Watershed}};
/// // A bowl of three by three cells.
/// let model = Watershed::new(3, 3, vec![1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0]).rain(36.0, 1.0).check()?;
/// let outcome = cells::run(&model, 0..1, Target::Heap, Default::default(), &mut tickless::run::unwatched())?.outcome;
/// assert_eq!(model.water(&outcome) + model.soaked(&outcome), model.rained(model.until()));
/// assert!(model.depth(&outcome, 1, 1) > 300.0);
/// # use tickless::cells::CellModel;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Watershed {
    size: [u32; 2],
    heights: Vec<f64>,
    rain: f64,
    hours: f64,
    soil: f64,
    flow: f64,
    /// The speed of the water by the width of a cell, in place of the flow.
    speed: Option<f64>,
    step: f64,
    until: f64,
}

impl Watershed {
    /// A terrain of `width` columns and `height` rows with the heights of all cells in metres, row after row; 10 mm of rain for an hour,
    /// soil that takes nothing, a step of 10 seconds in which a fifth of a difference of levels flows, until two hours.
    pub fn new(width: u32, height: u32, heights: Vec<f64>) -> Self {
        let (rain, hours, soil, flow) = (10.0, 1.0, 0.0, MOST_FLOW);
        Self { size: [width, height], heights, rain, hours, soil, flow, speed: None, step: 10.0, until: 7200.0 }
    }

    /// Rain in millimetres an hour, for some hours from the start.
    #[must_use]
    pub fn rain(mut self, rate: f64, hours: f64) -> Self {
        (self.rain, self.hours) = (rate, hours);
        self
    }

    /// What the soil takes at most, in millimetres an hour.
    #[must_use]
    pub fn soil(mut self, rate: f64) -> Self {
        self.soil = rate;
        self
    }

    /// The share of a difference of levels that flows to a lower side in a step: above 0, at most 0.2.
    #[must_use]
    pub fn flow(mut self, share: f64) -> Self {
        self.flow = share;
        self
    }

    /// In place of a flow: the speed at which water runs to a lower side, and the width of a cell in metres. Where the ground falls by more
    /// than the depth of the water, depths follow from rain, slopes' lengths and speed, whatever the step is.
    #[must_use]
    pub fn speed(mut self, speed: f64, cell_size: f64) -> Self {
        self.speed = Some(speed / cell_size);
        self
    }

    /// A step, in seconds.
    #[must_use]
    pub fn step(mut self, seconds: f64) -> Self {
        self.step = seconds;
        self
    }

    /// The horizon, in seconds.
    #[must_use]
    pub fn until(mut self, seconds: f64) -> Self {
        self.until = seconds;
        self
    }

    /// Checks everything and computes the model of the backends.
    ///
    /// # Errors
    /// [`WatershedError`], which names the value that was wrong and what is allowed.
    pub fn check(self) -> Result<WatershedModel, WatershedError> {
        let [width, height] = self.size;
        let range = |what, value: f64, least: f64, most: f64, unit| {
            let right = value >= least && value <= most;
            right.then_some(value).ok_or(WatershedError::Range { what, value, least, most, unit })
        };
        let step = range("step", self.step, SHORTEST, LONGEST_STEP, "seconds")?;
        range("horizon", self.until, SHORTEST, LATEST, "seconds")?;
        range("duration of the rain", self.hours, 0.0, MOST_HOURS, "hours")?;
        let most = MOST_A_STEP / UNITS * 3600.0 / step;
        range("rain", self.rain, 0.0, most, "mm an hour with this step")?;
        range("soil", self.soil, 0.0, most, "mm an hour with this step")?;
        let flow = match self.speed {
            None => range("flow", self.flow, LEAST_FLOW, MOST_FLOW, "of a difference in a step")?,
            Some(speed) => {
                range("way of the water in a step", speed * step, LEAST_FLOW, MOST_FLOW, "of a cell: change the step")?
            }
        };
        let offsets = SIDES.iter().map(|&[x, y]| [x, y, 0]).chain(SIDES.iter().map(|&[x, y]| [x, y, -1]));
        let space = Space::new([width, height, 2], Border::Open, offsets.chain([[0, 0, -1]]).collect())?;
        let heights = units_of(&self.heights, u64::from(width) * u64::from(height))?;
        let ticks = |seconds: f64| Time::from_units(seconds).unwrap_or(Time::ZERO);
        let step = ticks(step);
        let a_step = |rate: f64| Rate::new(rate * UNITS * step.units() / 3600.0, step);
        let rain = a_step(self.rain);
        // The last step may end after the rain.
        let duration = ticks(self.hours * 3600.0).ticks();
        let (whole, over) = (duration / step.ticks(), duration % step.ticks());
        let (steps, rain_last) = match over {
            0 => (whole, rain.share(Time::from_ticks(duration))),
            over => (whole + 1, rain.rest(whole, over as f64 / step.ticks() as f64)),
        };
        Ok(WatershedModel {
            space,
            heights,
            rain,
            rain_last,
            soil: a_step(self.soil),
            flow: (flow * 4_294_967_296.0) as u32,
            runs: self.speed.is_some(),
            step,
            rain_until: Time::from_ticks(steps * step.ticks()),
            until: ticks(self.until),
        })
    }
}

/// North, west, east, south: a side and its opposite add up to 3.
const SIDES: [[i32; 2]; 4] = [[0, -1], [-1, 0], [1, 0], [0, 1]];

/// Heights above the lowest, in units.
fn units_of(heights: &[f64], needed: u64) -> Result<Vec<u32>, WatershedError> {
    let found = heights.len() as u64;
    if found != needed {
        return Err(WatershedError::Heights { found, needed });
    }
    let lowest = heights.iter().copied().fold(f64::INFINITY, f64::min);
    let above = |(cell, &height): (usize, &f64)| {
        let above = height - lowest;
        let right = (0.0..=MOST_RELIEF).contains(&above);
        right.then(|| (above * 1000.0 * UNITS).round() as u32).ok_or(WatershedError::Relief { cell, height, lowest })
    };
    let mut units = memory::with_room(heights.len(), "the heights of the terrain")?;
    for height in heights.iter().enumerate().map(above) {
        units.push(height?);
    }
    Ok(units)
}

/// A checked watershed.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use tickless::cells::{CellModel, Watershed};
/// let model = Watershed::new(2, 1, vec![0.0, 5.0]).step(1.0).check()?;
/// assert_eq!((model.space().cells(), model.lookahead().units()), (4, 1.0));
/// # Ok::<(), tickless::cells::WatershedError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct WatershedModel {
    space: Space,
    pub(super) heights: Vec<u32>,
    rain: Rate,
    /// The rain of the last step in which it rains.
    rain_last: u32,
    soil: Rate,
    flow: u32,
    /// Whether it is a share of the water, where the ground falls by more than that.
    runs: bool,
    step: Time,
    /// When that step ends.
    rain_until: Time,
    until: Time,
}

impl WatershedModel {
    /// Columns and rows.
    pub fn size(&self) -> [u32; 2] {
        let [width, height, _] = self.space.size();
        [width, height]
    }

    /// All the rain before a time, in units of 2^-10 mm: the rate times the duration of the steps that end before it, on every cell.
    pub fn rained(&self, before: Time) -> u64 {
        let (ended, step) = (before.ticks().saturating_sub(1), self.step.ticks());
        let of_a_cell = match self.rain_until.ticks() {
            0 => 0,
            last if ended >= last => self.rain.sum(last / step - 1) + u64::from(self.rain_last),
            _ => self.rain.sum(ended / step),
        };
        of_a_cell * self.heights.len() as u64
    }

    /// The water that stands on the terrain, in units of 2^-10 mm.
    pub fn water(&self, outcome: &CellOutcome) -> u64 {
        self.above(outcome).map(|state| u64::from(state[WATER])).sum()
    }

    /// The water that the soil has taken, in units of 2^-10 mm.
    pub fn soaked(&self, outcome: &CellOutcome) -> u64 {
        self.above(outcome).map(|state| u64::from(state[SOAKED]) | u64::from(state[SOAKED + 1]) << 32).sum()
    }

    /// The depth of the water on a cell, in millimetres.
    pub fn depth(&self, outcome: &CellOutcome, column: u32, row: u32) -> f64 {
        f64::from(outcome.state_of(0, self.space.cell([column, row, 1]))[WATER]) / UNITS
    }

    /// Writes a PNG of the depth: by its logarithm from violet for a hundredth of the deepest to yellow; below a hundredth of a millimetre
    /// the terrain is grey, the higher the lighter.
    ///
    /// # Errors
    /// The error of writing.
    pub fn write_picture(&self, outcome: &CellOutcome, to: impl Write) -> io::Result<()> {
        let depths = || self.above(outcome).map(|state| f64::from(state[WATER]) / UNITS);
        let deepest = depths().fold(0.0, f64::max);
        let highest = f64::from(self.heights.iter().copied().max().unwrap_or(0).max(1));
        let pixel = |(depth, height): (f64, &u32)| {
            if depth < 0.01 {
                return [(90.0 + 130.0 * f64::from(*height) / highest) as u8; 3];
            }
            colour(1.0 + (depth / deepest).log10() / 2.0)
        };
        write(self.size(), depths().zip(&self.heights).map(pixel), to)
    }

    fn above<'a>(&self, outcome: &'a CellOutcome) -> impl Iterator<Item = &'a [u32]> {
        outcome.state.chunks_exact(outcome.state_words()).skip(self.heights.len())
    }

    fn raining(&self, time: Time) -> bool {
        time <= self.rain_until
    }

    /// The rain of the step that ends at a time.
    fn rain(&self, time: Time) -> u32 {
        match time.cmp(&self.rain_until) {
            std::cmp::Ordering::Less => self.rain.share(time),
            std::cmp::Ordering::Equal => self.rain_last,
            std::cmp::Ordering::Greater => 0,
        }
    }

    /// Plans the outflow to lower sides, as far as there is water; returns its sum, and whether less than a unit may be on its way.
    fn flow(&self, state: &mut [u32], inputs: &impl Inputs) -> (u32, bool) {
        let water = state[WATER];
        let (level, mut left, mut runs_on) = (inputs.word(8, 0) + water, 0, false);
        for side in 0..4 {
            let lower = level.saturating_sub(inputs.word(4 + side, 0) + inputs.word(side, 0));
            let rest = water - left;
            let leaves = if !inputs.exists(side) {
                0
            } else if self.runs && lower >= STEEP {
                runs_on |= water > 0;
                let sum = u64::from(lower.min(water)) * u64::from(self.flow) + u64::from(state[OVER + side]);
                let whole = (sum >> 32) as u32;
                state[OVER + side] = if whole > rest { u32::MAX } else { sum as u32 };
                whole.min(rest)
            } else {
                (((u64::from(lower) * u64::from(self.flow)) >> 32) as u32).min(rest)
            };
            state[LEAVING + side] = leaves;
            left += leaves;
        }
        (left, runs_on)
    }
}

/// Whether the published values of a cell are out of date.
fn unsaid(water: u32, left: u32, published: &[u32]) -> bool {
    left > 0 || published[0] != water || published[1..].iter().any(|&word| word != 0)
}

impl CellModel for WatershedModel {
    fn space(&self) -> &Space {
        &self.space
    }

    fn until(&self) -> Time {
        self.until
    }

    fn lookahead(&self) -> Time {
        self.step
    }

    fn state_words(&self) -> usize {
        if self.runs { OVER + 4 } else { OVER }
    }

    fn output_words(&self) -> usize {
        5
    }

    fn initialize(&self, cell: Cell, _: &mut [u32], output: &mut [u32]) -> Result<Time, CellError> {
        if let Some(&height) = self.heights.get(cell.id as usize) {
            output[0] = height;
            return Ok(Time::NEVER);
        }
        Ok(if !self.rain.is_zero() && self.raining(self.step) { self.step } else { Time::NEVER })
    }

    fn output(&self, _: Cell, _: Time, state: &[u32], output: &mut [u32]) -> Result<bool, CellError> {
        let leaving = &state[LEAVING..OVER];
        let left: u32 = leaving.iter().sum();
        let stays = state[WATER] - left;
        let sends = unsaid(stays, left, output);
        if sends {
            output[0] = stays;
            output[1..].copy_from_slice(leaving);
        }
        Ok(sends)
    }

    fn transition(
        &self,
        cell: Cell,
        moment: Moment,
        _: Time,
        state: &mut [u32],
        inputs: &impl Inputs,
    ) -> Result<Time, CellError> {
        let Moment { now, imminent, .. } = moment;
        if imminent {
            state[WATER] -= state[LEAVING..OVER].iter().sum::<u32>();
            state[WATER] += self.rain(now);
        }
        for side in (0..4).filter(|&side| inputs.arrives(side)) {
            state[WATER] += inputs.word(side, 4 - side);
        }
        if state[WATER] > MOST_WATER {
            return Err(self.failure(cell.id, now, 0));
        }
        let soaks = state[WATER].min(self.soil.share(now));
        state[WATER] -= soaks;
        let soaked = (u64::from(state[SOAKED]) | u64::from(state[SOAKED + 1]) << 32) + u64::from(soaks);
        (state[SOAKED], state[SOAKED + 1]) = (soaked as u32, (soaked >> 32) as u32);
        let (left, runs_on) = self.flow(state, inputs);
        let next = Time::from_ticks(now.ticks() + self.step.ticks());
        let soaking = !self.soil.is_zero() && state[WATER] > 0;
        let goes_on = self.raining(next) || soaking || runs_on || unsaid(state[WATER], left, inputs.own_output());
        Ok(if goes_on { next } else { Time::NEVER })
    }
}

const FLOOD: &str = "more than 1048 m of water stand on it: use less rain, or a terrain where it can flow";

/// `Watershed` of `shaders/cells/watershed.wgsl`.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Parameters {
    step: u64,
    rain_until: u64,
    rain_part: u64,
    rain_spread: u64,
    soil_part: u64,
    soil_spread: u64,
    rain: u32,
    rain_last: u32,
    soil: u32,
    flow: u32,
    shift: u32,
    runs: u32,
    unused: [u32; 2],
}

tickless_cells::ready_cells!(WatershedModel);

impl DeviceCells for WatershedModel {
    fn kernels(&self) -> Option<CellKernels> {
        let &Self { rain, rain_last, soil, flow, .. } = self;
        let parameters = Parameters {
            step: self.step.ticks(),
            rain_until: self.rain_until.ticks(),
            rain_part: rain.part,
            rain_spread: rain.spread,
            soil_part: soil.part,
            soil_spread: soil.spread,
            rain: rain.whole,
            rain_last,
            soil: soil.whole,
            flow,
            shift: rain.shift,
            runs: self.runs.into(),
            unused: [0; 2],
        };
        let bytes = bytemuck::bytes_of(&parameters).to_vec();
        let buffers = vec![BufferSpec::filled("watershed", BufferUse::Uniform, bytes)];
        Some(CellKernels { buffers, ..CellKernels::of("watershed", "cells/watershed") })
    }

    fn fault(&self, _: u32) -> String {
        FLOOD.into()
    }

    fn failure(&self, cell: u32, now: Time, bits: u32) -> CellError {
        let [column, row, _] = self.space.place(cell);
        let what = format!("in column {column}, row {row} (from 0, north-west) {}", self.fault(bits));
        CellError::Model { cell, now, what }
    }
}
