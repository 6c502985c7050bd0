//! The outcome of a search for the best point.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::Assessment;
use crate::outcome::{PointOutcome, of_point};
use tickless_core::run::{Difference, Digest, Place};

/// The outcome of a search; equal searches have the same.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// assert!(tickless::experiments::optimization::OptimizationOutcome::default().assessment.is_none());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OptimizationOutcome {
    /// The points that were looked at, in their order: the place of the level of each factor.
    pub places: Vec<Vec<usize>>,
    /// The results of their replications.
    pub points: Vec<PointOutcome>,
    /// The best of these points; `None` where none has run.
    pub assessment: Option<Assessment>,
    /// Places whose values together make no valid network.
    pub refused: Vec<Vec<usize>>,
    /// Why the first of these cannot be run.
    pub first_refusal: Option<String>,
    /// Stage by stage.
    pub stages: Vec<StageRecord>,
    /// Why the search ended; `None` where it was interrupted.
    pub ended: Option<Ended>,
}

/// Where a search stood after a stage.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::experiments::optimization::StageRecord;
/// let stage = StageRecord { points: 32, replications: 320, best: 3, is_within: true, figure: 17.5 };
/// assert_eq!(stage.replications / stage.points, 10);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct StageRecord {
    /// Points that were looked at until then.
    pub points: u64,
    /// Of all of them together.
    pub replications: u64,
    /// The number of the best of them.
    #[serde(serialize_with = "from_one")]
    pub best: usize,
    /// Whether that was within the limits.
    #[serde(rename = "within_limits")]
    pub is_within: bool,
    /// What the first measure was there.
    #[serde(rename = "objective")]
    pub figure: f64,
}

/// Results number places from 1 on.
fn from_one<S: Serializer>(place: &usize, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(*place as u64 + 1)
}

/// Why a search ended.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::experiments::optimization::Ended;
/// assert_ne!(Ended::Sure, Ended::MaxReplications);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// The best was sure enough, all of its neighbours were looked at, and nothing better had come for some stages.
    Sure,
    /// As many replications as there may be were used up.
    MaxReplications,
}

impl OptimizationOutcome {
    /// SHA-256 over the places and the digests of the points.
    pub fn digest(&self) -> Digest {
        Digest::of(|hashing| {
            for (place, point) in self.places.iter().zip(&self.points) {
                place.iter().for_each(|level| hashing.number(*level as u64));
                hashing.digest(&point.digest());
            }
        })
    }

    /// Where two searches first differ: in a point as in [`crate::ExperimentOutcome::first_difference`], or in the place of a
    /// point, or in the number of points. Points are counted from 1.
    pub fn first_difference(&self, other: &Self) -> Option<Difference> {
        let of_place = |number: usize, ours: &[usize], theirs: &[usize]| {
            let mut both = ours.iter().zip(theirs).enumerate();
            let (factor, (ours, theirs)) = both.find(|(_, (ours, theirs))| ours != theirs)?;
            let field = format!("level of factor {}", factor + 1);
            Difference::find(Place::of("point", number), &field, *ours as u64, *theirs as u64)
        };
        let all = || {
            let places = self.places.iter().zip(&other.places);
            let points = self.points.iter().zip(&other.points);
            (1..).zip(places.zip(points)).find_map(|(number, ((place, their_place), (point, their_point)))| {
                of_place(number, place, their_place).or_else(|| of_point(number, point, their_point))
            })
        };
        let counts = [&self.places, &other.places].map(|places| places.len() as u64);
        all().or_else(|| Difference::find(Place::WHOLE, "number of points", counts[0], counts[1]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_changed_value_is_found() {
        let digest = |number| Digest::of(|hashing| hashing.number(number));
        let point =
            |number: u64| PointOutcome { digests: vec![digest(number)], measured: vec![vec![[number as f64, 2.0]]] };
        let whole = OptimizationOutcome {
            places: vec![vec![0, 3], vec![1, 3]],
            points: vec![point(5), point(6)],
            ..OptimizationOutcome::default()
        };
        assert_eq!(whole.first_difference(&whole), None);
        let said = |change: &dyn Fn(&mut OptimizationOutcome)| {
            let mut other = whole.clone();
            change(&mut other);
            whole.first_difference(&other).map(|difference| difference.to_string()).unwrap_or_default()
        };
        let moved = said(&|other| other.places[1][1] = 2);
        assert!(moved.starts_with("point 2, field level of factor 2: "), "{moved}");
        let figure = said(&|other| other.points[0].measured[0][0][0] += 1.0);
        assert!(figure.starts_with("replication 0, point 1, field bits of measure 0: "), "{figure}");
        let fewer = said(&|other| {
            other.places.pop();
            other.points.pop();
        });
        assert!(fewer.starts_with("field number of points: "), "{fewer}");
        let mut other = whole.clone();
        other.places[0][0] = 9;
        assert_ne!(other.digest(), whole.digest());
    }
}
