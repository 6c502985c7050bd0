//! Spaces of four dimensions: their layers of planes lie one behind the other in a [`Space`] of three.
//!
//! A plane beyond those of a layer is a plane of another layer there. So a neighbour has two offsets where planes wrap, and
//! the plane of the cell says which one counts; where they do not wrap, it is no cell.

use super::cell_space::CellSpace;
use tickless_cells::{Border, FURTHEST, Space};

/// Coordinates of a cell: row, column, plane and layer. Coordinates that a file does not have are 0.
pub(super) const AXES: usize = 4;

/// The place of the cells of a file in its [`Space`].
#[derive(Clone, Debug, Default)]
pub(super) struct Layers {
    /// Planes of a layer.
    planes: u32,
    /// The ways to neighbours; empty with fewer than four dimensions, where neighbours are those of the space.
    ways: Vec<Way>,
}

/// The numbers of the offsets of a neighbour, if it is a cell there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// Planes from the cell.
    pub planes: i32,
    /// The offset where that is a plane of the layer.
    pub within: Option<usize>,
    /// The offset where it is not.
    pub beyond: Option<usize>,
}

/// A neighbour that is too far for a space, by its number in the file.
pub(super) struct TooFar(pub usize);

impl Layers {
    /// The layers of a space, and the offsets of its neighbours.
    pub fn new(cells: &CellSpace) -> Result<(Self, Vec<[i32; 3]>), TooFar> {
        let [.., planes, layers] = cells.size;
        let mut found = Self { planes, ways: vec![] };
        let others = cells.neighbours.iter().enumerate().filter(|(_, cell)| **cell != [0; AXES]);
        if cells.dimensions < AXES {
            let offsets = others.map(|(_, [row, column, plane, _])| [*column, *row, *plane]);
            return Ok((found, offsets.collect()));
        }
        let mut offsets: Vec<[i32; 3]> = vec![];
        let depth = i64::from(planes) * i64::from(layers);
        for (number, &[row, column, plane, layer]) in others {
            let mut way = |plane: i64| {
                let along = plane + i64::from(planes) * i64::from(layer);
                // All the way around to the cell itself.
                let along = if [row, column] == [0; 2] && along == 0 { depth } else { along };
                let along = i32::try_from(along).ok().filter(|along| along.unsigned_abs() <= FURTHEST.unsigned_abs());
                let offset = [column, row, along.ok_or(TooFar(number))?];
                let known = offsets.iter().position(|other| *other == offset);
                Ok(Some(known.unwrap_or_else(|| {
                    offsets.push(offset);
                    offsets.len() - 1
                })))
            };
            let (size, away) = (i64::from(planes), i64::from(plane));
            found.ways.push(match cells.border {
                Border::Open if away.abs() >= size => Way { planes: plane, within: None, beyond: None },
                Border::Open => Way { planes: plane, within: way(away)?, beyond: None },
                Border::Wrapped => {
                    let away = away.rem_euclid(size);
                    let beyond = if away == 0 { None } else { way(away - size)? };
                    Way { planes: away as i32, within: way(away)?, beyond }
                }
            });
        }
        Ok((found, offsets))
    }

    /// Row, column, plane and layer of a cell.
    pub fn place(&self, space: &Space, cell: u32) -> [u32; AXES] {
        let [x, y, z] = space.place(cell);
        [y, x, z % self.planes, z / self.planes]
    }

    /// The cell of a row, column, plane and layer.
    pub fn cell(&self, space: &Space, [row, column, plane, layer]: [u32; AXES]) -> u32 {
        space.cell([column, row, plane + self.planes * layer])
    }

    /// Planes of a layer.
    pub fn planes(&self) -> u32 {
        self.planes
    }

    /// The ways by which offsets are chosen; `None` where each neighbour has a single offset.
    pub fn ways(&self) -> Option<&[Way]> {
        (!self.ways.is_empty()).then_some(&*self.ways)
    }

    /// The number of the offset of a neighbour of a cell in a plane, if it is a cell.
    pub fn way(&self, n: usize, plane: u32) -> Option<usize> {
        let Some(way) = self.ways.get(n) else { return Some(n) };
        let is_within = (0..i64::from(self.planes)).contains(&(i64::from(plane) + i64::from(way.planes)));
        if is_within { way.within } else { way.beyond }
    }
}
