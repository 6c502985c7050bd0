//! Places for the nodes, edges and labels of a graph: layers from top to bottom, as dagre finds them.

use dagre::graph::{Graph, GraphOptions};
use dagre::layout::types::LabelPos;
use dagre::{EdgeLabel, LayoutOptions, NodeLabel};

/// A width and a height, or a place.
pub type Pair = [f64; 2];

/// An edge to be placed: from and to by the numbers of the nodes, and the size of its label.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    pub ends: [usize; 2],
    pub label: Pair,
}

/// The places of all parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    pub size: Pair,
    /// The middles of the nodes.
    pub nodes: Vec<Pair>,
    /// The corners of each edge, from the border of one node to that of the other, and the middle of its label.
    pub edges: Vec<(Vec<Pair>, Pair)>,
}

/// The margin around the picture.
const MARGIN: f64 = 8.0;

/// Places nodes of these sizes; `None` if an edge finds no way.
pub fn place(nodes: &[Pair], links: &[Link]) -> Option<Placed> {
    let mut graph = Graph::with_options(GraphOptions { directed: true, multigraph: true, compound: false });
    for (number, [width, height]) in nodes.iter().enumerate() {
        let label = NodeLabel { width: *width, height: *height, ..NodeLabel::default() };
        graph.set_node(number.to_string(), Some(label));
    }
    for (number, Link { ends, label: [width, height] }) in links.iter().enumerate() {
        let label = EdgeLabel { width: *width, height: *height, labelpos: LabelPos::Center, ..EdgeLabel::default() };
        let [from, to] = ends.map(|end| end.to_string());
        graph.set_edge(from, to, Some(label), Some(&number.to_string()));
    }
    let options = LayoutOptions {
        nodesep: 24.0,
        edgesep: 14.0,
        ranksep: 34.0,
        marginx: MARGIN,
        marginy: MARGIN,
        ..LayoutOptions::default()
    };
    dagre::layout(&mut graph, Some(options));
    let middle = |number: usize| graph.node(&number.to_string()).and_then(|node| Some([node.x?, node.y?]));
    let corners = |(number, Link { ends, .. }): (usize, &Link)| {
        let [from, to] = ends.map(|end| end.to_string());
        let edge = graph.edge(&from, &to, Some(&number.to_string()))?;
        let points: Vec<Pair> = edge.points.iter().map(|point| [point.x, point.y]).collect();
        (points.len() > 1).then(|| (points, edge.x.zip(edge.y).map_or([0.0; 2], |(x, y)| [x, y])))
    };
    let placed = (0..nodes.len()).map(middle).collect::<Option<Vec<_>>>()?;
    let edges = links.iter().enumerate().map(corners).collect::<Option<Vec<_>>>()?;
    Some(Placed { size: size(nodes, links, &placed, &edges), nodes: placed, edges })
}

/// The size that holds every node, corner and label.
fn size(nodes: &[Pair], links: &[Link], placed: &[Pair], edges: &[(Vec<Pair>, Pair)]) -> Pair {
    let far = |axis: usize| {
        let nodes = placed.iter().zip(nodes).map(|(middle, size)| middle[axis] + size[axis] / 2.0);
        let corners = edges.iter().flat_map(|(points, _)| points.iter().map(|point| point[axis]));
        let labels = edges.iter().zip(links).map(|((_, middle), link)| middle[axis] + link.label[axis] / 2.0);
        nodes.chain(corners).chain(labels).fold(0.0, f64::max) + MARGIN
    };
    [far(0), far(1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const NODE: Pair = [120.0, 44.0];
    const LABEL: Pair = [40.0, 16.0];

    fn overlap(a: (Pair, Pair), b: (Pair, Pair)) -> bool {
        (0..2).all(|axis| (a.0[axis] - b.0[axis]).abs() < (a.1[axis] + b.1[axis]) / 2.0)
    }

    /// The point lies on the border of the node or, at most a unit, beside it.
    fn is_at(point: Pair, middle: Pair) -> bool {
        (0..2).all(|axis| (point[axis] - middle[axis]).abs() <= NODE[axis] / 2.0 + 1.0)
    }

    /// Nodes are apart, labels are beside them, and every edge goes from its node to its node.
    fn assert_placed(name: &str, count: usize, ends: &[[usize; 2]]) {
        let links: Vec<Link> = ends.iter().map(|ends| Link { ends: *ends, label: LABEL }).collect();
        let placed = place(&vec![NODE; count], &links).unwrap_or_else(|| panic!("{name}: nothing is placed"));
        let nodes = &placed.nodes;
        for one in 0..count {
            assert!((0..2).all(|axis| nodes[one][axis] + NODE[axis] / 2.0 <= placed.size[axis]), "{name}: {placed:?}");
            for other in 0..one {
                assert!(!overlap((nodes[one], NODE), (nodes[other], NODE)), "{name}: {other} and {one}");
            }
        }
        assert_eq!(placed.edges.len(), ends.len(), "{name}");
        for ([from, to], (points, label)) in ends.iter().zip(&placed.edges) {
            let [first, last] = [points[0], points[points.len() - 1]];
            assert!(is_at(first, nodes[*from]) && is_at(last, nodes[*to]), "{name}: {from} to {to}: {points:?}");
            assert!(points.iter().flatten().all(|c| c.is_finite() && *c >= 0.0), "{name}: {points:?}");
            for (number, node) in nodes.iter().enumerate() {
                assert!(!overlap((*label, LABEL), (*node, NODE)), "{name}: {from} to {to} lies on {number}");
            }
        }
        for (number, (_, label)) in placed.edges.iter().enumerate() {
            for (_, other) in &placed.edges[..number] {
                assert!(!overlap((*label, LABEL), (*other, LABEL)), "{name}: labels at {label:?} and {other:?}");
            }
        }
    }

    #[test]
    fn nothing_overlaps_and_every_edge_is_drawn() {
        assert_placed("one", 1, &[[0, 0]]);
        assert_placed("two with edges both ways", 2, &[[0, 1], [1, 0], [0, 1], [1, 1]]);
        assert_placed("apart", 5, &[[0, 1], [2, 3]]);
        let line: Vec<_> = (0..59).map(|n| [n, n + 1]).collect();
        assert_placed("line", 60, &line);
        let ring: Vec<_> = (0..24).map(|n| [n, (n + 1) % 24]).collect();
        assert_placed("ring", 24, &ring);
        let star: Vec<_> = (1..20).flat_map(|n| [[0, n], [n, 0]]).collect();
        assert_placed("star", 20, &star);
        let torus: Vec<_> = (0..16).flat_map(|n| [[n, n / 4 * 4 + (n + 1) % 4], [n, (n + 4) % 16]]).collect();
        assert_placed("torus", 16, &torus);
    }

    #[test]
    fn one_graph_has_one_layout() {
        let links: Vec<_> = (0..30).map(|n| Link { ends: [n % 12, (7 * n + 5) % 12], label: LABEL }).collect();
        let places = || place(&[NODE; 12], &links).unwrap();
        let first = places();
        assert!((0..3).all(|_| places() == first));
    }
}
