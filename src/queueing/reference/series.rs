//! A run that only records how its tokens are spread over the stations, slice by slice.

use super::oracle::Oracle;
use crate::NetworkModel;
use crate::QueueingError;
use tickless_core::heap::{Handler, execute};
use tickless_core::memory;
use tickless_core::run::{Asking, Watch};
use tickless_core::time::Time;

/// The result of such a run.
pub(crate) struct Recording {
    /// For each slice, the root of the time average of the sum of the squared numbers present.
    pub(crate) series: Vec<f64>,
    pub(crate) events: u64,
    pub(crate) interrupted: bool,
}

/// The simulation with the integral of its sum of squares.
struct Recorder<'a> {
    simulation: Oracle<'a>,
    slice: u64,
    /// When the slice that is being recorded ends.
    end: u64,
    /// The time up to which the integral is.
    since: u64,
    integral: u128,
    series: Vec<f64>,
}

impl Recorder<'_> {
    /// Brings the integral up to `now`: nothing has changed since the last event.
    fn advance(&mut self, now: Time) {
        while self.since < now.ticks() {
            let next = self.end.min(now.ticks());
            self.integral += u128::from(next - self.since) * u128::from(self.simulation.squares());
            self.since = next;
            if next == self.end {
                self.series.push((self.integral as f64 / self.slice as f64).sqrt());
                (self.integral, self.end) = (0, self.end + self.slice);
            }
        }
    }
}

impl Handler for Recorder<'_> {
    type Error = QueueingError;

    fn next(&mut self) -> Time {
        self.simulation.next()
    }

    fn handle(&mut self, now: Time) -> Result<u64, QueueingError> {
        self.advance(now);
        let before = self.simulation.transits_ended();
        let events = self.simulation.handle(now)?;
        // Ends of transits are work, too.
        Ok(events + self.simulation.transits_ended() - before)
    }

    fn stands_still(&self) -> Option<Self::Error> {
        None
    }
}

/// Runs one replication in so many slices of `slice`, from time 0 on. If the run is interrupted there are fewer.
///
/// # Errors
/// As the simulation.
pub(crate) fn record(
    model: &NetworkModel,
    replication: u32,
    (slices, slice): (usize, Time),
    watch: &mut dyn Watch,
) -> Result<Recording, QueueingError> {
    memory::room_of(super::bytes(model), "the stations and tokens")?;
    let nothing = Recording { series: vec![], events: 0, interrupted: true };
    let (key, asking, slice) = (model.key(replication), &mut Asking::new(watch), slice.ticks().max(1));
    let until = Time::from_ticks(slice.saturating_mul(slices as u64).min(model.until().ticks()));
    let mut simulation = Oracle::new(model, key, None);
    if simulation.begin(asking).is_err() {
        return Ok(nothing);
    }
    let series = Vec::with_capacity(slices);
    let mut recorder = Recorder { simulation, slice, end: slice, since: 0, integral: 0, series };
    let summary = execute(&mut recorder, until, watch)?;
    recorder.advance(summary.clock);
    Ok(Recording { series: recorder.series, events: summary.events, interrupted: summary.interrupted })
}
