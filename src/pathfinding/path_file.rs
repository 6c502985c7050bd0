//! The paths of a run as a compact binary file, and its reader.
//!
//! The file is a line `tickless paths 1`, a line of JSON ([`PathHead`]), and for each search a byte: 1 where it has a path, 2
//! where it has none, 0 where an interruption came before its end. Behind a 1 come the start and the goal, each as column and
//! row of 16 bits, the number of moves in 32 bits, all little-endian, and the moves, two a byte, the first in the lower four
//! bits. The last 32 bytes are the SHA-256 of all earlier bytes.

use std::io::{self, BufRead, BufReader, Read, Write};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::map::{Cell, MOST_SIDE};
use super::model::{Query, SearchModel};
use super::outcome::{Outcome, SearchState};
use super::paths::Direction;

/// The first line.
const MAGIC: &[u8] = b"tickless paths 1\n";
/// The longest head, in bytes.
const LONGEST_HEAD: u64 = 1 << 12;
/// Bytes of a SHA-256.
const HASH: usize = 32;
/// Bytes of the start, the goal and the number of moves.
const ENDS: usize = 12;

/// The head of a file of paths, which describes its run.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// use tickless::pathfinding::PathHead;
/// let head = PathHead { width: 512, height: 256, searches: 1000 };
/// assert_eq!(head, head.clone());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathHead {
    /// Columns of the map.
    pub width: u32,
    /// Rows of the map.
    pub height: u32,
    /// The number of searches.
    pub searches: u64,
}

/// Why a file of paths cannot be read.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// use tickless::pathfinding::PathReader;
/// let error = PathReader::new(&b"search,step\n"[..]).unwrap_err();
/// assert!(error.to_string().starts_with("this is no file of paths"));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PathFileError {
    /// It cannot be read.
    #[error("the paths cannot be read: {0}")]
    Read(#[from] io::Error),
    /// Another kind of file, or another version.
    #[error("this is no file of paths: {what}; give the file that tickless search has written with --paths")]
    Foreign {
        /// The fault.
        what: String,
    },
    /// The file ends before the last search.
    #[error(
        "the file ends in the middle, in search {search} of {searches}: it is cut off; write it again, or take another copy"
    )]
    Truncated {
        /// The search, counted from 0.
        search: u64,
        /// The number of searches in its head.
        searches: u64,
    },
    /// Bytes that no run writes.
    #[error("the file is damaged, in search {search} or before: {what}; write it again, or take another copy")]
    Damaged {
        /// The search, counted from 0.
        search: u64,
        /// The impossible part.
        what: String,
    },
}

impl Outcome {
    /// Writes the paths of a run of this model.
    ///
    /// # Errors
    /// The error of writing; an invalid input where the run has kept no paths or is one of other searches.
    ///
    /// ```
    /// # use tickless_pathfinding::facade as tickless;
    /// use tickless::{device::Target, pathfinding::{self, Cell, Map, PathReader, Query, Searches}};
    /// let query = Query { start: Cell { column: 0, row: 0 }, goal: Cell { column: 1, row: 2 } };
    /// let model = Searches::new(Map::free(3, 3)?).paths(true).queries(vec![query]).check()?;
    /// let run = pathfinding::run(&model, Target::Heap, Default::default(), &mut tickless::run::unwatched())?;
    /// let mut file = vec![];
    /// run.outcome.write_paths(&model, &mut file)?;
    /// let steps = PathReader::new(&file[..])?.collect::<Result<Vec<_>, _>>()?;
    /// assert_eq!((steps.len(), steps[0].cell, steps[2].cell), (3, query.start, query.goal));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_paths(&self, model: &SearchModel, to: impl Write) -> io::Result<()> {
        let invalid = |what: &str| io::Error::new(io::ErrorKind::InvalidInput, what);
        let paths = self.paths.as_ref().ok_or_else(|| invalid("the run has kept no paths"))?;
        let queries = model.queries();
        if queries.len() != self.searches.len() || paths.searches() != queries.len() {
            return Err(invalid("the run is one of other searches"));
        }
        let map = model.map();
        let head = PathHead { width: map.width(), height: map.height(), searches: queries.len() as u64 };
        let mut to = Hashed { to, hash: Sha256::new() };
        to.write_all(MAGIC)?;
        serde_json::to_writer(&mut to, &head).map_err(io::Error::from)?;
        to.write_all(b"\n")?;
        for (search, query) in queries.iter().enumerate() {
            match self.searches[search].state {
                SearchState::Unfinished => to.write_all(&[0])?,
                SearchState::NoPath => to.write_all(&[2])?,
                SearchState::Found => {
                    to.write_all(&[1])?;
                    to.write_all(&ends(query, paths.moves(search).len() as u32))?;
                    let mut moves = paths.moves(search);
                    while let Some(first) = moves.next() {
                        let second = moves.next().map_or(0, Direction::number);
                        to.write_all(&[first.number() | second << 4])?;
                    }
                }
            }
        }
        let Hashed { mut to, hash } = to;
        to.write_all(&hash.finalize())?;
        to.flush()
    }
}

/// A writer that hashes all bytes.
struct Hashed<W> {
    to: W,
    hash: Sha256,
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

fn ends(query: &Query, moves: u32) -> [u8; ENDS] {
    let mut bytes = [0; ENDS];
    let Query { start, goal } = *query;
    for (place, number) in [start.column, start.row, goal.column, goal.row].into_iter().enumerate() {
        bytes[2 * place..][..2].copy_from_slice(&(number as u16).to_le_bytes());
    }
    bytes[8..].copy_from_slice(&moves.to_le_bytes());
    bytes
}

/// A cell of a path.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// use tickless::pathfinding::{Cell, PathStep};
/// let step = PathStep { search: 3, step: 0, cell: Cell { column: 1, row: 2 } };
/// assert_eq!(step.cell.to_string(), "column 1, row 2");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// The search, counted from 0.
    pub search: u64,
    /// The number of cells before this one on the path: 0 at its start.
    pub step: u32,
    /// The cell.
    pub cell: Cell,
}

/// Reads the cells of all paths one after the other, in constant memory. After an error no more cells come; cells read before
/// may be damaged, too, where the error says so.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// use tickless::{device::Target, pathfinding::{self, Map, Outcome, PathReader, Paths, Searches}};
/// let model = Searches::new(Map::free(3, 3)?).paths(true).check()?;
/// let run = pathfinding::run(&model, Target::Heap, Default::default(), &mut tickless::run::unwatched())?;
/// let mut file = vec![];
/// run.outcome.write_paths(&model, &mut file)?;
/// let mut paths = PathReader::new(&file[..])?;
/// assert_eq!((paths.head().width, paths.head().searches), (3, 0));
/// assert!(paths.next().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PathReader<R> {
    input: BufReader<R>,
    hash: Sha256,
    head: PathHead,
    /// The search being read, or the number of searches behind the last one.
    search: u64,
    path: Option<Reading>,
    over: bool,
}

/// A path that has been read in part.
#[derive(Debug)]
struct Reading {
    cell: Cell,
    goal: Cell,
    step: u32,
    moves: u32,
    /// The second move of the last byte.
    second: u8,
}

impl<R: Read> PathReader<R> {
    /// Reads the head.
    ///
    /// # Errors
    /// [`PathFileError`].
    pub fn new(input: R) -> Result<Self, PathFileError> {
        let mut input = BufReader::with_capacity(1 << 16, input);
        let foreign = |what: &str| PathFileError::Foreign { what: what.into() };
        let mut begin = vec![];
        input.by_ref().take(MAGIC.len() as u64).read_to_end(&mut begin)?;
        if begin != MAGIC {
            return Err(foreign("it does not begin with the line 'tickless paths 1'"));
        }
        input.by_ref().take(LONGEST_HEAD).read_until(b'\n', &mut begin)?;
        let head: PathHead = serde_json::from_slice(&begin[MAGIC.len()..])
            .map_err(|_| foreign("its second line is no head of paths"))?;
        if [head.width, head.height].iter().any(|side| !(1..=MOST_SIDE).contains(side)) {
            return Err(foreign("the head in its second line has a side that no map has"));
        }
        Ok(Self { input, hash: Sha256::new_with_prefix(&begin), head, search: 0, path: None, over: false })
    }

    /// The head of the file.
    pub fn head(&self) -> &PathHead {
        &self.head
    }

    fn damaged(&self, what: impl Into<String>) -> PathFileError {
        PathFileError::Damaged { search: self.search, what: what.into() }
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], PathFileError> {
        let mut bytes = [0; N];
        self.input.read_exact(&mut bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                PathFileError::Truncated { search: self.search, searches: self.head.searches }
            }
            _ => error.into(),
        })?;
        Ok(bytes)
    }

    fn hashed<const N: usize>(&mut self) -> Result<[u8; N], PathFileError> {
        let bytes = self.bytes()?;
        self.hash.update(bytes);
        Ok(bytes)
    }

    fn inside(&self, cell: Cell) -> bool {
        cell.column < self.head.width && cell.row < self.head.height
    }

    fn step(&mut self) -> Result<Option<PathStep>, PathFileError> {
        match self.path.take() {
            Some(path) => self.next_cell(path).map(Some),
            None => self.next_path(),
        }
    }

    /// The start of the next path.
    fn next_path(&mut self) -> Result<Option<PathStep>, PathFileError> {
        while self.search < self.head.searches {
            let [state] = self.hashed()?;
            match state {
                0 | 2 => self.search += 1,
                1 => return self.begin().map(Some),
                _ => return Err(self.damaged(format!("a search has the state {state}, which is none"))),
            }
        }
        let hash: [u8; HASH] = self.bytes()?;
        if hash != <[u8; HASH]>::from(self.hash.clone().finalize()) {
            return Err(self.damaged("the SHA-256 at its end is not that of what stands before"));
        }
        if !self.input.fill_buf()?.is_empty() {
            return Err(self.damaged("more stands behind its end"));
        }
        Ok(None)
    }

    fn begin(&mut self) -> Result<PathStep, PathFileError> {
        let bytes: [u8; ENDS] = self.hashed()?;
        let number = |place: usize| u32::from(u16::from_le_bytes([bytes[2 * place], bytes[2 * place + 1]]));
        let [start, goal] = [0, 2].map(|place| Cell { column: number(place), row: number(place + 1) });
        let moves = u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]);
        if !self.inside(start) || !self.inside(goal) {
            return Err(self.damaged("its start or its goal is outside of the map"));
        }
        let path = Reading { cell: start, goal, step: 0, moves, second: 0 };
        self.cell_of(path)
    }

    /// The next cell of a path; keeps the rest of the path.
    fn cell_of(&mut self, path: Reading) -> Result<PathStep, PathFileError> {
        let found = PathStep { search: self.search, step: path.step, cell: path.cell };
        if path.step < path.moves {
            self.path = Some(path);
        } else if path.cell != path.goal {
            return Err(self.damaged("its path does not end at its goal"));
        } else {
            self.search += 1;
        }
        Ok(found)
    }

    fn next_cell(&mut self, mut path: Reading) -> Result<PathStep, PathFileError> {
        let first = path.step.is_multiple_of(2);
        if first {
            let [both] = self.hashed()?;
            path.second = both >> 4;
            path.cell = self.moved(path.cell, both & 15)?;
        } else {
            path.cell = self.moved(path.cell, path.second)?;
        }
        path.step += 1;
        if first && path.step == path.moves && path.second != 0 {
            return Err(self.damaged("a move stands behind the last of its path"));
        }
        self.cell_of(path)
    }

    fn moved(&self, cell: Cell, direction: u8) -> Result<Cell, PathFileError> {
        let direction = Direction::ALL.get(usize::from(direction));
        let direction = direction.ok_or_else(|| self.damaged("a move goes in no direction"))?;
        let to = direction.from(cell);
        if self.inside(to) { Ok(to) } else { Err(self.damaged("its path leaves the map")) }
    }
}

impl<R: Read> Iterator for PathReader<R> {
    type Item = Result<PathStep, PathFileError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let step = self.step().transpose();
        self.over = !matches!(step, Some(Ok(_)));
        step
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Obstacles, SearchRecord, Searches, random_queries};
    use tickless_core::run::unwatched;
    use tickless_device::Target;

    /// Paths of a small map; one search has no path and another is not finished.
    fn run() -> (SearchModel, Outcome) {
        let map = Obstacles::new(20, 13).density(0.3).seed(2).map().unwrap();
        let queries = random_queries(&map, 30, 4);
        let model = Searches::new(map).paths(true).queries(queries).check().unwrap();
        let mut outcome = crate::run(&model, Target::Heap, Default::default(), &mut unwatched()).unwrap().outcome;
        assert!(outcome.statistics().no_path > 0 && outcome.searches[7].cost().is_some());
        outcome.searches[7] = SearchRecord::default();
        (model, outcome)
    }

    fn written() -> Vec<u8> {
        let (model, outcome) = run();
        let mut file = vec![];
        outcome.write_paths(&model, &mut file).unwrap();
        file
    }

    fn read(bytes: &[u8]) -> Result<Vec<PathStep>, PathFileError> {
        PathReader::new(bytes)?.collect()
    }

    #[test]
    fn paths_are_read_as_they_are_written() {
        let (model, outcome) = run();
        let steps = read(&written()).unwrap();
        let mut expected = vec![];
        for (search, query) in model.queries().iter().enumerate() {
            if outcome.searches[search].cost().is_some() {
                let cells = outcome.paths.as_ref().unwrap().cells(search, query.start);
                let step = |(step, cell): (usize, Cell)| PathStep { search: search as u64, step: step as u32, cell };
                expected.extend(cells.enumerate().map(step));
            }
        }
        assert_eq!(steps, expected);
        assert!(steps.len() > 200);
    }

    /// Any byte may differ, and the file may end anywhere.
    #[test]
    fn every_damage_is_found() {
        let whole = written();
        for place in 0..whole.len() {
            for change in [1, 16, 128] {
                let mut wrong = whole.clone();
                wrong[place] ^= change;
                assert!(read(&wrong).is_err(), "byte {place} of {}", whole.len());
            }
            assert!(read(&whole[..place]).is_err(), "the first {place} bytes of {}", whole.len());
        }
        let cut = read(&whole[..whole.len() / 2]).unwrap_err().to_string();
        assert!(cut.contains("ends in the middle, in search ") && cut.contains(" of 30:"), "{cut}");
        let longer = read(&[&whole[..], b"x"].concat()).unwrap_err().to_string();
        assert!(longer.contains("more stands behind its end"), "{longer}");
    }

    #[test]
    fn what_has_no_paths_is_not_written() {
        let (model, mut outcome) = run();
        let other = Searches::new(model.map().clone()).check().unwrap();
        assert!(outcome.write_paths(&other, vec![]).is_err());
        outcome.paths = None;
        assert!(outcome.write_paths(&model, vec![]).is_err());
    }
}
