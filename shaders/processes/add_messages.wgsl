// processes/add_messages (behind the last round; a thread adds up many slots)
// What: the digest of the pending messages, for sets in which the number of a slot tells whether it holds an event.
// Reads: processes, slots. Writes: results, words 9 to 12. Afterwards: these words hold the sums of the digest.

import package::lib::results::{give_lanes};
import package::lib::sums::{MESSAGE, add_lanes, no_lanes, record_of, sums_of, with_word};
import package::pending::order::{time_of};
import package::pending::queue::{queue};
import package::processes::records::{parameters};
import constants::{IN_RING, PAYLOAD_WORDS, RESULT_THREADS, WORKGROUP};
import events::{carried_by, event_at};
import set::{SPARE};
import sets::{open_pending};
import word64::{wide};

// Whether a slot of the open set holds an event.
fn is_taken(place: u32) -> bool {
    if (!IN_RING) { return place >= SPARE && place - SPARE < queue.count; }
    return select(place + queue.size - queue.top, place - queue.top, place >= queue.top) < queue.count;
}

fn run(group: u32, lane: u32) {
    let thread = group * WORKGROUP + lane;
    var sums = no_lanes();
    // Threads side by side look at slots side by side; a set takes as many turns as its slots need from all threads.
    let sets = max(1u, RESULT_THREADS / parameters.slots);
    let each = RESULT_THREADS / sets;
    let end = select(0u, parameters.processes, thread / each < sets);
    for (var id = thread / each; id < end; id += sets) {
        open_pending(id);
        for (var place = thread % each; place < parameters.slots; place += each) {
            if (!is_taken(place)) { continue; }
            let event = event_at(queue.base + place);
            var record = with_word(with_word(record_of(MESSAGE), wide(id, 0u)), time_of(event.key));
            record = with_word(with_word(record, wide(event.key.z, 0u)), wide(event.key.w, 0u));
            let carried = carried_by(event);
            for (var word = 0u; word < PAYLOAD_WORDS; word += 1u) { record = with_word(record, wide(carried[word], 0u)); }
            sums = add_lanes(sums, sums_of(record));
        }
    }
    give_lanes(thread, 9u, sums);
}
