//! A network on the sequential simulator: one instant at a time, nothing known of rounds.
//!
//! An event is the end of a service, the end of a transit or a token from a source. All events of one instant are
//! collected and then settled in the contract's order: first the departures, then the arrivals by their source and that
//! source's number. In approximate time ([`NetworkModel::approximate`]) an event has an original time beside the one at
//! which it happens. Sums are integrals that are brought up to date whenever the number at a station changes.

mod accounts;
mod approximate;
mod observation;
mod series;
mod single;
mod slab;
mod tally;

use std::ops::{ControlFlow, Range};
use std::time::{Duration, Instant};

use super::{NetworkModel, NetworkOutcome, SinkRecord};
use crate::RunError;
use crate::heap::{Event, EventList, Handler, Summary, Word, execute, execute_instants};
use crate::queueing::NetworkDetails;
use crate::random::{Stream, StreamKey};
use crate::run::{Progress, Run, Watch};
use crate::statistics::{FacilityRecord, Outcome};
use crate::time::Time;
use accounts::Accounts;
use approximate::Approximation;
use observation::Observations;
pub(super) use series::{Recording, record};
use single::Singles;
use slab::Slab;

/// The entity of events that end a transit.
const TRANSIT: u32 = u32::MAX;

/// What a token remembers.
#[derive(Clone, Copy, Debug)]
struct Token {
    /// When it came from a source; never where it was there at time 0.
    entered: Time,
    /// When it came to the station where it is.
    arrived: Time,
    /// The original time of that; in exact time, the same.
    original: Time,
}

/// A service in progress; its edge is drawn with it.
#[derive(Clone, Copy, Debug)]
struct Service {
    station: u32,
    token: Token,
    visit: u64,
    target: u32,
    delay: Time,
    end: Time,
    /// The original time of its end; in exact time, the same.
    original: Time,
}

impl Token {
    fn new(arrived: Time, original: Time) -> Self {
        Self { entered: arrived, arrived, original }
    }
}

/// The model allows no horizon from which a time could pass the range.
#[inline]
fn later(time: Time, span: Time) -> Time {
    Time::from_ticks(time.ticks() + span.ticks())
}

/// A token on its way: to whom, and its place in the order of an instant.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    from: u32,
    number: u64,
    target: u32,
    token: Token,
}

struct Station {
    stream: Stream,
    accounts: Accounts,
    queue: std::collections::VecDeque<Token>,
    visits: u64,
    departures: u64,
}

struct Source {
    stream: Stream,
    sent: u64,
    counted: u64,
    /// The original time of its next token.
    original: Time,
}

struct Simulation<'a> {
    model: &'a NetworkModel,
    stations: Vec<Station>,
    sources: Vec<Source>,
    sinks: Vec<SinkRecord>,
    approximation: Option<Approximation>,
    observations: Option<Observations>,
    services: Slab<Service>,
    transits: Slab<Arrival>,
    departing: Vec<Service>,
    arriving: Vec<Arrival>,
    in_transit: u64,
    transits_ended: u64,
    present: u64,
    present_before: u64,
    /// The sum over the stations of the number present, squared.
    squares: u64,
}

/// Runs the network, one instant at a time.
///
/// # Errors
/// [`RunError::Overflow`] where a sum of a station passes 64 bits.
///
/// ```
/// use tickless::queueing::network::{Network, Source, Station, reference};
/// let mut network = Network::new();
/// let desk = network.station(Station::new("desk", "constant:1".parse()?));
/// let exit = network.sink("exit");
/// network.source(Source::new("street", "constant:2".parse()?, desk));
/// network.route(desk, exit, 1.0, 0.0);
/// let run = reference::simulate(&network.until(100.0).check()?, &mut tickless::run::unwatched())?;
/// // Tokens come at 2, 4, ... 98 and leave one unit later.
/// assert_eq!((run.outcome.sources[0], run.outcome.sinks[0].tokens), (49, 49));
/// assert_eq!(run.outcome.stations.facilities[0].busy, 49 << 32);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn simulate(model: &NetworkModel, watch: &mut dyn Watch) -> Result<Run<NetworkOutcome, NetworkDetails>, RunError> {
    simulate_replication(model, 0, watch)
}

/// Runs one replication of the network: the same model with random streams of its own. Replication 0 is what
/// [`simulate`] runs.
///
/// # Errors
/// As for [`simulate`].
pub fn simulate_replication(
    model: &NetworkModel,
    replication: u32,
    watch: &mut dyn Watch,
) -> Result<Run<NetworkOutcome, NetworkDetails>, RunError> {
    if Singles::<u64>::takes(model) {
        return simulate_singles::<u64>(model, replication, watch);
    }
    if Singles::<u128>::takes(model) {
        return simulate_singles::<u128>(model, replication, watch);
    }
    simulate_any(model, replication, watch)
}

/// Any network: what [`Singles`] does not take.
fn simulate_any(
    model: &NetworkModel,
    replication: u32,
    watch: &mut dyn Watch,
) -> Result<Run<NetworkOutcome, NetworkDetails>, RunError> {
    let begin = Instant::now();
    let mut simulation = Simulation::new(model, model.key(replication));
    let mut events = simulation.begin();
    let setup = begin.elapsed();
    let summary = execute(&mut simulation, &mut events, model.until(), watch)?;
    let events = summary.events - simulation.transits_ended;
    let completions = simulation.stations.iter().map(|station| station.departures).sum();
    let outcome = simulation.outcome(summary.clock)?;
    Ok(ended(outcome, [events, completions], &summary, setup))
}

/// The same for stations of one server in exact time.
fn simulate_singles<W: Word>(
    model: &NetworkModel,
    replication: u32,
    watch: &mut dyn Watch,
) -> Result<Run<NetworkOutcome, NetworkDetails>, RunError> {
    let begin = Instant::now();
    let mut singles = Singles::<W>::new(model, model.key(replication));
    let setup = begin.elapsed();
    let summary = execute_instants(&mut singles, model.until(), watch);
    let completions = singles.completions();
    let events = completions + singles.sent();
    let outcome = singles.outcome(summary.clock)?;
    Ok(ended(outcome, [events, completions], &summary, setup))
}

fn ended(
    outcome: NetworkOutcome,
    [events, completions]: [u64; 2],
    &Summary { clock, interrupted, wall, .. }: &Summary,
    setup: Duration,
) -> Run<NetworkOutcome, NetworkDetails> {
    let details = NetworkDetails { completions, appointments: None };
    let (rounds, device, timings) = (None, None, vec![]);
    Run { outcome, events, rounds, clock, wall, device, setup, timings, interrupted, details }
}

/// Runs replications one after the other. An interruption ends the one under way; it and those behind it are left out,
/// unless it is the first.
///
/// # Errors
/// As for [`simulate`].
///
/// # Panics
/// Without a replication.
pub fn replicate(
    model: &NetworkModel,
    replications: Range<u32>,
    watch: &mut dyn Watch,
) -> Result<Run<Vec<NetworkOutcome>, NetworkDetails>, RunError> {
    assert!(!replications.is_empty(), "no replication to run");
    let first = replications.start;
    let mut all = simulate_replication(model, first, watch)?.map(|outcome| vec![outcome]);
    for replication in replications.skip(1) {
        // A replication of few events is over before it looks at the watch.
        let (clock, until, events, elapsed) = (all.clock, model.until(), all.events, all.wall);
        let progress = Progress { clock, until, events, rounds: 0, elapsed };
        all.interrupted |= watch.look(&progress) == ControlFlow::Break(());
        if all.interrupted {
            break;
        }
        let run = simulate_replication(model, replication, watch)?;
        all.wall += run.wall;
        all.setup += run.setup;
        all.interrupted = run.interrupted;
        if !run.interrupted {
            all.events += run.events;
            all.details.completions += run.details.completions;
            all.outcome.push(run.outcome);
        }
    }
    Ok(all)
}

impl Handler for Simulation<'_> {
    #[inline]
    fn handle(&mut self, event: Event, events: &mut EventList) -> Result<(), RunError> {
        let Event { time: now, entity, payload } = event;
        if entity == TRANSIT {
            let arrival = self.transits.take(payload);
            self.in_transit -= 1;
            self.transits_ended += 1;
            self.arriving.push(arrival);
        } else if entity >= self.model.stations() {
            self.send(entity - self.model.stations(), now, events);
        } else {
            let service = self.services.take(payload);
            self.departing.push(service);
        }
        if events.first().is_none_or(|next| next.time > now) {
            self.settle(now, events);
        }
        Ok(())
    }
}

impl<'a> Simulation<'a> {
    fn new(model: &'a NetworkModel, key: StreamKey) -> Self {
        let station = |id| Station {
            stream: key.stream(id),
            accounts: Accounts::new(model.warmup()),
            queue: Default::default(),
            visits: 0,
            departures: 0,
        };
        let source = |id| Source {
            stream: key.stream(model.stations() + id),
            sent: 0,
            counted: 0,
            original: model.inflow(id).start,
        };
        let tokens = u64::from(model.tokens());
        Self {
            model,
            stations: (0..model.stations()).map(station).collect(),
            sources: (0..model.sources()).map(source).collect(),
            sinks: vec![SinkRecord::default(); model.sinks() as usize],
            approximation: model.approximate().map(|interval| Approximation::new(interval, model)),
            observations: Observations::new(model),
            services: Slab::new(),
            transits: Slab::new(),
            departing: vec![],
            arriving: vec![],
            in_transit: 0,
            transits_ended: 0,
            present: tokens,
            present_before: tokens,
            squares: 0,
        }
    }

    /// Places the tokens, starts their services and the sources' first intervals.
    fn begin(&mut self) -> EventList {
        let mut events = EventList::new();
        for id in 0..self.model.stations() {
            for _ in 0..self.model.tokens_at(id) {
                self.admit(
                    id,
                    Token { entered: Time::NEVER, ..Token::new(Time::ZERO, Time::ZERO) },
                    Time::ZERO,
                    &mut events,
                );
            }
        }
        for id in 0..self.model.sources() {
            self.schedule_source(id, &mut events);
        }
        events
    }

    fn counted(&self, now: Time) -> bool {
        now >= self.model.warmup()
    }

    /// Draws the next interval of a source that has tokens left.
    fn schedule_source(&mut self, id: u32, events: &mut EventList) {
        let (source, inflow) = (&mut self.sources[id as usize], self.model.inflow(id));
        if source.sent < inflow.limit {
            source.original = later(source.original, inflow.law.service(&mut source.stream));
            let time = self.approximation.as_ref().map_or(source.original, |a| a.executed(source.original));
            events.push(Event { time, entity: self.model.stations() + id, payload: 0 });
        }
    }

    fn send(&mut self, id: u32, now: Time, events: &mut EventList) {
        let counted = u64::from(self.counted(now));
        let source = &mut self.sources[id as usize];
        let token = Token::new(now, source.original);
        let from = self.model.stations() + id;
        self.arriving.push(Arrival { from, number: source.sent, target: self.model.inflow(id).target, token });
        source.sent += 1;
        source.counted += counted;
        self.came(now, 1);
        self.schedule_source(id, events);
    }

    /// Counts tokens that came (1) or went (-1).
    fn came(&mut self, now: Time, change: i64) {
        self.present = self.present.wrapping_add_signed(change);
        if !self.counted(now) {
            self.present_before = self.present;
        }
    }

    /// Everything of one instant: departures first, then arrivals by source and number.
    fn settle(&mut self, now: Time, events: &mut EventList) {
        let mut departing = std::mem::take(&mut self.departing);
        if departing.len() > 1 {
            departing.sort_unstable_by_key(|service| (service.station, service.original, service.visit));
        }
        for service in departing.drain(..) {
            self.depart(service, now, events);
        }
        self.departing = departing;
        let mut arriving = std::mem::take(&mut self.arriving);
        if arriving.len() > 1 {
            arriving.sort_unstable_by_key(|arrival| (arrival.token.original, arrival.from, arrival.number));
        }
        for arrival in arriving.drain(..) {
            self.arrive(arrival, now, events);
        }
        self.arriving = arriving;
    }

    fn depart(&mut self, service: Service, now: Time, events: &mut EventList) {
        let id = service.station;
        let station = &mut self.stations[id as usize];
        station.accounts.departs(now);
        if let Some(observations) = &mut self.observations {
            observations.departs(id, now);
        }
        self.squares = self.squares.wrapping_sub(2 * station.accounts.present() + 1);
        let original = later(service.original, service.delay);
        let token = Token { original, ..service.token };
        let arrival = Arrival { from: id, number: station.departures, target: service.target, token };
        station.departures += 1;
        if let Some(token) = station.queue.pop_front() {
            self.start(id, token, service.original, now, events);
        } else if let Some(approximation) = &mut self.approximation {
            approximation.idles(id, now, service.original);
        }
        let time = match &self.approximation {
            Some(approximation) => approximation.executed(original).max(now),
            None => original,
        };
        if time == now || service.delay == Time::ZERO {
            self.arriving.push(arrival);
        } else {
            let payload = self.transits.put(arrival);
            self.in_transit += 1;
            events.push(Event { time, entity: TRANSIT, payload });
        }
    }

    fn arrive(&mut self, arrival: Arrival, now: Time, events: &mut EventList) {
        let Arrival { target, token, .. } = arrival;
        if target >= self.model.stations() {
            let counted = self.counted(now);
            let sink = &mut self.sinks[(target - self.model.stations()) as usize];
            if counted {
                sink.tokens += 1;
                if token.entered != Time::NEVER {
                    sink.from_sources += 1;
                    let stay = now.ticks() - token.entered.ticks();
                    sink.sojourn += u128::from(stay);
                    if let Some(observations) = &mut self.observations {
                        observations.leaves(target - self.model.stations(), Time::from_ticks(stay));
                    }
                }
            }
            return self.came(now, -1);
        }
        let station = &mut self.stations[target as usize];
        let full = station.accounts.present() >= u64::from(self.model.capacity(target));
        station.accounts.arrives(now, full);
        let counted = now >= self.model.warmup();
        if let Some(approximation) = &mut self.approximation {
            approximation.arrives(target, token.original, full, counted);
        }
        if full {
            return self.came(now, -1);
        }
        self.admit(target, Token { arrived: now, ..token }, now, events);
    }

    /// Into service where a server is free, else to the end of the queue.
    fn admit(&mut self, id: u32, token: Token, now: Time, events: &mut EventList) {
        let station = &mut self.stations[id as usize];
        self.squares = self.squares.wrapping_add(2 * station.accounts.present() + 1);
        station.accounts.enters(now);
        if let Some(observations) = &mut self.observations {
            observations.enters(id, now);
        }
        if station.accounts.serving() < u64::from(self.model.servers(id)) {
            let serving = station.accounts.serving();
            let freed = self.approximation.as_mut().map_or(now, |a| a.takes(id, self.model.servers(id), serving));
            self.start(id, token, freed, now, events);
        } else {
            station.queue.push_back(token);
        }
    }

    /// Starts a service by a server whose last one ended at the original time `freed`.
    fn start(&mut self, id: u32, token: Token, freed: Time, now: Time, events: &mut EventList) {
        let station = &mut self.stations[id as usize];
        let time = self.model.law(id).service(&mut station.stream);
        let edge = self.model.edge(id, station.stream.draw());
        let original = later(token.original.max(freed), time);
        let end = self.approximation.as_ref().map_or(original, |a| a.end(original, now));
        let span = |from: Time, to: Time| Time::from_ticks(to.ticks() - from.ticks());
        let (waiting, service) = (span(token.arrived, now), span(now, end));
        station.accounts.starts(now, waiting, service);
        if let Some(observations) = &mut self.observations {
            observations.starts(id, now, waiting, service);
        }
        let (visit, target, delay) = (station.visits, edge.target, edge.delay);
        let service = Service { station: id, token, visit, target, delay, end, original };
        station.visits += 1;
        let payload = self.services.put(service);
        events.push(Event { time: end, entity: id, payload });
    }

    /// The records, cut at `clock`.
    fn outcome(mut self, clock: Time) -> Result<NetworkOutcome, RunError> {
        let mut under_way: Vec<Vec<Time>> = vec![vec![]; self.stations.len()];
        for service in self.services.used() {
            under_way[service.station as usize].push(service.end);
        }
        let mut stations = Outcome {
            facilities: Vec::with_capacity(self.stations.len()),
            queue: vec![],
            services: vec![],
            from: self.model.warmup(),
            until: clock,
        };
        for (id, (station, ends)) in self.stations.iter_mut().zip(&mut under_way).enumerate() {
            ends.sort_unstable();
            let mut record: FacilityRecord = station.accounts.record(id as u32, clock)?;
            record.in_service = ends.first().copied().unwrap_or(Time::NEVER);
            record.serving = ends.len() as u64;
            record.queued = station.queue.len() as u64;
            stations.services.extend(ends.iter().skip(1));
            stations.queue.extend(station.queue.iter().map(|token| token.arrived));
            stations.facilities.push(record);
        }
        Ok(NetworkOutcome {
            stations,
            sources: self.sources.iter().map(|source| source.counted).collect(),
            sinks: self.sinks,
            in_transit: self.in_transit,
            tokens_before: self.present_before,
            causality_errors: self.approximation.map_or(vec![], |a| a.errors().collect()),
            distributions: self.observations.map(|observations| observations.finish(clock)),
        })
    }
}
