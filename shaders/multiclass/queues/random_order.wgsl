// multiclass/queues/random_order: stations may serve in random order: the next token is in any place of its line with the same chance.
// Reads: parameters. Reads and writes: replication_state.

import package::lib::pcg32::{draw};
import package::lib::wide::{multiply_high};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::queues::line_tree::{Node, Tree, add_node, height_of, node_of, put_below, set_node, set_tree, tree_of};
import package::multiclass::queues::orders::{RANDOM};
import package::multiclass::stations::station::{site};
import package::multiclass::tokens::{numbers_of};

// Whether a list is a line of the open station in which the next token is drawn.
fn is_random(list: u32) -> bool { return site.rules.order == RANDOM && list < plan.level_count; }

// The last token of a line that has come to the station before a token, or NONE, and how many have.
fn come_before(token: u32, list: u32) -> vec2<u32> {
    let tree = tree_of(list);
    let arrival = numbers_of(token).arrival;
    var found = vec2<u32>(NONE, 0u);
    var other = select(tree.top, NONE, tree.count == 0u);
    while (other != NONE) {
        let node = node_of(other);
        if (numbers_of(other).arrival < arrival) {
            found = vec2<u32>(other, found.y + node.count + 1u);
            other = node.behind;
        } else {
            other = node.before;
        }
    }
    return found;
}

// Removes the token at a place of the line from the tree. Returns it.
fn take_node(list: u32, number: u32) -> u32 {
    let tree = tree_of(list);
    set_tree(list, Tree(tree.top, tree.count - 1u));
    var rest = number;
    var above = NONE;
    var is_behind = false;
    var token = tree.top;
    var node = node_of(token);
    while (rest != node.count) {
        above = token;
        is_behind = rest > node.count;
        if (is_behind) {
            rest -= node.count + 1u;
            token = node.behind;
        } else {
            set_node(token, Node(node.before, node.behind, node.count - 1u));
            token = node.before;
        }
        node = node_of(token);
    }
    // Its two subtrees become one.
    var before = node.before;
    var behind = node.behind;
    var count = node.count;
    while (before != NONE && behind != NONE) {
        let is_lower = height_of(before) < height_of(behind);
        let next = select(before, behind, is_lower);
        let below = node_of(next);
        put_below(list, above, is_behind, next);
        above = next;
        is_behind = !is_lower;
        if (is_lower) {
            set_node(next, Node(below.before, below.behind, below.count + count));
            behind = below.before;
        } else {
            count -= below.count + 1u;
            before = below.behind;
        }
    }
    put_below(list, above, is_behind, select(before, behind, before == NONE));
    return token;
}

fn joins_line(token: u32, list: u32, is_last: bool) {
    if (!is_random(list)) { return; }
    var number = tree_of(list).count;
    if (!is_last) { number = come_before(token, list).y; }
    add_node(list, token, number);
}

fn leaves_line(token: u32, list: u32) {
    if (is_random(list)) { _ = take_node(list, come_before(token, list).y); }
}

fn takes_from_line(list: u32, first: u32) -> u32 {
    if (!is_random(list)) { return first; }
    var stream = site.stream;
    let number = multiply_high(draw(&stream), tree_of(list).count);
    site.stream = stream;
    return take_node(list, number);
}
