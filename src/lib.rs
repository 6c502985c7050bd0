//! tickless: a discrete-event simulator that runs on any GPU, with the same bits as a sequential event list.

pub mod cli;
pub mod device;
pub mod engine;
pub mod heap;
pub mod queueing;
pub mod random;
pub mod run;
pub mod statistics;
pub mod time;

mod error;

pub use error::RunError;
