//! A run of networks as it stands, and what goes on from there.

use std::ops::Range;
use std::time::Duration;

use super::shard::{arrays_of, outcomes_of};
use super::{NetworkDetails, NetworkModel, NetworkOptions, NetworkOutcome, QueueingError, gpu, reference};
use crate::archive::{ArchiveError, Arrays, wrong};
use crate::device::Target;
use crate::memory;
use crate::random::StreamKey;
use crate::run::{Run, Watch};
use crate::time::Time;

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

/// A source: how many tokens it has sent, and when its next one comes; never where it has none left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sending {
    pub(crate) sent: u64,
    pub(crate) next: Time,
}

/// What is in a network at a time, before which everything has happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct State {
    /// Of each station: services that have started since time 0, those in progress, and tokens that wait.
    pub(crate) stations: Vec<(u64, u32, u32)>,
    /// Station after station, in the order of their visits.
    pub(crate) services: Vec<Service>,
    /// Station after station, in the order of the queues.
    pub(crate) queue: Vec<Waiting>,
    /// In the order of stations, and of their departures.
    pub(crate) transits: Vec<Transit>,
    pub(crate) sources: Vec<Sending>,
}

/// What is at a station.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AtStation<'a> {
    pub(crate) started: u64,
    pub(crate) services: &'a [Service],
    pub(crate) queue: &'a [Waiting],
}

impl State {
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

impl NetworkModel {
    /// The stream of a station behind so many services.
    pub(crate) fn stream_behind(&self, key: StreamKey, station: u32, visits: u64) -> crate::random::Stream {
        key.stream_behind(station, visits * (u64::from(self.law(station).draws()) + 1))
    }

    /// The draw that says where a visit leads.
    pub(crate) fn route_of(&self, key: StreamKey, station: u32, visit: u64) -> u32 {
        let mut stream = self.stream_behind(key, station, visit);
        self.law(station).service(&mut stream);
        stream.draw()
    }

    /// The stream of a source behind so many intervals.
    pub(crate) fn source_behind(&self, key: StreamKey, source: u32, intervals: u64) -> crate::random::Stream {
        let draws = u64::from(self.inflow(source).law.draws());
        key.stream_behind(self.stations() + source, intervals * draws)
    }
}

/// A replication where a run has stopped: its records, and what is in the network; nothing where it has ended.
#[derive(Clone, Debug)]
pub(crate) struct End {
    pub(crate) outcome: NetworkOutcome,
    pub(crate) state: Option<State>,
}

/// All that a run of networks has: its first replications, each up to a clock of its own. The others have not begun.
/// [`run_from`] goes on from it on any backend, to the digest of a run that nothing has stopped.
///
/// ```
/// use std::ops::ControlFlow;
/// use tickless::{device::Target, queueing::{self, Network, Station, Topology}, run::{Progress, unwatched}};
/// let each = Station::new("s", "exponential:10".parse()?).tokens(1);
/// let model = Network::generate(&Topology::Torus { width: 8, height: 8 }, &each, 0.0)?.check()?;
/// let mut stop = |_: &Progress| ControlFlow::Break(());
/// let first = queueing::run_from(&model, 0..1, None, Target::Heap, Default::default(), &mut stop)?;
/// assert!(first.interrupted);
/// let from = Some(&first.outcome);
/// let rest = queueing::run_from(&model, 0..1, from, Target::Heap, Default::default(), &mut unwatched())?;
/// let whole = queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!(rest.outcome.outcomes[0].digest(), whole.outcome[0].digest());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// The records of the replications that have begun, up to their clocks.
    pub outcomes: Vec<NetworkOutcome>,
    /// Of each of them: every event before this time has happened. The horizon where it has ended.
    pub clocks: Vec<Time>,
    /// Of each: what is in its network, where it has not ended.
    states: Vec<State>,
}

/// Refuses a network that does not go on.
///
/// # Errors
/// [`QueueingError::NoCheckpoint`], which says what it has and no checkpoint.
pub(crate) fn check(model: &NetworkModel, target: Target<'_>) -> Result<(), QueueingError> {
    let refused = |what| Err(QueueingError::NoCheckpoint { what });
    if model.approximate().is_some() {
        return refused("approximate time, whose original times no checkpoint has");
    }
    match target {
        Target::Heap | Target::HeapOn(_) => Ok(()),
        Target::Device(_) => gpu::check_checkpoint(model),
    }
}

/// Runs replications of a network from a checkpoint on, or from time 0, to what another run can go on from: where the watch
/// stops it, or the horizon. Events, rounds and times are those of this run alone; records are those since the warm-up.
///
/// A watch that [pauses](Watch::pause) a run of several replications lets those under way come to their end on the heap.
///
/// # Errors
/// As [`run`](super::run); [`QueueingError::Checkpoint`] where it is not of this model, [`QueueingError::NoCheckpoint`] of a
/// network that does not go on.
pub fn run_from(
    model: &NetworkModel,
    replications: Range<u32>,
    from: Option<&Checkpoint>,
    target: Target<'_>,
    options: NetworkOptions,
    watch: &mut dyn Watch,
) -> Result<Run<Checkpoint, NetworkDetails>, QueueingError> {
    if replications.is_empty() {
        return Err(QueueingError::NoReplication);
    }
    check(model, target)?;
    let options = NetworkOptions { figures_only: false, ..options };
    if let Some(from) = from {
        from.check(model, replications.len())?;
    }
    let nothing = || Checkpoint { outcomes: vec![], clocks: vec![], states: vec![] };
    let mut going = Going {
        model,
        target,
        options,
        first: replications.start,
        at: from.cloned().unwrap_or_else(nothing),
        all: None,
    };
    let mut goes_on = true;
    while let Some(group) = going.at.group(model.until()).filter(|_| goes_on) {
        goes_on = going.part(group, watch)?;
    }
    let begun = going.at.clocks.len();
    if goes_on && begun < replications.len() {
        going.part(begun..replications.len(), watch)?;
    }
    Ok(going.ended(replications.len()))
}

/// A run in parts: replications that have the same clock.
struct Going<'a> {
    model: &'a NetworkModel,
    target: Target<'a>,
    options: NetworkOptions,
    /// The number of the first replication.
    first: u32,
    at: Checkpoint,
    /// What all parts took.
    all: Option<Run<(), NetworkDetails>>,
}

impl Going<'_> {
    /// Runs some replications as far as the watch lets them. Returns whether all of them have ended.
    fn part(&mut self, group: Range<usize>, watch: &mut dyn Watch) -> Result<bool, QueueingError> {
        let (model, warmup) = (self.model, self.model.warmup());
        let clock = self.at.clocks.get(group.start).copied().unwrap_or_default();
        let states = self.at.states.get(group.clone()).unwrap_or_default();
        let begins = NetworkModel { warmup: warmup.max(clock), ..model.clone() };
        let numbers = self.first + group.start as u32..self.first + group.end as u32;
        let run = match self.target {
            Target::Device(device) => gpu::run_from(&begins, numbers, states, device, &self.options, watch),
            Target::Heap | Target::HeapOn(_) => {
                reference::run_from(&begins, numbers, states, self.target.most_cores(), watch)
            }
        };
        let run = match run {
            // What was done before stays.
            Err(error) if error.is_interrupted() && !self.at.clocks.is_empty() && self.all.is_some() => {
                return Ok(false);
            }
            run => run?,
        };
        let (ended, reached, count) = (!run.interrupted, run.clock, run.outcome.len());
        let mut ends = vec![];
        let run = run.map(|found| ends = found);
        for (place, End { mut outcome, state }) in (group.start..).zip(ends) {
            if clock > Time::ZERO {
                outcome = self.at.outcomes[place].clone().and(outcome, clock, warmup)?;
            }
            let state = state.unwrap_or_default();
            if place < self.at.clocks.len() {
                (self.at.outcomes[place], self.at.clocks[place], self.at.states[place]) = (outcome, reached, state);
            } else {
                self.at.outcomes.push(outcome);
                self.at.clocks.push(reached);
                self.at.states.push(state);
            }
        }
        match &mut self.all {
            None => self.all = Some(run),
            Some(all) => {
                all.details.add(all.rounds.unwrap_or_default(), &run.details, run.rounds.unwrap_or_default());
                all.add(&run);
            }
        }
        Ok(ended && count == group.len())
    }

    fn ended(self, replications: usize) -> Run<Checkpoint, NetworkDetails> {
        let Self { model, at, all, .. } = self;
        let clock = at.clocks.iter().copied().min().unwrap_or(model.until());
        let interrupted = clock < model.until() || at.clocks.len() < replications;
        let nothing = || Run {
            outcome: (),
            events: 0,
            rounds: None,
            clock,
            wall: Duration::ZERO,
            device: None,
            setup: Duration::ZERO,
            timings: vec![],
            interrupted,
            threads: None,
            details: NetworkDetails { completions: 0, appointments: None },
        };
        let run = all.unwrap_or_else(nothing);
        Run { clock, interrupted, ..run }.map(|()| at)
    }
}

/// Columns of the arrays of a station, a service, a waiting token, a transit and a source.
const STATION: usize = 2;
const SERVICE: usize = 3;
const WAITING: usize = 2;
const TRANSIT: usize = 3;
const SOURCE: usize = 2;

impl Checkpoint {
    /// Refuses one that is not of this model.
    ///
    /// # Errors
    /// [`QueueingError::Checkpoint`].
    fn check(&self, model: &NetworkModel, replications: usize) -> Result<(), QueueingError> {
        let other = |what, found: u64, expected: u64| Err(QueueingError::Checkpoint { what, found, expected });
        let (count, most) = (self.clocks.len(), replications as u64);
        if count > replications || self.outcomes.len() != count || self.states.len() != count {
            return other("replications", count as u64, most);
        }
        for ((clock, outcome), state) in self.clocks.iter().zip(&self.outcomes).zip(&self.states) {
            let stations = u64::from(model.stations());
            if outcome.stations.facilities.len() as u64 != stations {
                return other("stations", outcome.stations.facilities.len() as u64, stations);
            }
            if *clock >= model.until() {
                continue;
            }
            state.check(model, *clock)?;
        }
        Ok(())
    }

    /// The first replications that have not ended and stand at the same time.
    fn group(&self, until: Time) -> Option<Range<usize>> {
        let start = self.clocks.iter().position(|clock| *clock < until)?;
        let alike = self.clocks[start..].iter().take_while(|clock| **clock == self.clocks[start]).count();
        Some(start..start + alike)
    }

    /// The arrays of its file.
    ///
    /// # Errors
    /// Too little memory.
    pub(crate) fn arrays(&self) -> Result<Arrays, ArchiveError> {
        let mut arrays = arrays_of(&self.outcomes)?;
        let all = |of: fn(&State) -> usize| self.states.iter().map(of).sum::<usize>();
        let words = STATION * all(|state| state.stations.len())
            + SERVICE * all(|state| state.services.len())
            + WAITING * all(|state| state.queue.len());
        memory::room_of(8 * words as u64, "the arrays of a checkpoint")?;
        arrays.add_list("clocks", self.clocks.iter().map(|clock| clock.ticks()).collect());
        let lengths = |state: &State| {
            let State { stations, services, queue, transits, sources } = state;
            [stations.len(), services.len(), queue.len(), transits.len(), sources.len()].map(|length| length as u64)
        };
        arrays.add("state_lengths", self.states.len(), self.states.iter().flat_map(lengths).collect());
        let station =
            |&(started, serving, queued): &(u64, u32, u32)| [started, u64::from(serving) | u64::from(queued) << 32];
        let service = |service: &Service| [service.visit, service.end.ticks(), service.entered.ticks()];
        let waiting = |waiting: &Waiting| [waiting.arrived.ticks(), waiting.entered.ticks()];
        let transit = |transit: &Transit| {
            let &Transit { from, target, arrival, entered } = transit;
            [u64::from(from) | u64::from(target) << 32, arrival.ticks(), entered.ticks()]
        };
        let source = |source: &Sending| [source.sent, source.next.ticks()];
        let each = || self.states.iter();
        arrays.add_list("state_stations", each().flat_map(|state| &state.stations).flat_map(station).collect());
        arrays.add_list("state_services", each().flat_map(|state| &state.services).flat_map(service).collect());
        arrays.add_list("state_queue", each().flat_map(|state| &state.queue).flat_map(waiting).collect());
        arrays.add_list("state_transits", each().flat_map(|state| &state.transits).flat_map(transit).collect());
        arrays.add_list("state_sources", each().flat_map(|state| &state.sources).flat_map(source).collect());
        Ok(arrays)
    }

    /// What [`Checkpoint::arrays`] was made of, for this model.
    ///
    /// # Errors
    /// An array that is not of it.
    pub(crate) fn from_arrays(model: &NetworkModel, most: usize, mut arrays: Arrays) -> Result<Self, ArchiveError> {
        let clocks: Vec<Time> = arrays.take_list("clocks")?.into_iter().map(Time::from_ticks).collect();
        let rows = clocks.len();
        if rows > most {
            return Err(wrong("clocks", format!("has {rows} replications, and there are {most}")));
        }
        let lengths = arrays.take("state_lengths", rows, 5)?;
        let names = ["state_stations", "state_services", "state_queue", "state_transits", "state_sources"];
        let mut lists = names.map(|name| (name, arrays.take_list(name), 0_usize));
        let mut states = vec![];
        for row in lengths.chunks(5) {
            let mut next = |list: usize, columns: usize| -> Result<Vec<u64>, ArchiveError> {
                let (name, words, at) = &mut lists[list];
                let words = words.as_ref().map_err(|error| wrong(name, error.to_string()))?;
                let count = usize::try_from(row[list]).ok().and_then(|count| count.checked_mul(columns));
                let end = count.and_then(|count| at.checked_add(count)).filter(|end| *end <= words.len());
                let end = end.ok_or_else(|| wrong(name, format!("is too short for {} rows", row[list])))?;
                Ok(words[std::mem::replace(at, end)..end].to_vec())
            };
            let time = Time::from_ticks;
            let station = |row: &[u64; STATION]| (row[0], row[1] as u32, (row[1] >> 32) as u32);
            let service =
                |&[visit, end, entered]: &[u64; SERVICE]| Service { visit, end: time(end), entered: time(entered) };
            let waiting =
                |&[arrived, entered]: &[u64; WAITING]| Waiting { arrived: time(arrived), entered: time(entered) };
            let transit = |&[ends, arrival, entered]: &[u64; TRANSIT]| Transit {
                from: ends as u32,
                target: (ends >> 32) as u32,
                arrival: time(arrival),
                entered: time(entered),
            };
            let source = |&[sent, next]: &[u64; SOURCE]| Sending { sent, next: time(next) };
            states.push(State {
                stations: next(0, STATION)?.as_chunks().0.iter().map(station).collect(),
                services: next(1, SERVICE)?.as_chunks().0.iter().map(service).collect(),
                queue: next(2, WAITING)?.as_chunks().0.iter().map(waiting).collect(),
                transits: next(3, TRANSIT)?.as_chunks().0.iter().map(transit).collect(),
                sources: next(4, SOURCE)?.as_chunks().0.iter().map(source).collect(),
            });
        }
        let outcomes = outcomes_of(model, rows, arrays)?;
        let checkpoint = Self { outcomes, clocks, states };
        checkpoint.check(model, most).map_err(|error| wrong("clocks", format!("does not fit ({error})")))?;
        Ok(checkpoint)
    }
}

impl State {
    /// Refuses one that no run of this model has at its clock.
    fn check(&self, model: &NetworkModel, clock: Time) -> Result<(), QueueingError> {
        let other = |what, found: u64, expected: u64| Err(QueueingError::Checkpoint { what, found, expected });
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
        Ok(())
    }
}
