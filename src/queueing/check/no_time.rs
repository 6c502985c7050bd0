//! What goes with stations whose services take no time.

use super::rules::parameter;
use crate::describe::{Discipline, Further, Network, Station};
use crate::error::NetworkError;
use crate::model::Rules;
use crate::model::time_factors::FactorSchedule;
use tickless_core::time::Time;

/// The factor of such services, 0 at all times, if the station has them.
///
/// # Errors
/// What would say how long services take, or asks for it.
pub(super) fn schedule(station: &Station, further: &Further) -> Result<Option<FactorSchedule>, NetworkError> {
    if !further.takes_no_time {
        return Ok(None);
    }
    let knows = further.discipline.order().knows_services() || further.discipline == Discipline::Sharing;
    let laws = further.classes.iter().any(|of| of.service.is_some() || of.sized_by.is_some());
    let others = [
        ("the discipline", knows),
        ("the service of a class", laws || further.sized_by.is_some()),
        ("a weight", further.classes.iter().any(|of| of.weight.is_some())),
        ("the number of groups of servers", !further.groups.is_empty()),
        ("the list of speeds", !further.speeds.is_empty()),
        ("the number of factors by time", further.time_factors.is_some()),
    ];
    if let Some((what, _)) = others.into_iter().find(|(_, is_there)| *is_there) {
        let allowed = "left out, as services there take no time";
        let value = if what == "the discipline" { further.discipline.name() } else { "given" };
        return Err(parameter(&station.name, what, value, allowed));
    }
    Ok(Some(FactorSchedule { steps: vec![(0, 0)], period: None }))
}

impl Rules {
    /// Whether no token can go round and round in no time.
    ///
    /// # Errors
    /// [`NetworkError::Parameter`] with a station of the circle.
    pub(super) fn check_circles_without_time(&self, network: &Network) -> Result<(), NetworkError> {
        if !network.stations.iter().any(Station::takes_no_time) {
            return Ok(());
        }
        let classes = self.names.len();
        let takes_no_time = |place: usize| network.stations.get(place).is_some_and(Station::takes_no_time);
        let next = |node: usize| {
            let visit = &self.visits[node];
            let edges = &self.edges[visit.first as usize..visit.end as usize];
            let at_once = edges.iter().filter(|edge| edge.delay == Time::ZERO && takes_no_time(edge.target as usize));
            at_once.map(|edge| edge.target as usize * classes + edge.becomes as usize)
        };
        let is_asked = |node: &usize| takes_no_time(node / classes) && self.visits[*node].is_reached;
        let nodes: Vec<usize> = (0..self.visits.len()).filter(is_asked).collect();
        // How many ways in no time each has, and whence it is reached so.
        let (mut ways, mut before) = (vec![0; self.visits.len()], vec![vec![]; self.visits.len()]);
        for (node, to) in nodes.iter().flat_map(|node| next(*node).map(move |to| (*node, to))) {
            ways[node] += 1;
            before[to].push(node);
        }
        // Whoever leads nowhere is taken out, one after the other.
        let mut out: Vec<usize> = nodes.iter().copied().filter(|node| ways[*node] == 0).collect();
        while let Some(node) = out.pop() {
            for from in std::mem::take(&mut before[node]) {
                ways[from] -= 1;
                if ways[from] == 0 {
                    out.push(from);
                }
            }
        }
        let left: Vec<usize> = nodes.into_iter().filter(|node| ways[*node] > 0).collect();
        let Some(first) = left.first() else { return Ok(()) };
        // What is left leads round at the end.
        let round = (0..left.len()).fold(*first, |node, _| next(node).find(|to| ways[*to] > 0).unwrap_or(node));
        let name = &network.stations[round / classes].name;
        let allowed = "a law, or a delay on the way, as tokens come back to this station in no time";
        Err(parameter(name, "the service", "zero", allowed))
    }
}
