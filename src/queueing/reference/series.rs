//! A run that only records how its tokens are spread over the stations, slice of time by slice of time.

use super::{general, multiclass};
use crate::NetworkModel;
use crate::QueueingError;
use tickless_core::heap::{Handler, execute};
use tickless_core::memory;
use tickless_core::run::{Asking, Watch};
use tickless_core::time::Time;

/// What such a run gives back.
pub(crate) struct Recording {
    /// For each slice, the root of the time average of the sum of the squared numbers present.
    pub(crate) series: Vec<f64>,
    pub(crate) events: u64,
    pub(crate) interrupted: bool,
}

/// A simulation that tells how its tokens are spread.
trait Spread: Handler<Error = QueueingError> {
    /// The sum over the stations of the number present, squared.
    fn squares(&self) -> u64;
}

impl Spread for general::Simulation<'_> {
    fn squares(&self) -> u64 {
        self.squares()
    }
}

impl Spread for multiclass::Simulation<'_> {
    fn squares(&self) -> u64 {
        self.squares()
    }
}

/// The simulation with the integral of its sum of squares.
struct Recorder<S> {
    simulation: S,
    slice: u64,
    /// When the slice that is being recorded ends.
    end: u64,
    /// Up to when the integral is.
    since: u64,
    integral: u128,
    series: Vec<f64>,
}

impl<S: Spread> Recorder<S> {
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

impl<S: Spread> Handler for Recorder<S> {
    type Error = QueueingError;

    fn next(&mut self) -> Time {
        self.simulation.next()
    }

    fn handle(&mut self, now: Time) -> Result<u64, QueueingError> {
        self.advance(now);
        self.simulation.handle(now)
    }
}

/// Runs one replication in so many slices of `slice`, from time 0 on. Where the run is interrupted there are fewer.
///
/// # Errors
/// What the simulation returns.
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
    if let Some(rules) = model.rules_of_classes() {
        let mut simulation = multiclass::Simulation::new(model, rules, key);
        let begun = simulation.begin(asking);
        return if begun.is_err() { Ok(nothing) } else { follow(simulation, (slices, slice), until, watch) };
    }
    let mut simulation = general::Simulation::new(model, key, None);
    let begun = simulation.begin(asking);
    if begun.is_err() { Ok(nothing) } else { follow(simulation, (slices, slice), until, watch) }
}

/// Runs a simulation that has begun.
fn follow(
    simulation: impl Spread,
    (slices, slice): (usize, u64),
    until: Time,
    watch: &mut dyn Watch,
) -> Result<Recording, QueueingError> {
    let series = Vec::with_capacity(slices);
    let mut recorder = Recorder { simulation, slice, end: slice, since: 0, integral: 0, series };
    let summary = execute(&mut recorder, until, watch)?;
    recorder.advance(summary.clock);
    Ok(Recording { series: recorder.series, events: summary.events, interrupted: summary.interrupted })
}
