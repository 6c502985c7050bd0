// queueing/tile_records: the words of a station from round to round beside its record.
//
//   prospects, four words each: service times of its next visits | bounds of its neighbours | the first token in its
//   list
//   links, behind the inboxes: the edges of its next visits, 8 bits each, and in bits 2 to 5 the edges of these bounds

import package::queueing::ahead::{Ahead};
import package::queueing::records::{parameters};
import package::queueing::station::{pair};

var<storage, read_write> prospects: array<vec4<u32>>;

fn edges_place(station: u32) -> u32 { return 2u * parameters.stations + station; }

fn store_ahead(id: u32, ahead: Ahead) {
    prospects[4u * id] = pair(ahead.first, ahead.second);
    prospects[4u * id + 1u] = pair(ahead.third, ahead.fourth);
}
