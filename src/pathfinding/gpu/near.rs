//! The threads of a search with near and far cells, and the number of its near cells.

use tickless_device::{AdapterDescription, AdapterKind, DeviceError};
use tickless_engine::{Options, refused, workgroup};

/// The most threads: near and far cells lie in their workgroup's memory.
const MOST_THREADS: u32 = 256;
/// Moves from a cell.
const MOVES: u32 = 8;

/// The sizes of a workgroup. Near cells are enough for several steps; the more there are, the more seldom all far cells are
/// looked at, which takes long where many paths cost nearly the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NearSizes {
    pub(super) threads: u32,
    /// Room for near cells, a power of two: places in their ring are counted past 2^32.
    pub(super) room: u32,
}

impl NearSizes {
    /// The sizes for a batch of `searches` searches that expand `expand` cells a step. Many searches keep a GPU at work, and
    /// are faster with fewer threads and less memory each; a few searches should each end soon (measured:
    /// docs/notebook/others.md).
    ///
    /// # Errors
    /// A number of threads that is not allowed.
    pub(super) fn new(
        searches: u32,
        expand: u32,
        adapter: &AdapterDescription,
        options: &Options,
    ) -> Result<Self, DeviceError> {
        let most = match searches {
            _ if adapter.kind == AdapterKind::Software => 1,
            0..=2048 => 4,
            2049..=8192 => 2,
            _ => 1,
        };
        let suited = |times| Self::suited(times, expand, adapter);
        let fits = |times: &u32| suited(*times).memory(expand) <= adapter.capabilities.workgroup_memory;
        let Self { threads, room } = suited([4, 2].into_iter().filter(|times| *times <= most).find(fits).unwrap_or(1));
        let threads = workgroup(threads, adapter, options)?;
        if threads > MOST_THREADS {
            let available = "a power of two from 32 to 256";
            return Err(refused("threads in a workgroup of near-far", threads, available, adapter));
        }
        Ok(Self { threads, room })
    }

    /// The number of middle cells, about; 0 in lists so short that none are needed.
    pub(super) fn middle(self, slots: u32) -> u32 {
        let middle = 4 * self.room;
        if slots > 5 * middle { middle } else { 0 }
    }

    /// `times` the sizes of each of many searches. A workgroup is at least as large as a subgroup.
    fn suited(times: u32, expand: u32, adapter: &AdapterDescription) -> Self {
        let cells = expand.next_power_of_two();
        let least = adapter.capabilities.subgroup_size.clamp(32, 64);
        Self { threads: (2 * times * cells).clamp(least, MOST_THREADS), room: (8 * times * cells).max(128) }
    }

    /// Bytes of a workgroup's memory: those of `shaders/pathfinding/near.wgsl` and `expand_together.wgsl`, a reduction, and
    /// 256 more for words between lanes.
    fn memory(self, expand: u32) -> u32 {
        let drawn = 1 + 32 / self.threads;
        let noted = (MOVES * expand).max((drawn + 1) * self.threads);
        16 * (self.room + noted + self.threads) + 8 * self.threads + (20 * MOVES + 16) * expand + 256
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tickless_device::Capabilities;

    fn sizes(searches: u32, expand: u32, memory: u32) -> [u32; 2] {
        let mut adapter = AdapterDescription::imagined(false, 0);
        adapter.capabilities = Capabilities { workgroup_memory: memory, ..adapter.capabilities };
        let NearSizes { threads, room } = NearSizes::new(searches, expand, &adapter, &Options::default()).unwrap();
        [threads, room]
    }

    #[test]
    fn few_searches_have_more_threads_each_where_memory_allows() {
        assert_eq!(sizes(100_000, 8, 16_384), [32, 128]);
        assert_eq!(sizes(100_000, 32, 16_384), [64, 256]);
        assert_eq!(sizes(8192, 32, 32_768), [128, 512]);
        assert_eq!(sizes(2048, 32, 49_152), [256, 1024]);
        assert_eq!(sizes(2048, 32, 32_768), [128, 512]);
        assert_eq!(sizes(2048, 32, 16_384), [64, 256]);
        assert_eq!(sizes(2048, 8, 16_384), [64, 256]);
    }

    #[test]
    fn the_smallest_sizes_fit_every_adapter() {
        for (expand, subgroup_size) in (1..=32).flat_map(|expand| [0, 32, 64].map(|size| (expand, size))) {
            let adapter = AdapterDescription::imagined(false, subgroup_size);
            let sizes = NearSizes::suited(1, expand, &adapter);
            assert!(sizes.threads >= subgroup_size && sizes.memory(expand) <= 16_384, "{expand}, {subgroup_size}");
        }
    }
}
