//! The log of a run of cells: every output of every cell, with its time. It is written during the run, as a compact
//! binary file that [`LogReader`] reads again.
//!
//! The file is a line `tickless cells log 1`, a line of JSON ([`LogHead`]), and then numbers of 7 bits a byte, the lowest
//! first, the eighth bit set in all bytes but the last. A number above 0 is an output: 1 + the cell's number less that of the
//! cell before it in this instant (0 before the first), followed by the words of the output. 0 and a number above 0: time
//! advances by so many ticks. 0 and 0: the end of a replication.

mod error;
mod head;
mod reader;
mod sender;
mod writer;

use std::io;

use super::Cell;
use tickless_core::time::Time;

pub use error::LogError;
#[doc(hidden)]
pub use head::{LogHead, LogWord, Meaning};
pub use reader::{LogEntry, LogReader};
pub(super) use sender::Sender;
pub use writer::LogWriter;

/// The first line of a log.
const MAGIC: &[u8] = b"tickless cells log 1\n";

/// Takes the outputs of a run, in the same order from every backend: by replication, time and cell; outputs of one cell at
/// one time come in their order.
///
/// ```
/// use tickless::cells::{self, Cell, Watershed, gpu::CellOptions, log::CellLog};
/// use tickless::{device::Target, run::unwatched, time::Time};
///
/// /// Counts what is sent.
/// struct Count(u64);
///
/// impl CellLog for Count {
///     fn sent(&mut self, _: Cell, _: Time, _: &[u32]) -> std::io::Result<()> {
///         self.0 += 1;
///         Ok(())
///     }
/// }
///
/// let model = Watershed::new(2, 1, vec![1.0, 0.0]).until(100.0).check()?;
/// let mut count = Count(0);
/// let options = CellOptions { log: Some(&mut count), ..Default::default() };
/// let run = cells::run(&model, 0..1, Target::Heap, options, &mut unwatched())?;
/// assert!(count.0 > 0 && count.0 <= run.outcome.imminent);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait CellLog: Send {
    /// A cell has sent an output.
    ///
    /// # Errors
    /// Whatever ends the run.
    fn sent(&mut self, cell: Cell, time: Time, output: &[u32]) -> io::Result<()>;
}

impl<L: CellLog + ?Sized> CellLog for &mut L {
    fn sent(&mut self, cell: Cell, time: Time, output: &[u32]) -> io::Result<()> {
        (**self).sent(cell, time, output)
    }
}

#[cfg(test)]
mod tests;
