//! The sizes of all buffers on a device, and the parts that the engine runs.

use super::near::NearSizes;
use super::options::{OpenList, SearchOptions};
use super::records::{Parameters, Search, Status, TILE_CELLS, WORK_WORDS, slot, tiles};
use crate::map::STEPS;
use crate::{Cell, Corners, Map, PathfindingError};
use tickless_core::memory::{self, NoMemory};
use tickless_core::time::Time;
use tickless_device::{self as device, AdapterDescription, AdapterKind, BufferSpec, BufferUse, DeviceError};
use tickless_engine::pending::PendingSet;
use tickless_engine::{ModelParts, ModelStatus, Sizes, Stage, StageKernel, Work, workgroup};
use tickless_kernels::Mounts;

/// Bytes of a word of an open list.
const WORD: u64 = 16;
/// The most searches at once: as many threads as the largest GPUs have at work.
const MOST_AT_ONCE: u32 = 1 << 17;
/// The same where a search has a workgroup.
const GROUPS_AT_ONCE: u32 = 1 << 13;
/// The same on a software adapter, where the costs of the searches at work should fit the caches.
const AT_ONCE_IN_SOFTWARE: u32 = 64;
/// Threads of a workgroup: few, so that a multiprocessor has more workgroups.
const THREADS: u32 = 64;
/// Expansions of a thread in a round.
const EXPANSIONS: u32 = 512;
/// The same for a workgroup of a GPU: some milliseconds.
const EXPANSIONS_TOGETHER: u32 = 4096;

/// Slots are numbered by 32 bits.
const MOST_SLOTS: u64 = 1 << 31;

/// Rules that do not change between batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rules {
    pub(super) corners: Corners,
    pub(super) expand: u32,
    pub(super) paths: bool,
}

/// How much of everything there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    rules: Rules,
    pub(super) list: OpenList,
    /// The cost of all free cells, where it is the same.
    even: Option<u8>,
    across: u32,
    pub(super) tiles: u32,
    /// Searches at once, each with a thread or a workgroup.
    pub(super) at_once: u32,
    /// Slots of each open list.
    pub(super) slots: u32,
    expansions: u32,
    /// Searches of a pass.
    pub(super) batch: u32,
    pub(super) path_room: u32,
}

impl Layout {
    /// The layout for batches of up to `searches` searches, with `more` times the usual room of open lists.
    ///
    /// # Errors
    /// Where not a single search fits the adapter.
    pub(super) fn new(
        map: &Map,
        rules: Rules,
        options: &SearchOptions,
        [batch, more]: [u32; 2],
        adapter: &AdapterDescription,
    ) -> Result<Self, PathfindingError> {
        let list = options.open_list.resolved(rules.expand, map, adapter.kind);
        if matches!(list.set(), PendingSet::GlobalHeap | PendingSet::Unsorted) {
            return Err(PathfindingError::NoOpenList { set: list.set().name() });
        }
        let [across, tiles] = tiles(map);
        let most = adapter.capabilities.buffer_size.min(adapter.capabilities.binding_size);
        let batch = batch.min((most / size_of::<Search>() as u64).min(u32::MAX.into()) as u32).max(1);
        // A way across the map and back, for each search of a batch.
        let words = u64::from(batch) * u64::from(map.width() + map.height()) / 4;
        let path_room = if rules.paths { words.clamp(1 << 10, (most / 8).min(u32::MAX.into())) as u32 } else { 1 };
        let each =
            if list.is_parallel() && adapter.kind != AdapterKind::Software { EXPANSIONS_TOGETHER } else { EXPANSIONS };
        let expansions = options.expansions.unwrap_or(each).clamp(1, 1 << 30);
        let slots = slots(map, rules.expand, list, options.room, more, most);
        let even = even_cost(map);
        let layout = Self { rules, list, even, across, tiles, at_once: 1, slots, expansions, batch, path_room };
        let at_once = layout.fitting(map, options, adapter, most)?;
        // The request has been checked against the memory of the host.
        let shared = matches!(adapter.kind, AdapterKind::Software | AdapterKind::Integrated);
        Ok(Self { at_once: if shared { (at_once / more).max(1) } else { at_once }, ..layout })
    }

    /// Searches at once: the default or the number asked for, as far as they fit.
    fn fitting(
        &self,
        map: &Map,
        options: &SearchOptions,
        adapter: &AdapterDescription,
        most: u64,
    ) -> Result<u32, PathfindingError> {
        let [costs, cells, messages] = self.bytes_each();
        let largest = costs.max(cells).max(messages);
        // 32 bits number the words of all searches.
        let numbered = u64::from(u32::MAX) / (costs / 4).max(cells / WORD);
        // Through CUDA a buffer may be as large as the card's memory, which all share; an eighth is left to others.
        let together = match adapter.backend.as_str() {
            "cuda" => (most - most / 8).saturating_sub(4 * u64::from(self.path_room)) / (costs + cells + messages),
            _ => u64::MAX,
        };
        let fits = (most / largest).min(numbered).min(together);
        if fits == 0 {
            return Err(no_room(map, largest, most, adapter));
        }
        let suits = match (adapter.kind == AdapterKind::Software, self.list.is_parallel()) {
            (true, _) => AT_ONCE_IN_SOFTWARE,
            (false, false) => MOST_AT_ONCE,
            (false, true) => GROUPS_AT_ONCE,
        };
        Ok(options.at_once.unwrap_or(suits).min(fits as u32).clamp(1, self.batch))
    }

    /// Bytes of a search in each buffer whose size grows with the searches at once.
    fn bytes_each(&self) -> [u64; 3] {
        let costs = u64::from(self.tiles) * u64::from(TILE_CELLS) * 4;
        let cells = u64::from(self.slots) * u64::from(self.list.set().slot_words(false)) * WORD;
        let messages = if self.collects() { u64::from(8 * self.rules.expand) * 2 * WORD } else { 0 };
        [costs, cells, messages]
    }

    /// Whether a search that has outgrown its open list in another layout may find room in this one.
    ///
    /// # Errors
    /// Where open lists cannot be larger.
    pub(super) fn has_grown(
        &self,
        other: &Self,
        map: &Map,
        adapter: &AdapterDescription,
    ) -> Result<(), PathfindingError> {
        if self.slots > other.slots {
            return Ok(());
        }
        let most = adapter.capabilities.buffer_size.min(adapter.capabilities.binding_size);
        let [_, cells, _] = self.bytes_each();
        Err(no_room(map, cells.saturating_mul(2), most, adapter))
    }

    /// The same layout with room for this many words of paths.
    pub(super) fn with_path_room(self, words: u32) -> Self {
        Self { path_room: self.path_room.max(words), ..self }
    }

    /// Whether the kernels suit a map.
    pub(super) fn suits(&self, map: &Map) -> bool {
        self.even.is_none() || self.even == even_cost(map)
    }

    /// The kernels and buffers.
    ///
    /// # Errors
    /// Sizes that are not allowed; too little memory.
    pub(super) fn parts(
        &self,
        map: &Map,
        options: &SearchOptions,
        adapter: &AdapterDescription,
    ) -> Result<ModelParts, PathfindingError> {
        let together = self.list.is_parallel();
        let mut constants = format!(
            "const EXPAND: u32 = {}u;\nconst EVEN_COST: u32 = {}u;\n",
            self.rules.expand,
            self.even.unwrap_or(0)
        );
        let workgroup = if self.list == OpenList::NearFar {
            let near = NearSizes::new(self.batch, self.rules.expand, adapter, &options.rounds)?;
            let middle = near.middle(self.slots);
            constants += &format!("const NEAR_ROOM: u32 = {}u;\nconst MIDDLE: u32 = {middle}u;\n", near.room);
            near.threads
        } else {
            workgroup(if together { in_rings(map) } else { THREADS }, adapter, &options.rounds)?
        };
        let mounts = self.mounts();
        let kernel = |label| StageKernel::new(label, &mounts).with_constants(&constants);
        let advance = if together { "pathfinding/advance_together" } else { "pathfinding/advance" };
        let stage = |label, workgroups| Stage { kernel: kernel(label), work: Work::Workgroups(workgroups) };
        Ok(ModelParts {
            label: "searches",
            entities: 1,
            lookahead: Time::ZERO,
            sizes: Sizes { workgroup, elements: 1, blocks: 1 },
            buffers: self.buffers(map)?,
            first: vec![],
            round: vec![
                stage(advance, if together { self.at_once } else { self.at_once.div_ceil(workgroup) }),
                stage("pathfinding/tally", 1),
            ],
            rounds_each: 1,
            status: ModelStatus::new("pathfinding/status", &Status::default()),
            last: vec![],
            results: vec![],
        })
    }

    fn mounts(&self) -> Mounts {
        let open_list = if self.list == OpenList::NearFar { "pathfinding/near_far" } else { "pathfinding/whole_ring" };
        self.list
            .set()
            .mounts(false)
            .with("open_list", open_list)
            .with("terrain", if self.even.is_some() { "pathfinding/even" } else { "pathfinding/weighted" })
            .with("discovery", if self.collects() { "pathfinding/collected" } else { "pathfinding/inserted" })
            .with("trails", if self.rules.paths { "pathfinding/trail" } else { "pathfinding/no_trail" })
    }

    /// Whether the cells of a step go into an open list together.
    fn collects(&self) -> bool {
        self.list == OpenList::Set(PendingSet::CircularSinglePass)
    }

    fn buffers(&self, map: &Map) -> Result<Vec<BufferSpec>, NoMemory> {
        let parameters = Parameters {
            across: self.across,
            tiles: self.tiles,
            at_once: self.at_once,
            slots: self.slots,
            expansions: self.expansions,
            path_room: self.path_room,
            unused: [0; 2],
        };
        let at_once = u64::from(self.at_once);
        let words = u64::from(WORK_WORDS + self.tiles.div_ceil(32));
        let cells = u64::from(self.tiles) * u64::from(TILE_CELLS);
        let list = u64::from(self.slots) * u64::from(self.list.set().slot_words(false));
        let mut buffers = vec![
            BufferSpec::filled("parameters", BufferUse::Uniform, bytemuck::bytes_of(&parameters).to_vec()),
            BufferSpec::filled("cells", BufferUse::Storage, self.cells(map)?),
            BufferSpec::storage("searches", self.batch.into(), size_of::<Search>() as u64),
            BufferSpec::storage("costs", at_once * cells, 4),
            BufferSpec::storage("works", at_once * words, 4),
            BufferSpec::storage("slots", at_once * list, WORD),
        ];
        if self.collects() {
            let messages = at_once * u64::from(8 * self.rules.expand);
            buffers.push(BufferSpec::storage("messages", messages, 2 * WORD));
        }
        if self.rules.paths {
            buffers.push(BufferSpec::storage("paths", self.path_room.into(), 4));
        }
        Ok(buffers)
    }

    /// The bytes of a cell in `cells`.
    fn cell_bytes(&self) -> usize {
        if self.even.is_some() { 1 } else { 2 }
    }

    /// The words of all cells for the kernels.
    fn cells(&self, map: &Map) -> Result<Vec<u8>, NoMemory> {
        let each = self.cell_bytes();
        let mut cells = memory::filled(0, self.tiles as usize * TILE_CELLS as usize * each, "the map of a device")?;
        let moves = map.moves(self.rules.corners)?;
        for (id, (moves, cost)) in moves.into_iter().zip(map.costs()).enumerate() {
            let place = each * slot(map.cell(id), self.across);
            cells[place] = moves;
            if each == 2 {
                cells[place + 1] = *cost;
            }
        }
        Ok(cells)
    }

    /// The words of a changed cell and of its neighbours, and their places in `cells`. `before` has the words before the
    /// change.
    pub(super) fn changed(&self, map: &Map, cell: Cell, before: &mut [u8]) -> Vec<usize> {
        let each = self.cell_bytes();
        let around = STEPS.into_iter().chain([(0, 0)]).filter_map(|(columns, rows)| {
            let column = cell.column.wrapping_add_signed(columns);
            let near = Cell { column, row: cell.row.wrapping_add_signed(rows) };
            map.cost(near).map(|cost| (near, cost))
        });
        let mut words: Vec<usize> = around
            .map(|(near, cost)| {
                let place = each * slot(near, self.across);
                before[place] = map.moves_from(near, self.rules.corners);
                if each == 2 {
                    before[place + 1] = cost;
                }
                place / 4
            })
            .collect();
        words.sort_unstable();
        words.dedup();
        words
    }
}

/// Slots of each open list, with `more` times the usual room or the room asked for, as far as it fits.
fn slots(map: &Map, expand: u32, list: OpenList, asked: Option<u32>, more: u32, most: u64) -> u32 {
    // While cells move between the parts of a list, a cell may have two slots.
    let each = if list == OpenList::NearFar { 2 } else { 1 };
    let step = each * u64::from(8 * expand) + u64::from(list.set().spare());
    let first = each * u64::from(asked.unwrap_or(2 * (map.width() + map.height())).max(1));
    if more == 1 {
        // A cell is seldom added again from each of its neighbours.
        let room = first.min(each * 8 * map.costs().len() as u64);
        return (room + step).next_multiple_of(4).min(MOST_SLOTS) as u32;
    }
    let fits = (most / WORD / u64::from(list.set().slot_words(false))).min(MOST_SLOTS);
    (first * u64::from(more) + step).next_multiple_of(4).min(fits / 4 * 4) as u32
}

fn no_room(map: &Map, asked: u64, available: u64, adapter: &AdapterDescription) -> PathfindingError {
    let what = format!("a search on a map of {} x {} cells", map.width(), map.height());
    // The bytes asked for grow with the cells.
    let cells = map.costs().len() as u128 * u128::from(available) / u128::from(asked.max(1));
    let remedy = format!(": use a map of some {0} x {0} cells, or --backend heap", cells.isqrt());
    let (asked, available) = (device::bytes(asked), device::bytes(available));
    DeviceError::Limit { what, asked, available, adapter: adapter.name.clone(), remedy }.into()
}

/// Threads of a workgroup whose search has a ring: all open cells are moved, and larger maps have more.
fn in_rings(map: &Map) -> u32 {
    ((map.width() + map.height()) / 8).next_power_of_two().clamp(32, 256)
}

/// The cost of all free cells, if it is the same.
fn even_cost(map: &Map) -> Option<u8> {
    let least = map.least_cost();
    map.costs().iter().all(|&cost| cost == 0 || cost == least).then_some(least)
}
