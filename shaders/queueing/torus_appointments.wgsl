// queueing/torus_appointments: the edges of a torus, and where its appointments lie.
//
//   appointments: for each direction what its stations have published, twice; then how far they look ahead
//   links, behind the inboxes of PARITY 0 and 1: the list of each station, and where it sent a token in the last round

@group(0) @binding(10) var<storage, read_write> appointments: array<Time>;

fn edges_in(station: u32) -> u32 { return 4u; }
fn edges_out(station: u32) -> u32 { return 4u; }
fn source_of(station: u32, edge: u32) -> u32 { return neighbour(station, edge); }
fn target_of(station: u32, edge: u32) -> u32 { return neighbour(station, edge); }

fn appointments_each() -> u32 { return 4u * parameters.stations; }
fn place_to(station: u32, edge: u32) -> u32 { return edge * parameters.stations + station; }
// What the station has published that an edge comes from: for it the opposite one.
fn place_from(station: u32, edge: u32) -> u32 { return place_to(neighbour(station, edge), edge ^ 2u); }
fn ahead_place(station: u32, edge: u32) -> u32 { return 2u * appointments_each() + place_to(station, edge); }

fn inbox_of(parity: u32, station: u32) -> u32 { return parity * parameters.stations + station; }
fn list_place(station: u32) -> u32 { return 2u * parameters.stations + station; }
fn sent_place(station: u32) -> u32 { return 3u * parameters.stations + station; }
