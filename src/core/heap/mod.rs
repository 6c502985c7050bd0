//! The sequential simulator: a future event list and the loop that takes events from it one at a time.
//!
//! This room knows nothing of models, rounds or devices.

mod bucket_list;
mod event_list;
mod executive;
mod implicit_heap;
mod key;
mod tournament;

pub use bucket_list::BucketList;
pub use event_list::{Event, EventList};
pub use executive::{Handler, Summary, execute};
pub use key::Key;
pub use tournament::{Tournament, Word};
