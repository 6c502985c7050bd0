//! What cells start from.

use std::ops::Range;

use rayon::prelude::*;

use super::layout::{BLOCK, Layout};
use super::model::DeviceCells;
use crate::cells::{Cell, CellError};
use crate::memory;
use crate::time::Time;

/// Slots that a core makes at a time.
const PART: usize = 1 << 12;

/// The state at time 0, as `shaders/cells/copy.wgsl` and `shaders/cells/differ.wgsl` read it.
pub(super) struct Start {
    /// The words in planes of so many slots: the next own event (two words), state, output.
    pub(super) contents: Vec<u8>,
    pub(super) slots: u32,
    /// Of each cell that starts otherwise: slot, next own event, state, output.
    pub(super) differences: Vec<u32>,
    pub(super) differing: u32,
}

/// One cell: its next own event and its words.
struct Fresh {
    next: Time,
    words: Vec<u32>,
}

fn fresh(model: &impl DeviceCells, cell: Cell) -> Result<Fresh, CellError> {
    let mut words = vec![0; model.state_words() + model.output_words()];
    let (state, output) = words.split_at_mut(model.state_words());
    let next = model.initialize(cell, state, output)?;
    Ok(Fresh { next, words })
}

impl Start {
    /// # Errors
    /// What the model says.
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

    /// Every cell of these replications: each core makes the slots of some blocks, which then go into their planes.
    fn alike(model: &impl DeviceCells, layout: &Layout, replications: Range<u32>) -> Result<Self, CellError> {
        let (slots, planes) = (layout.slots(replications.len() as u32), layout.kept + 2);
        let what = "the start of the cells";
        let mut contents = memory::zeroed(4 * slots as usize * planes, what)?;
        memory::room::<u32>(slots as usize * planes, what)?;
        let made: Vec<Vec<u32>> = (0..slots)
            .into_par_iter()
            .step_by(PART)
            .map(|first| of_slots(model, layout, replications.start, first..slots.min(first + PART as u32)))
            .collect::<Result<_, _>>()?;
        for (plane, words) in contents.chunks_exact_mut(4 * slots as usize).enumerate() {
            words.par_chunks_mut(4 * PART).zip(&made).for_each(|(to, part)| {
                let from = part.chunks_exact(to.len() / 4).nth(plane).expect("a part has every plane");
                to.copy_from_slice(bytemuck::cast_slice(from));
            });
        }
        debug_assert!(slots.is_multiple_of(BLOCK));
        Ok(Self { contents, slots, differences: vec![], differing: 0 })
    }

    /// The same with the cells of `lists`, and with those of the first replication where that is not among them.
    fn but(
        mut self,
        model: &impl DeviceCells,
        layout: &Layout,
        replications: Range<u32>,
        lists: &[Vec<u32>],
    ) -> Result<Self, CellError> {
        for (own, (replication, list)) in replications.zip(lists).enumerate() {
            for &id in list {
                let slot = own as u32 * layout.slots(1) + layout.slot(model.space().place(id));
                let Fresh { next, words } = fresh(model, Cell { id, replication })?;
                self.differences.push(slot);
                self.differences.extend(two_words(next));
                self.differences.extend(words);
                self.differing += 1;
            }
        }
        Ok(self)
    }
}

/// The words of some slots, plane after plane. A slot without a cell never does anything.
fn of_slots(model: &impl DeviceCells, layout: &Layout, first: u32, slots: Range<u32>) -> Result<Vec<u32>, CellError> {
    let (space, count, each) = (model.space(), slots.len(), layout.slots(1));
    let mut words = vec![0; count * (layout.kept + 2)];
    words[..2 * count].fill(u32::MAX);
    let mut own = vec![0; layout.kept];
    for (place, slot) in slots.enumerate() {
        let Some(id) = layout.place(slot % each, space.size()).map(|place| space.cell(place)) else { continue };
        own.fill(0);
        let (state, output) = own.split_at_mut(model.state_words());
        let next = model.initialize(Cell { id, replication: first + slot / each }, state, output)?;
        let planes = two_words(next).into_iter().chain(own.iter().copied());
        planes.enumerate().for_each(|(plane, word)| words[plane * count + place] = word);
    }
    Ok(words)
}

fn two_words(time: Time) -> [u32; 2] {
    [time.ticks() as u32, (time.ticks() >> 32) as u32]
}
