//! How cells run on a device.

use crate::log::CellLog;
use tickless_core::time::Time;
use tickless_engine::Options;

/// How cells run on a device, and who logs what they send. None of it changes a result.
///
/// ```
/// # use tickless_cells::facade as tickless;
/// let options = tickless::cells::gpu::CellOptions { groups: Some(8), ..Default::default() };
/// assert!(options.at_once.is_none() && options.log.is_none());
/// ```
#[derive(Default)]
pub struct CellOptions<'a> {
    /// Takes everything that cells send; on the heap, too.
    /// A run of a [`Restartable`](tickless_core::run::Restartable) model gives it nothing.
    pub log: Option<&'a mut dyn CellLog>,
    /// The workgroups of a replication; `None` for what suits the adapter.
    pub groups: Option<u32>,
    /// The parts into which the workgroups of a replication and its blocks are cut; `None` for one on each GPU.
    pub parts: Option<u32>,
    /// The replications that run at once; `None` for as many as fit.
    pub at_once: Option<u32>,
    /// Whether the events of a model that is a [`FirstPassage`](super::FirstPassage) happen in order all the same; fronts have none.
    pub ordered: bool,
    /// How much later than the earliest of a workgroup what a round of a [`FirstPassage`](super::FirstPassage) does may be; `None` for what
    /// suits the number of replications.
    pub patience: Option<Time>,
    /// Memory of the device for a log, in bytes, of which it takes more where a round needs that; `None` for 64 MiB.
    pub log_bytes: Option<u64>,
    /// Whether the digest and, of a [`FirstPassage`](super::FirstPassage), how far it has come are enough. A device adds them up
    /// then, which takes a fraction of the time: the outcome has [`added_up`](crate::CellOutcome::added_up) in place of
    /// its arrays. Every other run, and one with a log, gives its arrays all the same.
    pub figures_only: bool,
    /// How many cycles of events there may be at one time; `None` for as many as on the heap. Tests need not wait for those.
    #[doc(hidden)]
    pub most_cycles: Option<u64>,
    /// How rounds are cut up.
    pub rounds: Options,
}
