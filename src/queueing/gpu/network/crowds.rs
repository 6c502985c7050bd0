//! Which stations a workgroup decides instead of a thread, as `shaders/queueing/crowd.wgsl` and `front.wgsl` do.

use std::collections::BTreeMap;

use crate::NetworkModel;
use crate::capability::{room, usable_servers};
use crate::gpu::records::NONE;

/// The most crowds of a replication.
const MOST: usize = 64;
/// A workgroup pays for a station with so many servers: with few, a round holds few arrivals, and each waits for the one
/// before it; with very many, their order is too long to keep.
const SERVERS: (u32, u32) = (32, 8192);
/// ... and at least this many routes that lead to it.
const ROUTES: u32 = 64;
/// The mean number of tokens of a front's source in a round for which a workgroup pays.
const TOKENS: f64 = 32.0;

/// The rows of the stations that workgroups decide, by station: the crowds, or if there are none, the fronts. Of many
/// crowds, those with the most routes to them come first.
pub(super) fn crowds(model: &NetworkModel) -> BTreeMap<u32, [u32; 4]> {
    if model.approximate().is_some() || model.rules_of_classes().is_some() {
        return BTreeMap::new();
    }
    let mut routes = vec![0_u32; model.stations() as usize];
    for edge in model.edges() {
        if let Some(count) = routes.get_mut(edge.target as usize) {
            *count += 1;
        }
    }
    let mut sources = vec![vec![]; model.stations() as usize];
    for (source, inflow) in (0_u32..).zip(&model.inflows) {
        sources[inflow.target as usize].push(source);
    }
    // A station that a workgroup decides is not observed and has unlimited room.
    let suits = |id: &u32| model.observed().binary_search(id).is_err() && room(model, *id) == NONE;
    let stations = || (0..model.stations()).filter(suits);
    let many = |id: &u32| routes[*id as usize] >= ROUTES && sources[*id as usize].is_empty();
    let mut found: Vec<_> = stations().filter(many).filter_map(|id| crowd(model, id)).collect();
    found.sort_by_key(|row| std::cmp::Reverse(routes[row[0] as usize]));
    if found.is_empty() {
        let only = |id: u32| match (routes[id as usize], &sources[id as usize][..]) {
            (0, &[source]) => front(model, id, source),
            _ => None,
        };
        found.extend(stations().filter_map(only));
    }
    found.truncate(MOST);
    found.into_iter().map(|row| (row[0], row)).collect()
}

/// Whether a row is that of a front.
pub(super) fn is_front(row: &[u32; 4]) -> bool {
    row[3] > 0
}

/// A station of many servers: its number, the draws of a visit, and whether it leads out.
fn crowd(model: &NetworkModel, id: u32) -> Option<[u32; 4]> {
    let servers = usable_servers(model, id);
    let many = servers == 0 || (SERVERS.0..=SERVERS.1).contains(&servers);
    many.then(|| [id, model.law(id).draws() + 1, u32::from(ways_out(model, id) > 0), 0])
}

/// A station of one server with tokens from one source alone: its number, the draws of a visit and of an interval, and
/// the source.
fn front(model: &NetworkModel, id: u32, source: u32) -> Option<[u32; 4]> {
    let interval = model.description().sources[source as usize].interval.mean();
    let tokens = super::lookahead(model).units() / interval;
    let suits = model.servers(id) == 1 && ways_out(model, id) <= 1 && tokens >= TOKENS;
    suits.then(|| [id, model.law(id).draws() + 1, model.inflow(source).law.draws(), source + 1])
}

fn ways_out(model: &NetworkModel, id: u32) -> usize {
    model.row(id).iter().filter(|edge| edge.target >= model.stations()).count()
}
