//! The points of an experiment as its tables and pictures see them, whatever model they are of.

use tickless_experiments::{Experiment, ExperimentOutcome, Level, Point, Sample};

/// Points by their settings, and what was seen at them.
#[derive(Clone, Debug)]
pub struct Grid {
    pub factors: Vec<GridFactor>,
    /// The names of what is measured.
    pub measures: Vec<String>,
    /// The place of the point that others are compared with.
    pub baseline: usize,
    /// The points that have ended.
    pub points: Vec<GridPoint>,
    /// Measure by measure, point by point.
    pub samples: Vec<Vec<Sample>>,
    /// The places of the values of each point, where all of them have ended and are of levels.
    pub places: Option<Vec<Vec<usize>>>,
    /// The values of each point, where points are of no levels and all that varies is a number.
    pub numbers: Option<Vec<Vec<f64>>>,
}

/// What is varied; without levels where it takes any number of a range.
#[derive(Clone, Debug)]
pub struct GridFactor {
    pub name: String,
    pub levels: Vec<Level>,
}

/// A point that has ended.
#[derive(Clone, Debug)]
pub struct GridPoint {
    /// The value of each factor.
    pub settings: Vec<String>,
    pub replications: usize,
    pub digest: String,
}

impl Grid {
    /// Of an experiment with a network.
    pub fn of(experiment: &Experiment, outcome: &ExperimentOutcome) -> Self {
        let ended = outcome.ended(experiment.replications());
        let measures = experiment.measures();
        let samples = |measure: usize| ended.iter().map(|point| point.sample(measure)).collect();
        let points = experiment.points().iter().zip(ended).map(|(point, ended)| GridPoint {
            settings: point.settings.iter().map(|level| level.shown.clone()).collect(),
            replications: ended.digests.len(),
            digest: ended.digest().to_string(),
        });
        let factor = |factor: &tickless_experiments::Factor| GridFactor {
            name: factor.name().to_owned(),
            levels: factor.values().collect(),
        };
        Self {
            factors: experiment.factors().iter().map(factor).collect(),
            measures: measures.iter().map(|measure| measure.name().to_owned()).collect(),
            baseline: experiment.baseline(),
            points: points.collect(),
            samples: (0..measures.len()).map(samples).collect(),
            places: experiment.places().filter(|places| places.len() == ended.len()),
            numbers: numbers(experiment, ended.len()),
        }
    }
}

/// The values of the factors at points that have ended, of a design that is not of levels.
fn numbers(experiment: &Experiment, ended: usize) -> Option<Vec<Vec<f64>>> {
    if experiment.places().is_some() {
        return None;
    }
    let of = |point: &Point| point.settings.iter().map(|level| level.number).collect::<Option<Vec<f64>>>();
    experiment.points()[..ended].iter().map(of).collect()
}
