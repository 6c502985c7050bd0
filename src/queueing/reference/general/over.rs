//! The stations of a rank, and those of others, in exact time.

use super::{Arrival, Simulation, Token};
use crate::heap::Event;
use crate::queueing::reference::border::COMING;
use crate::ranks::{HeapPart, Mail};
use crate::time::Time;

impl HeapPart for Simulation<'_> {
    fn lookahead(&self) -> Time {
        self.border.as_ref().map_or(Time::NEVER, |border| border.lookahead())
    }

    fn mail(&mut self) -> Option<&mut Mail> {
        self.border.as_mut().map(|border| &mut border.mail)
    }

    fn deliver(&mut self) {
        let Some(border) = &mut self.border else { return };
        let events = &mut self.events;
        border.deliver(|time, payload| events.push(Event { time, entity: COMING, payload }));
    }
}

impl Simulation<'_> {
    /// A token comes from another rank.
    pub(super) fn land(&mut self, place: u32, now: Time) {
        let Some(border) = &mut self.border else { return };
        let departed = border.lands(place);
        self.transits_ended += 1;
        self.came(now, 1);
        // It was in the network at the end of the warm-up, and on its way here.
        self.present_before += u64::from(self.counted(now) && departed < self.model.warmup());
    }

    /// The tokens of other ranks that come at this instant, among the arrivals.
    pub(super) fn number_landed(&mut self) {
        let Some(border) = &mut self.border else { return };
        for (number, coming) in border.landed() {
            let token = Token::new(coming.entered, coming.arrives);
            self.arriving.push(Arrival { from: coming.from, number, target: coming.target, token });
        }
    }
}
