//! A block of a model's processes on the device of one rank.

use std::ops::Range;
use std::time::Duration;

use rayon::prelude::*;

use super::DeviceModel;
use super::border::{Border, BorderStatus};
use super::options::ProcessOptions;
use super::simulation::Simulation;
use super::{state, streams, totals};
use crate::post::{self, MOST_WORDS};
use crate::rank::{self, Block, Course};
use crate::{Blocks, Checkpoint, ProcessDetails, ProcessError};
use tickless_core::ranks::{Failure, Mail, Part, Transport, Wanted, windows};
use tickless_core::run::{Run, Watch, unwatched};
use tickless_core::time::Time;
use tickless_device::Device;
use tickless_engine::DeviceRun;
use tickless_engine::pending::PendingSet;

/// Messages that one thread sorts by rank, and takes in, before others have some too.
const PART: usize = 1 << 14;

/// A model of these processes alone, and where they are in the whole one.
///
/// # Errors
/// [`ProcessError::NotOverRanks`].
pub(super) fn block_of(
    model: &DeviceModel,
    block: Range<u32>,
    options: &ProcessOptions,
) -> Result<(DeviceModel, Border), ProcessError> {
    if matches!(options.pending, PendingSet::Unsorted | PendingSet::GlobalHeap) {
        return Err(ProcessError::NotOverRanks { set: options.pending });
    }
    let border = Border { first: block.start, all: model.processes };
    Ok((DeviceModel { processes: block.len() as u32, ..model.clone() }, border))
}

/// Runs the block of this rank; what there is of all at the end, on rank 0.
pub fn simulate(
    model: &DeviceModel,
    device: &dyn Device,
    options: &ProcessOptions,
    blocks: &Blocks,
    course: Course<'_>,
    transport: &mut dyn Transport,
    watch: &mut dyn Watch,
) -> Result<Option<Run<Checkpoint, ProcessDetails>>, Failure<ProcessError>> {
    let (rank, ranks) = (transport.rank(), transport.ranks());
    let block = blocks.block(rank);
    let (own, until) = (block_of(model, block.clone(), options), model.until);
    let own = own.as_ref().map_err(|_| ProcessError::NotOverRanks { set: options.pending });
    let begin = |watch: &mut dyn Watch| {
        let (own, border) = own?;
        super::check(model, course.from)?;
        let simulation = match course.from {
            None => Simulation::start(own, device, options, Some(*border), watch)?,
            Some(from) => Simulation::start_from(&from.of(block.clone()), own, device, options, Some(*border), watch)?,
        };
        DeviceBlock::begin(simulation, blocks.clone(), Mail::with_all(rank, ranks))
    };
    rank::run(begin, block.start, until, course, transport, watch)
}

/// A block at work.
struct DeviceBlock<'a> {
    simulation: Simulation<'a>,
    blocks: Blocks,
    mail: Mail,
    /// What has come and is not yet on the device, and when the first of it arrives.
    imports: Vec<[u64; MOST_WORDS]>,
    first_import: Time,
}

impl<'a> DeviceBlock<'a> {
    fn begin(mut simulation: Simulation<'a>, blocks: Blocks, mail: Mail) -> Result<Self, ProcessError> {
        simulation.rounds.by_short_phases();
        let mut block = Self { simulation, blocks, mail, imports: vec![], first_import: Time::NEVER };
        // It finds out when the first event is.
        block.run_until(Time::ZERO)?;
        Ok(block)
    }

    /// Words of a message between ranks.
    fn words(&self) -> usize {
        post::words(self.simulation.model.payload_words)
    }

    /// Executes every event before a time, however often there must be more room for that.
    fn run_until(&mut self, limit: Time) -> Result<(), ProcessError> {
        self.simulation.run_until(limit, &mut unwatched())?;
        Ok(())
    }

    /// Takes what has come into the sets of its processes, as much at once as there is room for beside the outboxes.
    fn take_in(&mut self) -> Result<(), ProcessError> {
        let imports = std::mem::take(&mut self.imports);
        self.first_import = Time::NEVER;
        let (begin, room) = self.simulation.border();
        for (number, part) in imports.chunks(room).enumerate() {
            if number > 0 {
                // What has come before is in a set, or waits for one that has grown: then its place is free.
                self.run_until(self.simulation.rounds.clock())?;
            }
            let rounds = &mut self.simulation.rounds;
            rounds.write("messages", begin, part)?;
            rounds.set_model_status(&BorderStatus { imports: part.len() as u32, ..BorderStatus::default() })?;
            rounds.run_last()?;
        }
        // With its memory.
        self.imports = imports;
        self.imports.clear();
        Ok(())
    }

    /// Leaves in the mail what goes to other ranks.
    fn send(&mut self) {
        let (words, blocks, mail) = (self.words(), &self.blocks, &mut self.mail);
        let sorted = |messages: &[[u64; MOST_WORDS]]| {
            let mut lists = vec![vec![]; blocks.count()];
            for message in messages {
                lists[blocks.rank_of(post::destination(message)) as usize].extend_from_slice(&message[..words]);
            }
            lists
        };
        let exports = self.simulation.exports();
        // One thread would take longer than the device takes for the round.
        let parts: Vec<_> = match exports.len() {
            ..=PART => vec![sorted(exports)],
            _ => exports.par_chunks(PART).map(sorted).collect(),
        };
        for (rank, list) in parts.iter().flat_map(|lists| (0..).zip(lists)) {
            mail.send(rank, list);
        }
    }
}

impl Part for DeviceBlock<'_> {
    type Error = ProcessError;

    const ROUND: Option<Duration> = None;

    fn next(&mut self) -> Time {
        // The last round that was submitted has found nothing before the limit.
        Time::from_ticks(self.simulation.rounds.control().minimum).min(self.first_import)
    }

    fn promise(&mut self, next: Time) -> Time {
        windows::ahead(next, self.simulation.model.lookahead)
    }

    fn mail(&mut self) -> Option<&mut Mail> {
        Some(&mut self.mail)
    }

    fn deliver(&mut self) -> Result<u64, ProcessError> {
        let words = self.words();
        let (imports, first) = (&mut self.imports, &mut self.first_import);
        self.mail.take(|list| {
            let whole = |message: &[u64]| std::array::from_fn(|place| message.get(place).copied().unwrap_or(0));
            let least = if list.len() <= PART * MOST_WORDS {
                imports.extend(list.chunks_exact(words).map(whole));
                list.chunks_exact(words).map(post::time).min()
            } else {
                imports.par_extend(list.par_chunks_exact(words).map(whole));
                list.par_chunks_exact(words).map(post::time).min()
            };
            *first = least.unwrap_or(Time::NEVER).min(*first);
        });
        Ok(0)
    }

    fn advance(&mut self, bound: Time) -> Result<u64, ProcessError> {
        if self.next() >= bound {
            return Ok(0);
        }
        let before = self.simulation.rounds.control().events;
        if !self.imports.is_empty() {
            self.take_in()?;
        }
        self.run_until(bound)?;
        self.send();
        Ok(self.simulation.rounds.control().events - before)
    }
}

impl Block for DeviceBlock<'_> {
    fn state_words(&self) -> usize {
        self.simulation.model.state_words as usize
    }

    fn remote(&self) -> Option<u64> {
        None
    }

    fn device(&self) -> Option<Duration> {
        self.simulation.rounds.device()
    }

    fn end(mut self, clock: Time, wanted: Wanted) -> Result<Checkpoint, ProcessError> {
        self.take_in()?;
        self.run_until(self.simulation.rounds.clock())?;
        let Simulation { model, layout, mut rounds, .. } = self.simulation;
        let mut outcome = match layout.figures_only && wanted == Wanted::Figures {
            true => totals::outcome(&mut rounds, model)?,
            false => state::outcome(&mut rounds, model, &layout)?,
        };
        outcome.until = clock;
        let streams = if wanted == Wanted::Checkpoint { streams(&mut rounds)? } else { vec![] };
        Ok(Checkpoint { outcome, streams, remote: None })
    }
}
