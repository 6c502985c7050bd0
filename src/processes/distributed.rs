//! A run of logical processes over several ranks.

use std::ops::Range;

use super::reference::{self, Announced, distributed};
use super::{Checkpoint, ProcessDetails, ProcessError, ProcessModel};
use tickless_core::ranks::{Failure, Ranks};
use tickless_core::run::{Run, RunMode, Watch};
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
    /// Where each block ends. The sum may exceed the numbers of processes.
    ends: Vec<u64>,
}

impl Blocks {
    /// Blocks of equal size, the first ones larger by one where processes do not divide evenly.
    pub fn even(processes: u32, ranks: u32) -> Self {
        let size = |rank| processes / ranks.max(1) + u32::from(rank < processes % ranks.max(1));
        Self::of_sizes(&(0..ranks).map(size).collect::<Vec<_>>())
    }

    /// Blocks of these sizes: where the first processes have more work than others, or ranks are not equally fast.
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

/// Runs a model on the heap over several ranks, each with a block of processes; returns the result on rank 0, and nothing on others.
///
/// # Errors
/// Blocks that do not fit the ranks; errors of the heap; a rank that fails.
pub(super) fn run<M: ProcessModel + Sync>(
    model: &M,
    (mut ranks, blocks): (Ranks<'_>, Option<Blocks>),
    mode: RunMode<'_, Checkpoint>,
    watch: &mut dyn Watch,
) -> Result<Run<Checkpoint, ProcessDetails>, ProcessError> {
    let count = ranks.count();
    let blocks = ranks.agree(|| cut(model, blocks, count)).map_err(Failure::into_error)?;
    if count == 1 {
        // It meets nobody.
        return reference::simulate(model, Announced::ANYTHING, mode, watch);
    }
    let threads = matches!(ranks, Ranks::Threads(_)).then_some(count as usize);
    let run = ranks.run(|transport, watch| distributed::simulate(model, &blocks, mode, transport, watch), watch);
    let run = run.map_err(Failure::into_error)?.map(|run| Run { threads, ..run });
    Ok(run.unwrap_or_else(|| Run::nothing(model.until(), None, false).map(|()| Checkpoint::default())))
}

/// The processes of each rank, for a model that can run over ranks.
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

/// The latest horizon: a word between ranks holds more than a time.
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
