//! Networks on the sequential simulator, on devices and over ranks.

use std::ops::Range;
use std::sync::Arc;

use super::distributed;
use super::going::{Going, Stood, on_target};
use super::partition::Partition;
use super::{Checkpoint, NetworkDetails, NetworkModel, NetworkOptions, NetworkOutcome, QueueingError};
use tickless_core::run::{Restartable, Run, RunMode, SnapshotWatch, Snapshotted, Watch, WithoutSnapshots};
use tickless_device::On;

/// Runs replications of a network: the same model, each with random streams of its own; replication 0 has the streams of the
/// seed. On the heap each has a core, and an interruption leaves out the first replication that has not ended and all behind it,
/// unless it is the first of all. On a device all run at once, as [`gpu::path`](crate::gpu::path) or the options say.
///
/// Over [`Ranks`](tickless_core::ranks::Ranks) one replication runs, each rank a heap with some of the stations: according to a [`Partition`]
/// beside the ranks, or to [`Partition::new`]. Rank 0 has the result of the run; on other ranks of other processes the outcome is empty. A
/// lookahead must lie between the time at which it is known that a token goes to another rank and its arrival: the shortest service time plus
/// the delay of the edge, or the delay alone where a service can be interrupted or chosen later. The longer it is, the fewer rounds there are;
/// in a network of single servers without classes it may be 0. A round costs some microseconds, which must be little beside the events in it.
///
/// [`Restartable`] in place of the model gives a [`Checkpoint`], and begins at one: the run goes to where the watch stops it, or to the
/// horizon. Events, rounds and times are those of this run alone; records are those since the warm-up. A watch that
/// [pauses](Watch::pause) a run of several replications lets started replications come to their end on the heap. Over ranks the
/// checkpoint has one replication: every rank is given the whole checkpoint, and rank 0 gives back the new one.
///
/// An [`Ensemble`](super::Ensemble) in place of the model has several networks, and says itself which replications of each run.
///
/// # Errors
/// [`QueueingError::NoReplication`] for an empty range. On a device: [`QueueingError::Overflow`] where a count of a station passes 32
/// bits, the errors of [`gpu::path`](crate::gpu::path), a model that exceeds the adapter's limits (before anything is allocated),
/// [`QueueingError::Tokens`] where the places do not suffice, [`QueueingError::NoLookahead`] for a window where the model has no
/// lookahead, [`QueueingError::Appointments`] or [`QueueingError::ApproximateAppointments`] for appointments that cannot be made,
/// [`QueueingError::Lists`] for a torus whose lists do not fit into memory, and errors of the device. Over ranks:
/// [`QueueingError::NotOverRanks`] for several replications and for what is not local to stations (docs/networks.md has a table),
/// [`QueueingError::CutLookahead`] without a lookahead between ranks where one is needed, [`QueueingError::Multiclass`] for a checkpoint of
/// classes; a partition of another model; a rank that fails or is gone. From a checkpoint: [`QueueingError::Checkpoint`] for that of another model, [`QueueingError::NoCheckpoint`] for a network
/// that cannot resume.
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
///
/// Over ranks, and from a checkpoint on:
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use std::num::NonZeroU32;
/// use tickless::queueing::{self, Network, Station, Topology};
/// use tickless::{device::Target, ranks::Ranks, run::{Restartable, unwatched}};
/// let each = Station::new("s", "exponential:10".parse()?).tokens(1);
/// let torus = Network::generate(&Topology::Torus { width: 16, height: 16 }, &each, 0.0)?;
/// let model = torus.window(1.0).until(100.0).check()?;
/// let two = || Ranks::Threads(NonZeroU32::new(2).unwrap());
/// let over = queueing::run(&model, 0..1, two(), Default::default(), &mut unwatched())?;
/// let alone = queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!(over.outcome[0].digest(), alone.outcome[0].digest());
///
/// let restartable = Restartable { model: &model, from: None };
/// let end = queueing::run(restartable, 0..1, two(), Default::default(), &mut unwatched())?;
/// assert_eq!(end.outcome.outcomes, alone.outcome);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run<'on, R: Runnable>(
    model: R,
    replications: R::Replications,
    on: impl Into<On<'on, Partition>>,
    options: NetworkOptions,
    watch: &mut R::Watch,
) -> Ran<R> {
    model.run(replications, on.into(), options, watch)
}

/// What [`run`] runs: a [`NetworkModel`], which gives the records of its replications, a [`Restartable`] one, which gives a
/// [`Checkpoint`], or an [`Ensemble`](super::Ensemble).
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{Checkpoint, NetworkModel, NetworkOutcome, Runnable};
/// use tickless::run::Restartable;
/// fn gives<R: Runnable<Outcome = O>, O>() {}
/// gives::<&NetworkModel, Vec<NetworkOutcome>>();
/// gives::<Restartable<NetworkModel, Checkpoint>, Checkpoint>();
/// ```
pub trait Runnable {
    /// Which replications run: a range of their numbers.
    type Replications;
    /// What a run gives back.
    type Outcome;
    /// What a run says beside that.
    type Details;
    /// What ends a run without a result.
    type Error;
    /// What watches it.
    type Watch: ?Sized;

    #[doc(hidden)]
    fn run(
        self,
        replications: Self::Replications,
        on: On<'_, Partition>,
        options: NetworkOptions,
        watch: &mut Self::Watch,
    ) -> Ran<Self>;
}

/// How a run ends.
pub type Ran<R> = Result<Run<<R as Runnable>::Outcome, <R as Runnable>::Details>, <R as Runnable>::Error>;

/// Refuses an empty range.
fn check(numbers: &Range<u32>) -> Result<(), QueueingError> {
    if numbers.is_empty() { Err(QueueingError::NoReplication) } else { Ok(()) }
}

impl<'m> Runnable for &'m NetworkModel {
    type Replications = Range<u32>;
    type Outcome = Vec<NetworkOutcome>;
    type Details = NetworkDetails;
    type Error = QueueingError;
    type Watch = dyn Watch + 'm;

    fn run(
        self,
        numbers: Range<u32>,
        on: On<'_, Partition>,
        options: NetworkOptions,
        watch: &mut Self::Watch,
    ) -> Ran<Self> {
        check(&numbers)?;
        let mode = RunMode::whole(options.figures_only);
        match on {
            On::Target(target) => {
                let run = on_target(&[(self, numbers)], mode, target, &options, &mut WithoutSnapshots(watch));
                let run = run.map_err(|error| *error.error)?;
                Ok(run.map(|ends| ends.into_iter().map(|end| end.outcome).collect()))
            }
            On::Ranks(ranks, cut) => {
                let mode = RunMode::whole(options.figures_only);
                Ok(distributed::run(self, numbers, mode, (ranks, cut), watch)?.map(|at| at.outcomes))
            }
        }
    }
}

impl<'m> Runnable for Restartable<'m, NetworkModel, Checkpoint> {
    type Replications = Range<u32>;
    type Outcome = Checkpoint;
    type Details = NetworkDetails;
    type Error = QueueingError;
    type Watch = dyn Watch + 'm;

    fn run(
        self,
        numbers: Range<u32>,
        on: On<'_, Partition>,
        options: NetworkOptions,
        watch: &mut Self::Watch,
    ) -> Ran<Self> {
        check(&numbers)?;
        let Self { model, from } = self;
        match on {
            On::Target(target) => Going::new(model, numbers, from, target, options)?.run(&mut WithoutSnapshots(watch)),
            On::Ranks(ranks, cut) => distributed::run(model, numbers, RunMode::restartable(from), (ranks, cut), watch),
        }
    }
}

/// On a device whose replications all have the same clock the watch gets a snapshot where it pauses the run, which goes on.
impl<'m> Runnable for Snapshotted<'m, NetworkModel, Checkpoint> {
    type Replications = Range<u32>;
    type Outcome = Checkpoint;
    type Details = NetworkDetails;
    type Error = QueueingError;
    type Watch = dyn SnapshotWatch<Stood> + 'm;

    fn run(
        self,
        numbers: Range<u32>,
        on: On<'_, Partition>,
        options: NetworkOptions,
        watch: &mut Self::Watch,
    ) -> Ran<Self> {
        check(&numbers)?;
        let (model, from) = (self.model, self.from.map(Arc::as_ref));
        match on {
            On::Target(target) => {
                let mut going = Going::new(model, numbers, from, target, options)?;
                going.shared = self.from.cloned();
                going.run(watch)
            }
            on => Restartable { model, from }.run(numbers, on, options, watch),
        }
    }
}
