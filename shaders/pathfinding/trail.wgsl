// pathfinding/trail: the path of a search that has found its goal, from the goal to the start: at each cell the first move
// back whose cost is the difference of the two cells' costs. Four bits a move, the last move of the path first; a path
// begins with a word of its own, wherever there is room: its place decides nothing.
// Reads: cells, costs. Writes: paths, searches; control.model.path_words.

import package::lib::control::{control};
import package::pathfinding::ground::{DIRECTIONS, cell_of, neighbour, parameters};
import package::pathfinding::known::{known_cost, stamp_of};
import package::pathfinding::searches::{searches};
import package::pathfinding::works::{work};
import terrain::{move_cost, moves_of};

const MOVES_A_WORD: u32 = 8u;

var<storage, read_write> paths: array<u32>;

// False where there is no room.
fn leave_trail(search: u32, start: u32) -> bool {
    var moves = 0u;
    for (var place = work.goal; place != start; place = neighbour(place, way_back(place))) { moves += 1u; }
    let words = (moves + MOVES_A_WORD - 1u) / MOVES_A_WORD;
    // Where no room is left nothing is added: the count could pass 32 bits.
    var first = atomicLoad(&control.model.path_words);
    if (first <= parameters.path_room) { first = atomicAdd(&control.model.path_words, words); }
    let fits = first <= parameters.path_room && words <= parameters.path_room - min(first, parameters.path_room);
    if (fits) { write_trail(search, first, moves); } else { atomicMax(&control.model.longest, words); }
    return fits;
}

fn write_trail(search: u32, first: u32, moves: u32) {
    var place = work.goal;
    var word = 0u;
    for (var number = 0u; number < moves; number += 1u) {
        let back = way_back(place);
        word |= ((back + 4u) & 7u) << (4u * (number % MOVES_A_WORD));
        if (number % MOVES_A_WORD == MOVES_A_WORD - 1u || number == moves - 1u) {
            paths[first + number / MOVES_A_WORD] = word;
            word = 0u;
        }
        place = neighbour(place, back);
    }
    searches[2u * search].z = first;
    searches[2u * search].w = moves;
}

// Such a move exists: the cost of a cell came from a neighbour.
fn way_back(place: u32) -> u32 {
    let cell = cell_of(place);
    let moves = moves_of(cell);
    let cost = known_cost(cell);
    var found = DIRECTIONS;
    for (var d = 0u; d < DIRECTIONS; d += 1u) {
        if (found == DIRECTIONS && ((moves >> d) & 1u) != 0u) {
            let other = cell_of(neighbour(place, d));
            if (known_cost(other) == stamp_of(cost - move_cost(other, cell, d))) { found = d; }
        }
    }
    return found;
}
