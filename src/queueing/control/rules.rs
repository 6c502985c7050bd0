//! The checked rules of what is decided.

use super::ControlError;
use super::paths::{NO_DECISION, NO_NUMBER, Wanted};
use crate::NetworkModel;
use crate::describe::{Discipline, Further, Network, Routing, Shifts};
use crate::model::control::{ControlRules, Controlled, Kind, Looked};
use tickless_core::time::Time;

impl ControlRules {
    pub(super) fn new(network: &Network, every: Option<Time>, (observed, earned): (Vec<Looked>, Vec<Looked>)) -> Self {
        let (stations, sources) = (network.stations.len(), network.sources.len());
        Self {
            every,
            words: 0,
            stations: vec![Controlled::default(); stations],
            sources: vec![None; sources],
            observed,
            earned,
        }
    }

    /// Changes the network so that something is decided; how many words that has.
    pub(super) fn decide(
        &mut self,
        network: &mut Network,
        wanted: Wanted,
        interrupts: bool,
    ) -> Result<u32, ControlError> {
        let first = self.words;
        let words = match wanted {
            Wanted::Servers(id) => {
                check_servers(network, id, "the servers")?;
                self.stations[id as usize].servers = Some(first);
                give_shift(network, id, interrupts);
                1
            }
            Wanted::Priorities(id) => {
                check_servers(network, id, "the order")?;
                check_order(network, id)?;
                self.stations[id as usize].ranks = Some(first);
                give_shift(network, id, interrupts);
                network.classes.len().max(1) as u32
            }
            Wanted::Route(id) => {
                check_route(network, id)?;
                self.stations[id as usize].route = Some(first);
                1
            }
            Wanted::RouteOfSource(id) => {
                check_choice(network, id)?;
                self.sources[id as usize] = Some(first);
                1
            }
        };
        self.words += words;
        Ok(words)
    }
}

impl Wanted {
    /// The largest value of each word.
    pub(super) fn most(self, model: &NetworkModel) -> Result<u32, ControlError> {
        match self {
            Self::Servers(id) => Ok(model.servers(id)),
            Self::Priorities(_) => Ok(model.rules().classes()),
            Self::Route(id) => Ok(routes_of(model, id)? - 1),
            Self::RouteOfSource(id) => {
                Ok(model.rules().sources[id as usize].choice.map_or(1, |choice| choice.count) - 1)
            }
        }
    }
}

/// A station whose servers are decided has one shift, which a decision begins anew.
fn give_shift(network: &mut Network, id: u32, interrupts: bool) {
    let station = &mut network.stations[id as usize];
    let servers = station.servers;
    let shifts = Shifts::new(vec![(0.0, servers)]);
    station.further().shifts = Some(if interrupts { shifts.interrupting() } else { shifts });
}

/// Refuses stations whose servers something else puts to work.
fn check_servers(network: &Network, id: u32, what: &'static str) -> Result<(), ControlError> {
    let station = &network.stations[id as usize];
    let Some(further) = &station.further else { return Ok(()) };
    let Further { infinite, groups, setup, vacation, standby, shifts, discipline, speeds, by_use, .. } = &**further;
    let own = |shifts: &Shifts| shifts.steps.len() == 1;
    let reasons = [
        (*infinite, "servers for everyone", "give it a number of servers"),
        (!groups.is_empty(), "groups of servers", "let the station be one of servers that are alike"),
        (
            setup.is_some() || vacation.is_some() || standby.is_some(),
            "set-ups, vacations or servers on standby",
            "leave them out",
        ),
        (*by_use, "servers that fail by use", "let them fail with the time: `up` in place of `use`"),
        (shifts.as_ref().is_some_and(|shifts| !own(shifts)), "shifts", "leave the shifts out"),
        (
            *discipline == Discipline::Sharing || !speeds.is_empty(),
            "tokens that share its servers, or speeds",
            "leave them out",
        ),
    ];
    refuse(network, id, what, &reasons)
}

/// Refuses to count servers where there is no such number.
pub(super) fn check_look(network: &Network, path: &str, looked: Looked) -> Result<Looked, ControlError> {
    let further = network.stations.get(looked.place as usize).and_then(|station| station.further.as_deref());
    let Some(further) = further.filter(|_| looked.kind == Kind::Servers) else { return Ok(looked) };
    let reason = match (further.infinite, further.discipline) {
        (true, _) => "the station has servers for everyone",
        (_, Discipline::Sharing) => "the tokens there share the servers",
        _ => return Ok(looked),
    };
    let about = format!("{reason}: look at 'serving'");
    Err(ControlError::Path { path: path.to_owned(), what: NO_NUMBER, about })
}

fn check_order(network: &Network, id: u32) -> Result<(), ControlError> {
    let Some(further) = &network.stations[id as usize].further else { return Ok(()) };
    let is_first_come = further.discipline == Discipline::FirstCome && further.order_by.is_none();
    let takes_units = !further.seizes.is_empty() || !further.uses.is_empty();
    let reasons = [
        (
            !is_first_come,
            "a discipline of its own",
            "leave the discipline out: within a class who comes first is first",
        ),
        (further.preemptive, "priorities that interrupt services", "leave `preemptive` out, or decide the servers"),
        (takes_units, "units of resources to seize", "let another station seize them"),
    ];
    refuse(network, id, "the order", &reasons)
}

fn refuse(
    network: &Network,
    id: u32,
    what: &'static str,
    reasons: &[(bool, &'static str, &'static str)],
) -> Result<(), ControlError> {
    match reasons.iter().find(|(is_so, ..)| *is_so) {
        None => Ok(()),
        Some((_, reason, remedy)) => {
            let station = network.stations[id as usize].name.clone();
            Err(ControlError::Refused { what, station, reason, remedy })
        }
    }
}

/// A station would take its routes by turns, whatever their probabilities are.
fn check_route(network: &mut Network, id: u32) -> Result<(), ControlError> {
    let station = network.nth(id);
    network.routes.iter_mut().filter(|route| route.from == station).for_each(|route| route.probability = 1.0);
    let further = network.stations[id as usize].further();
    if !matches!(further.routing, Routing::Random | Routing::RoundRobin) {
        let reasons = [(true, "a routing of its own", "leave `routing` out")];
        return refuse(network, id, "the route", &reasons);
    }
    further.routing = Routing::RoundRobin;
    Ok(())
}

/// So does a source.
fn check_choice(network: &mut Network, id: u32) -> Result<(), ControlError> {
    let source = &mut network.sources[id as usize];
    match &mut source.choice {
        Some(choice) if matches!(choice.routing, Routing::Random | Routing::RoundRobin) => {
            choice.routing = Routing::RoundRobin;
            Ok(())
        }
        Some(_) => {
            let path = format!("source.{}.route", source.name);
            let about = "the source has a routing of its own: let it be random or round-robin".into();
            Err(ControlError::Path { path, what: NO_DECISION, about })
        }
        None => Err(ControlError::Routes { place: format!("source '{}'", source.name), routes: "one station".into() }),
    }
}

/// How many routes a station has, of every class that comes there equally many.
fn routes_of(model: &NetworkModel, id: u32) -> Result<u32, ControlError> {
    let rules = model.rules();
    let visits = (0..rules.classes()).map(|class| rules.visit(id, class));
    let counts: Vec<u32> = visits.filter(|visit| visit.is_reached).map(|visit| visit.end - visit.first).collect();
    let count = counts.first().copied().unwrap_or(0);
    if count < 2 || counts.iter().any(|other| *other != count) {
        let routes = counts.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
        let routes = if routes.is_empty() { "no route".into() } else { format!("classes with {routes} of its routes") };
        return Err(ControlError::Routes { place: format!("station '{}'", model.station_name(id)), routes });
    }
    Ok(count)
}
