// multiclass/initialize (once; a thread a replication)
// What: seeds the streams and draws when the first token of each source comes; the tokens of time 0 are the first event.
// Reads: parameters, structure. Writes: held, of this thread's replication only.

import duty::{begin_servers};
import full::{begin_room};
import intervals::{begin_intervals, next_arrival};
import package::lib::stream::{entity_stream};
import package::lib::time::{never};
import package::multiclass::parameters::{NONE, parameters, structure};
import package::multiclass::pending::{ARRIVAL, FIRST_TOKENS, set_event};
import package::multiclass::state::{close_replication, mine, open_replication, set_pair, set_wide};
import constants::{WORKGROUP};
import word64::{wide};

fn run(group: u32, lane: u32) {
    let thread = group * WORKGROUP + lane;
    if (thread >= parameters.replications) { return; }
    open_replication(thread);
    mine.pending = parameters.fixed;
    mine.free = NONE;
    mine.present = parameters.tokens;
    mine.before = parameters.tokens;
    for (var source = 0u; source < parameters.sources; source += 1u) {
        let row = structure[parameters.inflows + 2u * source];
        let more = structure[parameters.inflows + 2u * source + 1u];
        var stream = entity_stream(mine.key, parameters.stations + source);
        var time = never();
        let start = wide(more.z, more.w);
        begin_intervals(source, start);
        if ((more.x | more.y) != 0u) { time = next_arrival(source, row.x, start, &stream); }
        set_wide(parameters.sources_at + parameters.source_words * source, stream.state);
        set_event(source, ARRIVAL | (parameters.stations + source), NONE, time);
    }
    var first = never();
    if (parameters.tokens != 0u) { first = wide(0u, 0u); }
    set_event(parameters.sources, FIRST_TOKENS, NONE, first);
    for (var id = 0u; id < parameters.stations; id += 1u) {
        let words = parameters.stations_at + id * parameters.station_words;
        var stream = entity_stream(mine.key, id);
        begin_servers(id, &stream);
        begin_room(id);
        set_wide(words, stream.state);
        for (var level = 0u; level < parameters.level_count; level += 1u) { set_pair(words + 4u + level, NONE, NONE); }
    }
    close_replication();
}
