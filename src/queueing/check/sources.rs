//! From the description of a source to its rules.

use super::attributes;
use super::rules::TOLERANCE;
use crate::describe::{Chain, Choice, Coming, Intensity, Network, Routing, Source, ends};
use crate::error::NetworkError;
use crate::model::{Edge, Rules, SourceChoice, SourceRules};
use tickless_core::memory;
use tickless_core::number::Written;
use tickless_core::time::Time;

pub(super) fn source_rules(source: &Source) -> Result<SourceRules, NetworkError> {
    let fail = |parameter: &'static str, value: f64, allowed: &str| {
        let (name, value, allowed) = (source.name.clone(), Written(value).to_string(), allowed.to_owned());
        Err(NetworkError::Parameter { kind: "source", name, parameter, value, allowed })
    };
    if let Some(choice) = &source.choice {
        check_choice(source, choice)?;
    }
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
        values: source.trace.as_ref().map_or(vec![], attributes::of_trace),
        batch: ends(&source.batch),
        choice: None,
    })
}

/// A routing that a source can have, and a choice.
fn check_choice(source: &Source, choice: &Choice) -> Result<(), NetworkError> {
    let allowed = match choice.routing {
        Routing::Fork | Routing::ByVisit | Routing::ByAttribute => {
            "another one, as each token of a source goes to one station, once"
        }
        _ if choice.others.is_empty() => "left out, as the source leads to one station",
        _ => return Ok(()),
    };
    let (name, value) = (source.name.clone(), choice.routing.to_string());
    Err(NetworkError::Parameter { kind: "source", name, parameter: "the routing", value, allowed: allowed.to_owned() })
}

/// Adds the edges of sources that choose, behind those of stations.
pub(super) fn add_choices(network: &Network, rules: &mut Rules) -> Result<(), NetworkError> {
    let classes = rules.classes();
    let of = |source: &Source| source.choice.as_ref().map_or(0, |choice| 1 + choice.others.len() as u64);
    let further = network.sources.iter().map(of).sum::<u64>() * u64::from(classes);
    let count = rules.edges.len() as u64 + further;
    if count > u64::from(u32::MAX) {
        return Err(NetworkError::TooMany { what: "routes", count, most: u32::MAX.into() });
    }
    memory::room_of(further * size_of::<Edge>() as u64, "the choices of sources")?;
    rules.edges.reserve_exact(further as usize);
    for (place, source) in network.sources.iter().enumerate() {
        let Some(choice) = &source.choice else { continue };
        let (first, count) = (rules.edges.len() as u32, of(source) as u32);
        rules.sources[place].choice = Some(SourceChoice { routing: choice.routing, first, count });
        for becomes in 0..classes {
            let edge = |target| Edge { upper: u32::MAX, target, delay: Time::ZERO, up_to: Time::NEVER, becomes };
            rules.edges.extend(source.targets().map(|to| edge(to.0)));
        }
    }
    Ok(())
}
