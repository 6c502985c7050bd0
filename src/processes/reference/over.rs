//! Logical processes over ranks: each has a block of them, and sends what goes to another block as words.

use std::ops::Range;
use std::time::Instant;

use super::entry::{Bits, Entry, Packed, Wide};
use super::{Announced, Simulation};
use crate::processes::parts::{self, Wanted};
use crate::processes::{Blocks, Checkpoint, Message, Payload, ProcessDetails, ProcessError, ProcessModel};
use crate::ranks::{Failure, Mail, Part, Transport, agree, tally, windows};
use crate::run::{Asking, Run, Watch};
use crate::time::Time;

/// Where processes of other ranks are.
#[derive(Default)]
pub(super) struct Abroad {
    blocks: Blocks,
    mail: Mail,
}

/// Words of a message: time, destination and source, sequence and the first word of the payload, the rest of the payload.
const fn words<P: Payload>() -> usize {
    if P::WORDS > 1 { 4 } else { 3 }
}

fn pair(high: u32, low: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

fn pack<P: Payload>(message: &Message<P>) -> [u64; 4] {
    let &Message { time, destination, source, sequence, ref payload } = message;
    let word = |place: usize| payload.as_ref().get(place).copied().unwrap_or(0);
    [time.ticks(), pair(destination, source), pair(sequence, word(0)), pair(word(1), word(2))]
}

fn unpack<P: Payload>(words: &[u64]) -> Message<P> {
    let halves = |place: usize| {
        let word = words.get(place).copied().unwrap_or(0);
        ((word >> 32) as u32, word as u32)
    };
    let ((destination, source), (sequence, first), (second, third)) = (halves(1), halves(2), halves(3));
    let mut payload = P::ZERO;
    payload.as_mut().copy_from_slice(&[first, second, third][..P::WORDS]);
    Message { time: Time::from_ticks(words[0]), destination, source, sequence, payload }
}

impl Abroad {
    /// Leaves a message for the rank that has its destination.
    #[cold]
    pub(super) fn post<P: Payload>(&mut self, message: &Message<P>) {
        let rank = self.blocks.rank_of(message.destination);
        self.mail.send(rank, &pack(message)[..words::<P>()]);
    }
}

impl<M: ProcessModel, E: Entry<M::Payload>> Part for Simulation<'_, M, E, true> {
    fn lookahead(&self) -> Time {
        if self.agenda.abroad.mail.to().is_empty() { Time::NEVER } else { self.agenda.lookahead }
    }

    fn mail(&mut self) -> Option<&mut Mail> {
        Some(&mut self.agenda.abroad.mail).filter(|mail| !mail.to().is_empty())
    }

    fn deliver(&mut self) {
        let mut mail = std::mem::take(&mut self.agenda.abroad.mail);
        mail.take(|list| {
            list.chunks_exact(words::<M::Payload>()).for_each(|words| self.agenda.push(unpack(words)));
        });
        self.agenda.abroad.mail = mail;
    }
}

/// Runs a model over ranks, of which this is one; what there is at the end, on rank 0.
pub(in crate::processes) fn simulate<M: ProcessModel>(
    model: &M,
    blocks: &Blocks,
    (from, wanted): (Option<&Checkpoint>, Wanted),
    transport: &mut dyn Transport,
    watch: &mut dyn Watch,
) -> Result<Option<Run<Checkpoint, ProcessDetails>>, Failure<ProcessError>> {
    let course = (from, wanted);
    match Bits::new(model.processes(), model.until()) {
        Some(bits) if M::Payload::WORDS == 0 => simulate_in::<M, Packed>(model, bits, blocks, course, transport, watch),
        _ => simulate_in::<M, Wide<M::Payload>>(model, (), blocks, course, transport, watch),
    }
}

fn simulate_in<M: ProcessModel, E: Entry<M::Payload>>(
    model: &M,
    layout: E::Layout,
    blocks: &Blocks,
    (from, wanted): (Option<&Checkpoint>, Wanted),
    transport: &mut dyn Transport,
    watch: &mut dyn Watch,
) -> Result<Option<Run<Checkpoint, ProcessDetails>>, Failure<ProcessError>> {
    let begin = Instant::now();
    let (rank, ranks) = (transport.rank(), transport.ranks());
    let block: Range<u32> = blocks.block(rank);
    let abroad = Abroad { blocks: blocks.clone(), mail: Mail::with_all(rank, ranks) };
    let own = (block.clone(), abroad);
    let begun = Simulation::<M, E, true>::begin(model, layout, Announced::ANYTHING, own, from, &mut Asking::new(watch));
    let mut simulation = agree(transport, begun)?;
    let states = same_states(&simulation, transport)?;
    agree(transport, states)?;
    let setup = begin.elapsed();
    let summary = windows::run(&mut simulation, [Time::ZERO, model.until()], transport, watch)?;
    let [events, sent_abroad] = tally(transport, [summary.events, simulation.agenda.remote])?;
    let own = (|| {
        let streams = if wanted == Wanted::Checkpoint { simulation.streams()? } else { vec![] };
        Ok(Checkpoint { streams, outcome: simulation.outcome(summary.clock)?, remote: None })
    })();
    let own = agree(transport, own)?;
    let whole = parts::gather(own, (block.start, wanted), transport)?;
    // Where a device ran before, nobody has counted them.
    let remote = from.map_or(Some(0), |from| from.remote).map(|before| before + sent_abroad);
    Ok(whole.map(|whole| Run {
        details: ProcessDetails { remote, ..ProcessDetails::default() },
        outcome: Checkpoint { remote, ..whole },
        events,
        rounds: Some(summary.rounds),
        clock: summary.clock,
        wall: summary.wall,
        device: None,
        setup,
        timings: Vec::new(),
        interrupted: summary.interrupted,
        threads: None,
    }))
}

/// Refuses states of a length of which those of process 0 are not: a rank knows that of its own processes alone.
fn same_states<M: ProcessModel, E: Entry<M::Payload>>(
    simulation: &Simulation<'_, M, E, true>,
    transport: &mut dyn Transport,
) -> Result<Result<(), ProcessError>, Failure<ProcessError>> {
    let words = simulation.processes.first().map_or(0, |process| process.state.as_ref().len());
    let process = simulation.agenda.first;
    let of_first = if transport.rank() == 0 { words as u64 } else { u64::MAX };
    let expected = transport.least(of_first)? as usize;
    Ok(if words == expected { Ok(()) } else { Err(ProcessError::State { process, words, expected }) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comes_out<P: Payload>(payload: P) {
        let message = Message {
            time: Time::from_ticks(u64::MAX - 1),
            destination: u32::MAX,
            source: 7,
            sequence: u32::MAX - 2,
            payload,
        };
        assert_eq!(unpack::<P>(&pack(&message)[..words::<P>()]), message);
    }

    #[test]
    fn what_goes_in_comes_out() {
        comes_out([]);
        comes_out([u32::MAX]);
        comes_out([1, u32::MAX]);
        comes_out([u32::MAX, 2, 3]);
    }
}
