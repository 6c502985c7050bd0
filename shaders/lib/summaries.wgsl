// lib/summaries: where the words of a block lie that other workgroups read, a word a block in each row: two rows of
// least event times from departure (a round reads one while it writes the other), one from arrival, and one of counts.
// Behind them lies a least event time of each extra group.

import package::lib::control::{control};
import constants::{ELEMENTS, WORKGROUP};
import word64::{Wide};

var<storage, read_write> summaries: array<Wide>;

const BLOCK: u32 = WORKGROUP * ELEMENTS;

fn departure_place(finished: u32) -> u32 { return (finished & 1u) * control.blocks; }
fn arrival_place() -> u32 { return 2u * control.blocks; }
fn count_place() -> u32 { return 3u * control.blocks; }
fn extra_place() -> u32 { return 4u * control.blocks; }
