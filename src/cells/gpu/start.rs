//! What cells start from.

use std::ops::Range;

use rayon::prelude::*;

use super::layout::{BLOCK, Layout};
use super::model::DeviceCells;
use crate::cells::{Cell, CellError};
use crate::memory;
use crate::time::Time;

/// The state at time 0, as `shaders/cells/copy.wgsl` and `shaders/cells/differ.wgsl` read it.
pub(super) struct Start {
    /// In planes of so many slots: the next own event (two words), state, output.
    pub(super) words: Vec<u32>,
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

    /// Every cell of these replications.
    fn alike(model: &impl DeviceCells, layout: &Layout, replications: Range<u32>) -> Result<Self, CellError> {
        let (space, each) = (model.space(), layout.slots(1));
        let slots = layout.slots(replications.len() as u32);
        let mut words = memory::filled(0, slots as usize * (layout.kept + 2), "the start of the cells")?;
        // Cells of a replication are made on all cores, each with its words.
        memory::room_of(
            u64::from(space.cells()) * (2 * size_of::<Fresh>() + 16 + 4 * layout.kept) as u64,
            "the start of the cells",
        )?;
        // Slots without a cell never do anything.
        words[..2 * slots as usize].fill(u32::MAX);
        for (own, replication) in replications.enumerate() {
            let all: Vec<Fresh> = (0..space.cells())
                .into_par_iter()
                .map(|id| fresh(model, Cell { id, replication }))
                .collect::<Result<_, _>>()?;
            for (id, Fresh { next, words: kept }) in all.into_iter().enumerate() {
                let slot = own * each as usize + layout.slot(space.place(id as u32)) as usize;
                let planes = two_words(next).into_iter().chain(kept);
                planes.enumerate().for_each(|(plane, word)| words[plane * slots as usize + slot] = word);
            }
        }
        debug_assert!(slots.is_multiple_of(BLOCK));
        Ok(Self { words, slots, differences: vec![], differing: 0 })
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

fn two_words(time: Time) -> [u32; 2] {
    [time.ticks() as u32, (time.ticks() >> 32) as u32]
}
