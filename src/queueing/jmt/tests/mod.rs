//! Small models of JMT against the same networks by hand.

mod faults;
mod networks;
mod pieces;
mod servers;
mod stations;

use super::{decoded, from_jmt, is_xml};
use crate::{Network, combined_digest};
use pieces::*;
use tickless_core::run::unwatched;
use tickless_device::Target;

fn digest(text: &str) -> String {
    let model = Network::from_toml(text).unwrap_or_else(|error| panic!("{error}: {text}")).check();
    let model = model.unwrap_or_else(|error| panic!("{error}: {text}"));
    let run = crate::run(&model, 0..2, Target::Heap, Default::default(), &mut unwatched()).unwrap();
    assert!(run.outcome.iter().any(|outcome| outcome.stations.facilities[0].completions > 20), "{text}");
    combined_digest(&run.outcome).to_string()
}

/// A model of JMT runs as a network by hand.
#[track_caller]
fn same(jmt: &str, by_hand: &str) {
    let toml = from_jmt(jmt).unwrap_or_else(|error| panic!("{error}")).toml;
    assert_eq!(digest(&toml), digest(&format!("until = 200\nwarmup = 10\n{by_hand}")), "{toml}");
}

/// A model of JMT does not run as a network by hand.
#[track_caller]
fn differs(jmt: &str, by_hand: &str) {
    let toml = from_jmt(jmt).unwrap_or_else(|error| panic!("{error}")).toml;
    assert_ne!(digest(&toml), digest(&format!("until = 200\nwarmup = 10\n{by_hand}")), "{toml}");
}

/// A model of one queue.
fn queue(line: &str, law: &str, server_and_more: (&str, &str)) -> String {
    let random = || router(&[("c", "RandomStrategy")]);
    let (kind, more) = server_and_more;
    let server = server(kind, 1, &[("c", law.into())], more);
    let desk = node("desk", &[line.into(), server, random()]);
    let source = source("in", &[("c", exponential(0.5))], &random());
    model(&[open("c", "in", 0), source, desk, sink("out")], "in>desk desk>out", "")
}

#[test]
fn files_are_decoded_as_they_say() {
    let latin = b"<?xml version='1.0' encoding='ISO-8859-1'?>\n<a name='caf\xe9'/>".to_vec();
    assert!(is_xml(&latin) && decoded(latin).unwrap().contains("café"));
    assert!(decoded(b"<a name='caf\xe9'/>".to_vec()).is_err());
    assert!(is_xml("\u{feff} \n<a/>".as_bytes()) && !is_xml(b"until = 5"));
}

#[test]
fn results_are_read_in_both_forms() {
    let measure = "<measure name='m' type='Response Time' referenceNode='desk' referenceUserClass='c'/>";
    let results = "<results><measure name='m' type='2' referenceStation='desk' referenceClass='c' finalValue='1.5'>
        <sample meanValue='1' lowerBound='1.25' upperBound='1.75'/><sample meanValue='1.5'/></measure></results>
        <solutions><measure measureType='Utilization' station='desk' class='' meanValue='0.5' lowerLimit='0.4' upperLimit='0.6'/>
        </solutions></archive>";
    let whole = queue(&plain(&["c"]), &exponential(4.0), ("Server", ""));
    let whole = whole.replacen("<connection", &format!("{measure}<connection"), 1).replacen("</archive>", results, 1);
    let found = from_jmt(&whole).unwrap().results;
    let told: Vec<_> = found.iter().map(|one| (&*one.measure, &*one.station, &*one.class, one.mean)).collect();
    assert_eq!(told, [("Response Time", "desk", "c", 1.5), ("Utilization", "desk", "", 0.5)]);
    assert_eq!((found[0].lower, found[0].upper, found[1].upper), (Some(1.25), Some(1.75), Some(0.6)));
}

/// The page lists what is known.
#[test]
fn the_page_has_every_distribution_strategy_policy_and_discipline() {
    let page = include_str!("../../../../docs/jmt.md");
    let flat = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains(super::laws::DISTRIBUTIONS), "{}", super::laws::DISTRIBUTIONS);
    assert!(flat.contains(super::servers::POLICIES), "{}", super::servers::POLICIES);
    assert!(flat.contains(super::choices::STRATEGIES), "{}", super::choices::STRATEGIES);
    for (theirs, ours, _) in super::disciplines::DISCIPLINES {
        let name = theirs.trim_end_matches("StrategyPriority");
        assert!(page.contains(&format!("`{name}`")) && page.contains(&format!("`{ours}`")), "{theirs}");
    }
}
