//! Batches of searches on a map that stays on the device.

use std::cmp::Reverse;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::layout::{Layout, Rules};
use super::options::{OpenList, SearchOptions};
use super::records::{FOUND, NO_PATH, OPEN_LIST_FULL, Search, Status, place};
use crate::model::check_queries;
use crate::outcome::ended_at;
use crate::paths::MOVES_A_WORD;
use crate::{Cell, Map, Outcome, PathfindingError, Paths, Query, SearchDetails, SearchModel, SearchRecord};
use tickless_core::memory;
use tickless_core::run::{Pause, Progress, Run, Watch};
use tickless_core::time::Time;
use tickless_device::Device;
use tickless_engine::Rounds;

/// The factor of the room of open lists in the next pass, where a pass had too little.
const MORE: u32 = 8;
/// The default for the searches of a batch that fit a finder.
const BATCH: u32 = 1 << 16;

/// A map on a device, and batches of searches on it.
///
/// The map stays there from batch to batch, and so do compiled kernels; cells may change between batches.
///
/// ```no_run
/// # use tickless_pathfinding::facade as tickless;
/// use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice};
/// use tickless::pathfinding::{Cell, Map, Query, Searches, gpu::Finder};
/// use tickless::run::unwatched;
/// let device = WgpuDevice::open(&Selection::Auto, OpenOptions::default())?;
/// let model = Searches::new(Map::free(256, 256)?).check()?;
/// let mut finder = Finder::open(&model, &device, Default::default(), &mut unwatched())?;
/// let query = Query { start: Cell { column: 0, row: 0 }, goal: Cell { column: 255, row: 255 } };
/// let before = finder.run(&[query; 1000], &mut unwatched())?;
/// // A wall goes up, with one gap at its end.
/// finder.change(&(0..255).map(|column| (Cell { column, row: 100 }, 0)).collect::<Vec<_>>())?;
/// let after = finder.run(&[query; 1000], &mut unwatched())?;
/// assert!(after.outcome.searches[0].cost() > before.outcome.searches[0].cost());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Finder<'d> {
    device: &'d dyn Device,
    options: SearchOptions,
    map: Map,
    rules: Rules,
    batch: u32,
    /// The factor of the room of open lists over the usual.
    more: u32,
    /// Words for paths: at least as many as the longest path without room takes.
    path_room: u32,
    /// The part of the map of each cell; empty where cells have changed since.
    parts: Vec<u32>,
    /// `None` where kernels must be loaded anew: a device has room for one set at a time. A run takes it out, and puts it
    /// back where no search is left half done.
    at_work: Option<AtWork>,
    setup: Duration,
}

/// Loaded kernels and buffers.
struct AtWork {
    layout: Layout,
    rounds: Rounds,
    /// The buffer `cells`.
    cells: Vec<u8>,
}

/// The results of a batch so far.
struct Found {
    outcome: Outcome,
    ended: usize,
    /// Searches that needed no device.
    settled: usize,
    /// Whether the run is to end.
    interrupted: bool,
    /// Whether an open list had no room.
    outgrown: bool,
}

impl<'d> Finder<'d> {
    /// Loads the map of a model onto a device. The rules of its searches hold for all batches; its queries are not run.
    ///
    /// # Errors
    /// A map that does not fit the device; errors of the device.
    pub fn open(
        model: &SearchModel,
        device: &'d dyn Device,
        options: SearchOptions,
        watch: &mut dyn Watch,
    ) -> Result<Self, PathfindingError> {
        Self::begin(model.map().clone(), super::rules(model), device, options, BATCH, watch)
    }

    /// The same for batches of up to `searches` searches; larger batches are cut.
    pub(super) fn begin(
        map: Map,
        rules: Rules,
        device: &'d dyn Device,
        options: SearchOptions,
        batch: u32,
        watch: &mut dyn Watch,
    ) -> Result<Self, PathfindingError> {
        let begin = Instant::now();
        let (more, path_room) = (1, 0);
        let mut finder = Self {
            device,
            options,
            map,
            rules,
            batch,
            more,
            path_room,
            parts: vec![],
            at_work: None,
            setup: Duration::ZERO,
        };
        finder.at_work = Some(finder.load(batch, watch)?);
        finder.setup = begin.elapsed();
        Ok(finder)
    }

    fn list(&self) -> OpenList {
        self.options.open_list.resolved(self.rules.expand, &self.map, self.device.adapter().kind)
    }

    /// The sizes of all buffers for a number of searches.
    fn layout(&self, searches: u32) -> Result<Layout, PathfindingError> {
        let sizes = [searches, self.more];
        let layout = Layout::new(&self.map, self.rules, &self.options, sizes, self.device.adapter())?;
        Ok(layout.with_path_room(self.path_room))
    }

    fn load(&self, searches: u32, watch: &mut dyn Watch) -> Result<AtWork, PathfindingError> {
        AtWork::load(self.layout(searches)?, &self.map, &self.options, self.device, watch)
    }

    /// The present map.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// Gives cells other costs, 0 to block them, for the following batches.
    ///
    /// # Errors
    /// A cell outside of the map or an invalid cost: then nothing has changed. Errors of the device.
    pub fn change(&mut self, cells: &[(Cell, u8)]) -> Result<(), PathfindingError> {
        for &(cell, cost) in cells {
            self.map.check_change(cell, cost)?;
        }
        for &(cell, cost) in cells {
            self.map.change(cell, cost)?;
        }
        self.parts.clear();
        // If its kernels have a single cost for all cells, the next batch loads others.
        let Some(mut at_work) = self.at_work.take().filter(|at_work| at_work.layout.suits(&self.map)) else {
            return Ok(());
        };
        for &(cell, _) in cells {
            for word in at_work.layout.changed(&self.map, cell, &mut at_work.cells) {
                at_work.rounds.write("cells", 4 * word, &at_work.cells[4 * word..4 * word + 4])?;
            }
        }
        self.at_work = Some(at_work);
        Ok(())
    }

    /// Runs a batch.
    ///
    /// # Errors
    /// [`PathfindingError`]: a start or a goal outside of the map; errors of the device.
    pub fn run(
        &mut self,
        queries: &[Query],
        watch: &mut dyn Watch,
    ) -> Result<Run<Outcome, SearchDetails>, PathfindingError> {
        check_queries(&self.map, queries)?;
        self.search(queries, watch)
    }

    /// Runs a batch of searches within the map.
    pub(super) fn search(
        &mut self,
        queries: &[Query],
        watch: &mut dyn Watch,
    ) -> Result<Run<Outcome, SearchDetails>, PathfindingError> {
        let begin = Instant::now();
        let searches = queries.len();
        let mut found = Found {
            outcome: Outcome {
                searches: memory::filled(SearchRecord::default(), searches, "the records of the searches")?,
                paths: self.rules.paths.then(|| Paths::new(searches)),
            },
            ended: 0,
            settled: 0,
            interrupted: false,
            outgrown: false,
        };
        if self.parts.is_empty() {
            self.parts = self.map.parts(&self.map.moves(self.rules.corners)?)?;
        }
        let mut left = vec![];
        for (search, query) in queries.iter().enumerate() {
            let [start, goal] = [query.start, query.goal].map(|cell| self.parts[self.map.id(cell)]);
            if self.map.is_free(query.start) && start == goal {
                left.push(search as u32);
            } else {
                found.outcome.searches[search] = SearchRecord::no_path(0);
                found.ended += 1;
            }
        }
        found.settled = found.ended;
        // The longest searches first: none of them begins when the others are about to end.
        let distance = |query: &Query| {
            query.start.column.abs_diff(query.goal.column).max(query.start.row.abs_diff(query.goal.row))
        };
        left.par_sort_unstable_by_key(|&search| Reverse(distance(&queries[search as usize])));
        let (setup, open_list) = (std::mem::take(&mut self.setup) + begin.elapsed(), Some(self.list()));
        let nothing = Run::at(Time::ZERO, (), SearchDetails { open_list }, None);
        let mut run = Run { rounds: Some(0), setup, ..nothing };
        while !left.is_empty() && !found.interrupted {
            left = self.pass(queries, left, &mut found, &mut run, watch)?;
        }
        if self.more > 1 {
            // Few searches need so much room, and fewer fit at once with it.
            self.more = 1;
            self.at_work = None;
        }
        run.events = found.outcome.searches.iter().map(|search| search.expansions).sum();
        run.clock = ended_at(found.ended);
        run.interrupted = found.ended < searches;
        Ok(run.map(|()| found.outcome))
    }

    /// Runs these searches, and returns the searches that had too little room.
    fn pass(
        &mut self,
        queries: &[Query],
        left: Vec<u32>,
        found: &mut Found,
        run: &mut Run<(), SearchDetails>,
        watch: &mut dyn Watch,
    ) -> Result<Vec<u32>, PathfindingError> {
        let begin = Instant::now();
        // Searches that had too little room are few, and each takes much.
        let batch = if self.more > 1 { self.batch.min(left.len() as u32) } else { self.batch };
        let mut at_work = match self.at_work.take() {
            Some(at_work) => at_work,
            None => self.load(batch, watch)?,
        };
        run.setup += begin.elapsed();
        let (mut full, mut longest) = (vec![], 0);
        for part in left.chunks(at_work.layout.batch as usize) {
            if found.interrupted {
                break;
            }
            let (before, ended, all) = (run.wall, found.ended, queries.len());
            let mut watching = Watching { watch: &mut *watch, before, ended, all, pauses: false, ends: false };
            let begun = at_work.run(&self.map, part.iter().map(|&search| &queries[search as usize]), &mut watching)?;
            let status: Status = at_work.rounds.model_status();
            longest = longest.max(status.longest);
            let (taken, rest) = part.split_at(begun);
            full.extend(at_work.take(taken, &status, found)?);
            full.extend(rest);
            // A run that pauses before any search has ended would never advance.
            found.interrupted |= watching.pauses && found.ended > found.settled;
        }
        at_work.rounds.add_to(run);
        if found.interrupted {
            return Ok(full);
        }
        if !full.is_empty() {
            // Room for the longest path is enough: then each pass has room for at least one of the remaining paths.
            self.path_room = self.path_room.max(longest);
            if std::mem::take(&mut found.outgrown) {
                self.more = self.more.saturating_mul(MORE);
                self.layout(full.len() as u32)?.has_grown(&at_work.layout, &self.map, self.device.adapter())?;
            }
        } else {
            self.at_work = Some(at_work);
        }
        Ok(full)
    }
}

/// A watch that sees part of a batch as the whole batch.
struct Watching<'a> {
    watch: &'a mut dyn Watch,
    /// The time of the parts before it, and how many of all searches have ended in them.
    before: Duration,
    ended: usize,
    all: usize,
    /// Whether no other search is to begin, and whether searches under way are to stop.
    pauses: bool,
    ends: bool,
}

impl Watch for Watching<'_> {
    fn look(&mut self, progress: &Progress) -> ControlFlow<()> {
        let clock = Time::from_ticks(ended_at(self.ended).ticks() + progress.clock.ticks());
        let (until, elapsed) = (ended_at(self.all), self.before + progress.elapsed);
        let next = self.watch.look(&Progress { clock, until, elapsed, ..*progress });
        self.ends |= next.is_break();
        next
    }

    fn set_up(&mut self, elapsed: Duration) -> ControlFlow<()> {
        self.watch.set_up(elapsed)
    }

    /// Once for each part.
    fn pause(&mut self, _: Pause) -> bool {
        let again = self.pauses;
        self.pauses |= self.watch.pause(Pause::BetweenReplications);
        self.pauses && !again
    }
}

impl AtWork {
    fn load(
        layout: Layout,
        map: &Map,
        options: &SearchOptions,
        device: &dyn Device,
        watch: &mut dyn Watch,
    ) -> Result<Self, PathfindingError> {
        let parts = layout.parts(map, options, device.adapter())?;
        let cells = parts.buffers.iter().find(|buffer| buffer.name == "cells");
        let cells = cells.and_then(|buffer| buffer.contents.clone()).unwrap_or_default();
        let mut rounds = Rounds::start(device, parts, &options.rounds, watch)?;
        rounds.carefully();
        Ok(Self { layout, rounds, cells })
    }

    /// Rounds until all of these searches have ended, or the watch stops them. Returns how many have begun where it pauses the
    /// run; these have come to their end.
    fn run<'q>(
        &mut self,
        map: &Map,
        queries: impl ExactSizeIterator<Item = &'q Query>,
        watch: &mut Watching<'_>,
    ) -> Result<usize, PathfindingError> {
        let searches = queries.len();
        let records: Vec<Search> = queries
            .map(|query| Search { start: place(query.start), goal: place(query.goal), ..Search::default() })
            .collect();
        let twice_least = 2 * u32::from(map.least_cost());
        self.rounds.write("searches", 0, &records)?;
        self.rounds.set_model_status(&Status { searches: searches as u32, twice_least, ..Status::default() })?;
        let until = ended_at(searches);
        // The records show what an interruption leaves.
        let stopped = self.rounds.run_until(until, until, watch)?;
        if !stopped || watch.ends {
            return Ok(searches);
        }
        let status: Status = self.rounds.model_status();
        let begun = status.searches.min(status.next.max(1));
        self.rounds.set_model_status(&Status { searches: begun, ..status })?;
        self.rounds.run_until(until, until, watch)?;
        Ok(begun as usize)
    }

    /// Takes the results of these searches; returns the searches that had too little room.
    fn take(&mut self, part: &[u32], status: &Status, found: &mut Found) -> Result<Vec<u32>, PathfindingError> {
        let records: Vec<Search> = self.rounds.read_part("searches", 0, part.len())?;
        let taken = status.path_words.min(self.layout.path_room) as usize;
        let words: Vec<u32> = match found.outcome.paths {
            Some(_) if taken > 0 => self.rounds.read_part("paths", 0, taken)?,
            _ => vec![],
        };
        let mut full = vec![];
        for (&search, record) in part.iter().zip(&records) {
            let cost = u64::from(record.cost[1]) << 32 | u64::from(record.cost[0]);
            let ended = match record.state {
                0 => {
                    found.interrupted = true;
                    continue;
                }
                FOUND => SearchRecord::found(cost, record.expansions.into()),
                NO_PATH => SearchRecord::no_path(record.expansions.into()),
                state => {
                    found.outgrown |= state == OPEN_LIST_FULL;
                    full.push(search);
                    continue;
                }
            };
            found.outcome.searches[search as usize] = ended;
            found.ended += 1;
            if let (Some(paths), FOUND) = (&mut found.outcome.paths, record.state) {
                let words = &words[record.path as usize..];
                let move_of = |number: usize| (words[number / MOVES_A_WORD] >> (4 * (number % MOVES_A_WORD)) & 7) as u8;
                let backwards: Vec<u8> = (0..record.moves as usize).map(move_of).collect();
                paths.set_backwards(search as usize, &backwards);
            }
        }
        Ok(full)
    }
}
