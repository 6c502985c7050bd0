//! The vocabulary of queueing practice: classes of tokens, disciplines, priorities, patience.
//!
//! A network that uses none of it is as it always was. One that does is simulated event by event, each replication for itself.

mod check;
mod description;
mod outcome;
mod rules;

pub(super) use check::rules;
pub(super) use description::Further;
pub use description::{Class, ClassId, ClassOfStation, Discipline, Route};
pub use outcome::ClassRecord;
pub(super) use outcome::{ClassSinks, together};
pub(super) use rules::VisitRules;
pub(crate) use rules::{Order, Preemption, Rules, balks, rank};
