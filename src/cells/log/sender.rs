//! Puts the outputs of an instant in order.

use std::io;

use super::CellLog;
use crate::Cell;
use tickless_core::time::Time;

/// Takes outputs in the order of time, and passes them on in the order of the log.
pub(crate) struct Sender<'a> {
    log: &'a mut dyn CellLog,
    replication: u32,
    now: Time,
    cells: Vec<(u32, u32)>,
    words: Vec<u32>,
}

impl<'a> Sender<'a> {
    pub(crate) fn new(log: &'a mut dyn CellLog, replication: u32) -> Self {
        Self { log, replication, now: Time::ZERO, cells: vec![], words: vec![] }
    }

    /// An output of a cell, not earlier than the one before.
    pub(crate) fn push(&mut self, id: u32, time: Time, output: &[u32]) -> io::Result<()> {
        if time != self.now {
            self.flush()?;
            self.now = time;
        }
        // The number of the output keeps the outputs of one cell in order.
        self.cells.push((id, self.cells.len() as u32));
        self.words.extend_from_slice(output);
        Ok(())
    }

    /// Passes on the remaining outputs.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        let words = self.words.len() / self.cells.len().max(1);
        self.cells.sort_unstable();
        for &(id, place) in &self.cells {
            let output = &self.words[place as usize * words..][..words];
            self.log.sent(Cell { id, replication: self.replication }, self.now, output)?;
        }
        self.cells.clear();
        self.words.clear();
        Ok(())
    }
}
