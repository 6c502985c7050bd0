//! Shards of ensembles of fires.

use std::ops::Range;

use super::FireCase;
use super::arguments::{FireArguments, FireFiles};
use crate::CommandError;
use crate::case::RunOf;
use crate::cases::cells::CellCase;
use crate::replications::ReplicationRange;
use crate::shard::{MergeFiles, Merged, Shard, Sharded, refuse};
use tickless_cells::CellModel as _;
use tickless_core::archive::{ArchiveError, Arrays};
use tickless_core::time::Time;
use tickless_fire::shard::{arrays_of, merged};

impl Sharded for FireCase {
    fn numbers(&self, run: &RunOf<Self>) -> Range<u32> {
        self.arguments.replications.with_count(run.outcome.replications).numbers()
    }

    fn with_numbers(mut arguments: FireArguments, numbers: Range<u32>) -> FireArguments {
        arguments.replications = ReplicationRange::of(numbers);
        arguments
    }

    fn horizon(&self) -> Time {
        self.model.until()
    }

    fn arrays(&self, run: &RunOf<Self>) -> Result<Arrays, ArchiveError> {
        Ok(arrays_of(&self.model, &run.outcome))
    }

    fn merge(&mut self, shards: Vec<Shard>, all: Merged) -> Result<RunOf<Self>, (usize, ArchiveError)> {
        let mut place = 0;
        let parts = shards.into_iter().enumerate().map(|(own, shard)| {
            place = own;
            (shard.numbers, shard.arrays)
        });
        let found = merged(&self.model, parts);
        let (outcome, burnt) = found.map_err(|error| (place, error))?;
        self.burnt = Some(burnt);
        Ok(all.run(outcome, ()))
    }

    fn files_of_merge(&self, files: MergeFiles) -> Result<FireFiles, CommandError> {
        let MergeFiles { stations, classes, histograms, series, folded, probability, picture } = files;
        let others = [
            ("--stations", stations),
            ("--classes", classes),
            ("--histograms", histograms),
            ("--series", series),
            ("--folded", folded),
        ];
        refuse(<Self as CellCase>::NAME, others)?;
        Ok(FireFiles { probability, picture, ..FireFiles::default() })
    }
}
