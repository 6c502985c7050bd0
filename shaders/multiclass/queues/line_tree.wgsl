// multiclass/queues/line_tree: the tokens of a line are also the nodes of a treap, a binary tree in the order of the line. A node is
// higher than its children by a hash of the number of its token, so that the tree is about as deep as a random one: the token in any place
// of the line is found in steps that grow with the logarithm of its length.
//
// A station has from its row `trees` on a row for each priority, a token its row `node`.
//
// Reads: parameters. Reads and writes: replication_state.

import package::multiclass::parameters::{NONE, plan};
import package::multiclass::rows::{row_at, set_row};
import package::multiclass::stations::station::{site};
import package::multiclass::tokens::{token_at};

// The token at the root, if any, and the number of tokens.
struct Tree {
    top: u32,
    count: u32,
}

// The children of a token, or NONE, before it and behind it in the line, and how many tokens are in the subtree before
// it.
struct Node {
    before: u32,
    behind: u32,
    count: u32,
}

fn tree_at(list: u32) -> u32 { return site.words + plan.trees + list; }

fn tree_of(list: u32) -> Tree {
    let row = row_at(tree_at(list));
    return Tree(row.x, row.y);
}

fn set_tree(list: u32, row: Tree) { set_row(tree_at(list), vec4<u32>(row.top, row.count, 0u, 0u)); }

fn node_of(token: u32) -> Node {
    let row = row_at(token_at(token) + plan.node);
    return Node(row.x, row.y, row.z);
}

fn set_node(token: u32, row: Node) { set_row(token_at(token) + plan.node, vec4<u32>(row.before, row.behind, row.count, 0u)); }

// Different for different tokens.
fn height_of(token: u32) -> u32 {
    let a = (token ^ (token >> 16u)) * 0x7feb352du;
    let b = (a ^ (a >> 15u)) * 0x846ca68bu;
    return b ^ (b >> 16u);
}

// Sets the child of a token on one side, or the root where the token is NONE.
fn put_below(list: u32, token: u32, is_behind: bool, below: u32) {
    if (token == NONE) {
        set_tree(list, Tree(below, tree_of(list).count));
        return;
    }
    let node = node_of(token);
    set_node(token, Node(select(below, node.before, is_behind), select(node.behind, below, is_behind), node.count));
}

// A token stands in a line, behind so many others.
fn add_node(list: u32, token: u32, number: u32) {
    let tree = tree_of(list);
    let height = height_of(token);
    var rest = number;
    var above = NONE;
    var is_behind = false;
    var other = select(tree.top, NONE, tree.count == 0u);
    while (other != NONE && height_of(other) > height) {
        let node = node_of(other);
        above = other;
        is_behind = rest > node.count;
        if (is_behind) {
            rest -= node.count + 1u;
            other = node.behind;
        } else {
            set_node(other, Node(node.before, node.behind, node.count + 1u));
            other = node.before;
        }
    }
    set_tree(list, Tree(tree.top, tree.count + 1u));
    put_below(list, above, is_behind, token);
    set_node(token, Node(NONE, NONE, rest));
    // The subtree there is divided into the tokens before and the tokens behind the new one.
    var last = token;
    var first = token;
    while (other != NONE) {
        let node = node_of(other);
        if (node.count < rest) {
            put_below(list, last, last != token, other);
            last = other;
            rest -= node.count + 1u;
            other = node.behind;
        } else {
            put_below(list, first, first == token, other);
            set_node(other, Node(node.before, node.behind, node.count - rest));
            first = other;
            other = node.before;
        }
    }
    if (last != token) { put_below(list, last, true, NONE); }
    if (first != token) { put_below(list, first, false, NONE); }
}
