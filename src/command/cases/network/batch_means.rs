//! Intervals of one replication, by the means of batches.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Choices, Replications};
use crate::CommandError;
use crate::warning::Warning;
use tickless_core::run::Watch;
use tickless_queueing::figures::{Sums, Whose};
use tickless_queueing::{self as queueing, NetworkModel, NetworkOutcome};

/// The batches below which nothing can be said of their correlation.
const FEW: usize = 8;
/// What a standard normal variable exceeds once in twenty times.
const ONE_IN_TWENTY: f64 = 1.645;

/// The batches of the measured time, as if each were a replication.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct BatchMeansReport {
    /// How many there are, all of one length.
    pub batches: usize,
    /// How much the mean number present follows that of the batch before (von Neumann 1941), from -1 to 1; `null` of fewer than 8 batches
    /// and where it is always the same. Far above 0 batches are too short, and intervals, too.
    pub correlation: Option<f64>,
}

impl BatchMeansReport {
    /// `None` of a run without batch means.
    pub fn of(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Option<Self> {
        let [NetworkOutcome { batches, .. }] = outcomes else { return None };
        let present = |batch: &NetworkOutcome| {
            let sums = Sums::of_one(model, Whose::Network, batch);
            sums.tokens.record.presence as f64 / sums.measured
        };
        let means: Vec<f64> = batches.iter().map(present).collect();
        (!batches.is_empty()).then(|| Self { batches: batches.len(), correlation: correlation(&means) })
    }

    /// A warning of batches that depend on each other: of independent ones one run in twenty has such a warning.
    pub fn warning(self) -> Option<Warning> {
        let count = self.batches as f64;
        let deviation = ((count - 2.0) / (count * count - 1.0)).sqrt();
        let correlation = self.correlation.filter(|found| *found > ONE_IN_TWENTY * deviation)?;
        Some(Warning::DependentBatches { batches: self.batches, correlation })
    }
}

/// One minus the ratio of von Neumann.
fn correlation(means: &[f64]) -> Option<f64> {
    let mean = means.iter().sum::<f64>() / means.len() as f64;
    let all: f64 = means.iter().map(|one| (one - mean).powi(2)).sum();
    let apart: f64 = means.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum();
    (means.len() >= FEW && all > 0.0).then(|| 1.0 - apart / (2.0 * all))
}

/// Refuses batch means of what has none: beside these options.
pub fn check(choices: &Choices, beside: &[(&str, bool)]) -> Result<(), CommandError> {
    let given = beside.iter().find(|(_, given)| *given).filter(|_| choices.batch_means.is_some());
    let said = |(option, _): &(&str, bool)| CommandError::Usage {
        message: format!(
            "--batch-means divides one replication on one heap, and cannot be used with {option}: leave one of them out"
        ),
    };
    given.map(said).map_or(Ok(()), Err)
}

/// Runs a replication in batches.
pub fn run(
    model: &NetworkModel,
    replication: u32,
    count: u32,
    watch: &mut dyn Watch,
) -> Result<Replications, CommandError> {
    queueing::batch_means(model, replication, count, watch).map_err(|error| CommandError::of_network(error, model))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_that_follow_each_other_are_told() {
        let warning = |means: &[f64]| {
            BatchMeansReport { batches: means.len(), correlation: correlation(means) }
                .warning()
                .map(|told| told.to_string())
        };
        let up: Vec<f64> = (0..20).map(f64::from).collect();
        let told = warning(&up).expect("they go up and up");
        assert!(told.contains("20 batches") && told.contains("--until"), "{told}");
        let apart: Vec<f64> = (0..20).map(|one| f64::from(one * 7 % 20)).collect();
        assert_eq!(warning(&apart), None);
        assert_eq!((correlation(&[1.0; 20]), correlation(&up[..7])), (None, None));
    }
}
