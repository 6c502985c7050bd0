//! A* on the sequential simulator's event list: one search after the other on a core, as many at once as there are cores.
//!
//! This reference follows the contract step by step and knows nothing of devices.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::error::PathfindingError;
use super::map::{self, Corners, DIAGONAL, Map, STEPS, STRAIGHT};
use super::model::{Query, SearchModel};
use super::outcome::{Outcome, SearchDetails, SearchRecord, ended_at};
use super::paths::Paths;
use tickless_core::heap::{Event, EventList};
use tickless_core::memory::{self, NoMemory};
use tickless_core::run::{Progress, Run, Watch, cores, replications};
use tickless_core::time::Time;

/// A step expands no cell whose path would cost this much more than the least cost of the step (docs/semantics.md).
const SPREAD: u64 = 500 * STRAIGHT;
/// Steps after which a search asks whether it is to end.
const STEPS_BETWEEN: u32 = 1024;

/// Runs a batch on some cores, or on all. Cores share nothing that decides a search.
///
/// The clock of the run counts the searches that have ended, one a time unit.
///
/// # Errors
/// Too little memory.
pub(super) fn run(
    model: &SearchModel,
    most_cores: Option<NonZeroUsize>,
    watch: &mut dyn Watch,
) -> Result<Run<Outcome, SearchDetails>, PathfindingError> {
    let begin = Instant::now();
    let searches = model.queries().len();
    let mut outcome = Outcome {
        searches: memory::filled(SearchRecord::default(), searches, "the records of the searches")?,
        paths: model.keeps_paths().then(|| Paths::new(searches)),
    };
    let ground = Ground::new(model)?;
    let cores = cores(most_cores, searches, 16 * model.map().costs().len() as u64, 0);
    let idle = (0..cores).map(|_| Explorer::new(&ground)).collect::<Result<Vec<_>, _>>()?;
    let idle = Mutex::new(idle);
    let setup = begin.elapsed();
    let started = Instant::now();
    let search = |search: u32, watch: &mut dyn Watch| {
        let explorer = idle.lock().ok().and_then(|mut idle| idle.pop());
        let mut explorer = explorer.map_or_else(|| Explorer::new(&ground), Ok)?;
        let found = explorer.work(model, search as usize, watch);
        if let Ok(mut idle) = idle.lock() {
            idle.push(explorer);
        }
        Ok(found)
    };
    let mut ended = 0;
    let take = |search: u32, found: Result<Option<(SearchRecord, Vec<u8>)>, PathfindingError>| {
        if let Some((record, backwards)) = found? {
            outcome.searches[search as usize] = record;
            if let Some(paths) = &mut outcome.paths {
                paths.set_backwards(search as usize, &backwards);
            }
            ended += 1;
        }
        Ok(ControlFlow::Continue(()))
    };
    replications(searches as u32, cores, ended_at(searches), search, take, watch)?;
    let (wall, interrupted) = (started.elapsed(), ended < searches);
    let events = outcome.searches.iter().map(|search| search.expansions).sum();
    let run = Run::at(ended_at(ended), outcome, SearchDetails::default(), Some(cores));
    Ok(Run { events, wall, setup, interrupted, ..run })
}

/// The data that no search changes.
pub(super) struct Ground<'a> {
    map: &'a Map,
    /// Allowed moves, cell by cell.
    moves: Vec<u8>,
    /// The part of the map of each cell.
    parts: Vec<u32>,
    expand: usize,
    least_cost: u64,
}

impl<'a> Ground<'a> {
    pub(super) fn new(model: &'a SearchModel) -> Result<Self, NoMemory> {
        let (map, corners): (_, Corners) = (model.map(), model.corner_rule());
        let (moves, least_cost) = (map.moves(corners)?, map.least_cost().into());
        let parts = map.parts(&moves)?;
        Ok(Self { map, moves, parts, expand: model.expanded() as usize, least_cost })
    }

    /// Half of the estimate from a cell over free cells of cost 1: it orders cells whose paths would cost the same.
    fn left(&self, cell: map::Cell, goal: map::Cell) -> u32 {
        let columns = u64::from(cell.column.abs_diff(goal.column));
        let rows = u64::from(cell.row.abs_diff(goal.row));
        let (long, short) = (columns.max(rows), columns.min(rows));
        ((STRAIGHT * (long - short) + DIAGONAL * short) / 2) as u32
    }

    /// A lower bound on the cost of a path from a cell.
    fn estimate(&self, left: u32) -> u64 {
        2 * self.least_cost * u64::from(left)
    }

    /// The neighbours to which moves lead, and the costs of the moves.
    fn neighbours(&self, id: usize) -> impl Iterator<Item = (u8, usize, u64)> + '_ {
        let (width, costs, moves) = (self.map.width() as i32, self.map.costs(), self.moves[id]);
        (0..8).filter(move |d| moves >> d & 1 == 1).map(move |d| {
            let (columns, rows) = STEPS[d as usize];
            let to = id.wrapping_add_signed((rows * width + columns) as isize);
            let base = if d % 2 == 1 { DIAGONAL } else { STRAIGHT };
            (d, to, base / 2 * (u64::from(costs[id]) + u64::from(costs[to])))
        })
    }
}

/// A core and its knowledge of the cells in its search.
pub(super) struct Explorer<'a> {
    ground: &'a Ground<'a>,
    /// The least known cost from the start, for cells of this search.
    known: Vec<u64>,
    /// The last search that knew each cell.
    search: Vec<u32>,
    /// The number of this search on this core, from 1 on.
    number: u32,
    open: EventList,
    taken: Vec<(usize, u64)>,
}

impl<'a> Explorer<'a> {
    pub(super) fn new(ground: &'a Ground<'a>) -> Result<Self, NoMemory> {
        let cells = ground.moves.len();
        Ok(Self {
            ground,
            known: memory::filled(0, cells, "the costs of a search")?,
            search: memory::filled(0, cells, "the marks of a search")?,
            number: 0,
            open: EventList::new(),
            taken: Vec::with_capacity(ground.expand),
        })
    }

    /// A search of a batch, and the moves from its goal back to its start where paths are kept; `None` where the watch ends it.
    fn work(&mut self, model: &SearchModel, search: usize, watch: &mut dyn Watch) -> Option<(SearchRecord, Vec<u8>)> {
        let query = &model.queries()[search];
        let until = ended_at(1);
        let mut look = |clock: Time, events: u64| {
            watch.look(&Progress { clock, until, events, rounds: 0, elapsed: Duration::ZERO }).is_break()
        };
        let record = self.explore(query, |expansions| look(Time::ZERO, expansions), |_| ())?;
        look(until, record.expansions);
        let found = model.keeps_paths() && record.cost().is_some();
        Some((record, if found { self.backwards(query) } else { vec![] }))
    }

    /// One search, which reports each cell that it expands; `None` where it is to end early, which it asks with the count of its expansions.
    pub(super) fn explore(
        &mut self,
        query: &Query,
        mut ends: impl FnMut(u64) -> bool,
        mut expanded: impl FnMut(usize),
    ) -> Option<SearchRecord> {
        let ground = self.ground;
        // First, since a search that ends at once knows no cell either.
        self.begin();
        if !ground.map.is_free(query.start) || !ground.map.is_free(query.goal) {
            return Some(SearchRecord::no_path(0));
        }
        let [start, goal] = [query.start, query.goal].map(|cell| ground.map.id(cell));
        if ground.parts[start] != ground.parts[goal] {
            return Some(SearchRecord::no_path(0));
        }
        self.learn(start, 0, query.goal);
        let (mut expansions, mut steps) = (0, 0);
        loop {
            self.take(goal);
            if self.taken.is_empty() {
                // Now the goal is the first open cell, or no cell is open.
                let found = self.open.first().map(|event| event.time.ticks());
                return Some(
                    found.map_or(SearchRecord::no_path(expansions), |cost| SearchRecord::found(cost, expansions)),
                );
            }
            expansions += self.taken.len() as u64;
            for place in 0..self.taken.len() {
                let (cell, cost) = self.taken[place];
                expanded(cell);
                for (_, to, more) in ground.neighbours(cell) {
                    self.learn(to, cost + more, query.goal);
                }
            }
            steps += 1;
            if steps % STEPS_BETWEEN == 0 && ends(expansions) {
                return None;
            }
        }
    }

    /// Whether the search that has ended knows a cell.
    pub(super) fn knows(&self, cell: usize) -> bool {
        self.number != 0 && self.search[cell] == self.number
    }

    /// A new search: no cell is known.
    fn begin(&mut self) {
        self.open = EventList::new();
        self.number = self.number.wrapping_add(1);
        if self.number == 0 {
            self.search.fill(0);
            self.number = 1;
        }
    }

    /// A path to a cell: if the cell is new or the path cheaper than known, the cell is open at this cost.
    fn learn(&mut self, cell: usize, cost: u64, goal: map::Cell) {
        if self.search[cell] == self.number && self.known[cell] <= cost {
            return;
        }
        self.search[cell] = self.number;
        self.known[cell] = cost;
        let left = self.ground.left(self.ground.map.cell(cell), goal);
        let time = Time::from_ticks(cost + self.ground.estimate(left));
        self.open.push(Event { time, entity: left, payload: cell as u32 });
    }

    /// Takes the cells of a step: the first open cells, none behind the goal and none far behind the first.
    fn take(&mut self, goal: usize) {
        self.taken.clear();
        let mut last = None;
        while let Some(event) = self.open.first() {
            let (cell, time) = (event.payload as usize, event.time.ticks());
            let cost = time - self.ground.estimate(event.entity);
            if self.known[cell] != cost {
                // The cell has become cheaper since.
                self.open.pop();
                continue;
            }
            if cell == goal || self.taken.len() == self.ground.expand || time > *last.get_or_insert(time + SPREAD) {
                return;
            }
            self.open.pop();
            self.taken.push((cell, cost));
        }
    }

    /// The path of the search that has ended, from the goal on: at each cell the first move back whose cost is the
    /// difference of the two cells' costs.
    fn backwards(&self, query: &Query) -> Vec<u8> {
        let (mut cell, start) = (self.ground.map.id(query.goal), self.ground.map.id(query.start));
        let mut moves = vec![];
        while cell != start {
            let mut back = self.ground.neighbours(cell);
            let found = back.find(|&(_, from, more)| self.knows(from) && self.known[from] + more == self.known[cell]);
            let Some((d, from, _)) = found else { break };
            moves.push((d + 4) % 8);
            cell = from;
        }
        moves
    }
}
