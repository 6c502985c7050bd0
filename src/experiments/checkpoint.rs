//! The state of an experiment, in the arrays of a file.

use super::experiment::Experiment;
use super::outcome::{ExperimentOutcome, PointOutcome};
use tickless_core::archive::{ArchiveError, Arrays, wrong};
use tickless_core::run::Digest;

/// Words of a digest.
const DIGEST: usize = 4;

impl ExperimentOutcome {
    /// The points from which [`arrays_of`] made these arrays, for this experiment.
    ///
    /// # Errors
    /// An array that does not fit the experiment.
    #[doc(hidden)]
    pub fn from_arrays(experiment: &Experiment, arrays: Arrays) -> Result<Self, ArchiveError> {
        let points = points_of(experiment.measures().len(), arrays)?;
        if points.len() != experiment.points().len() {
            let (found, known) = (points.len(), experiment.points().len());
            return Err(wrong("counts", format!("has {found} points, and the experiment {known}")));
        }
        Ok(Self { points, best: None })
    }
}

/// The arrays of points: the number of replications of each, and for each replication of all points one after the other the digest, and the
/// bits of two numbers for every measure.
///
/// # Errors
/// Too little memory.
pub fn arrays_of(points: &[PointOutcome]) -> Result<Arrays, ArchiveError> {
    let counts: Vec<u64> = points.iter().map(|point| point.digests.len() as u64).collect();
    let rows = counts.iter().sum::<u64>() as usize;
    let measures = points.iter().map(|point| point.measured.len()).max().unwrap_or(0);
    let bytes = rows as u64 * 8 * (DIGEST + 2 * measures) as u64;
    tickless_core::memory::room_of(bytes, "the replications of a checkpoint")?;
    let (mut digests, mut measured) = (Vec::with_capacity(DIGEST * rows), Vec::with_capacity(2 * measures * rows));
    for point in points {
        for (replication, digest) in point.digests.iter().enumerate() {
            digests.extend(digest.words());
            measured.extend(point.measured.iter().flat_map(|pairs| pairs[replication].map(f64::to_bits)));
        }
    }
    let mut arrays = Arrays::default();
    arrays.add_list("counts", counts);
    arrays.add("digests", rows, digests);
    arrays.add("measured", rows, measured);
    Ok(arrays)
}

/// The points of these arrays, with a number of measures.
///
/// # Errors
/// An array that does not fit them.
pub fn points_of(measures: usize, mut arrays: Arrays) -> Result<Vec<PointOutcome>, ArchiveError> {
    let counts = arrays.take_list("counts")?;
    let rows = counts.iter().fold(0_u64, |all, count| all.saturating_add(*count)) as usize;
    let digests = arrays.take("digests", rows, if rows == 0 { 0 } else { DIGEST })?;
    let measured = arrays.take("measured", rows, if rows == 0 { 0 } else { 2 * measures })?;
    let mut begin = 0;
    let points = counts.into_iter().map(|count| {
        let rows = begin..begin + count as usize;
        begin = rows.end;
        let digest = |row: usize| Digest::from_words(std::array::from_fn(|word| digests[DIGEST * row + word]));
        let pair = |row: usize, measure: usize| {
            [0, 1].map(|half| f64::from_bits(measured[2 * (measures * row + measure) + half]))
        };
        let pairs = |measure: usize| rows.clone().map(|row| pair(row, measure)).collect();
        PointOutcome {
            digests: rows.clone().map(digest).collect(),
            measured: if count == 0 { vec![] } else { (0..measures).map(pairs).collect() },
        }
    });
    Ok(points.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pauses::Pauses;
    use crate::run_from;
    use std::num::NonZeroUsize;
    use tickless_device::Target;

    const TEXT: &str = "
        until = 40
        station = [{ name = 'desk', service = 'exponential:2', cost = { waiting = 1, server = 4 } }]
        source = [{ name = 'in', interval = 'exponential:1', to = 'desk' }]
        sink = [{ name = 'out' }]
        route = [{ from = 'desk', to = 'out' }]
        [experiment]
        replications = 6
        factors.station.desk.servers = [2, 3, 4, 5]
        select = { smallest = 'cost', indifference = 2 }
    ";

    /// However often a run is paused and stored in files, it ends with the same bits.
    #[test]
    fn a_run_that_is_paused_goes_on() {
        let experiment = Experiment::from_toml(TEXT).unwrap();
        let target = Target::HeapOn(NonZeroUsize::MIN);
        let run = |from: Option<&ExperimentOutcome>, most| {
            run_from(&experiment, from, target, Default::default(), &mut Pauses(most)).unwrap()
        };
        let whole = run(None, u32::MAX);
        assert!(!whole.interrupted && whole.outcome.best.is_some());
        let (mut at, mut parts, mut events) = (None, 0, 0);
        let last = loop {
            let part = run(at.as_ref(), 7);
            events += part.events;
            parts += 1;
            if !part.interrupted {
                break part.outcome;
            }
            assert!(part.clock < experiment.points()[0].model.until());
            let again = ExperimentOutcome::from_arrays(&experiment, arrays_of(&part.outcome.points).unwrap()).unwrap();
            assert_eq!(again.points, part.outcome.points);
            at = Some(again);
        };
        assert_eq!((last, events), (whole.outcome, whole.events));
        assert!(parts > 3, "{parts}");
    }

    #[test]
    fn arrays_of_another_experiment_are_refused() {
        let (one, other) = (TEXT.to_owned(), TEXT.replace("[2, 3, 4, 5]", "[2, 3, 4]"));
        let [one, other] = [one, other].map(|text| Experiment::from_toml(&text).unwrap());
        let run = run_from(&one, None, Target::Heap, Default::default(), &mut Pauses(u32::MAX)).unwrap();
        let error = ExperimentOutcome::from_arrays(&other, arrays_of(&run.outcome.points).unwrap()).unwrap_err();
        assert!(error.to_string().contains("has 4 points, and the experiment 3"), "{error}");
    }
}
