//! Visits as they are recorded, one after the other.

use super::units::Units;
use super::{NOBODY, Oracle};
use crate::model::Rules;
use crate::{Left, Visit};
use tickless_core::time::Time;

/// A token that has not been anywhere.
const NEW: u64 = u64::MAX;

/// Visits under way, and those that have ended at the present instant.
pub(super) struct Visits {
    ended: Vec<Visit>,
    /// The number of the next token.
    next: u64,
    /// By the place of the token.
    open: Vec<Option<Visit>>,
    numbers: Vec<u64>,
}

/// What becomes of a token at a station.
#[derive(Clone, Copy)]
pub(super) enum Stay {
    Comes,
    Goes(Left, u32),
}

impl Visits {
    fn number(&mut self, place: u32) -> u64 {
        let place = place as usize;
        if self.numbers.len() <= place {
            self.numbers.resize(place + 1, NEW);
            self.open.resize(place + 1, None);
        }
        if self.numbers[place] == NEW {
            self.numbers[place] = self.next;
            self.next += 1;
        }
        self.numbers[place]
    }

    fn under_way(&mut self, place: u32) -> Option<&mut Visit> {
        self.open.get_mut(place as usize)?.as_mut()
    }

    fn comes(&mut self, place: u32, (station, class): (u32, u32), now: Time) {
        let (token, left) = (self.number(place), Left::Present);
        let (start, end, departure, to, held) = (None, None, None, None, None);
        self.open[place as usize] =
            Some(Visit { token, class, station, arrival: now, start, end, departure, left, to, held });
    }

    pub(super) fn starts(&mut self, place: u32, now: Time, units: &Units) {
        if let Some(visit) = self.under_way(place).filter(|visit| visit.start.is_none()) {
            (visit.start, visit.held) = (Some(now), units.held_by(place));
        }
    }

    fn ends(&mut self, place: u32, now: Time) {
        if let Some(visit) = self.under_way(place) {
            visit.end = Some(now);
        }
    }

    fn goes(&mut self, place: u32, now: Time, (left, to): (Left, u32)) {
        if let Some(visit) = self.open.get_mut(place as usize).and_then(Option::take) {
            let to = Some(to).filter(|to| *to != Rules::LOST && *to != NOBODY);
            self.ended.push(Visit { departure: Some(now), left, to, ..visit });
        }
    }

    /// A token is no more, and another one may have its place.
    pub(super) fn forget(&mut self, place: u32) {
        if let Some(number) = self.numbers.get_mut(place as usize) {
            *number = NEW;
        }
    }

    /// The visits that have ended, and those of tokens that are there at the end.
    fn left(self) -> Vec<Visit> {
        let mut open: Vec<Visit> = self.open.into_iter().flatten().collect();
        open.sort_unstable_by_key(|visit| visit.token);
        self.ended.into_iter().chain(open).collect()
    }
}

impl Oracle<'_> {
    /// Records visits from now on.
    pub(in super::super) fn record(&mut self) {
        (self.notes, self.times) = (true, true);
        self.visits = Some(Visits { ended: vec![], next: 0, open: vec![], numbers: vec![] });
    }

    /// Takes out the visits that have ended.
    pub(in super::super) fn ended_visits(&mut self) -> impl Iterator<Item = Visit> + '_ {
        self.visits.iter_mut().flat_map(|visits| visits.ended.drain(..))
    }

    /// All visits that are left; none is recorded any longer.
    pub(in super::super) fn finish_visits(&mut self) -> Vec<Visit> {
        self.visits.take().map(Visits::left).unwrap_or_default()
    }

    /// A token does not stay where it has come.
    #[inline]
    pub(super) fn turns_away(&mut self, place: u32, now: Time, left: (Left, u32)) {
        if let Some(visits) = &mut self.visits {
            let token = &self.tokens[place];
            visits.comes(place, (token.at, token.class), now);
            visits.goes(place, now, left);
        }
    }

    /// A service has ended.
    #[inline]
    pub(super) fn notes_end(&mut self, place: u32, now: Time) {
        if let Some(visits) = &mut self.visits {
            visits.ends(place, now);
        }
    }

    pub(super) fn notes_visit(&mut self, place: u32, at: (u32, u32), now: Time, stay: Stay) {
        let Some(visits) = &mut self.visits else { return };
        match stay {
            Stay::Comes => visits.comes(place, at, now),
            Stay::Goes(left, to) => visits.goes(place, now, (left, to)),
        }
    }
}
