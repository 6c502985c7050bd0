//! Tokens that stand in lists at stations, and those that hold a server without room where they go.

use std::ops::Range;

use super::layout::{Kind, station_words};
use super::outcome::{Reading, Words};
use super::records::{CLASS, LIST_WORDS, NONE};
use super::rows::{HeldLinks, HeldToken, Line, Links, Service};
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
        lists.flat_map(|level| self.linked(all, number, line(level).first)).collect()
    }

    /// A token, and the tokens behind it.
    pub(super) fn linked(&self, all: &Words<'_>, number: usize, first: u32) -> Vec<u32> {
        let is_there = |place: &u32| *place != NONE;
        let next = |place: &u32| Some(self.links(all, number, *place).behind).filter(is_there);
        std::iter::successors(Some(first).filter(is_there), next).collect()
    }

    pub(super) fn links(&self, all: &Words<'_>, number: usize, place: u32) -> Links {
        all.row(number, self.token_at(place))
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
