//! The log of a run on a device, which the host reads whenever it is full.

use rayon::prelude::*;

use super::model::DeviceCells;
use super::options::CellOptions;
use crate::Cell;
use crate::CellError;
use crate::log::{CellLog, LogError};
use tickless_core::time::Time;
use tickless_device::{AdapterDescription, BufferSpec, DeviceError};
use tickless_engine::Rounds;

/// Memory for a log, unless a round needs more.
const BYTES: u64 = 64 << 20;
/// Words of an entry before those of the output, as in `shaders/cells/log.wgsl`.
const BEFORE: usize = 3;

/// The room for a log on a device.
#[derive(Clone, Copy, Debug)]
pub(super) struct LogRoom {
    /// Entries of a group.
    pub(super) room: u32,
    /// The most entries that a group may need in a round.
    pub(super) round: u32,
    groups: u32,
    words: usize,
}

impl LogRoom {
    /// Room for groups that need up to `round` entries each in a round.
    ///
    /// # Errors
    /// A round that does not fit the adapter.
    pub(super) fn new(
        model: &impl DeviceCells,
        options: &CellOptions,
        adapter: &AdapterDescription,
        round: u64,
        groups: u32,
    ) -> Result<Self, DeviceError> {
        let words = BEFORE + model.output_words();
        let limits = &adapter.capabilities;
        let largest = limits.buffer_size.min(limits.binding_size);
        // In words, with the counts of the groups.
        let entries = |words_in_all: u64| (words_in_all / u64::from(groups)).saturating_sub(1) / words as u64;
        let most = entries((largest / 4).min(u32::MAX.into()));
        if most < round {
            let asked = (round * words as u64 + 1) * u64::from(groups) * 4;
            return Err(DeviceError::Limit {
                what: format!("the log of a round of {} cells", model.space().cells()),
                asked: tickless_device::bytes(asked),
                available: tickless_device::bytes(largest),
                adapter: adapter.name.clone(),
                remedy: ": use a smaller space, leave the log out, or run it on the heap".into(),
            });
        }
        let room = entries(options.log_bytes.unwrap_or(BYTES) / 4).clamp(round, most);
        Ok(Self { room: room as u32, round: round as u32, groups, words })
    }

    pub(super) fn buffer(&self) -> BufferSpec {
        BufferSpec::storage("entries", (u64::from(self.room) * self.words as u64 + 1) * u64::from(self.groups), 4)
    }
}

/// An output: its time, its cell, and the place of its words.
#[derive(Clone, Copy)]
struct Entry {
    time: u64,
    cell: u32,
    place: usize,
}

/// Gives the outputs of a replication to a log.
pub(super) struct Intake<'l> {
    room: LogRoom,
    replication: u32,
    log: &'l mut dyn CellLog,
    waiting: Vec<Entry>,
    /// The words of the waiting outputs.
    words: Vec<u32>,
}

impl<'l> Intake<'l> {
    pub(super) fn new(room: LogRoom, replication: u32, log: &'l mut dyn CellLog) -> Self {
        Self { room, replication, log, waiting: vec![], words: vec![] }
    }

    /// Reads the entries, and makes room. Passes on the outputs before which no other can come.
    ///
    /// # Errors
    /// A lost device; errors of the log.
    pub(super) fn take(&mut self, rounds: &mut Rounds) -> Result<(), CellError> {
        let groups = self.room.groups as usize;
        let counts: Vec<u32> = rounds.read_part("entries", 0, groups)?;
        let deepest = counts.iter().copied().max().unwrap_or(0);
        let entries: Vec<u32> = rounds.read_part("entries", groups, deepest as usize * groups * self.room.words)?;
        // Behind the words of waiting outputs. All outputs of a cell come from one group, in order.
        let (behind, words) = (self.words.len(), self.room.words);
        let of_group = |group: usize| {
            let entries = &entries;
            (0..counts[group] as usize).map(move |row| {
                let at = (row * groups + group) * words;
                let time = u64::from(entries[at + 2]) << 32 | u64::from(entries[at + 1]);
                Entry { time, cell: entries[at], place: behind + at + BEFORE }
            })
        };
        self.waiting.par_extend((0..groups).into_par_iter().flat_map_iter(of_group));
        self.words.extend_from_slice(&entries);
        rounds.write("entries", 0, &vec![0_u32; groups])?;
        rounds.room_is_made()?;
        self.give(rounds.control().minimum)
    }

    /// Passes on all waiting outputs.
    ///
    /// # Errors
    /// Errors of the log.
    pub(super) fn finish(&mut self) -> Result<(), CellError> {
        self.give(u64::MAX)
    }

    /// Passes on the outputs before a time.
    fn give(&mut self, end: u64) -> Result<(), CellError> {
        // Outputs of one cell and time keep their order.
        self.waiting.par_sort_by_key(|entry| (entry.time, entry.cell));
        let length = self.room.words - BEFORE;
        let ready = self.waiting.partition_point(|entry| entry.time < end);
        for entry in &self.waiting[..ready] {
            let cell = Cell { id: entry.cell, replication: self.replication };
            let output = &self.words[entry.place..][..length];
            self.log.sent(cell, Time::from_ticks(entry.time), output).map_err(LogError::Write)?;
        }
        let words = std::mem::take(&mut self.words);
        self.waiting.drain(..ready);
        for entry in &mut self.waiting {
            let place = self.words.len();
            self.words.extend_from_slice(&words[entry.place..][..length]);
            entry.place = place;
        }
        Ok(())
    }
}
