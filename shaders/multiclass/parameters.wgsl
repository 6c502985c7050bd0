// multiclass/parameters: what all replications share: sizes, where everything lies, and the network in rows of `structure`.
//
//   Every network has rows of its own:
//   0             a station, two rows: servers, capacity, order, preemption; first row and number of its probabilities of
//                 balking, where who balks goes, where who reneges goes
//   visits        a class at a station: first and last edge, law of services, law of patience or NONE
//   edges         two rows: the largest draw, target, class from then on; delay
//   sources       two rows: law, class, target; limit, start
//   initials      tokens at time 0: station, class, how many
//   levels        of a class: its priority, numbered from 0 on
//   balking       how many of the 2^32 draws balk
//   batches       of a source: first row and number of its probabilities, the most tokens at a time, or 0 where it is always one; then
//                 how many of the 2^32 draws are of 1, 2, ... tokens
//   intervals     of a source, two rows: first row and number of its steps, phases or rows, and what they are (intervals_varied); the
//                 period's length and expected tokens, or 0. Then two rows a step: when it begins, expected tokens before it; the mean
//                 interval, or 0. Or of each phase the draws that begin in it or before it; then of each its mean, first change and how
//                 many; then of each change the draws, the phase behind it, and whether it brings tokens. Or a row of a trace: when,
//                 class, tokens
//   ways          of a station: how it chooses a route, and among how many
//   duty          of a station, two rows: first row and number of its shifts, the place of their event, 1 where their ends interrupt, 2 where servers fail by use;
//                 how long its servers work and are out of order, the place of the first one's event, how many there are
//                 Then a row a shift: how long it lasts, or never; servers; the most of it and those to come
//   blocking      of a station: bits of whether it blocks who has no room, 1, tokens exchange, 2, and services stop before it, 4; what else makes it go on; the servers that it may have (deadlock); see repeats
//   sharing_rows  of a station: its servers where all share them, or 0; what else see sharing_paced
//   absences      of a station: law of set-up times or vacations or NONE, which of them, place of the first event, how many (absences)
//   limits        of a class at a station: mean of its services, for how many there is room, servers (class_counts)
//   units         of a station, two rows; then the needs, how many units there are of each resource, and the stations that seize
//   joining       of a station: 1 where siblings wait for each other
//   laws          three rows, see lib/law
//
// Mirrored in src/queueing/gpu/multiclass/records.rs.

import networks::{network_begin};
import package::lib::law::{Law};
import package::lib::time::{Time};
import word64::{Wide, wide};

struct Parameters {
    key: Wide,              // of the run, see stream_key of queueing/network
    warmup: Time,
    step: Time,             // of the grid of series, and how many times it has
    first: u32,             // the number of the first replication
    replications: u32,
    stations: u32,
    sources: u32,
    classes: u32,
    station_rows: u32,
    token_rows: u32,
    places: u32,            // for tokens, in each replication
    tokens: u32,            // at time 0
    // Where rows of all replications lie.
    sources_at: u32,
    stations_at: u32,
    accounts_at: u32,
    sinks_at: u32,
    tokens_at: u32,
    events_at: u32,
    // Where rows of the structure lie.
    visits: u32,
    edges: u32,
    inflows: u32,
    initials: u32,
    initial_rows: u32,
    levels: u32,
    balking: u32,
    laws: u32,
    level_count: u32,
    batches: u32,
    intervals: u32,
    ways: u32,
    duty: u32,
    blocking: u32,
    sharing_rows: u32,
    source_rows: u32,
    fixed: u32,             // events that are no token's: places before those of tokens
    // Where words of a station lie, behind its lists.
    holding: u32,
    sharing: u32,
    account_rows: u32,
    limits: u32,
    visited: u32,           // row of a token with its visits
    absences: u32,
    absence: u32,           // row of a station with the number of absences
    servers_at: u32,
    times: u32,
    // See seen; units; forks.
    seen_rows: u32, seen_stations: u32, seen_classes: u32, seen_records: u32, seen_bins: u32, seen_levels: u32, bins: u32, shift: u32,
    seen_held: u32,
    downtime: u32,          // row of a station with how long its servers were out of order, or 0
    units: u32, units_of: u32, units_held: u32, outside: u32, seizing: u32, seizing_count: u32, resources: u32, resources_at: u32,
    list_count: u32,
    joining: u32, forked: u32, forks_at: u32, most_copies: u32, aside: u32,
    repeated: u32,          // what is known of a service that is repeated
    copies: u32,            // see several_networks
    annex: u32,             // see annex
}

var<uniform> parameters: Parameters;
// The same, at hand for the whole run.
var<private> plan: Parameters;
var<storage, read> structure: array<vec4<u32>>;

const NONE: u32 = 0xffffffffu;

fn take_up_plan() { plan = parameters; }

// A row of the network of this thread.
fn structure_row(row: u32) -> vec4<u32> { return structure[network_begin() + row]; }

fn law_at(number: u32) -> Law {
    let row = plan.laws + 3u * number;
    let a = structure_row(row);
    let b = structure_row(row + 1u);
    let c = structure_row(row + 2u);
    return Law(wide(a.x, a.y), wide(a.z, a.w), wide(b.x, b.y), b.z, b.w, c.x, c.y);
}

fn visit_of(station: u32, class_of: u32) -> vec4<u32> {
    return structure_row(plan.visits + station * plan.classes + class_of);
}

fn level_of(class_of: u32) -> u32 { return structure_row(plan.levels + class_of).x; }

// The edge that a draw takes: the first whose largest draw is not below it.
fn edge_of(visit: vec4<u32>, draw: u32) -> u32 {
    var edge = visit.x;
    while (edge < visit.y && structure_row(plan.edges + 2u * edge).x < draw) { edge += 1u; }
    return edge;
}
