//! The records of the kernels of replications, mirrored from `shaders/multiclass/`.

use tickless_kernels::layout::mirrors;

/// No token, no law; also where a token goes that leaves the network without a sink.
pub(super) const NONE: u32 = u32::MAX;
/// Words of a replication before its sources, of a source, of a source whose rate changes, and of a class at a sink.
pub(super) const HEADER_WORDS: u32 = 8;
pub(super) const SOURCE_WORDS: u32 = 4;
pub(super) const RATE_WORDS: u32 = 6;
pub(super) const SINK_WORDS: u32 = 4;
/// Words of a class at a station: at any station; where tokens leave without a service; where services are interrupted, routes take
/// turns or stations block; where all share the servers.
pub(super) const ACCOUNT_WORDS: u32 = 6;
pub(super) const IMPATIENT_WORDS: u32 = 8;
pub(super) const TURN_WORDS: u32 = 10;
pub(super) const SHARED_WORDS: u32 = 12;
/// Words of a station before its lists, the last of which are of its servers, and of each list; of an event, and of its detail.
pub(super) const STATION_WORDS: u32 = 6;
pub(super) const SERVERS_WORDS: u32 = 2;
pub(super) const LIST_WORDS: u32 = 2;
pub(super) const EVENT_WORDS: u32 = 2;
pub(super) const DETAIL_WORDS: u32 = 2;
/// Words of a row of the tree of the clocks of events.
pub(super) const CLOCK_WORDS: u32 = 2;
/// Words behind these where a station blocks; where all share the servers; where some tokens have speeds or weights.
pub(super) const HOLDING_WORDS: u32 = 4;
pub(super) const SHARING_WORDS: u32 = 4;
pub(super) const PACED_WORDS: u32 = 8;
/// Words behind these where servers set up or go away; of a server that fails by use.
pub(super) const ABSENCE_WORDS: u32 = 2;
pub(super) const SERVER_WORDS: u32 = 2;
/// Words behind these where servers fail.
pub(super) const DOWN_WORDS: u32 = 4;
/// Words behind these where tokens need units of resources; of a resource; of a token for every four of its station and its
/// units.
pub(super) const UNIT_WORDS: u32 = 2;
pub(super) const RESOURCE_WORDS: u32 = 4;
pub(super) const HELD_WORDS: u32 = 2;
/// Words of a replication whose tokens split, behind those of a station, and of a token with the siblings of its number.
pub(super) const FORK_WORDS: u32 = 4;
pub(super) const ASIDE_WORDS: u32 = 2;
/// Of a part of a kit.
pub(super) const SHELF_WORDS: u32 = 2;
pub(super) const FORKED_WORDS: u32 = 6;
/// Words of a token that may be served again, behind its other words.
pub(super) const REPEATED_WORDS: u32 = 2;
/// Words of a station for each priority, and of a token, where stations serve in random order.
pub(super) const TREE_WORDS: u32 = 2;
pub(super) const NODE_WORDS: u32 = 2;
/// The bit beside the station of a token that holds its server without room elsewhere.
pub(super) const HELD: u32 = 1 << 31;
/// Siblings that wait at several stations: the bit beside their number.
pub(super) const APART: u32 = 1 << 31;
/// Words of a token, of a token of a lean network, of a packed token, of a token whose service may be interrupted or share servers,
/// and of a token where stations have speeds or weights.
pub(super) const TOKEN_WORDS: u32 = 8;
pub(super) const LEAN_TOKEN_WORDS: u32 = 4;
pub(super) const PACKED_TOKEN_WORDS: u32 = 2;
pub(super) const INTERRUPTED_WORDS: u32 = 10;
pub(super) const PACED_TOKEN_WORDS: u32 = 14;
/// Words behind the others of a class at a station where classes are counted there; of a token for every four stations with routes by
/// visit.
pub(super) const COUNT_WORDS: u32 = 2;
pub(super) const VISIT_WORDS: u32 = 2;
/// Of a packed token: the bit for a counted arrival, behind those of its class; no token behind it; and the upper part of a time that never
/// comes.
pub(super) const PACKED_COUNTED: u32 = 1 << 7;
pub(super) const PACKED_LAST: u32 = (1 << 24) - 1;
pub(super) const PACKED_NEVER: u32 = (1 << 16) - 1;
/// Flags beside the class of a token.
pub(super) const INTERRUPTED: u32 = 1 << 31;
pub(super) const COUNTED: u32 = 1 << 30;
pub(super) const REPEATED: u32 = 1 << 26;
pub(super) const CLASS: u32 = (1 << 20) - 1;
/// The bits of an event that say what happens, an end of a service and an arrival.
pub(super) const PHASE: u32 = 7 << 29;
pub(super) const DEPARTURE: u32 = 1 << 29;
pub(super) const ARRIVAL: u32 = 6 << 29;
/// The bits of the fault word: a count of a class at a station has passed 32 bits.
pub(super) const FAULT_COUNT: u32 = 1;
/// Tokens balk in a circle, and the number that have done so at one instant.
pub(super) const FAULT_CIRCLE: u32 = 64;
/// A decision is out of range; tokens of a copy under control wait for each other for ever.
pub(super) const FAULT_DECISION: u32 = 128;
pub(super) const FAULT_STUCK: u32 = 256;
pub(super) const MOST_BALKED: u64 = 1 << 22;

mirrors! {
    /// `Parameters` of `parameters.wgsl`.
    #[derive(Default, PartialEq, Eq)]
    pub(super) struct Parameters in "multiclass/parameters" "Parameters" {
        pub(super) key: u64,
        pub(super) warmup: u64,
        pub(super) step: u64,
        pub(super) fold_step: u64,
        pub(super) first: u32,
        pub(super) replications: u32,
        pub(super) stations: u32,
        pub(super) sources: u32,
        pub(super) classes: u32,
        pub(super) station_rows: u32,
        pub(super) token_rows: u32,
        pub(super) places: u32,
        pub(super) tokens: u32,
        pub(super) sources_at: u32,
        pub(super) stations_at: u32,
        pub(super) accounts_at: u32,
        pub(super) sinks_at: u32,
        pub(super) tokens_at: u32,
        pub(super) events_at: u32,
        pub(super) visits: u32,
        pub(super) edges: u32,
        pub(super) inflows: u32,
        pub(super) initials: u32,
        pub(super) initial_rows: u32,
        pub(super) levels: u32,
        pub(super) balking: u32,
        pub(super) laws: u32,
        pub(super) level_count: u32,
        pub(super) batches: u32,
        pub(super) intervals: u32,
        pub(super) ways: u32,
        pub(super) server_schedule: u32,
        pub(super) blocking: u32,
        pub(super) sharing_rows: u32,
        pub(super) source_rows: u32,
        pub(super) fixed: u32,
        pub(super) holding: u32,
        pub(super) sharing: u32,
        pub(super) account_rows: u32,
        pub(super) limits: u32,
        pub(super) visited: u32,
        pub(super) absences: u32,
        pub(super) absence: u32,
        pub(super) servers_at: u32,
        pub(super) times: u32,
        pub(super) fold_bins: u32,
        pub(super) histogram_rows: u32,
        pub(super) histogram_stations: u32,
        pub(super) histogram_classes: u32,
        pub(super) histogram_records: u32,
        pub(super) histogram_bins: u32,
        pub(super) histogram_levels: u32,
        pub(super) bins: u32,
        pub(super) shift: u32,
        pub(super) histogram_held: u32,
        pub(super) targets: u32,
        pub(super) histogram_targets: u32,
        pub(super) histogram_longest: u32,
        pub(super) downtime: u32,
        pub(super) units: u32,
        pub(super) units_of: u32,
        pub(super) units_held: u32,
        pub(super) outside: u32,
        pub(super) seizing: u32,
        pub(super) seizing_count: u32,
        pub(super) resources: u32,
        pub(super) resources_at: u32,
        pub(super) list_count: u32,
        pub(super) joining: u32,
        pub(super) forked: u32,
        pub(super) forks_at: u32,
        pub(super) most_copies: u32,
        pub(super) aside: u32,
        pub(super) repeated: u32,
        pub(super) copies: u32,
        pub(super) annex: u32,
        pub(super) trees: u32,
        pub(super) node: u32,
        pub(super) event_rows: u32,
        pub(super) groups: u32,
        pub(super) group_words: u32,
        pub(super) attributes: u32,
        pub(super) attribute_count: u32,
        pub(super) values: u32,
        pub(super) sizes: u32,
        pub(super) clock_bits: u32,
        pub(super) clocks_at: u32,
        pub(super) clock_rows: u32,
        pub(super) control: u32,
        pub(super) looks: u32,
        pub(super) near_sources: u32,
        pub(super) near_stations: u32,
        pub(super) near_accounts: u32,
        pub(super) near_sinks: u32,
        pub(super) near_events: u32,
        pub(super) near_end: u32,
    }

    /// `ModelStatus` of `status.wgsl`.
    pub(super) struct Status in "multiclass/status" "ModelStatus" {
        pub(super) left: u32,
        pub(super) earliest: u32,
        pub(super) latest: u32,
        pub(super) step: u32,
    }
}
