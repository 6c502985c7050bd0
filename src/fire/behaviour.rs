//! The behaviour of a fire as it comes to a cell: its rate and direction of spread, its intensity, its flame length.

use rayon::prelude::*;

use super::conditions::Conditions;
use super::model::ignited;
use super::{Arrivals, FireModel, Frame, Grid};
use tickless_cells::CellOutcome;
use tickless_core::memory::{self, NoMemory};
use tickless_core::time::Time;

/// Cells that a core takes at a time.
const CELLS: usize = 1 << 12;

/// A measure of a fire's behaviour in each cell.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// assert_eq!(tickless::cells::fire::Measure::Intensity.unit(), "kW/m");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// How fast the front passed, across itself, in metres per minute.
    RateOfSpread,
    /// The direction of the front, in degrees clockwise from north.
    Direction,
    /// The power of a metre of the front, in kilowatts (Byram 1959, with the heat per area of Rothermel 1972 and the residence
    /// time of Anderson 1969).
    Intensity,
    /// The length of its flames, in metres: 0.0775 I^0.46 of the intensity I (Byram 1959).
    FlameLength,
}

impl Measure {
    /// The unit of the measure.
    pub fn unit(self) -> &'static str {
        match self {
            Self::RateOfSpread => "m/min",
            Self::Direction => "degrees",
            Self::Intensity => "kW/m",
            Self::FlameLength => "m",
        }
    }

    /// Its name, as a heading.
    pub fn name(self) -> &'static str {
        match self {
            Self::RateOfSpread => "Rate of spread",
            Self::Direction => "Direction of spread",
            Self::Intensity => "Fireline intensity",
            Self::FlameLength => "Flame length",
        }
    }

    fn of(self, front: Front) -> f64 {
        match self {
            Self::RateOfSpread => front.rate,
            Self::Direction => front.azimuth(),
            Self::Intensity => front.intensity(),
            Self::FlameLength => front.flame_length(),
        }
    }
}

/// A front as it comes to a cell.
#[derive(Clone, Copy)]
struct Front {
    /// Metres per minute, across itself.
    rate: f64,
    /// A unit vector toward east and toward north.
    toward: [f64; 2],
    /// Kilojoules per square metre.
    heat: f64,
}

impl Front {
    fn azimuth(self) -> f64 {
        let degrees = libm::atan2(self.toward[0], self.toward[1]).to_degrees();
        if degrees < 0.0 { degrees + 360.0 } else { degrees }
    }

    fn intensity(self) -> f64 {
        self.heat * self.rate / 60.0
    }

    fn flame_length(self) -> f64 {
        0.0775 * libm::pow(self.intensity(), 0.46)
    }
}

/// The fronts of one fire.
struct Fronts<'a> {
    /// The conditions under each row of the weather.
    conditions: &'a [Conditions<'a>],
    model: &'a FireModel,
    frame: Frame,
    replication: u32,
}

impl Fronts<'_> {
    /// The front that comes to a cell at its time, from the times of all cells; `None` where none comes.
    fn at(&self, cell: usize, time: &(impl Fn(usize) -> Time + Sync)) -> Option<Front> {
        let own = time(cell);
        if own == Time::NEVER {
            return None;
        }
        let (spread, heat) = self.conditions[self.model.row(self.replication, own)].at(cell)?;
        let toward = self.toward(cell, own, time);
        // A fire that begins there goes with the wind.
        let (rate, toward) =
            toward.map_or_else(|| (spread.rate(), spread.heading()), |toward| (spread.rate_across(toward), toward));
        Some(Front { rate, toward, heat })
    }

    /// The direction of a front: away from cells that burnt before, along each axis by how much earlier they burnt.
    fn toward(&self, cell: usize, own: Time, time: &(impl Fn(usize) -> Time + Sync)) -> Option<[f64; 2]> {
        let columns = self.frame.columns as usize;
        let (x, y) = (cell % columns, cell / columns);
        let beside = |there: bool, other: usize| if there { time(other) } else { Time::NEVER };
        let earlier = |other: Time| own.ticks().saturating_sub(other.ticks()) as f64;
        let along = |before: Time, behind: Time| if before <= behind { earlier(before) } else { -earlier(behind) };
        let east = along(beside(x > 0, cell.wrapping_sub(1)), beside(x + 1 < columns, cell + 1));
        let (north, south) = (cell.wrapping_sub(columns), cell + columns);
        let rows = self.frame.rows as usize;
        let north = along(beside(y + 1 < rows, south), beside(y > 0, north));
        let length = libm::hypot(east, north);
        (length > 0.0).then(|| [east / length, north / length])
    }
}

/// The conditions under each row of the weather.
fn all_conditions(model: &FireModel) -> Vec<Conditions<'_>> {
    let fire = model.description();
    (0..fire.rows()).map(|row| Conditions::new(fire, row)).collect()
}

impl Arrivals {
    /// The behaviour of the fire of a replication as it came to each cell, without a value where nothing burnt.
    ///
    /// A front goes across the lines of equal time, at the rate of the cell's ellipse in that direction (Richards 1990), under the
    /// weather at its time. In the cell where a fire begins, the front is the fire's head.
    ///
    /// ```
    /// # use tickless_fire::facade as tickless;
    /// use tickless::cells::fire::{Arrivals, Fire, Ignition, Landscape, Measure, Weather};
    /// use tickless::{device::Target, run::unwatched};
    /// let meadow = Landscape::uniform(9, 1, 30.0, 1)?;
    /// let model = Fire::new(meadow, Weather::still()).ignite([Ignition::cell(0, 0)]).check()?;
    /// let run = tickless::cells::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched()).unwrap();
    /// let times = Arrivals::of(&model, &run.outcome, 0);
    /// let rates = times.measure(&model, 0, Measure::RateOfSpread).values;
    /// let minutes = times.grid().values;
    /// assert!((30.0 / (minutes[5] - minutes[4]) / rates[5] - 1.0).abs() < 1e-3);
    /// # Ok::<(), tickless::cells::fire::FireError>(())
    /// ```
    ///
    /// # Panics
    /// Where the model has other cells.
    pub fn measure(&self, model: &FireModel, replication: u32, measure: Measure) -> Grid {
        let frame = self.frame();
        assert_eq!(frame.cells(), model.description().landscape().fuels().len(), "the fire is of this model");
        let conditions = all_conditions(model);
        let fronts = Fronts { conditions: &conditions, model, frame, replication };
        let time = |cell: usize| self.times()[cell];
        let value = |cell| fronts.at(cell, &time).map_or(f64::NAN, |front| measure.of(front));
        let values = (0..frame.cells()).into_par_iter().map(value).collect();
        Grid { name: measure.name().into(), frame, projection: None, values }
    }
}

/// The mean flame length of the fires of an ensemble that came to a cell, without a value where none came.
///
/// # Errors
/// Too little memory.
///
/// # Panics
/// Where the run has no arrays ([`CellOutcome::added_up`]).
pub fn conditional_flame_length(model: &FireModel, outcome: &CellOutcome) -> Result<Grid, NoMemory> {
    let (fire, states) = (model.description(), outcome.state.as_chunks::<2>().0);
    let (frame, cells) = (fire.landscape().frame(), fire.landscape().fuels().len());
    assert_eq!(states.len(), cells * outcome.replications as usize, "the run has the cells of all its fires");
    let conditions = all_conditions(model);
    let mut values = memory::filled(f64::NAN, cells, "the flame lengths")?;
    let first = outcome.first_replication;
    values.par_chunks_mut(CELLS).enumerate().for_each(|(part, values)| {
        for (place, value) in values.iter_mut().enumerate() {
            let cell = part * CELLS + place;
            let (mut sum, mut count) = (0.0, 0_u32);
            for (states, replication) in states.chunks(cells.max(1)).zip(first..) {
                let fronts = Fronts { conditions: &conditions, model, frame, replication };
                if let Some(front) = fronts.at(cell, &|cell| ignited(states[cell])) {
                    (sum, count) = (sum + front.flame_length(), count + 1);
                }
            }
            if count > 0 {
                *value = sum / f64::from(count);
            }
        }
    });
    Ok(Grid { name: "Conditional flame length".into(), frame, projection: None, values })
}
