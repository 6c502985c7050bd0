//! The cells of each rank of a space over ranks, and a rank's numbering of its own cells and those that it hears.

use std::ops::Range;

use super::messages::Words;
use crate::reference::Area;
use crate::{CellError, Space};
use tickless_core::heap::{Event, EventList};
use tickless_core::ranks::Mail;
use tickless_core::time::Time;

/// The cells of each rank: a band of layers, which are the planes, rows or columns across the longest side of the space.
///
/// ```
/// # use tickless_cells::facade as tickless;
/// use tickless::cells::{Bands, Border, Space};
/// let space = Space::new([40, 90, 2], Border::Open, vec![])?;
/// // 90 rows, in both planes.
/// assert_eq!(Bands::layers(&space), 90);
/// assert_eq!(Bands::even(&space, 4), Bands::of_sizes(&[23, 23, 22, 22]));
/// # Ok::<(), tickless::cells::SpaceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bands {
    sizes: Vec<u32>,
}

impl Bands {
    /// Bands of equal size, the first ones larger by a layer where layers do not divide evenly.
    pub fn even(space: &Space, ranks: u32) -> Self {
        let (layers, ranks) = (Self::layers(space), ranks.max(1));
        Self { sizes: (0..ranks).map(|rank| layers / ranks + u32::from(rank < layers % ranks)).collect() }
    }

    /// Bands with these numbers of layers.
    pub fn of_sizes(sizes: &[u32]) -> Self {
        Self { sizes: sizes.to_vec() }
    }

    /// The number of layers of a space.
    pub fn layers(space: &Space) -> u32 {
        space.size()[axis(space)]
    }

    pub(super) fn check(&self, space: &Space, ranks: u32) -> Result<(), CellError> {
        let all: u64 = self.sizes.iter().map(|size| u64::from(*size)).sum();
        let expected = Self::layers(space).into();
        if self.sizes.len() == ranks as usize && all == expected && !self.sizes.contains(&0) {
            return Ok(());
        }
        Err(CellError::Bands { bands: self.sizes.len() as u64, layers: all, ranks: ranks.into(), expected })
    }

    /// The rank of each layer.
    fn ranks(&self) -> Vec<u32> {
        (0..).zip(&self.sizes).flat_map(|(rank, size)| std::iter::repeat_n(rank, *size as usize)).collect()
    }
}

/// The axis of the longest side; of equal sides the last, whose layers are numbered one behind the other.
fn axis(space: &Space) -> usize {
    (0..3).max_by_key(|axis| space.size()[*axis]).unwrap_or(0)
}

/// A layer that this rank neither has nor hears.
const NOWHERE: u32 = u32::MAX;

/// The band of one rank: its own layers first, then the layers of others that its cells hear. Cells have places in it, layer by
/// layer.
#[derive(Debug)]
pub(crate) struct Band<'a> {
    space: &'a Space,
    axis: usize,
    /// Cells of a layer.
    width: u32,
    /// The place here of each layer of the space.
    here: Vec<u32>,
    /// The layer of the space at each place here.
    layers: Vec<u32>,
    own: u32,
    /// The ranks that hear each own layer.
    hearers: Vec<Vec<u32>>,
    /// The events of cells that other ranks hear; in fronts the cells of which others have yet to hear.
    pub(crate) border: EventList,
    /// Messages between ranks.
    pub(crate) mail: Mail,
    /// Outputs of own cells in this round, where rank 0 writes a log.
    pub(super) log: Option<Vec<u64>>,
    rank: u32,
    /// The bound of the round.
    pub(super) bound: Time,
    /// Whether cells have sent their outputs at the bound, and wait for the outputs of others.
    pub(super) waits: bool,
}

impl<'a> Band<'a> {
    /// The band of a rank, from checked bands.
    pub(crate) fn of(space: &'a Space, bands: &Bands, rank: u32) -> Self {
        let (axis, count, ranks) = (axis(space), bands.sizes.len() as u32, bands.ranks());
        let width = space.cells() / space.size()[axis];
        let mut along: Vec<i32> = space.offsets().iter().map(|offset| offset[axis]).collect();
        along.sort_unstable();
        along.dedup();
        let mut here = vec![NOWHERE; ranks.len()];
        let mut layers: Vec<u32> = (0..).zip(&ranks).filter(|(_, of)| **of == rank).map(|(layer, _)| layer).collect();
        let own = layers.len() as u32;
        (0..).zip(&layers).for_each(|(place, layer)| here[*layer as usize] = place);
        let (mut hearers, mut to, mut from) = (vec![], vec![], vec![]);
        for place in 0..own as usize {
            let layer = layers[place];
            let other = |offset: i32| {
                let other = space.along(axis, layer, offset).map(|layer| (layer, ranks[layer as usize]));
                other.filter(|(_, of)| *of != rank)
            };
            for (heard, of) in along.iter().filter_map(|offset| other(*offset)) {
                if here[heard as usize] == NOWHERE {
                    here[heard as usize] = layers.len() as u32;
                    layers.push(heard);
                }
                from.push(of);
            }
            let hear = each(along.iter().filter_map(|offset| other(-offset)).map(|(_, of)| of).collect());
            to.extend_from_slice(&hear);
            hearers.push(hear);
        }
        Self {
            space,
            axis,
            width,
            here,
            layers,
            own,
            hearers,
            border: EventList::new(),
            mail: Mail::new(count, each(to), each(from)),
            log: None,
            rank,
            bound: Time::ZERO,
            waits: false,
        }
    }

    /// The same with a log, which rank 0 writes.
    pub(super) fn logged(mut self) -> Self {
        let ranks = self.mail.ranks();
        let others = |own: &[u32], added: Range<u32>| each(own.iter().copied().chain(added).collect());
        let [to, from] = if self.rank == 0 { [0..0, 1..ranks] } else { [0..1, 0..0] };
        self.mail = Mail::new(ranks, others(self.mail.to(), to), others(self.mail.from(), from));
        self.log = Some(vec![]);
        self
    }

    /// Whether another rank hears any cell of this one.
    pub(crate) fn is_heard(&self) -> bool {
        self.hearers.iter().any(|ranks| !ranks.is_empty())
    }

    /// Tells the ranks that hear an own cell.
    pub(crate) fn tell(&mut self, index: u32, words: &[u64]) {
        for rank in &self.hearers[(index / self.width) as usize] {
            self.mail.send(*rank, words);
        }
    }

    /// The number of a cell within its layer.
    #[inline]
    fn within(&self, [x, y, z]: [u32; 3]) -> u32 {
        let [width, height, _] = self.space.size();
        match self.axis {
            0 => y + height * z,
            1 => x + width * z,
            _ => x + width * y,
        }
    }

    /// The place here of a cell by its number in the space; its layer is here.
    pub(crate) fn find(&self, cell: u32) -> u32 {
        self.index(self.space.place(cell))
    }
}

impl Area for Band<'_> {
    #[inline]
    fn own(&self) -> u32 {
        self.own * self.width
    }

    fn cells(&self) -> u32 {
        self.layers.len() as u32 * self.width
    }

    #[inline]
    fn place(&self, index: u32) -> [u32; 3] {
        let [width, height, _] = self.space.size();
        let (layer, within) = (self.layers[(index / self.width) as usize], index % self.width);
        match self.axis {
            0 => [layer, within % height, within / height],
            1 => [within % width, layer, within / width],
            _ => [within % width, within / width, layer],
        }
    }

    #[inline]
    fn index(&self, place: [u32; 3]) -> u32 {
        self.here[place[self.axis] as usize] * self.width + self.within(place)
    }

    #[inline]
    fn own_index(&self, place: [u32; 3]) -> Option<u32> {
        let layer = self.here[place[self.axis] as usize];
        (layer < self.own).then(|| layer * self.width + self.within(place))
    }

    #[inline]
    fn id(&self, index: u32) -> u32 {
        self.space.cell(self.place(index))
    }

    fn sends(&mut self, index: u32, now: Time, output: &[u32]) -> Result<(), CellError> {
        let is_heard = !self.hearers[(index / self.width) as usize].is_empty();
        if !is_heard && self.log.is_none() {
            return Ok(());
        }
        let cell = self.id(index);
        if is_heard && now < self.bound {
            return Err(CellError::Forestalled { cell, now, bound: self.bound });
        }
        let words = Words::of(cell, output);
        if is_heard {
            self.tell(index, words.as_slice());
        }
        if let Some(log) = &mut self.log {
            log.extend(words.logged(now));
        }
        Ok(())
    }

    fn plans(&mut self, event: Event) {
        if !self.hearers[(event.entity / self.width) as usize].is_empty() {
            self.border.push(event);
        }
    }

    fn band(&self) -> Option<&Band<'_>> {
        Some(self)
    }
}

/// Each rank once, in order.
fn each(mut ranks: Vec<u32>) -> Vec<u32> {
    ranks.sort_unstable();
    ranks.dedup();
    ranks
}

#[cfg(test)]
mod tests;
