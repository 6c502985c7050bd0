//! One rank of a run of cells over several: its band, in rounds with those of the others.
//!
//! What a cell sends counts at once for the cells that hear it. So a round ends before the first event of any cell that another
//! rank hears: up to there each rank goes on by itself. At that time all of them are in one cycle together: what imminent cells
//! send is exchanged, and then all cells that are imminent or hear one have their transitions.

use std::time::Duration;

use super::Band;
use super::post::{self, Message};
use crate::cells::log::{LogError, Sender};
use crate::cells::reference::Simulation;
use crate::cells::{CellError, CellModel};
use crate::heap::Handler;
use crate::ranks::{Mail, Part, windows};
use crate::time::Time;

/// A band at work, and the log that it writes.
pub(super) struct Rank<'a, M> {
    pub(super) simulation: Simulation<'a, M, Band<'a>>,
    pub(super) words: usize,
    pub(super) log: Option<Sender<'a>>,
    /// What own cells have sent in this round.
    pub(super) sent: Vec<u64>,
}

impl<M: CellModel> Rank<'_, M> {
    /// Writes what all ranks have sent in a round, in the order of time.
    fn write(&mut self, mut sent: Vec<(Time, Message)>) -> Result<(), CellError> {
        let Some(log) = &mut self.log else { return Ok(()) };
        sent.sort_by_key(|(time, _)| *time);
        for (time, message) in sent {
            log.push(message.cell, time, message.output()).map_err(LogError::Write)?;
        }
        Ok(())
    }
}

impl<M: CellModel> Part for Rank<'_, M> {
    type Error = CellError;

    const ROUND: Option<Duration> = Some(windows::ROUND);

    const INSTANTS: bool = true;

    fn next(&mut self) -> Time {
        self.simulation.next()
    }

    /// What another rank hears is sent by a cell that plans that already, or by one that hears this rank's next event at the
    /// earliest.
    fn promise(&mut self, next: Time) -> Time {
        if !self.simulation.area.is_heard() {
            return Time::NEVER;
        }
        let [lookahead, _] = self.simulation.times();
        let border = self.simulation.first_of(|simulation| &mut simulation.area.border);
        windows::ahead(next, lookahead).min(border)
    }

    fn mail(&mut self) -> Option<&mut Mail> {
        Some(&mut self.simulation.area.mail)
    }

    fn deliver(&mut self) -> Result<u64, CellError> {
        let mut mail = std::mem::take(&mut self.simulation.area.mail);
        let mut sent = vec![];
        let mut take = |list: &[u64]| {
            for message in post::messages(list, self.words) {
                match message.time {
                    Some(time) => sent.push((time, message)),
                    None => {
                        let cell = self.simulation.area.find(message.cell);
                        self.simulation.hear(cell, message.output());
                    }
                }
            }
        };
        take(&std::mem::take(&mut self.sent));
        mail.take(take);
        self.simulation.area.mail = mail;
        self.write(sent)?;
        let Band { bound, waits, .. } = &mut self.simulation.area;
        let now = *bound;
        if std::mem::take(waits) { self.simulation.change_all(now) } else { Ok(0) }
    }

    fn advance(&mut self, bound: Time) -> Result<u64, CellError> {
        let [_, until] = self.simulation.times();
        self.simulation.area.bound = bound;
        let mut events = 0;
        loop {
            let now = self.simulation.next();
            if now >= bound {
                break;
            }
            events += self.simulation.handle(now)?;
        }
        if bound < until {
            self.simulation.send_all(bound)?;
            self.simulation.area.waits = true;
        }
        self.sent = self.simulation.area.post_log();
        Ok(events)
    }

    fn stands_still(&self) -> Option<CellError> {
        self.simulation.stands_still()
    }
}
