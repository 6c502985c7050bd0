//! The cells of a simulator, and their numbers there.

use crate::distributed::Band;
use crate::log::Sender;
use crate::{CellError, Space, log::LogError};
use tickless_core::heap::Event;
use tickless_core::time::Time;

/// The cells of a simulator: its own cells are numbered from 0 on, and behind them come the cells that these hear. The simulator
/// reports here the events that others must know.
pub(crate) trait Area {
    /// The number of own cells.
    fn own(&self) -> u32;
    /// The number of own cells and of those that they hear.
    fn cells(&self) -> u32;
    /// Column, row and plane of a cell.
    fn place(&self, index: u32) -> [u32; 3];
    /// The cell at a place, which must be among these.
    fn index(&self, place: [u32; 3]) -> u32;
    /// The own cell at a place, if there is one.
    fn own_index(&self, place: [u32; 3]) -> Option<u32>;
    /// The number of a cell in the space.
    fn id(&self, index: u32) -> u32;

    /// An own cell sends.
    ///
    /// # Errors
    /// A log that is not written.
    fn sends(&mut self, cell: u32, now: Time, output: &[u32]) -> Result<(), CellError>;

    /// An own cell plans an event.
    fn plans(&mut self, event: Event);

    /// The band, where other ranks have other cells.
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
