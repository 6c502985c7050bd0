//! Queueing networks: tokens that visit first-come first-served service facilities.

mod description;
mod error;
pub mod gpu;
pub mod network;
pub mod reference;
pub mod report;

pub use description::{Torus, TorusModel};
pub use error::ModelError;
