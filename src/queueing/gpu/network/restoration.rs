//! The states of networks in lists when their run stops, and the buffers of a run that resumes from them.

use std::ops::Range;

use rayon::prelude::*;

use super::layout::{EXIT, Layout};
use super::levels::Levels;
use super::observations;
use super::parts::first_chunks;
use super::state::{NetworkState, Sums};
use crate::checkpoint::{End, Sending, State, Transit};
use crate::gpu::records::{NONE, Station, Token};
use crate::gpu::restoration::{self, Tokens, ends, fill, free};
use crate::options::Synchronization;
use crate::{NetworkDetails, NetworkModel, QueueingError};
use tickless_core::memory;
use tickless_core::run::Run;
use tickless_core::time::Time;
use tickless_device::DeviceError;
use tickless_engine::ModelParts;

/// The state of the network of each replication.
pub(super) fn states(network: &NetworkState, sums: &Sums, model: &NetworkModel, layout: &Layout) -> Vec<State> {
    let (each, time) = (model.stations() as usize, network.state.time.ticks());
    let births = layout.places.births as usize;
    let entered = |place: usize| network.annex[births + 2 * place].checked_sub(1).map_or(Time::NEVER, Time::from_ticks);
    let number = |token: &Token, _| u64::from(token.number);
    let copies = layout.replications.len();
    let of_copy = |copy: usize| network.state.at(copy * each..(copy + 1) * each, &sums.stations, entered, number);
    let mut states: Vec<_> = (0..copies).map(of_copy).collect();
    let mut between: Vec<_> = network
        .visits(model)
        .filter_map(|(place, token, departure)| {
            let edge = &model.edges()[token.edge as usize];
            let arrival = departure + edge.delay.ticks();
            let (copy, from) = (token.station / model.stations(), token.station % model.stations());
            let transit =
                Transit { from, target: edge.target, arrival: Time::from_ticks(arrival), entered: entered(place) };
            (departure < time && arrival >= time).then_some(((copy, from, departure, token.number), transit))
        })
        .collect();
    between.sort_unstable_by_key(|(order, _)| *order);
    for ((copy, ..), transit) in between {
        states[copy as usize].transits.push(transit);
    }
    for (number, (sent, next)) in sums.sent.iter().zip(&network.next_sent).enumerate() {
        let next = Time::from_ticks(*next);
        states[number / model.sources() as usize].sources.push(Sending { sent: *sent, next });
    }
    states
}

/// With places for all tokens in the states, for rounds of this kind on so many GPUs.
///
/// # Errors
/// More than 32 bits can number.
pub(super) fn layout(
    rounds: (Synchronization, u32),
    model: &NetworkModel,
    replications: Range<u32>,
    states: &[State],
    levels: Option<Levels>,
) -> Result<Layout, DeviceError> {
    let tokens = |state: &State| state.services.len() + state.queue.len() + state.transits.len();
    let most = states.iter().map(tokens).max().unwrap_or(0) as u32;
    let chunks = first_chunks(model, &replications);
    Layout::new(model, replications, (most.max(1), chunks), levels, rounds)
}

/// The counts before a run resumes: its records count from time 0, but without the tokens that had left the networks.
#[derive(Clone, Debug)]
pub(super) struct Past {
    completions: u64,
    sent: u64,
    /// Tokens that had left each network.
    left: Vec<u64>,
}

impl Past {
    /// The past of a run that resumes from these states.
    ///
    /// # Errors
    /// More tokens in a network than have come there.
    pub(super) fn new(model: &NetworkModel, states: &[State]) -> Result<Self, QueueingError> {
        let mut past = Self { completions: 0, sent: 0, left: vec![] };
        for state in states {
            let [completions, sent] = state.ended_and_sent();
            (past.completions, past.sent) = (past.completions + completions, past.sent + sent);
            let here = (state.services.len() + state.queue.len() + state.transits.len()) as u64;
            let came = u64::from(model.tokens()) + sent;
            let more = QueueingError::Checkpoint { what: "tokens in the network", found: here, expected: came };
            past.left.push(came.checked_sub(here).ok_or(more)?);
        }
        Ok(past)
    }

    /// Takes the past off the counts of a run.
    pub(super) fn take_off(&self, run: &mut Run<Vec<End>, NetworkDetails>) {
        for (end, left) in run.outcome.iter_mut().zip(&self.left) {
            end.outcome.tokens_before -= left;
        }
        run.details.completions -= self.completions;
        run.events -= self.completions + self.sent;
    }
}

/// Fills the buffers with the states of the networks; returns the next event of each entity.
pub(super) fn restore(
    parts: &mut ModelParts,
    model: &NetworkModel,
    layout: &Layout,
    states: &[State],
) -> Result<Vec<u64>, QueueingError> {
    let (places, entities) = (&layout.places, layout.parameters.entities as usize);
    let bytes = 8 * layout.annex + 60 * entities as u64 + 100 * u64::from(layout.parameters.stations);
    memory::room_of(bytes, "what is in the networks")?;
    let nobody = Token { arrived: 0, start: 0, station: NONE, edge: 0, number: 0, unused: 0 };
    let (mut tokens, mut next_event) = (vec![nobody; entities], vec![u64::MAX; entities]);
    let mut annex = vec![0_u64; layout.annex as usize];
    let mut links = vec![0_u32; (layout.parameters.links as usize) + entities];
    let (mut stations, mut ranges) = (vec![], vec![]);
    let numbers = layout.replications.clone();
    for (copy, (number, state)) in numbers.zip(states).enumerate() {
        let key = model.key(number);
        let first = copy as u32 * model.stations();
        let place = layout.parameters.cells + copy as u32 * places.tokens_each;
        let lead = |id: u32, draw: u32| {
            let edge = model.edge_of(id, draw);
            (edge, model.edges()[edge as usize].delay)
        };
        // Of the edges that the token may have taken the one with the longest delay: it has left in any case.
        let edge_to = |id: u32, transit: &Transit| {
            let row = model.row_of(id);
            let taken = row.clone().filter(|edge| transit.may_have_taken(&model.edges()[*edge as usize]));
            taken.max_by_key(|edge| model.edges()[*edge as usize].delay).unwrap_or(row.start)
        };
        let mut own = Tokens::default();
        own.add((state, model, key), (first, place), lead, edge_to);
        for (id, here) in (0_u32..).zip(state.stations()) {
            let draws = u64::from(model.law(id).draws()) + 1;
            let ends = ends(here.services);
            // As if the services had begun at time 0: the results are differences.
            let service: u128 = ends.iter().copied().map(u128::from).sum();
            stations.push(Station {
                state: key.state_behind(id, here.started * draws),
                free: free(here.services),
                service: service as u64,
                waiting: 0,
                visits: here.started as u32,
                losses: 0,
                service_top: (service >> 64) as u32,
                waiting_top: 0,
            });
            // Servers in order: idle servers first. Services that started long ago keep no token waiting.
            let [servers, place] = [layout.model_table[2 * id as usize][3], layout.model_table[2 * id as usize + 1][1]];
            if servers > 1 {
                let behind = copy * places.servers_each as usize + (place + servers) as usize;
                annex[behind - ends.len()..behind].copy_from_slice(&ends);
            }
            if let (Some(levels), Ok(place)) = (&layout.levels, model.observed().binary_search(&id)) {
                observations::begin(layout, levels, [copy, place], &ends, &mut annex);
            }
        }
        let range = place as usize..place as usize + own.tokens.len();
        tokens[range.clone()].copy_from_slice(&own.tokens);
        next_event[range.clone()].copy_from_slice(&own.next_event);
        for (entity, born) in range.zip(&own.born) {
            annex[places.births as usize + 2 * entity] = *born;
        }
        leave(model, layout, copy, &own, (&mut annex, &mut links));
        send(model, layout, (copy, number), state, (&mut annex, &mut next_event));
        ranges.append(&mut own.ranges);
    }
    for id in 0..layout.parameters.cells {
        // The slots of a cell are a list; the last one ends it.
        let last = (id + 1).is_multiple_of(layout.parameters.cell);
        links[(layout.parameters.links + id) as usize] = if last { 0 } else { id + 2 };
    }
    fill(parts, "stations", &stations);
    fill(parts, "tokens", &tokens);
    fill(parts, "annex", &annex);
    fill(parts, "links", &links);
    restoration::restore(parts, &ranges, model.scale().is_some());
    Ok(next_event)
}

/// Counts tokens in service or on their way that leave the network afterwards: a way out counts a token when its last visit is
/// decided.
fn leave(model: &NetworkModel, layout: &Layout, copy: usize, own: &Tokens, (annex, links): (&mut [u64], &mut [u32])) {
    let ways: Vec<usize> = model
        .edges()
        .iter()
        .scan(0, |ways, edge| {
            let way = *ways;
            *ways += usize::from(model.is_sink(edge.target));
            Some(way)
        })
        .collect();
    for ((token, born), next) in own.tokens.iter().zip(&own.born).zip(&own.next_event) {
        if token.station == NONE || !model.is_sink(model.edges()[token.edge as usize].target) {
            continue;
        }
        let way = copy * layout.exits.len() + ways[token.edge as usize];
        let place = layout.places.exits as usize + EXIT as usize * way;
        annex[place + 2] += 1;
        if *born > 0 {
            annex[place + 2] += 1 << 32;
            let stay = next + 1 - born;
            let (sum, carry) = annex[place].overflowing_add(stay);
            annex[place] = sum;
            annex[place + 1] += u64::from(carry);
            if let Some(scale) = model.scale() {
                let sink = copy * model.sinks() as usize + layout.exits[ways[token.edge as usize]] as usize;
                links[layout.places.stays as usize + sink * scale.bins() as usize + scale.bin(stay)] += 1;
            }
        }
    }
}

/// Sets the next tokens of the sources of a replication.
fn send(
    model: &NetworkModel,
    layout: &Layout,
    (copy, number): (usize, u32),
    state: &State,
    (annex, next_event): (&mut [u64], &mut [u64]),
) {
    let key = model.key(number);
    for (id, sending) in (0_u32..).zip(&state.sources) {
        let source = copy * model.sources() as usize + id as usize;
        let entity = source * layout.parameters.cell as usize;
        let intervals = sending.sent + u64::from(sending.next < Time::NEVER);
        let place = layout.places.origins as usize + 3 * source;
        let draws = u64::from(model.inflow(id).law.draws());
        annex[place] = key.state_behind(model.stations() + id, intervals * draws);
        annex[place + 1] = sending.sent;
        annex[place + 2] = entity as u64 + 2;
        next_event[entity] = sending.next.ticks();
    }
}
