// queueing/torus_tiles: a torus cut into tiles of TILE_WIDTH x TILE_HEIGHT stations, one for each lane of a workgroup; those
// at the right and the bottom may reach beyond it. And where things lie:
//
//   appointments   what tiles publish for others, for even and odd rounds: a time for each edge out of a tile; then, for each
//                  of these, when the first token departed that was sent by it in the last round; then, two for each station,
//                  what it knew of others
//   stations       behind the records, the service times of the next visits of each station, two words each
//   links          inboxes of even and odd rounds; lists; and a word for each station: the edges of its next visits, 8 bits
//                  each, and in bits 2 and 3 that of what it knew

const BORDER: u32 = 2u * (TILE_WIDTH + TILE_HEIGHT);   // edges out of a tile

@group(0) @binding(10) var<storage, read_write> appointments: array<Time>;

// A station, its tile, and where `told` says what the neighbour by each edge has published: in the tile, what a lane told by
// the opposite edge; from beyond, at a place of the edge's own.
struct Here {
    id: u32,
    tile: u32,
    is_there: bool,
    heard: vec4<u32>,
}

fn tiles_across() -> u32 { return (torus.width + TILE_WIDTH - 1u) / TILE_WIDTH; }
fn tiles() -> u32 { return tiles_across() * ((torus.height + TILE_HEIGHT - 1u) / TILE_HEIGHT); }

fn here_in(tile: u32, lane: u32) -> Here {
    let first_row = tile / tiles_across() * TILE_HEIGHT;
    let first_column = tile % tiles_across() * TILE_WIDTH;
    let row = first_row + lane / TILE_WIDTH;
    let column = first_column + lane % TILE_WIDTH;
    let down = vec4<u32>(below(row), row, above(row), row) - first_row;
    let right = vec4<u32>(column, right_of(column), column, left_of(column)) - first_column;
    let inside = (down < vec4<u32>(TILE_HEIGHT)) & (right < vec4<u32>(TILE_WIDTH));
    let within = vec4<u32>(2u, 3u, 0u, 1u) * WORKGROUP + down * TILE_WIDTH + right;
    let beyond = 4u * WORKGROUP + border_places(row, column);
    return Here(row * torus.width + column, tile, row < torus.height && column < torus.width,
                select(beyond, within, inside));
}

fn below(row: u32) -> u32 { return select(row + 1u, 0u, row + 1u == torus.height); }
fn above(row: u32) -> u32 { return select(row - 1u, torus.height - 1u, row == 0u); }
fn right_of(column: u32) -> u32 { return select(column + 1u, 0u, column + 1u == torus.width); }
fn left_of(column: u32) -> u32 { return select(column - 1u, torus.width - 1u, column == 0u); }

// The places of a station's edges among those of its tile's border: along it down, right, up, left.
fn border_places(row: u32, column: u32) -> vec4<u32> {
    let x = column % TILE_WIDTH;
    let y = TILE_WIDTH + row % TILE_HEIGHT;
    return vec4<u32>(x, y, TILE_WIDTH + TILE_HEIGHT + x, TILE_WIDTH + TILE_HEIGHT + y);
}

fn leads_out(here: Here, edge: u32) -> bool { return here.heard[edge] >= 4u * WORKGROUP; }
fn lane_by(here: Here, edge: u32) -> u32 { return here.heard[edge] % WORKGROUP; }

// Where a tile publishes by an edge out of it, and where its answer is kept.
fn place_to(here: Here, edge: u32) -> u32 { return here.tile * BORDER + here.heard[edge] - 4u * WORKGROUP; }
// Where the neighbour by such an edge publishes.
fn place_from(here: Here, edge: u32) -> u32 {
    let other = neighbour(here.id, edge);
    let row = other / torus.width;
    let column = other % torus.width;
    let tile = row / TILE_HEIGHT * tiles_across() + column / TILE_WIDTH;
    return tile * BORDER + border_places(row, column)[edge ^ 2u];
}

fn published_in(parity: u32) -> u32 { return parity * tiles() * BORDER; }
fn answers_place() -> u32 { return 2u * tiles() * BORDER; }
fn known_place(station: u32) -> u32 { return 3u * tiles() * BORDER + 2u * station; }

fn inbox_of(parity: u32, station: u32) -> u32 { return parity * parameters.stations + station; }
fn list_place(station: u32) -> u32 { return 2u * parameters.stations + station; }
fn edges_place(station: u32) -> u32 { return 3u * parameters.stations + station; }
