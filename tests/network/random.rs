//! Random networks with everything that a network can have, and with ties.

use super::*;
use tickless::queueing::{Network, Source, Station};
use tickless::random::StreamKey;

/// The network of a number: up to nine stations of all kinds, two sources, two sinks.
pub fn network(number: u32) -> Network {
    let mut stream = StreamKey::new(2026, 0).stream(number);
    let mut pick = |choices: u32| ((u64::from(stream.draw()) * u64::from(choices)) >> 32) as u32;
    let mut network = Network::new().until(f64::from(40 + pick(60))).seed(u64::from(pick(1000)));
    if pick(2) == 0 {
        network = network.warmup(f64::from(1 + pick(30)));
    }
    let stations = 1 + pick(9) as usize;
    let mut ids = vec![];
    for place in 0..stations {
        let mean = f64::from(1 + pick(5));
        let service = match pick(7) {
            0 => format!("constant:{mean}"),
            1 => format!("uniform:{mean},{}", mean + f64::from(1 + pick(3))),
            2 => format!("erlang:{},{mean}", 1 + pick(4)),
            3 => format!("hyperexponential:0.3,{mean},{}", 2.0 * mean),
            _ => format!("exponential:{mean}"),
        };
        let servers = if pick(3) == 0 { 1 + pick(6) } else { 1 };
        let mut station = Station::new(format!("s{place}"), law(&service)).servers(servers);
        let mut tokens = pick(6).max(u32::from(place == 0));
        if pick(3) == 0 {
            let capacity = servers + pick(3);
            station = station.capacity(capacity);
            tokens = tokens.min(capacity);
        }
        ids.push(network.station(station.tokens(tokens)));
    }
    let sinks = [network.sink("out"), network.sink("exit")];
    for (place, id) in ids.iter().enumerate() {
        // A ring, so that every station is reached, and some more.
        let more = pick(4);
        let share = 1.0 / f64::from(more + 1);
        network.route(*id, ids[(place + 1) % stations], share, f64::from(pick(2)));
        for _ in 0..more {
            let delay = f64::from(pick(3)) * 0.5;
            match pick(stations as u32 + 2) as usize {
                0 => network.route(*id, sinks[0], share, delay),
                1 => network.route(*id, sinks[1], share, delay),
                to => network.route(*id, ids[to - 2], share, delay),
            }
        }
    }
    for source in 0..pick(3) {
        let interval = if pick(2) == 0 { "constant:1" } else { "exponential:0.7" };
        let to = ids[pick(stations as u32) as usize];
        let mut source = Source::new(format!("in{source}"), law(interval), to).start(f64::from(pick(5)));
        if pick(3) == 0 {
            source = source.limit(u64::from(pick(40)));
        }
        network.source(source);
    }
    network.window([0.05, 0.25, 0.5, 0.9][pick(4) as usize])
}

/// Whether every station has one server and room for everyone, for which there are kernels without more.
pub fn is_simple(model: &NetworkModel) -> bool {
    let everyone = |id| {
        let capacity = model.capacity(id);
        capacity == u32::MAX || model.sources() == 0 && capacity >= model.tokens()
    };
    (0..model.stations()).all(|id| model.servers(id) == 1 && everyone(id))
}
