//! A torus by appointments in tiles: the stations of a workgroup see each other several times in a round.

use super::torus;
use crate::device::BufferSpec;
use crate::engine::{ModelParts, Steps};
use crate::queueing::TorusModel;

/// Visits that a station has drawn before they begin, as in `shaders/queueing/ahead.wgsl`.
pub(super) const AHEAD: u64 = 4;
/// Bytes of a station in `prospects`, `shaders/queueing/tile_records.wgsl`.
pub(super) const PROSPECTS: u64 = 64;
/// Words of `links`: two inboxes of each station and one more.
const WORDS: u32 = 3;

/// The kernels and buffers.
pub(super) fn parts(model: &TorusModel) -> ModelParts {
    let (kernels, mut parts) = torus(model, WORDS);
    let facilities = model.facilities();
    parts.first.push(kernels.first("queueing/initialize_tiles", facilities));
    parts.steps = Steps::Tiles { round: kernels.stage("queueing/tile"), width: model.width(), height: model.height() };
    // The links of tokens are in their records.
    parts.buffers.retain(|buffer| buffer.name != "links");
    parts.buffers.push(BufferSpec::storage("links", u64::from(WORDS) * u64::from(facilities), 4));
    parts.buffers.push(BufferSpec::storage("prospects", facilities.into(), PROSPECTS));
    parts
}
