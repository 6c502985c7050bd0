//! PHOLD as in the paper.

use crate::CommandError;
use crate::reproduce::lab::Lab;
use tickless_engine as engine;
use tickless_engine::pending::PendingSet;
use tickless_processes::gpu::ProcessOptions;
use tickless_processes::{self as processes, Phold, PholdModel};

/// The least increment between two events.
const LOOKAHEAD: f64 = 10.0;
/// The most rounds of a run, in a quick and in a full run.
const ROUNDS: [f64; 2] = [20.0, 20_000.0];
/// The most events of a run.
const EVENTS: [f64; 2] = [2e4, 2e7];

/// A rate of events, and the time of the whole run, in seconds.
#[derive(Clone, Copy)]
pub struct Measured {
    pub rate: f64,
    pub took: f64,
}

/// PHOLD of so many processes with so many events each, whose increments beyond the lookahead have this rate.
fn model(lab: &Lab<'_>, [processes, each]: [u32; 2], rate: f64) -> Result<PholdModel, CommandError> {
    let mean = 1.0 / rate;
    let [rounds, events] = [ROUNDS, EVENTS].map(|[quick, full]| lab.by_scale(quick, full));
    let per_unit = f64::from(processes) * f64::from(each) / (LOOKAHEAD + mean);
    // In a round some process executes an event, and time goes on by the lookahead where events are close.
    let until = (events / per_unit).min(rounds * LOOKAHEAD.max(1.0 / per_unit));
    Ok(Phold::new(processes).population(each).lookahead(LOOKAHEAD).mean(mean).until(until).check()?)
}

/// Events a second with a set, each process executing its earliest event in a round.
pub fn measure(
    lab: &Lab<'_>,
    what: &str,
    sizes: [u32; 2],
    rate: f64,
    (pending, workgroup): (PendingSet, u32),
) -> Result<Option<Measured>, CommandError> {
    let model = model(lab, sizes, rate)?;
    let rounds = engine::Options { workgroup, ..engine::Options::default() };
    let options =
        ProcessOptions { pending, one_event_a_round: true, figures_only: true, rounds, ..ProcessOptions::default() };
    let run = lab.in_rounds(what, 1, |target, watch| processes::run(&model, target, options, watch))?;
    Ok(run.map(|run| Measured { rate: run.events_per_second(), took: (run.wall + run.setup).as_secs_f64() }))
}
