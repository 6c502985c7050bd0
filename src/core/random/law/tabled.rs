//! Laws of a few numbers that are drawn by a table of quantiles. All that is said of one stands here, beside its variant.

use super::ServiceLaw;
use super::check::{between, time, within};
use crate::random::quantiles;
use crate::random::table::Fit;

/// What is said of such a law. Functions take its numbers in the order of its text.
pub(super) struct Tabled {
    pub(super) name: &'static str,
    /// The names of its numbers, and an example.
    pub(super) parameters: &'static str,
    pub(super) example: &'static str,
    pub(super) make: fn(&[f64]) -> ServiceLaw,
    pub(super) check: fn(&[f64]) -> Result<(), String>,
    /// The lower end of its times, in time units.
    pub(super) low: fn(&[f64]) -> f64,
    /// The mean and the mean square of what times have beyond that: no difference of large numbers.
    pub(super) excess: fn(&[f64]) -> [f64; 2],
    /// What decides about its table.
    pub(super) shape: fn(&[f64]) -> Vec<f64>,
    /// The table, of times beyond the lower end in units of their mean.
    pub(super) fit: fn(&[f64]) -> Fit,
}

impl ServiceLaw {
    /// What is said of a law that is such a one, and its numbers.
    pub(super) fn tabled(&self) -> Option<(&'static Tabled, Vec<f64>)> {
        Some(match *self {
            Self::Gamma { shape, mean } => (&GAMMA, vec![shape, mean]),
            Self::Weibull { shape, scale } => (&WEIBULL, vec![shape, scale]),
            Self::Lognormal { mean, deviation } => (&LOGNORMAL, vec![mean, deviation]),
            Self::Normal { mean, deviation } => (&NORMAL, vec![mean, deviation]),
            Self::Beta { a, b, low, high } => (&BETA, vec![a, b, low, high]),
            Self::Triangular { low, mode, high } => (&TRIANGULAR, vec![low, mode, high]),
            Self::Pareto { shape, low, high } => (&PARETO, vec![shape, low, high]),
            Self::Exponential { .. }
            | Self::Constant { .. }
            | Self::Uniform { .. }
            | Self::Erlang { .. }
            | Self::Hyperexponential { .. }
            | Self::Coxian { .. }
            | Self::PhaseType { .. }
            | Self::Discrete { .. }
            | Self::Samples { .. }
            | Self::Histogram { .. } => return None,
        })
    }
}

/// All of them.
pub(super) const TABLED: [&Tabled; 7] = [&GAMMA, &WEIBULL, &LOGNORMAL, &NORMAL, &BETA, &TRIANGULAR, &PARETO];

const GAMMA: Tabled = Tabled {
    name: "gamma",
    parameters: "SHAPE,MEAN",
    example: "gamma:2.5,10",
    make: |n| ServiceLaw::Gamma { shape: n[0], mean: n[1] },
    check: |n| {
        between("the shape", n[0], 0.01, 10_000.0)?;
        time("the mean", n[1])
    },
    low: |_| 0.0,
    excess: |n| [n[1], n[1] * n[1] * (1.0 + 1.0 / n[0])],
    shape: |n| vec![n[0]],
    fit: |n| Fit::of_quantiles(&|tail| quantiles::gamma(n[0], tail), 1.0 + 1.0 / n[0], f64::INFINITY),
};

const WEIBULL: Tabled = Tabled {
    name: "weibull",
    parameters: "SHAPE,SCALE",
    example: "weibull:1.5,10",
    make: |n| ServiceLaw::Weibull { shape: n[0], scale: n[1] },
    check: |n| {
        between("the shape", n[0], 0.1, 1000.0)?;
        time("the scale", n[1])
    },
    low: |_| 0.0,
    excess: |n| [1.0, 2.0].map(|power| libm::pow(n[1], power) * libm::tgamma(1.0 + power / n[0])),
    shape: |n| vec![n[0]],
    fit: |n| {
        let [mean, square] = [1.0, 2.0].map(|power| libm::tgamma(1.0 + power / n[0]));
        let quantile = |tail| quantiles::weibull(n[0], tail) / mean;
        Fit::of_quantiles(&quantile, square / (mean * mean), f64::INFINITY)
    },
};

const LOGNORMAL: Tabled = Tabled {
    name: "lognormal",
    parameters: "MEAN,DEVIATION",
    example: "lognormal:10,5",
    make: |n| ServiceLaw::Lognormal { mean: n[0], deviation: n[1] },
    check: |n| {
        time("the mean", n[0])?;
        time("the deviation", n[1])
    },
    low: |_| 0.0,
    excess: |n| [n[0], n[0] * n[0] + n[1] * n[1]],
    shape: |n| vec![n[1] / n[0]],
    fit: |n| {
        let ratio = n[1] / n[0];
        let variance = libm::log1p(ratio * ratio);
        let quantile = |tail| libm::exp(variance.sqrt() * quantiles::normal(tail) - variance / 2.0);
        Fit::of_quantiles(&quantile, 1.0 + ratio * ratio, f64::INFINITY)
    },
};

const NORMAL: Tabled = Tabled {
    name: "normal",
    parameters: "MEAN,DEVIATION",
    example: "normal:10,3",
    make: |n| ServiceLaw::Normal { mean: n[0], deviation: n[1] },
    check: |n| {
        let (mean, deviation) = (n[0], n[1]);
        if mean != 0.0 {
            time("the mean", mean)?;
        }
        time("the deviation", deviation)?;
        within("the deviation", deviation, deviation * 1000.0 >= mean, || "a thousandth of the mean or more".into())
    },
    low: |_| 0.0,
    // The moments of a normal law above 0, by what share of it lies there and its density at 0.
    excess: |n| {
        let (mean, deviation) = (n[0], n[1]);
        let ratio = mean / deviation;
        let above = libm::erfc(-ratio * std::f64::consts::FRAC_1_SQRT_2) / 2.0;
        let density = libm::exp(-ratio * ratio / 2.0) / (2.0 * std::f64::consts::PI).sqrt();
        let cut = deviation * density / above;
        [mean + cut, deviation * deviation + mean * (mean + cut)]
    },
    shape: |n| vec![n[0] / n[1]],
    fit: |n| {
        let ([unit, square], ratio) = ((NORMAL.excess)(n), n[0] / n[1]);
        let quantile = |tail| quantiles::normal_above_0(ratio, tail) * n[1] / unit;
        Fit::of_quantiles(&quantile, square / (unit * unit), f64::INFINITY)
    },
};

const BETA: Tabled = Tabled {
    name: "beta",
    parameters: "SHAPE1,SHAPE2,LOW,HIGH",
    example: "beta:2,3,5,15",
    make: |n| ServiceLaw::Beta { a: n[0], b: n[1], low: n[2], high: n[3] },
    check: |n| {
        let (low, high) = (n[2], n[3]);
        between("the first shape", n[0], 0.05, 10_000.0)?;
        between("the second shape", n[1], 0.05, 10_000.0)?;
        time("the upper end", high)?;
        within("the lower end", low, low >= 0.0 && low < high, || format!("0 or more and below the upper end {high}"))?;
        time("the distance of the ends", high - low)
    },
    low: |n| n[2],
    excess: |n| {
        let (a, sum, width) = (n[0], n[0] + n[1], n[3] - n[2]);
        [width * a / sum, width * width * (a / sum) * ((a + 1.0) / (sum + 1.0))]
    },
    shape: |n| vec![n[0], n[1]],
    fit: |n| {
        let ([unit, square], width) = ((BETA.excess)(n), n[3] - n[2]);
        let quantile = |tail| quantiles::beta(n[0], n[1], tail) * width / unit;
        Fit::of_quantiles(&quantile, square / (unit * unit), width / unit)
    },
};

const TRIANGULAR: Tabled = Tabled {
    name: "triangular",
    parameters: "LOW,MODE,HIGH",
    example: "triangular:5,8,15",
    make: |n| ServiceLaw::Triangular { low: n[0], mode: n[1], high: n[2] },
    check: |n| {
        let (low, mode, high) = (n[0], n[1], n[2]);
        time("the upper end", high)?;
        within("the lower end", low, low >= 0.0 && low < high, || format!("0 or more and below the upper end {high}"))?;
        between("the mode", mode, low, high)?;
        time("the distance of the ends", high - low)
    },
    low: |n| n[0],
    excess: |n| {
        let (mode, width) = (n[1] - n[0], n[2] - n[0]);
        [(mode + width) / 3.0, (mode * mode + mode * width + width * width) / 6.0]
    },
    shape: <[f64]>::to_vec,
    fit: |n| {
        let ([unit, square], width) = ((TRIANGULAR.excess)(n), n[2] - n[0]);
        let quantile = |tail| quantiles::triangular((n[1] - n[0]) / width, tail) * width / unit;
        Fit::of_quantiles(&quantile, square / (unit * unit), width / unit)
    },
};

const PARETO: Tabled = Tabled {
    name: "pareto",
    parameters: "SHAPE,LOW,HIGH",
    example: "pareto:2.5,5,1000",
    make: |n| ServiceLaw::Pareto { shape: n[0], low: n[1], high: n[2] },
    check: |n| {
        let (low, high) = (n[1], n[2]);
        between("the shape", n[0], 0.01, 1000.0)?;
        time("the upper end", high)?;
        time("the lower end", low)?;
        within("the lower end", low, low < high, || format!("below the upper end {high}"))?;
        time("the distance of the ends", high - low)
    },
    low: |n| n[1],
    excess: |n| {
        let (shape, low, high) = (n[0], n[1], n[2]);
        // a (1 - q^(n - a)) / ((a - n) (1 - q^-a)) with q = high / low, which is a ln q / (1 - q^-a) for a = n.
        let q = libm::log(high / low);
        let all = -libm::expm1(-shape * q);
        let [first, second] = [1.0, 2.0].map(|power| {
            let rest = (power - shape) * q;
            let part = if rest.abs() < 1e-8 { 1.0 } else { libm::expm1(rest) / rest };
            shape * q * part / all
        });
        [low * (first - 1.0), low * low * (second - 2.0 * first + 1.0)]
    },
    shape: <[f64]>::to_vec,
    fit: |n| {
        let ([unit, square], low, high) = ((PARETO.excess)(n), n[1], n[2]);
        let quantile = |tail| quantiles::pareto(n[0], high / low, tail) * low / unit;
        Fit::of_quantiles(&quantile, square / (unit * unit), (high - low) / unit)
    },
};
