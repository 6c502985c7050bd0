// queueing/torus_appointments: the edges of a torus, and where its appointments lie.
//
//   appointments: for each direction what its stations have published, for PARITY 0 and 1
//   stations, behind the records: two spans a word, one for each direction, of each station
//   links, behind the inboxes of PARITY 0 and 1: the list of each station, and where it sent a token in the last round

@group(0) @binding(10) var<storage, read_write> appointments: array<Time>;

// A station and its neighbours: down, right, up, left.
struct Around {
    id: u32,
    at: vec4<u32>,
}

fn around(station: u32) -> Around {
    let width = torus.width;
    let row = station / width;
    let column = station - row * width;
    let down = select(station + width, column, row + 1u == torus.height);
    let right = select(station + 1u, station - column, column + 1u == width);
    let up = select(station - width, (torus.height - 1u) * width + column, row == 0u);
    let left = select(station - 1u, station - column + width - 1u, column == 0u);
    return Around(station, vec4<u32>(down, right, up, left));
}

fn edges_in(here: Around) -> u32 { return 4u; }
fn edges_out(here: Around) -> u32 { return 4u; }
fn source_of(here: Around, edge: u32) -> u32 { return here.at[edge]; }
fn target_of(here: Around, edge: u32) -> u32 { return here.at[edge]; }

fn appointments_each() -> u32 { return 4u * parameters.stations; }
fn place_to(station: u32, edge: u32) -> u32 { return edge * parameters.stations + station; }
// What the station has published that an edge comes from: for it the opposite one.
fn place_from(here: Around, edge: u32) -> u32 { return place_to(here.at[edge], edge ^ 2u); }

fn inbox_of(parity: u32, station: u32) -> u32 { return parity * parameters.stations + station; }
fn list_place(station: u32) -> u32 { return 2u * parameters.stations + station; }
fn sent_place(station: u32) -> u32 { return 3u * parameters.stations + station; }

fn span_of(station: u32, edge: u32) -> Time {
    let word = stations[2u * (parameters.stations + station) + edge / 2u];
    if ((edge & 1u) == 0u) { return wide(word.x, word.y); }
    return wide(word.z, word.w);
}

fn set_span(station: u32, edge: u32, span: Time) {
    let place = 2u * (parameters.stations + station) + edge / 2u;
    if ((edge & 1u) == 0u) {
        stations[place].x = wide_low(span);
        stations[place].y = wide_high(span);
    } else {
        stations[place].z = wide_low(span);
        stations[place].w = wide_high(span);
    }
}
