//! Numbers of tokens over a regular grid of time.

use super::Oracle;
use crate::NetworkModel;
use crate::model::times;
use crate::outcome::Series;
use serde::{Deserialize, Serialize};
use tickless_core::time::Time;

/// Counts the tokens of each class in the network and at each station, and notes the counts at each time of the grid. A count that
/// does not change is noted later: when it changes, or at the end.
#[derive(Serialize, Deserialize)]
pub(super) struct Recorder {
    step: u64,
    classes: usize,
    counts: Vec<u64>,
    columns: Vec<Vec<u64>>,
    /// Those in service of each class at each station, at the times of the grid so far.
    served: Vec<Vec<u64>>,
}

impl Recorder {
    /// Of what the model asks, if anything.
    pub(super) fn new(model: &NetworkModel) -> Option<Self> {
        let (step, classes) = (model.series_step()?, model.classes().len());
        let count = (model.stations() as usize + 1) * classes;
        let column = || Vec::with_capacity(times(step, model.until()) as usize);
        Some(Self {
            step: step.ticks(),
            classes,
            counts: vec![0; count],
            columns: (0..count).map(|_| column()).collect(),
            served: (classes..count).map(|_| column()).collect(),
        })
    }

    /// A column changes at `now`, behind the time of the grid that `now` may be; but who is there at time 0 is there at the first one.
    fn change(&mut self, column: usize, now: Time, change: i64) {
        if now > Time::ZERO {
            self.advance(column, now);
        }
        self.counts[column] = self.counts[column].wrapping_add_signed(change);
    }

    /// Notes a count up to `now`.
    fn advance(&mut self, column: usize, now: Time) {
        let noted = &mut self.columns[column];
        let known = now.ticks() / self.step + 1;
        if known > noted.len() as u64 {
            noted.resize(known as usize, self.counts[column]);
        }
    }

    /// So many tokens of a class more are in the network, or fewer.
    pub(super) fn in_network(&mut self, class: u32, now: Time, change: i64) {
        self.change(class as usize, now, change);
    }

    /// A token more is at a station, or one fewer.
    pub(super) fn at_station(&mut self, station: u32, class: u32, now: Time, change: i64) {
        self.change((station as usize + 1) * self.classes + class as usize, now, change);
    }

    /// The first time of the grid at which those in service are not noted yet.
    pub(super) fn next(&self) -> Time {
        Time::from_ticks(self.served[0].len() as u64 * self.step)
    }

    /// Notes at all times of the grid up to `now` how many of each class are in service at each station.
    fn serves(&mut self, now: Time, serving: impl Iterator<Item = u64>) {
        let known = (now.ticks() / self.step + 1) as usize;
        self.served.iter_mut().zip(serving).for_each(|(noted, count)| noted.resize(known.max(noted.len()), count));
    }

    /// What was noted before `clock`, and at it.
    pub(super) fn finish(mut self, clock: Time) -> Series {
        (0..self.counts.len()).for_each(|column| self.advance(column, clock));
        self.columns.append(&mut self.served);
        Series::new(self.classes, self.columns)
    }
}

impl Oracle<'_> {
    /// Notes who is in service at the times of the grid up to `now`, before anything happens then.
    pub(super) fn notes_served(&mut self, now: Time) {
        let Some(series) = self.series.as_mut().filter(|series| series.next() <= now) else { return };
        let serving = self.stations.iter().flat_map(|station| &station.accounts).map(|class| class.accounts.serving());
        series.serves(now, serving);
    }
}
