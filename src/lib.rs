//! A discrete-event simulator that runs on any GPU, with the same bits as a sequential event list.
//!
//! A model runs in conservative rounds on a device, or one event at a time on the heap, a replication on each core
//! ([`device::Target`]). Both give the same records, bit for bit: one model and one seed give one sample path, whatever the
//! adapter, the batch size or the workgroup size. The [`contract`] says what that path is.
//!
//! ```
//! use tickless::queueing::{self, Network, Station, Topology, combined_digest};
//! use tickless::{device::Target, run::unwatched};
//!
//! // A torus of 32 x 32 stations with one token each, exponential service of mean 10, a window of 1, until time 200.
//! let each = Station::new("s", "exponential:10".parse()?).tokens(1);
//! let torus = Network::generate(&Topology::Torus { width: 32, height: 32 }, &each, 0.0)?;
//! let model = torus.window(1.0).until(200.0).check()?;
//! let run = queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
//! let figures = run.outcome[0].stations.statistics();
//! assert_eq!(figures.tokens_present, 1024);
//! assert!((figures.mean_busy - 0.55).abs() < 0.05);
//! println!("{} completions, digest {}", figures.completions, combined_digest(&run.outcome));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! On a device it is the same description, and the same digest:
//!
//! ```no_run
//! # use tickless::queueing::{self, NetworkModel, QueueingError};
//! # use tickless::{device::Target, run::unwatched};
//! # fn run(model: NetworkModel) -> Result<(), QueueingError> {
//! use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice};
//!
//! let device = WgpuDevice::open(&Selection::Auto, OpenOptions::default())?;
//! let run = queueing::run(&model, 0..1, Target::Device(&device), Default::default(), &mut unwatched())?;
//! println!("{:.1} M events/s", run.events_per_second() / 1e6);
//! # Ok(())
//! # }
//! ```
//!
//! # Modules
//!
//! | module | what it has |
//! |---|---|
//! | [`queueing`] | queueing networks of any topology, open and closed |
//! | [`processes`] | logical processes: PHOLD, and models of your own |
//! | [`cells`] | cell spaces: fires, watersheds, rule files, and models of your own |
//! | [`pathfinding`] | many A* searches on one grid |
//! | [`run`] | what a run gives back; progress and cancellation |
//! | [`ranks`] | one large run over several threads or processes |
//! | [`statistics`] | the record of every facility, the network's figures, the digest |
//! | [`time`], [`random`] | 64-bit times, streams and integer variates |
//! | [`engine`] | how rounds are cut up |
//! | [`pending`] | sets of pending events on a device |
//! | [`memory`] | what there is not enough of: memory |
//! | [`device`] | programs as data, and [`device::wgpu`], which executes them |
//!
//! What is hidden here (programs and rounds, the linker, the command) is public for tests and benchmarks
//! alone, and no part of the interface.
//!
//! No function panics on what a caller passes: errors are those of the room, such as [`queueing::NetworkError`] before a run and
//! [`queueing::QueueingError`] during it, and each says what to do. [`RunError`] takes all of them. The number of a station, a cell or
//! the like of which a model or an outcome is asked is an index: beyond the last one there is a panic.

pub use tickless_core::{heap, memory, random, ranks, run, statistics, time};
pub use tickless_device as device;
pub use tickless_engine as engine;
pub use tickless_engine::pending;
pub use tickless_error::RunError;
#[cfg(feature = "command")]
#[doc(hidden)]
pub use tickless_experiments as experiments;
pub use tickless_kernels as kernels;
pub use tickless_pathfinding as pathfinding;
pub use tickless_processes as processes;
pub use tickless_queueing as queueing;

/// Cell spaces: fires, watersheds, rule files, and models of your own.
pub mod cells {
    pub use tickless_cdpp as rules;
    pub use tickless_cells::*;
    #[cfg(feature = "fire")]
    pub use tickless_fire as fire;
    #[cfg(feature = "fire")]
    pub use tickless_fire::watershed::{UNITS, Watershed, WatershedError, WatershedModel};
}

#[cfg(feature = "command")]
#[doc(hidden)]
pub use tickless_command as cli;

#[doc = include_str!("../docs/semantics.md")]
pub mod contract {}
