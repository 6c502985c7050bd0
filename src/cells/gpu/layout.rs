//! The layout of a cell space on a device.

use super::log::LogRoom;
use super::model::DeviceCells;
use super::options::CellOptions;
use super::reach::Reach;
use crate::replications::Replications;
use crate::{CellError, CellModel as _};
use tickless_device::{AdapterDescription, AdapterKind, DeviceError};
use tickless_engine::{Sizes, workgroup};

/// Cells of a block, as in `shaders/cells/space.wgsl`.
pub(super) const BLOCK: u32 = 64;
/// The most threads for which 16 KiB of workgroup memory, which every adapter has, are enough.
const LARGEST_WORKGROUP: u32 = 256;
/// Rows of a block, where the space has as many.
const ROWS: u32 = 8;
/// Rows of a block in models of fronts, whose area around the block should stay small.
const ROWS_OF_FRONTS: u32 = 4;
/// Workgroups of all replications on a GPU: each passes over the least times of its own blocks and of the groups of its replication.
const GROUPS: u32 = 384;
/// The same where there are many replications or much work in each cell, so that every multiprocessor has work.
const GROUPS_OF_MANY: u32 = 2048;
/// The same for models of fronts, where a block has a workgroup to itself. The number is a prime: a group has every n-th block, and if
/// all of these lay in one column, a front along it would leave the other groups without work.
const GROUPS_OF_FRONTS: u32 = 397;
/// The same where there are many replications.
const GROUPS_OF_MANY_FRONTS: u32 = 4096;
/// The same on a software adapter, where every barrier of every thread costs.
const GROUPS_IN_SOFTWARE: u32 = 16;
/// The most blocks that fit a number of `shaders/cells/departure.wgsl`.
const MOST_BLOCKS: u64 = 1 << 30;
/// The most words that 32 bits can number.
const MOST_WORDS: u64 = 1 << 32;

/// The treatment of the events of cells in kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scheme {
    /// First passages, in no order; a log is written from their times at the end.
    FirstPassages,
    /// One event of a cell after the other, with room for a log or without.
    InOrder { logged: bool },
}

/// The layout of a model on an adapter.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Columns of a block as a logarithm, and rows.
    pub(super) tile: [u32; 2],
    pub(super) across: u32,
    /// Planes of the space: a row of blocks of each plane follows that of the plane before.
    pub(super) planes: u32,
    /// Blocks of a replication.
    pub(super) blocks: u32,
    /// Workgroups of a replication.
    pub(super) groups: u32,
    /// The parts into which its blocks and groups are cut: one for each GPU where there is one replication.
    pub(super) parts: u32,
    /// Replications that run at once.
    pub(super) at_once: u32,
    pub(super) workgroup: u32,
    /// Words of a cell: those of the model, and all.
    pub(super) kept: usize,
    pub(super) words: usize,
    pub(super) reach: Reach,
    /// The room for a log, if there is one.
    pub(super) log: Option<LogRoom>,
}

impl Layout {
    /// # Errors
    /// A space of which not a single replication fits the adapter.
    pub(super) fn new(
        model: &Replications<'_, impl DeviceCells>,
        options: &CellOptions,
        adapter: &AdapterDescription,
        scheme: Scheme,
    ) -> Result<Self, CellError> {
        let logged = scheme == Scheme::InOrder { logged: true };
        let space = model.space();
        let (tile, [across, down]) = blocks_of(space.size(), if model.fronts().is_some() { ROWS_OF_FRONTS } else { 1 });
        let blocks = u64::from(across) * u64::from(down) * u64::from(space.size()[2]);
        let kept = model.state_words() + model.output_words();
        let words = kept + 3 + if model.elapsed() { 2 } else { 0 };
        let fitting = fitting(blocks, words as u64, adapter)?;
        // A log takes one replication after the other.
        let at_once = if logged { 1 } else { options.at_once.unwrap_or(u32::MAX).max(1) };
        let at_once = at_once.min(fitting).min(model.count());
        let blocks = blocks as u32;
        let software = adapter.kind == AdapterKind::Software;
        let groups = match at_once {
            _ if software => GROUPS_IN_SOFTWARE / at_once,
            ..8 if model.fronts().is_some() => GROUPS_OF_FRONTS.saturating_mul(adapter.gpus) / at_once,
            ..8 => GROUPS.saturating_mul(adapter.gpus) / at_once,
            _ if model.fronts().is_some() => GROUPS_OF_MANY_FRONTS.saturating_mul(adapter.gpus) / at_once,
            _ => GROUPS_OF_MANY.saturating_mul(adapter.gpus) / at_once,
        };
        let parts = options.parts.unwrap_or(if at_once == 1 { adapter.gpus } else { 1 }).clamp(1, blocks);
        let groups = parts * (options.groups.unwrap_or(groups) / parts).clamp(1, blocks / parts);
        // A block needs a thread for each of its cells.
        let workgroup = workgroup(LARGEST_WORKGROUP, adapter, &options.rounds)?.clamp(BLOCK, LARGEST_WORKGROUP);
        let reach = if scheme == Scheme::FirstPassages { Reach::nowhere() } else { Reach::new(model) };
        let round = u64::from(blocks.div_ceil(groups)) * u64::from(BLOCK);
        let log = logged.then(|| LogRoom::new(model, options, adapter, round, groups)).transpose()?;
        let planes = space.size()[2];
        Ok(Self { tile, across, planes, blocks, groups, parts, at_once, workgroup, kept, words, reach, log })
    }

    /// Slots of `replications` replications.
    pub(super) fn slots(&self, replications: u32) -> u32 {
        self.blocks * BLOCK * replications
    }

    /// Column, row and plane of the cell in a slot of a replication of this size; `None` where the slot has no cell.
    pub(super) fn place(&self, slot: u32, [width, height, _]: [u32; 3]) -> Option<[u32; 3]> {
        let ([columns, rows], block) = (self.tile, slot / BLOCK);
        let (z, row) = (block / self.across % self.planes, block / self.across / self.planes);
        let x = ((block % self.across) << columns) + slot % (1 << columns);
        let y = row * rows + ((slot % BLOCK) >> columns);
        (x < width && y < height).then_some([x, y, z])
    }

    /// The slot of a cell within its replication.
    pub(super) fn slot(&self, [x, y, z]: [u32; 3]) -> u32 {
        let [columns, rows] = self.tile;
        let block = (y / rows * self.planes + z) * self.across + (x >> columns);
        block * BLOCK + ((y % rows) << columns) + x % (1 << columns)
    }

    /// The place of the bounds in `fronts`, in times, for a number of replications.
    pub(super) fn bounds_at(&self, replications: u32) -> usize {
        (self.groups as usize + self.blocks as usize) * replications as usize
    }

    /// Every dispatch gives its own number of workgroups.
    pub(super) fn sizes(&self) -> Sizes {
        Sizes { workgroup: self.workgroup, elements: 1, blocks: 1 }
    }
}

/// Columns of a block as a logarithm and its rows, at least `least_rows`; blocks across a plane, and down.
fn blocks_of([width, height, _]: [u32; 3], least_rows: u32) -> ([u32; 2], [u32; 2]) {
    let rows = height.next_power_of_two().clamp(least_rows, ROWS);
    ([(BLOCK / rows).ilog2(), rows], [width.div_ceil(BLOCK / rows), height.div_ceil(rows)])
}

/// How many replications fit the adapter.
///
/// # Errors
/// Where not a single one fits.
fn fitting(blocks: u64, words: u64, adapter: &AdapterDescription) -> Result<u32, DeviceError> {
    let limits = &adapter.capabilities;
    let largest = limits.buffer_size.min(limits.binding_size);
    let slots = blocks * u64::from(BLOCK);
    // The words of all cells are the largest buffer, or their plans.
    let most = (largest / (words.max(2) * 4) / slots).min(MOST_WORDS / words.max(1) / slots).min(MOST_BLOCKS / blocks);
    if most == 0 {
        let what = format!("the {words} words of each of {slots} cells");
        let is_numbered = slots * words <= MOST_WORDS && blocks <= MOST_BLOCKS;
        // There may be memory enough, but too few numbers for the words.
        let [asked, available] = match is_numbered {
            true => [slots * words * 4, largest].map(tickless_device::bytes),
            false => [slots * words, MOST_WORDS].map(|words| format!("{words} words")),
        };
        return Err(DeviceError::Limit {
            what,
            asked,
            available,
            adapter: adapter.name.clone(),
            remedy: ": use a smaller space, or run it on the heap".into(),
        });
    }
    Ok(u32::try_from(most).unwrap_or(u32::MAX).min(u32::MAX / slots as u32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Border, Space};

    /// Every cell has a slot of its own, and other slots have no cell.
    #[test]
    fn slots_and_places_match() {
        for size in [[1, 1, 1], [7, 3, 2], [64, 9, 1], [33, 70, 3]] {
            let space = Space::new(size, Border::Open, vec![]).unwrap();
            let (tile, [across, down]) = blocks_of(size, 1);
            let blocks = across * down * size[2];
            let (at_once, reach) = (1, Reach::nowhere());
            let layout = Layout {
                tile,
                across,
                planes: size[2],
                blocks,
                groups: 1,
                parts: 1,
                at_once,
                workgroup: 64,
                kept: 0,
                words: 0,
                reach,
                log: None,
            };
            let cells: Vec<u32> = (0..layout.slots(1))
                .filter_map(|slot| layout.place(slot, size))
                .map(|place| space.cell(place))
                .collect();
            assert_eq!(cells.len(), space.cells() as usize, "{size:?}");
            for id in 0..space.cells() {
                assert_eq!(layout.place(layout.slot(space.place(id)), size), Some(space.place(id)), "{size:?}");
            }
        }
    }

    /// Where memory would be enough, the message names the numbers of words.
    #[test]
    fn what_is_lacking_is_said() {
        let mut adapter = AdapterDescription::imagined(true, 32);
        let said = |blocks: u64, adapter: &AdapterDescription| fitting(blocks, 15, adapter).unwrap_err().to_string();
        let memory = said((1 << 28) / u64::from(BLOCK), &adapter);
        assert!(memory.contains("15.0 GiB asked"), "{memory}");
        (adapter.capabilities.buffer_size, adapter.capabilities.binding_size) = (1 << 37, 1 << 37);
        let numbers = said((1 << 29) / u64::from(BLOCK), &adapter);
        assert!(numbers.contains("8053063680 words asked, 4294967296 words available"), "{numbers}");
    }
}
