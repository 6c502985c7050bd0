// multiclass/near_copies: near records are fetched before the first event of a dispatch, and put back behind the last one.
//
// Reads: parameters. Reads and writes: replication_state and near_rows, of the replications of this workgroup.

import constants::{EACH, WORKGROUP};
import package::multiclass::near::{near_rows};
import package::multiclass::parameters::{plan};
import package::multiclass::rows::{replication_state};

// The records of a kind: where their near rows begin and end, where those of all replications begin, and how many rows each has.
struct Records {
    begin: u32,
    end: u32,
    far: u32,
    rows: u32,
}

const KINDS: u32 = 5u;

fn near_kind(kind: u32) -> Records {
    if (kind == 0u) { return Records(plan.near_sources, plan.near_stations, plan.sources_at, plan.source_rows); }
    if (kind == 1u) { return Records(plan.near_stations, plan.near_accounts, plan.stations_at, plan.station_rows); }
    if (kind == 2u) { return Records(plan.near_accounts, plan.near_sinks, plan.accounts_at, plan.account_rows); }
    if (kind == 3u) { return Records(plan.near_sinks, plan.near_events, plan.sinks_at, 2u); }
    return Records(plan.near_events, plan.near_end, plan.events_at, plan.event_rows);
}

// Fetches the near records of the replications from the first one of the workgroup on, or puts them back. All threads copy: records of one
// number lie side by side in both memories.
fn copy_near(lane: u32, first: u32, is_back: bool) {
    for (var kind = 0u; kind < KINDS; kind += 1u) {
        let records = near_kind(kind);
        let count = min(EACH, plan.replications - first) * records.rows;
        var far = records.far + first * records.rows;
        for (var near = records.begin; near < records.end; near += EACH * records.rows) {
            for (var row = lane; row < count; row += WORKGROUP) {
                if (is_back) {
                    replication_state[far + row] = near_rows[near + row];
                } else {
                    near_rows[near + row] = replication_state[far + row];
                }
            }
            far += plan.replications * records.rows;
        }
    }
}
