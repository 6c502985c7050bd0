//! Networks on the sequential simulator and on devices.

use std::ops::Range;

use super::gpu;
use super::{NetworkDetails, NetworkModel, NetworkOptions, NetworkOutcome, QueueingError, reference};
use tickless_core::run::{Run, Watch};
use tickless_device::Target;

/// Runs replications of a network: the same model with random streams of its own each, of which that of replication 0 is
/// the one of the seed. On the heap each has a core, and an interruption leaves out the first that has not ended and those
/// behind it, unless it is the first of all. On a device all run at once, as [`gpu::synchronization`] or the options say.
///
/// # Errors
/// [`QueueingError::NoReplication`] of an empty range. On a device: [`QueueingError::Overflow`] where a count of a station passes 32 bits,
/// what [`gpu::synchronization`] refuses, a model that exceeds the adapter's limits (said before
/// anything is allocated), [`QueueingError::Tokens`] where the places do not suffice, [`QueueingError::NoLookahead`] of a
/// window where the model has no lookahead, [`QueueingError::Appointments`] or
/// [`QueueingError::ApproximateAppointments`] of appointments that cannot be made, [`QueueingError::Lists`] of a torus whose
/// lists do not fit into memory, and what can go wrong there.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{self, Network, Source, Station};
/// use tickless::{device::Target, run::unwatched};
/// let mut network = Network::new();
/// let desk = network.station(Station::new("desk", "constant:1".parse()?));
/// let exit = network.sink("exit");
/// network.source(Source::new("street", "constant:2".parse()?, desk));
/// network.route(desk, exit, 1.0, 0.0);
/// let model = network.until(100.0).check()?;
/// let run = queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
/// // Tokens come at 2, 4, ... 98 and leave one unit later.
/// assert_eq!((run.outcome[0].sources[0], run.outcome[0].sinks[0].tokens), (49, 49));
/// assert_eq!(run.outcome[0].stations.facilities[0].busy, 49 << 32);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// ```no_run
/// # use tickless_queueing::facade as tickless;
/// use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice};
/// use tickless::queueing::{self, Network, combined_digest};
/// use tickless::{device::Target, run::unwatched};
/// let device = WgpuDevice::open(&Selection::Auto, OpenOptions::default())?;
/// let model = Network::from_toml(&std::fs::read_to_string("examples/networks/clinic.toml")?)?.check()?;
/// let run = queueing::run(&model, 0..100, Target::Device(&device), Default::default(), &mut unwatched())?;
/// println!("{}", combined_digest(&run.outcome));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run(
    model: &NetworkModel,
    replications: Range<u32>,
    target: Target<'_>,
    options: NetworkOptions,
    watch: &mut dyn Watch,
) -> Result<Run<Vec<NetworkOutcome>, NetworkDetails>, QueueingError> {
    if replications.is_empty() {
        return Err(QueueingError::NoReplication);
    }
    match target {
        Target::Device(device) => gpu::run(model, replications, device, &options, watch),
        Target::Heap | Target::HeapOn(_) => reference::run(model, replications, target.most_cores(), watch),
    }
}
