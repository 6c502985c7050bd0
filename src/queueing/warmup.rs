//! The warm-up that a network needs: MSER-5 on the mean of several pilot runs.
//!
//! The observation is the root of the sum over the stations of the squared number of tokens present, a norm of the
//! network's state. For one station it is the number present. The number present in the whole network never changes in a
//! closed network; the number of waiting tokens hardly does where tokens only move from one queue to another, and is 0
//! where no token ever waits (Erlang's loss system). The norm changes with both the number of tokens and their spread.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::NetworkModel;
use super::reference::{Recording, record};
use crate::QueueingError;
use tickless_core::run::{Progress, Watch};
use tickless_core::statistics::{Truncation, mser5};
use tickless_core::time::Time;

/// The slices of [0, until), each with one observation.
pub const OBSERVATIONS: usize = 1000;
/// The fewest replications of a pilot.
pub const LEAST_REPLICATIONS: u32 = 5;
/// The most replications of a pilot.
pub const MOST_REPLICATIONS: u32 = 20;
/// Between these two a pilot starts no replication that would bring it past so many events: a large network is already an
/// average over many stations, and a small network runs fast.
pub const EVENTS: u64 = 10_000_000;
/// A replication with so many times the events of the whole pilot ends the pilot.
const TOO_LONG: u64 = 10;
/// The pilot's replications are numbered down from here, so that it shares no random number with later replications.
const FIRST: u32 = u32::MAX;
/// With fewer independent observations than this after the truncation the run is too short.
const INDEPENDENT: f64 = 10.0;

/// The warm-up that a pilot found.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// let found = tickless::queueing::warmup::WarmUp { time: 40.0, too_short: false, replications: 5, interrupted: false };
/// assert!(!found.too_short);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WarmUp {
    /// Where counting should begin, in time units: from 0 to half of the horizon, in steps of five slices.
    pub time: f64,
    /// Whether the horizon is too short to tell: the truncation is at the edge, or what remains is worth fewer than ten
    /// independent observations (see [`Truncation::independent`]). [`WarmUp::time`] is then too early, if anything.
    pub too_short: bool,
    /// The replications on which the finding rests.
    pub replications: u32,
    /// Whether the watch ended the pilot. The finding rests on the replications that were finished; without any, the time
    /// is 0 and too short.
    pub interrupted: bool,
}

impl WarmUp {
    /// Whether the warm-up of a model looks too short: the pilot would begin later.
    ///
    /// See [`find`] for an example.
    pub fn exceeds(&self, model: &NetworkModel) -> bool {
        Time::from_units(self.time).is_some_and(|time| time > model.warmup())
    }
}

/// Finds the warm-up of a network by a pilot on the heap.
///
/// The pilot runs 5 to 20 replications to the horizon ([`EVENTS`] decides), whatever the model's own warm-up, observes
/// each in [`OBSERVATIONS`] equal slices, averages slice by slice over the replications (Welch 1983) and truncates the mean
/// series by [`mser5`]. One model and one seed give one warm-up, on every machine. It takes as long as its replications.
///
/// The watch sees the pilot as one run: its clock is the share of the pilot that is done, on the scale of the horizon.
///
/// # Errors
/// [`QueueingError`] where the heap cannot run the network; [`QueueingError::PilotTooLong`].
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{Network, Source, Station, warmup};
/// let mut network = Network::new();
/// let desk = network.station(Station::new("desk", "exponential:0.8".parse()?));
/// let exit = network.sink("exit");
/// network.source(Source::new("street", "exponential:1".parse()?, desk));
/// network.route(desk, exit, 1.0, 0.0);
/// let model = network.until(5000.0).check()?;
/// let found = warmup::find(&model, &mut tickless::run::unwatched())?;
/// assert!(found.time > 0.0 && found.time < 2500.0 && !found.too_short);
/// // The model counts from time 0 on; from the time that was found, it would be long enough.
/// assert!(found.exceeds(&model));
/// let longer = model.description().clone().warmup(found.time).check()?;
/// assert!(!found.exceeds(&longer));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn find(model: &NetworkModel, watch: &mut dyn Watch) -> Result<WarmUp, QueueingError> {
    find_within(model, EVENTS, watch)
}

/// As [`find`], with so many events in place of [`EVENTS`]: fewer make a rougher and quicker pilot, never of fewer than
/// [`LEAST_REPLICATIONS`]. A replication with more than ten times as many ends the pilot: where a fork branches without end no replication
/// ends.
///
/// # Errors
/// As for [`find`].
pub fn find_within(model: &NetworkModel, most_events: u64, watch: &mut dyn Watch) -> Result<WarmUp, QueueingError> {
    let lists = model.in_lists()?;
    let model = &*lists;
    // Equal to the tick, so that what never changes gives equal observations; up to 999 ticks at the end are not seen.
    let slice = Time::from_ticks((model.until().ticks() / OBSERVATIONS as u64).max(1));
    let mut pilot = Pilot {
        watch,
        begin: Instant::now(),
        until: model.until(),
        done: 0,
        of: MOST_REPLICATIONS,
        events: 0,
        most_events,
    };
    let mut sums = vec![];
    let mut interrupted = false;
    while pilot.done < pilot.of {
        let replication = FIRST - pilot.done;
        let Recording { series, events, interrupted: ended } =
            record(model, replication, (OBSERVATIONS, slice), &mut pilot)?;
        if pilot.is_too_long(events) {
            return Err(QueueingError::PilotTooLong { most: pilot.longest() });
        }
        if ended {
            interrupted = true;
            break;
        }
        pilot.finished(events);
        sums.resize(series.len(), 0.0);
        sums.iter_mut().zip(series).for_each(|(sum, value)| *sum += value);
        // A replication of few events is over before it looks at the watch.
        let begun = Progress { clock: Time::ZERO, until: model.until(), events: 0, rounds: 0, elapsed: Duration::ZERO };
        if pilot.done < pilot.of && pilot.look(&begun) == ControlFlow::Break(()) {
            interrupted = true;
            break;
        }
    }
    let mean: Vec<f64> = sums.iter().map(|sum| sum / f64::from(pilot.done)).collect();
    let (time, too_short) = match mser5(&mean) {
        Ok(Truncation { observations, at_the_edge, independent }) => {
            (slice.units() * observations as f64, at_the_edge || independent < INDEPENDENT)
        }
        // A horizon of less than ten ticks, or an interruption before anything was seen.
        Err(_) => (0.0, true),
    };
    Ok(WarmUp { time, too_short, replications: pilot.done, interrupted })
}

/// The watch of the caller, who sees all replications as one run.
struct Pilot<'a> {
    watch: &'a mut dyn Watch,
    begin: Instant,
    until: Time,
    /// Replications finished.
    done: u32,
    /// Replications in all.
    of: u32,
    /// Events of the finished replications.
    events: u64,
    /// As in [`find_within`].
    most_events: u64,
}

impl Pilot<'_> {
    /// The most events of a replication.
    fn longest(&self) -> u64 {
        self.most_events.saturating_mul(TOO_LONG)
    }

    /// Checked during a replication and after it, so that it does not matter when the watch is called.
    fn is_too_long(&self, events: u64) -> bool {
        events > self.longest()
    }

    /// Counts a replication. The first one fixes how many there will be.
    fn finished(&mut self, events: u64) {
        if self.done == 0 {
            let affordable = u32::try_from(self.most_events / events.max(1)).unwrap_or(u32::MAX);
            self.of = affordable.clamp(LEAST_REPLICATIONS, MOST_REPLICATIONS);
        }
        self.done += 1;
        self.events += events;
    }
}

impl Watch for Pilot<'_> {
    fn look(&mut self, progress: &Progress) -> ControlFlow<()> {
        if self.is_too_long(progress.events) {
            return ControlFlow::Break(());
        }
        let ticks = u128::from(self.until.ticks()) * u128::from(self.done) + u128::from(progress.clock.ticks());
        let clock = Time::from_ticks((ticks / u128::from(self.of)) as u64);
        let elapsed: Duration = self.begin.elapsed();
        let events = self.events + progress.events;
        self.watch.look(&Progress { clock, until: self.until, events, elapsed, ..*progress })
    }

    fn set_up(&mut self, elapsed: Duration) -> ControlFlow<()> {
        self.watch.set_up(elapsed)
    }
}
