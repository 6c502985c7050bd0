//! Tokens that stand in lists at stations, those that hold a server without room where they go, and what those were served that share
//! one.

use std::ops::Range;

use super::layout::Kind;
use super::outcome::{Reading, Words};
use super::records::{CLASS, LIST_WORDS, NONE, STATION_WORDS};
use crate::queueing::multiclass::{Order, rank};
use crate::time::Time;

/// Bits of the clock of those that share servers below a tick.
pub(super) const BELOW: u32 = 32;

impl Reading<'_> {
    fn station_at(&self, id: u32) -> u32 {
        self.layout.record(Kind::Station, id)
    }

    pub(super) fn token_at(&self, place: u32) -> u32 {
        self.layout.record(Kind::Token, place)
    }

    /// The tokens in the line of a station, list by list: those that wait, or all where all share the servers. And those that wait outside
    /// it.
    pub(super) fn listed(&self, all: &Words<'_>, number: usize, id: u32) -> [Vec<u32>; 2] {
        let p = &self.layout.parameters;
        [0..p.level_count, p.level_count..p.list_count].map(|lists| self.in_lists(all, (number, id), lists))
    }

    fn in_lists(&self, all: &Words<'_>, (number, id): (usize, u32), lists: Range<u32>) -> Vec<u32> {
        let mut places = vec![];
        for level in lists {
            let [mut place, _] = all.pair(number, self.station_at(id) + STATION_WORDS + LIST_WORDS * level);
            while place != NONE {
                places.push(place);
                [_, place] = all.pair(number, self.token_at(place));
            }
        }
        places
    }

    /// The tokens of a station that have no room where they go, in the order of service.
    pub(super) fn blocked(&self, all: &Words<'_>, number: usize, id: u32) -> Vec<u32> {
        let mut places = vec![];
        if !self.layout.features.blocking {
            return places;
        }
        let [mut place, _] = all.pair(number, self.station_at(id) + self.layout.parameters.holding + 2);
        while place != NONE {
            places.push(place);
            [_, place] = all.pair(number, self.token_at(place) + 7);
        }
        let order = self.rules.stations[id as usize].order;
        places.sort_by_key(|place| {
            let token = self.token_at(*place);
            let [about, _] = all.pair(number, token + 1);
            let [arrival, _] = all.pair(number, token + 6);
            let level = self.rules.levels[(about & CLASS) as usize];
            rank(order, level, arrival.into(), Time::from_ticks(all.at(number, token + 5)))
        });
        places
    }

    /// Whether all tokens of a station share its servers.
    pub(super) fn is_shared(&self, id: u32) -> bool {
        self.rules.stations[id as usize].order == Order::Sharing
    }

    /// What the tokens of a station that share its servers have been served since the end of the warm-up, in ticks with 32 bits below.
    pub(super) fn served(&self, all: &Words<'_>, number: usize, (id, places): (u32, &[u32])) -> Vec<u128> {
        let at = |word: u32| all.at(number, self.station_at(id) + self.layout.parameters.sharing + word);
        let [clock_upper, counting_upper] = all.pair(number, self.station_at(id) + self.layout.parameters.sharing + 3);
        let whole = |upper: u32, low: u64| u128::from(upper) << 64 | u128::from(low);
        let (since, warmup, now) = (at(1), self.model.warmup().ticks(), self.clock.ticks());
        let gain = |ticks: u64| {
            let tokens = places.len() as u128;
            let servers = u128::from(self.model.servers(id)).min(tokens);
            ((u128::from(ticks) << BELOW) * servers).checked_div(tokens).unwrap_or(0)
        };
        let clock = whole(clock_upper, at(0)) + gain(now - since);
        let begin = match since < warmup {
            true => clock - gain(now.saturating_sub(warmup)),
            false => whole(counting_upper, at(2)),
        };
        let served = |place: &u32| {
            let token = self.token_at(*place);
            let end = whole(all.at(number, token + 9) as u32, all.at(number, token + 8));
            clock - begin.max(end - (u128::from(all.at(number, token + 5)) << BELOW))
        };
        places.iter().map(served).collect()
    }
}
