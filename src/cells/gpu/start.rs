//! The start of cells.

use std::ops::Range;

use rayon::prelude::*;

use super::layout::{BLOCK, Layout};
use super::model::DeviceCells;
use super::state::Order;
use crate::{Cell, CellError};
use tickless_core::memory;
use tickless_core::time::Time;
use tickless_engine::Rounds;

/// Slots that a core makes at a time.
const SLOTS: usize = 1 << 12;

/// The state at time 0, for `shaders/cells/copy.wgsl` and `shaders/cells/differ.wgsl`.
pub(super) struct Start {
    /// The words in planes of slots: the next own event (two words), state, output.
    pub(super) contents: Vec<u8>,
    pub(super) slots: u32,
    /// Each cell that starts otherwise: slot, next own event, state, output.
    pub(super) differences: Vec<u32>,
    pub(super) differing: u32,
}

/// Fills in the state and the output of a cell; returns its next own event.
fn begin(model: &impl DeviceCells, cell: Cell, kept: &mut [u32]) -> Result<Time, CellError> {
    kept.fill(0);
    let (state, output) = kept.split_at_mut(model.state_words());
    model.initialize(cell, state, output)
}

impl Start {
    /// # Errors
    /// Errors of the model.
    pub(super) fn new(model: &impl DeviceCells, layout: &Layout, replications: Range<u32>) -> Result<Self, CellError> {
        let otherwise: Option<Vec<_>> = replications.clone().map(|r| model.starting_otherwise(r)).collect();
        match otherwise {
            Some(lists) => {
                let pattern = Self::alike(model, layout, 0..1)?;
                pattern.but(model, layout, replications, &lists)
            }
            None => Self::alike(model, layout, replications),
        }
    }

    /// Every cell of these replications: each core makes the words of some slots, which then go into their planes.
    fn alike(model: &impl DeviceCells, layout: &Layout, replications: Range<u32>) -> Result<Self, CellError> {
        let (slots, planes) = (layout.slots(replications.len() as u32), layout.kept + 2);
        // The words as cores make them, and in their planes.
        memory::room::<[u32; 2]>(slots as usize * planes, "the start of the cells")?;
        let made: Vec<Result<Vec<u32>, CellError>> = (0..slots)
            .into_par_iter()
            .step_by(SLOTS)
            .map(|first| of_slots(model, layout, replications.start, first..slots.min(first + SLOTS as u32)))
            .collect();
        // Of several cells that fail the first is reported.
        let made: Vec<Vec<u32>> = made.into_iter().collect::<Result<_, _>>()?;
        let mut contents = bytemuck::zeroed_vec(4 * slots as usize * planes);
        for (plane, words) in contents.chunks_mut((4 * slots as usize).max(1)).enumerate() {
            words.par_chunks_mut(4 * SLOTS).zip(&made).for_each(|(to, part)| {
                let slots = part.len() / planes;
                to.copy_from_slice(bytemuck::cast_slice(&part[plane * slots..][..slots]));
            });
        }
        debug_assert!(slots.is_multiple_of(BLOCK));
        Ok(Self { contents, slots, differences: vec![], differing: 0 })
    }

    /// The same with the cells of `lists`, and with the cells of the first replication where that is not among them.
    fn but(
        mut self,
        model: &impl DeviceCells,
        layout: &Layout,
        replications: Range<u32>,
        lists: &[Vec<u32>],
    ) -> Result<Self, CellError> {
        let mut kept = vec![0; layout.kept];
        for (own, (replication, list)) in replications.zip(lists).enumerate() {
            for &id in list {
                let slot = own as u32 * layout.slots(1) + layout.slot(model.space().place(id));
                let next = begin(model, Cell { id, replication }, &mut kept)?;
                self.differences.push(slot);
                self.differences.extend(two_words(next));
                self.differences.extend(&kept);
                self.differing += 1;
            }
        }
        Ok(self)
    }
}

/// The words of some slots of the replications from the first on, plane after plane. A slot without a cell never has an event.
fn of_slots(
    model: &impl DeviceCells,
    layout: &Layout,
    first_replication: u32,
    slots: Range<u32>,
) -> Result<Vec<u32>, CellError> {
    let (space, count, each) = (model.space(), slots.len(), layout.slots(1));
    let mut words = vec![0; count * (layout.kept + 2)];
    words[..2 * count].fill(u32::MAX);
    let mut kept = vec![0; layout.kept];
    for (index, slot) in slots.enumerate() {
        let Some(place) = layout.place(slot % each, space.size()) else { continue };
        let cell = Cell { id: space.cell(place), replication: first_replication + slot / each };
        let next = begin(model, cell, &mut kept)?;
        let planes = two_words(next).into_iter().chain(kept.iter().copied());
        planes.enumerate().for_each(|(plane, word)| words[plane * count + index] = word);
    }
    Ok(words)
}

/// Writes the times of the last transitions of the cells of these replications: at time 0 unless given, which the kernels have
/// already.
pub(super) fn write_last(
    rounds: &mut Rounds,
    model: &impl DeviceCells,
    layout: &Layout,
    replications: Range<u32>,
) -> Result<(), CellError> {
    let (slots, cells) = (layout.slots(replications.len() as u32) as usize, model.space().cells() as usize);
    let mut words: Vec<u32> = vec![];
    let order = Order::new(model, layout, replications.len() as u32);
    for (place, slot) in order.cells().collect::<Vec<_>>().into_iter().enumerate() {
        let cell = Cell { id: (place % cells) as u32, replication: replications.start + (place / cells) as u32 };
        let last = model.last_transition(cell);
        if last > Time::ZERO && words.is_empty() {
            words = memory::zeroed(2 * slots, "the times of the last transitions")?;
        }
        if let Some(low) = words.get_mut(slot) {
            let [first, second] = two_words(last);
            *low = first;
            words[slots + slot] = second;
        }
    }
    Ok(rounds.write("cells", slots * (model.state_words() + model.output_words() + 3), &words)?)
}

fn two_words(time: Time) -> [u32; 2] {
    [time.ticks() as u32, (time.ticks() >> 32) as u32]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::CellKernels;
    use crate::gpu::CellOptions;
    use crate::gpu::layout::Scheme;
    use crate::replications::Replications;
    use crate::{Border, CellModel, Inputs, Moment, Space};
    use tickless_core::time::Time;
    use tickless_device::AdapterDescription;

    /// Cells whose words and first events differ from cell to cell and from one replication to the next.
    struct Differing(Space);

    impl CellModel for Differing {
        fn space(&self) -> &Space {
            &self.0
        }

        fn until(&self) -> Time {
            Time::UNIT
        }

        fn lookahead(&self) -> Time {
            Time::from_ticks(1)
        }

        fn state_words(&self) -> usize {
            2
        }

        fn output_words(&self) -> usize {
            1
        }

        fn initialize(&self, cell: Cell, state: &mut [u32], output: &mut [u32]) -> Result<Time, CellError> {
            let number = cell.id.wrapping_mul(7919) ^ cell.replication << 20;
            state.copy_from_slice(&[number, !number]);
            output[0] = number ^ 0xabcd;
            Ok(if number.is_multiple_of(5) { Time::NEVER } else { Time::from_ticks(u64::from(number) << 7) })
        }

        fn output(&self, _: Cell, _: Time, _: &[u32], _: &mut [u32]) -> Result<bool, CellError> {
            Ok(false)
        }

        fn transition(
            &self,
            _: Cell,
            _: Moment,
            next: Time,
            _: &mut [u32],
            _: &impl Inputs,
        ) -> Result<Time, CellError> {
            Ok(next)
        }
    }

    impl DeviceCells for Differing {
        fn kernels(&self) -> Option<CellKernels> {
            Some(CellKernels::of("differing", "cells/watershed"))
        }
    }

    /// Every cell has its words in its slot, and other slots have no next event.
    fn assert_starts(model: &impl DeviceCells, replications: Range<u32>) {
        let adapter = AdapterDescription::imagined(true, 32);
        let scheme = Scheme::InOrder { logged: false };
        let layout = Layout::new(
            &Replications::new(model, replications.clone()).unwrap(),
            &CellOptions::default(),
            &adapter,
            scheme,
        )
        .unwrap();
        let slots = layout.slots(replications.len() as u32) as usize;
        assert!(
            slots > 2 * SLOTS && !(layout.slots(1) as usize).is_multiple_of(SLOTS),
            "{slots} slots put little to the test"
        );
        let start = Start::alike(model, &layout, replications.clone()).unwrap();
        let mut expected = vec![0; slots * (layout.kept + 2)];
        expected[..2 * slots].fill(u32::MAX);
        let mut kept = vec![0; layout.kept];
        for (own, replication) in replications.enumerate() {
            for id in 0..model.space().cells() {
                let slot = own * layout.slots(1) as usize + layout.slot(model.space().place(id)) as usize;
                let next = begin(model, Cell { id, replication }, &mut kept).unwrap();
                let planes = two_words(next).into_iter().chain(kept.iter().copied());
                planes.enumerate().for_each(|(plane, word)| expected[plane * slots + slot] = word);
            }
        }
        assert!(start.contents == bytemuck::cast_slice::<u32, u8>(&expected));
    }

    #[test]
    fn every_cell_starts_in_its_slot() {
        let of = |width, height| Differing(Space::new([width, height, 1], Border::Open, Space::moore()).unwrap());
        assert_starts(&of(117, 95), 0..1);
        // Replications of 1,280 slots, which parts of 4,096 cut apart.
        assert_starts(&of(33, 32), 2..9);
    }
}
