//! From the description of a source to its rules.

use super::rules::TOLERANCE;
use crate::describe::{Chain, Coming, Intensity, Source, ends};
use crate::error::NetworkError;
use crate::model::SourceRules;
use tickless_core::number::Written;

pub(super) fn source_rules(source: &Source) -> Result<SourceRules, NetworkError> {
    let fail = |parameter: &'static str, value: f64, allowed: &str| {
        let (name, value, allowed) = (source.name.clone(), Written(value).to_string(), allowed.to_owned());
        Err(NetworkError::Parameter { kind: "source", name, parameter, value, allowed })
    };
    let of_rates = || source.rates.as_ref().and_then(|rates| rates.fault());
    let of_phases = || source.phases.as_ref().and_then(|phases| phases.fault());
    let of_trace = || source.trace.as_ref().and_then(|trace| trace.fault());
    if let Some((what, value, allowed)) = of_rates().or_else(of_phases).or_else(of_trace) {
        return fail(what, value, allowed);
    }
    if source.trace.is_some() && !source.batch.is_empty() {
        let sizes = source.batch.len() as f64;
        return fail("the number of sizes of a batch", sizes, "0, as the trace says how many tokens come at a time");
    }
    if let Some(share) = source.batch.iter().find(|share| !(0.0..=1.0).contains(*share)) {
        return fail("a probability of a number of tokens at a time", *share, "from 0 to 1");
    }
    let sum: f64 = source.batch.iter().sum();
    if !source.batch.is_empty() && (sum - 1.0).abs() > TOLERANCE {
        return fail("the sum of the probabilities of numbers of tokens at a time", sum, "1");
    }
    Ok(SourceRules {
        intensity: source.rates.as_ref().map(Intensity::new),
        phases: source.phases.as_ref().map(Chain::new),
        trace: source.trace.as_ref().map(|trace| Coming::all(trace, source.class)),
        batch: ends(&source.batch),
    })
}
