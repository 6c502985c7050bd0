// queueing/tile_border: what tiles know of each other.
//
//   appointments   what each has published along its border, for even and odd rounds; then, for each edge there, when the
//                  first token departed that was sent by it in the last round
//   links          inboxes of even and odd rounds; see queueing/tile_records, too

@group(0) @binding(10) var<storage, read_write> appointments: array<Time>;

fn published_place(parity: u32, tile: u32) -> u32 { return (parity * tiles() + tile) * BORDER; }
fn answers_place(tile: u32) -> u32 { return (2u * tiles() + tile) * BORDER; }
fn inbox_of(parity: u32, station: u32) -> u32 { return parity * parameters.stations + station; }

// What others have published for the tile, one thread an edge.
fn hear(tile: u32, lane: u32) {
    for (var place = lane; place < BORDER; place += WORKGROUP) {
        let out = edge_at(tile, place);
        if (!out.leads) { continue; }
        let time = appointments[published_place(PARITY, out.other) + out.place];
        // A token that was sent there in the last round is not in it.
        told[4u * WORKGROUP + place] = wide_minimum(time, appointments[answers_place(tile) + place]);
        appointments[answers_place(tile) + place] = never();
    }
}

fn tell(tile: u32, lane: u32) {
    for (var place = lane; place < BORDER; place += WORKGROUP) {
        let out = edge_at(tile, place);
        if (!out.leads) { continue; }
        let teller = out.row * TILE_WIDTH + out.column;
        appointments[published_place(OTHER, tile) + place] = told[out.edge * WORKGROUP + teller];
    }
}

// Sends a token out of the tile.
fn send_out(here: Here, token: u32, visit: Visit) {
    push(inbox_of(OTHER, neighbour(here.id, visit.edge)), token);
    pending = wide_minimum(pending, visit.arrival);
    for (var edge = 0u; edge < 4u; edge += 1u) {
        if (!leads_out(here, edge) || (edges_to(visit.edge) & (1u << edge)) == 0u) { continue; }
        let answer = answers_place(here.tile) + border_place(here, edge);
        appointments[answer] = wide_minimum(appointments[answer], visit.arrival);
        told[here.heard[edge]] = wide_minimum(told[here.heard[edge]], visit.arrival);
    }
}
