//! The features that keep a network from rounds.
//!
//! A round is conservative where everything about a visit is known when its token arrives: when its service begins and ends, and where
//! it goes then. No later event may change any of it.

use crate::describe::{Discipline, Further, Network, Observed, Order, Routing, Station};
use crate::model::{Rules, StationRules};

/// The feature that keeps a network from rounds, and the results that rounds do not record.
pub(crate) fn of_rounds(network: &Network, rules: &Rules) -> (Option<String>, Option<&'static str>) {
    (no_rounds(network, rules), unrecorded(network).filter(|_| !rules.plain))
}

/// The first class, station or key that keeps a network from rounds, and its feature.
fn no_rounds(network: &Network, rules: &Rules) -> Option<String> {
    let first = rules.levels.first();
    let class = rules.levels.iter().position(|level| Some(level) != first);
    let [one, name] = [0, class.unwrap_or(0)].map(|class| &rules.names[class]);
    let of_class = class.map(|_| format!("classes '{one}' and '{name}' have different priorities"));
    let station = |(station, rules): (&Station, &StationRules)| {
        let what = of_station(station, rules)?;
        Some(format!("station '{}' has {what}", station.name))
    };
    let of_network = || (!rules.resources.is_empty()).then(|| "the network has resources".to_owned());
    let source = || {
        let chooses = network.sources.iter().find(|source| source.choice.is_some())?;
        Some(format!("source '{}' chooses among stations", chooses.name))
    };
    of_class
        .or_else(|| network.stations.iter().zip(&rules.stations).find_map(station))
        .or_else(of_network)
        .or_else(source)
}

/// The results of a network of classes that rounds do not record: it runs event by event even with a window.
fn unrecorded(network: &Network) -> Option<&'static str> {
    let all = [
        (network.series_step.is_some(), "a series"),
        (network.fold.is_some(), "figures by the hour"),
        (network.distributions != Observed::Nothing, "distributions beside classes"),
        (network.targets().next().is_some(), "targets"),
        (network.asks_for_longest(), "the longest of times"),
    ];
    all.into_iter().find(|(has, _)| *has).map(|(_, what)| what)
}

fn of_station(station: &Station, rules: &StationRules) -> Option<&'static str> {
    let plain = Further::default();
    let further = station.further.as_deref().unwrap_or(&plain);
    let [by_chance, by_turns] = [Routing::Random, Routing::RoundRobin].map(|routing| further.routing == routing);
    let all = [
        (further.discipline != Discipline::FirstCome || rules.order != Order::FirstCome, "a discipline"),
        (!further.balking.is_empty(), "balking"),
        (further.is_impatient(), "patience"),
        (further.route_by.is_some(), "a routing by what tokens carry"),
        (!by_chance && !by_turns, "a routing by what others do"),
        (
            by_turns && (station.servers > 1 || further.infinite),
            "turns of services that end in any order (round robin)",
        ),
        (further.full_to.is_some(), "another place for those that find no room"),
        (further.blocks, "blocking"),
        (further.shifts.as_ref().is_some_and(|shifts| shifts.interrupts), "shifts whose end interrupts services"),
        (further.shifts.is_some() && station.capacity.is_some(), "shifts beside a limited capacity"),
        (!further.groups.is_empty(), "groups of servers"),
        (!further.speeds.is_empty(), "speeds"),
        (further.failures.is_some(), "failures"),
        (further.setup.is_some(), "set-up times"),
        (further.vacation.is_some(), "vacations"),
        (further.standby.is_some(), "servers on standby"),
        (further.time_factors.is_some(), "factors of service times by the time of day"),
        (further.takes_no_time, "services that take no time"),
        (further.joins, "joins"),
        (!further.kit.is_empty(), "kits"),
        (!further.splits.is_empty(), "tokens that split"),
        (further.units().next().is_some(), "units of resources"),
        (further.classes.iter().any(|of| of.capacity.is_some()), "capacity by class"),
    ];
    all.into_iter().find(|(has, _)| *has).map(|(_, what)| what)
}

impl Rules {
    /// Why the network has no rounds.
    pub(crate) fn out_of_rounds(&self) -> Option<String> {
        let unrecorded = || self.unrecorded.map(|what| format!("the network has {what}"));
        self.no_rounds.clone().or_else(unrecorded)
    }
}
