//! Which cells a simulator has, and how it numbers them.

use crate::distributed::Band;
use crate::log::Sender;
use crate::{CellError, Space, log::LogError};
use tickless_core::heap::Event;
use tickless_core::time::Time;

/// The cells of a simulator: its own are numbered from 0 on, and behind them come those that these hear. What happens to them is
/// told here to whoever else must know.
pub(crate) trait Area {
    /// How many there are of its own.
    fn own(&self) -> u32;
    /// The same with those that they hear.
    fn cells(&self) -> u32;
    /// Column, row and plane of one of them.
    fn place(&self, index: u32) -> [u32; 3];
    /// Which of them is at a place, where one is.
    fn index(&self, place: [u32; 3]) -> u32;
    /// The own one at a place.
    fn own_index(&self, place: [u32; 3]) -> Option<u32>;
    /// The number of one of them in the space.
    fn id(&self, index: u32) -> u32;

    /// An own cell sends.
    ///
    /// # Errors
    /// A log that is not written.
    fn sends(&mut self, cell: u32, now: Time, output: &[u32]) -> Result<(), CellError>;

    /// An own cell plans an event.
    fn plans(&mut self, event: Event);

    /// The band that it is, where other ranks have other cells.
    fn band(&self) -> Option<&Band<'_>> {
        None
    }
}

/// All cells of the space.
pub(crate) struct Whole<'a> {
    pub(crate) space: &'a Space,
    pub(crate) log: Option<Sender<'a>>,
}

impl Area for Whole<'_> {
    fn own(&self) -> u32 {
        self.space.cells()
    }

    fn cells(&self) -> u32 {
        self.space.cells()
    }

    #[inline]
    fn place(&self, index: u32) -> [u32; 3] {
        self.space.place(index)
    }

    #[inline]
    fn index(&self, place: [u32; 3]) -> u32 {
        self.space.cell(place)
    }

    #[inline]
    fn own_index(&self, place: [u32; 3]) -> Option<u32> {
        Some(self.space.cell(place))
    }

    #[inline]
    fn id(&self, index: u32) -> u32 {
        index
    }

    #[inline]
    fn sends(&mut self, cell: u32, now: Time, output: &[u32]) -> Result<(), CellError> {
        let Some(log) = &mut self.log else { return Ok(()) };
        Ok(log.push(cell, now, output).map_err(LogError::Write)?)
    }

    #[inline]
    fn plans(&mut self, _: Event) {}
}
