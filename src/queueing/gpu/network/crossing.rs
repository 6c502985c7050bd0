//! What crosses between the stations of a device and other ranks: what of a program differs for that.

use super::layout::CHUNK;
use super::simulation::{Simulation, outgrown};
use crate::gpu::records::NONE;
use crate::gpu::restoration::{Inside, Tokens};
use crate::post::{Announcement, WORDS, Words};
use crate::share::Share;
use crate::{NetworkModel, QueueingError};
use tickless_core::memory;
use tickless_core::time::Time;
use tickless_device::DeviceError;
use tickless_engine::{ModelStatus, Stage, StageKernel};
use tickless_kernels::Mounts;

/// Threads that take in what has come: each takes several messages where there are more.
const THREADS: u32 = 1 << 16;
/// Messages that may wait for the host beside those of a round, at the least.
const LEAST: u64 = 1 << 10;

/// `Crossing` of `shaders/queueing/share.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct Crossing {
    pub(super) numbers: u32,
    pub(super) messages: u32,
    pub(super) spare: u32,
    pub(super) slots: u32,
}

/// `ModelStatus` of `shaders/queueing/share_status.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct CrossingStatus {
    pub(super) exports: u32,
    pub(super) free: u32,
    pub(super) imports: u32,
    pub(super) unused: u32,
}

impl CrossingStatus {
    pub(super) fn module(self) -> ModelStatus {
        ModelStatus::new("queueing/share_status", &self)
    }
}

impl Crossing {
    /// Where what crosses lies, from `begin` on in annex, for so many entities, and where annex ends. The numbers of the stations
    /// and sources are put behind the rows of `structure`.
    pub(super) fn new(share: &Share, structure: &mut Vec<[u32; 4]>, begin: u64, entities: u64) -> (Self, u64) {
        let numbers = structure.len() as u32;
        structure.extend(share.numbers.iter().map(|number| [*number, 0, 0, 0]));
        let spare = LEAST.max(entities / 4);
        let slots = begin + WORDS as u64 * (entities + spare);
        let crossing = Self { numbers, messages: begin as u32, spare: spare as u32, slots: slots as u32 };
        (crossing, slots + entities)
    }

    /// Leaves the messages of what is in service and will go to other ranks, as kernels leave those of other visits.
    pub(super) fn announce(
        &self,
        model: &NetworkModel,
        inside: &Inside<'_>,
        own: &Tokens,
        annex: &mut [u64],
    ) -> ModelStatus {
        let mut status = CrossingStatus::default();
        for ((token, born), arrival) in own.tokens.iter().zip(&own.born).zip(&own.next_event) {
            let Some(edge) = model.edges.get(token.edge as usize).filter(|edge| model.is_abroad(edge.target)) else {
                continue;
            };
            let departed = arrival.saturating_sub(edge.delay.ticks());
            if token.station == NONE || departed >= model.until().ticks() {
                continue;
            }
            let message = Announcement {
                from: inside.number(token.station),
                target: edge.target - model.stations() - model.sinks(),
                visit: token.number.into(),
                entered: born.checked_sub(1).map_or(Time::NEVER, Time::from_ticks),
                departed: Time::from_ticks(departed),
                arrives: Time::from_ticks(*arrival),
            };
            let place = self.messages as usize + WORDS * status.exports as usize;
            annex[place..place + WORDS].copy_from_slice(&message.pack());
            status.exports += 1;
        }
        status.module()
    }

    /// Messages that have room: no token is announced twice in a round.
    pub(super) fn room(&self) -> usize {
        (self.slots - self.messages) as usize / WORDS
    }
}

/// Gives what has come its slots.
pub(super) fn take_in(mounts: &Mounts, crossing: &Crossing) -> Stage {
    let threads = crossing.room().min(THREADS as usize) as u32;
    let constants = format!("const IMPORT_THREADS: u32 = {threads}u;\n");
    Stage::of_threads(StageKernel::new("queueing/import", mounts).with_constants(&constants), threads)
}

impl Simulation<'_> {
    /// Takes what rounds have left for other ranks.
    pub(super) fn fetch_exports(&mut self) -> Result<(), QueueingError> {
        let status: CrossingStatus = self.rounds.model_status();
        let Some(crossing) = self.layout.crossing.filter(|_| status.exports > 0) else { return Ok(()) };
        let (before, after) = (self.exports.len(), self.exports.len() + status.exports as usize);
        memory::room_of((size_of::<Words>() * after) as u64, "the messages to other ranks")?;
        self.exports.resize(after, [0; WORDS]);
        let to: &mut [u64] = self.exports[before..].as_flattened_mut();
        self.rounds.read_into("annex", crossing.messages as usize, to)?;
        self.rounds.set_model_status(&CrossingStatus { exports: 0, ..status })?;
        Ok(())
    }

    /// Gives tokens of other ranks slots, of which the first arrives then.
    ///
    /// # Errors
    /// More of them than the limit of places allows, or the device.
    pub(super) fn take_in(&mut self, coming: &[Words], first: Time) -> Result<(), QueueingError> {
        let (clock, room) = (self.rounds.clock(), self.layout.crossing.map_or(1, |crossing| crossing.room()));
        for part in coming.chunks(room) {
            self.reserve(part.len() as u32).map_err(|error| outgrown(error, clock))?;
            let Some(crossing) = self.layout.crossing else { break };
            let status: CrossingStatus = self.rounds.model_status();
            self.rounds.write("annex", crossing.messages as usize, part.as_flattened())?;
            let imports = part.len() as u32;
            self.rounds.set_model_status(&CrossingStatus { free: status.free - imports, imports, ..status })?;
            self.rounds.run_last()?;
        }
        // The word of the extra group, which the next round takes for its earliest event and then forgets.
        let beside = 4 * self.rounds.control().blocks as usize;
        Ok(self.rounds.write("summaries", beside, &[first.ticks()])?)
    }

    /// Sees to it that so many slots are free for tokens of other ranks: from the pool, which grows where that has no more.
    fn reserve(&mut self, slots: u32) -> Result<(), QueueingError> {
        let status: CrossingStatus = self.rounds.model_status();
        let chunks = slots.saturating_sub(status.free).div_ceil(CHUNK);
        if chunks == 0 {
            return Ok(());
        }
        let mut taken = self.chunks_taken()?;
        let missing = (taken + chunks).saturating_sub(self.layout.places.chunks);
        if missing > 0 {
            self.grow(missing.into())?;
            taken = self.chunks_taken()?;
        }
        let (places, Some(crossing)) = (self.layout.places, self.layout.crossing) else { return Ok(()) };
        let first = self.layout.parameters.entities - (places.chunks - taken) * CHUNK;
        let more: Vec<u64> = (first..first + chunks * CHUNK).map(u64::from).collect();
        self.rounds.write("annex", (crossing.slots + status.free) as usize, &more)?;
        self.rounds.write("links", places.cursor as usize, &[taken + chunks])?;
        self.rounds.set_model_status(&CrossingStatus { free: status.free + chunks * CHUNK, ..status })?;
        Ok(())
    }

    fn chunks_taken(&mut self) -> Result<u32, DeviceError> {
        let places = self.layout.places;
        let taken: Vec<u32> = self.rounds.read_part("links", places.cursor as usize, 1)?;
        Ok(taken[0].min(places.chunks))
    }
}
