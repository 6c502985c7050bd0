//! How cells run on a device.

use crate::log::CellLog;
use tickless_core::time::Time;
use tickless_engine::Options;

/// How cells run on a device, and the log of their outputs. No result depends on it.
///
/// ```
/// # use tickless_cells::facade as tickless;
/// let options = tickless::cells::gpu::CellOptions { groups: Some(8), ..Default::default() };
/// assert!(options.at_once.is_none() && options.log.is_none());
/// ```
#[derive(Default)]
pub struct CellOptions<'a> {
    /// Takes all outputs of cells; on the heap, too.
    /// A run of a [`Restartable`](tickless_core::run::Restartable) model gives it nothing.
    pub log: Option<&'a mut dyn CellLog>,
    /// The workgroups of a replication; `None` for the adapter's default.
    pub groups: Option<u32>,
    /// The parts into which the workgroups of a replication and its blocks are cut; `None` for one on each GPU.
    pub parts: Option<u32>,
    /// The replications that run at once; `None` for as many as fit.
    pub at_once: Option<u32>,
    /// Whether a [`FirstPassage`](super::FirstPassage) takes its events in order nevertheless; fronts cannot.
    pub ordered: bool,
    /// The span of times that a workgroup works on in a round of a [`FirstPassage`](super::FirstPassage), from its earliest on; `None` for
    /// a default by the number of replications.
    pub patience: Option<Time>,
    /// Memory of the device for a log, in bytes, or more where a round needs it; `None` for 64 MiB.
    pub log_bytes: Option<u64>,
    /// Whether the digest and, for a [`FirstPassage`](super::FirstPassage), its extent are enough. A device then adds them up,
    /// which takes a fraction of the time: the outcome has [`added_up`](crate::CellOutcome::added_up) in place of its arrays.
    /// Every other run, and one with a log, gives its arrays nevertheless.
    pub figures_only: bool,
    /// The most cycles of events at one time; `None` for as many as on the heap. Tests need not wait for so many.
    #[doc(hidden)]
    pub most_cycles: Option<u64>,
    /// How rounds are cut up.
    pub rounds: Options,
}
