//! The stations of a rank, and those of others, in exact time.

use super::{Arrival, Left, Simulation, Token};
use crate::checkpoint::{OfRank, OnTheWay};
use crate::post::Announcement;
use crate::reference::border::{self, COMING};
use tickless_core::heap::Event;
use tickless_core::random::StreamKey;
use tickless_core::ranks::{HeapPart, Mail};
use tickless_core::time::Time;

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
            let Announcement { from, target, .. } = coming;
            self.arriving.push(Arrival { from, number, target, token, left: Left::default() });
        }
    }

    /// Takes over what there is of this rank at a checkpoint.
    pub(in super::super) fn go_on_from_own(&mut self, own: &OfRank, key: StreamKey) {
        self.go_on_from(&own.state, own.numbered_transits(), key);
        if let Some(border) = &mut self.border {
            border.take_over(&own.coming);
        }
        self.deliver();
    }

    /// Tokens between stations, of other ranks too, that have departed before a time.
    pub(in super::super) fn on_their_way(&self, at: Time) -> Vec<OnTheWay> {
        let Some(border) = &self.border else { return vec![] };
        let own =
            self.transits.used().map(|&Arrival { from, target, token, left: Left { departed, visit }, .. }| {
                let (from, target) = (border::number(Some(border), from), border.target(target));
                OnTheWay { from, target, arrival: token.original, entered: token.entered, departed, visit }
            });
        own.chain(border.on_their_way(at)).collect()
    }
}
