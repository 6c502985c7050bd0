//! The checked vocabulary, in ticks and draws: what the simulators run.

use std::ops::Deref;

use super::{Chain, Coming, Intensity, Repetition, Routing, ShiftSchedule};
use serde::{Deserialize, Serialize};
use tickless_core::random::EffectiveLaw;
use tickless_core::time::Time;

/// In which order tokens of one priority are served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Order {
    FirstCome = 0,
    LastCome = 1,
    Random = 2,
    ShortestJob = 3,
    /// All at the same time.
    Sharing = 4,
}

/// Whom an arrival interrupts where every server is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Preemption {
    /// Nobody.
    Never = 0,
    /// Who has a lower priority.
    OfLower = 1,
    /// Who has no higher priority.
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
    /// Of a station that blocks: whether those that go here are served only while there is room.
    pub(crate) before: bool,
    /// Whether services stop for want of room elsewhere.
    pub(crate) stops: bool,
    /// Whether tokens that have been served may hold their servers for want of room elsewhere.
    pub(crate) holds: bool,
    /// Of a station that blocks: whether those that wait for each other's room change places.
    pub(crate) exchanges: bool,
    /// Of a station that blocks: whether who has no room is served again instead, and where it goes then.
    pub(crate) repeats: Option<Repetition>,
    /// Whether the copies of a token wait for each other here.
    pub(crate) joins: bool,
    /// What most stations have nothing of.
    pub(crate) further: Option<Box<FurtherRules>>,
}

/// What few stations have, read as fields of [`StationRules`].
#[derive(Clone, Debug, PartialEq)]
pub struct FurtherRules {
    /// How many of the 2³² draws balk, by the number present; empty where nobody does.
    pub(crate) balking: Vec<u64>,
    /// A station, beyond the stations a sink, or [`Rules::LOST`].
    pub(crate) balks_to: u32,
    /// Likewise.
    pub(crate) reneges_to: u32,
    pub(crate) shift_schedule: Option<ShiftSchedule>,
    /// The speed of each service by the number present, from 1 on, in units of 2⁻³²; empty where it is always 1.
    #[doc(hidden)]
    pub speeds: Vec<u64>,
    /// By class, in units of 1 / [`WEIGHT`]; empty where all share alike.
    pub(crate) weights: Vec<u64>,
    /// How long a server works, and how long it is out of order.
    pub(crate) failures: Option<[EffectiveLaw; 2]>,
    /// Whether only service counts toward a failure.
    pub(crate) by_use: bool,
    /// How long a server that has been idle sets up.
    pub(crate) setup: Option<EffectiveLaw>,
    /// How long a server that finds nobody goes away.
    pub(crate) vacation: Option<EffectiveLaw>,
    /// What a token takes before its first service here, in the order of the resources.
    pub(crate) seizes: Vec<Need>,
    /// Whether it takes that before it joins the line, and not when the service begins.
    pub(crate) seizes_early: bool,
    /// What it gives back when it leaves, as far as it holds that.
    pub(crate) releases: Vec<Need>,
}

impl FurtherRules {
    /// Of a station that has nothing of it.
    pub(crate) const NOTHING: Self = Self {
        balking: vec![],
        balks_to: Rules::LOST,
        reneges_to: Rules::LOST,
        shift_schedule: None,
        speeds: vec![],
        weights: vec![],
        failures: None,
        by_use: false,
        setup: None,
        vacation: None,
        seizes: vec![],
        seizes_early: false,
        releases: vec![],
    };
}

impl Deref for StationRules {
    type Target = FurtherRules;

    #[inline]
    fn deref(&self) -> &FurtherRules {
        const NOTHING: &FurtherRules = &FurtherRules::NOTHING;
        self.further.as_deref().unwrap_or(NOTHING)
    }
}

/// Units of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Need {
    pub(crate) resource: u32,
    pub(crate) units: u32,
}

/// A resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResourceRules {
    pub(crate) name: String,
    pub(crate) units: u32,
}

/// The unit of weights.
pub(crate) const WEIGHT: u64 = 1 << 10;

impl StationRules {
    /// Whether a token takes units together with its server.
    pub(crate) fn seizes_at_service(&self) -> bool {
        !self.seizes.is_empty() && !self.seizes_early
    }

    /// The speed of each service where so many are present.
    pub(crate) fn speed(&self, present: u64) -> u64 {
        let place = usize::try_from(present.saturating_sub(1)).unwrap_or(usize::MAX);
        self.speeds.get(place).or(self.speeds.last()).copied().unwrap_or(1 << 32)
    }

    /// Whether a service may be interrupted.
    pub(crate) fn interrupts(&self) -> bool {
        let at_end = self.shift_schedule.as_ref().is_some_and(|shift_schedule| shift_schedule.interrupts);
        self.preemption != Preemption::Never || self.failures.is_some() || self.stops || at_end
    }

    /// Whether a token goes when a service has lasted as long as its law says: at no speed of its own, and not waiting for others.
    #[doc(hidden)]
    pub fn ends_as_it_starts(&self) -> bool {
        self.speeds.is_empty() && !self.holds && !self.joins
    }

    /// Whether how long a token waits is known only when its service ends, not when it starts.
    pub(crate) fn waits_until_the_end(&self) -> bool {
        self.interrupts() || self.order == Order::Sharing || !self.speeds.is_empty()
    }

    /// Whether how long a token stays is known only when it goes, not when its service starts.
    pub(crate) fn is_seen_at_end(&self) -> bool {
        self.waits_until_the_end() || self.holds || self.joins
    }
}

/// A source.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SourceRules {
    /// In place of its law.
    pub(crate) intensity: Option<Intensity>,
    /// Likewise.
    pub(crate) phases: Option<Chain>,
    /// Likewise.
    pub(crate) trace: Option<Vec<Coming>>,
    /// Draws below these are of 1, 2, ... tokens at a time; empty where it is always one.
    pub(crate) batch: Vec<u64>,
}

impl SourceRules {
    /// The most tokens at a time; 0 where it is always one.
    pub(crate) fn largest_batch(&self) -> u32 {
        let of_trace = self.trace.iter().flatten().map(|row| row.tokens).max();
        of_trace.unwrap_or(self.batch.len() as u32)
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
    /// For how many there is room; the station's capacity counts, too.
    pub(crate) capacity: u32,
    pub(crate) tokens: u32,
    /// Whether any token of the class comes there.
    pub(crate) is_reached: bool,
    /// The d of its shifted law in time units, where a window shifts it.
    pub(crate) shift: Option<f64>,
}

/// Where a token goes, and what it is from then on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    /// The largest draw that takes it.
    pub(crate) upper: u32,
    /// A station, or beyond the stations a sink.
    pub(crate) target: u32,
    /// The transit delay.
    pub(crate) delay: Time,
    pub(crate) becomes: u32,
}

/// All of it. The smallest rules are those of one class, first come first served.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// Whether the network names nothing of classes, disciplines and the like. Then no records are of a class.
    pub(crate) plain: bool,
    /// The names of the classes; one without a name where the network lists none.
    pub(crate) names: Vec<String>,
    /// The priority of each class.
    pub(crate) levels: Vec<u32>,
    #[doc(hidden)]
    pub stations: Vec<StationRules>,
    /// Of every class at every station, station by station.
    pub(crate) visits: Vec<VisitRules>,
    pub(crate) edges: Vec<Edge>,
    /// The class of each source's tokens.
    pub(crate) source_classes: Vec<u32>,
    pub(crate) sources: Vec<SourceRules>,
    pub(crate) resources: Vec<ResourceRules>,
    /// The stations that seize something.
    pub(crate) seizing: Vec<u32>,
    /// The stations where copies wait for each other.
    pub(crate) joining: Vec<u32>,
    /// The stations whose routes go by visit.
    pub(crate) by_visit: Vec<u32>,
    /// What keeps it from rounds: nobody knows at an arrival when its service ends.
    pub(crate) no_rounds: Option<String>,
    /// What rounds do not record of it.
    pub(crate) unrecorded: Option<&'static str>,
}

impl Rules {
    /// Where a token goes that leaves the network without a sink.
    pub(crate) const LOST: u32 = u32::MAX;

    /// Of one class and of no station yet.
    pub(crate) fn plain() -> Self {
        Self {
            plain: true,
            names: vec![String::new()],
            levels: vec![0],
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
        }
    }

    /// Whether tokens split into copies.
    pub(crate) fn has_forks(&self) -> bool {
        self.stations.iter().any(|station| station.routing == Routing::Fork)
    }

    /// Whether servers fail.
    pub(crate) fn has_failures(&self) -> bool {
        self.stations.iter().any(|station| station.failures.is_some())
    }

    /// The number of classes.
    #[doc(hidden)]
    #[inline]
    pub fn classes(&self) -> u32 {
        self.names.len() as u32
    }

    /// Whether tokens of each class are counted at stations: for how many there is room, or what work they are.
    pub(crate) fn counts_classes(&self) -> bool {
        self.stations.iter().any(|station| station.routing == Routing::LeastWork)
            || self.visits.iter().any(|visit| visit.capacity < u32::MAX)
    }

    /// What may make a station go on where nobody is served there, from the n-th of its shifts on.
    pub(crate) fn going_on(&self, station: u32, servers: u32, shift: u64) -> GoingOn {
        let StationRules { infinite, .. } = &self.stations[station as usize];
        let FurtherRules { shift_schedule, failures, seizes, .. } = &*self.stations[station as usize];
        let of_shifts = shift_schedule.as_ref().map(|shift_schedule| shift_schedule.most_from(shift));
        GoingOn {
            at_once: *infinite && seizes.is_empty(),
            impatient: (0..self.classes()).any(|class| self.visit(station, class).patience.is_some()),
            most_servers: of_shifts.or(failures.as_ref().map(|_| servers)),
        }
    }

    /// What messages call a class at a station, between the quotes of a name: the station alone where there is but one class.
    pub(super) fn name_at(&self, station: &str, class: usize) -> String {
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

/// What may make a station go on where nobody is served there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GoingOn {
    /// Whether every token is served as it comes.
    pub(crate) at_once: bool,
    /// Whether some class has patience: who waits leaves in the end.
    pub(crate) impatient: bool,
    /// Where shifts, failures or repairs change the number of servers: how many there may be yet. Who waits is served by one more.
    pub(crate) most_servers: Option<u32>,
}

/// Whether a token that finds so many present balks.
pub(crate) fn balks(balking: &[u64], present: u64, draw: u32) -> bool {
    let place = usize::try_from(present).unwrap_or(usize::MAX).min(balking.len() - 1);
    u64::from(draw) < balking[place]
}

/// The place of a token in the order of service: its priority, then a key, then the number of its arrival.
pub(crate) fn rank(order: Order, level: u32, arrival: u64, work: Time) -> (u32, u64, u64) {
    let key = match order {
        Order::FirstCome | Order::Random | Order::Sharing => arrival,
        Order::LastCome => !arrival,
        Order::ShortestJob => work.ticks(),
    };
    (level, key, arrival)
}
