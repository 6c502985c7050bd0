//! A block of the processes on a device, whose other processes are with other ranks: what of a program differs for that.

use tickless_engine::{ModelStatus, Stage, StageKernel};
use tickless_kernels::Mounts;

/// Threads that take in what has come: each takes several messages where there are more.
const THREADS: u32 = 1 << 16;
/// Messages that may come or go at once, at the least.
const LEAST: u32 = 1 << 10;

/// Which processes are here. A [`DeviceModel`](super::DeviceModel) of a block has as many as the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Border {
    pub(super) first: u32,
    /// How many there are on all ranks.
    pub(super) all: u32,
}

/// `ModelStatus` of `shaders/processes/border_status.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct BorderStatus {
    pub(super) exports: u32,
    pub(super) waiting: u32,
    pub(super) imports: u32,
    pub(super) unused: u32,
}

impl BorderStatus {
    pub(super) fn module() -> ModelStatus {
        ModelStatus::new("processes/border_status", &Self::default())
    }
}

/// Messages behind outboxes of so many places in all: one for each that a round can send. What comes in lies there, too, before
/// the next round begins.
pub(super) fn room(outboxes: u64) -> u64 {
    outboxes.max(LEAST.into())
}

/// What stands for the choices of a block.
pub(super) fn mounts(mounts: Mounts) -> Mounts {
    mounts.with("border", "processes/border").with("outgoing", "processes/exports")
}

/// Puts what has come into inboxes.
pub(super) fn take_in(kernel: StageKernel, room: u64) -> Stage {
    let threads = room.min(THREADS.into()) as u32;
    Stage::of_threads(kernel.with_constants(&format!("const IMPORT_THREADS: u32 = {threads}u;\n")), threads)
}
