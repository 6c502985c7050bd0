//! Messages to processes of another part of the model, on another GPU, in sets without order. They cross in rows
//! (`shaders/processes/crossing.wgsl`), one for each block of processes and part.

use super::layout::MESSAGE_WORDS;
use super::limits::{WORD, most_words};
use super::model::DeviceModel;
use tickless_device::{AdapterDescription, BufferSpec};

/// A word of slots and messages.
type Word = [u32; 4];

/// The most parts.
const MOST_PARTS: u32 = 64;
/// Rows with less room for messages are not worth a kernel.
const LEAST_ROOM: u64 = 8;

/// The rows by which messages cross.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Crossing {
    parts: u32,
    blocks: u32,
    /// Messages of a row.
    room: u32,
}

impl Crossing {
    /// Rows for a model in `parts` parts, in at most half as much memory as the slots' `slot_words` words; `None` where there is one
    /// part, or rows would have room for fewer than [`LEAST_ROOM`] messages.
    pub(super) fn new(
        model: &DeviceModel,
        parts: u32,
        blocks: u32,
        slot_words: u64,
        adapter: &AdapterDescription,
    ) -> Option<Self> {
        let parts = parts.min(MOST_PARTS).min(blocks);
        let rows = u64::from(parts) * u64::from(blocks);
        // A quarter more than rows need where destinations are uniform.
        let sent = f64::from(model.processes) * model.burst * f64::from(model.most_sent.max(1));
        let wanted = ((1.25 * sent / rows as f64) as u64).saturating_add(LEAST_ROOM);
        let words = (slot_words / 2).min(most_words(adapter)).checked_div(rows)?;
        let room = wanted.min(words.saturating_sub(1) / MESSAGE_WORDS);
        (parts > 1 && room >= LEAST_ROOM).then_some(Self { parts, blocks, room: room as u32 })
    }

    /// The constants of its modules.
    pub(super) fn constants(self) -> String {
        let Self { parts, blocks, room } = self;
        format!("const PARTS: u32 = {parts}u;\nconst BLOCKS: u32 = {blocks}u;\nconst ROW_ROOM: u32 = {room}u;\n")
    }

    fn row_words(self) -> usize {
        1 + MESSAGE_WORDS as usize * self.room as usize
    }

    /// The rows, part after part: where there are as many GPUs, the rows of each part lie with its GPU.
    pub(super) fn buffer(self) -> BufferSpec {
        let rows = u64::from(self.parts) * u64::from(self.blocks);
        BufferSpec::storage("crossing", rows * self.row_words() as u64, WORD)
    }

    /// The messages of some rows: keys, and for each its destination and what it carries.
    pub(super) fn messages(self, rows: &[Word]) -> impl Iterator<Item = (Word, Word)> {
        rows.chunks_exact(self.row_words()).flat_map(move |row| {
            let (count, room) = (row[0][0] as usize, self.room as usize);
            (0..count).map(move |place| (row[1 + place], row[1 + room + place]))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Phold;

    fn model() -> DeviceModel {
        (&Phold::new(1000).population(10).check().expect("a model")).into()
    }

    #[test]
    fn rows_have_room_for_what_goes_anywhere_or_what_there_is_memory_for() {
        let adapter = AdapterDescription::imagined(true, 32);
        let model = DeviceModel { burst: 5.0, ..model() };
        let new = |parts, words| Crossing::new(&model, parts, 20, words, &adapter);
        // 5,000 messages in 40 rows.
        assert_eq!(new(2, 1 << 20), Some(Crossing { parts: 2, blocks: 20, room: 164 }));
        assert_eq!(new(2, 2 * 40 * 21).map(|rows| rows.room), Some(10));
        assert_eq!([new(1, 1 << 20), new(2, 2 * 40 * 16)], [None, None]);
        assert_eq!(new(100, 1 << 20).map(|rows| rows.parts), Some(20));
    }

    #[test]
    fn messages_lie_in_rows_behind_their_number() {
        let rows = Crossing { parts: 2, blocks: 1, room: 2 };
        let words: Vec<Word> = [1, 10, 0, 20, 0, 2, 11, 12, 21, 22].map(|word| [word; 4]).into();
        let found: Vec<_> = rows.messages(&words).map(|(key, rest)| (key[0], rest[0])).collect();
        assert_eq!(found, [(10, 20), (11, 21), (12, 22)]);
        assert_eq!(rows.buffer().size, 16 * words.len() as u64);
    }
}
