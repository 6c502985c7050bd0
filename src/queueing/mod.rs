//! Queueing networks: tokens that visit first-come first-served service facilities.

mod description;
mod error;
pub mod gpu;
pub mod network;
mod reference;
mod run;

pub use description::{Torus, TorusModel};
pub use error::{ModelError, QueueingError};
pub use run::{NetworkDetails, NetworkOptions, run};
