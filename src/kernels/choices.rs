//! Every choice of a kernel among modules, in one table.

/// A name from which modules import, and the modules that may be mounted under it.
///
/// ```
/// # use tickless_kernels::facade as tickless;
/// let servers = tickless::kernels::CHOICES.iter().find(|choice| choice.name == "servers").expect("a choice");
/// assert!(servers.modules.contains(&"queueing/single"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The name: `import servers::{occupy};`.
    pub name: &'static str,
    /// The effect of the choice.
    pub what: &'static str,
    /// The files of `shaders/` that may be mounted.
    pub modules: &'static [&'static str],
    /// Whether a user's model may bring a text of its own.
    pub open: bool,
}

const fn among(name: &'static str, what: &'static str, modules: &'static [&'static str]) -> Choice {
    Choice { name, what, modules, open: false }
}

const fn open(name: &'static str, what: &'static str, modules: &'static [&'static str]) -> Choice {
    Choice { name, what, modules, open: true }
}

/// All choices, by room.
pub const CHOICES: &[Choice] = &[
    // For every kernel.
    among("word64", "how 64-bit words are made", &["lib/wide_native", "lib/wide_words"]),
    among("workgroup", "how a workgroup reduces values", &["lib/entry_plain", "lib/entry_subgroups"]),
    open("constants", "sizes, which the host writes for each kernel", &[]),
    open("kernel", "what the threads of a dispatch do: `run(group, lane)`", KERNELS),
    among(
        "model_status",
        "what a model has in the status of its own",
        &[
            "lib/no_status",
            "queueing/appointment_status",
            "cells/status",
            "cells/passage_status",
            "multiclass/status",
            "pathfinding/status",
        ],
    ),
    among("faults", "whether a fault can be raised yet", &["lib/faults", "lib/no_faults"]),
    among(
        "outside",
        "what an index outside of an array of a model's own does",
        &["processes/outside", "cells/outside"],
    ),
    among(
        "logarithm_rows",
        "where the rows of the logarithm lie",
        &["lib/logarithms", "lib/longer_logarithms", "queueing/network"],
    ),
    among("tables", "whether laws have tables", &["lib/no_tables", "lib/tables"]),
    open("law_rows", "the laws of a model: the field `laws` of its `DeviceModel` or `CellKernels` lists them", &[]),
    // For rounds that share a bound.
    open("departures", "what an imminent entity does", &["queueing/departure"]),
    open("arrivals", "what a filled slot does", &["queueing/arrival"]),
    open(
        "group_arrivals",
        "what a workgroup decides, not a thread",
        &["engine/no_group_arrivals", "queueing/crowd", "queueing/front"],
    ),
    // For queueing networks.
    among("topology", "stations, their laws and routes", &["queueing/torus", "queueing/network"]),
    among(
        "first_tokens",
        "what is at a station at first",
        &["queueing/torus", "queueing/network", "queueing/restored"],
    ),
    among("destinations", "where a token goes", &["queueing/torus_destination", "queueing/network_destination"]),
    among("clock", "when events happen", &["queueing/exact", "queueing/approximate"]),
    among("visit_clock", "how long a visit lasts", &["queueing/exact", "queueing/approximate_visit"]),
    among("precedence", "which arrival is first", &["queueing/precedence", "queueing/precedence_approximate"]),
    among("servers", "who serves", &["queueing/single", "queueing/servers", "queueing/servers_approximate"]),
    among("classes", "whose laws, routes and sums a visit has", &["queueing/one_class", "queueing/classes"]),
    among("routes", "how a visit finds its route", &["queueing/routes_by_chance", "queueing/routes_by_turns"]),
    among("shifts", "when a service begins", &["queueing/no_shifts", "queueing/shifts"]),
    among("comings", "how tokens of sources come", &["queueing/comings_by_law", "queueing/comings_varied"]),
    among("room", "who may wait", &["queueing/single", "queueing/room"]),
    among("station_record", "the record of a station", &["queueing/station_short", "queueing/station_full"]),
    among("observation", "what is recorded of visits", &["queueing/unobserved", "queueing/observed"]),
    among("stays", "what is recorded of stays in the network", &["queueing/no_stays", "queueing/stays"]),
    among("exits", "what is counted of tokens that leave", &["queueing/torus", "queueing/exits"]),
    among(
        "leaving",
        "where slots of tokens go that leave",
        &["queueing/closed", "queueing/gone", "queueing/network_turn"],
    ),
    among("admission", "who comes in", &["queueing/closed", "queueing/open"]),
    among("inbox_order", "how an inbox is put in order", &["queueing/order_few", "queueing/order_many"]),
    among("crowd_lists", "where crowds wait", &["queueing/scattered", "queueing/crowds"]),
    among("edges", "what appointments are made for", &["queueing/torus_appointments", "queueing/network_appointments"]),
    among("appointed_start", "what is sent on at time 0", &["queueing/torus_appointments", "queueing/network_gone"]),
    among("answers", "how appointments are decided", &["queueing/torus_turn", "queueing/network_turn"]),
    // For networks event by event.
    among(
        "batches",
        "how many tokens come at a time",
        &["multiclass/sources/batch_of_one", "multiclass/sources/batches"],
    ),
    among(
        "intervals",
        "when tokens come",
        &[
            "multiclass/sources/intervals_by_law",
            "multiclass/sources/intervals_by_rate",
            "multiclass/sources/intervals_varied",
        ],
    ),
    among("goals", "where a source sends a token", &["multiclass/sources/one_goal", "multiclass/sources/goals_chosen"]),
    among(
        "source_words",
        "where what a source knows lies",
        &["multiclass/sources/source_words", "queueing/source_words"],
    ),
    among(
        "class_counts",
        "whether tokens of a class are counted at stations",
        &["multiclass/routes/no_class_counts", "multiclass/routes/class_counts"],
    ),
    among(
        "ways",
        "how a station chooses a route",
        &["multiclass/routes/ways_by_chance", "multiclass/routes/ways_chosen"],
    ),
    among(
        "server_schedule",
        "how many servers there are",
        &["multiclass/servers/steady", "multiclass/servers/changing"],
    ),
    among(
        "absences",
        "whether servers set up or go away",
        &["multiclass/servers/no_absences", "multiclass/servers/absences"],
    ),
    among(
        "line_order",
        "whether stations serve in random order",
        &["multiclass/queues/known_order", "multiclass/queues/random_order"],
    ),
    among(
        "series",
        "whether numbers are noted over time",
        &["multiclass/statistics/no_series", "multiclass/statistics/series"],
    ),
    among(
        "fold",
        "whether figures are added up by the bin of a period",
        &["multiclass/statistics/no_fold", "multiclass/statistics/fold"],
    ),
    among(
        "histograms",
        "whether distributions are recorded, or times beside targets alone",
        &[
            "multiclass/statistics/no_histograms",
            "multiclass/statistics/histograms",
            "multiclass/statistics/targets_alone",
        ],
    ),
    among(
        "units",
        "whether tokens need units of resources",
        &["multiclass/resources/no_units", "multiclass/resources/units"],
    ),
    among(
        "grants",
        "who gets units behind an event, and who waits for ever then",
        &["multiclass/resources/no_units", "multiclass/resources/units", "multiclass/blocking/exchanges_units"],
    ),
    among("forks", "whether tokens split", &["multiclass/forks/no_forks", "multiclass/forks/forks"]),
    among("aside", "whether tokens stand aside", &["multiclass/forks/none_aside", "multiclass/forks/aside"]),
    among("joining", "for whom tokens wait", &["multiclass/forks/joins", "multiclass/forks/kits"]),
    among(
        "groups",
        "whether servers differ in whom they serve, and how long",
        &["multiclass/servers/no_groups", "multiclass/servers/groups"],
    ),
    among(
        "standby",
        "whether servers come when many wait",
        &["multiclass/servers/no_standby", "multiclass/servers/standby"],
    ),
    among(
        "bulks",
        "whether servers serve several tokens at once, or go round",
        &["multiclass/servers/no_bulks", "multiclass/servers/bulks"],
    ),
    among(
        "breakdowns",
        "whether servers of groups fail",
        &["multiclass/servers/no_breakdowns", "multiclass/servers/breakdowns"],
    ),
    among(
        "walks",
        "whether servers walk to classes of which nobody waits",
        &["multiclass/servers/no_walks", "multiclass/servers/walks"],
    ),
    among(
        "deadlines",
        "whether patience ends amid services",
        &["multiclass/stations/no_deadlines", "multiclass/stations/deadlines"],
    ),
    among(
        "attributes",
        "whether tokens carry anything",
        &["multiclass/attributes/no_attributes", "multiclass/attributes/attributes"],
    ),
    among(
        "time_factors",
        "whether it depends on the time of day how long services take",
        &["multiclass/stations/no_time_factors", "multiclass/stations/time_factors"],
    ),
    among(
        "unit_changes",
        "whether units of resources come and go",
        &["multiclass/resources/no_unit_changes", "multiclass/resources/unit_changes"],
    ),
    among(
        "preemption",
        "whether tokens that wait for units interrupt services",
        &["multiclass/resources/no_preemption", "multiclass/resources/preemption"],
    ),
    among(
        "idle",
        "whether idle servers stay set up for a while",
        &["multiclass/servers/never_idle", "multiclass/servers/idle"],
    ),
    among("wear", "whether servers fail by use", &["multiclass/servers/no_wear", "multiclass/servers/wear"]),
    among(
        "repeats",
        "whether services are repeated for want of room",
        &["multiclass/blocking/no_repeats", "multiclass/blocking/repeats"],
    ),
    among(
        "exchanges",
        "whether tokens that wait for each other's room change places",
        &["multiclass/blocking/no_exchanges", "multiclass/blocking/exchanges"],
    ),
    among(
        "circles",
        "whether the stations wait for each other for ever whose tokens change places then",
        &["multiclass/blocking/full_blocks", "multiclass/blocking/exchanges_units"],
    ),
    among(
        "stopped",
        "what is left of services that stop",
        &["multiclass/blocking/stopped_by_event", "multiclass/blocking/stopped_by_clock"],
    ),
    among("steps", "where a replication stops", &["multiclass/control/no_steps", "multiclass/control/steps"]),
    among(
        "decisions",
        "what is decided during a run",
        &["multiclass/control/no_decisions", "multiclass/control/decisions"],
    ),
    among("clocks", "how the next event is found", &["multiclass/clocks/few", "multiclass/clocks/tournament"]),
    among(
        "networks",
        "whether threads have replications of one network",
        &["multiclass/one_network", "multiclass/several_networks", "multiclass/control/copies"],
    ),
    among(
        "rooms",
        "who goes on as there is room behind its service",
        &["multiclass/blocking/no_stops", "multiclass/blocking/stops", "multiclass/blocking/stops_forks"],
    ),
    among(
        "stops",
        "whether services stop for want of room behind them",
        &["multiclass/blocking/no_stops", "multiclass/blocking/stops"],
    ),
    among(
        "full",
        "what becomes of who finds no room",
        &["multiclass/blocking/full_lost", "multiclass/blocking/full_blocks"],
    ),
    among(
        "shares",
        "whether tokens share servers, or are served at a pace",
        &["multiclass/sharing/no_sharing", "multiclass/sharing/alike", "multiclass/sharing/paced"],
    ),
    among(
        "pace",
        "how much the servers that a clock is of do in a tick",
        &["multiclass/sharing/pace", "multiclass/sharing/pace_fast"],
    ),
    // For logical processes.
    open(
        "model",
        "the functions of a model",
        &[
            "processes/phold",
            "cells/fire",
            "cells/watershed",
            "cells/delay_transport",
            "cells/delay_inertial",
            "cells/ports_transport",
            "cells/ports_inertial",
        ],
    ),
    among(
        "events",
        "what an event carries",
        &["pending/bare", "pending/carrying", "global_heap/bare", "global_heap/carrying"],
    ),
    among("set", "how pending events are kept", &["pending/heap", "pending/ring", "pending/splay", "pending/unsorted"]),
    among("sets", "who knows how many events a process has", &["processes/sets", "processes/counted_sets"]),
    among(
        "insertion",
        "how an event is added",
        &["pending/heap", "pending/circular", "pending/splay", "pending/unsorted", "global_heap/post"],
    ),
    among(
        "intake",
        "how the messages of a round are added",
        &["pending/one_by_one", "pending/circular_single_pass", "pending/circular_parallel"],
    ),
    among("arity", "how many lie below a place of a heap", &["pending/heap_pairs", "pending/heap_fours"]),
    among(
        "outgoing",
        "where a message goes",
        &["processes/outbox", "processes/alone_outbox", "processes/deliver", "global_heap/post"],
    ),
    among("crossing", "whether messages cross to another GPU", &["processes/no_crossing", "processes/crossing"]),
    among("root", "who is told of the events of the root", &["global_heap/execute", "global_heap/settle"]),
    // For path searches.
    among("terrain", "what moves cost", &["pathfinding/even", "pathfinding/weighted"]),
    among("open_list", "how a workgroup keeps open cells", &["pathfinding/near_far", "pathfinding/whole_ring"]),
    among("discovery", "where an open cell goes", &["pathfinding/inserted", "pathfinding/collected"]),
    among("trails", "whether paths are kept", &["pathfinding/no_trail", "pathfinding/trail"]),
    // For cell spaces.
    among("lookaheads", "the lookahead of a cell", &["cells/even", "cells/uneven"]),
    among("cell_log", "whether outputs are written down", &["cells/no_log", "cells/log"]),
    among(
        "rule_inputs",
        "whether something comes into the cells of a rule file from outside, and the delay",
        &["cells/no_inputs", "cells/inputs", "cells/inputs_inertial"],
    ),
    among("elapsed_time", "whether transitions are told the elapsed time", &["cells/no_elapsed", "cells/elapsed"]),
    among("relaxation", "how a first passage comes from cell to cell", &["cells/relax_delays", "cells/relax_fronts"]),
    open("fronts", "how long a front takes over an edge of two neighbours", &["cells/fire_fronts"]),
    among("ellipses", "where the ellipses of a fire come from", &["cells/fire_paces_stored", "cells/fire_paces_made"]),
    among("passages", "whether delays change", &["cells/passage_steady", "cells/passage_changing"]),
    open("delays", "how long something takes from cell to cell", &["cells/fire_delay"]),
    open("rule_file", "the rules of a file, which the host writes", &[]),
];

/// Every module with a `run` function of its own.
const KERNELS: &[&str] = &[
    "cells/add_passages",
    "cells/arrival",
    "cells/copy",
    "cells/departure",
    "cells/differ",
    "cells/first_blocks",
    "cells/first_groups",
    "cells/passage_begins",
    "cells/passage_clear",
    "cells/passage_commit",
    "cells/passage_count",
    "cells/passage_relax",
    "cells/passage_start",
    "engine/arrivals",
    "engine/departures",
    "engine/initialize",
    "global_heap/execute",
    "global_heap/initialize",
    "global_heap/merge",
    "global_heap/settle",
    "global_heap/sort",
    "multiclass/advance",
    "multiclass/control/restart",
    "multiclass/initialize",
    "multiclass/tally",
    "pathfinding/advance",
    "pathfinding/advance_together",
    "pathfinding/tally",
    "processes/add_messages",
    "processes/add_processes",
    "processes/alone",
    "processes/deliver_crossing",
    "processes/enqueue",
    "processes/enqueue_together",
    "processes/execute",
    "processes/execute_imminent",
    "processes/initialize",
    "processes/order_imminent",
    "queueing/add_stations",
    "queueing/add_tokens",
    "queueing/appoint",
    "queueing/initialize_appointments",
    "queueing/initialize_sources",
    "queueing/initialize_stations",
    "queueing/initialize_tiles",
    "queueing/restore_stations",
    "queueing/tile",
];
