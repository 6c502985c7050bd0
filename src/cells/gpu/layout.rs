//! Where everything of a cell space lies on a device.

use std::ops::Range;

use super::log::LogRoom;
use super::reach::Reach;
use super::start::Start;
use super::{CellKernels, CellOptions, DeviceCells};
use crate::cells::CellError;
use crate::cells::{Border, Space};
use crate::device::{AdapterDescription, AdapterKind, BufferSpec, BufferUse, DeviceError};
use crate::engine::{ModelParts, ModelWords, Sizes, Stage, StageKernel, Work, workgroup};
use crate::kernels::Mounts;

/// Cells of a block, as in `shaders/cells/space.wgsl`.
pub(super) const BLOCK: u32 = 64;
/// Threads of which the workgroup memory of every adapter, 16 KiB, holds what cells need.
const LARGEST_WORKGROUP: u32 = 256;
/// Rows of a block, where the space has so many.
const ROWS: u32 = 8;
/// Workgroups of all replications: each passes over the least times of its own blocks and of the groups of its replication.
const GROUPS: u32 = 384;
/// The same where there are many replications, so that every multiprocessor has work.
const GROUPS_OF_MANY: u32 = 2048;
/// The same on a software adapter, where every barrier of every thread costs.
const GROUPS_IN_SOFTWARE: u32 = 16;
/// Blocks that one number of `shaders/cells/departure.wgsl` holds.
const MOST_BLOCKS: u64 = 1 << 30;
/// Words that 32 bits number.
const MOST_WORDS: u64 = 1 << 32;

/// `Space` of `shaders/cells/space.wgsl`.
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct SpaceParameters {
    pub(super) size: [i32; 4],
    pub(super) tile: [u32; 2],
    pub(super) across: u32,
    pub(super) down: u32,
    pub(super) blocks: u32,
    pub(super) groups: u32,
    pub(super) replications: u32,
    pub(super) first: u32,
    pub(super) slots: u32,
    pub(super) apart: i32,
    pub(super) pattern: u32,
    pub(super) differences: u32,
    pub(super) reach: [i32; 4],
    pub(super) step: [i32; 4],
    pub(super) around: [u32; 4],
    pub(super) furthest: u64,
    pub(super) hops: u32,
    pub(super) words: u32,
    pub(super) log: [u32; 2],
    pub(super) neighbours: u32,
    pub(super) coarse: u32,
    pub(super) patience: u32,
    pub(super) unused: [u32; 3],
    pub(super) offsets: [[i32; 4]; 128],
}

/// How a model lies on an adapter.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Columns of a block as a logarithm, and rows.
    tile: [u32; 2],
    across: u32,
    down: u32,
    /// Blocks of a replication.
    blocks: u32,
    groups: u32,
    /// Replications that run at once.
    pub(super) together: u32,
    pub(super) workgroup: u32,
    /// Words of a cell: what the model keeps, and all.
    kept: usize,
    words: usize,
    reach: Reach,
    /// Where there is one.
    pub(super) log: Option<LogRoom>,
}

impl Layout {
    /// # Errors
    /// A space that does not fit the adapter, not even once.
    pub(super) fn new(
        model: &impl DeviceCells,
        options: &CellOptions,
        adapter: &AdapterDescription,
        logged: bool,
    ) -> Result<Self, CellError> {
        let space = model.space();
        let [width, height, depth] = space.size();
        let rows = height.next_power_of_two().min(ROWS);
        let tile = [(BLOCK / rows).ilog2(), rows];
        let (across, down) = (width.div_ceil(BLOCK / rows), height.div_ceil(rows));
        let blocks = u64::from(across) * u64::from(down) * u64::from(depth);
        let kept = model.state_words() + model.output_words();
        let words = kept + 3 + if model.elapsed() { 2 } else { 0 };
        let fitting = fitting(blocks, words as u64, adapter)?;
        // The log has one replication after the other.
        let together = if logged { 1 } else { options.together.unwrap_or(u32::MAX).max(1) };
        let together = together.min(fitting).min(model.replications().max(1));
        let blocks = blocks as u32;
        let software = adapter.kind == AdapterKind::Software;
        let groups = match together {
            _ if software => GROUPS_IN_SOFTWARE / together,
            ..8 => GROUPS / together,
            _ => GROUPS_OF_MANY / together,
        };
        let groups = options.groups.unwrap_or(groups).clamp(1, blocks);
        // A block is decided together.
        let workgroup = workgroup(LARGEST_WORKGROUP, adapter, &options.rounds)?.clamp(BLOCK, LARGEST_WORKGROUP);
        let reach = Reach::new(model);
        let log = logged.then(|| LogRoom::new(model, options, adapter, blocks, groups)).transpose()?;
        Ok(Self { tile, across, down, blocks, groups, together, workgroup, kept, words, reach, log })
    }

    pub(super) fn parameters(&self, space: &Space, replications: &Range<u32>, start: &Start) -> SpaceParameters {
        let [width, height, depth] = space.size().map(|n| n as i32);
        let mut offsets = [[0; 4]; 128];
        offsets.iter_mut().zip(space.offsets()).for_each(|(to, &[x, y, z])| *to = [x, y, z, 0]);
        let other_planes = space.offsets().iter().any(|offset| offset[2] != 0);
        let furthest = space.offsets().iter().flat_map(|&[x, y, _]| [x.abs(), y.abs()]).max().unwrap_or(0);
        let count = replications.len() as u32;
        let three = |[x, y, z]: [i32; 3]| [x, y, z, 0];
        SpaceParameters {
            size: [width, height, depth, i32::from(space.border() == Border::Wrapped)],
            tile: self.tile,
            across: self.across,
            down: self.down,
            blocks: self.blocks,
            groups: self.groups,
            replications: count,
            first: replications.start,
            slots: self.slots(count),
            apart: if other_planes { i32::MAX / 2 } else { furthest },
            pattern: start.slots,
            differences: start.differing,
            reach: three(self.reach.meets),
            step: three(self.reach.hears.map(|d| d.max(1))),
            around: three(self.reach.around).map(|d| d as u32),
            furthest: self.reach.furthest.ticks(),
            hops: self.reach.hops,
            words: self.kept as u32,
            log: self.log.map_or([0; 2], |log| [log.room, log.round]),
            neighbours: space.offsets().len() as u32,
            coarse: 1,
            patience: 0,
            unused: [0; 3],
            offsets,
        }
    }

    /// Groups of a replication.
    pub(super) fn groups(&self) -> u32 {
        self.groups
    }

    /// Slots of so many replications.
    pub(super) fn slots(&self, replications: u32) -> u32 {
        self.blocks * BLOCK * replications
    }

    /// Where a cell is stored within its replication.
    pub(super) fn slot(&self, [x, y, z]: [u32; 3]) -> u32 {
        let [columns, rows] = self.tile;
        let block = (z * self.down + y / rows) * self.across + (x >> columns);
        block * BLOCK + ((y % rows) << columns) + x % (1 << columns)
    }

    /// The place of the bounds of so many replications in `fronts`, in times.
    pub(super) fn bounds_at(&self, replications: u32) -> usize {
        (self.groups as usize + self.blocks as usize) * replications as usize
    }

    /// The kernels and buffers for some of the replications.
    ///
    /// # Errors
    /// What the model says of its start.
    pub(super) fn parts(&self, model: &impl DeviceCells, replications: Range<u32>) -> Result<ModelParts, CellError> {
        let replications = replications.start..replications.end.min(replications.start + self.together);
        let count = replications.len() as u32;
        let start = Start::new(model, self, replications.clone())?;
        let kernels = model.kernels();
        let groups = self.groups * count;
        let mounts = kernels
            .mounts
            .clone()
            .with("faults", "lib/faults")
            .with("lookaheads", self.reach.module())
            .with("elapsed_time", if model.elapsed() { "cells/elapsed" } else { "cells/no_elapsed" })
            .with("cell_log", if self.log.is_some() { "cells/log" } else { "cells/no_log" });
        let stage = |label| Stage {
            kernel: StageKernel::new(label, &mounts).with_constants(&constants(model)),
            work: Work::Workgroups(groups),
        };
        Ok(ModelParts {
            label: kernels.label,
            entities: 1,
            lookahead: self.reach.lookahead,
            sizes: self.sizes(),
            first: self.first(&start, count),
            round: vec![stage("cells/departure"), stage("cells/arrival")],
            rounds_each: 1,
            words: ModelWords::default(),
            last: vec![],
            buffers: self.buffers(model, kernels, &replications, start),
        })
    }

    /// Every dispatch says how many workgroups it has.
    pub(super) fn sizes(&self) -> Sizes {
        Sizes { workgroup: self.workgroup, elements: 1, blocks: 1 }
    }

    fn first(&self, start: &Start, replications: u32) -> Vec<Stage> {
        let stage = |label, threads| Stage::of_threads(StageKernel::new(label, &Mounts::default()), threads);
        vec![
            stage("cells/copy", self.slots(replications)),
            stage("cells/differ", start.differing),
            stage("cells/first_blocks", self.blocks * replications),
            stage("cells/first_groups", self.groups * replications),
        ]
    }

    fn buffers(
        &self,
        model: &impl DeviceCells,
        kernels: CellKernels,
        replications: &Range<u32>,
        start: Start,
    ) -> Vec<BufferSpec> {
        let parameters = self.parameters(model.space(), replications, &start);
        let count = u64::from(parameters.replications);
        let slots = u64::from(parameters.slots);
        let fronts = 2 * (u64::from(self.groups) + 1) * count + 4 * u64::from(self.blocks) * count;
        let mut buffers = vec![
            BufferSpec::storage("plans", slots, 8),
            BufferSpec::storage("fronts", fronts, 4),
            BufferSpec::storage("cells", slots * self.words as u64, 4),
            BufferSpec::filled("space", BufferUse::Uniform, bytemuck::bytes_of(&parameters).to_vec()),
            BufferSpec::filled("starts", BufferUse::Storage, bytemuck::cast_slice(&start.words).to_vec()),
        ];
        if let Some(lookaheads) = self.lookaheads() {
            buffers.push(BufferSpec::filled("lookaheads", BufferUse::Storage, lookaheads));
        }
        buffers.extend(self.log.as_ref().map(LogRoom::buffer));
        if start.differing > 0 {
            let words = bytemuck::cast_slice(&start.differences).to_vec();
            buffers.push(BufferSpec::filled("differences", BufferUse::Storage, words));
        }
        buffers.extend(kernels.buffers);
        buffers
    }

    /// What `shaders/cells/uneven.wgsl` reads: the lookaheads around all slots, and the most of each block.
    fn lookaheads(&self) -> Option<Vec<u8>> {
        let around = self.reach.of_cells.as_ref()?;
        let blocks = self.blocks as usize;
        let mut ticks = vec![0_u64; blocks * (BLOCK as usize + 1)];
        for (place, lookahead) in around {
            let slot = self.slot(*place) as usize;
            ticks[slot] = lookahead.ticks();
            let most = &mut ticks[blocks * BLOCK as usize + slot / BLOCK as usize];
            *most = lookahead.ticks().max(*most);
        }
        Some(bytemuck::cast_slice(&ticks).to_vec())
    }

    /// Words of a cell that the model keeps.
    pub(super) fn kept(&self) -> usize {
        self.kept
    }
}

/// How many replications fit the adapter.
///
/// # Errors
/// Where not even one does.
fn fitting(blocks: u64, words: u64, adapter: &AdapterDescription) -> Result<u32, DeviceError> {
    let limits = &adapter.capabilities;
    let largest = limits.buffer_size.min(limits.binding_size);
    let slots = blocks * u64::from(BLOCK);
    // The words of all cells are the largest buffer, or their plans.
    let most = (largest / (words.max(2) * 4) / slots).min(MOST_WORDS / words.max(1) / slots).min(MOST_BLOCKS / blocks);
    if most == 0 {
        let available = crate::device::bytes(largest);
        return Err(DeviceError::Limit {
            what: format!("the {words} words of each of {slots} cells"),
            asked: crate::device::bytes(slots * words * 4),
            available,
            adapter: adapter.name.clone(),
            remedy: ": use a smaller space, or run it on the heap".into(),
        });
    }
    Ok(u32::try_from(most).unwrap_or(u32::MAX).min(u32::MAX / slots as u32))
}

/// What the kernels of every model of cells are written for.
pub(super) fn constants(model: &impl DeviceCells) -> String {
    let (state, output, neighbours) = (model.state_words(), model.output_words(), model.space().offsets().len());
    format!(
        "const STATE_WORDS: u32 = {state}u;\nconst OUTPUT_WORDS: u32 = {output}u;\n\
         const NEIGHBOURS: u32 = {neighbours}u;\n"
    )
}

#[cfg(test)]
mod tests {
    use super::SpaceParameters;
    use crate::kernels::layout::assert_mirror;

    #[test]
    fn parameters_are_laid_out_as_in_the_kernels() {
        assert_mirror!(
            SpaceParameters,
            "cells/space",
            "Space",
            [
                size,
                tile,
                across,
                down,
                blocks,
                groups,
                replications,
                first,
                slots,
                apart,
                pattern,
                differences,
                reach,
                step,
                around,
                furthest,
                hops,
                words,
                log,
                neighbours,
                coarse,
                patience,
                offsets,
            ]
        );
    }
}
