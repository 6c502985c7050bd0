//! Where tokens go from a station, and how long before they arrive another rank can be told.

use crate::NetworkModel;
use crate::capability::of_rounds;
use crate::model::VisitRules;
use tickless_core::time::Time;

/// A way from a station to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    pub(crate) target: u32,
    /// The least time between when it is known that a token goes there, and its arrival.
    pub(crate) ahead: Time,
    /// What makes it longer, where it is 0.
    remedy: &'static str,
}

const BY_WINDOW: &str =
    "give a window above 0 (--window), a service law with a shortest time or a delay there, or use fewer ranks";
const BY_LAW: &str = "give a service law with a shortest time or a delay there, or use fewer ranks";
const BY_DELAY: &str = "give a delay there, as nobody knows when a token leaves before it does, or use fewer ranks";
const AT_ONCE: &str = "who balks, loses patience or finds no room goes there at once: let such tokens leave the network, or use fewer ranks";

impl Way {
    /// What makes it longer: a window, too, where the network takes one.
    pub(super) fn remedy(&self, model: &NetworkModel) -> &'static str {
        let takes_a_window = || of_rounds(model.description(), model.rules()).0.is_none();
        if self.remedy == BY_LAW && takes_a_window() { BY_WINDOW } else { self.remedy }
    }
}

impl NetworkModel {
    /// The ways from a station to stations, of a model in lists: by its routes, and of tokens that balk, lose their patience or find no room. At a simple
    /// station it is known when a service begins where and when its token leaves, elsewhere when it does.
    pub(crate) fn ways(&self, station: u32) -> impl Iterator<Item = Way> + '_ {
        let (rules, is_simple) = (self.rules(), self.rules().is_simple(station));
        let of_visit = move |visit: &VisitRules| {
            let (of_law, remedy) = if is_simple { (visit.law.offset, BY_LAW) } else { (0, BY_DELAY) };
            let row = &rules.edges[visit.first as usize..visit.end as usize];
            let ahead = move |delay: Time| Time::from_ticks(of_law + delay.ticks());
            row.iter().map(move |edge| Way { target: edge.target, ahead: ahead(edge.delay), remedy })
        };
        let visits = (0..rules.classes()).map(move |class| rules.visit(station, class));
        let of_routes = visits.filter(|visit| visit.is_reached).flat_map(of_visit);
        let of_station = &rules.stations[station as usize];
        let at_once = [of_station.balks_to, of_station.reneges_to, of_station.full_to];
        let at_once = at_once.into_iter().map(|target| Way { target, ahead: Time::ZERO, remedy: AT_ONCE });
        of_routes.chain(at_once).filter(|way| way.target < self.stations())
    }

    /// The ways by which a token may come in no time, each with its station: none where all stations are such that what a server takes next
    /// can be drawn ahead, which promises others a time.
    pub(crate) fn ways_in_no_time(&self) -> impl Iterator<Item = (u32, Way)> + '_ {
        let stations = 0..self.stations();
        let is_drawn_ahead = self.rules_of_classes().is_none() && stations.clone().all(|id| self.servers(id) == 1);
        let of = |id| self.ways(id).filter(|way| way.ahead == Time::ZERO).map(move |way| (id, way));
        stations.filter(move |_| !is_drawn_ahead).flat_map(of)
    }
}
