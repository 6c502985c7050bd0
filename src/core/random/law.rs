//! Laws of service times and intervals: what a user writes.

mod check;
mod effective;
mod fits;
mod moments;
mod tabled;
mod text;

use std::sync::Arc;

#[cfg(feature = "files")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use effective::{EffectiveLaw, LawKind};

/// A law that cannot be drawn from.
///
/// ```
/// # use tickless_core::facade as tickless;
/// let error = "erlang:0,10".parse::<tickless::random::ServiceLaw>().unwrap_err();
/// assert_eq!(error.law, "erlang:0,10");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("law '{law}': {fault}")]
pub struct LawError {
    /// The law as written.
    pub law: String,
    /// The fault, and the allowed values.
    pub fault: String,
}

/// The law of a service time, in time units, as the user writes it.
///
/// ```
/// # use tickless_core::facade as tickless;
/// use tickless::random::ServiceLaw;
/// let law: ServiceLaw = "erlang:3,10".parse().unwrap();
/// assert_eq!(law, ServiceLaw::Erlang { stages: 3, mean: 10.0 });
/// assert_eq!(law.mean(), 10.0);
/// assert_eq!(law.to_string(), "erlang:3,10");
/// assert!("erlang:0,10".parse::<ServiceLaw>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "files", derive(JsonSchema))]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(
    feature = "files",
    schemars(
        title = "law",
        description = "The law of a time, as `exponential:10`: docs/semantics.md has the table of laws. `empirical:FILE.csv` takes samples from a \
                   table, one a row, and `histogram:FILE.csv` edges and weights, with the last edge alone; paths start beside the file, and \
                   results hold the numbers."
    )
)]
pub enum ServiceLaw {
    /// `exponential:MEAN`
    Exponential {
        /// The mean, in time units.
        mean: f64,
    },
    /// `constant:TIME`
    Constant {
        /// Every service time, in time units.
        time: f64,
    },
    /// `uniform:LOW,HIGH`
    Uniform {
        /// The shortest service time, in time units; 0 is allowed.
        low: f64,
        /// The longest, in time units.
        high: f64,
    },
    /// `erlang:STAGES,MEAN`: the sum of equal exponential stages.
    Erlang {
        /// The number of stages, 1 to 1024.
        stages: u32,
        /// The mean of the sum, in time units.
        mean: f64,
    },
    /// `hyperexponential:P,FIRST,SECOND`: exponential with mean FIRST with probability P, else with mean SECOND.
    Hyperexponential {
        /// The probability of the first branch, strictly between 0 and 1.
        probability: f64,
        /// The mean of the first branch, in time units.
        first: f64,
        /// The mean of the second branch, in time units.
        second: f64,
    },
    /// `gamma:SHAPE,MEAN`
    Gamma {
        /// The shape, 0.01 to 10,000: the mean square by the variance.
        shape: f64,
        /// The mean, in time units.
        mean: f64,
    },
    /// `weibull:SHAPE,SCALE`: 63 % are below the scale.
    Weibull {
        /// The shape, 0.1 to 1,000.
        shape: f64,
        /// The scale, in time units.
        scale: f64,
    },
    /// `lognormal:MEAN,DEVIATION`, of the times, not of their logarithms.
    Lognormal {
        /// The mean, in time units.
        mean: f64,
        /// The standard deviation, in time units.
        deviation: f64,
    },
    /// `normal:MEAN,DEVIATION`, of what is above 0 alone: the mean and the standard deviation are those of the law before it is cut.
    Normal {
        /// The mean before the cut, in time units: 0 or more.
        mean: f64,
        /// The standard deviation before the cut, in time units: a thousandth of the mean or more.
        deviation: f64,
    },
    /// `beta:SHAPE1,SHAPE2,LOW,HIGH`: from LOW to HIGH; x from 0 to 1 has a density like x^(SHAPE1 - 1) (1 - x)^(SHAPE2 - 1).
    Beta {
        /// The first shape, 0.05 to 10,000.
        a: f64,
        /// The second shape, 0.05 to 10,000.
        b: f64,
        /// The shortest time, in time units; 0 is allowed.
        low: f64,
        /// The longest, in time units.
        high: f64,
    },
    /// `triangular:LOW,MODE,HIGH`
    Triangular {
        /// The shortest time, in time units; 0 is allowed.
        low: f64,
        /// The likeliest, in time units: either end is allowed.
        mode: f64,
        /// The longest, in time units.
        high: f64,
    },
    /// `pareto:SHAPE,LOW,HIGH`: a density like x to the power of -(SHAPE + 1) from LOW to HIGH.
    Pareto {
        /// The shape, 0.01 to 1,000.
        shape: f64,
        /// The shortest time, in time units.
        low: f64,
        /// The longest, in time units.
        high: f64,
    },
    /// `coxian:MEAN1,P1,MEAN2,P2,...,MEANn`: exponential phases one after the other, the next one with such a probability.
    Coxian {
        /// The mean of each phase, in time units: 1 to 16.
        means: Arc<[f64]>,
        /// The probability of another phase after each but the last.
        probabilities: Arc<[f64]>,
    },
    /// `phase-type:P1,...,Pn;R11,...,R1n;...;Rn1,...,Rnn`: how long a Markov chain takes to its end.
    PhaseType {
        /// The probability of each phase to be the first: 1 to 16 phases.
        first: Arc<[f64]>,
        /// Row by row the rates by time unit from a phase to each, and in its own place minus the rate at which it is left.
        rates: Arc<[f64]>,
    },
    /// `discrete:VALUE*WEIGHT,...`; a weight that is left out is 1.
    Discrete {
        /// The times, in time units, and their weights.
        values: Arc<[(f64, f64)]>,
    },
    /// `samples:VALUE,...`: each of these as likely as the others.
    Samples {
        /// The times, in time units.
        values: Arc<[f64]>,
    },
    /// `histogram:EDGE*WEIGHT,...,EDGE`: uniform between an edge and the next one with the weight of the first.
    Histogram {
        /// The edges, in time units, in rising order.
        edges: Arc<[f64]>,
        /// The weight of each part, one fewer than edges.
        weights: Arc<[f64]>,
    },
}

impl ServiceLaw {
    /// Laws that every test of laws takes: each kind at least once. All have the mean 10 or nearly so.
    #[doc(hidden)]
    pub const SAMPLES: [&str; 24] = [
        "exponential:10",
        "constant:10",
        "uniform:5,15",
        "uniform:0,20",
        "erlang:1,10",
        "erlang:3,10",
        "erlang:40,10",
        "hyperexponential:0.25,4,12",
        "gamma:2.5,10",
        "gamma:0.4,10",
        "weibull:1.5,11",
        "lognormal:10,5",
        "lognormal:10,40",
        "normal:10,3",
        "normal:2,11",
        "beta:2,3.5,4,20",
        "beta:0.5,0.5,0,20",
        "triangular:1,8,21",
        "pareto:2.5,6,1000",
        "coxian:4,0.5,12",
        "phase-type:0.6,0.4;-0.2,0.1;0,-0.08",
        "discrete:4*3,10,28",
        "samples:3.5,7,11.25,18.25",
        "histogram:0*1,8*3,14*0.5,30",
    ];
}

#[cfg(test)]
mod tests;
