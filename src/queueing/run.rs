//! Networks on the sequential simulator and on devices.

use std::ops::Range;

use super::gpu::{self, Synchronization};
use super::{NetworkModel, NetworkOutcome, QueueingError, reference};
use tickless_core::run::{Appointments, Run, Watch};
use tickless_device::Target;
use tickless_engine as engine;

/// What a run of queueing networks says beside its records.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::{device::Target, queueing::{self, Network, Station, Topology}, run::unwatched};
/// let each = Station::new("s", "exponential:10".parse()?).tokens(1);
/// let model = Network::generate(&Topology::Torus { width: 4, height: 4 }, &each, 0.0)?.check()?;
/// let run = queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!((run.details.completions, run.details.appointments), (run.events, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkDetails {
    /// Ends of services over the whole run, the warm-up included. Tokens from sources are events too, but not these.
    pub completions: u64,
    /// What appointments say of themselves, where the run made any.
    pub appointments: Option<Appointments>,
}

impl NetworkDetails {
    /// Takes in those of another part of a run. Both had so many rounds.
    #[doc(hidden)]
    pub fn add(&mut self, rounds: u64, other: &Self, more: u64) {
        self.completions += other.completions;
        match (&mut self.appointments, &other.appointments) {
            (Some(own), Some(other)) => own.join(rounds, other, more),
            (own, other) => *own = own.or(*other),
        }
    }
}

/// How queueing networks run on a device. None of it changes a result, and the heap needs none of it.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{NetworkOptions, gpu::Synchronization};
/// let options = NetworkOptions { synchronization: Some(Synchronization::Appointments), ..Default::default() };
/// assert_eq!(options.most_tokens, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NetworkOptions {
    /// How far rounds go; `None` for what suits the model.
    pub synchronization: Option<Synchronization>,
    /// The most places for tokens, over all replications; `None` for what fits the device.
    ///
    /// What a run begins with is always allowed: the tokens at time 0 and, for each source, 11 to 95 places. The pool
    /// doubles when it runs out, the last time up to the limit. Parts of it belong to sources, so a few places may be left
    /// free. By appointments some stations are ahead of others, and so more places are needed.
    pub most_tokens: Option<u64>,
    /// Whether figures of all stations together and the digest are enough. A device adds them up for one replication of a torus
    /// ([`Network::generate`](super::Network::generate)), which takes a fraction of the time: the outcome has
    /// [`added_up`](tickless_core::statistics::Outcome::added_up) in place of records then. A sum of a station that passes 64 bits from
    /// time 0 on is an error then, whatever the warm-up. Every other run gives its records all the same.
    pub figures_only: bool,
    /// How rounds are cut up.
    pub rounds: engine::Options,
}

/// Runs replications of a network: the same model with random streams of its own each, of which that of replication 0 is
/// the one of the seed. On the heap each has a core, and an interruption leaves out the first that has not ended and those
/// behind it, unless it is the first of all. On a device all run at once, as [`gpu::synchronization`] or the options say.
///
/// # Errors
/// [`QueueingError::NoReplication`] of an empty range; [`QueueingError::Overflow`] where a sum of a station passes its
/// range. On a device: what [`gpu::synchronization`] refuses, a model that exceeds the adapter's limits (said before
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
/// let model = Network::from_toml(include_str!("../../examples/networks/clinic.toml"))?.check()?;
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
