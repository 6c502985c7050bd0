//! What the kernels of logical processes keep, mirrored from `shaders/processes/`.

use crate::processes::{PholdModel, Remote};

/// The fault word's bits, which a process that fails also leaves in place of what it has executed.
pub(super) const FAULT_LOOKAHEAD: u32 = 1;
pub(super) const FAULT_DESTINATION: u32 = 2;
pub(super) const FAULT_TIME: u32 = 4;
pub(super) const FAULT_MESSAGES: u32 = 8;
pub(super) const FAULT_START: u32 = 16;
pub(super) const FAULT_MOST_SENT: u32 = 32;
pub(super) const FAULT_OUTSIDE: u32 = 64;
pub(super) const FAULT_STATE: u32 = 128;

/// A process, `shaders/processes/records.wgsl`.
#[derive(Clone, Copy, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct Process {
    /// Of its set: where it begins, a place in a ring or a root; its events; of a tree free slots and the earliest event.
    pub(super) top: u32,
    pub(super) count: u32,
    pub(super) free: u32,
    pub(super) least: u32,
    /// Of its stream; of one that has failed what it failed by.
    pub(super) state: u64,
    pub(super) now: u64,
    pub(super) executed: u64,
    pub(super) sent: u32,
    pub(super) word: u32,
}

/// `Parameters` of `shaders/processes/records.wgsl`.
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct Parameters {
    pub(super) key: u64,
    pub(super) lookahead: u64,
    pub(super) processes: u32,
    pub(super) slots: u32,
    pub(super) outbox: u32,
    pub(super) most_sent: u32,
    pub(super) events: u32,
    pub(super) starting: u32,
    pub(super) state_words: u32,
    pub(super) first: u32,
    pub(super) own: u32,
    pub(super) border: u32,
}

/// `Phold` of `shaders/processes/phold.wgsl`.
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct Phold {
    pub(super) mean: u64,
    pub(super) threshold: u32,
    pub(super) remote: u32,
    pub(super) population: u32,
    pub(super) work: u32,
    pub(super) unused: [u32; 2],
}

impl From<&PholdModel> for Phold {
    fn from(model: &PholdModel) -> Self {
        let (remote, threshold) = match model.remote() {
            Remote::Never => (0, 0),
            Remote::Below(threshold) => (1, threshold),
            Remote::Always => (2, 0),
        };
        let (mean, population, work) = (model.mean().ticks(), model.population(), model.work());
        Self { mean, threshold, remote, population, work, unused: [0; 2] }
    }
}
