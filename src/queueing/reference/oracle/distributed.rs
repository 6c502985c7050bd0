//! The stations of a rank, and those of others, in exact time.

use super::events::{Event, Phase};
use super::{Collected, Oracle, Token};
use crate::checkpoint::OnTheWay;
use crate::messages::Announcement;
use crate::reference::border;
use crate::reference::later;
use tickless_core::ranks::{HeapPart, Mail};
use tickless_core::time::Time;

/// The entity of events that bring a token of another rank.
pub(super) const COMING: u32 = (1 << 29) - 1;

impl HeapPart for Oracle<'_> {
    fn lookahead(&self) -> Time {
        self.border.as_ref().map_or(Time::NEVER, |border| border.lookahead())
    }

    fn mail(&mut self) -> Option<&mut Mail> {
        self.border.as_mut().map(|border| &mut border.mail)
    }

    fn deliver(&mut self) {
        let Some(border) = &mut self.border else { return };
        let events = &mut self.events;
        border.deliver(|time, token| events.push(Event { time, phase: Phase::Arrival, entity: COMING, token }));
    }
}

impl Oracle<'_> {
    /// Where the token in service will go to another rank, that is told now.
    #[cold]
    pub(super) fn announce(&mut self, place: u32) {
        let (token, Some(border)) = (&self.tokens[place], &mut self.border) else { return };
        let edge = self.rules.edges[token.edge as usize];
        border.announce(Announcement {
            from: token.at,
            target: edge.target,
            visit: token.visit,
            entered: token.entered,
            departed: token.end,
            arrives: later(token.end, edge.delay),
        });
    }

    /// A token comes from another rank.
    pub(super) fn land(&mut self, place: u32, now: Time) {
        let Some(border) = &mut self.border else { return };
        let departed = border.lands(place);
        self.came(now, 1);
        // It was in the network at the end of the warm-up, and on its way here.
        self.present_before += u64::from(now >= self.model.warmup() && departed < self.model.warmup());
    }

    /// The tokens of other ranks that come at this instant, among the arrivals.
    pub(super) fn collect_landed(&mut self) {
        let Some(border) = &mut self.border else { return };
        for (number, Announcement { from, target, entered, .. }) in border.landed() {
            let place = self.tokens.put(Token::new(0, entered, target));
            let from = border::of_whole(from);
            self.collected.push(Collected { original: Time::ZERO, from, number, place });
        }
    }

    /// Tokens between stations, of other ranks too, that have departed before a time.
    pub(in super::super) fn on_their_way(&self, at: Time) -> Vec<OnTheWay> {
        let Some(border) = &self.border else { return vec![] };
        let own = self.transits().map(|event| {
            let token = &self.tokens[event.token];
            let (from, target) = (border::number(Some(border), event.entity), border.target(token.at));
            let &Token { entered, since: departed, visit, .. } = token;
            OnTheWay { from, target, arrival: event.time, entered, departed, visit }
        });
        own.chain(border.on_their_way(at)).collect()
    }
}
