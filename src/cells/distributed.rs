//! A run of cells over several ranks, each with a band of the space.

mod bands;
mod log;
pub(super) mod messages;
mod parts;
mod rank;

use std::num::NonZeroUsize;
use std::time::Duration;

use super::checkpoint::Checkpoint;
use super::log::CellLog;
use super::model::check as check_model;
use super::replications::Replications;
use super::{CellError, CellModel, CellOutcome, fronts, reference};
pub(super) use bands::Band;
pub use bands::Bands;
use log::RankLog;
use tickless_core::ranks::{Failure, Ranks, Transport, agree, windows};
use tickless_core::run::{Adding, Pause, Run, RunMode, Watch};
use tickless_core::time::Time;

/// Runs a model on the heap over several ranks, each with a band of the space, one replication after the other; returns the result on
/// rank 0, and nothing on others. Rank 0 takes the log.
///
/// # Errors
/// Bands that do not fit the ranks; errors of the heap; a checkpoint of another model; a rank that fails.
pub(super) fn run<M: CellModel>(
    model: &Replications<'_, M>,
    (mut ranks, bands): (Ranks<'_>, Option<Bands>),
    log: Option<&mut dyn CellLog>,
    mode: RunMode<'_, Checkpoint>,
    watch: &mut dyn Watch,
) -> Result<Run<Checkpoint>, CellError> {
    let (from, kept) = (mode.from, mode.keeps());
    if ranks.count() == 1 && bands.is_none() && !kept {
        // It meets nobody.
        let run = reference::simulate(model, Some(NonZeroUsize::MIN), log, watch)?;
        return Ok(run.map(|outcome| Checkpoint { outcome, clocks: vec![] }));
    }
    let log = log.filter(|_| !kept);
    let count = ranks.count();
    let from = from.filter(|from| !from.clocks.is_empty());
    let bands = || {
        check_model(model)?;
        from.map_or(Ok(()), |from| from.check(model))?;
        cut(model, bands, count)
    };
    let bands = ranks.agree(bands).map_err(Failure::into_error)?;
    let threads = matches!(ranks, Ranks::Threads(_)).then_some(count as usize);
    let asked = Asked { model, bands: &bands, from: from.filter(|from| !from.begins_again(model)), kept };
    let run = ranks.run_giving(log, |transport, log, watch| asked.run(transport, log.flatten(), watch), watch);
    let run = run.map_err(Failure::into_error)?.map(|run| Run { threads, ..run });
    Ok(run.unwrap_or_else(|| Run::nothing(model.until(), None, false).map(|()| Checkpoint::default())))
}

/// The band of each rank.
fn cut(model: &impl CellModel, bands: Option<Bands>, ranks: u32) -> Result<Bands, CellError> {
    let (space, layers) = (model.space(), Bands::layers(model.space()));
    if bands.is_none() && ranks > layers {
        return Err(CellError::TooManyRanks { ranks, layers });
    }
    let bands = bands.unwrap_or_else(|| Bands::even(space, ranks));
    bands.check(space, ranks)?;
    Ok(bands)
}

/// The model, the checkpoint from which it resumes, and whether another run resumes from its end.
struct Asked<'a, M> {
    model: &'a Replications<'a, M>,
    bands: &'a Bands,
    from: Option<&'a Checkpoint>,
    kept: bool,
}

impl<M: CellModel> Asked<'_, M> {
    /// One replication after the other, on this rank.
    fn run(
        &self,
        transport: &mut dyn Transport,
        mut log: Option<&mut dyn CellLog>,
        watch: &mut dyn Watch,
    ) -> Result<Option<Run<Checkpoint>>, Failure<CellError>> {
        let Self { model, bands, from, kept } = *self;
        let (is_first, base, until) = (transport.rank() == 0, model.first(), model.until());
        let logged = transport.least(u64::from(log.is_none()))? == 0;
        let begun = Checkpoint::copied(model, from.filter(|_| is_first));
        let Checkpoint { mut outcome, .. } = agree(transport, begun.map_err(CellError::from))?;
        let mut clocks = from.map_or(vec![], |from| from.clocks.clone());
        let (mut events, mut rounds, mut wall, mut setup) = (0, 0, Duration::ZERO, Duration::ZERO);
        for number in 0..model.count() {
            let place = number as usize;
            if clocks.get(place) == Some(&until) {
                continue;
            }
            let from = from.filter(|_| place < clocks.len() && model.fronts().is_none());
            let one = model.part(number..number + 1, from.map(|from| &from.outcome));
            let watch = &mut Adding::new(watch, events, wall);
            let (band, may_end) = (Band::of(model.space(), bands, transport.rank()), place == 0);
            // The log of fronts is written from their times, at the end.
            let log_of_rank = RankLog::new(&one, logged && model.fronts().is_none(), again(&mut log));
            let band = if log_of_rank.is_wanted() { band.logged() } else { band };
            let share = Share { band, log: log_of_rank, may_end, watch };
            let ended = rank::replication(&one, share, transport)?;
            let Ended { summary, counts: [transitions, imminent], own, setup: took } = ended;
            (rounds, wall, setup) = (rounds + summary.rounds, wall + summary.wall, setup + took);
            // The first replication that has not ended is returned at its clock, from which another run can resume.
            let ended = !summary.interrupted;
            if ended || place == 0 || kept && model.fronts().is_none() {
                let whole = parts::gather(&one, bands, own, transport)?;
                let put = |whole: CellOutcome| {
                    if let Some(log) = again(&mut log).filter(|_| ended && model.fronts().is_some()) {
                        fronts::write(log, base + number, &whole.state)?;
                    }
                    Ok(outcome.put(place, CellOutcome { transitions, imminent, ..whole })?)
                };
                agree(transport, whole.map_or(Ok(()), put))?;
                events += transitions;
                clocks.splice(place..clocks.len().min(place + 1), [summary.clock]);
            }
            let pauses = is_first && watch.pause(Pause::BetweenReplications);
            if !ended || transport.least(u64::from(!pauses))? == 0 {
                break;
            }
        }
        let has_ended = |clock: &Time| *clock == until;
        let interrupted = clocks.len() < model.count() as usize || !clocks.iter().all(has_ended);
        let clock = clocks.iter().copied().min().unwrap_or(until);
        let end = Checkpoint { outcome, clocks };
        let run = Run { events, rounds: Some(rounds), wall, setup, interrupted, ..Run::at(clock, end, (), None) };
        Ok(is_first.then_some(run))
    }
}

/// The same log, for one of several uses.
fn again<'a>(log: &'a mut Option<&mut dyn CellLog>) -> Option<&'a mut dyn CellLog> {
    log.as_mut().map(|log| &mut **log as &mut dyn CellLog)
}

/// A rank's share of a replication.
pub(super) struct Share<'a, 'w> {
    pub(super) band: Band<'a>,
    pub(super) log: RankLog<'w>,
    /// Whether the watch may end the set-up.
    pub(super) may_end: bool,
    pub(super) watch: &'w mut dyn Watch,
}

/// A replication that has ended, or at its clock.
pub(super) struct Ended {
    pub(super) summary: windows::Summary,
    /// Transitions of all cells, and of imminent ones: on rank 0 those of all ranks.
    pub(super) counts: [u64; 2],
    /// The cells of this rank.
    pub(super) own: CellOutcome,
    pub(super) setup: Duration,
}
