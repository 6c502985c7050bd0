//! The state of a network at a time.

use crate::model::Edge;
use crate::{NetworkModel, QueueingError};
use tickless_core::memory::{self, NoMemory};
use tickless_core::time::Time;

/// A service in progress: the visit of this number at its station, whose draws say where it leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Service {
    pub(crate) visit: u64,
    pub(crate) end: Time,
    /// When the token came from a source; never where it was there at time 0.
    pub(crate) entered: Time,
}

/// A token in a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Waiting {
    pub(crate) arrived: Time,
    pub(crate) entered: Time,
}

/// A token between stations, or on its way to a sink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Transit {
    pub(crate) from: u32,
    pub(crate) target: u32,
    pub(crate) arrival: Time,
    pub(crate) entered: Time,
}

impl Transit {
    /// Whether it may be on its way over an edge of its station: it has left at time 0 or later.
    pub(crate) fn may_have_taken(&self, edge: &Edge) -> bool {
        edge.target == self.target && edge.delay <= self.arrival
    }
}

/// A source: how many tokens it has sent, and when its next token comes; never where none is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sending {
    pub(crate) sent: u64,
    pub(crate) next: Time,
}

/// The state of a network at a time before which everything has happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct State {
    /// For each station: services that have started since time 0, services in progress, and waiting tokens.
    pub(crate) stations: Vec<(u64, u32, u32)>,
    /// Station after station, in the order of their visits.
    pub(crate) services: Vec<Service>,
    /// Station after station, in the order of the queues.
    pub(crate) queue: Vec<Waiting>,
    /// In the order of stations, and of their departures.
    pub(crate) transits: Vec<Transit>,
    pub(crate) sources: Vec<Sending>,
    /// For a network of classes, instead of all this: its state as the heap keeps it.
    pub(crate) whole: Vec<u8>,
}

/// The tokens at a station.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AtStation<'a> {
    pub(crate) started: u64,
    pub(crate) services: &'a [Service],
    pub(crate) queue: &'a [Waiting],
}

impl State {
    /// Asks for the room of a network's state, including lists that grow.
    ///
    /// # Errors
    /// [`NoMemory`].
    pub(crate) fn room(stations: usize, tokens: usize) -> Result<(), NoMemory> {
        memory::room_of(Self::bytes_of(stations, tokens), "what is in the network at a checkpoint")
    }

    /// The bytes of a state with so many stations and tokens, with the lists from which it is made.
    pub(crate) fn bytes_of(stations: usize, tokens: usize) -> u64 {
        let each = 2 * size_of::<(u64, u32, u32)>() + size_of::<Time>();
        let token = 2 * size_of::<Transit>();
        (each * stations + token * tokens) as u64
    }

    /// Ends of services, and tokens from sources, since time 0.
    pub(crate) fn ended_and_sent(&self) -> [u64; 2] {
        let ended = self.stations.iter().map(|&(started, serving, _)| started - u64::from(serving)).sum();
        [ended, self.sources.iter().map(|source| source.sent).sum()]
    }

    /// Bytes of its lists.
    pub(super) fn bytes(&self) -> usize {
        let Self { stations, services, queue, transits, sources, whole } = self;
        size_of_val(&stations[..])
            + size_of_val(&services[..])
            + size_of_val(&queue[..])
            + size_of_val(&transits[..])
            + size_of_val(&sources[..])
            + whole.len()
    }

    /// Station after station.
    pub(crate) fn stations(&self) -> impl Iterator<Item = AtStation<'_>> {
        let (mut services, mut queue) = (&self.services[..], &self.queue[..]);
        self.stations.iter().map(move |&(started, serving, queued)| AtStation {
            started,
            services: services.split_off(..serving as usize).unwrap_or_default(),
            queue: queue.split_off(..queued as usize).unwrap_or_default(),
        })
    }

    /// The transits with the numbers of their departures among all of their stations.
    pub(crate) fn numbered_transits(&self) -> impl Iterator<Item = (u64, &Transit)> {
        let mut counts = std::collections::HashMap::<u32, u64>::new();
        self.transits.iter().for_each(|transit| *counts.entry(transit.from).or_default() += 1);
        self.transits.iter().map(move |transit| {
            let &(started, serving, _) = &self.stations[transit.from as usize];
            let left = counts.entry(transit.from).or_default();
            let number = started - u64::from(serving) - *left;
            *left -= 1;
            (number, transit)
        })
    }
}

impl State {
    /// Refuses a state that no run of this model has at its clock.
    pub(super) fn check(&self, model: &NetworkModel, clock: Time) -> Result<(), QueueingError> {
        let other = |what, found: u64, expected: u64| Err(QueueingError::Checkpoint { what, found, expected });
        if model.rules_of_classes().is_some() {
            // The simulator that resumes reads it, and refuses the state of another model.
            let bytes = self.whole.len() as u64;
            return if bytes > 0 { Ok(()) } else { other("bytes of a network of classes", bytes, 1) };
        }
        let counts = [
            ("stations", self.stations.len() as u64, u64::from(model.stations())),
            ("sources", self.sources.len() as u64, u64::from(model.sources())),
            ("services in progress", self.services.len() as u64, self.stations.iter().map(|s| u64::from(s.1)).sum()),
            ("tokens that wait", self.queue.len() as u64, self.stations.iter().map(|s| u64::from(s.2)).sum()),
        ];
        if let Some((what, found, expected)) = counts.into_iter().find(|(_, found, expected)| found != expected) {
            return other(what, found, expected);
        }
        for (id, AtStation { started, services, queue }) in (0..).zip(self.stations()) {
            let (serving, servers) = (services.len() as u64, u64::from(model.servers(id)));
            if serving > servers.min(started) || !queue.is_empty() && serving < servers {
                return other("services in progress at a station", serving, servers);
            }
            if let Some(service) = services.iter().find(|service| service.visit >= started) {
                return other("visits of a service in progress", service.visit, started);
            }
        }
        let ends = self.services.iter().map(|service| service.end);
        let transits = self.transits.iter().map(|transit| transit.arrival);
        let times = ends.chain(transits).chain(self.sources.iter().map(|source| source.next));
        if let Some(time) = { times }.find(|time| *time < clock) {
            return other("ticks before an event", time.ticks(), clock.ticks());
        }
        if let Some(waiting) = self.queue.iter().find(|waiting| waiting.arrived > clock) {
            return other("ticks before an arrival", waiting.arrived.ticks(), clock.ticks());
        }
        let ways = u64::from(model.stations()) + u64::from(model.sinks());
        let far = |transit: &&Transit| transit.from >= model.stations() || u64::from(transit.target) >= ways;
        if let Some(transit) = self.transits.iter().find(far) {
            return other("stations of a token between them", transit.from.max(transit.target).into(), ways);
        }
        // The edges of a torus are computed.
        let transits = if model.torus().is_none() { &self.transits[..] } else { &[] };
        for transits in transits.chunk_by(|one, next| one.from == next.from) {
            let mut least = std::collections::HashMap::new();
            for edge in model.row(transits[0].from) {
                least
                    .entry(edge.target)
                    .and_modify(|delay: &mut Time| *delay = edge.delay.min(*delay))
                    .or_insert(edge.delay);
            }
            for &Transit { target, arrival, .. } in transits {
                let Some(delay) = least.get(&target) else {
                    return other("tokens on their way where no route leads", 1, 0);
                };
                if arrival < *delay {
                    return other("ticks before the arrival of a token on its way", arrival.ticks(), delay.ticks());
                }
            }
        }
        // A departure has a number, and the last ones are on their way.
        let mut on_the_way = vec![0_u64; self.stations.len()];
        self.transits.iter().for_each(|transit| on_the_way[transit.from as usize] += 1);
        for (&(started, serving, _), own) in self.stations.iter().zip(on_the_way) {
            let departures = started - u64::from(serving);
            if own > departures {
                return other("tokens on their way from a station", own, departures);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Network, Station};

    /// Numbers of departures are counted back from the last one, so there must be as many departures.
    #[test]
    fn tokens_on_their_way_have_left_a_station() {
        let mut network = Network::new().until(100.0);
        let desk = network.station(Station::new("desk", "constant:1".parse().unwrap()).tokens(2));
        network.route(desk, desk, 1.0, 5.0);
        let model = network.check().unwrap();
        let (end, entered) = (Time::UNIT, Time::NEVER);
        let state = |started, arrival| State {
            stations: vec![(started, 1, 0)],
            services: vec![Service { visit: started - 1, end, entered }],
            transits: vec![Transit { from: 0, target: 0, arrival: Time::from_ticks(arrival), entered }],
            ..State::default()
        };
        let way = 5 * Time::UNIT.ticks();
        let said = |state: State| state.check(&model, Time::ZERO).unwrap_err().to_string();
        state(2, way).check(&model, Time::ZERO).unwrap();
        let found = said(state(1, way));
        assert!(found.contains("1 tokens on their way from a station, and this model has 0"), "{found}");
        let found = said(state(2, way - 1));
        let early = format!("{} ticks before the arrival of a token on its way, and this model has {way}", way - 1);
        assert!(found.contains(&early), "{found}");
    }
}
