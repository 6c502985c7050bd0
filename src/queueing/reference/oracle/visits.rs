//! Visits as they are recorded, one after the other.

use super::units::Units;
use super::{NOBODY, Oracle};
use crate::model::Rules;
use crate::{Left, Visit};
use tickless_core::time::Time;

/// A token that has not been anywhere.
const NEW: u64 = u64::MAX;

/// Who takes visits that have ended.
pub(in super::super) type TakeVisit<'a> = Box<dyn FnMut(&Visit) + 'a>;

/// Visits under way.
pub(super) struct Visits<'a> {
    take: TakeVisit<'a>,
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

impl<'a> Visits<'a> {
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
            (self.take)(&Visit { departure: Some(now), left, to, ..visit });
        }
    }

    /// A token is no more, and another one may have its place.
    pub(super) fn forget(&mut self, place: u32) {
        if let Some(number) = self.numbers.get_mut(place as usize) {
            *number = NEW;
        }
    }

    /// Passes on the visits of those that are there at the end.
    pub(super) fn finish(mut self) {
        let mut left: Vec<Visit> = self.open.into_iter().flatten().collect();
        left.sort_unstable_by_key(|visit| visit.token);
        left.iter().for_each(|visit| (self.take)(visit));
    }
}

impl<'a> Oracle<'a> {
    /// Records visits from now on.
    pub(in super::super) fn record(&mut self, take: TakeVisit<'a>) {
        (self.notes, self.times) = (true, true);
        self.visits = Some(Visits { take, next: 0, open: vec![], numbers: vec![] });
    }

    /// Passes on the visits that are under way.
    pub(in super::super) fn finish_visits(&mut self) {
        self.visits.take().into_iter().for_each(Visits::finish);
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
