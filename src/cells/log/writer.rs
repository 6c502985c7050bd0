//! Writes a log.

use std::io::{self, Write};

use super::{CellLog, LogHead, MAGIC};
use crate::Cell;
use tickless_core::time::Time;

/// Bytes that are written at once.
const CHUNK: usize = 1 << 16;

/// Writes the outputs of a run as they come: a few bytes each.
///
/// ```
/// # use tickless_cells::facade as tickless;
/// use tickless::{cells::{Cell, log::{CellLog, LogHead, LogReader, LogWriter}}, time::Time};
/// let head = LogHead { model: "spark".into(), size: [9, 9, 1], layers: 1, replications: 1, words: vec![] };
/// let mut log = LogWriter::new(vec![], &head)?;
/// log.sent(Cell { id: 40, replication: 0 }, Time::UNIT, &[])?;
/// let bytes = log.finish()?;
/// let entries: Result<Vec<_>, _> = LogReader::new(&bytes[..])?.collect();
/// assert_eq!(entries?[0].cell, Cell { id: 40, replication: 0 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LogWriter<W> {
    out: W,
    bytes: Vec<u8>,
    words: usize,
    replication: u32,
    now: Time,
    before: u32,
}

impl<W: Write> LogWriter<W> {
    /// Writes the head.
    ///
    /// # Errors
    /// The writer's error.
    pub fn new(out: W, head: &LogHead) -> io::Result<Self> {
        let mut bytes = MAGIC.to_vec();
        serde_json::to_writer(&mut bytes, head)?;
        bytes.push(b'\n');
        Ok(Self { out, bytes, words: head.words.len(), replication: 0, now: Time::ZERO, before: 0 })
    }

    /// Ends the log of a run that has come to its end or was interrupted.
    ///
    /// # Errors
    /// The writer's error.
    pub fn finish(mut self) -> io::Result<W> {
        self.bytes.extend([0, 0]);
        self.out.write_all(&self.bytes)?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn number(&mut self, mut number: u64) {
        while number >= 1 << 7 {
            self.bytes.push(number as u8 | 1 << 7);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }
}

impl<W: Write + Send> CellLog for LogWriter<W> {
    fn sent(&mut self, cell: Cell, time: Time, output: &[u32]) -> io::Result<()> {
        if output.len() != self.words {
            let what = format!("an output has {} words, and the head of the log names {}", output.len(), self.words);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        while self.replication < cell.replication {
            self.bytes.extend([0, 0]);
            self.replication += 1;
            (self.now, self.before) = (Time::ZERO, 0);
        }
        if self.now < time {
            self.bytes.push(0);
            self.number(time.ticks() - self.now.ticks());
            (self.now, self.before) = (time, 0);
        }
        debug_assert!(self.replication == cell.replication && self.now == time && self.before <= cell.id);
        self.number(u64::from(cell.id - self.before) + 1);
        self.before = cell.id;
        output.iter().for_each(|&word| self.number(word.into()));
        if self.bytes.len() >= CHUNK {
            self.out.write_all(&self.bytes)?;
            self.bytes.clear();
        }
        Ok(())
    }
}
