//! How logical processes run on a device.

use tickless_engine::Options;
use tickless_engine::pending::PendingSet;

/// How logical processes run on a device. None of it changes a result.
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
    /// A process executes in a round its earliest event alone, where that is before the bound; else all that are before it.
    pub one_event_a_round: bool,
    /// The most pending events that a process may have, with [`PendingSet::GlobalHeap`] in the mean over all; `None` for
    /// what fits the device.
    pub most_pending: Option<u32>,
    /// For how many pending events of a process there is room at first; `None` for what seems enough. It grows.
    pub room: Option<u32>,
    /// How many events a process may send messages of in a round; `None` for what seems enough.
    pub outbox: Option<u32>,
    /// Into how many parts a model with sets without order is cut: messages to another part are written into rows in the memory of that part, and go
    /// into their sets from there. At most 64, and no more than there are blocks of processes; 1, 0, and rows that would be too short leave
    /// messages to go into their sets at once. `None` for as many as the device has GPUs.
    pub parts: Option<u32>,
    /// Events of a node of [`PendingSet::GlobalHeap`], 1 to [`MOST_NODE`], rounded up to a power of two, and no more than
    /// there are where their number never grows; `None` for what suits the model.
    pub node: Option<u32>,
    /// Whether figures of all processes together and the digest are enough. A device adds them up, which takes a fraction of the
    /// time, where each process has a heap, a ring or a set without order of its own and its state one word at most: the outcome has
    /// [`added_up`](crate::Outcome::added_up) in place of records then. Several ranks add them up too, and send a few words in place of
    /// records. Every other run, and each that gives a checkpoint, has its records all the same.
    pub figures_only: bool,
    /// How rounds are cut up.
    pub rounds: Options,
}

/// The most events of a node of [`PendingSet::GlobalHeap`]: a larger one has hardly more to gain from fewer launches.
pub const MOST_NODE: u32 = 1 << 20;
