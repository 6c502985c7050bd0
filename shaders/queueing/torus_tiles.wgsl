// queueing/torus_tiles: a torus cut into tiles of TILE_WIDTH x TILE_HEIGHT stations, one for each lane of a workgroup; tiles
// at the right and the bottom may reach beyond the torus. A tile's border has a place for each edge that may lead out of the
// tile: along the border down, right, up, left.

import package::queueing::torus::{torus};
import package::queueing::torus_destination::{neighbour};
import constants::{TILE_HEIGHT, TILE_WIDTH, WORKGROUP};

const BORDER: u32 = 2u * (TILE_WIDTH + TILE_HEIGHT);
const UP: u32 = TILE_WIDTH + TILE_HEIGHT;

// A station, its tile, and where `told` has the published time of the neighbour by each edge: within the tile, the
// neighbour's word for the opposite edge; from beyond, behind these words, the edge's place along the border.
struct Here {
    id: u32,
    tile: u32,
    is_there: bool,
    heard: vec4<u32>,
}

fn tiles_across() -> u32 { return (torus.width + TILE_WIDTH - 1u) / TILE_WIDTH; }
fn tiles() -> u32 { return tiles_across() * ((torus.height + TILE_HEIGHT - 1u) / TILE_HEIGHT); }
// Row and column of a tile's first station.
fn first_in(tile: u32) -> vec2<u32> {
    return vec2<u32>(tile / tiles_across() * TILE_HEIGHT, tile % tiles_across() * TILE_WIDTH);
}

fn here_in(tile: u32, lane: u32) -> Here {
    let first = first_in(tile);
    let row = first.x + lane / TILE_WIDTH;
    let column = first.y + lane % TILE_WIDTH;
    let down = vec4<u32>(below(row), row, above(row), row) - first.x;
    let right = vec4<u32>(column, right_of(column), column, left_of(column)) - first.y;
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

fn border_places(row: u32, column: u32) -> vec4<u32> {
    let x = column % TILE_WIDTH;
    let y = TILE_WIDTH + row % TILE_HEIGHT;
    return vec4<u32>(x, y, UP + x, UP + y);
}

// The edge at a place of a tile's border, if there is one.
struct Out {
    leads: bool,
    other: u32,     // the tile that it leads to, and its place on that tile's border
    place: u32,
}

fn edge_at(tile: u32, place: u32) -> Out {
    let first = first_in(tile);
    let last = min(first + vec2<u32>(TILE_HEIGHT, TILE_WIDTH), vec2<u32>(torus.height, torus.width)) - 1u;
    var along = place;
    var edge = 0u;
    if (along >= UP) { along -= UP; edge = 2u; }
    var at = vec2<u32>(select(last.x, first.x, edge == 2u), first.y + along);
    if (along >= TILE_WIDTH) {
        edge += 1u;
        at = vec2<u32>(first.x + along - TILE_WIDTH, select(last.y, first.y, edge == 3u));
    }
    let next = neighbour(at.x * torus.width + at.y, edge);
    let to = vec2<u32>(next / torus.width, next % torus.width);
    let other = to.x / TILE_HEIGHT * tiles_across() + to.y / TILE_WIDTH;
    // A tile beyond the torus has no edges.
    let leads = all(first <= last) && all(at <= last) && other != tile;
    let opposite = select(place + UP, place - UP, place >= UP);
    return Out(leads, other, opposite);
}

fn leads_out(here: Here, edge: u32) -> bool { return here.heard[edge] >= 4u * WORKGROUP; }
fn lane_by(here: Here, edge: u32) -> u32 { return here.heard[edge] % WORKGROUP; }
fn border_place(here: Here, edge: u32) -> u32 { return here.heard[edge] - 4u * WORKGROUP; }
