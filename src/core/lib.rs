//! The base of every model of [tickless](https://docs.rs/tickless): time, random streams, event lists, the results of runs, records of
//! stations, archives. Programs use it through `tickless`.

pub mod archive;
#[cfg(feature = "parquet")]
#[doc(hidden)]
pub mod columns;
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

/// The name `tickless` for the examples of this crate.
#[doc(hidden)]
pub mod facade {
    pub use crate::{archive, heap, memory, random, ranks, run, statistics, time};
}
