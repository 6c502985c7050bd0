//! Replications until the figures are as precise as asked for: a sequential stopping rule (Chow and Robbins 1965; Law,
//! Simulation Modeling and Analysis, 9.4.1).
//!
//! Ten replications come first, in parts if a device has no room for them at once. After each batch the largest half
//! width of the 95 % intervals is taken, relative to its mean, over utilization, throughput and mean system time of the
//! network, and utilization and mean system time of each station with at least 30 completions a replication. Half widths
//! shrink with the root of the replications, so the next batch has as many as are missing for the largest half width, at
//! least 10 and at most as many as there are already. The rule looks at the intervals again and again and stops when they
//! happen to be narrow; their coverage nears 95 % only as the precision nears 0, and with ten replications at least it is
//! a little less.

use std::ops::Range;
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::Serialize;

use super::Replications;
use super::arguments::MOST_REPLICATIONS;
use super::figures::precision_of;
use crate::CommandError;
use crate::warning::Warning;
use tickless_device::DeviceError;
use tickless_error::RunError;
use tickless_queueing::NetworkModel;
use tickless_queueing::QueueingError;

/// Replications before the first look, and the least of a batch.
pub const BATCH: u32 = 10;

/// The precision asked for.
#[derive(Clone, Copy, Debug)]
pub struct Precision {
    /// The largest relative half width.
    pub asked: f64,
    /// The time after which no batch begins.
    pub time_limit: Duration,
}

/// What came of it.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct PrecisionReport {
    /// The largest relative half width that was asked.
    pub asked: f64,
    /// The largest that there is; `null` without an interval.
    pub reached: Option<f64>,
    /// The time limit.
    pub time_limit_seconds: f64,
    /// Whether what was asked is reached.
    pub met: bool,
}

impl PrecisionReport {
    /// A warning where it was not met.
    pub fn warning(&self, replications: usize) -> Option<Warning> {
        let Self { asked, reached, .. } = *self;
        (!self.met).then_some(Warning::PrecisionNotReached { asked, reached, replications })
    }
}

/// Runs the replications of a range.
type Batch<'a> = dyn FnMut(Range<u32>) -> Result<Replications, CommandError> + 'a;

/// Runs batches until the precision is met, the time limit is over or Ctrl-C comes.
///
/// The records are those of as many replications at once.
pub fn run(
    precision: Precision,
    model: &NetworkModel,
    run: &mut Batch,
) -> Result<(Replications, PrecisionReport), CommandError> {
    let begin = Instant::now();
    let mut fits = u32::MAX;
    let mut all = batch(run, 0..BATCH, &mut fits)?;
    // If the device has no room for ten at once they run in parts, whatever the time limit.
    while !all.interrupted && all.outcome.len() < BATCH as usize {
        let next = batch(run, all.outcome.len() as u32..BATCH, &mut fits)?;
        append(&mut all, next, model);
    }
    let met = |reached: Option<f64>| reached.is_some_and(|reached| reached <= precision.asked);
    let reached = loop {
        let count = all.outcome.len() as u32;
        let reached = precision_of(model, &all.outcome);
        if all.interrupted || met(reached) {
            break reached;
        }
        let wanted = next_batch(count, reached, precision.asked);
        let wanted = wanted.min(affordable(count, begin.elapsed(), precision.time_limit));
        if wanted == 0 {
            break reached;
        }
        let next = batch(run, count..count + wanted, &mut fits)?;
        append(&mut all, next, model);
    };
    let met = !all.interrupted && met(reached) && all.outcome.len() >= BATCH as usize;
    let Precision { asked, time_limit } = precision;
    Ok((all, PrecisionReport { asked, reached, time_limit_seconds: time_limit.as_secs_f64(), met }))
}

/// Replications that seem to be missing.
fn next_batch(count: u32, reached: Option<f64>, asked: f64) -> u32 {
    let ratio = reached.map_or(f64::INFINITY, |reached| reached / asked);
    // A cast of a number that is too large gives the largest number.
    let missing = (f64::from(count) * (ratio * ratio - 1.0)).ceil() as u32;
    missing.clamp(BATCH, count.max(BATCH)).min(MOST_REPLICATIONS - count)
}

/// Replications within the time limit, if they take as long as those so far.
fn affordable(count: u32, elapsed: Duration, time_limit: Duration) -> u32 {
    let each = elapsed.as_secs_f64() / f64::from(count.max(1));
    (time_limit.saturating_sub(elapsed).as_secs_f64() / each.max(1e-9)) as u32
}

/// The first replications of a range: all of them, or as many as the device has room for at once.
fn batch(run: &mut Batch, wanted: Range<u32>, fits: &mut u32) -> Result<Replications, CommandError> {
    loop {
        let size = (wanted.end - wanted.start).min(*fits);
        match run(wanted.start..wanted.start + size) {
            Err(error) if size > 1 && is_too_much(&error) => {
                *fits = size / 2;
            }
            done => return done,
        }
    }
}

/// Whether fewer replications at once would avoid the error.
fn is_too_much(error: &CommandError) -> bool {
    let device = matches!(error.device(), Some(DeviceError::Limit { .. } | DeviceError::OutOfMemory { .. }));
    let tokens = |error: &RunError| matches!(error, RunError::Queueing(QueueingError::Tokens { .. }));
    device || matches!(error, CommandError::Run(error) if tokens(error))
}

/// Adds a batch. Interrupted replications are left out: the figures are those of whole replications.
fn append(all: &mut Replications, next: Replications, model: &NetworkModel) {
    all.wall += next.wall;
    all.setup += next.setup;
    all.device = all.device.zip(next.device).map(|(device, more)| device + more);
    all.interrupted = next.interrupted;
    all.threads = all.threads.max(next.threads);
    if next.clock < model.until() {
        return;
    }
    all.events += next.events;
    all.details.completions += next.details.completions;
    if let Some((appointments, more)) = all.details.appointments.as_mut().zip(next.details.appointments.as_ref()) {
        appointments.join(all.rounds.unwrap_or(0), more, next.rounds.unwrap_or(0));
    }
    all.rounds = all.rounds.zip(next.rounds).map(|(rounds, more)| rounds + more);
    all.outcome.extend(next.outcome);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_grow_by_what_is_missing_and_double_at_most() {
        assert_eq!(next_batch(10, Some(0.02), 0.01), 10);
        assert_eq!(next_batch(100, Some(0.012), 0.01), 44);
        assert_eq!(next_batch(100, Some(0.0101), 0.01), 10);
        assert_eq!(next_batch(100, Some(0.9), 0.01), 100);
        assert_eq!(next_batch(100, None, 0.01), 100);
        assert_eq!(next_batch(1, None, 0.01), 10);
        assert_eq!(next_batch(999_995, Some(1.0), 0.01), 5);
    }

    #[test]
    fn a_batch_stays_within_the_time_limit() {
        let seconds = Duration::from_secs;
        assert_eq!(affordable(10, seconds(5), seconds(60)), 110);
        assert_eq!(affordable(100, seconds(60), seconds(60)), 0);
        assert_eq!(affordable(100, seconds(70), seconds(60)), 0);
        assert!(affordable(10, Duration::ZERO, seconds(60)) > 1000);
    }
}
