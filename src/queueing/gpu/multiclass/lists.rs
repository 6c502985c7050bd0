//! Tokens that stand in lists at stations, and those that hold a server without room where they go.

use std::ops::Range;

use super::layout::{Kind, station_words};
use super::outcome::{Reading, Words};
use super::records::{CLASS, COUNTED, LIST_WORDS, NONE, PACKED_COUNTED, PACKED_LAST, PACKED_NEVER};
use super::rows::{HeldLinks, HeldToken, Line, Links, Packed, Service, Times};
use crate::model::rank;
use tickless_core::time::Time;

impl Reading<'_> {
    fn station_at(&self, id: u32) -> u32 {
        self.layout.record(Kind::Station, id)
    }

    pub(super) fn token_at(&self, place: u32) -> u32 {
        self.layout.record(Kind::Token, place)
    }

    /// The tokens in the line of a station, list by list: those that wait, or all where all share the servers. And the tokens that wait
    /// outside the line.
    pub(super) fn listed(&self, all: &Words<'_>, number: usize, id: u32) -> [Vec<u32>; 2] {
        let p = &self.layout.parameters;
        [0..p.level_count, p.level_count..p.list_count].map(|lists| self.in_lists(all, (number, id), lists))
    }

    fn in_lists(&self, all: &Words<'_>, (number, id): (usize, u32), lists: Range<u32>) -> Vec<u32> {
        let first = self.station_at(id) + station_words(self.layout.features);
        let line = |level: u32| -> Line { all.row(number, first + LIST_WORDS * level) };
        let tokens = |Line { first, last, .. }: Line| match self.layout.packed {
            // Behind the last token is a place without one.
            true => self.behind(all, number, first).take_while(|place| *place != last).collect(),
            false => self.linked(all, number, first),
        };
        lists.flat_map(|level| tokens(line(level))).collect()
    }

    /// A token, and the tokens behind it.
    pub(super) fn linked(&self, all: &Words<'_>, number: usize, first: u32) -> Vec<u32> {
        self.behind(all, number, first).collect()
    }

    /// A place, and the places behind it.
    fn behind(&self, all: &Words<'_>, number: usize, first: u32) -> impl Iterator<Item = u32> {
        let there = |place: u32| Some(place).filter(|place| *place != NONE);
        std::iter::successors(there(first), move |place| there(self.links(all, number, *place).behind))
    }

    pub(super) fn links(&self, all: &Words<'_>, number: usize, place: u32) -> Links {
        let first = self.token_at(place);
        if !self.layout.packed {
            return all.row(number, first);
        }
        let Packed { links, .. } = all.row(number, first);
        let counted = if links & PACKED_COUNTED == 0 { 0 } else { COUNTED };
        let behind = if links >> 8 == PACKED_LAST { NONE } else { links >> 8 };
        Links { before: NONE, behind, about: links & (PACKED_COUNTED - 1) | counted, edge: NONE }
    }

    pub(super) fn times(&self, all: &Words<'_>, number: usize, place: u32) -> Times {
        let first = self.token_at(place);
        if !self.layout.packed {
            return all.row(number, first);
        }
        let Packed { arrived, upper, entered, .. } = all.row(number, first);
        let wide = |low: u32, upper: u32| u64::from(upper) << 32 | u64::from(low);
        let entered_upper = if upper >> 16 == PACKED_NEVER { u32::MAX } else { upper >> 16 };
        Times { arrived: wide(arrived, upper & PACKED_NEVER), entered: wide(entered, entered_upper) }
    }

    pub(super) fn class_of(&self, all: &Words<'_>, number: usize, place: u32) -> usize {
        (self.links(all, number, place).about & CLASS) as usize
    }

    /// The tokens of a station that have no room at their target, in the order of service.
    pub(super) fn blocked(&self, all: &Words<'_>, number: usize, id: u32) -> Vec<u32> {
        let mut places = vec![];
        if !self.layout.features.blocking {
            return places;
        }
        let HeldLinks { last: mut place, .. } = all.row(number, self.station_at(id) + self.layout.parameters.holding);
        while place != NONE {
            places.push(place);
            HeldToken { next: place, .. } = all.row(number, self.token_at(place));
        }
        let order = self.rules.stations[id as usize].order;
        places.sort_by_key(|place| {
            let level = self.rules.levels[self.class_of(all, number, *place)];
            let HeldToken { arrival, .. } = all.row(number, self.token_at(*place));
            let Service { service, .. } = all.row(number, self.token_at(*place));
            rank(order, level, arrival.into(), Time::from_ticks(service))
        });
        places
    }
}
