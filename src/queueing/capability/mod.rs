//! Which simulator of the heap and which path of a device run a network, and what refuses it: all decisions are made
//! here.

mod capacity;
mod device;
mod features;
mod heap;
mod refusals;
mod rounds;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use capacity::{room, usable_servers};
pub use device::{DevicePath, check_a_thread_each, path};
pub(crate) use device::{absent_servers, changes, changes_of_servers, check_appointments, duties, path_asked};
pub(crate) use heap::{Simulator, delays, entities};
pub(crate) use refusals::{check_approximate, check_checkpoints, check_ranks};
pub(crate) use rounds::of_rounds;
pub use table::{features, table};
