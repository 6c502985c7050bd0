// multiclass/servers/downtime: the total time in which servers are out of order and hold no token. A station has two rows for it from
// its row `downtime` on: the time up to which it is counted, and the lower 64 bits of the sum; its upper bits, and the servers out of
// order since.
// Reads: parameters, model_table. Reads and writes: replication_state.

import full::{taken};
import package::lib::wide::{wide_maximum};
import package::multiclass::parameters::{plan};
import package::multiclass::servers::failures::{servers_on_duty};
import package::multiclass::servers::rules::{failures_of, shifts_of};
import package::multiclass::state::{mine, row_at, row_of, set_row, station_at};
import package::multiclass::stations::station::{site};
import package::multiclass::statistics::annex::{carry};
import word64::{wide, wide_add, wide_high, wide_less, wide_low, wide_product, wide_sub};

// Counts the time since the open station was closed last, and keeps how many servers are out of order from now on.
fn count_downtime() {
    if (plan.downtime == 0u || failures_of(site.id).servers == 0u) { return; }
    let words = station_at(site.id) + plan.downtime;
    let head = row_at(words);
    let rest = row_at(words + 1u);
    let since = wide_maximum(wide(head.x, head.y), plan.warmup);
    let before = wide(head.z, head.w);
    var sum = before;
    var upper = rest.x;
    if (rest.z != 0u && wide_less(since, mine.now)) {
        // A sum of 96 bits.
        let span = wide_sub(mine.now, since);
        let low = wide_product(wide_low(span), rest.z);
        let high = wide_add(wide_product(wide_high(span), rest.z), wide(wide_high(low), 0u));
        sum = wide_add(before, wide(wide_low(low), wide_low(high)));
        upper += wide_high(high) + carry(sum, before);
    }
    let on_duty = servers_on_duty(shifts_of(site.id));
    let down = on_duty - max(site.rules.servers, min(taken(), on_duty));
    set_row(words, row_of(mine.now, sum));
    set_row(words + 1u, vec4<u32>(upper, 0u, down, 0u));
}
