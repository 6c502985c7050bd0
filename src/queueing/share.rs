//! The part of a network that one rank simulates.

use std::collections::BTreeSet;

use super::describe::{Network, Source, Station};
use super::model::NetworkModel;
use super::model::{Edge, Rules, StationRules, VisitRules};
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
    /// The least time between an event and the arrival of a token on another rank that it tells of; never where none goes there.
    pub(super) lookahead: Time,
}

/// Bytes of a class at a station: its law, its description, its place in the rows, its number.
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
        let places_of_own = own.len() as u64 * u64::from(whole.class_count());
        memory::room_of(BYTES * places_of_own + 48 * rows + 4 * u64::from(stations), "the stations of a rank")?;
        let mut places = vec![0_u32; stations as usize];
        let mut counts: Vec<u32> = vec![];
        for station in 0..stations {
            let rank = cut.rank_of(station) as usize;
            counts.resize(counts.len().max(rank + 1), 0);
            places[station as usize] = counts[rank];
            counts[rank] += 1;
        }
        let first_abroad = own.len() as u32 + sinks;
        let (mut abroad, mut edges, mut visits) = (vec![], vec![], vec![]);
        let here = |target: u32| {
            if target < stations { places[target as usize] } else { own.len() as u32 + (target - stations) }
        };
        for (station, class) in own.iter().flat_map(|station| (0..whole.class_count()).map(|class| (*station, class))) {
            let (visit, first) = (whole.rules.visit(station, class), edges.len() as u32);
            for edge in &whole.edges()[visit.first as usize..visit.end as usize] {
                let is_abroad = edge.target < stations && cut.rank_of(edge.target) != rank;
                let target = if is_abroad { first_abroad + abroad.len() as u32 } else { here(edge.target) };
                abroad.extend(is_abroad.then(|| (cut.rank_of(edge.target), here(edge.target))));
                edges.push(Edge { target, ..*edge });
            }
            visits.push(VisitRules { first, end: edges.len() as u32, ..visit.clone() });
        }
        let of_station = |id: &u32| with_targets(whole.rules_of(*id).clone(), here);
        let rules = Rules { stations: own.iter().map(of_station).collect(), visits, edges, ..Rules::plain() };
        let crossing = own.iter().flat_map(|station| cut.crossing(whole, *station));
        let lookahead = crossing.map(|way| way.ahead).min().unwrap_or(Time::NEVER);
        let leads_here = |source: &u32| cut.rank_of(whole.inflow(*source).target) == rank;
        let sources: Vec<u32> = (0..whole.sources()).filter(leads_here).collect();
        let is_here = |edge: &Edge| edge.target < stations && cut.rank_of(edge.target) == rank;
        let leads = |station: &u32| cut.rank_of(*station) != rank && whole.row(*station).iter().any(is_here);
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
            model: part(whole, &own, &sources, rules, &places),
        })
    }
}

/// The rules of a station, with other numbers for where those go that do not join it, or leave it without a service.
fn with_targets(mut rules: StationRules, here: impl Fn(u32) -> u32) -> StationRules {
    if let Some(further) = &mut rules.further {
        let targets = [&mut further.balks_to, &mut further.reneges_to, &mut further.full_to];
        targets.into_iter().filter(|target| **target != Rules::LOST).for_each(|target| *target = here(*target));
    }
    rules
}

/// The model of some stations and sources, with the rules of these stations.
fn part(whole: &NetworkModel, own: &[u32], sources: &[u32], rules: Rules, places: &[u32]) -> NetworkModel {
    let said = &whole.description;
    // Nobody asks for the names, but those of stations where there are classes.
    let name = |id: u32| if whole.rules.plain { String::new() } else { said.stations[id as usize].name.clone() };
    let station = |id: &u32| Station { name: name(*id), ..said.stations[*id as usize].clone() };
    let source = |id: &u32| Source { name: String::new(), ..said.sources[*id as usize].clone() };
    let description = Network {
        torus: None,
        stations: own.iter().map(station).collect(),
        sources: sources.iter().map(source).collect(),
        sinks: said.sinks.clone(),
        routes: vec![],
        classes: vec![],
        resources: vec![],
        attributes: vec![],
        distributions: said.distributions.clone(),
        quantiles: said.quantiles.clone(),
        words: said.words.clone(),
        ..*said
    };
    let rules = Rules {
        plain: whole.rules.plain,
        names: whole.rules.names.clone(),
        levels: whole.rules.levels.clone(),
        source_classes: sources.iter().map(|id| whole.class_of_source(*id)).collect(),
        sources: sources.iter().map(|id| whole.rules.sources[*id as usize].clone()).collect(),
        ..rules
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
        loads: super::model::Loads::default(),
        warnings: vec![],
        observed: vec![],
        scale: None,
        targets: vec![],
        series_step: None,
        fold: None,
        has_costs: whole.has_costs,
        rules,
    }
}
