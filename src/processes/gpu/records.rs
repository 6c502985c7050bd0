//! Records of the kernels of logical processes, mirrored from `shaders/processes/`.

use crate::{PholdModel, Remote};
use tickless_device::PAGE_OF_SEVERAL;
use tickless_kernels::layout::mirrors;

/// Inboxes have at most 2^this words each: words between them are fetched, too.
const MOST_INBOX_SHIFT: u32 = 4;

/// The fault word's bits; a process that fails also leaves them in place of its count of executed events.
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
    /// The state of its stream; where it has failed, the value of its fault.
    pub(super) state: u64,
    pub(super) now: u64,
    pub(super) executed: u64,
    pub(super) sent: u32,
    pub(super) word: u32,
}

mirrors! {
    /// `Parameters` of `shaders/processes/records.wgsl`.
    pub(super) struct Parameters in "processes/records" "Parameters" {
        pub(super) key: u64,
        pub(super) lookahead: u64,
        pub(super) processes: u32,
        pub(super) slots: u32,
        pub(super) outbox: u32,
        pub(super) most_sent: u32,
        pub(super) events: u32,
        pub(super) starting: u32,
        pub(super) state_words: u32,
        pub(super) inbox_shift: u32,
    }

    /// `Phold` of `shaders/processes/phold.wgsl`.
    pub(super) struct Phold in "processes/phold" "Phold" {
        pub(super) mean: u64,
        pub(super) threshold: u32,
        pub(super) remote: u32,
        pub(super) population: u32,
        pub(super) work: u32,
        pub(super) unused: [u32; 2],
    }
}

/// Each inbox has 2^shift words: the fewest with which each of several GPUs has at least a page of inboxes; 1 where 16 words are too
/// few.
pub(super) fn inbox_shift(processes: u32, gpus: u32) -> u32 {
    let bytes = |shift: u32| (4 * u64::from(processes)) << shift;
    let is_cut = |shift: &u32| bytes(*shift) >= u64::from(gpus) * PAGE_OF_SEVERAL;
    let shifts = if gpus > 1 { 0..=MOST_INBOX_SHIFT } else { 0..=0 };
    shifts.into_iter().find(is_cut).unwrap_or(0)
}

/// Inboxes of 2^shift words each, with these contents.
pub(super) fn spread_inboxes(contents: &[u32], shift: u32) -> Vec<u32> {
    let mut words = vec![0; contents.len() << shift];
    words.iter_mut().step_by(1 << shift).zip(contents).for_each(|(word, content)| *word = *content);
    words
}

/// The contents of the inboxes.
pub(super) fn gathered_inboxes(words: Vec<u32>, shift: u32) -> Vec<u32> {
    if shift == 0 { words } else { words.into_iter().step_by(1 << shift).collect() }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inboxes_of_several_gpus_are_a_page_or_more_on_each() {
        let shifts = |gpus: u32| [1 << 12, 1 << 18, 1 << 20, 1 << 24].map(|processes| inbox_shift(processes, gpus));
        assert_eq!(shifts(1), [0; 4]);
        assert_eq!(shifts(2), [0, 2, 0, 0]);
        assert_eq!(shifts(4), [0, 3, 1, 0]);
        for shift in [0, 1, 4] {
            let words = spread_inboxes(&[7, 8, 9], shift);
            assert_eq!((words.len(), words[2 << shift]), (3 << shift, 9));
            assert_eq!(gathered_inboxes(words, shift), [7, 8, 9]);
        }
    }
}
