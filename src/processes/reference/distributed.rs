//! Logical processes over ranks: each rank has a block of them, and sends messages to other blocks as words.

use super::entry::{Bits, Entry, Packed, Wide};
use super::{Announced, Simulation};
use crate::messages::{pack, unpack, words};
use crate::rank::{self, Block};
use crate::{Blocks, Checkpoint, Message, Payload, ProcessDetails, ProcessError, ProcessModel};
use tickless_core::ranks::{Failure, HeapPart, Mail, Transport};
use tickless_core::run::{Asking, Run, RunMode, Wanted, Watch};
use tickless_core::time::Time;

/// The ranks of the other processes.
#[derive(Default)]
pub(super) struct Abroad {
    blocks: Blocks,
    mail: Mail,
}

impl Abroad {
    /// Leaves a message for the rank of its destination.
    #[cold]
    pub(super) fn post<P: Payload>(&mut self, message: &Message<P>) {
        let rank = self.blocks.rank_of(message.destination);
        self.mail.send(rank, &pack(message)[..words(P::WORDS)]);
    }
}

impl<M: ProcessModel, E: Entry<M::Payload>> HeapPart for Simulation<'_, M, E, true> {
    fn lookahead(&self) -> Time {
        if self.agenda.abroad.mail.to().is_empty() { Time::NEVER } else { self.agenda.lookahead }
    }

    fn mail(&mut self) -> Option<&mut Mail> {
        Some(&mut self.agenda.abroad.mail).filter(|mail| !mail.to().is_empty())
    }

    fn deliver(&mut self) {
        let mut mail = std::mem::take(&mut self.agenda.abroad.mail);
        mail.take(|list| {
            list.chunks_exact(words(M::Payload::WORDS)).for_each(|words| self.agenda.push(unpack(words)));
        });
        self.agenda.abroad.mail = mail;
    }
}

impl<M: ProcessModel, E: Entry<M::Payload>> Block for Simulation<'_, M, E, true> {
    fn state_words(&self) -> usize {
        self.processes.first().map_or(0, |process| process.state.as_ref().len())
    }

    fn remote(&self) -> u64 {
        self.agenda.remote
    }

    fn end(self, clock: Time, wanted: Wanted) -> Result<Checkpoint, ProcessError> {
        let streams = if wanted == Wanted::Checkpoint { self.streams()? } else { vec![] };
        Ok(Checkpoint { streams, outcome: self.outcome(clock)?, remote: None })
    }
}

/// Runs the block of this rank; returns the whole result on rank 0.
pub fn simulate<M: ProcessModel>(
    model: &M,
    blocks: &Blocks,
    mode: RunMode<'_, Checkpoint>,
    transport: &mut dyn Transport,
    watch: &mut dyn Watch,
) -> Result<Option<Run<Checkpoint, ProcessDetails>>, Failure<ProcessError>> {
    match Bits::new(model.processes(), model.until()) {
        Some(bits) if M::Payload::WORDS == 0 => simulate_in::<M, Packed>(model, bits, blocks, mode, transport, watch),
        _ => simulate_in::<M, Wide<M::Payload>>(model, (), blocks, mode, transport, watch),
    }
}

fn simulate_in<M: ProcessModel, E: Entry<M::Payload>>(
    model: &M,
    layout: E::Layout,
    blocks: &Blocks,
    mode: RunMode<'_, Checkpoint>,
    transport: &mut dyn Transport,
    watch: &mut dyn Watch,
) -> Result<Option<Run<Checkpoint, ProcessDetails>>, Failure<ProcessError>> {
    let (rank, ranks) = (transport.rank(), transport.ranks());
    let own = blocks.block(rank);
    let begin = |watch: &mut dyn Watch| {
        let abroad = Abroad { blocks: blocks.clone(), mail: Mail::with_all(rank, ranks) };
        let own = (own.clone(), abroad);
        Simulation::<M, E, true>::begin(model, layout, Announced::ANYTHING, own, mode.from, &mut Asking::new(watch))
    };
    rank::run(begin, own.start, model.until(), mode, transport, watch)
}
