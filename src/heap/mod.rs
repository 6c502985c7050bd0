//! The sequential simulator: a future event list and the loop that takes events from it one at a time.
//!
//! It knows nothing of any model, of rounds or of devices.

mod event_list;
mod executive;
mod implicit_heap;
mod tournament;

pub use event_list::{Event, EventList};
pub use executive::{Handler, Instants, Summary, execute, execute_instants};
pub use tournament::{Tournament, Word};
