//! The laws of times.

use super::fault::{JmtError, fault, missing, no_equal, unknown, wrong};
use super::xml::{Xml, entries, kind, matrix, number, parameter, whole};
use tickless_core::random::ServiceLaw;

/// The shortest time that a law has here: what JMT does in no time takes so long.
pub(super) const MOMENT: &str = "constant:0.000001";

/// The law of the time between two tokens of a source.
pub(super) enum Interval {
    /// Of independent times.
    Law(Law),
    /// A Markovian arrival process, as the text of its table.
    Phases(String),
}

/// A law as our files have it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Law {
    pub text: String,
    pub mean: f64,
}

/// The names of JMT's distributions that are known, without `Distr`.
pub(super) const DISTRIBUTIONS: &str = "Coxian, Deterministic, Erlang, Exponential, Gamma, HyperExp, Lognormal, MAP and MMPP2 (of sources), \
                                        Normal, Pareto, PhaseType, Uniform, Weibull";

/// The law of service times; `None` where the class is not served.
pub(super) fn service(strategy: Xml<'_>) -> Result<Option<Law>, JmtError> {
    match interval(strategy)? {
        None => Ok(None),
        Some(Interval::Law(law)) => Ok(Some(law)),
        Some(Interval::Phases(_)) => {
            Err(no_equal(strategy, "a Markovian arrival process as service", "service times that depend on each other"))
        }
    }
}

/// The law of the times of a strategy; `None` where there is none.
pub(super) fn interval(strategy: Xml<'_>) -> Result<Option<Interval>, JmtError> {
    match kind(strategy) {
        "ServiceTimeStrategy" | "Reneging" => {}
        "ZeroServiceTimeStrategy" => return Ok(Some(Interval::Law(Law { text: MOMENT.into(), mean: 0.0 }))),
        "DisabledServiceTimeStrategy" => return Ok(None),
        "LoadDependentStrategy" => {
            let needs = "service times drawn by the number present when the service begins (`speeds` change during it)";
            return Err(no_equal(strategy, "a load-dependent service", needs));
        }
        other => {
            let known = "ServiceTimeStrategy, ZeroServiceTimeStrategy, DisabledServiceTimeStrategy";
            return Err(unknown(strategy, "service strategy", other, known));
        }
    }
    // A class that does not come has `null` in place of a distribution.
    let mut parts = entries(strategy);
    let (Some(distribution), Some(par)) = (parts.next(), parts.next()) else {
        return if super::xml::children(strategy, "value").next().is_some() {
            Ok(None)
        } else {
            Err(missing(strategy, "a distribution and its parameters"))
        };
    };
    let name = kind(distribution).trim_end_matches("Distr");
    if let Some(phases) = phases(name, par)? {
        return Ok(Some(Interval::Phases(phases)));
    }
    let text = text(name, distribution, par)?;
    // The error names the law.
    let law: ServiceLaw = text.parse().map_err(|error| fault(distribution, format!("{error}")))?;
    Ok(Some(Interval::Law(Law { mean: law.mean(), text })))
}

/// The matrices of a Markovian arrival process.
fn phases(name: &str, par: Xml<'_>) -> Result<Option<String>, JmtError> {
    match name {
        "MAP" => Ok(Some(format!("{{ d0 = {:?}, d1 = {:?} }}", matrix(par, "D0")?, matrix(par, "D1")?))),
        "MMPP2" => {
            let [l0, l1] = [number(par, "lambda0")?, number(par, "lambda1")?];
            let [s0, s1] = [number(par, "sigma0")?, number(par, "sigma1")?];
            Ok(Some(format!(
                "{{ generator = [[{:?}, {s0:?}], [{s1:?}, {:?}]], arrivals = [{l0:?}, {l1:?}] }}",
                -s0, -s1
            )))
        }
        _ => Ok(None),
    }
}

/// The text of a law.
fn text(name: &str, distribution: Xml<'_>, par: Xml<'_>) -> Result<String, JmtError> {
    let of = |name: &str| number(par, name);
    let mean_of = |name: &str| {
        let rate = of(name)?;
        if rate > 0.0 { Ok(1.0 / rate) } else { Err(wrong(parameter(par, name)?, rate.to_string(), "above 0")) }
    };
    Ok(match name {
        "Exponential" => format!("exponential:{}", mean_of("lambda")?),
        "Deterministic" if of("t")? == 0.0 => MOMENT.into(),
        "Deterministic" => format!("constant:{}", of("t")?),
        "Erlang" => {
            let stages = whole(par, "r")?;
            format!("erlang:{stages},{}", stages as f64 * mean_of("alpha")?)
        }
        "HyperExp" => format!("hyperexponential:{},{},{}", of("p")?, mean_of("lambda1")?, mean_of("lambda2")?),
        "Uniform" => format!("uniform:{},{}", of("min")?, of("max")?),
        "Gamma" => format!("gamma:{},{}", of("alpha")?, of("alpha")? * of("beta")?),
        "Weibull" => format!("weibull:{},{}", of("r")?, of("alpha")?),
        "Normal" => format!("normal:{},{}", of("mean")?, of("standardDeviation")?),
        "Lognormal" => {
            let (mu, variance) = (of("mu")?, of("sigma")?.powi(2));
            let mean = (mu + variance / 2.0).exp();
            format!("lognormal:{mean},{}", mean * variance.exp_m1().sqrt())
        }
        // The law here has an end: beyond it are 2^-32 of the times.
        "Pareto" => format!("pareto:{},{},{}", of("alpha")?, of("k")?, of("k")? * (32.0 / of("alpha")?).exp2()),
        // JMT's probability is that of an end after the first phase.
        "Coxian" => format!("coxian:{},{},{}", mean_of("lambda0")?, 1.0 - of("phi0")?, mean_of("lambda1")?),
        "PhaseType" => {
            let first = matrix(par, "alpha")?.into_iter().flatten().collect();
            let rows = [first].into_iter().chain(matrix(par, "T")?);
            let row = |row: Vec<f64>| row.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
            format!("phase-type:{}", rows.map(row).collect::<Vec<_>>().join(";"))
        }
        "Replayer" => {
            let needs = "its times as a table: `trace` of a source, or `empirical:FILE.csv`, in the file that convert writes without it";
            return Err(no_equal(distribution, "a replayed file of times", needs));
        }
        other => return Err(unknown(distribution, "distribution", other, DISTRIBUTIONS)),
    })
}
