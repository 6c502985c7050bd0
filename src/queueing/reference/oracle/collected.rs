//! The arrivals of an instant, put in order before the first of them happens: in approximate time.

use super::Oracle;
use super::token::Token;
use tickless_core::time::Time;

/// An arrival that has been collected, in the order of an instant: by its original time, then by the number of where it comes from,
/// sources behind the stations, and by that of its departure there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Collected {
    pub(super) original: Time,
    pub(super) from: u32,
    pub(super) number: u64,
    pub(super) place: u32,
}

impl Oracle<'_> {
    /// A token is among the arrivals of this instant, from a station or, behind the stations, a source.
    pub(super) fn collect(&mut self, place: u32, from: u32) {
        let &Token { number, original, .. } = &self.tokens[place];
        self.collected.push(Collected { original, from, number, place });
    }

    /// All arrivals of an instant.
    pub(super) fn arrive_in_order(&mut self, now: Time) -> u64 {
        let mut collected = std::mem::take(&mut self.collected);
        collected.sort_unstable();
        let count = collected.drain(..).map(|arrival| self.arrive(arrival.place, now)).sum();
        self.collected = collected;
        count
    }
}
