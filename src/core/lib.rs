//! What every model of [tickless](https://docs.rs/tickless) shares: time, random streams, event lists, what runs give back, records of
//! stations, archives. Programs use it through `tickless`.

pub mod archive;
pub mod heap;
pub mod memory;
pub mod number;
#[cfg(feature = "pictures")]
pub mod picture;
pub mod random;
pub mod ranks;
pub mod reading;
pub mod run;
pub mod statistics;
pub mod time;

/// What examples of this crate call `tickless`.
#[doc(hidden)]
pub mod facade {
    pub use crate::{archive, heap, memory, random, ranks, run, statistics, time};
}
