//! What is in networks in lists when their run stops, and the buffers of a run that goes on from there.

use std::ops::Range;

use rayon::prelude::*;

use super::layout::{EXIT, Layout};
use super::parts::first_chunks;
use super::state::{NetworkState, Sums};
use crate::device::DeviceError;
use crate::engine::{ModelParts, Rounds};
use crate::memory;
use crate::queueing::checkpoint::{End, Sending, State, Transit};
use crate::queueing::gpu::records::{NONE, Station, Token};
use crate::queueing::gpu::restoration::{self, Inside, Tokens, fill, free};
use crate::queueing::gpu::synchronization::Synchronization;
use crate::queueing::{NetworkDetails, NetworkModel, QueueingError};
use crate::run::Run;
use crate::time::Time;

/// What is in the network of each replication, with the numbers of the visits of the tokens between stations; of the share of a rank
/// without those on their way from or to other ranks.
pub(super) fn states(
    rounds: &mut Rounds,
    network: &NetworkState,
    sums: &Sums,
    model: &NetworkModel,
    layout: &Layout,
) -> Result<Vec<(State, Vec<u64>)>, QueueingError> {
    let (each, time) = (model.stations() as usize, network.state.time.ticks());
    let births = layout.places.births as usize;
    let entered = |place: usize| network.annex[births + 2 * place].checked_sub(1).map_or(Time::NEVER, Time::from_ticks);
    let copies = layout.replications.len();
    let of_copy = |copy: usize| network.state.at(copy * each..(copy + 1) * each, &sums.stations, entered);
    let mut states: Vec<_> = (0..copies).map(|copy| (of_copy(copy), vec![])).collect();
    let mut between: Vec<_> = network
        .visits(model)
        .filter_map(|(place, token, departure)| {
            let edge = &model.edges[token.edge as usize];
            let arrival = departure + edge.delay.ticks();
            let (copy, from) = (token.station / model.stations(), token.station % model.stations());
            let transit =
                Transit { from, target: edge.target, arrival: Time::from_ticks(arrival), entered: entered(place) };
            (departure < time && arrival >= time && !model.is_abroad(edge.target))
                .then_some(((copy, from, departure, token.number), transit))
        })
        .collect();
    between.sort_unstable_by_key(|(order, _)| *order);
    for ((copy, .., visit), transit) in between {
        let (state, visits) = &mut states[copy as usize];
        state.transits.push(transit);
        visits.push(u64::from(visit));
    }
    let next_event: Vec<u64> = rounds.read("next_event")?;
    for (number, sent) in sums.sent.iter().enumerate() {
        let next = Time::from_ticks(next_event[number * layout.parameters.cell as usize]);
        states[number / model.sources() as usize].0.sources.push(Sending { sent: *sent, next });
    }
    Ok(states)
}

/// With places for all that is in the networks, for rounds of this kind on so many GPUs.
///
/// # Errors
/// More than 32 bits can number.
pub(super) fn layout(
    rounds: (Synchronization, u32),
    model: &NetworkModel,
    replications: Range<u32>,
    states: &[State],
) -> Result<Layout, DeviceError> {
    let tokens = |state: &State| state.services.len() + state.queue.len() + state.transits.len();
    let most = states.iter().map(tokens).max().unwrap_or(0) as u32;
    let chunks = first_chunks(model, &replications);
    Layout::new(model, replications, (most.max(1), chunks), None, rounds, None)
}

/// The run without the events that had been before: its records count from time 0, but for what had left the networks.
pub(super) fn since(
    mut run: Run<Vec<End>, NetworkDetails>,
    model: &NetworkModel,
    states: &[State],
) -> Run<Vec<End>, NetworkDetails> {
    let before = states.iter().map(State::ended_and_sent);
    let (completions, sent) = before.fold((0, 0), |all, [ended, sent]| (all.0 + ended, all.1 + sent));
    for (end, state) in run.outcome.iter_mut().zip(states) {
        let came = u64::from(model.tokens()) + state.sources.iter().map(|source| source.sent).sum::<u64>();
        let left = came - (state.services.len() + state.queue.len() + state.transits.len()) as u64;
        end.outcome.tokens_before -= left;
    }
    run.details.completions -= completions;
    run.events -= completions + sent;
    run
}

/// Has the networks begin with what is in them; returns the next event of each entity.
pub(super) fn restore(
    parts: &mut ModelParts,
    model: &NetworkModel,
    layout: &Layout,
    insides: &[Inside<'_>],
) -> Result<Vec<u64>, QueueingError> {
    let (places, entities) = (&layout.places, layout.parameters.entities as usize);
    let bytes = 8 * layout.annex + 60 * entities as u64 + 100 * u64::from(layout.parameters.stations);
    memory::room_of(bytes, "what is in the networks")?;
    let nobody = Token { arrived: 0, start: 0, station: NONE, edge: 0, number: 0, unused: 0 };
    let (mut tokens, mut next_event) = (vec![nobody; entities], vec![u64::MAX; entities]);
    let mut annex = vec![0_u64; layout.annex as usize];
    let (mut stations, mut ranges) = (vec![], vec![]);
    let numbers = layout.replications.clone();
    for (copy, (number, inside)) in numbers.zip(insides).enumerate() {
        let state = inside.state;
        let key = model.key(number);
        let first = copy as u32 * model.stations();
        let place = layout.parameters.cells + copy as u32 * places.tokens_each;
        let lead = |id: u32, draw: u32| {
            let row = model.first[id as usize] as usize..model.first[id as usize + 1] as usize;
            let edge = row.start + model.edges[row].partition_point(|edge| edge.upper < draw);
            (edge as u32, model.edges[edge].delay)
        };
        // Of several to one target that of the longest delay: it has left in any case.
        let edge_to = |id: u32, target: u32| {
            let row = model.first[id as usize]..model.first[id as usize + 1];
            let of_target = row.filter(|edge| model.edges[*edge as usize].target == target);
            of_target.max_by_key(|edge| model.edges[*edge as usize].delay).unwrap_or(model.first[id as usize])
        };
        let mut own = Tokens::default();
        own.add((*inside, model, key), (first, place), lead, edge_to);
        for (id, here) in (0_u32..).zip(state.stations()) {
            let free = free(here.services);
            let draws = u64::from(model.law(id).draws()) + 1;
            stations.push(Station {
                state: key.state_behind(inside.number(id), here.started * draws),
                free,
                // As if the service had begun at time 0: what is counted is a difference.
                service: free,
                waiting: 0,
                visits: here.started as u32,
                losses: 0,
                service_top: 0,
                waiting_top: 0,
            });
        }
        let range = place as usize..place as usize + own.tokens.len();
        tokens[range.clone()].copy_from_slice(&own.tokens);
        next_event[range.clone()].copy_from_slice(&own.next_event);
        for (entity, born) in range.zip(&own.born) {
            annex[places.births as usize + 2 * entity] = *born;
        }
        leave(model, layout, copy, &own, &mut annex);
        if let Some(crossing) = &layout.crossing {
            parts.status = crossing.announce(model, inside, &own, &mut annex);
        }
        send(model, layout, (copy, number), inside, (&mut annex, &mut next_event));
        ranges.append(&mut own.ranges);
    }
    let mut links = vec![0_u32; (layout.parameters.links as usize) + entities];
    for id in 0..layout.parameters.cells {
        // The slots of a cell are a list; the last one ends it.
        let last = (id + 1).is_multiple_of(layout.parameters.cell);
        links[(layout.parameters.links + id) as usize] = if last { 0 } else { id + 2 };
    }
    fill(parts, "stations", &stations);
    fill(parts, "tokens", &tokens);
    fill(parts, "annex", &annex);
    fill(parts, "links", &links);
    restoration::restore(parts, &ranges);
    Ok(next_event)
}

/// Counts what is in service or on its way and leaves the network then: a way out counts a token when its last visit is decided.
fn leave(model: &NetworkModel, layout: &Layout, copy: usize, own: &Tokens, annex: &mut [u64]) {
    let ways: Vec<usize> = model
        .edges
        .iter()
        .scan(0, |ways, edge| {
            let way = *ways;
            *ways += usize::from(model.is_sink(edge.target));
            Some(way)
        })
        .collect();
    for ((token, born), next) in own.tokens.iter().zip(&own.born).zip(&own.next_event) {
        if token.station == NONE || !model.is_sink(model.edges[token.edge as usize].target) {
            continue;
        }
        let way = copy * layout.exits.len() + ways[token.edge as usize];
        let place = layout.places.exits as usize + EXIT as usize * way;
        annex[place + 2] += 1;
        if *born > 0 {
            annex[place + 2] += 1 << 32;
            let (sum, carry) = annex[place].overflowing_add(next + 1 - born);
            annex[place] = sum;
            annex[place + 1] += u64::from(carry);
        }
    }
}

/// The sources of a replication go on.
fn send(
    model: &NetworkModel,
    layout: &Layout,
    (copy, number): (usize, u32),
    inside: &Inside<'_>,
    (annex, next_event): (&mut [u64], &mut [u64]),
) {
    let key = model.key(number);
    for (id, sending) in (0_u32..).zip(&inside.state.sources) {
        let source = copy * model.sources() as usize + id as usize;
        let entity = source * layout.parameters.cell as usize;
        let intervals = sending.sent + u64::from(sending.next < Time::NEVER);
        let place = layout.places.origins as usize + 3 * source;
        let draws = u64::from(model.inflow(id).law.draws());
        annex[place] = key.state_behind(inside.number(model.stations() + id), intervals * draws);
        annex[place + 1] = sending.sent;
        annex[place + 2] = entity as u64 + 2;
        next_event[entity] = sending.next.ticks();
    }
}
