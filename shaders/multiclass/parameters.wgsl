// multiclass/parameters: what all replications share: sizes, places, and the network in rows of `model_table`.
//
// Every network has rows of its own, the two rows of each station first. For each kind of row the files `rules` of the folders have a
// struct that names its words; so have sources/intervals, forks/joins and statistics/histograms. A law has three rows, see lib/law.
//
// Mirrored in src/queueing/gpu/multiclass/records.rs; rows in rows.rs there.

import networks::{network_begin};
import package::lib::law::{Law, law_of_rows};
import package::lib::time::{Time};
import word64::{Wide};

struct Parameters {
    key: Wide,              // of the run, see stream_key of queueing/network
    warmup: Time,
    step: Time,             // of the grid of series
    fold_step: Time,        // see fold
    first: u32,             // the number of the first replication
    replications: u32,
    stations: u32,
    sources: u32,
    classes: u32,
    station_rows: u32,
    token_rows: u32,
    places: u32,            // for tokens, in each replication, with the places at the ends of lists
    tokens: u32,            // at time 0
    // Where rows of all replications lie.
    sources_at: u32,
    stations_at: u32,
    accounts_at: u32,
    sinks_at: u32,
    tokens_at: u32,
    events_at: u32,
    // Where rows of the model table lie.
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
    server_schedule: u32,
    blocking: u32,
    sharing_rows: u32,
    source_rows: u32,
    fixed: u32,             // events of no token: places before those of tokens
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
    fold_bins: u32,         // see fold
    // See statistics/histograms; units; forks.
    histogram_rows: u32, histogram_stations: u32, histogram_classes: u32, histogram_records: u32, histogram_bins: u32, histogram_levels: u32, bins: u32, shift: u32,
    histogram_held: u32,
    targets: u32, histogram_targets: u32, histogram_longest: u32,
    downtime: u32,          // row of a station with the total downtime of its servers, or 0
    units: u32, units_of: u32, units_held: u32, outside: u32, seizing: u32, seizing_count: u32, resources: u32, resources_at: u32,
    list_count: u32,
    joining: u32, forked: u32, forks_at: u32, most_copies: u32, aside: u32,
    repeated: u32,          // row of a service that is repeated
    copies: u32,            // see several_networks
    annex: u32,             // see annex
    trees: u32,             // row of a station with the trees of its lines, and of a token in one (line_tree)
    node: u32,
    event_rows: u32,
    groups: u32, group_words: u32,     // see group_rows
    attributes: u32, attribute_count: u32, values: u32, sizes: u32,     // see attributes/rows, and attributes for the row of a token
    clock_bits: u32,        // lowest bits of a time that a clock leaves out, see clocks
    clocks_at: u32, clock_rows: u32,   // see tournament
    control: u32, looks: u32,          // see control/rows
    // Where near rows lie, see near; and how many there are.
    near_sources: u32, near_stations: u32, near_accounts: u32, near_sinks: u32, near_events: u32, near_end: u32,
}

var<uniform> parameters: Parameters;
// The parameters as variables, for the whole run.
var<private> plan: Parameters;
var<storage, read> model_table: array<vec4<u32>>;

const NONE: u32 = 0xffffffffu;

fn take_up_plan() { plan = parameters; }

// A row of the network of this thread.
fn model_row(row: u32) -> vec4<u32> { return model_table[network_begin() + row]; }

fn law_at(number: u32) -> Law {
    let row = plan.laws + 3u * number;
    return law_of_rows(model_row(row), model_row(row + 1u), model_row(row + 2u));
}
