// queueing/torus: the four neighbours of a facility: 0 down, 1 right, 2 up, 3 left.

fn neighbour(facility: u32, direction: u32) -> u32 {
    let width = parameters.width;
    let height = parameters.height;
    let row = facility / width;
    let column = facility - row * width;
    switch direction {
        case 0u: { return select(facility + width, column, row + 1u == height); }
        case 1u: { return select(facility + 1u, row * width, column + 1u == width); }
        case 2u: { return select(facility - width, (height - 1u) * width + column, row == 0u); }
        default: { return select(facility - 1u, row * width + width - 1u, column == 0u); }
    }
}
