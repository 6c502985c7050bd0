//! Runs in batches, for intervals of one replication.

use super::error::BatchMeansError;
use super::{NetworkDetails, NetworkModel, NetworkOutcome, QueueingError, capability, reference};
use std::borrow::Cow;
use tickless_core::run::{Run, Watch};
use tickless_core::time::Time;

/// The most batches, each of which has records of its own.
const MOST: u32 = 1000;

/// Runs one replication on the heap and divides its measured time into batches of one length. Figures of the outcome have intervals by the
/// means of batches (Schmeiser 1982), as if each were a replication: right where a batch is so long that its mean hardly depends on the batch
/// before. The outcome is otherwise that of any other run of this replication, with its digest.
///
/// # Errors
/// [`BatchMeansError`]; of approximate time [`QueueingError::NoCheckpoint`]; as a run on the heap.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::{queueing::{self, Figures, Network, Source, Station}, run::unwatched};
/// let mut network = Network::new().until(40_000.0);
/// let desk = network.station(Station::new("desk", "exponential:0.5".parse()?));
/// let exit = network.sink("exit");
/// network.source(Source::new("in", "exponential:1".parse()?, desk));
/// network.route(desk, exit, 1.0, 0.0);
/// let model = network.check()?;
/// let run = queueing::batch_means(&model, 0, 20, &mut unwatched())?;
/// let wait = Figures::of_station(&model, desk.index(), &run.outcome).mean_waiting_time;
/// // Pollaczek and Khinchine: 0.5.
/// assert!((wait.mean - 0.5).abs() < 2.0 * wait.half_width.expect("there are 20 batches"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn batch_means(
    model: &NetworkModel,
    replication: u32,
    count: u32,
    watch: &mut dyn Watch,
) -> Result<Run<Vec<NetworkOutcome>, NetworkDetails>, QueueingError> {
    let measured = model.until().ticks() - model.warmup().ticks();
    if !(2..=MOST).contains(&count) || u64::from(count) > measured {
        return Err(BatchMeansError { count, measured: Time::from_ticks(measured).units() }.into());
    }
    capability::check_checkpoints(model, true)?;
    let model = if model.torus().is_some() { model.in_lists()? } else { Cow::Borrowed(model) };
    let end = |batch: u32| {
        let part = u128::from(measured) * u128::from(batch) / u128::from(count);
        Time::from_ticks(model.warmup().ticks() + part as u64)
    };
    let ends: Vec<Time> = (1..=count).map(end).collect();
    reference::batch_means(&model, replication, &ends, watch)
}
