//! The arrays of a shard of an ensemble of fires, in words of 64 bits, and how shards are merged.
//!
//! `sums` are those of the digest, `transitions` all transitions and those of imminent cells; `passages` has a row a replication
//! (cells, those at the border, sides, corners, and the last ignition in ticks, all ones where nothing burnt), `burnt` how many fires reached each cell.

use std::ops::Range;

use rayon::prelude::*;

use super::{Arrivals, BurnCounts, FireModel};
use tickless_cells::{AddedUpCells, CellModel as _, CellOutcome, Passages};
use tickless_core::archive::{ArchiveError, Arrays, wrong};
use tickless_core::run::Sums;
use tickless_core::time::Time;

/// The arrays of fires whose cells are all in memory.
///
/// # Panics
/// Where the run has no arrays ([`CellOutcome::added_up`]).
pub fn arrays_of(model: &FireModel, outcome: &CellOutcome) -> Arrays {
    let of_one = |replication| Arrivals::of(model, outcome, replication).passages();
    let passages: Vec<Passages> = (0..outcome.replications).into_par_iter().map(of_one).collect();
    let burnt = BurnCounts::of(model, outcome);
    let last = |last: Option<Time>| last.unwrap_or(Time::NEVER).ticks();
    let row = |one: Passages| [one.cells, one.edge, one.sides, one.corners, last(one.last)];
    let mut arrays = Arrays::default();
    arrays.add_list("sums", outcome.sums().lanes().to_vec());
    arrays.add_list("transitions", vec![outcome.transitions, outcome.imminent]);
    arrays.add("passages", passages.len(), passages.into_iter().flat_map(row).collect());
    arrays.add_list("burnt", burnt.counts().iter().map(|count| u64::from(*count)).collect());
    arrays
}

/// The results of fires of adjoining ranges together, in the order of their numbers.
///
/// # Errors
/// [`ArchiveError::Array`] where the arrays are of another landscape, or of other ranges.
pub fn merged(
    model: &FireModel,
    parts: impl IntoIterator<Item = (Range<u32>, Arrays)>,
) -> Result<(CellOutcome, BurnCounts), ArchiveError> {
    let cells = model.space().cells() as usize;
    let mut outcome = CellOutcome { size: model.space().size(), ..CellOutcome::default() };
    let mut all = AddedUpCells { passages: vec![], sums: Sums::default() };
    let mut burnt = vec![0_u32; cells];
    for (range, mut arrays) in parts {
        if outcome.replications == 0 {
            outcome.first_replication = range.start;
        }
        outcome.replications += range.len() as u32;
        all.sums += Sums::from(list(&mut arrays, "sums")?);
        let [transitions, imminent] = list(&mut arrays, "transitions")?;
        (outcome.transitions, outcome.imminent) = (outcome.transitions + transitions, outcome.imminent + imminent);
        let rows = arrays.take("passages", range.len(), 5)?;
        all.passages.extend(rows.as_chunks().0.iter().map(|&[cells, edge, sides, corners, last]| {
            let last = Some(Time::from_ticks(last)).filter(|last| *last < Time::NEVER);
            Passages { cells, edge, sides, corners, last }
        }));
        let more = arrays.take_list("burnt")?;
        if more.len() != cells || more.iter().any(|count| *count > range.len() as u64) {
            let fault = format!("is not {cells} numbers from 0 to {}", range.len());
            return Err(wrong("burnt", fault));
        }
        burnt.iter_mut().zip(more).for_each(|(sum, count)| *sum += count as u32);
    }
    let frame = model.description().landscape().frame();
    let burnt = BurnCounts::of_counts(frame, outcome.replications, burnt);
    outcome.added_up = Some(all);
    Ok((outcome, burnt))
}

/// A list of a fixed number of words.
fn list<const N: usize>(arrays: &mut Arrays, name: &str) -> Result<[u64; N], ArchiveError> {
    let words = arrays.take_list(name)?;
    <[u64; N]>::try_from(words)
        .map_err(|words| wrong(name, format!("has {} words, and {N} were expected", words.len())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fire, Landscape, Weather};
    use tickless_cells as cells;
    use tickless_core::run::unwatched;
    use tickless_device::Target;

    fn fires(range: Range<u32>) -> (FireModel, CellOutcome) {
        let land = Landscape::made_up(24, 17, 5).unwrap();
        let model = Fire::new(land, Weather::still()).until(700.0).seed(3).check().unwrap();
        let run = cells::run(&model, range, Target::Heap, Default::default(), &mut unwatched()).unwrap();
        (model, run.outcome)
    }

    #[test]
    fn parts_of_an_ensemble_are_the_whole() {
        let (whole, outcome) = fires(0..7);
        let parts = || [0..2, 2..3, 3..7].map(|range| (range.clone(), fires(range)));
        for (range, (_, part)) in parts() {
            let cells = 2 * outcome.cells();
            assert_eq!(part.state, outcome.state[range.start as usize * cells..][..range.len() * cells], "{range:?}");
        }
        let shards = || parts().map(|(range, (model, part))| (range, arrays_of(&model, &part)));
        let (found, burnt) = merged(&whole, shards()).unwrap();
        assert_eq!((found.first_difference(&outcome), found.digest()), (None, outcome.digest()));
        let mut expected = BurnCounts::new(whole.description().landscape().frame());
        (0..7).for_each(|replication| expected.add(&Arrivals::of(&whole, &outcome, replication)).unwrap());
        assert_eq!((&burnt, &BurnCounts::of(&whole, &outcome)), (&expected, &expected));
        let passages: Vec<_> =
            (0..7).map(|replication| Arrivals::of(&whole, &outcome, replication).passages()).collect();
        assert_eq!(found.added_up.unwrap().passages, passages);
        // A fire counted in place of another one makes another ensemble.
        let [first, _, last] = shards();
        let twice = fires(1..2);
        let (other, _) = merged(&whole, [first, (2..3, arrays_of(&twice.0, &twice.1)), last]).unwrap();
        assert_ne!(other.digest(), outcome.digest());
    }

    #[test]
    fn arrays_of_another_landscape_are_refused() {
        let (model, outcome) = fires(0..2);
        let arrays = || arrays_of(&model, &outcome);
        let said = |range, arrays| merged(&model, [(range, arrays)]).unwrap_err().to_string();
        assert!(said(0..3, arrays()).contains("`passages` has the shape [2, 5], and [3, 5] was expected"));
        let mut short = arrays();
        short.add_list("burnt", vec![0; 3]);
        assert!(said(0..2, short).contains("`burnt` is not 408 numbers from 0 to 2"));
        let mut few = arrays();
        few.add_list("sums", vec![1, 2, 3]);
        assert!(said(0..2, few).contains("`sums` has 3 words, and 4 were expected"));
    }
}
