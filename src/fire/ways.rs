//! The ways by which a front comes to a cell: straight, from points between two neighbours of one ring around it.

use std::sync::LazyLock;

/// Rings of neighbours, by their distance. The outer ring makes long ellipses right, the inner one leads through gaps.
const RINGS: [i32; 2] = [1, 3];
/// The largest distance of a neighbour along an axis.
pub(super) const REACH: i32 = RINGS[1];
/// Points between two neighbours of a ring, the first of the two among them.
pub(super) const POINTS: usize = 4;
/// Units of the direction of a way, as a logarithm.
pub(super) const DIRECTION: u32 = 12;

/// A way: `length` and `along` are in units of 2^-16 of the side of a cell, divided by 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Way {
    /// Offsets of the cells that it crosses: a third of it lies in the first cell, a third in the second, a sixth in the
    /// last. The remaining sixth is in the cell itself.
    pub(super) through: [[i32; 2]; 3],
    pub(super) length: u32,
    /// Toward east and toward south, from the cell to the point where the way begins.
    pub(super) along: [i32; 2],
    /// The same as a unit vector, in units of 2^-12.
    pub(super) direction: [i32; 2],
    /// The [`corner`]s over which it leaves the cell itself, the first and the second of those that it crosses, in four bits each.
    pub(super) corners: u32,
}

/// Two neighbours of a ring that lie side by side, and the ways from the points between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    /// The numbers of these neighbours.
    pub(super) ends: [usize; 2],
    /// The m-th way begins m quarters of the edge behind its first end.
    pub(super) ways: [Way; POINTS],
    /// The distance of its ring.
    distance: u64,
}

impl Edge {
    /// A lower bound on the ticks of a front over this edge, where `quickest` is one on the ticks through a cell. What rounding loses is less
    /// than a 64th, as no ellipse is longer than 8 times its width. A device has the same bound, from the cells of its block (`front_least` in
    /// shaders/cells/fire_fronts.wgsl).
    #[inline]
    pub(super) fn least(&self, quickest: u64) -> u64 {
        quickest / 64 * 63 * self.distance
    }
}

/// All neighbours, ring after ring and around each; the n-th edge leads from the n-th neighbour to the next one of its ring.
pub(super) static OFFSETS: LazyLock<Vec<[i32; 3]>> =
    LazyLock::new(|| RINGS.iter().flat_map(|&radius| ring(radius)).map(|[x, y]| [x, y, 0]).collect());
pub(super) static EDGES: LazyLock<Vec<Edge>> = LazyLock::new(edges);

/// The edges on both sides of a neighbour: the edge that begins there, and the edge that ends there.
pub(super) fn edges_at(n: usize) -> [&'static Edge; 2] {
    let ring = if n < EDGES.len() / 4 { 0..EDGES.len() / 4 } else { EDGES.len() / 4..EDGES.len() };
    let before = if n == ring.start { ring.end - 1 } else { n - 1 };
    [&EDGES[n], &EDGES[before]]
}

/// The cells of a ring, clockwise from the north-east.
fn ring(radius: i32) -> Vec<[i32; 2]> {
    let side = -radius..radius;
    let east = side.clone().map(|along| [radius, along]);
    let south = side.clone().map(|along| [-along, radius]);
    let west = side.clone().map(|along| [-radius, -along]);
    let north = side.map(|along| [along, -radius]);
    east.chain(south).chain(west).chain(north).collect()
}

fn edges() -> Vec<Edge> {
    let mut found = vec![];
    for radius in RINGS {
        let (first, ring) = (found.len(), ring(radius));
        for (place, &from) in ring.iter().enumerate() {
            let next = (place + 1) % ring.len();
            let ways = std::array::from_fn(|point| way(radius, from, ring[next], point as i32));
            found.push(Edge { ends: [first + place, first + next], ways, distance: radius as u64 });
        }
    }
    found
}

/// The way from a point between two cells of a ring.
fn way(radius: i32, from: [i32; 2], to: [i32; 2], point: i32) -> Way {
    let points = POINTS as i32;
    // In quarters of a cell.
    let begin: [i32; 2] = std::array::from_fn(|axis| (points - point) * from[axis] + point * to[axis]);
    let at = |part: i32| begin.map(|along| nearest(along * part, points * radius));
    let last = if 2 * point <= points { from } else { to };
    // On the inner ring one half of a way lies in the cell itself, and the other in the neighbour.
    let through = if radius == 1 { [[0, 0], last, last] } else { [at(1), at(2), last] };
    let cells = [[0, 0], through[0], through[1], through[2]];
    let corners = cells.windows(2).zip([0, 4, 8]).map(|(step, place)| {
        let [east, south] = [0, 1].map(|axis| step[1][axis] - step[0][axis]);
        if east * south == 0 { 0 } else { corner(east, south) << place }
    });
    let scale = f64::from(1 << 16) / 6.0 / f64::from(points);
    let length = f64::from(begin[0] * begin[0] + begin[1] * begin[1]).sqrt();
    Way {
        through,
        length: (length * scale).round() as u32,
        along: begin.map(|along| (f64::from(along) * scale).round() as i32),
        direction: begin.map(|along| (f64::from(along) / length * f64::from(1 << DIRECTION)).round() as i32),
        corners: corners.sum(),
    }
}

/// The bit of a cell's corner in a direction.
pub(super) fn corner(east: i32, south: i32) -> u32 {
    1 << (u32::from(east > 0) + 2 * u32::from(south > 0))
}

/// The corners of a cell over which no fire comes or goes: no fire crosses either of the two other cells there. Those of cells beyond
/// the landscape mean nothing.
pub(super) fn closed_corners(cell: usize, width: usize, crosses: impl Fn(usize) -> bool) -> u32 {
    let [west, east] = [cell.wrapping_sub(1), cell + 1].map(&crosses);
    let [north, south] = [cell.wrapping_sub(width), cell + width].map(&crosses);
    let closed = |side: bool, other: bool, bit: u32| u32::from(!side && !other) << bit;
    closed(west, north, 0) | closed(east, north, 1) | closed(west, south, 2) | closed(east, south, 3)
}

/// A quotient rounded to the nearest whole number, halves away from 0.
fn nearest(dividend: i32, divisor: i32) -> i32 {
    (2 * dividend.abs() + divisor) / (2 * divisor) * dividend.signum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_go_around() {
        assert_eq!((OFFSETS.len(), EDGES.len()), (32, 32));
        assert_eq!(ring(1), [[1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1]]);
        for Edge { ends: [from, to], .. } in EDGES.iter() {
            let [a, b] = [OFFSETS[*from], OFFSETS[*to]];
            assert_eq!((a[0] - b[0]).abs() + (a[1] - b[1]).abs(), 1, "{a:?} {b:?}");
        }
        for n in 0..OFFSETS.len() {
            assert_eq!(
                edges_at(n).map(|edge| edge.ends),
                [EDGES[n].ends, EDGES.iter().find(|edge| edge.ends[1] == n).unwrap().ends]
            );
        }
        // If one cell hears another, the other hears it.
        assert!(OFFSETS.iter().all(|offset| OFFSETS.contains(&offset.map(|along| -along))));
    }

    #[test]
    fn ways_have_their_lengths() {
        let side = f64::from(1 << 16) / 6.0;
        for (n, edge) in EDGES.iter().enumerate() {
            let [a, b] = edge.ends.map(|end| OFFSETS[end].map(f64::from));
            for (m, way) in edge.ways.iter().enumerate() {
                let point: [f64; 2] = std::array::from_fn(|axis| a[axis] + m as f64 / 4.0 * (b[axis] - a[axis]));
                assert!((f64::from(way.length) / side - point[0].hypot(point[1])).abs() < 1e-4, "{n} {m}");
                assert!((0..2).all(|axis| (f64::from(way.along[axis]) / side - point[axis]).abs() < 1e-4), "{n} {m}");
                // What is lost of a sum of b is less than the length.
                let [x, y] = way.along.map(|along| i64::from(along.unsigned_abs()));
                let length = i64::from(way.length);
                assert!(length >= x.max(y), "{n} {m}");
                // A way is longer than its length by rounding alone. So no time through a cell is negative: a is more than b by a 128th.
                assert!(x * x + y * y <= (length + 1).pow(2) && length > 128, "{n} {m}");
            }
        }
    }

    /// From cell to cell a way goes over a side or over a corner, and its corners are those.
    #[test]
    fn ways_know_their_corners() {
        for way in EDGES.iter().flat_map(|edge| &edge.ways) {
            let cells = [[0, 0], way.through[0], way.through[1], way.through[2]];
            for (step, place) in cells.windows(2).zip([0, 4, 8]) {
                let [east, south] = [0, 1].map(|axis| step[1][axis] - step[0][axis]);
                assert!(east.abs() <= 1 && south.abs() <= 1, "{way:?}");
                let expected = [[1, 2], [4, 8]][usize::from(south > 0)][usize::from(east > 0)];
                assert_eq!(way.corners >> place & 15, expected * u32::from(east * south != 0), "{way:?}");
            }
        }
        // A cell in the middle of 3 x 3 cells; fire crosses the cell east of it, or that in the north.
        assert_eq!([5, 1].map(|open| closed_corners(4, 3, |cell| cell == open)), [0b0101, 0b1100]);
    }

    #[test]
    fn ways_cross_the_cells_between() {
        let [straight, corner] = [[3, 0, 0], [3, -3, 0]].map(|offset| {
            let n = OFFSETS.iter().position(|other| *other == offset).unwrap();
            EDGES[n].ways[0].through
        });
        assert_eq!((straight, corner), ([[1, 0], [2, 0], [3, 0]], [[1, -1], [2, -2], [3, -3]]));
    }
}
