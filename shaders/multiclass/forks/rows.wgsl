// multiclass/forks/rows: what replications keep of tokens that have split: the siblings of each number, and what a token knows of them.
// Reads: parameters. Reads and writes: replication_state.

import package::multiclass::parameters::{plan};
import package::multiclass::rows::{record_at, row_at, set_row};
import package::multiclass::tokens::{token_at};

// The number of a token's siblings or NONE, the token behind it among those that wait, and one more than the station where it waits for them.
struct Forked {
    siblings: u32,
    behind: u32,
    waits_at: u32,
}

fn forked_row(token: u32) -> u32 { return token_at(token) + plan.forked; }

fn forked_of(token: u32) -> Forked {
    let row = row_at(forked_row(token));
    return Forked(row.x, row.y, row.z);
}

fn set_forked(token: u32, row: Forked) { set_row(forked_row(token), vec4<u32>(row.siblings, row.behind, row.waits_at, 0u)); }

// The siblings of a number: those of the token that has split, how many are in the network, how many of these wait, and the next free number.
struct Siblings {
    outer: u32,
    left: u32,
    waiting: u32,
    next_free: u32,
}

fn siblings_at(number: u32) -> Siblings {
    let row = row_at(forked_row(number) + 1u);
    return Siblings(row.x, row.y, row.z, row.w);
}

fn set_siblings(number: u32, row: Siblings) {
    set_row(forked_row(number) + 1u, vec4<u32>(row.outer, row.left, row.waiting, row.next_free));
}

// The first and the last sibling that wait, their station, and 1 where siblings wait at several stations.
struct Gathering {
    first: u32,
    last: u32,
    station: u32,
    is_apart: u32,
}

fn gathering_of(number: u32) -> Gathering {
    let row = row_at(forked_row(number) + 2u);
    return Gathering(row.x, row.y, row.z, row.w);
}

fn set_gathering(number: u32, row: Gathering) {
    set_row(forked_row(number) + 2u, vec4<u32>(row.first, row.last, row.station, row.is_apart));
}

// The tokens of one part of a kit: the first and the last, and how many there are.
struct Shelf {
    first: u32,
    last: u32,
    count: u32,
}

fn shelf_of(words: u32) -> Shelf {
    let row = row_at(words);
    return Shelf(row.x, row.y, row.z);
}

fn set_shelf(words: u32, row: Shelf) { set_row(words, vec4<u32>(row.first, row.last, row.count, 0u)); }

// The first free number, numbers that were ever used, and numbers in use.
struct SiblingNumbers {
    free: u32,
    used: u32,
    in_use: u32,
}

fn forks_row() -> u32 { return record_at(plan.forks_at, 0u, 2u); }

fn sibling_numbers() -> SiblingNumbers {
    let row = row_at(forks_row());
    return SiblingNumbers(row.x, row.y, row.z);
}

fn set_sibling_numbers(row: SiblingNumbers) { set_row(forks_row(), vec4<u32>(row.free, row.used, row.in_use, 0u)); }

// Copies, and tokens that were joined.
struct ForkCounts {
    copies: u32,
    joined: u32,
}

fn fork_counts() -> ForkCounts {
    let row = row_at(forks_row() + 1u);
    return ForkCounts(row.x, row.y);
}

fn set_fork_counts(row: ForkCounts) { set_row(forks_row() + 1u, vec4<u32>(row.copies, row.joined, 0u, 0u)); }
