//! Sums of first passages that a kernel behind the last round makes, where no caller asks for the time of each cell
//! (`shaders/cells/add_passages.wgsl`).

use crate::{AddedUpCells, CellOutcome, Passages};
use tickless_core::run::Sums;
use tickless_core::time::Time;
use tickless_device::{AdapterKind, DeviceError};
use tickless_engine::{ModelParts, Results, Rounds, StageKernel, add_results};

/// The words of each thread.
const WORDS: u32 = 8;

/// Lets a device add up some replications, which have `slots` slots together; each has the same number of threads.
pub(super) fn add_up(parts: &mut ModelParts, kernel: StageKernel, [slots, replications]: [u32; 2], kind: AdapterKind) {
    add_results(parts, vec![kernel], [slots, replications], WORDS, kind);
}

/// Adds the device's sums to those of earlier replications.
///
/// # Errors
/// A lost device.
pub(super) fn read(rounds: &mut Rounds, replications: u32, outcome: &mut CellOutcome) -> Result<(), DeviceError> {
    rounds.add_up()?;
    let results = Results::read(rounds, WORDS as usize)?;
    let share = results.count() / replications as usize;
    let all = outcome.added_up.get_or_insert_with(|| AddedUpCells { passages: vec![], sums: Sums::default() });
    all.sums += results.sums(0);
    all.passages.extend((0..replications as usize).map(|replication| {
        let threads = replication * share..(replication + 1) * share;
        let sum = |word| threads.clone().map(|thread| results.of(thread, word)).sum::<u64>();
        let last = threads.clone().map(|thread| results.of(thread, 7)).max().map(Time::from_ticks);
        // A replication has fewer than 2^32 cells: those at the border are counted in the high words.
        let (cells, edge) = (sum(4) & u64::from(u32::MAX), sum(4) >> 32);
        Passages { cells, edge, sides: sum(5), corners: sum(6), last: last.filter(|_| cells > 0) }
    }));
    Ok(())
}
