//! Logical processes on devices: the bits of the sequential simulator, whatever the set of pending events and however
//! rounds are cut up.

#[path = "../adapter/mod.rs"]
mod adapter;
mod alone;
mod checkpoints;
mod endless;
mod global;
mod growth;
mod laws;
mod lost_device;
mod own;
mod phold;
mod unsorted;
mod words;
