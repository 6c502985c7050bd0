//! Errors of networks, before and during a run.

mod batch_means;
mod fold;
mod network;
use std::ops::Range;

pub use batch_means::BatchMeansError;
pub use fold::{FoldError, FoldedTimeError};
pub use network::NetworkError;
use tickless_core::memory::NoMemory;
use tickless_core::ranks::TransportError;
use tickless_core::run::Interrupted;
use tickless_device::DeviceError;

/// The error of a run of a queueing network.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::{device::Target, queueing::{self, Network, QueueingError, Station}, run::unwatched};
/// let mut network = Network::new().until(100.0);
/// let desk = network.station(Station::new("desk", "constant:1".parse()?).tokens(5));
/// network.route(desk, desk, 1.0, 0.0);
/// let error = queueing::run(&network.check()?, 0..0, Target::Heap, Default::default(), &mut unwatched()).unwrap_err();
/// assert!(matches!(error, QueueingError::NoReplication), "{error}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum QueueingError {
    /// The device refused, failed or went away.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// A watch ended the set-up on the heap.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// Too little memory.
    #[error(transparent)]
    Memory(#[from] NoMemory),
    /// The lists of a torus cannot be made where a run needs them: several replications on a device, a small torus on the
    /// heap, a pilot.
    #[error(transparent)]
    Lists(#[from] Box<NetworkError>),
    /// Batches that a run does not have.
    #[error(transparent)]
    BatchMeans(#[from] BatchMeansError),
    /// A folded sum of times that is too long.
    #[error(transparent)]
    FoldedTime(#[from] FoldedTimeError),
    /// A checkpoint of another model.
    #[error("the checkpoint has {found} {what}, and this model has {expected}: go on with the model that left it")]
    Checkpoint {
        /// The quantity that differs.
        what: &'static str,
        /// Its value in the checkpoint.
        found: u64,
        /// Its value in the model.
        expected: u64,
    },
    /// A checkpoint of a network of classes that cannot be read.
    #[error("what the checkpoint has of the network is {what}: {remedy}")]
    Unreadable {
        /// The fault.
        what: String,
        /// The advice.
        remedy: &'static str,
    },
    /// A run that leaves no checkpoints.
    #[error("no checkpoint can be made of {what}")]
    NoCheckpoint {
        /// The feature without a checkpoint, and what to do.
        what: &'static str,
    },
    /// A network of classes, disciplines or patience, and a request that it does not support.
    #[error("this network has {reason}, and {what} it: use one heap")]
    Multiclass {
        /// The request.
        what: &'static str,
        /// The feature of the network, by its first key.
        reason: String,
    },
    /// Rounds of a network that has none.
    #[error("this network does not run in rounds, as {what}: leave that to the device, it runs event by event then")]
    NoRounds {
        /// The class or station, and its feature.
        what: String,
    },
    /// A pilot whose replications are too long, or without end.
    #[error(
        "a replication of the pilot that looks for the warm-up has more than {most} events: give the warm-up as a time, or look for it \
         with a shorter horizon; where a fork branches without end no pilot ends"
    )]
    PilotTooLong {
        /// The most events of a replication.
        most: u64,
    },
    /// A decision that is out of range.
    #[error("'{path}' is {found} in copy {copy}; it must be from 0 to {most}")]
    Decision {
        /// The path of what is decided.
        path: String,
        /// The number of the copy.
        copy: usize,
        /// Its word.
        found: u32,
        /// The largest that it may be.
        most: u32,
    },
    /// Decisions in the memory of a device that has none of its own to share.
    #[error("the memory of these copies cannot be shared: use one CUDA device, or hand the decisions over")]
    NotThere,
    /// Copies that are to go on behind an error.
    #[error("the copies have ended with an error before: reset them")]
    Stopped,
    /// The error of a copy of a network under control.
    #[error("in copy {copy}, {error}")]
    InCopy {
        /// Its number.
        copy: u32,
        /// The error.
        error: Box<QueueingError>,
    },
    /// Too few words for the copies, or too many.
    #[error("a decision of {copies} copies has {expected} words, and these are {found}")]
    Words {
        /// How many there are.
        found: usize,
        /// How many there must be.
        expected: usize,
        /// How many copies there are.
        copies: usize,
    },
    /// A livelock.
    #[error(
        "at time {clock:.3} more than {moves} tokens have balked or found no room at one instant, the last at station '{station}': \
         stations send them round in a circle; let some join (balking), or send them elsewhere (balks_to, full_to)"
    )]
    StandsStill {
        /// The time, in time units.
        clock: f64,
        /// The number of tokens that have balked.
        moves: u64,
        /// The last station.
        station: String,
    },
    /// A deadlock of stations.
    #[error(
        "at time {clock:.3} every server of these stations holds a token that waits for room at the next: {cycle}: give one of them \
         more room (capacity), let all of them exchange, or none of them block"
    )]
    Deadlock {
        /// The time, in time units.
        clock: f64,
        /// The names, the first again at the end.
        cycle: String,
    },
    /// Copies of a token that wait where they are not joined.
    #[error(
        "at time {clock:.3} the copies of one token wait for each other at station '{one}' and at station '{other}': send all of them \
         to one station that joins"
    )]
    Apart {
        /// The time, in time units.
        clock: f64,
        /// One station.
        one: String,
        /// Another one.
        other: String,
    },
    /// A deadlock of tokens over units.
    #[error(
        "at time {clock:.3} tokens wait for each other for ever, those at each station for units or room that others hold: {cycle}: give \
         the resource more units, let all stations seize in one order, release earlier, or deliver what is used up"
    )]
    Stuck {
        /// The time, in time units.
        clock: f64,
        /// The names of stations and resources, the first again at the end.
        cycle: String,
    },
    /// The error of one of several replications.
    #[error("in replication {replication}, {error}")]
    InReplication {
        /// Its number.
        replication: u32,
        /// The error.
        error: Box<QueueingError>,
    },
    /// Ranks that cannot go on together.
    #[error(transparent)]
    Ranks(#[from] TransportError),
    /// A model that does not run over ranks.
    #[error("no ranks share {what}")]
    NotOverRanks {
        /// What it has that goes over no ranks, and what to do.
        what: String,
    },
    /// More ranks than stations.
    #[error("{ranks} ranks are asked for a network with {stations} stations: use as many or fewer")]
    TooManyRanks {
        /// The ranks.
        ranks: u32,
        /// The stations.
        stations: u32,
    },
    /// A partition with an unknown rank.
    #[error("the cut has a station on rank {rank}; there are {ranks}, from 0 on")]
    CutRank {
        /// The rank.
        rank: u32,
        /// The ranks that there are.
        ranks: u32,
    },
    /// A partition of another model.
    #[error("the cut is of {found} stations, and the network has {expected}: give the rank of each")]
    CutStations {
        /// The stations of the partition.
        found: u64,
        /// The stations of the network.
        expected: u32,
    },
    /// A partition without a station for a rank.
    #[error("the cut has no station for rank {rank}: give each rank one or more")]
    CutEmpty {
        /// The rank.
        rank: u32,
    },
    /// Tokens that may come to another rank in no time.
    #[error(
        "over ranks every token must take some time to another rank, but where all stations have one server and no classes; from \
             '{station}' to '{to}' it may take none: {remedy}"
    )]
    CutLookahead {
        /// A station.
        station: String,
        /// A station of another rank that tokens go to from there in no time.
        to: String,
        /// What to do.
        remedy: &'static str,
    },
    /// An empty range of replications.
    #[error("no replication is asked for: give a range of 1 or more")]
    NoReplication,
    /// More replications of several networks in one run than 32 bits number.
    #[error(
        "there are {count} replications of all networks together; one run has at most 2^32 - 1 of them: run fewer networks at a time"
    )]
    Several {
        /// Their number.
        count: u64,
    },
    /// The model has no lookahead, so a round may hold no more than one instant.
    #[error(
        "this model has no lookahead (a window that is 0 or rounds to 0, and a service time may be as short as it \
             likes): give a window above 0, or run it on the heap"
    )]
    NoLookahead,
    /// A station that makes no appointments, in a network without lookahead or where they were asked for.
    #[error(
        "station '{station}' has {what}: a device runs a network without lookahead only where every station has one server \
             and room for everyone, or where 64 replications or more have at most four stations each, and 1,000 in all; give a window above 0 or an \
             interval of approximate time, or run it on the heap"
    )]
    Appointments {
        /// The first such station.
        station: String,
        /// Its servers or its room.
        what: String,
    },
    /// Appointments in approximate time, where rounds are instants.
    #[error(
        "appointments are made in exact time only: leave the interval of approximate time out, or run it in rounds"
    )]
    ApproximateAppointments,
    /// More tokens at once than the pool of a device may hold.
    #[error(
        "at time {clock:.3} the network needs a pool of more than {places} places for its tokens, and may have {most}: \
             allow at least {least} (--max-tokens; more if it goes on growing), use a shorter horizon or fewer replications, \
             or look for a station that is offered more than it serves"
    )]
    Tokens {
        /// Every event before this time has happened, in time units.
        clock: f64,
        /// The places in use, over all replications.
        places: u64,
        /// The most allowed.
        most: u64,
        /// More than these are needed. The exact number is not known before the end of the run.
        least: u64,
    },
    /// A count of a facility that passed the range of a device. Sums of times have no limit.
    #[error(
        "the {sum} of facility {facility} passed 32 bits, as far as a device counts: use the heap, or a shorter horizon"
    )]
    Overflow {
        /// The count.
        sum: &'static str,
        /// The facility.
        facility: u32,
    },
}

impl QueueingError {
    /// The error with its replication, where there are several and this one is in a deadlock.
    pub(super) fn of_replication(self, replication: u32, all: &Range<u32>) -> Self {
        let is_its_own = matches!(self, Self::Deadlock { .. } | Self::Stuck { .. } | Self::Apart { .. });
        if is_its_own && all.len() > 1 { Self::InReplication { replication, error: Box::new(self) } } else { self }
    }

    /// Whether a watch has ended the set-up, so that there is no result.
    #[doc(hidden)]
    pub fn is_interrupted(&self) -> bool {
        matches!(self, Self::Interrupted(_) | Self::Device(DeviceError::Interrupted))
    }
}
