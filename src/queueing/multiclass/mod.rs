//! The vocabulary of queueing practice: classes of tokens, disciplines, priorities, patience.
//!
//! A network that uses none of it is as it always was. One that does is simulated event by event, each replication for itself.

mod check;
mod description;
mod intensity;
mod limits;
mod of_class;
mod outcome;
mod phases;
mod reason;
mod resources;
mod routing;
mod rules;
mod series;
mod shifts;
mod simple;
mod sources;
mod stations;
mod trace;
mod ways;
mod window;

pub(super) use check::rules;
pub(super) use description::Further;
pub use description::{Class, ClassId, Discipline, Repetition, Route};
pub use intensity::Rates;
pub(crate) use intensity::{Intensity, Standing, Step};
pub use of_class::ClassOfStation;
pub use outcome::{ClassRecord, ForkRecord};
pub(super) use outcome::{ClassSinks, together};
pub use phases::Phases;
pub(crate) use phases::{Chain, Standing as PhaseStanding};
pub use resources::{Resource, ResourceId, ResourceRecord, UnitCosts};
#[cfg(feature = "files")]
pub(crate) use routing::ROUTINGS;
pub use routing::Routing;
pub use rules::VisitRules;
pub(crate) use rules::{
    Edge, GoingOn, Need, Order, Preemption, ResourceRules, Rules, SourceRules, StationRules, WEIGHT, balks, rank,
};
pub use series::Series;
pub(super) use series::{step_of, times};
pub(crate) use shifts::ShiftSchedule;
pub use shifts::Shifts;
pub(crate) use trace::Coming;
pub use trace::Trace;
pub(crate) use window::widen;
