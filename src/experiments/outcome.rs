//! The outcome of a run of an experiment.

use super::contrast::Sample;
use super::measure::Pair;
use tickless_core::run::{Difference, Digest, Place};

/// The outcome of an experiment; equal runs have the same.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::{device::Target, experiments::{self, Experiment}, run::unwatched};
/// let text = "
///     until = 10
///     station = [{ name = 'desk', service = 'constant:1', tokens = 1 }]
///     route = [{ from = 'desk', to = 'desk' }]
///     experiment = { measures = ['network.throughput'], replications = 2, factors = { station.desk.service = ['constant:1', 'constant:2'] } }
/// ";
/// let experiment = Experiment::from_toml(text).unwrap();
/// let run = experiments::run(&experiment, Target::Heap, Default::default(), &mut unwatched())?;
/// let throughput = |point: usize| run.outcome.points[point].sample(0).figure;
/// assert_eq!((throughput(0), throughput(1)), (0.9, 0.4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExperimentOutcome {
    /// The results of each point that has run; in an interrupted run the last ones are missing.
    pub points: Vec<PointOutcome>,
    /// The best point that was looked for, and whether the rule has ended with it.
    pub best: Option<(usize, bool)>,
}

/// The results of the replications of a point.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// assert!(tickless::experiments::PointOutcome::default().digests.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointOutcome {
    /// The digest of each replication.
    pub digests: Vec<Digest>,
    /// For each measure its value in each replication.
    pub measured: Vec<Vec<Pair>>,
}

impl PointOutcome {
    /// The digest of a run of these replications of the point alone.
    pub fn digest(&self) -> Digest {
        match self.digests[..] {
            [digest] => digest,
            _ => Digest::of(|hashing| self.digests.iter().for_each(|digest| hashing.digest(digest))),
        }
    }

    /// The sample of a measure, by its place.
    ///
    /// # Panics
    /// Where there is no such measure.
    pub fn sample(&self, measure: usize) -> Sample {
        Sample::of(&self.measured[measure])
    }
}

impl ExperimentOutcome {
    /// The points with at least this many replications, up to the first point without.
    pub fn ended(&self, replications: u32) -> &[PointOutcome] {
        let count = self.points.iter().take_while(|point| point.digests.len() >= replications as usize).count();
        &self.points[..count]
    }

    /// The same with only these points.
    #[doc(hidden)]
    pub fn only_ended(mut self, replications: u32) -> Self {
        let ended = self.ended(replications).len();
        self.points.truncate(ended);
        self
    }

    /// SHA-256 over the digests of the points.
    pub fn digest(&self) -> Digest {
        Digest::of(|hashing| self.points.iter().for_each(|point| hashing.digest(&point.digest())))
    }

    /// Where two runs of one experiment first differ: the number of points, or of the replications of a point, or a value
    /// of a replication by the place of its measure, or else its digest. Points are counted from 1.
    pub fn first_difference(&self, other: &Self) -> Option<Difference> {
        let of_points = || {
            (1..)
                .zip(self.points.iter().zip(&other.points))
                .find_map(|(number, (one, other))| of_point(number, one, other))
        };
        let (ours, theirs) = (self.points.len() as u64, other.points.len() as u64);
        of_points().or_else(|| Difference::find(Place::WHOLE, "number of points", ours, theirs))
    }
}

pub(super) fn of_point(number: usize, one: &PointOutcome, other: &PointOutcome) -> Option<Difference> {
    let place = Place::of("point", number);
    let measures = one.measured.iter().zip(&other.measured).enumerate();
    let mut pairs = measures.flat_map(|(measure, (ours, theirs))| {
        let both = (0..).zip(ours.iter().zip(theirs));
        both.flat_map(move |(replication, (ours, theirs))| {
            [0, 1].map(|half| (measure, replication, ours[half].to_bits(), theirs[half].to_bits()))
        })
    });
    let of_figure = pairs.find_map(|(measure, replication, ours, theirs)| {
        Difference::find(place.in_replication(replication), &format!("bits of measure {measure}"), ours, theirs)
    });
    let counts = || {
        let (ours, theirs) = (one.digests.len() as u64, other.digests.len() as u64);
        Difference::find(place, "number of replications", ours, theirs)
    };
    let digests = || {
        let mut both = (0..).zip(one.digests.iter().zip(&other.digests));
        let (replication, (ours, theirs)) = both.find(|(_, (ours, theirs))| ours != theirs)?;
        Difference::find(place.in_replication(replication), "digest", ours.words()[0], theirs.words()[0])
    };
    of_figure.or_else(counts).or_else(digests)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_changed_value_is_found() {
        let digest = |number| Digest::of(|hashing| hashing.number(number));
        let point = |first: u64| PointOutcome {
            digests: vec![digest(first), digest(first + 1)],
            measured: vec![vec![[1.0, 2.0], [3.0, 4.0]], vec![[5.0, 6.0], [7.0, 8.0]]],
        };
        let whole = ExperimentOutcome { points: vec![point(0), point(7)], best: None };
        assert_eq!(whole.first_difference(&whole), None);
        let said = |change: &dyn Fn(&mut ExperimentOutcome)| {
            let mut other = whole.clone();
            change(&mut other);
            assert!(
                whole.digest() == other.digest()
                    || other.points.len() < 2
                    || other.points[1].digests != whole.points[1].digests
            );
            whole.first_difference(&other).map(|difference| difference.to_string()).unwrap_or_default()
        };
        let figure = said(&|other| other.points[1].measured[1][0][1] += 1e-9);
        assert!(figure.starts_with("replication 0, point 2, field bits of measure 1: "), "{figure}");
        let digest = said(&|other| other.points[1].digests[1] = digest(99));
        assert!(digest.starts_with("replication 1, point 2, field digest: "), "{digest}");
        let fewer = said(&|other| other.points.truncate(1));
        assert!(fewer.starts_with("field number of points: "), "{fewer}");
        let shorter = said(&|other| other.points[1].digests.truncate(1));
        assert!(shorter.starts_with("point 2, field number of replications: "), "{shorter}");
    }
}
