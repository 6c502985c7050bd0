//! The three kinds of rounds, for a ring of stations of one server: what each of them decides.

use std::collections::BTreeSet;

use tickless::queueing::{NetworkModel, NetworkOutcome};
use tickless::random::Stream;
use tickless::statistics::{FacilityRecord, Outcome};
use tickless::time::{Interval, Time};

use super::Kind;

pub const STATIONS: usize = 8;
const NEVER: u64 = u64::MAX;

/// By edge 0 the next station, by edge 1 the one before.
pub fn neighbour(station: usize, edge: usize) -> usize {
    (station + [1, STATIONS - 1][edge]) % STATIONS
}

/// A token on its way to a station, in the order in which that one takes them. In exact time both times are the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Token {
    pub arrival: u64,
    pub original: u64,
    pub from: usize,
    number: usize,
    edge: usize,
    pub to: usize,
}

/// A service, and the round that decided it: 0 for what is there at time 0.
pub struct Visit {
    pub round: usize,
    pub token: Token,
    pub start: u64,
    pub end: u64,
    pub original_start: u64,
    pub original_end: u64,
    /// In exact time its token would have come before the one that came before it.
    pub causality_error: bool,
}

/// A station.
pub struct Server {
    stream: Stream,
    pub visits: Vec<Visit>,
    /// When everyone decided is served; never once a service would start at the horizon or later.
    free: u64,
    /// Arrivals of tokens whose service would.
    parked: Vec<u64>,
    /// The original time of the last arrival.
    last: u64,
    errors: u64,
}

/// The earliest event when a round begins; when it ends, every station has decided what arrives before its bound.
pub struct Round {
    pub first: u64,
    pub bounds: [u64; STATIONS],
    /// Arrivals.
    pub decided: u64,
}

/// A run in rounds.
pub struct Replay<'a> {
    pub model: &'a NetworkModel,
    interval: Option<Interval>,
    pub servers: Vec<Server>,
    pub rounds: Vec<Round>,
}

impl<'a> Replay<'a> {
    /// Runs the model to its horizon.
    pub fn new(kind: Kind, model: &'a NetworkModel) -> Self {
        let server = |id| {
            let stream = model.key(0).stream(id);
            Server { stream, visits: vec![], free: 0, parked: vec![], last: 0, errors: 0 }
        };
        let servers = (0..STATIONS as u32).map(server).collect();
        let interval = model.approximate().and_then(Interval::new);
        let mut replay = Self { model, interval, servers, rounds: vec![] };
        match kind {
            Kind::Appointments => replay.appointments(),
            // In approximate time the lookahead is the interval: a round is one instant.
            Kind::Window | Kind::Interval => replay.shared_bound(model.lookahead().ticks()),
        }
        replay
    }

    fn until(&self) -> u64 {
        self.model.until().ticks()
    }

    /// Decides the visit of a token: the token as it is sent on.
    fn decide(&mut self, token: Token) -> Option<Token> {
        let (until, round, law) = (self.until(), self.rounds.len(), self.model.law(token.to as u32));
        let server = &mut self.servers[token.to];
        self.rounds.last_mut().into_iter().for_each(|round| round.decided += 1);
        let causality_error = token.original < server.last;
        server.errors += u64::from(causality_error);
        server.last = token.original;
        let start = token.arrival.max(server.free);
        if start >= until {
            server.parked.push(token.arrival);
            server.free = NEVER;
            return None;
        }
        let service = law.service(&mut server.stream).ticks();
        let edge = (server.stream.draw() >> 31) as usize;
        let original_start = token.original.max(server.visits.last().map_or(0, |visit| visit.original_end));
        let original_end = original_start + service;
        let end = self.interval.map_or(original_end, |interval| {
            let rounded = interval.next_multiple(Time::from_ticks(original_end));
            rounded.ticks().max(start + interval.length().ticks())
        });
        server.free = end;
        server.visits.push(Visit { round, token, start, end, original_start, original_end, causality_error });
        let (number, to) = (server.visits.len(), neighbour(token.to, edge));
        Some(Token { arrival: end, original: original_end, from: token.to, number, edge, to })
    }

    /// The visits at time 0: what they send.
    fn begin(&mut self) -> Vec<Token> {
        let first = |to| Token { arrival: 0, original: 0, from: to, number: 0, edge: 0, to };
        (0..STATIONS).filter_map(|to| self.decide(first(to))).collect()
    }

    /// The window, and the instants of approximate time: a round decides what arrives in [m, m + lookahead).
    fn shared_bound(&mut self, lookahead: u64) {
        let mut coming = self.begin();
        while let Some(first) = coming.iter().map(|token| token.arrival).min().filter(|first| *first < self.until()) {
            let bound = self.until().min(first + lookahead);
            self.rounds.push(Round { first, bounds: [bound; STATIONS], decided: 0 });
            let (mut now, later): (Vec<Token>, _) = coming.into_iter().partition(|token| token.arrival < bound);
            now.sort_unstable();
            coming = later;
            for sent in now.into_iter().filter_map(|token| self.decide(token)) {
                assert!(sent.arrival >= bound, "a round has created what belongs into it");
                coming.push(sent);
            }
        }
    }

    /// From the start of the next service to the end of the first whose token goes by an edge; four are looked at.
    fn span(&self, station: usize, edge: usize) -> u64 {
        let mut stream = self.servers[station].stream.clone();
        let mut span = 0;
        for _ in 0..4 {
            span += self.model.law(station as u32).service(&mut stream).ticks();
            if (stream.draw() >> 31) as usize == edge {
                break;
            }
        }
        span
    }

    /// Appointments, as docs/semantics.md has them.
    fn appointments(&mut self) {
        let mut sent = self.begin();
        let mut lists = [const { BTreeSet::<Token>::new() }; STATIONS];
        // By station and edge: what it has published, the span in it, and when the first of what it sent last arrives.
        let mut spans: [[u64; 2]; STATIONS] = std::array::from_fn(|id| [0, 1].map(|edge| self.span(id, edge)));
        let mut told: [[u64; 2]; STATIONS] =
            std::array::from_fn(|id| spans[id].map(|span| self.servers[id].free + span));
        let mut asked = [[NEVER; 2]; STATIONS];
        loop {
            sent.drain(..).for_each(|token| _ = lists[token.to].insert(token));
            let heads = lists.iter().filter_map(|list| list.first()).map(|token| token.arrival);
            let Some(first) = heads.min().filter(|first| *first < self.until()) else { return };
            let back: [[u64; 2]; STATIONS] =
                std::array::from_fn(|id| [0, 1].map(|edge| spans[neighbour(id, edge)][1 - edge]));
            let promise = |id: usize, edge: usize| {
                let answer = asked[id][edge].saturating_add(back[id][edge]);
                told[neighbour(id, edge)][1 - edge].min(answer).max(first + 1)
            };
            let promises: [[u64; 2]; STATIONS] = std::array::from_fn(|id| [0, 1].map(|edge| promise(id, edge)));
            self.rounds.push(Round { first, bounds: [0; STATIONS], decided: 0 });
            for (id, list) in lists.iter_mut().enumerate() {
                let from;
                (from, asked[id]) = self.turn(list, promises[id], back[id], &mut sent);
                self.keep_bound(id, from[0].min(from[1]));
                let head = list.first().map_or(NEVER, |token| token.arrival);
                let next = |edge: usize| from[1 - edge].min(head).max(self.servers[id].free);
                spans[id] = [0, 1].map(|edge| self.span(id, edge));
                told[id] = [0, 1].map(|edge| next(edge).saturating_add(spans[id][edge]));
            }
        }
    }

    /// A station decides what nothing can precede that its neighbours may still send, who take so long to send back. Gives
    /// from when on they may then, and when the first of what it sent them arrives.
    fn turn(
        &mut self,
        list: &mut BTreeSet<Token>,
        mut from: [u64; 2],
        back: [u64; 2],
        sent: &mut Vec<Token>,
    ) -> ([u64; 2], [u64; 2]) {
        let mut asked = [NEVER; 2];
        while let Some(token) = list.pop_first() {
            let behind = |edge: usize| (token.arrival, token.from) <= (from[edge], neighbour(token.to, edge));
            if token.arrival >= self.until() || !behind(0) || !behind(1) {
                list.insert(token);
                break;
            }
            if let Some(token) = self.decide(token) {
                asked[token.edge] = asked[token.edge].min(token.arrival);
                from[token.edge] = from[token.edge].min(token.arrival + back[token.edge]);
                sent.push(token);
            }
        }
        (from, asked)
    }

    /// What a round decides at a station arrives between the bounds of the last round and of this one.
    fn keep_bound(&mut self, id: usize, bound: u64) {
        let number = self.rounds.len();
        let before = if number < 2 { 0 } else { self.rounds[number - 2].bounds[id] };
        assert!(before <= bound, "a station has gone back");
        let now = self.servers[id].visits.iter().filter(|visit| visit.round == number);
        now.for_each(|visit| assert!((before..=bound).contains(&visit.token.arrival), "decided outside the bounds"));
        self.rounds[number - 1].bounds[id] = bound;
    }

    /// The records that follow from the visits.
    pub fn outcome(&self) -> NetworkOutcome {
        let parked = self.servers.iter().flat_map(|server| &server.parked);
        let stations = Outcome {
            facilities: self.servers.iter().map(|server| server.record(self.until())).collect(),
            queue: parked.map(|arrival| Time::from_ticks(*arrival)).collect(),
            services: vec![],
            from: Time::ZERO,
            until: self.model.until(),
            added_up: None,
        };
        let errors = self.servers.iter().filter(|_| self.interval.is_some()).map(|server| server.errors);
        NetworkOutcome {
            stations,
            sources: vec![],
            sinks: vec![],
            in_transit: 0,
            tokens_before: STATIONS as u64,
            lost_before: 0,
            causality_errors: errors.collect(),
            distributions: None,
            classes: vec![],
            class_sinks: vec![],
            series: None,
            folded: None,
            resources: vec![],
            forks: None,
            down: vec![],
            absent: vec![],
            groups: vec![],
            batches: vec![],
        }
    }
}

impl Server {
    fn record(&self, until: u64) -> FacilityRecord {
        let mut record = FacilityRecord { in_service: Time::NEVER, ..Default::default() };
        for visit in &self.visits {
            let arrival = visit.token.arrival;
            record.arrivals += u64::from(arrival > 0);
            record.starts += 1;
            record.waiting += u128::from(visit.start - arrival);
            record.service += u128::from(visit.end - visit.start);
            record.busy += u128::from(visit.end.min(until) - visit.start);
            record.presence += u128::from(visit.end.min(until) - arrival);
            if visit.end < until {
                record.completions += 1;
            } else {
                (record.in_service, record.serving) = (Time::from_ticks(visit.end), 1);
            }
        }
        record.queued = self.parked.len() as u64;
        record.arrivals += record.queued;
        record.presence += self.parked.iter().map(|arrival| u128::from(until - arrival)).sum::<u128>();
        record
    }
}
