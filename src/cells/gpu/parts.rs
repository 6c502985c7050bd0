//! The kernels and buffers of a cell space for the engine.

use std::ops::Range;

use super::kernels_of;
use super::layout::{BLOCK, Layout};
use super::log::LogRoom;
use super::model::{CellKernels, DeviceCells};
use super::start::Start;
use super::state::CellStatus;
use crate::{Border, CellError, MOST_NEIGHBOURS, Space};
use tickless_core::random::StreamKey;
use tickless_device::{BufferSpec, BufferUse, Placement, laws};
use tickless_engine::{ModelParts, ModelStatus, Stage, StageKernel, Work};
use tickless_kernels::Mounts;

/// `Space` of `shaders/cells/space.wgsl`.
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct SpaceParameters {
    pub(super) size: [i32; 4],
    pub(super) tile: [u32; 2],
    pub(super) across: u32,
    pub(super) planes: u32,
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
    pub(super) parts: u32,
    pub(super) unused: [u32; 2],
    pub(super) offsets: [[i32; 4]; MOST_NEIGHBOURS],
}

impl Layout {
    /// The kernels and buffers for some of the replications.
    ///
    /// # Errors
    /// Errors of the model's start.
    pub(super) fn parts(&self, model: &impl DeviceCells, replications: Range<u32>) -> Result<ModelParts, CellError> {
        let replications = replications.start..replications.end.min(replications.start + self.at_once);
        let count = replications.len() as u32;
        let start = Start::new(model, self, replications.clone())?;
        let mut kernels = kernels_of(model)?;
        let (mounts, logarithms) = laws::of_model(&kernels.laws);
        kernels.mounts = mounts.and(&kernels.mounts);
        kernels.buffers.push(logarithms);
        let groups = self.groups * count;
        let stage =
            |label| Stage { kernel: self.kernel(model, &kernels.mounts, label), work: Work::Workgroups(groups) };
        Ok(ModelParts {
            label: kernels.label,
            entities: 1,
            lookahead: self.reach.lookahead,
            sizes: self.sizes(),
            first: self.first(&start, count),
            round: vec![stage("cells/departure"), stage("cells/arrival")],
            rounds_each: 1,
            status: ModelStatus::new("cells/status", &CellStatus::default()),
            last: vec![],
            results: vec![],
            buffers: self.buffers(model, kernels, &replications, start),
        })
    }

    /// A kernel with the modules that a model mounts.
    pub(super) fn kernel(&self, model: &impl DeviceCells, own: &Mounts, label: &'static str) -> StageKernel {
        let mounts = own
            .clone()
            .with("faults", "lib/faults")
            .with("outside", "cells/outside")
            .with("lookaheads", self.reach.module())
            .with("elapsed_time", if model.elapsed() { "cells/elapsed" } else { "cells/no_elapsed" })
            .with("cell_log", if self.log.is_some() { "cells/log" } else { "cells/no_log" });
        StageKernel::new(label, &mounts).with_constants(&constants(model))
    }

    pub(super) fn parameters(&self, space: &Space, replications: &Range<u32>, start: &Start) -> SpaceParameters {
        let [width, height, depth] = space.size().map(|n| n as i32);
        let mut offsets = [[0; 4]; MOST_NEIGHBOURS];
        offsets.iter_mut().zip(space.offsets()).for_each(|(to, &[x, y, z])| *to = [x, y, z, 0]);
        let other_planes = space.offsets().iter().any(|offset| offset[2] != 0);
        let furthest = space.offsets().iter().flat_map(|&[x, y, _]| [x.abs(), y.abs()]).max().unwrap_or(0);
        let count = replications.len() as u32;
        let three = |[x, y, z]: [i32; 3]| [x, y, z, 0];
        SpaceParameters {
            size: [width, height, depth, i32::from(space.border() == Border::Wrapped)],
            tile: self.tile,
            across: self.across,
            planes: self.planes,
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
            parts: self.parts,
            unused: [0; 2],
            offsets,
        }
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
            // The times of blocks, and behind them the work of each; the words before them are few.
            BufferSpec::storage("fronts", fronts, 4).placed(Placement::equal_lists(2)),
            BufferSpec::storage("cells", slots * self.words as u64, 4).placed(Placement::equal_lists(self.words)),
            BufferSpec::filled("space", BufferUse::Uniform, bytemuck::bytes_of(&parameters).to_vec()),
            BufferSpec::filled("cell_seed", BufferUse::Uniform, StreamKey::base(model.seed()).to_le_bytes().to_vec()),
            BufferSpec::filled("starts", BufferUse::Storage, start.contents),
        ];
        if let Some(lookaheads) = self.lookaheads() {
            buffers.push(BufferSpec::filled("lookaheads", BufferUse::Storage, lookaheads));
        }
        buffers.extend(self.log.as_ref().map(LogRoom::buffer));
        if start.differing > 0 {
            buffers.push(BufferSpec::words("differences", &start.differences));
        }
        buffers.extend(kernels.buffers);
        buffers
    }

    /// The words of `shaders/cells/uneven.wgsl`: the least lookahead around each slot, and the greatest of each block.
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
}

/// The constants of the kernels of every model of cells.
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
    use tickless_kernels::layout::assert_mirror;

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
                planes,
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
                parts,
                offsets,
            ]
        );
    }
}
