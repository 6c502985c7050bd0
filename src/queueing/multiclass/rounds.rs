//! Which networks of classes can run in rounds, and the windows of those that do.
//!
//! A round is conservative where everything about a visit is known when its token arrives: when its service begins and ends, and where
//! it goes then. What comes later must change none of it.

use super::description::Further;
use super::rules::{Order, Rules, StationRules, VisitRules};
use super::{Discipline, Routing};
use crate::description::{Network, Observed, Station};
use crate::error::NetworkError;
use tickless_core::random::ServiceLaw;
use tickless_core::time::Time;

/// What keeps a network from rounds: the first of its classes, stations or keys that does, and by what.
pub(super) fn no_rounds(network: &Network, rules: &Rules) -> Option<String> {
    let first = rules.levels.first();
    let class = rules.levels.iter().position(|level| Some(level) != first);
    let [one, name] = [0, class.unwrap_or(0)].map(|class| &rules.names[class]);
    let of_class = class.map(|_| format!("classes '{one}' and '{name}' have different priorities"));
    let station = |(station, rules): (&Station, &StationRules)| {
        let what = of_station(station, rules)?;
        Some(format!("station '{}' has {what}", station.name))
    };
    let of_network = || (!rules.resources.is_empty()).then(|| "the network has resources".to_owned());
    of_class.or_else(|| network.stations.iter().zip(&rules.stations).find_map(station)).or_else(of_network)
}

/// What a network of classes has that rounds do not record: with a window it runs event by event all the same.
pub(super) fn unrecorded(network: &Network) -> Option<&'static str> {
    let all = [
        (network.series_step.is_some(), "a series"),
        (network.distributions != Observed::Nothing, "distributions beside classes"),
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
        (!by_chance && !by_turns, "a routing by what others do"),
        (
            by_turns && (station.servers > 1 || further.infinite),
            "turns of services that end in any order (round robin)",
        ),
        (further.blocks, "blocking"),
        (further.shifts.as_ref().is_some_and(|shifts| shifts.interrupts), "shifts whose end interrupts services"),
        (further.shifts.is_some() && station.capacity.is_some(), "shifts beside a limited capacity"),
        (!further.speeds.is_empty(), "speeds"),
        (further.failures.is_some(), "failures"),
        (further.setup.is_some(), "set-up times"),
        (further.vacation.is_some(), "vacations"),
        (further.joins, "joins"),
        (!further.seizes.is_empty() || !further.releases.is_empty(), "units of resources"),
        (further.classes.iter().any(|of| of.capacity.is_some()), "capacity by class"),
    ];
    all.into_iter().find(|(has, _)| *has).map(|(_, what)| what)
}

impl Rules {
    /// What keeps it out of rounds, for whatever reason.
    pub(crate) fn out_of_rounds(&self) -> Option<String> {
        let unrecorded = || self.unrecorded.map(|what| format!("the network has {what}"));
        self.no_rounds.clone().or_else(unrecorded)
    }

    /// The shortest delay of the routes of a class from a station to stations; what leaves the network meets nobody.
    fn shortest_delay(&self, visit: &VisitRules) -> Option<Time> {
        let row = &self.edges[visit.first as usize..visit.end as usize];
        let stations = self.stations.len() as u32;
        row.iter().filter(|edge| edge.target < stations).map(|edge| edge.delay).min()
    }

    /// The least time between the start of a service and the arrival of its token at a station: 0 where nobody knows at the arrival.
    pub(crate) fn lookahead(&self) -> Time {
        if self.no_rounds.is_some() {
            return Time::ZERO;
        }
        let ahead = |visit: &VisitRules| {
            self.shortest_delay(visit).map(|delay| Time::from_ticks(visit.law.offset + delay.ticks()))
        };
        self.visits.iter().filter(|visit| visit.is_reached).filter_map(ahead).min().unwrap_or(Time::NEVER)
    }
}

/// Shifts the law of each class at each station that falls short of a window, as that of a station without classes.
///
/// # Errors
/// [`NetworkError::NoRounds`] of a network that has none, and [`NetworkError::Window`].
pub(crate) fn widen(network: &Network, rules: &mut Rules, window: f64) -> Result<(), NetworkError> {
    if let Some(what) = rules.no_rounds.as_ref().filter(|_| window != 0.0) {
        return Err(NetworkError::NoRounds { window, what: what.clone() });
    }
    for place in 0..rules.visits.len() {
        let visit = &rules.visits[place];
        let (station, class) = (&network.stations[place / rules.names.len()], place % rules.names.len());
        let delay = rules.shortest_delay(visit).filter(|_| visit.is_reached).map_or(f64::INFINITY, Time::units);
        let law = station.service_of(class);
        let shift = shift_by(window, delay, law, || rules.name_at(&station.name, class))?;
        if shift.is_some() {
            let visit = &mut rules.visits[place];
            (visit.shift, visit.law) = (shift, law.effective(shift));
        }
    }
    Ok(())
}

/// By how much a window shifts a law of a station that sends on with this shortest delay, in time units; `None` where the law reaches
/// that far by itself.
///
/// # Errors
/// [`NetworkError::Window`], which names the station.
fn shift_by(
    window: f64,
    delay: f64,
    law: &ServiceLaw,
    station: impl Fn() -> String,
) -> Result<Option<f64>, NetworkError> {
    let (rest, mean, shortest) = (window - delay, law.mean(), law.lookahead());
    if !(window >= 0.0 && (rest < mean || rest <= shortest)) {
        return Err(NetworkError::Window { window, most: mean + delay, station: station() });
    }
    Ok((rest > shortest).then_some(rest))
}
