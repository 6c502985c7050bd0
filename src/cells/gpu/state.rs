//! The results from the records on a device.

use rayon::prelude::*;

use super::layout::Layout;
use super::model::DeviceCells;
use crate::{CellError, CellOutcome};
use tickless_core::memory;
use tickless_core::time::Time;
use tickless_device::DeviceError;
use tickless_engine::Rounds;
use tickless_kernels::layout::mirrors;

/// The fault word's bits that do not belong to the model, as in `shaders/cells/cell.wgsl`.
const FAULT_OUTSIDE: u32 = 1 << 29;
const FAULT_PAST: u32 = 1 << 30;
const FAULT_LOOKAHEAD: u32 = 1 << 31;

mirrors! {
    /// `ModelStatus` of `shaders/cells/status.wgsl`.
    pub(super) struct CellStatus in "cells/status" "ModelStatus" {
        imminent: u64,
        selected: u32,
        /// The first line with an index outside of an array of the model's own.
        outside: u32,
    }
}

impl Default for CellStatus {
    fn default() -> Self {
        Self { imminent: 0, selected: 0, outside: u32::MAX }
    }
}

/// The fault that a cell has raised, as an error.
///
/// # Errors
/// [`CellError`].
pub(super) fn fault(rounds: &Rounds, model: &impl DeviceCells) -> Result<(), CellError> {
    let control = rounds.control();
    let now = Time::from_ticks(control.minimum);
    if control.fault == 0 {
        return Ok(());
    }
    let what = match control.fault {
        bits if bits & FAULT_OUTSIDE != 0 => {
            let line = rounds.model_status::<CellStatus>().outside;
            let own = model.kernels().map(|kernels| kernels.mounts).unwrap_or_default();
            let (file, text) = own.get("model").map(|source| source.line(line)).unwrap_or_default();
            format!("{file}, line {line}: an index lies outside of the array: {text}")
        }
        bits if bits & FAULT_PAST != 0 => "it plans its next event before now: a time advance is 0 or more".into(),
        bits if bits & FAULT_LOOKAHEAD != 0 => {
            let lookahead = model.lookahead().units();
            format!("it answers an input earlier than the model's lookahead, {lookahead}, allows: give the least time")
        }
        bits => return Err(model.failure(control.fault_entity, now, bits)),
    };
    Err(CellError::Model { cell: control.fault_entity, now, what })
}

/// Adds the cells of `replications` replications in an order; every event before the clock has happened.
pub(super) fn outcome(
    rounds: &mut Rounds,
    model: &impl DeviceCells,
    slots: usize,
    order: &Order,
    outcome: &mut CellOutcome,
) -> Result<(), DeviceError> {
    let (state, output) = (model.state_words(), model.output_words());
    let cells = order.own.len() * order.replications;
    outcome.replications += order.replications as u32;
    outcome.transitions += rounds.control().events;
    outcome.imminent += rounds.model_status::<CellStatus>().imminent;
    let plans: Vec<u64> = rounds.read("plans")?;
    outcome.next.par_extend(order.cells().map(|slot| Time::from_ticks(plans[slot])));
    drop(plans);
    let words: Vec<u32> = rounds.read_part("cells", 0, slots * state)?;
    // The parts that all cores make are put together afterwards.
    memory::room::<[u32; 2]>(cells * state, "the states of the cells")?;
    outcome.state.par_extend(
        order.cells().flat_map_iter(|slot| (0..state).map(move |w| w * slots + slot)).map(|place| words[place]),
    );
    let words: Vec<u32> = rounds.read_part("cells", slots * state, slots * output)?;
    memory::room::<[u32; 2]>(cells * output, "the outputs of the cells")?;
    outcome.output.par_extend(
        order.cells().flat_map_iter(|slot| (0..output).map(move |w| w * slots + slot)).map(|place| words[place]),
    );
    if model.elapsed() {
        let words: Vec<u32> = rounds.read_part("cells", slots * (state + output + 3), slots * 2)?;
        let time = |slot: usize| u64::from(words[slots + slot]) << 32 | u64::from(words[slot]);
        outcome.last.par_extend(order.cells().map(|slot| Time::from_ticks(time(slot))));
    }
    Ok(())
}

/// The places of the cells, in the order of the outcome.
pub(super) struct Order {
    /// The slots of the cells of a replication.
    own: Vec<u32>,
    each: usize,
    replications: usize,
}

impl Order {
    pub(super) fn new(model: &impl DeviceCells, layout: &Layout, replications: u32) -> Self {
        let space = model.space();
        let own = (0..space.cells()).into_par_iter().map(|id| layout.slot(space.place(id))).collect();
        Self { own, each: layout.slots(1) as usize, replications: replications as usize }
    }

    pub(super) fn cells(&self) -> impl IndexedParallelIterator<Item = usize> + '_ {
        let cells = self.own.len();
        (0..cells * self.replications)
            .into_par_iter()
            .map(move |place| place / cells * self.each + self.own[place % cells] as usize)
    }
}
