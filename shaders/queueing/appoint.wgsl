// queueing/appoint (a whole round; one thread a station, BLOCK stations a workgroup)
// What: takes in what was sent to a station in the last round, decides the visits in its list that nothing earlier can still
//       precede, up to DECISIONS of them, and publishes from when on its next departure by each of its edges can arrive (an
//       appointment, Nicol 1988). PARITY tells rounds apart: one reads what the other writes.
// Reads: next_event, tokens, and of other stations only what the last round left: appointments and inboxes.
// Writes: stations, tokens, links, next_event, appointments, summaries, control (first block).
// Afterwards: every appointment is at or before each arrival by its edge that is not in an inbox or a list yet, and each
//             visit that was decided came in the contract's order.

const OTHER: u32 = 1u - PARITY;

@group(0) @binding(0) var<storage, read_write> control: Control;
@group(0) @binding(1) var<storage, read_write> next_event: array<Time>;
@group(0) @binding(2) var<storage, read_write> summaries: array<Wide>;
@group(0) @binding(4) var<storage, read_write> stations: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> tokens: array<vec4<u32>>;
@group(0) @binding(6) var<storage, read_write> links: array<atomic<u32>>;
@group(0) @binding(9) var<uniform> parameters: Parameters;

var<private> pending: Time;   // the earliest arrival that this thread has left or sent
var<workgroup> decided: atomic<u32>;

fn run(block: u32, lane: u32) {
    let earliest = earliest_pending(lane);
    let running = goes_on(earliest);
    if (block == 0u && lane == 0u) { keep_count(earliest, running); }
    pending = never();
    if (lane == 0u) { atomicStore(&decided, 0u); }
    workgroupBarrier();
    if (running) {
        let end = min(parameters.stations, (block + 1u) * BLOCK);
        for (var station = block * BLOCK + lane; station < end; station += WORKGROUP) { work(station, earliest); }
    }
    let least = workgroup_minimum(lane, pending);
    if (lane != 0u || !running || block >= control.blocks) { return; }
    summaries[OTHER * control.blocks + block] = least;
    atomicAdd(&control.selected, atomicLoad(&decided));
}

// A station's part of a round. No arrival that is not in its list yet comes before `earliest` or at that time.
fn work(id: u32, earliest: Time) {
    let here = around(id);
    var station = load_station(id);
    var list = taken_in(id);
    var next = others(here, station.free, wide_add(earliest, wide(1u, 0u)));
    forget(here);
    release(id, clock_of(earliest));
    if (may_be_decided(list, next, earliest)) {
        let site = site_of(id);
        var count = 0u;
        loop {
            if (!decide(site, here, &station, &list, &next)) { break; }
            count += 1u;
            if (count == DECISIONS || !may_be_decided(list, next, earliest)) { break; }
        }
        store_station(id, station);
        atomicAdd(&decided, count);
        look_ahead(site, station.state);
    }
    atomicStore(&links[list_place(id)], list);
    var head = never();
    if (list != 0u) { head = next_event[list - 1u]; }
    pending = wide_minimum(pending, head);
    publish_all(here, station.free, head, next);
}

// Whether there is a first in the list that nothing can precede any more, and it comes within this phase of the run.
fn may_be_decided(list: u32, next: Others, earliest: Time) -> bool {
    if (list == 0u) { return false; }
    let entity = list - 1u;
    let time = next_event[entity];
    if (!wide_less(time, control.limit) || !may_come(entity, time, earliest)) { return false; }
    if (wide_differs(time, next.time)) { return wide_less(time, next.time); }
    // What a station sends later has a later number.
    return comes_from(entity) <= next.source;
}

// Decides the visit of the first in the list; false where there is no place for a new token.
fn decide(
    site: Site, here: Around, station: ptr<function, Station>, list: ptr<function, u32>, next: ptr<function, Others>,
) -> bool {
    let entity = *list - 1u;
    let time = next_event[entity];
    *list = without_first(*list);
    let token = admitted(entity, time, list);
    if (token == NONE) { return false; }
    let visit = serve(site, station, time);
    account_exit(token, site, visit);
    store_visit(token, site.id, time, visit);
    next_event[token] = visit.arrival;
    if (!wide_less(visit.arrival, never())) { return true; }
    let target_station = target_of(here, visit.edge);
    if (target_station == NONE) {
        keep_until_gone(site.id, token);
        return true;
    }
    pending = wide_minimum(pending, visit.arrival);
    if (target_station == site.id) {
        *list = joined_by(token, *list);
    } else {
        push(inbox_of(OTHER, target_station), token);
        // Its answer is not in what it has published.
        *next = with_one(*next, ask(here, visit.edge, visit.arrival), target_station);
    }
    return true;
}
