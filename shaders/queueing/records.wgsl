// queueing/records: the records of a station and of a token on the device, and the parameters of every topology. A visit
// moves whole 16-byte words of few memory sectors. Mirrored in src/queueing/gpu/records.rs.
//
//   stations: queueing/station_full or queueing/station_short
//   tokens, two words an entity: arrived, start | station, edge, number, unused
//
// An entity is a token or a source: the event of a token is its next arrival, the event of a source its next token.
// Sources come first, each with some slots for its tokens behind it: a cell. Stations are first-come first-served, so a
// visit is decided when its token arrives, and nothing waits in a list: a token has the words of its last visit, and
// when and where it arrives next.

import package::lib::time::{Time};
import word64::{Wide};

const NONE: u32 = 0xffffffffu;
const FAULT_VISITS: u32 = 1u;
const FAULT_POOL: u32 = 2u;
const FAULT_SERVICE: u32 = 4u;
const FAULT_WAITING: u32 = 8u;
const FAULT_LEVELS: u32 = 16u;
const FAULT_STAYS: u32 = 32u;
// Beyond the stations: a target that is a way out, or a source as the origin of a token.
const OUTSIDE: u32 = 0x80000000u;

struct Parameters {
    key: Wide,            // of the random streams
    until: Wide,          // a service that would start then or later is not drawn
    stations: u32,
    entities: u32,
    cells: u32,           // entities in cells
    cell: u32,            // entities of a cell: a power of two
    links: u32,           // where the links of entities begin, see queueing/links
    unused: u32,
}

var<storage, read_write> stations: array<vec4<u32>>;
var<storage, read_write> tokens: array<vec4<u32>>;
var<storage, read_write> links: array<atomic<u32>>;    // see queueing/links
var<uniform> parameters: Parameters;

fn is_source(entity: u32) -> bool { return entity < parameters.cells && (entity & (parameters.cell - 1u)) == 0u; }

struct Station {
    state: Wide,          // of the random stream
    free: Time,           // when the server has served everyone here
    service: Wide,        // ticks: service times of the visits, and its bits beyond 64 in service_top
    waiting: Wide,        // ticks: waiting times of the visits, likewise
    visits: u32,          // admitted tokens
    losses: u32,
    service_top: u32,
    waiting_top: u32,
}

// The last visit of a token, or the visit that is decided now.
struct Visit {
    start: Time,          // never: not before the end of the run
    arrival: Time,        // where the token goes next
    edge: u32,
    number: u32,          // visits before it (with queueing/station_short in its round)
}
