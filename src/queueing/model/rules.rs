//! The checked vocabulary, in ticks and draws, for the simulators.

use super::SourceChoice;
use super::attributes::{AttributeRules, Size, Values};
use super::control::ControlRules;
use super::further::FurtherRules;
use crate::describe::{Chain, Coming, DRAWS, Intensity, Order, Repetition, Routing, ShiftSchedule, Station};
use serde::{Deserialize, Serialize};
use tickless_core::random::{EffectiveLaw, Stream};
use tickless_core::time::Time;

/// Whom an arrival interrupts where every server is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Preemption {
    /// None.
    Never = 0,
    /// Of a token with a lower priority.
    OfLower = 1,
    /// Of a token without a higher priority.
    OfAll = 2,
}

/// A station.
#[derive(Clone, Debug, PartialEq)]
pub struct StationRules {
    pub(crate) order: Order,
    pub(crate) preemption: Preemption,
    /// Whether every token is served at once.
    #[doc(hidden)]
    pub infinite: bool,
    pub(crate) routing: Routing,
    pub(crate) blocks: bool,
    /// For a station that blocks: whether tokens that go here are served only while there is room.
    pub(crate) before: bool,
    /// Whether services stop for lack of room elsewhere.
    pub(crate) stops: bool,
    /// Whether tokens that have been served may hold their servers for lack of room elsewhere.
    pub(crate) holds: bool,
    /// Whether patience may end amid a service.
    pub(crate) patience_runs_on: bool,
    /// Whether some of its servers are on standby.
    pub(crate) has_standby: bool,
    /// For a station that blocks: whether tokens that wait for each other's room change places.
    pub(crate) exchanges: bool,
    /// For a station that blocks: whether a token without room is served again instead, and where it goes afterwards.
    pub(crate) repeats: Option<Repetition>,
    /// Whether the copies of a token wait for each other here.
    pub(crate) joins: bool,
    /// Properties that most stations lack.
    pub(crate) further: Option<Box<FurtherRules>>,
}

/// Units of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Need {
    pub(crate) resource: u32,
    pub(crate) units: u32,
}

/// How many tokens of a class a kit needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KitPart {
    pub(crate) class: u32,
    pub(crate) tokens: u32,
}

/// A resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResourceRules {
    pub(crate) name: String,
    pub(crate) units: u32,
    /// How many are there at time 0.
    pub(crate) stock: u32,
    /// Whether stations use units up.
    pub(crate) is_stock: bool,
    /// Whether stations bring units.
    pub(crate) is_delivered: bool,
    /// Whether tokens of a higher priority take units from others.
    pub(crate) preemptive: bool,
    pub(crate) shift_schedule: Option<ShiftSchedule>,
    /// How long a unit works, and how long it is out of order.
    pub(crate) failures: Option<[EffectiveLaw; 2]>,
    /// The first station that seizes units: what happens to them happens there.
    pub(crate) keeper: u32,
}

impl ResourceRules {
    /// Whether not all units are always there.
    pub(crate) fn changes(&self) -> bool {
        self.shift_schedule.is_some() || self.failures.is_some()
    }

    /// The units of the first shift.
    pub(crate) fn first_units(&self) -> u32 {
        let first = self.shift_schedule.as_ref().and_then(|shifts| shifts.shift(0));
        first.map_or(self.units, |(_, units)| units)
    }

    /// The mean number of units by the shifts between two times.
    pub(crate) fn mean_units(&self, from: Time, until: Time) -> f64 {
        self.shift_schedule.as_ref().map_or(self.units.into(), |shifts| shifts.mean(from, until))
    }

    /// How many units fail, each for itself.
    pub(crate) fn failing_units(&self) -> u32 {
        self.failures.as_ref().map_or(0, |_| self.units)
    }
}

/// The unit of weights.
pub(crate) const WEIGHT: u64 = 1 << 10;

impl StationRules {
    /// Whether a token takes units together with its server.
    pub(crate) fn seizes_at_service(&self) -> bool {
        !self.seizes.is_empty() && !self.seizes_early
    }

    /// Whether a token that waits for units and a server may interrupt one that is served here.
    pub(crate) fn pushes(&self) -> bool {
        self.preemption != Preemption::Never && self.seizes_at_service()
    }

    /// Whether tokens stand aside here until others have come.
    pub(crate) fn gathers(&self) -> bool {
        self.joins || !self.kit.is_empty()
    }

    /// Whether several tokens may leave in place of one.
    pub(crate) fn splits_tokens(&self) -> bool {
        self.routing == Routing::Fork || !self.splits.is_empty()
    }

    /// Whether a class only goes into kits here, as another token than that which goes on.
    pub(crate) fn ends_in_kit(&self, class: u32) -> bool {
        self.kit.iter().skip(1).any(|part| part.class == class)
    }

    /// The speed of each service with so many tokens present.
    pub(crate) fn speed(&self, present: u64) -> u64 {
        let place = usize::try_from(present.saturating_sub(1)).unwrap_or(usize::MAX);
        self.speeds.get(place).or(self.speeds.last()).copied().unwrap_or(1 << 32)
    }

    /// Whether a service may be interrupted.
    pub(crate) fn interrupts(&self) -> bool {
        let at_end = self.shift_schedule.as_ref().is_some_and(|shift_schedule| shift_schedule.interrupts);
        self.preemption != Preemption::Never || self.has_failures() || self.stops || at_end
    }

    /// Whether a token leaves when a service has lasted as long as its law says: without speeds, and without a wait for others.
    #[doc(hidden)]
    pub fn ends_as_it_starts(&self) -> bool {
        self.speeds.is_empty() && !self.holds && !self.gathers()
    }

    /// Whether the waiting time of a token is known only when its service ends, not when it starts.
    pub(crate) fn waits_until_the_end(&self) -> bool {
        self.interrupts() || self.order == Order::Sharing || !self.speeds.is_empty()
    }

    /// Whether the stay of a token is known only when it leaves, not when its service starts.
    pub(crate) fn is_seen_at_end(&self) -> bool {
        self.waits_until_the_end() || self.holds || self.gathers()
    }
}

impl StationRules {
    /// How many servers work, in the long run.
    pub(crate) fn mean_servers(&self, station: &Station) -> f64 {
        let long = Time::from_ticks(1 << 62);
        if !self.groups.is_empty() {
            let described = station.further.iter().flat_map(|more| &more.groups);
            let groups = self.groups.iter().zip(described);
            return groups.map(|(group, of)| group.mean_servers(Time::ZERO, long) * of.share_in_order()).sum();
        }
        let on_duty = self
            .shift_schedule
            .as_ref()
            .map_or(f64::from(station.servers), |shift_schedule| shift_schedule.mean(Time::ZERO, long));
        let failures = station.further.as_ref().and_then(|more| more.failures.as_ref());
        // Where very many wait the last speed holds.
        let on_duty = on_duty * self.speed(u64::MAX) as f64 / DRAWS;
        on_duty * failures.map_or(1.0, |[up, down]| up.mean() / (up.mean() + down.mean()))
    }
}

/// A source.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SourceRules {
    /// In place of its law.
    pub(crate) intensity: Option<Intensity>,
    /// In place of its law.
    pub(crate) phases: Option<Chain>,
    /// In place of its law.
    pub(crate) trace: Option<Vec<Coming>>,
    /// The values of attributes by the row of the trace; empty where the trace has none.
    pub(crate) values: Vec<Values>,
    /// The upper bounds of the draws for 1, 2, ... tokens at a time; empty where there is always one.
    pub(crate) batch: Vec<u64>,
    /// Where it chooses among several stations.
    pub(crate) choice: Option<SourceChoice>,
}

impl SourceRules {
    /// The most tokens at a time; 0 where there is always one.
    pub(crate) fn largest_batch(&self) -> u32 {
        let of_trace = self.trace.iter().flatten().map(|row| row.tokens).max();
        of_trace.unwrap_or(self.batch.len() as u32)
    }

    /// The classes of tokens of a source of this class.
    pub(crate) fn classes(&self, class: u32) -> Vec<u32> {
        let Some(rows) = &self.trace else { return vec![class] };
        let mut classes: Vec<u32> = rows.iter().map(|row| row.class).collect();
        classes.sort_unstable();
        classes.dedup();
        classes
    }
}

/// A class at a station. What every service needs lies in one line of the cache.
#[derive(Clone, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct VisitRules {
    #[doc(hidden)]
    pub law: EffectiveLaw,
    /// Its row of edges.
    pub(crate) first: u32,
    pub(crate) end: u32,
    /// The mean of its law.
    pub(crate) mean: Time,
    pub(crate) patience: Option<EffectiveLaw>,
    /// The room for tokens of the class; the station's capacity holds, too.
    pub(crate) capacity: u32,
    pub(crate) tokens: u32,
    /// Whether any token of the class comes there.
    pub(crate) is_reached: bool,
    /// The d of its shifted law in time units, where a window shifts it.
    pub(crate) shift: Option<f64>,
    /// The attribute that is its service, in place of the law.
    pub(crate) size: Option<Size>,
    /// The attribute that is its patience, in place of the law.
    pub(crate) patience_by: Option<Size>,
}

impl StationRules {
    /// Whether servers set up, go on vacation, or are on standby.
    pub(crate) fn has_absences(&self) -> bool {
        self.setup.is_some() || self.goes_away()
    }

    /// Whether servers are away now and then, on vacation or on standby.
    pub(crate) fn goes_away(&self) -> bool {
        self.vacation.is_some() || self.standby.is_some()
    }
}

impl VisitRules {
    /// Whether tokens of the class may give up there.
    pub(crate) fn is_impatient(&self) -> bool {
        self.patience.is_some() || self.patience_by.is_some()
    }

    /// The service of a token with these values.
    #[inline]
    pub(crate) fn service(&self, values: &Values, stream: &mut Stream) -> Time {
        match self.size {
            None => self.law.service(stream),
            Some(size) => size.of(values),
        }
    }
}

/// The target of a token, and its class from then on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    /// The largest draw that takes it.
    pub(crate) upper: u32,
    /// A station, or beyond the stations a sink.
    pub(crate) target: u32,
    /// The transit delay.
    pub(crate) delay: Time,
    /// The largest value that takes it, where an attribute decides.
    pub(crate) up_to: Time,
    pub(crate) becomes: u32,
}

/// All rules. The smallest are those of one class, first come first served.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// Whether the network has no classes, disciplines and the like. Then there are no records of classes.
    pub(crate) plain: bool,
    /// The names of the classes; one without a name where the network lists none.
    pub(crate) names: Vec<String>,
    /// The priority of each class.
    pub(crate) levels: Vec<u32>,
    /// What tokens carry.
    pub(crate) attributes: Vec<AttributeRules>,
    #[doc(hidden)]
    pub stations: Vec<StationRules>,
    /// For every class at every station, station by station.
    pub(crate) visits: Vec<VisitRules>,
    pub(crate) edges: Vec<Edge>,
    /// The class of each source's tokens.
    pub(crate) source_classes: Vec<u32>,
    pub(crate) sources: Vec<SourceRules>,
    pub(crate) resources: Vec<ResourceRules>,
    /// The stations that seize units.
    pub(crate) seizing: Vec<u32>,
    /// The stations where copies wait for each other.
    pub(crate) joining: Vec<u32>,
    /// The stations whose routes go by visit.
    pub(crate) by_visit: Vec<u32>,
    /// The feature that keeps it from rounds: the end of a service is not known at the arrival.
    pub(crate) no_rounds: Option<String>,
    /// The results of it that rounds do not record.
    pub(crate) unrecorded: Option<&'static str>,
    /// What is decided during a run.
    pub(crate) control: Option<Box<ControlRules>>,
}

impl Rules {
    /// Whether tokens hold units of anything.
    pub(crate) fn has_resources(&self) -> bool {
        !self.resources.is_empty()
    }

    /// Where a token goes that leaves the network without a sink.
    pub(crate) const LOST: u32 = u32::MAX;

    /// The rules of one class, without stations yet.
    pub(crate) fn plain() -> Self {
        Self {
            plain: true,
            names: vec![String::new()],
            levels: vec![0],
            attributes: vec![],
            stations: vec![],
            visits: vec![],
            edges: vec![],
            source_classes: vec![],
            sources: vec![],
            resources: vec![],
            seizing: vec![],
            joining: vec![],
            by_visit: vec![],
            no_rounds: None,
            unrecorded: None,
            control: None,
        }
    }

    /// Whether tokens split into copies.
    pub(crate) fn has_forks(&self) -> bool {
        self.stations.iter().any(StationRules::splits_tokens)
    }

    /// Whether tokens are put together.
    pub(crate) fn has_kits(&self) -> bool {
        self.stations.iter().any(|station| !station.kit.is_empty())
    }

    /// Whether the number of tokens changes between sources and sinks.
    pub(crate) fn changes_numbers(&self) -> bool {
        self.has_forks() || self.has_kits()
    }

    /// Whether servers fail.
    pub(crate) fn has_failures(&self) -> bool {
        self.stations.iter().any(|station| station.has_failures())
    }

    /// Whether servers set up or go away.
    pub(crate) fn has_absences(&self) -> bool {
        self.stations.iter().any(|station| station.has_absences())
    }

    /// The number of classes.
    #[doc(hidden)]
    #[inline]
    pub fn classes(&self) -> u32 {
        self.names.len() as u32
    }

    /// How stations choose a route, and sources that choose a station.
    fn routings(&self) -> impl Iterator<Item = Routing> + '_ {
        let of_sources = self.sources.iter().filter_map(|source| source.choice).map(|choice| choice.routing);
        self.stations.iter().map(|station| station.routing).chain(of_sources)
    }

    /// Whether tokens of each class are counted at stations, for their room, their work or their number.
    pub(crate) fn counts_classes(&self) -> bool {
        let by_class = [Routing::LeastWork, Routing::ShortestOfClass, Routing::ShortestResponse];
        self.routings().any(|routing| by_class.contains(&routing))
            || self.visits.iter().any(|visit| visit.capacity < u32::MAX)
            || self.control.is_some()
    }

    /// The first word of a decision with the ranks of the classes at a station, where they are decided.
    pub(crate) fn ranks_of(&self, station: u32) -> Option<u32> {
        self.control.as_ref()?.stations[station as usize].ranks
    }

    /// When a station may go on without a token in service, from the n-th of its shifts on.
    pub(crate) fn going_on(&self, station: u32, servers: u32, shift: u64) -> GoingOn {
        let StationRules { infinite, .. } = &self.stations[station as usize];
        let FurtherRules { shift_schedule, failures, seizes, .. } = &*self.stations[station as usize];
        let of_shifts = shift_schedule.as_ref().map(|shift_schedule| shift_schedule.most_from(shift));
        GoingOn {
            at_once: *infinite && seizes.is_empty(),
            impatient: self.has_patience(station),
            most_servers: of_shifts.or(failures.as_ref().map(|_| servers)),
        }
    }

    /// Whether tokens of some class lose their patience at a station.
    pub(crate) fn has_patience(&self, station: u32) -> bool {
        (0..self.classes()).any(|class| self.visit(station, class).is_impatient())
    }

    /// What messages call a class at a station, between the quotes of a name: the station alone where there is but one class.
    pub(crate) fn name_at(&self, station: &str, class: usize) -> String {
        if self.classes() == 1 { station.into() } else { format!("{station}', class '{}", self.names[class]) }
    }

    /// The edge that a draw takes.
    #[inline]
    pub(crate) fn edge(&self, visit: &VisitRules, draw: u32) -> u32 {
        let row = &self.edges[visit.first as usize..visit.end as usize];
        visit.first + row.partition_point(|edge| edge.upper < draw) as u32
    }

    /// A class at a station.
    #[doc(hidden)]
    #[inline]
    pub fn visit(&self, station: u32, class: u32) -> &VisitRules {
        &self.visits[(station * self.classes() + class) as usize]
    }
}

/// When a station may go on without a token in service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GoingOn {
    /// Whether every token is served as it comes.
    pub(crate) at_once: bool,
    /// Whether some class has patience: a waiting token leaves in the end.
    pub(crate) impatient: bool,
    /// If shifts, failures or repairs change the number of servers, the most there may be from now on. One more server serves a
    /// waiting token.
    pub(crate) most_servers: Option<u32>,
}

/// Whether a token that finds this many present balks.
pub(crate) fn balks(balking: &[u64], present: u64, draw: u32) -> bool {
    let place = usize::try_from(present).unwrap_or(usize::MAX).min(balking.len() - 1);
    u64::from(draw) < balking[place]
}

/// The place of a token in the order of service: its priority, then a key, then the number of its arrival.
pub(crate) fn rank(order: Order, level: u32, arrival: u64, time: Time) -> (u32, u64, u64) {
    (level, order.key(arrival, time), arrival)
}
