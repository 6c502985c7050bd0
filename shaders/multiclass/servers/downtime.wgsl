// multiclass/servers/downtime: how long servers are out of order and hold no token, together. A station has two rows for it from its row
// `downtime` on.
// Reads: parameters, model_table. Reads and writes: replication_state.

import breakdowns::{down_in_groups};
import full::{taken};
import groups::{has_groups};
import package::lib::time::{Time};
import package::lib::wide::{wide_maximum};
import package::multiclass::parameters::{plan};
import package::multiclass::rows::{row_at, row_of, set_row, station_at};
import package::multiclass::servers::failures::{servers_on_duty};
import package::multiclass::servers::rules::{failures_of, shifts_of};
import package::multiclass::state::{mine};
import package::multiclass::stations::station::{site};
import package::multiclass::statistics::annex::{carry};
import word64::{Wide, wide, wide_add, wide_high, wide_less, wide_low, wide_product, wide_sub};

// Up to when it is counted, and the lower 64 bits of the sum.
struct Downtime {
    since: Time,
    sum: Wide,
}

fn downtime_of(words: u32) -> Downtime {
    let row = row_at(words);
    return Downtime(wide(row.x, row.y), wide(row.z, row.w));
}

// The upper bits of the sum, and how many servers are so since then.
struct Down {
    upper: u32,
    servers: u32,
}

fn down_of(words: u32) -> Down {
    let row = row_at(words + 1u);
    return Down(row.x, row.y);
}

// Counts the time since the open station was closed last, and keeps how many servers are out of order from now on.
fn count_downtime() {
    if (plan.downtime == 0u || (failures_of(site.id).servers == 0u && !has_groups())) { return; }
    let words = station_at(site.id) + plan.downtime;
    let before = downtime_of(words);
    let down = down_of(words);
    let since = wide_maximum(before.since, plan.warmup);
    var sum = before.sum;
    var upper = down.upper;
    if (down.servers != 0u && wide_less(since, mine.now)) {
        // Of 96 bits.
        let span = wide_sub(mine.now, since);
        let low = wide_product(wide_low(span), down.servers);
        let high = wide_add(wide_product(wide_high(span), down.servers), wide(wide_high(low), 0u));
        sum = wide_add(before.sum, wide(wide_low(low), wide_low(high)));
        upper += wide_high(high) + carry(sum, before.sum);
    }
    var servers = down_in_groups();
    if (!has_groups()) {
        let on_duty = servers_on_duty(shifts_of(site.id));
        servers = on_duty - max(site.rules.servers, min(taken(), on_duty));
    }
    set_row(words, row_of(mine.now, sum));
    set_row(words + 1u, vec4<u32>(upper, servers, 0u, 0u));
}
