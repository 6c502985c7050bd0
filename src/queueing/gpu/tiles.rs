//! A torus by appointments in tiles: the stations of a workgroup see each other several times in a round.

use super::{Topology, torus};
use crate::device::BufferSpec;
use crate::engine::{FirstKernel, ModelParts, StageKernel, Steps};
use crate::queueing::TorusModel;

macro_rules! shader {
    ($stem:literal) => {
        include_str!(concat!("../../../shaders/queueing/", $stem, ".wgsl"))
    };
}

/// Visits that a station has drawn before they begin, as in `shaders/queueing/ahead.wgsl`.
pub(super) const AHEAD: u64 = 4;
/// Bytes of a station in `prospects`, `shaders/queueing/tile_records.wgsl`.
pub(super) const PROSPECTS: u64 = 64;
/// Words of `links`: two inboxes of each station and one more.
const WORDS: u32 = 3;

/// The kernels and buffers.
pub(super) fn parts(model: &TorusModel) -> ModelParts {
    let (topology, mut parts) = torus(model, WORDS);
    let facilities = model.facilities();
    parts.first.push(first(&topology, facilities));
    parts.steps = Steps::Tiles { round: round(&topology), width: model.width(), height: model.height() };
    // The links of tokens are in their records.
    parts.buffers.retain(|buffer| buffer.name != "links");
    parts.buffers.push(BufferSpec::storage("links", u64::from(WORDS) * u64::from(facilities), 4));
    parts.buffers.push(BufferSpec::storage("prospects", facilities.into(), PROSPECTS));
    parts
}

/// A whole round.
fn round(topology: &Topology) -> StageKernel {
    let own = [
        topology.destination,
        shader!("torus_tiles"),
        shader!("ahead"),
        shader!("later"),
        shader!("neighbours"),
        shader!("token_links"),
        shader!("tile_border"),
        shader!("appoint_round"),
        shader!("tile"),
        shader!("tile_turn"),
        shader!("tile_visit"),
        shader!("tile_station"),
        shader!("tile_list"),
        shader!("tile_records"),
    ];
    StageKernel { label: "queueing/tile", sources: topology.visiting(&own) }
}

/// What goes before it at time 0.
fn first(topology: &Topology, stations: u32) -> FirstKernel {
    let own = [
        topology.destination,
        shader!("ahead"),
        shader!("token_links"),
        shader!("tile_records"),
        shader!("initialize_tiles"),
    ];
    FirstKernel { label: "queueing/initialize_tiles", sources: topology.visiting(&own), threads: stations }
}
