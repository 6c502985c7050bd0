//! The part of a network that one rank simulates.

use std::collections::BTreeSet;

use super::describe::{Network, Source, Station};
use super::model::{Edge, NetworkModel, Rules, VisitRules};
use super::partition::Partition;
use tickless_core::memory::{self, NoMemory};
use tickless_core::time::Time;

/// The stations of a rank as a network of their own, in the order of the whole network, with the sources that lead to them and
/// all sinks. Edges to stations of other ranks have targets behind the sinks, one each.
pub(super) struct Share {
    pub(super) model: NetworkModel,
    /// The number of each station in the whole network, and behind them those of the sources, which come behind all stations
    /// there too.
    pub(super) numbers: Vec<u32>,
    /// Stations of the whole network.
    pub(super) whole: u32,
    /// The first target of an edge to another rank.
    pub(super) first_abroad: u32,
    /// For each target from there on: its rank, and its number on that rank.
    pub(super) abroad: Vec<(u32, u32)>,
    /// The target ranks of edges from here.
    pub(super) to: Vec<u32>,
    /// The source ranks of edges to here.
    pub(super) from: Vec<u32>,
    /// The least time between the start of a service and the arrival of its token on another rank; never where no token goes
    /// there.
    pub(super) lookahead: Time,
}

/// Bytes of a station: its law, its description, its place in the rows, its number.
const BYTES: u64 = 340;

impl NetworkModel {
    /// Whether a target is a sink. In the share of a rank, targets on other ranks follow the sinks.
    pub(super) fn is_sink(&self, target: u32) -> bool {
        target.checked_sub(self.stations()).is_some_and(|sink| sink < self.sinks())
    }

    /// Whether a target is a station of another rank.
    pub(super) fn is_abroad(&self, target: u32) -> bool {
        target >= self.stations() + self.sinks()
    }

    /// The least time between the start of a service and the arrival of its token over an edge of such a delay.
    pub(super) fn shortest_way(&self, station: u32, delay: Time) -> Time {
        Time::from_ticks(self.law(station).offset + delay.ticks())
    }
}

impl Share {
    /// The share of a rank in a model with its stations in lists.
    ///
    /// # Errors
    /// Too little memory.
    pub(super) fn new(whole: &NetworkModel, cut: &Partition, rank: u32) -> Result<Self, NoMemory> {
        let (stations, sinks) = (whole.stations(), whole.sinks());
        let own: Vec<u32> = cut.stations_of(rank).collect();
        let rows: u64 = own.iter().map(|station| whole.row(*station).len() as u64).sum();
        memory::room_of(BYTES * own.len() as u64 + 48 * rows + 4 * u64::from(stations), "the stations of a rank")?;
        let mut places = vec![0_u32; stations as usize];
        let mut counts: Vec<u32> = vec![];
        for station in 0..stations {
            let rank = cut.rank_of(station) as usize;
            counts.resize(counts.len().max(rank + 1), 0);
            places[station as usize] = counts[rank];
            counts[rank] += 1;
        }
        let first_abroad = own.len() as u32 + sinks;
        let (mut abroad, mut lookahead, mut edges, mut first) = (vec![], Time::NEVER, vec![], vec![0]);
        for &station in &own {
            for edge in whole.row(station) {
                let target = match edge.target {
                    sink if sink >= stations => own.len() as u32 + (sink - stations),
                    target if cut.rank_of(target) == rank => places[target as usize],
                    target => {
                        lookahead = lookahead.min(whole.shortest_way(station, edge.delay));
                        abroad.push((cut.rank_of(target), places[target as usize]));
                        first_abroad + abroad.len() as u32 - 1
                    }
                };
                edges.push(Edge { target, ..*edge });
            }
            first.push(edges.len() as u32);
        }
        let leads_here = |source: &u32| cut.rank_of(whole.inflow(*source).target) == rank;
        let sources: Vec<u32> = (0..whole.sources()).filter(leads_here).collect();
        let here = |edge: &Edge| edge.target < stations && cut.rank_of(edge.target) == rank;
        let leads = |station: &u32| cut.rank_of(*station) != rank && whole.row(*station).iter().any(here);
        let from: BTreeSet<u32> = (0..stations).filter(leads).map(|station| cut.rank_of(station)).collect();
        let to: BTreeSet<u32> = abroad.iter().map(|(rank, _)| *rank).collect();
        Ok(Self {
            numbers: own.iter().copied().chain(sources.iter().map(|source| stations + source)).collect(),
            whole: stations,
            first_abroad,
            abroad,
            to: Vec::from_iter(to),
            from: Vec::from_iter(from),
            lookahead,
            model: part(whole, &own, &sources, (edges, &first), &places),
        })
    }
}

/// The model of some stations and sources, with these edges.
fn part(
    whole: &NetworkModel,
    own: &[u32],
    sources: &[u32],
    (edges, first): (Vec<Edge>, &[u32]),
    places: &[u32],
) -> NetworkModel {
    let said = &whole.description;
    // The names are not used.
    let station = |id: &u32| Station { name: String::new(), ..said.stations[*id as usize].clone() };
    let source = |id: &u32| Source { name: String::new(), ..said.sources[*id as usize].clone() };
    let description = Network {
        torus: None,
        stations: own.iter().map(station).collect(),
        sources: sources.iter().map(source).collect(),
        sinks: said.sinks.clone(),
        routes: vec![],
        classes: vec![],
        resources: vec![],
        distributions: said.distributions.clone(),
        ..*said
    };
    let visit = |(id, row): (&u32, &[u32])| {
        let visit = whole.rules.visit(*id, 0).clone();
        VisitRules { first: row[0], end: row[1], ..visit }
    };
    let rules = Rules {
        stations: own.iter().map(|id| whole.rules_of(*id).clone()).collect(),
        visits: own.iter().zip(first.windows(2)).map(visit).collect(),
        edges,
        source_classes: vec![0; sources.len()],
        sources: sources.iter().map(|id| whole.rules.sources[*id as usize].clone()).collect(),
        ..Rules::plain()
    };
    let tokens: Vec<u32> = own.iter().map(|id| whole.tokens_at(*id)).collect();
    let inflow = |id: &u32| {
        let inflow = whole.inflow(*id).clone();
        super::model::Inflow { target: places[inflow.target as usize], ..inflow }
    };
    NetworkModel {
        description,
        torus: None,
        all_tokens: tokens.iter().sum(),
        most_tokens: whole.most_tokens,
        tokens,
        inflows: sources.iter().map(inflow).collect(),
        lookahead: whole.lookahead,
        approximate: whole.approximate,
        until: whole.until,
        warmup: whole.warmup,
        warnings: vec![],
        observed: vec![],
        scale: None,
        series_step: None,
        has_costs: whole.has_costs,
        rules,
    }
}
