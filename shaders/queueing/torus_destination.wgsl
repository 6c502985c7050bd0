// queueing/torus_destination: the four neighbours of a station: 0 down, 1 right, 2 up, 3 left.

import package::queueing::records::{tokens};
import package::queueing::torus::{torus};

fn destination(id: u32) -> u32 {
    let visit = tokens[2u * id + 1u];
    return neighbour(visit.x, visit.y);
}

fn leave(id: u32) {}

fn neighbour(station: u32, direction: u32) -> u32 {
    let width = torus.width;
    let height = torus.height;
    let row = station / width;
    let column = station - row * width;
    switch direction {
        case 0u: { return select(station + width, column, row + 1u == height); }
        case 1u: { return select(station + 1u, row * width, column + 1u == width); }
        case 2u: { return select(station - width, (height - 1u) * width + column, row == 0u); }
        default: {}
    }
    return select(station - 1u, row * width + width - 1u, column == 0u);
}
