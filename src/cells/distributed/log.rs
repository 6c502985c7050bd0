//! The log of a run over ranks. Rank 0 writes it, and receives in each round the outputs of all cells.

use super::messages::{self, Message};
use crate::log::{CellLog, LogError, Sender};
use crate::replications::Replications;
use crate::{CellError, CellModel};
use tickless_core::ranks::{Failure, Mail, Transport, agree};
use tickless_core::time::Time;

/// A rank's share of the log.
pub(crate) struct RankLog<'a> {
    /// On rank 0, if there is a log.
    sender: Option<Sender<'a>>,
    /// Whether there is a log, on any rank.
    logged: bool,
    /// Words of an output.
    words: usize,
    /// Outputs of own cells that no other rank has received: in this round on rank 0, and at the end.
    own: Vec<u64>,
}

impl<'a> RankLog<'a> {
    /// Of one replication.
    pub(super) fn new(
        model: &Replications<'_, impl CellModel>,
        logged: bool,
        log: Option<&'a mut dyn CellLog>,
    ) -> Self {
        let sender = log.filter(|_| logged).map(|log| Sender::new(log, model.first()));
        Self { sender, logged, words: model.output_words(), own: vec![] }
    }

    /// Whether outputs of cells are wanted here.
    pub(crate) fn is_wanted(&self) -> bool {
        self.logged
    }

    /// Leaves the outputs of own cells in this round for rank 0.
    pub(crate) fn post(&mut self, mail: &mut Mail, sent: &mut Vec<u64>) {
        if self.sender.is_some() {
            self.own.append(sent);
        } else {
            mail.send(0, sent);
            sent.clear();
        }
    }

    /// Takes in the messages received: outputs for cells go to a function, the others into the log, in the order of
    /// time.
    ///
    /// # Errors
    /// A log that cannot be written.
    pub(crate) fn take(&mut self, mail: &mut Mail, mut hear: impl FnMut(&Message)) -> Result<(), CellError> {
        let (mut sent, words) = (vec![], self.words);
        let mut take = |list: &[u64]| {
            for message in messages::messages(list, words) {
                match message.time {
                    Some(time) => sent.push((time, message)),
                    None => hear(&message),
                }
            }
        };
        take(&std::mem::take(&mut self.own));
        mail.take(take);
        self.write(sent)
    }

    /// Outputs of one cell keep their order.
    fn write(&mut self, mut sent: Vec<(Time, Message)>) -> Result<(), CellError> {
        let Some(log) = &mut self.sender else { return Ok(()) };
        sent.sort_by_key(|(time, _)| *time);
        for (time, message) in sent {
            log.push(message.cell, time, message.output()).map_err(LogError::Write)?;
        }
        Ok(())
    }

    /// Writes the remaining outputs of all ranks. All ranks call this together.
    ///
    /// # Errors
    /// A log that cannot be written.
    pub(crate) fn finish(mut self, transport: &mut dyn Transport) -> Result<(), Failure<CellError>> {
        if !self.logged {
            return Ok(());
        }
        let all = transport.gather(std::mem::take(&mut self.own))?;
        let (words, timed) = (self.words, |message: Message| Some((message.time?, message)));
        let sent = all.iter().flat_map(|list| messages::messages(list, words)).filter_map(timed).collect();
        let written = self.write(sent).and_then(|()| {
            let flushed = self.sender.as_mut().map_or(Ok(()), Sender::flush);
            Ok(flushed.map_err(LogError::Write)?)
        });
        agree(transport, written)
    }
}
