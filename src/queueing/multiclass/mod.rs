//! The vocabulary of queueing practice: classes of tokens, disciplines, priorities, patience.
//!
//! A network that uses none of it is as it always was. One that does is simulated event by event, each replication for itself.

mod check;
mod description;
mod intensity;
mod outcome;
mod resources;
mod routing;
mod rules;
mod series;
mod shifts;

pub(super) use check::rules;
pub(super) use description::Further;
pub use description::{Class, ClassId, ClassOfStation, Discipline, Repetition, Route};
pub use intensity::Rates;
pub(crate) use intensity::{Intensity, Standing};
pub use outcome::{ClassRecord, ForkRecord};
pub(super) use outcome::{ClassSinks, together};
pub(super) use resources::Resource;
pub use resources::{ResourceId, ResourceRecord};
pub use routing::Routing;
pub(super) use rules::VisitRules;
pub(crate) use rules::{Need, Order, Preemption, Rules, SourceRules, StationRules, balks, rank};
pub use series::Series;
pub(super) use series::{step_of, times};
pub(crate) use shifts::Roster;
pub use shifts::Shifts;
