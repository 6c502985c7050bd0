//! Why an owner lacks a figure.

use super::Whose;
use crate::NetworkModel;
use crate::describe::Order;
use crate::model::StationRules;

pub(super) fn no_share(model: &NetworkModel, whose: Whose) -> Option<&'static str> {
    if let Some(why) = shares_servers(model, whose) {
        return Some(why);
    }
    match whose.station() {
        _ if whose.any(model, |id| model.has_fixed_servers(id)) => None,
        None => Some("no station has a fixed number of servers; measure network.mean_busy"),
        Some(id) if model.has_infinite_servers(id) => Some("its servers are infinitely many; measure mean_busy"),
        Some(_) => Some("its servers go by shifts; measure scheduled_utilization or mean_busy"),
    }
}

/// A server that serves several tokens at once is not busy with a class alone.
fn shares_servers(model: &NetworkModel, whose: Whose) -> Option<&'static str> {
    let Whose::Class { station, .. } = whose else { return None };
    let none = "servers there serve tokens of several classes at once; measure that of the station";
    model.rules_of(station).takes_several().then_some(none)
}

pub(super) fn no_batches(model: &NetworkModel, whose: Whose) -> Option<&'static str> {
    let Whose::Group(number) = whose else { return None };
    let station = model.groups()[number as usize].0;
    (!model.rules_of(station).takes_several())
        .then_some("servers of the station take one token at a time: give a group `batch_most`")
}

pub(super) fn no_stock(model: &NetworkModel, whose: Whose) -> Option<&'static str> {
    let Whose::Resource(id) = whose else { return None };
    (!model.is_stock(id)).then_some("tokens hold its units: no station uses them up (`uses`)")
}

pub(super) fn no_shifts(model: &NetworkModel, whose: Whose) -> Option<&'static str> {
    if let Some(why) = shares_servers(model, whose) {
        return Some(why);
    }
    match whose.station() {
        None => Some("only stations with shifts have one; measure network.mean_busy"),
        Some(id) if model.has_shifts(id) => None,
        Some(id) if model.has_infinite_servers(id) => Some("its servers are infinitely many; measure mean_busy"),
        Some(_) => Some("it has no shifts; measure utilization or mean_busy"),
    }
}

pub(super) fn no_blocking(model: &NetworkModel, whose: Whose) -> Option<&'static str> {
    let none = "no token that has been served waits there for room elsewhere";
    (!whose.any(model, |id| model.rules_of(id).holds)).then_some(none)
}

/// Whether tokens hold servers of a station that do not serve them.
fn holds_tokens(model: &NetworkModel, station: u32) -> bool {
    model.rules_of(station).holds || model.rules_of(station).stops
}

/// A token that shares the servers holds none alone, so blocked servers cannot be counted.
fn shared_servers(model: &NetworkModel, whose: Whose) -> Option<&'static str> {
    let is_shared = |id| model.rules_of(id).order == Order::Sharing && holds_tokens(model, id);
    whose
        .any(model, is_shared)
        .then_some("tokens that share the servers are blocked, and none of them holds a server alone")
}

pub(super) fn no_blocked_servers(model: &NetworkModel, whose: Whose) -> Option<&'static str> {
    let is_held = |id| holds_tokens(model, id) && model.has_fixed_servers(id);
    let none = "no token holds a server there that does not serve it";
    let lacks = no_share(model, whose).or_else(|| shared_servers(model, whose));
    lacks.or_else(|| (!whose.any(model, is_held)).then_some(none))
}

pub(super) fn no_failures(model: &NetworkModel, whose: Whose) -> Option<&'static str> {
    no_servers(model, whose, (StationRules::has_failures, "no server fails there"))
}

pub(super) fn no_setups(model: &NetworkModel, whose: Whose) -> Option<&'static str> {
    no_servers(model, whose, (|rules| rules.setup.is_some(), "no server sets up there"))
}

pub(super) fn no_vacations(model: &NetworkModel, whose: Whose) -> Option<&'static str> {
    no_servers(model, whose, (StationRules::goes_away, "no server goes away there"))
}

/// Why there is no share of the time of servers in a state that those of some stations have.
fn no_servers(
    model: &NetworkModel,
    whose: Whose,
    (has, none): (fn(&StationRules) -> bool, &'static str),
) -> Option<&'static str> {
    let is_there = |id| has(model.rules_of(id)) && model.has_fixed_servers(id);
    let none = (!whose.any(model, is_there)).then_some(none);
    let of_all =
        matches!(whose, Whose::Class { .. }).then_some("servers are so for all classes: measure the station's");
    no_share(model, whose).or(none).or(of_all)
}

pub(super) fn no_levels(model: &NetworkModel, whose: Whose) -> Option<&'static str> {
    match whose {
        Whose::Station(id) if model.observed().binary_search(&id).is_ok() => None,
        Whose::Station(_) => Some("its distributions are not recorded: set distributions = true"),
        _ => Some("only stations have one"),
    }
}

pub(super) fn no_limit(model: &NetworkModel, whose: Whose) -> Option<&'static str> {
    let none = whose.station().filter(|id| model.capacity(*id) == u32::MAX).map(|_| "there is room for all");
    no_levels(model, whose).or(none)
}

pub(super) fn no_idle_share(model: &NetworkModel, whose: Whose) -> Option<&'static str> {
    if matches!(whose, Whose::Class { .. }) {
        return Some("a server is idle for all classes: measure the station's");
    }
    let others = [no_blocked_servers, no_failures, no_setups, no_vacations];
    let has_more = others.iter().any(|lacks| lacks(model, whose).is_none());
    let none = "servers are never blocked, down or away there: it is what utilization leaves of 1";
    no_share(model, whose).or_else(|| shared_servers(model, whose)).or_else(|| (!has_more).then_some(none))
}

pub(super) fn no_joins(model: &NetworkModel, whose: Whose) -> Option<&'static str> {
    (!whose.any(model, |id| model.rules_of(id).gathers())).then_some("no siblings are joined there")
}

pub(super) fn no_patience(model: &NetworkModel, whose: Whose) -> Option<&'static str> {
    let has_any = match whose {
        Whose::Class { station, class } => model.visit_of(station, class).is_impatient(),
        _ => !model.classes().is_empty() && whose.any(model, |id| model.rules().has_patience(id)),
    };
    (!has_any).then_some("nobody loses patience there: measure mean_waiting_time")
}

pub(super) fn no_classes(model: &NetworkModel, _: Whose) -> Option<&'static str> {
    let none = "nobody balks or reneges in a network without classes, disciplines or patience";
    model.classes().is_empty().then_some(none)
}
