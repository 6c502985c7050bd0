// processes/crossing: messages to processes of another part of the model; each GPU has a part. A block of processes writes its
// messages into a row for each part, which lies in the memory of the part's GPU, and processes/deliver_crossing delivers them from
// there: no thread waits for the memory of another GPU. A message for which a row has no room goes into its set at once.
//
// A row: the number of its messages, in a word of 16 bytes; their keys; of each the destination and what it carries.
//
// A kernel has nine storage buffers with this module, one more than every WebGPU adapter takes: several GPUs are CUDA's.
//
// Writes: crossing, the rows of this block.

import package::lib::summaries::{BLOCK};
import constants::{BLOCKS, PARTS, ROW_ROOM, WORKGROUP};

var<storage, read_write> crossing: array<vec4<u32>>;

var<workgroup> in_rows: array<atomic<u32>, PARTS>;    // messages that rows have got, or had no room for
var<private> own_block: u32;

// The part of a block: the GPU that runs its workgroups.
fn part_of(block: u32) -> u32 { return block * PARTS / BLOCKS; }

// The row of the messages of a block to a part.
fn row_of(block: u32, part: u32) -> u32 { return (part * BLOCKS + block) * (1u + 2u * ROW_ROOM); }

fn key_word(row: u32, place: u32) -> u32 { return row + 1u + place; }
fn rest_word(row: u32, place: u32) -> u32 { return row + 1u + ROW_ROOM + place; }

fn begin_rows(block: u32, lane: u32) {
    own_block = block;
    for (var part = lane; part < PARTS; part += WORKGROUP) { atomicStore(&in_rows[part], 0u); }
    workgroupBarrier();
}

// Whether a message goes into a row.
fn crosses(destination: u32, key: vec4<u32>, carried: vec4<u32>) -> bool {
    let part = part_of(destination / BLOCK);
    if (part == part_of(own_block)) { return false; }
    let place = atomicAdd(&in_rows[part], 1u);
    if (place >= ROW_ROOM) { return false; }
    let row = row_of(own_block, part);
    crossing[key_word(row, place)] = key;
    crossing[rest_word(row, place)] = vec4<u32>(destination, carried.x, carried.y, carried.z);
    return true;
}

// Ends the rows of this block, once all lanes have sent and met at a barrier.
fn end_rows(lane: u32) {
    for (var part = lane; part < PARTS; part += WORKGROUP) {
        crossing[row_of(own_block, part)] = vec4<u32>(min(atomicLoad(&in_rows[part]), ROW_ROOM), 0u, 0u, 0u);
    }
}
