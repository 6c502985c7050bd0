//! A fire as the user describes it, and its checks.

use std::sync::Arc;

use rayon::prelude::*;

use super::delays::{NO_WAY, delays, quickest, ticks};
use super::model::{Drawn, FireModel, Ways};
use super::paces::{self, Paces};
use super::weather::LATEST;
use super::{FireError, Ignition, Landscape, Laws, LengthToWidth, Weather, WindAdjustment, WindLimit};
use tickless_cells::Space;
use tickless_core::memory::{self, NoMemory};
use tickless_core::random::StreamKey;
use tickless_core::time::Time;

/// The most delays: their places are numbered in 32 bits. Fronts have half as many words, and the same limit.
const MOST_DELAYS: u64 = u32::MAX as u64;

/// The most stored ellipses, over all rows of the weather: 256 MiB.
const MOST_STORED: usize = 1 << 24;
/// The latest horizon of fires that spread as fronts, in minutes: the sum of four times fits 64 bits.
const LATEST_OF_FRONTS: f64 = 268_435_456.0;

/// How fire comes from cell to cell.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// assert_eq!(tickless::cells::fire::Spreading::default(), tickless::cells::fire::Spreading::Fronts);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spreading {
    /// As fronts that come straight from between two cells, so that fires have the shape of their ellipses.
    #[default]
    Fronts,
    /// From each of the eight neighbours alone: fires have eight corners, and are too small where the wind blows.
    Neighbours,
}

/// A fire as the user describes it. Times are in minutes.
///
/// A cell burns once, when the first front reaches it ([`Spreading::Fronts`]). A front comes straight from a point between two cells
/// of a ring around it, at a time between theirs, and takes in each cell on its way the time of that cell's ellipse under the
/// weather in force then. With [`Spreading::Neighbours`] the fire crosses from each of the eight neighbours, half the way at the
/// rate of either cell in its direction, under the weather in force when it sets out. No fire passes between two cells that touch at a
/// corner where neither of the other two there burns. Rates are those along the ground: over the map a fire goes at its rate times the
/// cosine of the slope in its direction.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use tickless::cells::CellModel;
/// use tickless::cells::fire::{Fire, Ignition, Landscape, Weather};
/// let meadow = Landscape::uniform(64, 64, 30.0, 1)?;
/// let model = Fire::new(meadow, Weather::still()).ignite([Ignition::cell(32, 32)]).until(600.0).check()?;
/// assert_eq!(model.space().cells(), 4096);
/// assert!(model.lookahead().units() > 20.0, "a cell takes half an hour");
/// # Ok::<(), tickless::cells::fire::FireError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Fire {
    landscape: Landscape,
    weather: Weather,
    ignitions: Vec<Ignition>,
    laws: Laws,
    adjust_wind: Option<WindAdjustment>,
    spreading: Spreading,
    until: f64,
    random_weather: bool,
    seed: u64,
    most_stored: usize,
}

impl Fire {
    /// One fire that begins at time 0 in a cell drawn of all that can burn, for a day; no limit of the wind, seed 1.
    pub fn new(landscape: Landscape, weather: Weather) -> Self {
        Self {
            landscape,
            weather,
            ignitions: vec![],
            laws: Laws::default(),
            adjust_wind: None,
            spreading: Spreading::Fronts,
            until: 1440.0,
            random_weather: false,
            seed: 1,
            most_stored: MOST_STORED,
        }
    }

    /// Adds places where the fire begins.
    #[must_use]
    pub fn ignite(mut self, ignitions: impl IntoIterator<Item = Ignition>) -> Self {
        self.ignitions.extend(ignitions);
        self
    }

    /// The limit of the wind.
    #[must_use]
    pub fn wind_limit(mut self, limit: WindLimit) -> Self {
        self.laws.limit = limit;
        self
    }

    /// The law of the fire's length-to-width ratio.
    #[must_use]
    pub fn length_to_width(mut self, law: LengthToWidth) -> Self {
        self.laws.shape = law;
        self
    }

    /// The canopy of the landscape (none where it does not say) and the depth of its fuels make the midflame wind from the wind at 20
    /// feet; the wind adjustment of the weather is a further factor, usually 1.
    #[must_use]
    pub fn adjust_wind(mut self, by: WindAdjustment) -> Self {
        self.adjust_wind = Some(by);
        self
    }

    /// How fire comes from cell to cell.
    #[must_use]
    pub fn spreading(mut self, spreading: Spreading) -> Self {
        self.spreading = spreading;
        self
    }

    /// The horizon. Above 0, and at most 2³¹; for fronts at most 2²⁸.
    #[must_use]
    pub fn until(mut self, minutes: f64) -> Self {
        self.until = minutes;
        self
    }

    /// Every replication has one row of weather throughout, drawn of all; their times mean nothing then.
    #[must_use]
    pub fn random_weather(mut self) -> Self {
        self.random_weather = true;
        self
    }

    /// One seed, one set of fires.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// The most ellipses that are stored where the weather has several rows: if there are more, each is made when it is needed.
    #[doc(hidden)]
    #[must_use]
    pub fn store_ellipses(mut self, most: usize) -> Self {
        self.most_stored = most;
        self
    }

    /// Checks everything and makes the delays.
    ///
    /// # Errors
    /// [`FireError`], which names the value that was wrong and what is allowed.
    pub fn check(mut self) -> Result<FireModel, FireError> {
        let frame = self.landscape.frame();
        let (offsets, latest, allowed) = match self.spreading {
            Spreading::Neighbours => (Space::moore(), LATEST, "at least 2^-32 and at most 2^31"),
            Spreading::Fronts => (paces::offsets(), LATEST_OF_FRONTS, "at least 2^-32 and at most 2^28 for fronts"),
        };
        let space = frame.space(offsets)?;
        let until = Time::from_units(self.until).filter(|time| *time > Time::ZERO && self.until <= latest);
        let until = until.ok_or(FireError::Time { what: "the horizon", minutes: self.until, allowed })?;
        self.weather.fit(&self.landscape)?;
        if self.random_weather && self.weather.dries() {
            return Err(FireError::DryingAtRandom);
        }
        if let Some(WindAdjustment::BehavePlus { crown_ratio }) = self.adjust_wind
            && !(0.1..=1.0).contains(&crown_ratio)
        {
            return Err(FireError::CrownRatio { crown_ratio });
        }
        if self.laws.shape == LengthToWidth::Alexander && self.weather.has_no_adjustment(&self.landscape) {
            return Err(FireError::NoOpenWind);
        }
        let (rows, cells) = (self.rows(), space.cells());
        let stored = self.spreading == Spreading::Neighbours || self.has_grids();
        if stored && (rows as u64).checked_mul(u64::from(cells) * 8).is_none_or(|delays| delays > MOST_DELAYS) {
            return Err(FireError::Delays { rows, cells, most: MOST_DELAYS });
        }
        let burnable = self.burnable(cells)?;
        if burnable.is_empty() {
            return Err(FireError::NothingBurns);
        }
        let given = match &self.ignitions[..] {
            [] => None,
            given => Some(Ignition::cells(given, &self.landscape)?),
        };
        let first = self.drawn(&burnable, 0);
        let (lookahead, ways) = self.ways(cells)?;
        let (ways, starts) = (Arc::new(ways), self.starts());
        Ok(FireModel {
            space,
            until,
            lookahead,
            ways,
            given,
            starts,
            first,
            numbers: 0..1,
            drawn: vec![first],
            description: Arc::new(self),
        })
    }

    /// How fire spreads, and the least time it takes. Where nothing spreads, no input causes an output: then any time is
    /// right.
    fn ways(&self, cells: u32) -> Result<(Time, Ways), FireError> {
        if self.spreading == Spreading::Fronts {
            let paces = Paces::new(self)?;
            return Ok((paces.quickest().min(ticks(NO_WAY)), Ways::Fronts(paces)));
        }
        let delays = delays(self)?;
        let quickest = quickest(&delays, cells as usize)?;
        Ok((ticks(quickest.iter().copied().min().unwrap_or(NO_WAY)), Ways::Neighbours { delays, quickest }))
    }

    /// The cells that can burn.
    ///
    /// # Errors
    /// Too little memory.
    pub(super) fn burnable(&self, cells: u32) -> Result<Vec<u32>, NoMemory> {
        // Each core has a list of its own before all are one.
        memory::room::<[u32; 3]>(cells as usize, "the cells that burn")?;
        Ok((0..cells).into_par_iter().filter(|&cell| self.landscape.burns(cell)).collect())
    }

    /// What a replication draws, where these cells can burn, which are one or more.
    pub(super) fn drawn(&self, burnable: &[u32], replication: u32) -> Drawn {
        let [cell, _] = self.draws(replication);
        Drawn { cell: burnable[among(cell, burnable.len())], row: self.drawn_row(replication) }
    }

    /// The row of weather that a replication draws.
    pub(super) fn drawn_row(&self, replication: u32) -> u32 {
        let [_, row] = self.draws(replication);
        among(row, self.weather.rows().len()) as u32
    }

    /// Every replication draws its cell first and its row second, whether it needs them or not.
    fn draws(&self, replication: u32) -> [u32; 2] {
        let mut stream = StreamKey::new(self.seed, replication.into()).stream(0);
        [stream.draw(), stream.draw()]
    }

    /// The ground.
    pub fn landscape(&self) -> &Landscape {
        &self.landscape
    }

    /// The weather.
    pub fn weather(&self) -> &Weather {
        &self.weather
    }

    /// The laws by which it spreads.
    pub fn laws(&self) -> Laws {
        self.laws
    }

    /// How canopy and fuels make the midflame wind; `None` where the weather says it.
    pub fn wind_adjustment(&self) -> Option<WindAdjustment> {
        self.adjust_wind
    }

    /// Whether every replication has one row of weather, drawn of all.
    pub fn has_random_weather(&self) -> bool {
        self.random_weather
    }

    /// Whether a cell drawn from the seed burns first.
    pub fn has_random_ignitions(&self) -> bool {
        self.ignitions.is_empty()
    }

    /// The number of rows of the weather in use: those that begin before the horizon, where rows are not drawn.
    pub(super) fn rows(&self) -> usize {
        let rows = self.weather.rows();
        if self.random_weather { rows.len() } else { rows.partition_point(|row| row.minutes < self.until).max(1) }
    }

    /// When each of these rows begins.
    fn starts(&self) -> Vec<Time> {
        // Times are below 2^31 minutes.
        let starts = self.weather.rows().iter().take(self.rows());
        starts.map(|row| Time::from_units(row.minutes).unwrap_or(Time::NEVER)).collect()
    }

    /// Whether cells have a weather of their own under some row.
    pub(super) fn has_grids(&self) -> bool {
        let cells_differ = |row| self.weather.has_wind_of_cells(row) || self.weather.has_moisture_of_cells(row);
        (0..self.rows()).any(cells_differ)
    }

    /// The most ellipses that are stored.
    pub(super) fn most_stored(&self) -> usize {
        self.most_stored
    }
}

/// The place that a draw chooses among so many.
fn among(draw: u32, count: usize) -> usize {
    ((u64::from(draw) * count as u64) >> 32) as usize
}
