//! What crosses the border of a band on a device.

use rayon::prelude::*;

use super::Placed;
use crate::gpu::model::DeviceCells;
use crate::gpu::state::Order;
use crate::over::Band;
use crate::reference::Area as _;
use tickless_core::memory::{self, NoMemory};
use tickless_core::time::Time;
use tickless_device::{BufferSpec, DeviceError};
use tickless_engine::Rounds;

/// Words before the cells of the imports, as in `shaders/cells/border.wgsl`.
const BEFORE: usize = 3;

/// The cells that other ranks hear, and what has come of those that this one hears.
pub(super) struct Border<'a> {
    pub(super) band: Band<'a>,
    /// The own cells that others hear.
    pub(super) heard: Vec<u32>,
    /// Where all cells of the band are on the device.
    slots: Vec<u32>,
    /// Words of each cell that others hear, and what they were last.
    each: usize,
    exports: Vec<u32>,
    /// What is to be written next.
    imports: Vec<u32>,
}

impl<'a> Border<'a> {
    /// # Errors
    /// Too little memory.
    pub(super) fn new<M: DeviceCells>(
        band: Band<'a>,
        Placed { banded, layout }: &Placed<'_, M>,
    ) -> Result<Self, NoMemory> {
        // Whether it sends, and what; or its time.
        let each = if banded.model.fronts().is_some() { 2 } else { 1 + banded.model.output_words() };
        let (cells, what) = (band.cells(), "the border of a rank");
        memory::room::<[u32; 2]>(cells as usize, what)?;
        let slot = |index| layout.slot(banded.here(band.place(index)));
        let (slots, heard) = ((0..cells).into_par_iter().map(slot).collect(), band.heard());
        let exports = memory::zeroed(heard.len() * each, what)?;
        Ok(Self { band, heard, slots, each, exports, imports: vec![0; BEFORE] })
    }

    /// Cells of others.
    pub(super) fn others(&self) -> u32 {
        self.band.cells() - self.band.own()
    }

    /// The own cells, in the order of the band.
    pub(super) fn order(&self) -> Order {
        Order::of(self.slots[..self.band.own() as usize].to_vec())
    }

    /// The buffers of `shaders/cells/border.wgsl`. A cell that has something to say has so many words beside its slot.
    pub(super) fn buffers(&self, words: usize) -> [BufferSpec; 3] {
        let slots = self.heard.iter().map(|index| self.slots[*index as usize]);
        let border: Vec<u32> = std::iter::once(self.heard.len() as u32).chain(slots).collect();
        let imports = BEFORE as u64 + u64::from(self.others()) * (1 + words as u64);
        [
            BufferSpec::words("border", &border),
            BufferSpec::storage("exports", self.exports.len() as u64, 4),
            BufferSpec::storage("imports", imports, 4),
        ]
    }

    /// Whether something has come.
    pub(super) fn has_imports(&self) -> bool {
        self.imports.len() > BEFORE
    }

    /// Something of a cell that the band hears, for [`Border::write`].
    pub(super) fn import(&mut self, index: u32, words: &[u32]) {
        self.imports[0] += 1;
        self.imports.push(self.slots[index as usize]);
        self.imports.extend_from_slice(words);
    }

    /// Writes what has come, of a time, and forgets it.
    ///
    /// # Errors
    /// A lost device.
    pub(super) fn write(&mut self, rounds: &mut Rounds, time: Time) -> Result<(), DeviceError> {
        let [count, low, high] = [self.imports[0], time.ticks() as u32, (time.ticks() >> 32) as u32];
        self.imports[..BEFORE].copy_from_slice(&[count, low, high]);
        rounds.write("imports", 0, &self.imports)?;
        self.imports.truncate(BEFORE);
        self.imports[0] = 0;
        Ok(())
    }

    /// Reads the words of the cells that others hear.
    ///
    /// # Errors
    /// A lost device.
    pub(super) fn read(&mut self, rounds: &mut Rounds) -> Result<(), DeviceError> {
        rounds.read_into("exports", 0, &mut self.exports)
    }

    /// Tells others of one of the cells that they hear: the n-th.
    pub(super) fn tell(&mut self, n: usize, words: &[u64]) {
        self.band.tell(self.heard[n], words);
    }

    /// What the n-th of the cells that others hear has told, and its number in the space.
    pub(super) fn export(&self, n: usize) -> (u32, &[u32]) {
        (self.band.id(self.heard[n]), &self.exports[n * self.each..][..self.each])
    }
}
