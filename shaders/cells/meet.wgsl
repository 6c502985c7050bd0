// cells/meet: whether a cell may go before the earliest one has gone, and which blocks hear it. An event of another cell
// reaches the cells that this cell could meet (one hears the other, or a third cell hears both) over some further cells,
// each of which takes its lookahead at least. So the cell may go if no event can get there in time. Cells farther away than
// those looked at count as if they had the earliest event of all.

import package::cells::cell::{plans};
import package::cells::fronts::{busy_place, fronts};
import package::cells::space::{BLOCK_CELLS, NOWHERE, blocks_before, enter, here, slot_at, space};
import package::lib::time::{Time};
import constants::{NEIGHBOURS, WORKGROUP};
import lookaheads::{lookahead_around};
import word64::{wide, wide_add, wide_less, wide_multiply, wide_sub};

var<workgroup> candidates: array<u32, WORKGROUP>;          // slots
var<workgroup> candidate_times: array<Time, WORKGROUP>;
var<workgroup> candidate_places: array<vec4<i32>, WORKGROUP>; // column, row, plane; the blocks before its replication
var<workgroup> forestalled: array<atomic<u32>, WORKGROUP>; // 1 if the candidate must wait
var<workgroup> candidate_count: atomic<u32>;

// Whether a time is less than a span behind the earliest.
fn within(time: Time, earliest: Time, span: Time) -> bool {
    return !wide_less(earliest, time) || wide_less(wide_sub(time, earliest), span);
}

// All lanes look around all candidates, a cell each. Returns whether this lane's own candidate may go.
fn nothing_forestalls(slot: u32, time: Time, candidate: bool, lane: u32) -> bool {
    if (lane == 0u) { atomicStore(&candidate_count, 0u); }
    workgroupBarrier();
    var place = 0u;
    if (candidate) {
        place = atomicAdd(&candidate_count, 1u);
        candidates[place] = slot;
        candidate_times[place] = time;
        _ = enter(slot);
        candidate_places[place] = vec4<i32>(here, i32(blocks_before));
        atomicStore(&forestalled[place], 0u);
    }
    workgroupBarrier();
    // Most candidates are forestalled by a cell that they could meet.
    look_around(space.reach.xyz, vec3<i32>(-1), lane);
    workgroupBarrier();
    look_around(vec3<i32>(space.around.xyz), space.reach.xyz, lane);
    workgroupBarrier();
    return atomicLoad(&forestalled[place]) == 0u;
}

// Looks at the cells around the candidates that are not forestalled yet, except cells within `near`.
fn look_around(far: vec3<i32>, near: vec3<i32>, lane: u32) {
    let box = vec3<u32>(2 * far + vec3<i32>(1));
    let volume = box.x * box.y * box.z;
    let looks = atomicLoad(&candidate_count) * volume;
    for (var look = lane; look < looks; look += WORKGROUP) {
        let number = look / volume;
        if (atomicLoad(&forestalled[number]) != 0u) { continue; }
        let within_box = look - number * volume;
        let row = within_box / box.x;
        let plane = row / box.y;
        let offset = vec3<i32>(vec3<u32>(within_box - row * box.x, row - plane * box.y, plane)) - far;
        if (all(abs(offset) <= near)) { continue; }
        if (forestalls(number, offset)) { atomicStore(&forestalled[number], 1u); }
    }
}

fn forestalls(number: u32, offset: vec3<i32>) -> bool {
    let place = candidate_places[number];
    here = place.xyz;
    blocks_before = u32(place.w);
    let slot = candidates[number];
    let other = slot_at(offset);
    if (other == NOWHERE || other == slot) { return false; }
    let plan = plans[other];
    let time = candidate_times[number];
    if (wide_less(time, plan)) { return false; }
    // The cells that an event has to cross, along the axis where they are most.
    let beyond = max(abs(offset) - space.reach.xyz, vec3<i32>(0));
    let hops = (beyond + space.step.xyz - vec3<i32>(1)) / space.step.xyz;
    let most = u32(max(hops.x, max(hops.y, hops.z)));
    if (most == 0u) { return true; }
    return !wide_less(time, wide_add(plan, wide_multiply(wide(most, 0u), lookahead_around(slot))));
}

// Marks the blocks with a cell that hears this cell as busy.
fn wake(block: u32, place: u32) {
    let x = i32(place & ((1u << space.tile.x) - 1u));
    let y = i32(place >> space.tile.x);
    // A block may end where the space ends, and the space may wrap.
    let inside = min(x, y) >= space.apart
        && x + space.apart < i32(1u << space.tile.x) && here.x + space.apart < space.size.x
        && y + space.apart < i32(space.tile.y) && here.y + space.apart < space.size.y;
    if (inside) { return; }
    for (var n = 0u; n < NEIGHBOURS; n += 1u) {
        let hearer = slot_at(-space.offsets[n].xyz);
        if (hearer != NOWHERE && hearer / BLOCK_CELLS != block) {
            atomicStore(&fronts[busy_place(hearer / BLOCK_CELLS)], 1u);
        }
    }
}
