// processes/add_processes (behind the last round; a thread adds up many processes)
// What: the counts of all processes, for figures and the digest.
// Reads: processes. Writes: results, words 0 to 8.
// Afterwards: these words hold the sums of the digest (4); events executed, messages sent, messages pending; the most
//             pending events of a process; the number of processes that have executed no event.

import package::lib::results::{give, give_lanes};
import package::lib::sums::{PROCESS, add_lanes, no_lanes, record_of, sums_of, with_word};
import package::lib::wide::{wide_differs};
import package::pending::queue::{queue};
import package::processes::records::{open_process, parameters, process};
import constants::{RESULT_THREADS, WORKGROUP};
import sets::{open_pending};
import word64::{wide, wide_add};

fn run(group: u32, lane: u32) {
    let thread = group * WORKGROUP + lane;
    let none = wide(0u, 0u);
    var sums = no_lanes();
    var executed = none;
    var sent = none;
    var pending = none;
    var most = 0u;
    var idle = 0u;
    for (var id = thread; id < parameters.processes; id += RESULT_THREADS) {
        _ = open_process(id);
        open_pending(id);
        var record = with_word(with_word(record_of(PROCESS), wide(process.id, 0u)), process.executed);
        record = with_word(with_word(record, wide(process.sent, 0u)), process.now);
        if (parameters.state_words != 0u) { record = with_word(record, wide(process.word, 0u)); }
        sums = add_lanes(sums, sums_of(record));
        executed = wide_add(executed, process.executed);
        sent = wide_add(sent, wide(process.sent, 0u));
        pending = wide_add(pending, wide(queue.count, 0u));
        most = max(most, queue.count);
        idle += select(1u, 0u, wide_differs(process.executed, none));
    }
    give_lanes(thread, 0u, sums);
    give(thread, 4u, executed);
    give(thread, 5u, sent);
    give(thread, 6u, pending);
    give(thread, 7u, wide(most, 0u));
    give(thread, 8u, wide(idle, 0u));
}
