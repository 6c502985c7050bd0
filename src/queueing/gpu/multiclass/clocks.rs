//! Tokens that are served by the clock of their station, and their service so far: `shaders/multiclass/sharing/alike.wgsl` and
//! `paced.wgsl` have the words.

use super::layout::Kind;
use super::outcome::{Reading, Words};
use super::rows::Service;
use crate::describe::Order;
use crate::model::WEIGHT;

/// Bits of a clock below a tick.
const BELOW: u32 = 32;

impl Reading<'_> {
    /// Whether all tokens of a station share its servers.
    pub(super) fn is_shared(&self, id: u32) -> bool {
        self.rules.stations[id as usize].order == Order::Sharing
    }

    /// Whether a station knows the length of a service at its beginning.
    pub(super) fn knows_services(&self, id: u32) -> bool {
        self.rules.stations[id as usize].speeds.is_empty()
    }

    /// The tokens that the clock of a station serves, which are taken out of its line if they stand there.
    pub(super) fn by_clock(&self, all: &Words<'_>, (number, id): (usize, u32), in_line: &mut Vec<u32>) -> Vec<u32> {
        let is_paced = self.layout.features.paced;
        match (self.is_shared(id), self.knows_services(id)) {
            (true, _) if !is_paced => std::mem::take(in_line),
            (false, true) => vec![],
            _ => {
                let [first, _] = all.pair(number, self.clock_at(id) + 5);
                self.linked(all, number, first.wrapping_sub(1))
            }
        }
    }

    fn clock_at(&self, id: u32) -> u32 {
        self.layout.record(Kind::Station, id) + self.layout.parameters.sharing
    }

    /// The service since the end of the warm-up of tokens that share the servers of a station, in [`Self::in_ticks`].
    pub(super) fn served(&self, all: &Words<'_>, number: usize, (id, places): (u32, &[u32])) -> Vec<u128> {
        if self.layout.features.paced {
            return self.served_by_weight(all, number, (id, places));
        }
        let at = |word: u32| all.at(number, self.clock_at(id) + word);
        let [clock_upper, counting_upper] = all.pair(number, self.clock_at(id) + 3);
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
            clock - begin.max(end - (u128::from(all.row::<Service>(number, token).service) << BELOW))
        };
        places.iter().map(served).collect()
    }

    /// The same where stations have speeds or weights.
    fn served_by_weight(&self, all: &Words<'_>, number: usize, (id, places): (u32, &[u32])) -> Vec<u128> {
        let first = self.clock_at(id);
        let quad = |word: u32| u128::from(all.at(number, word + 1)) << 64 | u128::from(all.at(number, word));
        let [_, workers] = all.pair(number, first + 5);
        let since = all.at(number, first + 4).max(self.model.warmup().ticks());
        let ticks = u128::from(self.clock.ticks().saturating_sub(since));
        let gained = (ticks * (u128::from(workers) << BELOW)).checked_div(u128::from(all.at(number, first + 7)));
        let clock = quad(first + 2) + gained.unwrap_or(0);
        let weights = &self.rules.stations[id as usize].weights;
        let served = |place: &u32| {
            let weight = weights.get(self.class_of(all, number, *place)).copied().unwrap_or(1);
            (clock - quad(self.token_at(*place) + 12)) * u128::from(weight)
        };
        places.iter().map(served).collect()
    }

    /// A result of [`Self::served`] or words of an account, in whole ticks.
    pub(super) fn in_ticks(&self, id: u32, served: u128) -> u128 {
        let unit = if self.rules.stations[id as usize].weights.is_empty() { 1 } else { WEIGHT };
        (served / u128::from(unit)) >> BELOW
    }
}
