//! One rank of a run over several: the steps that all ranks share.

use std::time::Instant;

use super::parts;
use super::{Checkpoint, ProcessDetails, ProcessError};
use tickless_core::ranks::{Failure, Part, Transport, agree, tally, windows};
use tickless_core::run::{Run, RunMode, Wanted, Watch};
use tickless_core::time::Time;

/// The block of processes of a rank, at work.
pub(super) trait Block: Part<Error = ProcessError> {
    /// Words of the state of each process.
    fn state_words(&self) -> usize;

    /// Messages that events sent to another process.
    fn remote(&self) -> u64;

    /// The result of the block; every event before the clock has happened on every rank, and no other event.
    fn end(self, clock: Time, wanted: Wanted) -> Result<Checkpoint, ProcessError>;
}

/// Begins a block and runs it with those of the other ranks; what there is of all at the end, on rank 0. The processes of this
/// one begin with number `first`.
pub(super) fn run<B: Block>(
    begin: impl FnOnce(&mut dyn Watch) -> Result<B, ProcessError>,
    first: u32,
    until: Time,
    RunMode { from, wanted }: RunMode<'_, Checkpoint>,
    transport: &mut dyn Transport,
    watch: &mut dyn Watch,
) -> Result<Option<Run<Checkpoint, ProcessDetails>>, Failure<ProcessError>> {
    let begun = Instant::now();
    let block = begin(watch);
    let mut block = agree(transport, block)?;
    let states = same_states(&block, first, transport)?;
    agree(transport, states)?;
    let setup = begun.elapsed();
    let summary = windows::run(&mut block, [Time::ZERO, until], transport, watch)?;
    let [events, remote] = tally(transport, [summary.events, block.remote()])?;
    let own = block.end(summary.clock, wanted);
    let own = agree(transport, own)?;
    let whole = parts::gather(own, (first, wanted), transport)?;
    // A device that ran before has not counted them.
    let before = from.map_or(Some(0), |from| from.remote);
    let remote = before.map(|before| before + remote);
    let windows::Summary { rounds, clock, interrupted, wall, .. } = summary;
    Ok(whole.map(|whole| {
        let (end, details) = (Checkpoint { remote, ..whole }, ProcessDetails { remote, pending: None, node: None });
        Run { events, rounds: Some(rounds), wall, setup, interrupted, ..Run::at(clock, end, details, None) }
    }))
}

/// Refuses states whose length differs from that of process 0: a rank knows only its own processes.
fn same_states<B: Block>(
    block: &B,
    process: u32,
    transport: &mut dyn Transport,
) -> Result<Result<(), ProcessError>, Failure<ProcessError>> {
    let words = block.state_words();
    let of_first = if transport.rank() == 0 { words as u64 } else { u64::MAX };
    let expected = transport.least(of_first)? as usize;
    Ok(if words == expected { Ok(()) } else { Err(ProcessError::State { process, words, expected }) })
}
