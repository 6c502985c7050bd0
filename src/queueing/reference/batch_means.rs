//! One replication in batches.

use std::ops::ControlFlow;
use std::time::Instant;

use super::oracle::Oracle;
use crate::{NetworkDetails, NetworkModel, NetworkOutcome, QueueingError};
use tickless_core::heap::{Summary, execute};
use tickless_core::memory;
use tickless_core::run::{Asking, Progress, Run, Watch};
use tickless_core::time::Time;

/// Runs one replication and cuts its records at the ends of batches, of which the last is the horizon.
///
/// # Errors
/// As any run.
pub fn batch_means(
    model: &NetworkModel,
    replication: u32,
    ends: &[Time],
    watch: &mut dyn Watch,
) -> Result<Run<Vec<NetworkOutcome>, NetworkDetails>, QueueingError> {
    let begin = Instant::now();
    memory::room_of(Oracle::bytes(model), "the stations and tokens")?;
    let key = model.key(replication);
    let mut oracle = Oracle::new(model, key, None);
    oracle.begin(&mut Asking::new(watch))?;
    let setup = begin.elapsed();
    let mut all = Summary { events: 0, clock: Time::ZERO, interrupted: false, wall: setup };
    let (mut batches, mut last, mut series, mut completions) = (vec![], None::<NetworkOutcome>, None, 0);
    for end in ends {
        let (before, until) = (all, model.until());
        let mut look = |progress: &Progress| -> ControlFlow<()> {
            let (events, elapsed) = (before.events + progress.events, before.wall + progress.elapsed);
            watch.look(&Progress { until, events, elapsed, ..*progress })
        };
        let part = execute(&mut oracle, *end, &mut look)?;
        all = Summary { events: before.events + part.events, wall: begin.elapsed(), ..part };
        // Records can be cut once: what goes on is a copy, as from a checkpoint.
        let goes_on = (!part.interrupted && *end < until).then(|| oracle.whole()).transpose()?;
        completions += oracle.completions();
        oracle.finish_fold(part.clock)?;
        let mut cut = oracle.outcome(part.clock);
        // It is that of the whole run so far.
        series = cut.series.take();
        let batch = last.as_ref().map_or_else(|| cut.clone(), |last| cut.since(last));
        batches.push(if goes_on.is_some() { batch.without_end() } else { batch });
        last = Some(cut);
        let Some(whole) = goes_on else { break };
        oracle = Oracle::new(model, key, None);
        oracle.go_on_from_whole(&whole)?;
    }
    let Some(mut outcome) = last else { return Err(QueueingError::NoReplication) };
    // Batches that are not all there are no intervals of what is.
    outcome.batches = if all.interrupted { vec![] } else { batches };
    outcome.series = series;
    let Summary { events, clock, interrupted, wall } = all;
    let details = NetworkDetails { completions, appointments: None };
    Ok(Run {
        events,
        wall: wall.saturating_sub(setup),
        setup,
        interrupted,
        ..Run::at(clock, vec![outcome], details, Some(1))
    })
}
