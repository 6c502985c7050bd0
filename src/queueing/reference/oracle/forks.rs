//! Fork and join: a token splits into copies, and siblings wait for each other.

use super::visits::Stay;
use super::{NOBODY, Oracle, Token};
use crate::QueueingError;
use crate::describe::{Routing, number_of};
use serde::{Deserialize, Serialize};
use tickless_core::time::Time;

/// The copies that a token has split into.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Siblings {
    /// The siblings of the token that has split.
    of: u32,
    /// How many are in the network.
    left: u32,
    /// How many of these wait at a join.
    waiting: u32,
    /// Where the last of those that wait does; and whether others wait elsewhere.
    at: u32,
    apart: bool,
}

impl Oracle<'_> {
    /// Makes the copies of a token that splits at a station, where it does: the token itself takes the first route, or as many as are drawn
    /// take its own.
    pub(super) fn fork(&mut self, place: u32, now: Time) {
        let token = self.tokens[place];
        let rules = &self.rules.stations[token.at as usize];
        let (mut edge, step, left) = if !rules.splits.is_empty() {
            let draw = self.stations[token.at as usize].stream.draw();
            (token.edge, 0, number_of(&rules.splits, draw) as u32)
        } else if rules.routing == Routing::Fork {
            let visit = self.rules.visit(token.at, token.class);
            (visit.first + 1, 1, visit.end - visit.first)
        } else {
            return;
        };
        // Nobody asks for siblings that are not joined, and a token alone has none.
        let siblings = if !self.rules.joining.is_empty() && (left > 1 || token.siblings != NOBODY) {
            self.siblings.put(Siblings { of: token.siblings, left, waiting: 0, at: 0, apart: false })
        } else {
            token.siblings
        };
        self.tokens[place].siblings = siblings;
        self.forks.copies += self.counted(now) * u64::from(left - 1);
        for _ in 1..left {
            let way = self.rules.edges[edge as usize];
            let copy = self.tokens.put(Token { siblings, class: way.becomes, expected: false, ..token });
            self.numbers(way.becomes, now, 1);
            self.came(now, 1);
            self.copies.push((copy, way.target, way.delay));
            edge += step;
        }
    }

    /// The copies go their ways, behind the token.
    pub(super) fn send_copies(&mut self, now: Time) {
        for (copy, target, delay) in std::mem::take(&mut self.copies) {
            self.travel(copy, (target, delay), now);
        }
    }

    /// A token comes to a station; whether it goes on there: siblings wait for the last one where they are joined.
    pub(super) fn is_joined(&mut self, place: u32, now: Time) -> bool {
        let token = &self.tokens[place];
        if token.siblings == NOBODY || !self.rules.stations[token.at as usize].joins {
            return true;
        }
        let number = token.siblings;
        let token_at = token.at;
        let siblings = &mut self.siblings[number];
        siblings.apart |= siblings.waiting > 0 && siblings.at != token.at;
        siblings.waiting += 1;
        siblings.at = token.at;
        let is_last = siblings.waiting == siblings.left;
        self.stations[token_at as usize].together.entry(number).or_default().push(place);
        self.stays_aside(place, now);
        if is_last {
            self.join_siblings(number, now);
        }
        false
    }

    /// A token waits for others: it is at the station, and has not joined the line.
    pub(super) fn stays_aside(&mut self, place: u32, now: Time) {
        self.begins_to_wait(place);
        let token = &mut self.tokens[place];
        let (id, class) = (token.at, token.class);
        let station = &mut self.stations[id as usize];
        self.squares = self.squares.wrapping_add(2 * station.present() + 1);
        station.accounts[token.class as usize].accounts.enters(now);
        station.aside += 1;
        (token.arrived, token.expected) = (now, false);
        self.stays(place, (id, class), now, Stay::Comes);
        self.keep_pace(id, now);
    }

    /// All siblings that are left wait, so they are one again: the one that came last goes on.
    fn join_siblings(&mut self, siblings: u32, now: Time) {
        let Siblings { of, left, at, apart, .. } = self.siblings[siblings];
        if apart {
            return self.fail_apart(siblings, now);
        }
        let Some(mut places) = self.stations[at as usize].together.remove(&siblings) else { return };
        self.siblings.take(siblings);
        self.forks.joined += self.counted(now) * u64::from(left - 1);
        let Some(last) = places.pop() else { return };
        places.iter().chain([&last]).for_each(|place| self.stands_aside_no_longer(*place, *place == last, now));
        for place in places {
            self.units.pass(place, last, now);
            let class = self.forget(place, now).class;
            self.numbers(class, now, -1);
            self.came(now, -1);
        }
        let token = &mut self.tokens[last];
        let id = token.at;
        token.siblings = of;
        self.keep_pace(id, now);
        // It may have siblings of the token that split before.
        if self.is_joined(last, now) {
            self.admit(last, now);
        }
        self.admit_held(id, now);
        self.looks_again(id);
    }

    /// Siblings wait for each other at different stations, and for ever.
    #[cold]
    fn fail_apart(&mut self, siblings: u32, now: Time) {
        let waits = |id: &&u32| self.stations[**id as usize].together.contains_key(&siblings);
        let mut names = self.rules.joining.iter().filter(waits).map(|id| self.model.station_name(*id).into_owned());
        let [one, other] = [names.next(), names.next()].map(Option::unwrap_or_default);
        self.fail(QueueingError::Apart { clock: now.units(), one, other });
    }

    /// A token has left the network without its siblings, who wait for it no longer.
    pub(super) fn leaves_siblings(&mut self, siblings: u32, now: Time) {
        if siblings == NOBODY {
            return;
        }
        let record = &mut self.siblings[siblings];
        record.left -= 1;
        let Siblings { of, left, waiting, .. } = *record;
        if left == 0 {
            self.siblings.take(siblings);
            self.leaves_siblings(of, now);
        } else if left == waiting {
            self.join_siblings(siblings, now);
        }
    }
}
