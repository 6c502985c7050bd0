//! The cells of one rank as a space of their own, in which those that they hear lie around them.

use super::model::{CellKernels, DeviceCells, FirstPassage};
use crate::over::{Band, Extent};
use crate::{Cell, CellError, CellModel, Fronts, Inputs, Moment, Space};
use tickless_core::time::Time;
use tickless_device::{BufferSpec, BufferUse};

/// `Band` of `shaders/cells/band.wgsl`.
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct BandParameters {
    size: [u32; 4],
    origin: [u32; 4],
    begin: [u32; 4],
    end: [u32; 4],
}

impl BandParameters {
    pub(super) fn buffer(&self) -> BufferSpec {
        BufferSpec::filled("band", BufferUse::Uniform, bytemuck::bytes_of(self).to_vec())
    }
}

/// A model of the cells in the box of a band. Of those of other ranks nothing is known but what they send.
pub(super) struct Banded<'a, M> {
    pub(super) model: &'a M,
    space: Space,
    extent: Extent,
}

impl<'a, M: CellModel> Banded<'a, M> {
    pub(super) fn new(model: &'a M, band: &Band<'_>) -> Result<Self, CellError> {
        let (whole, extent) = (model.space(), band.extent());
        let space = Space::new(extent.size, whole.border(), whole.offsets().to_vec())?;
        Ok(Self { model, space, extent })
    }

    pub(super) fn parameters(&self) -> BandParameters {
        let Extent { origin, first_own, behind_own, .. } = self.extent;
        let four = |[x, y, z]: [u32; 3]| [x, y, z, 0];
        let [size, origin, begin, end] = [self.model.space().size(), origin, first_own, behind_own].map(four);
        BandParameters { size, origin, begin, end }
    }

    /// Where a cell of the whole space is here, of those that are.
    pub(super) fn here(&self, place: [u32; 3]) -> [u32; 3] {
        let (all, origin) = (self.model.space().size(), self.extent.origin);
        [0, 1, 2].map(|axis| (place[axis] + all[axis] - origin[axis]) % all[axis])
    }

    /// The cell of the whole space that is here under a number.
    fn id(&self, cell: u32) -> u32 {
        let (whole, place) = (self.model.space(), self.space.place(cell));
        whole.cell([0, 1, 2].map(|axis| (place[axis] + self.extent.origin[axis]) % whole.size()[axis]))
    }

    fn cell(&self, cell: Cell) -> Cell {
        Cell { id: self.id(cell.id), ..cell }
    }

    fn is_own(&self, place: [u32; 3]) -> bool {
        let Extent { first_own, behind_own, .. } = self.extent;
        (0..3).all(|axis| (first_own[axis]..behind_own[axis]).contains(&place[axis]))
    }
}

impl<M: CellModel> CellModel for Banded<'_, M> {
    fn space(&self) -> &Space {
        &self.space
    }

    fn replications(&self) -> u32 {
        self.model.replications()
    }

    fn first_replication(&self) -> u32 {
        self.model.first_replication()
    }

    fn illegitimate(&self, now: Time, cycles: u64) -> CellError {
        self.model.illegitimate(now, cycles)
    }

    fn until(&self) -> Time {
        self.model.until()
    }

    fn lookahead(&self) -> Time {
        self.model.lookahead()
    }

    fn lookahead_of(&self, cell: u32) -> Time {
        self.model.lookahead_of(self.id(cell))
    }

    fn fronts(&self) -> Option<&dyn Fronts> {
        self.model.fronts()
    }

    fn state_words(&self) -> usize {
        self.model.state_words()
    }

    fn output_words(&self) -> usize {
        self.model.output_words()
    }

    fn elapsed(&self) -> bool {
        self.model.elapsed()
    }

    /// A cell of another rank has its first output, and no event here.
    fn initialize(&self, cell: Cell, state: &mut [u32], output: &mut [u32]) -> Result<Time, CellError> {
        let next = self.model.initialize(self.cell(cell), state, output)?;
        Ok(if self.is_own(self.space.place(cell.id)) { next } else { Time::NEVER })
    }

    fn last_transition(&self, cell: Cell) -> Time {
        self.model.last_transition(self.cell(cell))
    }

    fn output(&self, cell: Cell, now: Time, state: &[u32], output: &mut [u32]) -> Result<bool, CellError> {
        self.model.output(self.cell(cell), now, state, output)
    }

    fn transition(
        &self,
        cell: Cell,
        moment: Moment,
        next: Time,
        state: &mut [u32],
        inputs: &impl Inputs,
    ) -> Result<Time, CellError> {
        self.model.transition(self.cell(cell), moment, next, state, inputs)
    }
}

impl<M: DeviceCells> DeviceCells for Banded<'_, M> {
    fn kernels(&self) -> CellKernels {
        self.model.kernels()
    }

    fn starting_otherwise(&self, _: u32) -> Option<Vec<u32>> {
        None
    }

    /// That of the own cells.
    fn first_passage(&self) -> Option<FirstPassage> {
        let passage = self.model.first_passage()?;
        let here = |&(replication, cell, time): &(u32, u32, Time)| {
            let place = self.here(self.model.space().place(cell));
            let is_here = (0..3).all(|axis| place[axis] < self.extent.size[axis]) && self.is_own(place);
            is_here.then(|| (replication, self.space.cell(place), time))
        };
        Some(FirstPassage { starts: passage.starts.iter().filter_map(here).collect(), ..passage })
    }

    fn heap_only(&self) -> Option<&'static str> {
        self.model.heap_only()
    }

    fn fault(&self, bits: u32) -> String {
        self.model.fault(bits)
    }

    fn failure(&self, cell: u32, now: Time, bits: u32) -> CellError {
        self.model.failure(cell, now, bits)
    }
}

#[cfg(test)]
mod tests {
    use super::BandParameters;
    use tickless_kernels::layout::assert_mirror;

    #[test]
    fn parameters_are_laid_out_as_in_the_kernels() {
        assert_mirror!(BandParameters, "cells/band", "Band", [size, origin, begin, end]);
    }
}
