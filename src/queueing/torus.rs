//! The places of the stations of a torus.

/// A grid whose opposite sides meet. Station `row · width + column` leads down, right, up and left, in this order, each with
/// probability 1/4 (Sang et al. 2019). A side of 1 makes routes to the station itself, a side of 2 two routes to one
/// neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Torus {
    /// Stations in a row.
    #[doc(hidden)]
    pub width: u32,
    /// Rows. There are fewer than 2³⁰ stations: an edge is numbered `4 · station + direction` in 32 bits.
    #[doc(hidden)]
    pub height: u32,
}

impl Torus {
    /// The number of stations.
    #[doc(hidden)]
    pub fn stations(self) -> u32 {
        self.width * self.height
    }

    /// The station that a direction leads to: 0 down, 1 right, 2 up, 3 left.
    #[inline]
    pub(crate) fn neighbour(self, station: u32, direction: u32) -> u32 {
        let Self { width, height } = self;
        let (last_row, column) = ((height - 1) * width, station % width);
        let down = if station < last_row { station + width } else { station - last_row };
        let right = if column + 1 < width { station + 1 } else { station - column };
        let up = if station >= width { station - width } else { station + last_row };
        let left = if column > 0 { station - 1 } else { station + (width - 1) };
        // Selections, not branches: a random direction would be predicted wrongly.
        let vertical = if direction == 0 { down } else { up };
        let horizontal = if direction == 1 { right } else { left };
        if direction & 1 == 0 { vertical } else { horizontal }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_mutual() {
        for (width, height) in [(1, 1), (1, 2), (2, 1), (3, 5), (4, 4)] {
            let torus = Torus { width, height };
            for station in 0..torus.stations() {
                for direction in 0..4 {
                    let there = torus.neighbour(station, direction);
                    assert_eq!(torus.neighbour(there, (direction + 2) & 3), station);
                }
            }
        }
    }
}
