//! Pictures of maps, of explored cells, and of paths.

use std::io::{self, Write};

use super::explored::{Explored, Visit};
use super::map::{Cell, Map};
use tickless_core::memory::{self, NoMemory};
use tickless_core::picture::write;

/// A blocked cell.
const BLOCKED: [u8; 3] = [45, 45, 48];
/// The cheapest free cell and the dearest one.
const FREE: [[u8; 3]; 2] = [[250, 250, 247], [176, 160, 132]];
/// The colour laid over a known or an expanded cell, and its share, in quarters.
const KNOWN: ([u8; 3], u16) = ([120, 178, 222], 1);
const EXPANDED: ([u8; 3], u16) = ([70, 140, 205], 2);
/// Paths, in order.
const PATHS: [[u8; 3]; 6] =
    [[214, 39, 40], [230, 126, 0], [140, 60, 180], [20, 140, 60], [200, 30, 130], [120, 75, 20]];
/// The width or height of a picture of a small map, about, in pixels; and the most pixels of a cell in each direction.
const SIDE: u32 = 640;
const LARGEST: u32 = 16;

/// A picture of a map on which searches are drawn.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// use tickless::pathfinding::{Cell, Explored, Map, MapPicture, Query, Searches};
/// let query = Query { start: Cell { column: 0, row: 0 }, goal: Cell { column: 4, row: 4 } };
/// let model = Searches::new(Map::free(5, 5)?).check()?;
/// let mut picture = MapPicture::new(model.map())?;
/// picture.explored(&Explored::new(&model, &query)?);
/// picture.path((0..5).map(|place| Cell { column: place, row: place }));
/// let mut png = vec![];
/// picture.write(&mut png)?;
/// assert_eq!(png[1..4], *b"PNG");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MapPicture<'a> {
    map: &'a Map,
    visits: Vec<Visit>,
    /// 0 for no path, else the number of a colour.
    paths: Vec<u8>,
    drawn: usize,
}

impl<'a> MapPicture<'a> {
    /// The map alone: blocked cells are dark, free cells light, and dearer cells darker.
    ///
    /// # Errors
    /// Too little memory.
    pub fn new(map: &'a Map) -> Result<Self, NoMemory> {
        let cells = map.costs().len();
        let visits = memory::filled(Visit::Unknown, cells, "the cells of a picture")?;
        Ok(Self { map, visits, paths: memory::filled(0, cells, "the paths of a picture")?, drawn: 0 })
    }

    /// Draws the cells that a search of this map knows, and the cells that it has expanded, in blue.
    pub fn explored(&mut self, explored: &Explored) {
        for (visit, seen) in self.visits.iter_mut().zip(explored.cells()) {
            *visit = (*visit).max(*seen);
        }
    }

    /// Draws a path, in a colour of its own as long as there are colours.
    pub fn path(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let colour = 1 + (self.drawn % PATHS.len()) as u8;
        for cell in cells.into_iter().filter(|cell| self.map.cost(*cell).is_some()) {
            self.paths[self.map.id(cell)] = colour;
        }
        self.drawn += 1;
    }

    /// Writes a PNG: a pixel for each cell, or a square of pixels on a small map.
    ///
    /// # Errors
    /// The error of writing.
    pub fn write(&self, to: impl Write) -> io::Result<()> {
        let (width, height) = (self.map.width(), self.map.height());
        let scale = (SIDE / width.max(height)).clamp(1, LARGEST);
        let least = self.map.least_cost();
        let most = self.map.costs().iter().copied().max().unwrap_or(1).max(least);
        let colours = |row: u32| {
            (0..width).flat_map(move |column| {
                let colour = self.colour(self.map.id(Cell { column, row }), [least, most]);
                std::iter::repeat_n(colour, scale as usize)
            })
        };
        let rows = (0..height).flat_map(|row| std::iter::repeat_n(row, scale as usize));
        write([width * scale, height * scale], rows.flat_map(colours), to)
    }

    fn colour(&self, id: usize, [least, most]: [u8; 2]) -> [u8; 3] {
        let cost = self.map.costs()[id];
        if cost == 0 {
            return BLOCKED;
        }
        if let Some(path) = self.paths[id].checked_sub(1) {
            return PATHS[usize::from(path)];
        }
        let (along, whole) = (u16::from(cost - least), u16::from(most - least).max(1));
        let free = mix(FREE[0], FREE[1], along, whole);
        match self.visits[id] {
            Visit::Unknown => free,
            Visit::Known => mix(free, KNOWN.0, KNOWN.1, 4),
            Visit::Expanded => mix(free, EXPANDED.0, EXPANDED.1, 4),
        }
    }
}

/// A mixture of two colours, with `parts` of `all` parts of the second.
fn mix(first: [u8; 3], second: [u8; 3], parts: u16, all: u16) -> [u8; 3] {
    std::array::from_fn(|c| ((u16::from(first[c]) * (all - parts) + u16::from(second[c]) * parts) / all) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Query, Searches};

    fn pixels(picture: &MapPicture) -> ([u32; 2], Vec<[u8; 3]>) {
        let mut file = vec![];
        picture.write(&mut file).unwrap();
        let mut reader = png::Decoder::new(io::Cursor::new(file)).read_info().unwrap();
        let mut found = vec![0; reader.output_buffer_size()];
        let info = reader.next_frame(&mut found).unwrap();
        ([info.width, info.height], found.as_chunks::<3>().0.to_vec())
    }

    #[test]
    fn every_cell_has_its_colour() {
        let map = Map::new(3, 2, vec![1, 0, 5, 1, 1, 100]).unwrap();
        let mut picture = MapPicture::new(&map).unwrap();
        let (size, plain) = pixels(&picture);
        assert_eq!(size, [48, 32]);
        let cell = |pixels: &[[u8; 3]], column: usize, row: usize| pixels[(16 * row + 3) * 48 + 16 * column + 5];
        assert_eq!([(0, 0), (1, 0), (2, 1)].map(|(x, y)| cell(&plain, x, y)), [FREE[0], BLOCKED, FREE[1]]);
        assert!(cell(&plain, 2, 0)[2] < FREE[0][2] && cell(&plain, 2, 0)[2] > FREE[1][2]);
        // From the south-west to its neighbour: both are on the path, and only the cell above is known besides.
        let query = Query { start: Cell { column: 0, row: 1 }, goal: Cell { column: 1, row: 1 } };
        let model = Searches::new(map.clone()).check().unwrap();
        picture.explored(&Explored::new(&model, &query).unwrap());
        let (_, seen) = pixels(&picture);
        assert_eq!(cell(&seen, 0, 1), mix(FREE[0], EXPANDED.0, EXPANDED.1, 4));
        assert_eq!(cell(&seen, 0, 0), mix(FREE[0], KNOWN.0, KNOWN.1, 4));
        picture.path([query.start, query.goal]);
        picture.path([Cell { column: 2, row: 0 }, Cell { column: 9, row: 9 }]);
        let (_, paths) = pixels(&picture);
        assert_eq!([(0, 1), (1, 1), (2, 0)].map(|(x, y)| cell(&paths, x, y)), [PATHS[0], PATHS[0], PATHS[1]]);
    }

    #[test]
    fn a_large_map_has_a_pixel_a_cell() {
        let map = Map::free(700, 3).unwrap();
        assert_eq!(pixels(&MapPicture::new(&map).unwrap()).0, [700, 3]);
    }
}
