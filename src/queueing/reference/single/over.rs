//! Single servers of a rank, and those of others.

use super::{COMES, Singles, end_of};
use crate::heap::Word;
use crate::ranks::{HeapPart, Mail};
use crate::time::Time;

impl<W: Word> HeapPart for Singles<'_, W> {
    fn lookahead(&self) -> Time {
        self.border.as_ref().map_or(Time::NEVER, |border| border.lookahead())
    }

    fn mail(&mut self) -> Option<&mut Mail> {
        self.border.as_mut().map(|border| &mut border.mail)
    }

    fn deliver(&mut self) {
        let Some(border) = &mut self.border else { return };
        let arrivals = &mut self.ends_of_transits;
        border.deliver(|time, place| arrivals.push(end_of(time, place) | COMES));
        self.schedule_transits();
    }
}
