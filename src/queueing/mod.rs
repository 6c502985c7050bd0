//! Queueing networks of any topology, open and closed: tokens that visit first-come first-served stations.

mod check;
pub(crate) mod checkpoint;
mod computed;
mod costs;
mod cut;
mod description;
mod error;
pub(crate) mod figures;
mod file;
mod flows;
mod generators;
pub mod gpu;
mod model;
mod multiclass;
mod outcome;
mod over;
mod parts;
mod post;
mod rank;
mod reference;
mod run;
mod several;
pub(crate) mod shard;
mod share;
mod sinks;
mod theory;
mod torus;
mod traffic;
pub mod warmup;

pub use checkpoint::{Checkpoint, run_from};
pub use costs::{Costs, CostsOf};
pub use cut::Cut;
pub use description::{Destination, Network, Observed, SinkId, Source, Station, StationId};
pub use error::{NetworkError, QueueingError};
pub use figures::Figures;
pub(crate) use file::{File, WhoseDistributions, fault_of_toml, said_of};
pub use file::{FileError, Mark, with_numbers};
pub(crate) use flows::{Cause, End, Flow, flows};
pub use generators::Topology;
pub use model::{NetworkModel, NetworkWarning};
pub use multiclass::{
    Class, ClassId, ClassOfStation, ClassRecord, Discipline, ForkRecord, Phases, Rates, Repetition, Resource,
    ResourceId, ResourceRecord, Route, Routing, Series, Shifts, Trace, UnitCosts,
};
pub use outcome::{Distributions, NetworkOutcome, SinkRecord, combined_digest, first_difference};
pub use over::{OverOptions, run_from_over, run_from_over_targets, run_over, run_over_targets};
pub use run::{NetworkDetails, NetworkOptions, run};
pub(crate) use several::MOST_TOGETHER;
pub use several::{Lot, LotError, Take, run_several};
pub use sinks::Sink;
pub(crate) use theory::{Theories, Theory, theory};
pub(crate) use torus::Torus;
