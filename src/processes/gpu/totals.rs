//! Sums of logical processes that kernels behind the last round make, where no caller asks for the records of each
//! (`shaders/processes/add_processes.wgsl` and `add_messages.wgsl`).

use super::model::DeviceModel;
use crate::{AddedUp, Outcome, Totals};
use tickless_device::{AdapterKind, DeviceError};
use tickless_engine::pending::PendingSet;
use tickless_engine::{ModelParts, Results, Rounds, StageKernel, add_results};

/// The words of each thread.
const WORDS: u32 = 13;

/// Whether a device can add up such a model. Words of a state beyond the first lie in a buffer that the kernels do not
/// read.
pub(super) fn can_add_up(model: &DeviceModel, set: PendingSet) -> bool {
    model.state_words <= 1 && set.tells_by_slot()
}

/// Lets a device add up the results, over all slots of all sets.
pub(super) fn add_up(
    parts: &mut ModelParts,
    model: &DeviceModel,
    set: PendingSet,
    slots: u32,
    kernel: impl Fn(&'static str) -> StageKernel,
    kind: AdapterKind,
) {
    let (in_ring, payload) = (set.is_ring(), model.payload_words);
    let constants = format!("const IN_RING: bool = {in_ring};\nconst PAYLOAD_WORDS: u32 = {payload}u;\n");
    let kernels = ["processes/add_processes", "processes/add_messages"];
    let kernels = kernels.map(|label| kernel(label).with_constants(&constants)).into();
    add_results(parts, kernels, [slots, 1], WORDS, kind);
}

/// The device's sums; all inboxes are empty and every event before the clock has happened.
///
/// # Errors
/// A lost device.
pub(super) fn outcome(rounds: &mut Rounds, model: &DeviceModel) -> Result<Outcome, DeviceError> {
    rounds.add_up()?;
    let results = Results::read(rounds, WORDS as usize)?;
    let totals = Totals {
        processes: model.processes.into(),
        state_words: model.state_words as usize,
        executed: results.sum(4),
        sent: results.sum(5),
        pending: results.sum(6),
        most_pending: results.largest(7) as u32,
        idle: results.sum(8),
    };
    let sums = results.sums(0) + results.sums(9);
    Ok(Outcome {
        processes: vec![],
        state: vec![],
        pending: vec![],
        payload_words: model.payload_words,
        until: rounds.clock(),
        added_up: Some(AddedUp { totals, sums }),
    })
}
