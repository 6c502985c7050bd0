//! Tokens that stand in lists at stations, and those that hold a server without room where they go.

use std::ops::Range;

use super::layout::Kind;
use super::outcome::{Reading, Words};
use super::records::{CLASS, LIST_WORDS, NONE, STATION_WORDS};
use crate::multiclass::rank;
use tickless_core::time::Time;

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
        let first = |level: u32| all.pair(number, self.station_at(id) + STATION_WORDS + LIST_WORDS * level)[0];
        lists.flat_map(|level| self.linked(all, number, first(level))).collect()
    }

    /// A token, and those behind it.
    pub(super) fn linked(&self, all: &Words<'_>, number: usize, first: u32) -> Vec<u32> {
        let next = |place: &u32| Some(all.pair(number, self.token_at(*place))[1]).filter(|place| *place != NONE);
        std::iter::successors(Some(first).filter(|place| *place != NONE), next).collect()
    }

    pub(super) fn class_of(&self, all: &Words<'_>, number: usize, place: u32) -> usize {
        (all.pair(number, self.token_at(place) + 1)[0] & CLASS) as usize
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
}
