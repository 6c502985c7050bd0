//! The state of a search, in the arrays of a file.

use super::{Optimization, OptimizationOutcome};
use crate::checkpoint::points_of;
use tickless_core::archive::{ArchiveError, Arrays};

impl OptimizationOutcome {
    /// The points of [`arrays_of`](crate::arrays_of), from which a search resumes: their places and all else follow from them.
    ///
    /// # Errors
    /// An array that does not fit the optimization.
    #[doc(hidden)]
    pub fn from_arrays(optimization: &Optimization, arrays: Arrays) -> Result<Self, ArchiveError> {
        Ok(Self { points: points_of(optimization.measures().len(), arrays)?, ..Self::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrays_of;
    use crate::optimization::{Ended, run_from};
    use crate::pauses::Pauses;
    use std::num::NonZeroUsize;
    use tickless_device::Target;

    const TEXT: &str = "
        until = 40
        station = [{ name = 'desk', service = 'exponential:2', cost = { waiting = 1, server = 4 } }]
        source = [{ name = 'in', interval = 'exponential:1', to = 'desk' }]
        sink = [{ name = 'out' }]
        route = [{ from = 'desk', to = 'out' }]
        [optimize]
        smallest = 'cost'
        max_replications = 60
        replications = 3
        together = 4
        factors.station.desk.servers = { from = 2, to = 30 }
    ";

    /// However often a search is paused and stored in files, it ends with the same bits.
    #[test]
    fn a_search_that_is_paused_goes_on() {
        let optimization = Optimization::from_toml(TEXT).unwrap();
        let target = Target::HeapOn(NonZeroUsize::MIN);
        let run = |from: Option<&OptimizationOutcome>, most| {
            run_from(&optimization, from, target, Default::default(), &mut Pauses(most)).unwrap()
        };
        let whole = run(None, u32::MAX);
        assert_eq!(whole.outcome.ended, Some(Ended::MaxReplications));
        let (mut at, mut parts, mut events) = (None, 0, 0);
        let last = loop {
            let part = run(at.as_ref(), 7);
            (events, parts) = (events + part.events, parts + 1);
            if !part.interrupted {
                break part.outcome;
            }
            assert_eq!(part.outcome.ended, None);
            let told = part.outcome.ended(&optimization);
            assert!(told.points.iter().all(|point| point.digests.len() >= 3) && told.points.len() == told.places.len());
            assert!(told.assessment.is_none_or(|best| best.point < told.points.len()));
            assert!(part.clock < optimization.model().until());
            let again =
                OptimizationOutcome::from_arrays(&optimization, arrays_of(&part.outcome.points).unwrap()).unwrap();
            assert_eq!(again.points, part.outcome.points);
            at = Some(again);
        };
        assert_eq!((last, events), (whole.outcome, whole.events));
        assert!(parts > 5, "{parts}");
    }

    /// A file of another optimization has other measures.
    #[test]
    fn arrays_of_another_optimization_are_refused() {
        let other = TEXT.replace("max_replications = 60", "measures = ['network.throughput']\nmax_replications = 60");
        let [one, other] = [TEXT, &other].map(|text| Optimization::from_toml(text).unwrap());
        let run = run_from(&one, None, Target::Heap, Default::default(), &mut Pauses(u32::MAX)).unwrap();
        let error = OptimizationOutcome::from_arrays(&other, arrays_of(&run.outcome.points).unwrap()).unwrap_err();
        assert!(error.to_string().contains("measured"), "{error}");
    }
}
