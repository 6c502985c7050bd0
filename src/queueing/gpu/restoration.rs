//! The buffers of a run that resumes from states of its networks.

use rayon::prelude::*;

use super::records::{NONE, Token};
use crate::NetworkModel;
use crate::checkpoint::{AtStation, Service, State, Transit, Waiting};
use tickless_core::random::StreamKey;
use tickless_core::time::Time;
use tickless_device::BufferSpec;
use tickless_engine::ModelParts;

/// The tokens of some replications, and the tokens of each station.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    pub(super) tokens: Vec<Token>,
    /// The next arrival of each token, if decided.
    pub(super) next_event: Vec<u64>,
    /// When each token came from a source, plus one tick; 0 where it was there at time 0.
    pub(super) born: Vec<u64>,
    /// The first token of each station and their number.
    pub(super) ranges: Vec<[u32; 2]>,
}

impl Tokens {
    /// Adds a token with its next arrival.
    fn push(&mut self, token: Token, next: u64, entered: Time) {
        self.tokens.push(token);
        self.next_event.push(next);
        self.born.push(if entered == Time::NEVER { 0 } else { entered.ticks() + 1 });
    }

    /// Adds the state of a network: its stations are numbered from the first, its tokens lie from `place` on. `lead` gives the
    /// edge that a draw takes from a station, and its delay; `edge_to` the edge of a station that a token on its way has taken.
    pub(super) fn add(
        &mut self,
        (state, model, key): (&State, &NetworkModel, StreamKey),
        (first, place): (u32, u32),
        lead: impl Fn(u32, u32) -> (u32, Time) + Sync,
        edge_to: impl Fn(u32, &Transit) -> u32,
    ) {
        let begin = self.tokens.len() as u32;
        let mut transits = &state.transits[..];
        let departures: Vec<u64> = state.numbered_transits().map(|(number, _)| number).collect();
        let mut departures = departures.into_iter();
        // Draws are computed again, on all cores.
        let serving = (0_u32..).zip(state.stations()).flat_map(|(id, here)| here.services.iter().map(move |_| id));
        let serving: Vec<u32> = serving.collect();
        let way = |(id, service): (&u32, &Service)| lead(*id, model.route_of(key, [*id, *id], service.visit));
        let ways: Vec<(u32, Time)> = serving.par_iter().zip(&state.services).map(way).collect();
        let mut ways = ways.into_iter();
        for (id, AtStation { services, queue, .. }) in (0_u32..).zip(state.stations()) {
            let from = self.tokens.len() as u32;
            let record = |edge: u32, number: u64, arrived: Time, station: u32| Token {
                arrived: arrived.ticks(),
                start: 0,
                station,
                edge,
                number: number as u32,
                unused: 0,
            };
            for (&Service { visit, end, entered }, (edge, delay)) in services.iter().zip(ways.by_ref()) {
                self.push(record(edge, visit, Time::ZERO, first + id), end.ticks() + delay.ticks(), entered);
            }
            for &Waiting { arrived, entered } in queue {
                self.push(record(0, 0, arrived, NONE), u64::MAX, entered);
            }
            let own = transits.partition_point(|transit| transit.from == id);
            let (here, rest) = transits.split_at(own);
            transits = rest;
            for (transit, number) in here.iter().zip(departures.by_ref()) {
                let edge = edge_to(id, transit);
                self.push(record(edge, number, Time::ZERO, first + id), transit.arrival.ticks(), transit.entered);
            }
            self.ranges.push([place + from - begin, self.tokens.len() as u32 - from]);
        }
    }
}

/// The time until which the server of a station with one server is taken.
pub(super) fn free(services: &[Service]) -> u64 {
    services.first().map_or(0, |service| service.end.ticks())
}

/// When the services of a station end, the earliest first.
pub(super) fn ends(services: &[Service]) -> Vec<u64> {
    let mut ends: Vec<u64> = services.iter().map(|service| service.end.ticks()).collect();
    ends.sort_unstable();
    ends
}

/// Gives a buffer its contents, and zeros behind them.
pub(super) fn fill<T: bytemuck::NoUninit>(parts: &mut ModelParts, name: &str, contents: &[T]) {
    if let Some(buffer) = parts.buffers.iter_mut().find(|buffer| buffer.name == name) {
        let mut bytes = bytemuck::cast_slice(contents).to_vec();
        bytes.resize(bytes.len().max(buffer.size as usize), 0);
        buffer.contents = Some(bytes);
    }
}

/// Makes the kernels before the first round use the buffers in place of the state at time 0. Where stays are recorded, they record the
/// stays of tokens that wait and leave then.
pub(super) fn restore(parts: &mut ModelParts, ranges: &[[u32; 2]], records_stays: bool) {
    parts.first.retain(|stage| stage.kernel.label != "queueing/initialize_sources");
    for stage in &mut parts.first {
        let kernel = &mut stage.kernel;
        kernel.mounts = kernel.mounts.clone().with("first_tokens", "queueing/restored");
        if records_stays {
            kernel.mounts = kernel.mounts.clone().with("stays", "queueing/stays");
        }
        if kernel.label == "queueing/initialize_stations" {
            kernel.label = "queueing/restore_stations";
            kernel.mounts = kernel.mounts.clone().with("kernel", kernel.label);
        }
    }
    parts.buffers.push(BufferSpec::storage("ranges", ranges.len() as u64, 8));
    fill(parts, "ranges", ranges);
}
