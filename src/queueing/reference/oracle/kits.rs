//! Kits: tokens of several classes stand aside at a station until they can be put together.

use super::visits::Stay;
use super::{NOBODY, Oracle, Token, span};
use crate::Left;
use crate::model::Rules;
use tickless_core::time::Time;

impl Oracle<'_> {
    /// Whether a token that comes to a station joins it now: it waits neither for siblings nor for a kit.
    #[inline]
    pub(super) fn goes_on_at_once(&mut self, place: u32, now: Time) -> bool {
        let is_joined = self.tokens[place].siblings == NOBODY || self.is_joined(place, now);
        is_joined && !(self.has_kits && self.waits_for_kit(place, now))
    }

    /// Whether a token that comes to a station is a part of a kit, and stands aside until the kit is complete.
    pub(super) fn waits_for_kit(&mut self, place: u32, now: Time) -> bool {
        let rules = self.rules;
        let (id, class) = (self.tokens[place].at, self.tokens[place].class);
        let kit = &rules.stations[id as usize].kit;
        let Some(part) = kit.iter().position(|part| part.class == class) else { return false };
        self.stays_aside(place, now);
        let shelves = &mut self.stations[id as usize].shelves;
        shelves.resize_with(kit.len(), Default::default);
        shelves[part].push_back(place);
        if kit.iter().zip(shelves).all(|(part, shelf)| shelf.len() >= part.tokens as usize) {
            self.makes_kit(id, now);
        }
        true
    }

    /// A kit is complete: the token of the first part that came first goes on, with the units of the others.
    fn makes_kit(&mut self, id: u32, now: Time) {
        let rules = self.rules;
        let mut tokens = vec![];
        for (part, shelf) in rules.stations[id as usize].kit.iter().zip(&mut self.stations[id as usize].shelves) {
            tokens.extend(shelf.drain(..part.tokens as usize));
        }
        let Some(first) = tokens.first().copied() else { return };
        self.forks.joined += self.counted(now) * (tokens.len() as u64 - 1);
        tokens.iter().for_each(|place| self.stands_aside_no_longer(*place, *place == first, now));
        for place in tokens.into_iter().skip(1) {
            self.units.pass(place, first, now);
            let &Token { class, siblings, .. } = self.forget(place, now);
            self.numbers(class, now, -1);
            self.came(now, -1);
            self.leaves_siblings(siblings, now);
        }
        self.keep_pace(id, now);
        self.admit(first, now);
        self.admit_held(id, now);
        self.looks_again(id);
    }

    /// A token has waited for others, and goes on, or is gone.
    pub(super) fn stands_aside_no_longer(&mut self, place: u32, goes_on: bool, now: Time) {
        let token = self.tokens[place];
        let station = &mut self.stations[token.at as usize];
        station.aside -= 1;
        let (counted, since) = (u64::from(now >= self.model.warmup()), token.arrived.max(self.model.warmup()));
        let accounts = &mut station.accounts[token.class as usize];
        accounts.accounts.gives_up(now);
        accounts.joining += u128::from(now.ticks().saturating_sub(since.ticks()));
        accounts.joins += counted;
        let (at, joining) = ((token.at, token.class), span(token.arrived, now));
        self.histograms.iter_mut().for_each(|histograms| histograms.joined_of(at, now, joining));
        if !goes_on {
            accounts.joined += counted;
            self.histograms.iter_mut().for_each(|histograms| histograms.stayed_of(at, now, joining));
        }
        self.squares = self.squares.wrapping_sub(2 * station.present() + 1);
        let to = if goes_on { token.at } else { Rules::LOST };
        self.stays(place, at, now, Stay::Goes(Left::Joined, to));
    }
}
