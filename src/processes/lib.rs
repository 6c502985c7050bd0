//! Logical processes that send each other messages, PHOLD among them.
//!
//! An event is a message to one process, at a time; the process executes it, changes its own state and sends further
//! messages, none sooner than a lookahead from now. Processes know of each other through messages alone.
//!
//! | item | what it is |
//! |---|---|
//! | [`Phold`], [`PholdModel`] | the benchmark, as described and as checked |
//! | [`ProcessModel`] | a model of your own |
//! | [`gpu`] | runs PHOLD, and models with kernels of their own, on a device |
//! | [`run`](fn@run) | runs them on one heap, a device or several ranks, and goes on from a [`Checkpoint`] |
//! | [`Outcome`], [`ProcessDetails`] | what a [`Run`](tickless_core::run::Run) gives back: records, digest, figures; what only processes say |

mod checkpoint;
mod digest;
mod distributed;
mod error;
pub mod gpu;
mod messages;
mod model;
mod outcome;
mod parts;
mod phold;
mod rank;
mod ready;
mod reference;
mod run;

pub use checkpoint::Checkpoint;
pub use distributed::Blocks;
pub use error::{PholdError, ProcessError};
pub use model::{Message, Outbox, Payload, ProcessModel};
pub use outcome::{AddedUp, Outcome, PendingMessage, ProcessDetails, ProcessRecord, ProcessStatistics, Totals};
#[doc(hidden)]
pub use phold::MOST_EVENTS;
pub use phold::{Phold, PholdModel, Remote};
#[doc(hidden)]
pub use run::Stood;
pub use run::{Runnable, run};

#[cfg(test)]
mod tests;

/// The name `tickless` for the examples of this crate.
#[doc(hidden)]
pub mod facade {
    pub use crate as processes;
    pub use tickless_core::{archive, heap, memory, random, ranks, run, statistics, time};
    pub use tickless_device as device;
    pub use tickless_engine::{self as engine, pending};
    pub use tickless_kernels as kernels;
}
