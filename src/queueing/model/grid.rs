//! The regular grid of times at which the tokens present are counted.

use super::NetworkModel;
use crate::NetworkError;
use tickless_core::time::Time;

/// The most times of a grid.
pub(crate) const MOST_TIMES: u64 = 1_000_000;

/// The step of a grid in ticks, for a run until a horizon.
///
/// # Errors
/// [`NetworkError::Series`].
pub(crate) fn step_of(step: Option<f64>, until: Time) -> Result<Option<Time>, NetworkError> {
    let Some(step) = step else { return Ok(None) };
    let ticks = Time::from_units(step).filter(|time| *time > Time::ZERO && until.ticks() / time.ticks() < MOST_TIMES);
    let least = until.units() / MOST_TIMES as f64;
    ticks.map(Some).ok_or(NetworkError::Series { step, least })
}

/// The times of a grid from 0 up to the horizon.
pub(crate) fn times(step: Time, until: Time) -> u64 {
    until.ticks() / step.ticks() + 1
}

impl NetworkModel {
    /// The step of the grid of time at which numbers of tokens are noted, or `None` where none are (see [`Network::series`](crate::Network::series)).
    pub fn series_step(&self) -> Option<Time> {
        self.series_step
    }

    /// The numbers noted at each time: of each class in the network, at each station, and in service at each.
    pub(crate) fn series_columns(&self) -> u64 {
        (2 * u64::from(self.stations()) + 1) * self.classes().len() as u64
    }

    /// The times of that grid, times the numbers noted at each time.
    #[doc(hidden)]
    pub fn noted(&self) -> u64 {
        self.series_step.map_or(0, |step| self.series_columns() * times(step, self.until))
    }
}
