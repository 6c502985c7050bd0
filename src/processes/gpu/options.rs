//! How logical processes run on a device.

use tickless_engine::Options;
use tickless_engine::pending::PendingSet;

/// How logical processes run on a device. No result depends on it.
///
/// ```
/// # use tickless_processes::facade as tickless;
/// use tickless::{pending::PendingSet, processes::gpu::ProcessOptions};
/// let options = ProcessOptions { pending: PendingSet::Splay, ..ProcessOptions::default() };
/// assert_eq!(options.most_pending, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessOptions {
    /// How pending events are kept.
    pub pending: PendingSet,
    /// Whether a process executes only its earliest event in a round, if that is before the bound; else all events before
    /// the bound.
    pub one_event_a_round: bool,
    /// The most pending events that a process may have, with [`PendingSet::GlobalHeap`] in the mean over all; `None` for
    /// as many as fit the device.
    pub most_pending: Option<u32>,
    /// The pending events of a process for which there is room at first; `None` for the usual room, which grows.
    pub room: Option<u32>,
    /// The events whose messages a process may send in a round; `None` for the usual number.
    pub outbox: Option<u32>,
    /// The parts into which a model with sets without order is cut: messages to another part are written into rows in the memory of that part,
    /// and go into their sets from there. At most 64, and at most as many as blocks of processes; with 1, with 0, and where rows would be too
    /// short, messages go into their sets at once. `None` for as many as the device has GPUs.
    pub parts: Option<u32>,
    /// Events of a node of [`PendingSet::GlobalHeap`], 1 to [`MOST_NODE`], rounded up to a power of two, and at most as
    /// many as there are events where their number never grows; `None` for the model's default.
    pub node: Option<u32>,
    /// Whether figures of all processes together and the digest are enough. A device adds them up, which takes a fraction of the time,
    /// where each process has a heap, a ring or a set without order of its own and a state of one word at most: the outcome then has
    /// [`added_up`](crate::Outcome::added_up) in place of records. Several ranks add them up too, and send a few words in place of
    /// records. Every other run, and each that gives a checkpoint, has its records nevertheless.
    pub figures_only: bool,
    /// How rounds are cut up.
    pub rounds: Options,
}

/// The most events of a node of [`PendingSet::GlobalHeap`]: a larger node saves hardly more launches.
pub const MOST_NODE: u32 = 1 << 20;
