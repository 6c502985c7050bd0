//! Queueing networks of any topology, open and closed: tokens that visit first-come first-served stations.

mod batch_means;
#[doc(hidden)]
pub mod capability;
mod check;
#[doc(hidden)]
pub mod checkpoint;
mod computed;
pub mod control;
mod controlled;
mod costs;
mod describe;
mod distributed;
mod ensemble;
mod error;
#[doc(hidden)]
pub mod figures;
#[cfg(feature = "files")]
mod file;
#[doc(hidden)]
pub mod flows;
mod generators;
mod going;
pub mod gpu;
#[cfg(feature = "files")]
pub mod jmt;
mod member;
mod messages;
mod model;
mod options;
mod outcome;
mod partition;
mod parts;
mod rank;
mod reference;
mod run;
#[doc(hidden)]
pub mod shard;
mod share;
#[doc(hidden)]
pub mod theory;
mod torus;
mod traffic;
mod visits;
pub mod warmup;
mod warnings;

pub use batch_means::batch_means;
pub use checkpoint::Checkpoint;
pub use costs::CostsOf;
pub use describe::{
    Attribute, AttributeId, Class, ClassId, ClassOfStation, Costs, Destination, Discipline, Network, Observed, Phases,
    Polling, Rates, Repetition, Resource, ResourceId, Route, Routing, ServerGroup, Shifts, Sink, SinkId, Source,
    Standby, Station, StationId, TimeFactors, Trace, UnitCosts, Words,
};
pub use ensemble::Ensemble;
#[doc(hidden)]
pub use ensemble::MOST_TOGETHER;
pub use error::{BatchMeansError, FoldError, FoldedTimeError, NetworkError, QueueingError};
pub use figures::Figures;
#[cfg(feature = "files")]
#[doc(hidden)]
pub use file::{File, WhoseDistributions, fault_of_toml, said_of};
#[cfg(feature = "files")]
pub use file::{FileError, Mark, with_numbers};
#[doc(hidden)]
pub use flows::{Cause, End, Flow, flows};
pub use generators::Topology;
#[doc(hidden)]
pub use going::Stood;
#[cfg(feature = "files")]
pub use jmt::{FromJmt, JmtError, JmtMeasure, from_jmt};
pub use member::{Member, MemberError, Take};
pub use model::{NetworkModel, NetworkWarning};
pub use options::{NetworkDetails, NetworkOptions};
pub use outcome::{
    ClassRecord, Distributions, Folded, FoldedRecord, ForkRecord, GroupRecord, Left, NetworkOutcome, ResourceRecord,
    Series, SinkRecord, Visit, combined_digest, first_difference, independent,
};
pub use partition::Partition;
pub use run::{Runnable, run};
#[doc(hidden)]
pub use theory::{Theories, Theory, theory};
#[doc(hidden)]
pub use torus::Torus;
pub use visits::visits;
#[doc(hidden)]
pub use visits::{senders, splitters};

/// The crate that examples call `tickless`.
#[doc(hidden)]
pub mod facade {
    pub use crate as queueing;
    pub use tickless_core::{archive, heap, memory, random, ranks, run, statistics, time};
    pub use tickless_device as device;
    pub use tickless_engine::{self as engine, pending};
    pub use tickless_kernels as kernels;
}
