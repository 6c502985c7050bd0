// lib/sums: sums of records that do not depend on the order of addition (docs/semantics.md, "Digest"). The twin of
// src/core/run/sums.rs: four lanes, each with numbers of its own.

import package::lib::wide::{wide_shift_right, wide_xor};
import word64::{Wide, wide, wide_add, wide_high, wide_low, wide_multiply};

struct Lanes {
    a: Wide,
    b: Wide,
    c: Wide,
    d: Wide,
}

const STATION: u32 = 1u;
const WAITING_TOKEN: u32 = 2u;
const SERVICE: u32 = 3u;
const PROCESS: u32 = 4u;
const MESSAGE: u32 = 5u;
const CELL: u32 = 6u;

fn no_lanes() -> Lanes { return Lanes(wide(0u, 0u), wide(0u, 0u), wide(0u, 0u), wide(0u, 0u)); }

// The factor of each lane.
fn factors() -> Lanes {
    return Lanes(wide(0x1ce4e5b9u, 0xbf58476du), wide(0x133111ebu, 0x94d049bbu), wide(0xed558ccdu, 0xff51afd7u),
        wide(0x1a85ec53u, 0xc4ceb9feu));
}

// A record of a kind, without words.
fn record_of(kind: u32) -> Lanes {
    let begin = Lanes(wide(0x85a308d3u, 0x243f6a88u), wide(0x03707344u, 0x13198a2eu), wide(0x299f31d0u, 0xa4093822u),
        wide(0xec4e6c89u, 0x082efa98u));
    return with_word(begin, wide(kind, 0u));
}

fn mixed(state: Wide, word: Wide, factor: Wide, shift: u32) -> Wide {
    let product = wide_multiply(wide_xor(state, word), factor);
    return wide_xor(product, wide_shift_right(product, shift));
}

fn with_word(record: Lanes, word: Wide) -> Lanes {
    let f = factors();
    return Lanes(mixed(record.a, word, f.a, 31u), mixed(record.b, word, f.b, 29u), mixed(record.c, word, f.c, 27u),
        mixed(record.d, word, f.d, 25u));
}

// The part of a record in the sums.
fn sums_of(record: Lanes) -> Lanes { return with_word(with_word(record, wide(0u, 0u)), wide(0u, 0u)); }

fn add_lanes(x: Lanes, y: Lanes) -> Lanes {
    return Lanes(wide_add(x.a, y.a), wide_add(x.b, y.b), wide_add(x.c, y.c), wide_add(x.d, y.d));
}

fn lanes_product(x: Lanes, y: Lanes) -> Lanes {
    return Lanes(wide_multiply(x.a, y.a), wide_multiply(x.b, y.b), wide_multiply(x.c, y.c), wide_multiply(x.d, y.d));
}

// The numbers of a place are weighed one by one, beginning with no_lanes(); the result belongs to that place.
fn weighed(before: Lanes, number: Wide) -> Lanes {
    return add_lanes(lanes_product(before, factors()), Lanes(number, number, number, number));
}

fn of_place(place: Lanes, weight: Lanes) -> Lanes {
    let key = sums_of(place);
    return lanes_product(Lanes(odd(key.a), odd(key.b), odd(key.c), odd(key.d)), weight);
}

fn odd(word: Wide) -> Wide { return wide(wide_low(word) | 1u, wide_high(word)); }
