// multiclass/begin: a replication before time 0: its streams, when the first token of each source comes, and the tokens of time 0 as the first
// event. Its records are clear before.
//
// Reads: parameters, model_table. Reads and writes: replication_state, of this thread's replication only.

import absences::{begin_absences};
import constants::{IS_PACKED, LISTS};
import server_schedule::{begin_servers};
import forks::{begin_forks};
import full::{begin_room};
import groups::{begin_groups};
import intervals::{begin_intervals, next_arrival};
import package::lib::stream::{entity_stream};
import package::lib::time::{never};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::pending::{ARRIVAL, FIRST_TOKENS, set_event};
import package::multiclass::places::{list_end_count};
import package::multiclass::rows::{copy_number, set_back_wide, set_front, set_front_wide, source_at, station_at};
import package::multiclass::sources::rules::{inflow_limit_of, inflow_of};
import package::multiclass::state::{close_replication, mine, open_replication, stream_key};
import units::{begin_units};
import word64::{wide, wide_high, wide_low};

fn begin_replication() {
    open_replication(copy_number);
    let key = stream_key();
    mine.pending = plan.fixed;
    mine.free = NONE;
    mine.used = list_end_count();
    mine.present = plan.tokens;
    mine.before = plan.tokens;
    for (var source = 0u; source < plan.sources; source += 1u) {
        let bounds = inflow_limit_of(source);
        var stream = entity_stream(key, plan.stations + source);
        var time = never();
        begin_intervals(source, bounds.start);
        if ((wide_low(bounds.limit) | wide_high(bounds.limit)) != 0u) {
            time = next_arrival(source, inflow_of(source).law, bounds.start, &stream);
        }
        set_front_wide(source_at(source), stream.state);
        set_back_wide(source_at(source), stream.increment);
        set_event(source, ARRIVAL | (plan.stations + source), NONE, time);
    }
    var first = never();
    if (plan.tokens != 0u) { first = wide(0u, 0u); }
    set_event(plan.sources, FIRST_TOKENS, NONE, first);
    begin_units();
    begin_forks();
    for (var id = 0u; id < plan.stations; id += 1u) {
        let words = station_at(id);
        var stream = entity_stream(key, id);
        begin_servers(id, &stream);
        begin_groups(id, &stream);
        begin_room(id);
        set_front_wide(words, stream.state);
        set_back_wide(words, stream.increment);
        for (var level = 0u; level < plan.list_count; level += 1u) {
            let list = id * plan.list_count + level;
            let end = select(NONE, list, IS_PACKED);
            set_front(words + LISTS + level, end, end);
        }
        begin_absences(id);
    }
    close_replication();
}
