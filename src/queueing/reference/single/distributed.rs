//! Single servers of a rank, and their tokens from other ranks.

use super::{Arrival, COMES, Singles, border, end_of};
use crate::checkpoint::OnTheWay;
use tickless_core::heap::Word;
use tickless_core::ranks::{HeapPart, Mail, windows};
use tickless_core::time::Time;

impl<W: Word> HeapPart for Singles<'_, W> {
    fn lookahead(&self) -> Time {
        self.border.as_ref().map_or(Time::NEVER, |border| border.lookahead())
    }

    fn promise(&mut self, next: Time) -> Time {
        let by_lookahead = windows::ahead(next, self.lookahead());
        if self.outlooks.is_empty() { by_lookahead } else { self.by_outlooks(next).max(by_lookahead) }
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

impl<W: Word> Singles<'_, W> {
    /// Tokens between stations, from other ranks too, that have departed before a time. A single server ends its visits in their
    /// order, so that their times are not needed.
    pub(in super::super) fn on_their_way(&self, at: Time) -> Vec<OnTheWay> {
        let Some(border) = &self.border else { return vec![] };
        let own = self.own_transits().map(|(arrival, Arrival { from, target, number, entered })| {
            let (from, target) = (border::number(Some(border), from), border.target(target));
            OnTheWay { from, target, arrival, entered, departed: Time::ZERO, visit: number }
        });
        own.chain(border.on_their_way(at)).collect()
    }
}
