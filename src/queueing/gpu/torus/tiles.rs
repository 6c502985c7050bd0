//! A torus by appointments in tiles: the stations of a workgroup see each other several times in a round.

use super::model::TorusModel;
use super::parts::shared;
use crate::gpu::kernels::appoint;
use crate::torus::Torus;
use tickless_device::{AdapterDescription, BufferSpec, DeviceError, Placement};
use tickless_engine::{ModelParts, Options, Sizes, Stage, StageKernel, refused, workgroup};

/// Visits whose draws a station has made before they begin, as in `shaders/queueing/ahead.wgsl`.
pub(super) const AHEAD: u64 = 4;
/// Bytes of a station in `prospects`, `shaders/queueing/tile_records.wgsl`.
pub(super) const PROSPECTS: u64 = 64;
/// Words of `links`: two inboxes of each station and one more word.
const WORDS: u32 = 3;

/// Turns of a round in a tile: a third turn finds little to do, as tokens from other tiles are still those of the last round
/// (measured: docs/notebook/torus.md).
const TURNS: u32 = 2;
/// Stations of a tile: workgroup memory, at least 16 KiB on every adapter, holds no more.
const LARGEST_TILE: u32 = 256;
/// Threads of all blocks where there are enough tiles. Two or three GPUs share this number, and more GPUs have half of it each: before every
/// round each block reads the earliest event of every block.
const THREADS: u32 = 1 << 18;
/// Tiles of a block above which more than two GPUs have more blocks.
const MANY_TILES: u32 = 8;
/// Threads that a multiprocessor should run at once: they wait for memory, and compilers take more registers than this
/// number allows.
const RESIDENT_THREADS: u32 = 1024;

/// The kernels and buffers.
///
/// # Errors
/// Sizes for which no kernel can be made.
pub(super) fn parts(
    torus: TorusModel<'_>,
    adapter: &AdapterDescription,
    options: &Options,
) -> Result<ModelParts, DeviceError> {
    // Barriers of few warps; in Vulkan larger tiles are faster.
    let suited = if adapter.backend == "cuda" { 128 } else { LARGEST_TILE };
    let workgroup = workgroup(suited, adapter, options)?;
    if workgroup > LARGEST_TILE {
        let available = "a power of two from 32 to 256";
        return Err(refused("threads in a workgroup that is a tile", workgroup, available, adapter));
    }
    let Torus { width: columns, height: rows } = torus.torus;
    let [width, height] = tile(workgroup, rows);
    let tiles = columns.div_ceil(width) * rows.div_ceil(height);
    let elements = options.elements.unwrap_or_else(|| tiles.div_ceil(blocks(tiles, workgroup, adapter.gpus)));
    let sizes = Sizes::blocks_of(tiles, workgroup, elements, elements, "tiles of a workgroup", adapter)?;
    let side_by_side = sizes.blocks.div_ceil(adapter.gpus);
    let (kernels, mut parts) = shared(torus, WORDS, sizes);
    let count = torus.torus.stations();
    parts.first.push(kernels.first("queueing/initialize_tiles", count));
    let constants = format!(
        "const TILE_WIDTH: u32 = {width}u;\nconst TILE_HEIGHT: u32 = {height}u;\nconst TURNS: u32 = {TURNS}u;\n\
         const SIDE_BY_SIDE: u32 = {side_by_side}u;\n"
    );
    let pair = kernels.appointments("queueing/tile").into_iter().map(|Stage { kernel, work }| Stage {
        kernel: StageKernel { resident_threads: RESIDENT_THREADS, ..kernel.with_constants(&constants) },
        work,
    });
    appoint(&mut parts, pair.collect(), torus.model.until());
    // The links of tokens are in their records.
    parts.buffers.retain(|buffer| buffer.name != "links");
    let links = BufferSpec::storage("links", u64::from(WORDS) * u64::from(count), 4);
    parts.buffers.push(links.placed(Placement::equal_lists(WORDS as usize)));
    parts.buffers.push(BufferSpec::storage("prospects", count.into(), PROSPECTS));
    let border = 3 * u64::from(tiles) * 2 * u64::from(width + height);
    parts.buffers.push(BufferSpec::storage("appointments", border, 8).placed(Placement::equal_lists(3)));
    Ok(parts)
}

/// The most blocks for so many tiles.
fn blocks(tiles: u32, workgroup: u32, gpus: u32) -> u32 {
    let of_one = THREADS / workgroup;
    let of_all = of_one.saturating_mul((gpus / 2).max(1));
    if tiles >= of_all.saturating_mul(MANY_TILES) { of_all } else { of_one }
}

/// The columns and rows of a tile: as square as powers of two allow, but no higher than it must be.
fn tile(workgroup: u32, height: u32) -> [u32; 2] {
    let square = 1 << (workgroup.ilog2() / 2);
    // A border is no longer than the number of threads in the workgroup.
    let rows = height.next_power_of_two().clamp(square.min(4), square);
    [workgroup / rows, rows]
}
