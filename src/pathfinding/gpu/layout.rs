//! How much of everything there is on a device, and the parts that the engine runs.

use super::options::SearchOptions;
use super::records::{Parameters, Search, Status, TILE_CELLS, WORK_WORDS, slot, tiles};
use crate::device::{self, AdapterDescription, AdapterKind, BufferSpec, BufferUse, DeviceError};
use crate::engine::{ModelParts, ModelStatus, Sizes, Stage, StageKernel, Work, workgroup};
use crate::kernels::Mounts;
use crate::memory::{self, NoMemory};
use crate::pathfinding::map::STEPS;
use crate::pathfinding::{Cell, Corners, Map, PathfindingError};
use crate::pending::PendingSet;
use crate::time::Time;

/// Bytes of a word of an open list.
const WORD: u64 = 16;
/// The most searches at once: as many threads as the largest GPUs have at work.
const MOST_AT_ONCE: u32 = 1 << 17;
/// The same where a workgroup has a search.
const GROUPS_AT_ONCE: u32 = 1 << 13;
/// The same in software, where the costs of those at work should fit the caches.
const AT_ONCE_IN_SOFTWARE: u32 = 64;
/// Threads of a workgroup: one multiprocessor has the more workgroups.
const THREADS: u32 = 64;
/// Expansions of a thread in a round.
const EXPANSIONS: u32 = 512;

/// What does not change between batches.
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
    pub(super) set: PendingSet,
    /// The cost of all free cells, where they cost the same.
    even: Option<u8>,
    across: u32,
    pub(super) tiles: u32,
    /// Searches at once.
    pub(super) threads: u32,
    /// Of each open list.
    pub(super) slots: u32,
    expansions: u32,
    /// Searches of a pass.
    pub(super) batch: u32,
    pub(super) path_room: u32,
}

impl Layout {
    /// For batches of up to so many searches, with `more` times the room of open lists that seems enough.
    ///
    /// # Errors
    /// Where not even one search fits the adapter.
    pub(super) fn new(
        map: &Map,
        rules: Rules,
        options: &SearchOptions,
        [batch, more]: [u32; 2],
        adapter: &AdapterDescription,
    ) -> Result<Self, PathfindingError> {
        let set = options.open_list.set(rules.expand, adapter.kind);
        if set == PendingSet::GlobalHeap {
            return Err(PathfindingError::OneHeap);
        }
        let [across, tiles] = tiles(map);
        let limits = &adapter.capabilities;
        let most = limits.buffer_size.min(limits.binding_size);
        // A step adds so many cells at most; a cell is added once for each neighbour, at worst.
        let step = 8 * rules.expand;
        let worst = (8 * map.costs().len() as u64).min(u32::MAX.into()) as u32;
        let room = options.room.unwrap_or(2 * (map.width() + map.height())).saturating_mul(more).min(worst);
        let slots = room.saturating_add(step + set.spare()).next_multiple_of(4);
        let costs = u64::from(tiles) * u64::from(TILE_CELLS) * 4;
        let cells = u64::from(slots) * u64::from(set.slot_words(false)) * WORD;
        // 32 bits number the words of all of them.
        let numbered = u64::from(u32::MAX) / (costs / 4).max(cells / WORD);
        let fits = (most / costs.max(cells)).min(numbered);
        if fits == 0 {
            let what = format!("a search on a map of {} x {} cells", map.width(), map.height());
            let (asked, available) = (device::bytes(costs.max(cells)), device::bytes(most));
            let remedy = ": use a smaller map, or --backend heap".to_owned();
            let adapter = adapter.name.clone();
            return Err(DeviceError::Limit { what, asked, available, adapter, remedy }.into());
        }
        let software = adapter.kind == AdapterKind::Software;
        let suits = match (software, set.is_parallel()) {
            (true, _) => AT_ONCE_IN_SOFTWARE,
            (false, false) => MOST_AT_ONCE,
            (false, true) => GROUPS_AT_ONCE,
        };
        let threads = options.at_once.unwrap_or(suits).min(fits as u32).clamp(1, batch.max(1));
        let batch = batch.min((most / size_of::<Search>() as u64) as u32).max(1);
        // A way across the map and back, for each search of a batch.
        let words = u64::from(batch) * u64::from(map.width() + map.height()) / 4;
        let path_room = if rules.paths { words.clamp(1 << 10, (most / 8).min(u32::MAX.into())) as u32 } else { 1 };
        let even = even_cost(map);
        let expansions = options.expansions.unwrap_or(EXPANSIONS).max(1);
        Ok(Self { rules, set, even, across, tiles, threads, slots, expansions, batch, path_room })
    }

    /// With room for paths of so many words.
    pub(super) fn with_path_room(self, words: u32) -> Self {
        Self { path_room: self.path_room.max(words), ..self }
    }

    /// Whether a map needs other kernels than this one.
    pub(super) fn suits(&self, map: &Map) -> bool {
        self.even.is_none() || self.even == even_cost(map)
    }

    /// The kernels and buffers.
    ///
    /// # Errors
    /// Sizes that no kernel can be made with; no memory.
    pub(super) fn parts(
        &self,
        map: &Map,
        options: &SearchOptions,
        adapter: &AdapterDescription,
    ) -> Result<ModelParts, PathfindingError> {
        let constants = format!(
            "{}const EXPAND: u32 = {}u;\nconst EVEN_COST: u32 = {}u;\n",
            self.set.constants(),
            self.rules.expand,
            self.even.unwrap_or(0)
        );
        let mounts = self.mounts();
        let kernel = |label| StageKernel::new(label, &mounts).with_constants(&constants);
        let together = self.set.is_parallel();
        let advance = if together { "pathfinding/advance_together" } else { "pathfinding/advance" };
        let threads = if together { together_on(map, adapter) } else { THREADS };
        let workgroup = workgroup(threads, adapter, &options.rounds)?;
        let stage = |label, workgroups| Stage { kernel: kernel(label), work: Work::Workgroups(workgroups) };
        Ok(ModelParts {
            label: "searches",
            entities: 1,
            lookahead: Time::ZERO,
            sizes: Sizes { workgroup, elements: 1, blocks: 1 },
            buffers: self.buffers(map)?,
            first: vec![],
            round: vec![
                stage(advance, if together { self.threads } else { self.threads.div_ceil(workgroup) }),
                stage("pathfinding/tally", 1),
            ],
            rounds_each: 1,
            status: ModelStatus::new("pathfinding/status", &Status::default()),
            last: vec![],
        })
    }

    fn mounts(&self) -> Mounts {
        self.set
            .mounts(false)
            .with("terrain", if self.even.is_some() { "pathfinding/even" } else { "pathfinding/weighted" })
            .with("discovery", if self.collects() { "pathfinding/collected" } else { "pathfinding/inserted" })
            .with("trails", if self.rules.paths { "pathfinding/trail" } else { "pathfinding/no_trail" })
    }

    /// Whether the cells of a step go into an open list together.
    fn collects(&self) -> bool {
        self.set == PendingSet::CircularSinglePass
    }

    fn buffers(&self, map: &Map) -> Result<Vec<BufferSpec>, NoMemory> {
        let parameters = Parameters {
            across: self.across,
            tiles: self.tiles,
            threads: self.threads,
            slots: self.slots,
            expansions: self.expansions,
            path_room: self.path_room,
            unused: [0; 2],
        };
        let threads = u64::from(self.threads);
        let words = u64::from(WORK_WORDS + self.tiles.div_ceil(32));
        let cells = u64::from(self.tiles) * u64::from(TILE_CELLS);
        let list = u64::from(self.slots) * u64::from(self.set.slot_words(false));
        let mut buffers = vec![
            BufferSpec::filled("parameters", BufferUse::Uniform, bytemuck::bytes_of(&parameters).to_vec()),
            BufferSpec::filled("cells", BufferUse::Storage, self.cells(map)?),
            BufferSpec::storage("searches", self.batch.into(), size_of::<Search>() as u64),
            BufferSpec::storage("costs", threads * cells, 4),
            BufferSpec::storage("works", threads * words, 4),
            BufferSpec::storage("slots", threads * list, WORD),
        ];
        if self.collects() {
            let messages = threads * u64::from(8 * self.rules.expand);
            buffers.push(BufferSpec::storage("messages", messages, 2 * WORD));
        }
        if self.rules.paths {
            buffers.push(BufferSpec::storage("paths", self.path_room.into(), 4));
        }
        Ok(buffers)
    }

    /// Bytes of a cell in `cells`.
    fn cell_bytes(&self) -> usize {
        if self.even.is_some() { 1 } else { 2 }
    }

    /// What kernels know of every cell.
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

    /// What kernels know of a cell that has changed and of its neighbours: words of `cells`, and where they lie. `before` has
    /// the words as they are.
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

/// Threads of a workgroup that has a search: the longer its open list is in the mean, the more. Through Vulkan a workgroup of
/// several subgroups did not come to an end on an NVIDIA H200, and it is not known why; one subgroup does, and so do several
/// through CUDA and in software.
fn together_on(map: &Map, adapter: &AdapterDescription) -> u32 {
    let most = match (adapter.backend.as_str(), adapter.kind) {
        ("cuda", _) | (_, AdapterKind::Software) => 256,
        _ => adapter.capabilities.subgroup_size.max(32),
    };
    ((map.width() + map.height()) / 8).next_power_of_two().clamp(32, most)
}

/// What all free cells cost, where that is the same.
fn even_cost(map: &Map) -> Option<u8> {
    let least = map.least_cost();
    map.costs().iter().all(|&cost| cost == 0 || cost == least).then_some(least)
}
