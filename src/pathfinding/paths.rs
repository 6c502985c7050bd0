//! Paths in a compact form: four bits a move.

use super::map::{Cell, STEPS};

/// Moves in a word.
pub(super) const MOVES_A_WORD: usize = 8;

/// The direction of a move.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// use tickless::pathfinding::{Cell, Direction};
/// let south_east = Direction::ALL[3];
/// assert_eq!((south_east.name(), south_east.is_diagonal()), ("SE", true));
/// assert_eq!(south_east.from(Cell { column: 4, row: 4 }), Cell { column: 5, row: 5 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Direction(u8);

impl Direction {
    /// All directions, clockwise from the north, which is towards row 0.
    pub const ALL: [Self; 8] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    /// The name on a compass.
    pub const fn name(self) -> &'static str {
        ["N", "NE", "E", "SE", "S", "SW", "W", "NW"][self.0 as usize]
    }

    /// Its place in [`Direction::ALL`].
    pub(super) const fn number(self) -> u8 {
        self.0
    }

    /// Whether both the column and the row change.
    pub const fn is_diagonal(self) -> bool {
        self.0 % 2 == 1
    }

    /// The cell to which a move in this direction leads.
    #[must_use]
    pub const fn from(self, cell: Cell) -> Cell {
        let (columns, rows) = STEPS[self.0 as usize];
        Cell { column: cell.column.wrapping_add_signed(columns), row: cell.row.wrapping_add_signed(rows) }
    }
}

/// The paths of a batch of searches, as moves from the start to the goal.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// use tickless::{device::Target, pathfinding::{self, Cell, Map, Query, Searches}};
/// let query = Query { start: Cell { column: 0, row: 0 }, goal: Cell { column: 2, row: 1 } };
/// let model = Searches::new(Map::free(3, 3)?).paths(true).queries(vec![query]).check()?;
/// let paths = pathfinding::run(&model, Target::Heap, Default::default(), &mut tickless::run::unwatched())?.outcome.paths.unwrap();
/// let cells: Vec<_> = paths.cells(0, query.start).collect();
/// assert_eq!((cells.len(), cells[0], cells[2]), (3, query.start, query.goal));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Paths {
    /// Four bits a move, the first in the lowest; each path begins with a word of its own.
    words: Vec<u32>,
    /// Of each search its first word, and its number of moves.
    paths: Vec<(u64, u32)>,
}

/// Paths are equal where their moves are, wherever their words lie.
impl PartialEq for Paths {
    fn eq(&self, other: &Self) -> bool {
        let same =
            |search: usize| self.paths[search].1 == other.paths[search].1 && self.words(search) == other.words(search);
        self.searches() == other.searches() && (0..self.searches()).all(same)
    }
}

impl Eq for Paths {}

impl Paths {
    /// Paths of `searches` searches, all without a move.
    pub(super) fn new(searches: usize) -> Self {
        Self { words: vec![], paths: vec![(0, 0); searches] }
    }

    /// The number of searches.
    pub fn searches(&self) -> usize {
        self.paths.len()
    }

    /// The moves of a search from its start on; none where it has no path.
    ///
    /// # Panics
    /// Where there is no such search.
    pub fn moves(&self, search: usize) -> impl ExactSizeIterator<Item = Direction> + '_ {
        let (begin, moves) = self.paths[search];
        (0..moves as usize).map(move |number| {
            let word = self.words[begin as usize + number / MOVES_A_WORD];
            Direction::ALL[(word >> (4 * (number % MOVES_A_WORD)) & 7) as usize]
        })
    }

    /// The cells of a path, its start and its goal included; the start alone where a search has no path.
    ///
    /// # Panics
    /// Where there is no such search.
    pub fn cells(&self, search: usize, start: Cell) -> impl Iterator<Item = Cell> + '_ {
        let steps = self.moves(search).scan(start, |cell, direction| {
            *cell = direction.from(*cell);
            Some(*cell)
        });
        std::iter::once(start).chain(steps)
    }

    /// The bytes of its lists.
    pub(super) fn bytes(&self) -> u64 {
        (size_of_val(&self.words[..]) + size_of_val(&self.paths[..])) as u64
    }

    /// The words of a path.
    pub(super) fn words(&self, search: usize) -> &[u32] {
        let (begin, moves) = self.paths[search];
        &self.words[begin as usize..][..(moves as usize).div_ceil(MOVES_A_WORD)]
    }

    /// Gives a search the path of a search of another batch.
    pub(super) fn set_from(&mut self, search: usize, other: &Self, of: usize) {
        self.paths[search] = (self.words.len() as u64, other.paths[of].1);
        self.words.extend_from_slice(other.words(of));
    }

    /// All paths one behind the other: their words, and the number of moves of each.
    pub(super) fn in_order(&self) -> (Vec<u32>, Vec<u32>) {
        let words = (0..self.searches()).flat_map(|search| self.words(search)).copied().collect();
        (words, self.paths.iter().map(|(_, moves)| *moves).collect())
    }

    /// The paths of [`Paths::in_order`]; `None` where the moves need another number of words.
    pub(super) fn from_order(words: Vec<u32>, moves: Vec<u32>) -> Option<Self> {
        let mut next = 0_u64;
        let place = |moves: u32| {
            let first = next;
            next += u64::from(moves).div_ceil(MOVES_A_WORD as u64);
            (first, moves)
        };
        let paths = moves.into_iter().map(place).collect();
        (next == words.len() as u64).then_some(Self { words, paths })
    }

    /// Gives a search its path: numbers of [`Direction::ALL`] from the goal back to the start.
    pub(super) fn set_backwards(&mut self, search: usize, backwards: &[u8]) {
        self.paths[search] = (self.words.len() as u64, backwards.len() as u32);
        let mut moves = backwards.iter().rev();
        for _ in 0..backwards.len().div_ceil(MOVES_A_WORD) {
            let word = moves.by_ref().take(MOVES_A_WORD).enumerate();
            self.words.push(word.map(|(place, &direction)| u32::from(direction) << (4 * place)).sum());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_every_length_are_kept() {
        let mut paths = Paths::new(40);
        let backwards = |search: usize| -> Vec<u8> { (0..search).map(|n| ((n * 5 + search) % 8) as u8).collect() };
        // Paths may come in any order.
        for search in (0..40).rev() {
            paths.set_backwards(search, &backwards(search));
        }
        for search in 0..40 {
            let forwards: Vec<u8> = paths.moves(search).map(|direction| direction.0).collect();
            let expected: Vec<u8> = backwards(search).into_iter().rev().collect();
            assert_eq!(forwards, expected);
            assert_eq!(paths.words(search).len(), search.div_ceil(8));
        }
        assert_eq!(paths.searches(), 40);
        let mut others = Paths::new(40);
        (0..40).for_each(|search| others.set_backwards(search, &backwards(search)));
        assert_eq!(paths, others);
        others.set_backwards(3, &[0, 0, 0]);
        assert_ne!(paths, others);
        assert_ne!(paths, Paths::new(40));
    }

    #[test]
    fn a_direction_and_the_one_across_it_lead_back() {
        let cell = Cell { column: 7, row: 7 };
        for (place, direction) in Direction::ALL.into_iter().enumerate() {
            let there = direction.from(cell);
            assert_ne!(there, cell);
            assert_eq!(Direction::ALL[(place + 4) % 8].from(there), cell);
            assert_eq!(direction.is_diagonal(), there.column != 7 && there.row != 7);
        }
    }
}
