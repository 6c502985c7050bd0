//! The stations of a rank, and those of others, in exact time.
//!
//! Another rank is told of a token that will come there as soon as it is known when: at a simple station where its service begins, else
//! where it leaves. An arrival has the number of where it comes from in the whole network, so that those of one instant have one order.

use super::events::{Event, Phase};
use super::{COMING, NOBODY, Oracle, Token};
use crate::checkpoint::OnTheWay;
use crate::messages::Announcement;
use crate::reference::border;
use crate::reference::later;
use tickless_core::ranks::{HeapPart, Mail};
use tickless_core::time::Time;

impl HeapPart for Oracle<'_> {
    fn lookahead(&self) -> Time {
        self.border.as_ref().map_or(Time::NEVER, |border| border.lookahead())
    }

    fn mail(&mut self) -> Option<&mut Mail> {
        self.border.as_mut().map(|border| &mut border.mail)
    }

    fn deliver(&mut self) {
        let Self { border: Some(border), events, tokens, .. } = self else { return };
        border.receive(|Announcement { from, target, class, visit, entered, departed, arrives }| {
            let token = Token::new(class, entered, target);
            let token = tokens.put(Token { arrival: COMING, number: visit, since: departed, ..token });
            events.push(Event { time: arrives, phase: Phase::Arrival, entity: from, token });
        });
    }
}

impl Oracle<'_> {
    /// The number in the whole network of a station, or behind the stations of a source.
    #[inline]
    pub(super) fn entity(&self, id: u32) -> u32 {
        border::number(self.border.as_ref(), id)
    }

    /// The source that has a number there.
    #[inline]
    pub(super) fn source_of(&self, entity: u32) -> u32 {
        self.border.as_ref().map_or(entity, |border| border.place(entity)) - self.stations.len() as u32
    }

    /// Where the token in service will go to another rank, that is told now.
    #[cold]
    pub(super) fn announce(&mut self, place: u32) {
        let (token, Some(border)) = (&self.tokens[place], &mut self.border) else { return };
        let edge = self.rules.edges[token.edge as usize];
        border.announce(Announcement {
            from: token.at,
            target: edge.target,
            class: edge.becomes,
            visit: token.visit,
            entered: token.entered,
            departed: token.end,
            arrives: later(token.end, edge.delay),
        });
    }

    /// A token leaves a station for another rank, where it arrives at this time.
    #[cold]
    pub(super) fn goes_abroad(&mut self, place: u32, from: u32, arrives: Time) {
        let (&Token { class, at: target, number: visit, entered, since: departed, .. }, Some(border)) =
            (self.tokens.take(place), &mut self.border)
        else {
            return;
        };
        border.announce(Announcement { from, target, class, visit, entered, departed, arrives });
        self.came(departed, -1);
    }

    /// A token comes from another rank.
    #[cold]
    pub(super) fn land(&mut self, place: u32, now: Time) {
        let departed = self.tokens[place].since;
        self.came(now, 1);
        // It was in the network at the end of the warm-up, and on its way here.
        self.present_before += u64::from(now >= self.model.warmup() && departed < self.model.warmup());
    }

    /// Tokens of other ranks that have departed before a time and not come.
    pub(super) fn coming(&self, at: Time) -> impl Iterator<Item = &Token> {
        let is_coming = move |token: &&Token| token.arrival == COMING && token.since < at;
        self.border.iter().flat_map(|_| self.tokens.used()).filter(is_coming)
    }

    /// Tokens between stations, of other ranks too, that have departed before a time.
    pub(in super::super) fn on_their_way(&self, at: Time) -> Vec<OnTheWay> {
        let Some(border) = &self.border else { return vec![] };
        let on_its_way = |event: Event| {
            let token = &self.tokens[event.token];
            let &Token { entered, since: departed, .. } = token;
            let visit = if token.arrival == COMING { token.number } else { token.visit };
            let target = border.target(token.at);
            OnTheWay { from: event.entity, target, arrival: event.time, entered, departed, visit }
        };
        let is_there = |event: &Event| event.phase == Phase::Arrival && event.token != NOBODY;
        let has_left = |event: &Event| self.tokens[event.token].since < at;
        let arrivals = self.events.iter().filter(is_there);
        arrivals.filter(has_left).map(on_its_way).collect()
    }
}
