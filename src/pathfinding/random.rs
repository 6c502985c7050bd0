//! Grids of random obstacles, and random pairs of cells, as Baudis et al. 2017 drew them.

use super::error::MapError;
use super::map::{Cell, Map};
use super::model::Query;
use tickless_core::random::{ServiceLaw, Stream, StreamKey};
use tickless_core::time::Time;

/// The streams of queries, beside those of obstacles.
const QUERIES: u64 = 1;
/// The shortest and the longest mean side of obstacles.
const LEAST_MEAN: f64 = 1e-3;
const MOST_MEAN: f64 = 1e3;

/// A map of square obstacles at random places; they may overlap and are cut off at the border.
///
/// The side of an obstacle is an exponential variate, rounded down, and at least 1. Each obstacle draws its column, its row
/// and its side from a stream of its own.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// use tickless::pathfinding::Obstacles;
/// let map = Obstacles::new(128, 128).density(0.2).seed(7).map()?;
/// let free = map.free_cells() as f64 / (128.0 * 128.0);
/// assert!((0.6..0.8).contains(&free));
/// assert_eq!(map, Obstacles::new(128, 128).density(0.2).seed(7).map()?);
/// # Ok::<(), tickless::pathfinding::MapError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obstacles {
    width: u32,
    height: u32,
    density: f64,
    mean: f64,
    seed: u64,
}

impl Obstacles {
    /// A map of `width` columns and `height` rows: a density of 0.2, a mean side of 1 cell (before rounding), seed 1.
    pub fn new(width: u32, height: u32) -> Self {
        Self { width, height, density: 0.2, mean: 1.0, seed: 1 }
    }

    /// The number of obstacles as a share of the cells, 0 to 1. It is not the share of blocked cells: obstacles are
    /// larger than a cell, and overlap.
    #[must_use]
    pub fn density(self, density: f64) -> Self {
        Self { density, ..self }
    }

    /// The mean of the exponential variate from which a side is made, in cells.
    #[must_use]
    pub fn mean_side(self, mean: f64) -> Self {
        Self { mean, ..self }
    }

    /// The seed of places and sides.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// The map.
    ///
    /// # Errors
    /// [`MapError`]: wrong sides, density or mean, or too little memory.
    pub fn map(&self) -> Result<Map, MapError> {
        let Self { width, height, density, mean, seed } = *self;
        if !(0.0..=1.0).contains(&density) {
            return Err(MapError::Density { density });
        }
        if !(LEAST_MEAN..=MOST_MEAN).contains(&mean) {
            return Err(MapError::Mean { mean, least: LEAST_MEAN, most: MOST_MEAN });
        }
        let mut costs = Map::free(width, height)?.costs().to_vec();
        let law = ServiceLaw::Exponential { mean }.effective(None);
        let key = StreamKey::new(seed, 0);
        for obstacle in 0..(density * f64::from(width) * f64::from(height)) as u32 {
            let mut stream = key.stream(obstacle);
            let [left, top] = [width, height].map(|side| below(side, &mut stream));
            let side = (law.service(&mut stream).ticks() / Time::UNIT.ticks()).max(1);
            let right = (u64::from(left) + side).min(width.into()) as usize;
            let bottom = (u64::from(top) + side).min(height.into()) as usize;
            for row in top as usize..bottom {
                costs[row * width as usize..][left as usize..right].fill(0);
            }
        }
        Map::new(width, height, costs)
    }
}

/// `searches` pairs of a start and a goal, each drawn uniformly among the free cells; none where no cell is free.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// use tickless::pathfinding::{Obstacles, random_queries};
/// let map = Obstacles::new(32, 32).map()?;
/// let queries = random_queries(&map, 10, 3);
/// assert!(queries.iter().all(|query| map.is_free(query.start) && map.is_free(query.goal)));
/// # Ok::<(), tickless::pathfinding::MapError>(())
/// ```
pub fn random_queries(map: &Map, searches: u32, seed: u64) -> Vec<Query> {
    // A list that grows would take up to three times as much.
    let mut free: Vec<u32> = Vec::with_capacity(map.free_cells());
    free.extend((0..map.costs().len() as u32).filter(|&id| map.costs()[id as usize] > 0));
    if free.is_empty() {
        return vec![];
    }
    let key = StreamKey::new(seed, QUERIES);
    let cell = |stream: &mut Stream| -> Cell { map.cell(free[below(free.len() as u32, stream) as usize] as usize) };
    let query = |search| {
        let mut stream = key.stream(search);
        let start = cell(&mut stream);
        Query { start, goal: cell(&mut stream) }
    };
    (0..searches).map(query).collect()
}

/// A number below a bound, from one draw.
fn below(bound: u32, stream: &mut Stream) -> u32 {
    ((u64::from(stream.draw()) * u64::from(bound)) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Obstacles cover the share of the area that the law of their sides gives.
    #[test]
    fn obstacles_cover_what_their_sides_say() {
        // The mean area of a square whose side is an exponential variate of mean 1, rounded down, at least 1.
        let step = |side: f64| (-side).exp() - (-side - 1.0).exp();
        let area = step(0.0) + (1..40).map(|side| step(f64::from(side)) * f64::from(side * side)).sum::<f64>();
        for density in [0.1, 0.2, 0.4] {
            let map = Obstacles::new(1000, 1000).density(density).map().unwrap();
            let blocked = 1.0 - map.free_cells() as f64 / 1e6;
            let expected = 1.0 - (-density * area).exp();
            assert!((blocked / expected - 1.0).abs() < 0.02, "{density}: {blocked} {expected}");
        }
    }

    #[test]
    fn what_is_no_obstacle_is_refused() {
        let refused = |obstacles: Obstacles| obstacles.map().unwrap_err().to_string();
        let density = refused(Obstacles::new(9, 9).density(1.5));
        assert_eq!(density, "the density of obstacles is 1.5; it must lie between 0 and 1");
        assert!(refused(Obstacles::new(9, 9).density(f64::NAN)).contains("NaN"));
        assert!(refused(Obstacles::new(9, 9).mean_side(0.0)).contains("between 0.001 and 1000 cells"));
        assert!(refused(Obstacles::new(9, 0)).contains("9 x 0 cells"));
        assert!(random_queries(&Map::new(1, 1, vec![0]).unwrap(), 5, 1).is_empty());
    }
}
