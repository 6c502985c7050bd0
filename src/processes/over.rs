//! A run of logical processes over several ranks.

use std::ops::Range;

use super::rank::Course;
use super::reference::{self, over};
use super::{Checkpoint, Outcome, ProcessDetails, ProcessError, ProcessModel};
use tickless_core::ranks::{Failure, Ranks, Wanted};
use tickless_core::run::{Run, Watch};
use tickless_core::time::Time;

/// The processes of each rank: blocks one after the other.
///
/// ```
/// # use tickless_processes::facade as tickless;
/// use tickless::processes::Blocks;
/// let even = Blocks::even(10, 3);
/// assert_eq!([0, 1, 2].map(|rank| even.block(rank)), [0..4, 4..7, 7..10]);
/// assert_eq!(Blocks::of_sizes(&[4, 3, 3]), even);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blocks {
    /// Where each block ends. The sum may be more than processes can be numbered.
    ends: Vec<u64>,
}

impl Blocks {
    /// Blocks of equal size, the first ones by one larger where that does not come out even.
    pub fn even(processes: u32, ranks: u32) -> Self {
        let size = |rank| processes / ranks.max(1) + u32::from(rank < processes % ranks.max(1));
        Self::of_sizes(&(0..ranks).map(size).collect::<Vec<_>>())
    }

    /// Blocks of such sizes: where processes at the begin have more to do than others, or ranks are not equally fast.
    pub fn of_sizes(sizes: &[u32]) -> Self {
        let end = |end: &mut u64, size: &u32| {
            *end += u64::from(*size);
            Some(*end)
        };
        Self { ends: sizes.iter().scan(0, end).collect() }
    }

    /// The processes of a rank.
    pub fn block(&self, rank: u32) -> Range<u32> {
        let end = |rank: usize| self.ends.get(rank).copied().unwrap_or(0) as u32;
        let begin = (rank as usize).checked_sub(1).map_or(0, end);
        begin..end(rank as usize)
    }

    /// The rank of a process.
    pub(super) fn rank_of(&self, process: u32) -> u32 {
        self.ends.partition_point(|end| *end <= u64::from(process)) as u32
    }

    fn check(&self, processes: u32, ranks: u32) -> Result<(), ProcessError> {
        let begins = std::iter::once(&0).chain(&self.ends);
        let all = self.ends.last().copied().unwrap_or(0);
        let whole = self.ends.len() == ranks as usize && all == u64::from(processes);
        if whole && begins.zip(&self.ends).all(|(begin, end)| begin < end) {
            return Ok(());
        }
        let (blocks, ranks) = (self.ends.len() as u64, ranks.into());
        Err(ProcessError::Blocks { blocks, processes: all, ranks, expected: processes.into() })
    }
}

/// How logical processes run over ranks. None of it changes a result.
///
/// ```
/// # use tickless_processes::facade as tickless;
/// use tickless::processes::{Blocks, OverOptions};
/// let options = OverOptions { blocks: Some(Blocks::of_sizes(&[10, 30])), ..Default::default() };
/// assert!(!options.figures_only);
/// ```
#[derive(Clone, Debug, Default)]
pub struct OverOptions {
    /// The processes of each rank; `None` for blocks of equal size.
    pub blocks: Option<Blocks>,
    /// Whether figures and the digest are enough: the outcome has [`added_up`](Outcome::added_up) in place of records then, and
    /// ranks send a few words in place of them. One rank alone has its records all the same.
    pub figures_only: bool,
}

/// Runs a model on the heap over several ranks, each with a block of processes, to the records and the digest of a run on one. The
/// run is given back on rank 0, and `None` on others: with [`Ranks::Threads`] it is always there.
///
/// A round goes as far as the lookahead allows: what a round costs, some microseconds, must be little beside the events in it.
///
/// # Errors
/// [`ProcessError`]: what [`reference::run`](super::reference::run) returns; more ranks than processes, blocks that are not those of
/// the ranks; a rank that fails or is gone.
///
/// ```
/// # use tickless_processes::facade as tickless;
/// use std::num::NonZeroU32;
/// use tickless::processes::{self, OverOptions, Phold};
/// use tickless::{ranks::Ranks, run::unwatched};
/// let model = Phold::new(64).population(2).until(50.0).check()?;
/// let two = || Ranks::Threads(NonZeroU32::new(2).unwrap());
/// let run = processes::run_over(&model, two(), Default::default(), &mut unwatched())?.unwrap();
/// assert_eq!(run.outcome, processes::reference::run(&model, &mut unwatched())?.outcome);
///
/// // Without records: the same figures and the same digest.
/// let options = OverOptions { figures_only: true, ..Default::default() };
/// let figures = processes::run_over(&model, two(), options, &mut unwatched())?.unwrap().outcome;
/// assert_eq!((figures.statistics(), figures.digest()), (run.outcome.statistics(), run.outcome.digest()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run_over<M: ProcessModel + Sync>(
    model: &M,
    ranks: Ranks<'_>,
    options: OverOptions,
    watch: &mut dyn Watch,
) -> Result<Option<Run<Outcome, ProcessDetails>>, ProcessError> {
    let wanted = if options.figures_only { Wanted::Figures } else { Wanted::Records };
    let run = simulate(model, ranks, options.blocks, Course { from: None, wanted }, watch)?;
    Ok(run.map(|run| run.map(|end| end.outcome)))
}

/// The same from a checkpoint on, or from time 0, to what another run can go on from, over other ranks or on another backend.
/// The checkpoint is whole, and the same on every rank.
///
/// # Errors
/// As [`run_over`]; [`ProcessError::Checkpoint`] where it is not of this model.
///
/// ```
/// # use tickless_processes::facade as tickless;
/// use std::num::NonZeroU32;
/// use tickless::processes::{self, Phold};
/// use tickless::{ranks::Ranks, run::unwatched};
/// let model = Phold::new(64).until(50.0).check()?;
/// let ranks = Ranks::Threads(NonZeroU32::new(3).unwrap());
/// let run = processes::run_from_over(&model, None, ranks, None, &mut unwatched())?.unwrap();
/// assert_eq!(run.outcome, processes::reference::run_from(&model, None, &mut unwatched())?.outcome);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run_from_over<M: ProcessModel + Sync>(
    model: &M,
    from: Option<&Checkpoint>,
    ranks: Ranks<'_>,
    blocks: Option<Blocks>,
    watch: &mut dyn Watch,
) -> Result<Option<Run<Checkpoint, ProcessDetails>>, ProcessError> {
    simulate(model, ranks, blocks, Course { from, wanted: Wanted::Checkpoint }, watch)
}

fn simulate<M: ProcessModel + Sync>(
    model: &M,
    mut ranks: Ranks<'_>,
    blocks: Option<Blocks>,
    course: Course<'_>,
    watch: &mut dyn Watch,
) -> Result<Option<Run<Checkpoint, ProcessDetails>>, ProcessError> {
    let count = ranks.count();
    let blocks = ranks.agree(cut(model, blocks, count)).map_err(Failure::into_error)?;
    if count == 1 {
        // It meets nobody.
        return reference::run_alone(model, (course.from, course.wanted == Wanted::Checkpoint), watch).map(Some);
    }
    let threads = matches!(ranks, Ranks::Threads(_)).then_some(count as usize);
    let run = ranks.run(|transport, watch| over::simulate(model, &blocks, course, transport, watch), watch);
    Ok(run.map_err(Failure::into_error)?.map(|run| Run { threads, ..run }))
}

/// The processes of each rank, for a model that goes over them.
fn cut<M: ProcessModel>(model: &M, blocks: Option<Blocks>, count: u32) -> Result<Blocks, ProcessError> {
    let (processes, until) = (model.processes(), model.until());
    if blocks.is_none() && count > processes.max(1) {
        return Err(ProcessError::TooManyRanks { ranks: count, processes });
    }
    if until > MOST {
        return Err(ProcessError::Horizon { until, most: MOST });
    }
    let blocks = blocks.unwrap_or_else(|| Blocks::even(processes, count));
    if processes > 0 {
        blocks.check(processes, count)?;
    }
    Ok(blocks)
}

/// The latest horizon: ranks tell each other more than times with one word.
const MOST: Time = Time::from_ticks(1 << 63);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_process_is_in_one_block() {
        for (processes, ranks) in [(1, 1), (7, 3), (9, 3), (1000, 7), (u32::MAX, 2)] {
            let blocks = Blocks::even(processes, ranks);
            blocks.check(processes, ranks).unwrap();
            for rank in 0..ranks {
                let Range { start, end } = blocks.block(rank);
                assert_eq!((blocks.rank_of(start), blocks.rank_of(end - 1)), (rank, rank));
            }
            assert_eq!((blocks.block(0).start, blocks.block(ranks - 1).end), (0, processes));
        }
    }

    #[test]
    fn blocks_that_are_not_those_of_the_ranks_are_refused() {
        for sizes in [&[3, 3][..], &[3, 3, 3, 1], &[5, 5, 0], &[4, 4, 3], &[u32::MAX, 2, 9], &[]] {
            let error = Blocks::of_sizes(sizes).check(10, 3).unwrap_err();
            assert!(matches!(error, ProcessError::Blocks { ranks: 3, expected: 10, .. }), "{error}");
        }
        let error = Blocks::of_sizes(&[5, 4]).check(10, 3).unwrap_err().to_string();
        assert!(
            error.starts_with("2 blocks with 9 processes in all are given, for 3 ranks and a model with 10"),
            "{error}"
        );
    }
}
