// pathfinding/works: the state of the search that a thread or a workgroup is at work on: words between rounds, `work`
// within one.
//
//   0 to 3    the header of its open list, see pending/queue
//   4         the number of the search plus 1; 0 where the thread has none
//   5, 6      the cost of the goal, or never()
//   7         cells expanded
//   from 8    a bit for each tile of the map: whether it has a known cell
//
// Reads and writes: works, of this thread or workgroup only.

import package::lib::time::{Time};
import package::pathfinding::ground::{TILE_CELLS, parameters};
import package::pathfinding::searches::{goal_of};
import package::pending::queue::{open_queue, queue_header};
import word64::{wide, wide_high, wide_low};

const TOUCHED_AT: u32 = 8u;

struct Work {
    search: u32,      // its number plus 1
    goal: u32,
    best: Time,       // the cost of the goal, where it is known
    expansions: u32,
    thread: u32,
    first_word: u32,  // of this thread's words
    first_cost: u32,
}

var<storage, read_write> works: array<atomic<u32>>;
var<private> work: Work;

fn word_at(word: u32) -> u32 { return atomicLoad(&works[word]); }

fn open_work(thread: u32) {
    let first = thread * (TOUCHED_AT + (parameters.tiles + 31u) / 32u);
    let header = vec4<u32>(word_at(first), word_at(first + 1u), word_at(first + 2u), word_at(first + 3u));
    let search = word_at(first + 4u);
    var goal = 0u;
    if (search != 0u) { goal = goal_of(search - 1u); }
    let best = wide(word_at(first + 5u), word_at(first + 6u));
    let first_cost = thread * parameters.tiles * TILE_CELLS;
    work = Work(search, goal, best, word_at(first + 7u), thread, first, first_cost);
    open_queue(thread, parameters.slots, header);
}

fn close_work() {
    let header = queue_header();
    atomicStore(&works[work.first_word], header.x);
    atomicStore(&works[work.first_word + 1u], header.y);
    atomicStore(&works[work.first_word + 2u], header.z);
    atomicStore(&works[work.first_word + 3u], header.w);
    atomicStore(&works[work.first_word + 4u], work.search);
    atomicStore(&works[work.first_word + 5u], wide_low(work.best));
    atomicStore(&works[work.first_word + 6u], wide_high(work.best));
    atomicStore(&works[work.first_word + 7u], work.expansions);
}
