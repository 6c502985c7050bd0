//! A network as a graph: its places, and the ways between them with their rates.

use maud::{Markup, html};
use plotters::style::IntoFont as _;

use super::layout::{self, Link, Pair, Placed};
use crate::text::{name, significant};
use tickless_core::picture::with_font;

/// The kind of a place, which determines its look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Source,
    /// With the share of its servers' time in service, if it has one.
    Station {
        load: Option<f64>,
    },
    Sink,
}

/// A place of the network.
#[derive(Clone, Debug)]
pub struct Node {
    pub kind: Kind,
    pub name: String,
    /// The text below the name.
    pub note: Option<String>,
    /// The text for the pointer.
    pub about: String,
}

/// A way from a place to another, by their numbers.
#[derive(Clone, Debug)]
pub struct Edge {
    pub ends: [usize; 2],
    /// Its rate; `None` if unknown.
    pub rate: Option<f64>,
    /// Whether tokens that leave early take it.
    pub is_early: bool,
    pub about: String,
}

/// The most places and ways in a readable picture.
pub const MOST: [usize; 2] = [60, 120];
/// The size of the letters, as the style of the page has them.
const LETTERS: f64 = 13.0;
const SMALL_LETTERS: f64 = 12.0;
const LINE: f64 = 17.0;
/// Between the text of a place and its border.
const PADDING: Pair = [12.0, 8.0];
/// The width of a way without tokens, and its increase for the way with the most.
const WIDTHS: Pair = [1.2, 4.8];
const ARROW: f64 = 9.0;

/// The SVG of a network; `None` if it is too large.
pub fn graph(nodes: &[Node], edges: &[Edge]) -> Option<String> {
    if nodes.len() > MOST[0] || edges.len() > MOST[1] {
        return None;
    }
    with_font();
    let sizes: Vec<Pair> = nodes.iter().map(size).collect();
    let link = |edge: &Edge| {
        let label = label(edge).map_or([1.0; 2], |text| [width(&text, SMALL_LETTERS) + 8.0, LINE]);
        Link { ends: edge.ends, label }
    };
    let placed = layout::place(&sizes, &edges.iter().map(link).collect::<Vec<_>>())?;
    Some(drawn(nodes, &sizes, edges, &placed).into_string())
}

/// The width in the font of all pictures, and a fifth more: browsers draw letters of this size larger.
fn width(text: &str, letters: f64) -> f64 {
    let font = ("sans-serif", letters).into_font();
    font.box_size(text).map_or(letters * text.chars().count() as f64, |(width, _)| 1.2 * f64::from(width))
}

fn size(node: &Node) -> Pair {
    let lines = [Some(&name(&node.name)), node.note.as_ref()].map(|text| text.map_or(0.0, |text| width(text, LETTERS)));
    let height = if node.note.is_some() { 2.0 * LINE + 4.0 } else { LINE };
    [lines[0].max(lines[1]) + 2.0 * PADDING[0], height + 2.0 * PADDING[1]]
}

fn label(edge: &Edge) -> Option<String> {
    edge.rate.map(|rate| significant(rate, 3))
}

fn drawn(nodes: &[Node], sizes: &[Pair], edges: &[Edge], placed: &Placed) -> Markup {
    let [width, height] = placed.size.map(f64::ceil);
    let most = edges.iter().filter_map(|edge| edge.rate).fold(0.0, f64::max);
    let ways = edges.iter().zip(&placed.edges);
    html! {
        svg.graph viewBox={ "0 0 " (width) " " (height) } width=(width) height=(height)
            style={ "min-width:" (0.75 * width) "px" } aria-hidden="true" {
            @for (edge, (corners, _)) in ways.clone() { (way(edge, corners, most)) }
            @for (edge, (_, [x, y])) in ways {
                @if let Some(text) = label(edge) {
                    text.rate x=(short(*x)) y=(short(y + 4.0)) { title { (edge.about) } (text) }
                }
            }
            @for ((node, size), middle) in nodes.iter().zip(sizes).zip(&placed.nodes) { (place(node, *size, *middle)) }
        }
    }
}

/// A number in a drawing.
fn short(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

/// A way with its arrow, whose width shows its rate.
fn way(edge: &Edge, corners: &[Pair], most: f64) -> Markup {
    let share = edge.rate.filter(|_| most > 0.0).map_or(0.0, |rate| rate / most);
    let wide = WIDTHS[0] + WIDTHS[1] * share;
    let [.., before, tip] = corners else { return html! {} };
    let length = (tip[0] - before[0]).hypot(tip[1] - before[1]).max(1e-9);
    let along = [(tip[0] - before[0]) / length, (tip[1] - before[1]) / length];
    let at = |back: f64, aside: f64| {
        [tip[0] - back * along[0] - aside * along[1], tip[1] - back * along[1] + aside * along[0]].map(short)
    };
    let half = 3.5 + wide / 2.0;
    let points = [at(0.0, 0.0), at(ARROW, half), at(ARROW, -half)].map(|[x, y]| format!("{x},{y}")).join(" ");
    let class = if edge.is_early { "early" } else { "way" };
    html! {
        g class=(class) {
            title { (edge.about) }
            path d=(curve(corners, at(ARROW - 1.0, 0.0))) stroke-width=(short(wide)) {}
            polygon points=(points) {}
        }
    }
}

/// From the first corner to `end`, round where there are corners between them.
fn curve(corners: &[Pair], end: Pair) -> String {
    let first = corners[0].map(short);
    let mut path = format!("M{} {}", first[0], first[1]);
    let inner = &corners[1..corners.len() - 1];
    for (place, corner) in inner.iter().enumerate() {
        let to = match inner.get(place + 1) {
            Some(next) => [(corner[0] + next[0]) / 2.0, (corner[1] + next[1]) / 2.0],
            None => end,
        };
        let [x, y, to_x, to_y] = [corner[0], corner[1], to[0], to[1]].map(short);
        path += &format!("Q{x} {y} {to_x} {to_y}");
    }
    if inner.is_empty() {
        path += &format!("L{} {}", end[0], end[1]);
    }
    path
}

/// A station with a bar whose length is its utilization; a source and a sink are round.
fn place(node: &Node, [width, height]: Pair, [x, y]: Pair) -> Markup {
    let [left, top] = [x - width / 2.0, y - height / 2.0].map(short);
    let (class, round, load) = match node.kind {
        Kind::Source => ("source", height / 2.0, None),
        Kind::Station { load } => ("station", 5.0, load.map(|load| load.clamp(0.0, 1.0))),
        Kind::Sink => ("sink", height / 2.0, None),
    };
    let first = if node.note.is_some() { y - LINE / 2.0 - 2.0 } else { y } + 4.5;
    html! {
        g class=(class) {
            title { (node.about) }
            rect.place x=(left) y=(top) width=(short(width)) height=(short(height)) rx=(short(round)) {}
            @if let Some(load) = load {
                rect.load x=(left) y=(top) width=(short(width)) height=(short(height)) rx=(short(round))
                    fill-opacity=(short(5.0 * load) / 10.0) {}
                rect.bar x=(short(left + 4.0)) y=(short(top + height - 6.0)) width=(short((width - 8.0) * load)) height="3" {}
            }
            text x=(short(x)) y=(short(first)) { (name(&node.name)) }
            @if let Some(note) = &node.note { text x=(short(x)) y=(short(first + LINE - 2.0)) { (note) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(kind: Kind, name: &str) -> Node {
        Node { kind, name: name.into(), note: Some("half <busy>".into()), about: format!("about {name}") }
    }

    fn edge(ends: [usize; 2], rate: Option<f64>) -> Edge {
        Edge { ends, rate, is_early: ends == [1, 2], about: format!("{ends:?}") }
    }

    #[test]
    fn every_place_and_way_is_drawn() {
        let nodes = [
            node(Kind::Source, "in"),
            node(Kind::Station { load: Some(0.5) }, "desk <1>"),
            node(Kind::Sink, &"a very long name of a place where tokens go".repeat(3)),
        ];
        let edges = [edge([0, 1], Some(2.5)), edge([1, 1], None), edge([1, 2], Some(0.0))];
        let svg = graph(&nodes, &edges).unwrap();
        assert_eq!((svg.matches("<path").count(), svg.matches("<polygon").count()), (3, 3), "{svg}");
        assert_eq!(svg.matches("class=\"place\"").count(), 3);
        for part in ["desk &lt;1&gt;", "half &lt;busy&gt;", ">2.5<", ">0<", "class=\"early\"", "about in", "…"] {
            assert!(svg.contains(part), "{part} in {svg}");
        }
        // The widest way has the most tokens, and an unknown one is as thin as one without tokens.
        assert_eq!(svg.matches("stroke-width=\"6\"").count(), 1, "{svg}");
        assert_eq!(svg.matches("stroke-width=\"1.2\"").count(), 2, "{svg}");
    }

    #[test]
    fn a_large_network_has_no_picture() {
        let nodes = vec![node(Kind::Sink, "x"); MOST[0] + 1];
        assert!(graph(&nodes, &[]).is_none() && graph(&nodes[1..], &[]).is_some());
        assert!(graph(&nodes[..2], &vec![edge([0, 1], None); MOST[1] + 1]).is_none());
    }
}
