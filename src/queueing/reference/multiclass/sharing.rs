//! Processor sharing: all that are at a station share its servers.
//!
//! The station has a clock of its own, which shows what each token has had of its service: it runs at the speed at which all are served,
//! servers by tokens, and not faster than time. A token's service ends when that clock shows what it showed at its arrival, and the service. The
//! clock has 32 bits below a tick and is rounded down; an end is the first tick at which it shows enough.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{Key, Phase, Simulation, Token};
use crate::time::Time;

/// Bits of the clock below a tick.
const BELOW: u32 = 32;

#[derive(Default)]
pub(super) struct Sharing {
    /// What each token that has always been here has had of its service.
    clock: u128,
    /// When it showed that.
    since: Time,
    /// What it shows at the end of each token's service, and the number of its arrival.
    ends: BTreeMap<(u128, u64), u32>,
    /// How many tokens of each class there are.
    counts: Vec<u64>,
    /// The work that each class was served since the end of the warm-up.
    pub(super) served: Vec<u128>,
}

impl Sharing {
    pub(super) fn new(classes: u32) -> Self {
        Self { counts: vec![0; classes as usize], served: vec![0; classes as usize], ..Self::default() }
    }

    /// What the clock gains in so many ticks.
    fn gain(&self, ticks: u64, servers: u64) -> u128 {
        let tokens = self.ends.len() as u128;
        ((u128::from(ticks) << BELOW) * u128::from(servers).min(tokens)).checked_div(tokens).unwrap_or(0)
    }

    /// Brings the clock up to `now`.
    pub(super) fn advance(&mut self, servers: u64, warmup: Time, now: Time) {
        let counted = self.gain(now.ticks().saturating_sub(self.since.max(warmup).ticks()), servers);
        self.counts.iter().zip(&mut self.served).for_each(|(count, served)| *served += u128::from(*count) * counted);
        self.clock += self.gain(now.ticks() - self.since.ticks(), servers);
        self.since = now;
    }

    /// When the next service ends if nobody comes, and whose that is; nothing where that is behind every horizon.
    fn next(&self, servers: u64) -> Option<(Time, u32)> {
        let ((end, _), place) = self.ends.first_key_value()?;
        let tokens = self.ends.len() as u128;
        let at_work = u128::from(servers).min(tokens);
        let ticks = (end.saturating_sub(self.clock) * tokens).div_ceil(at_work << BELOW);
        let time = self.since.ticks().checked_add(u64::try_from(ticks).ok()?).filter(|time| *time < 1 << 63)?;
        Some((Time::from_ticks(time), *place))
    }

    /// The work that a class was served since the warm-up, in ticks.
    pub(super) fn busy(&self, class: usize) -> u128 {
        self.served[class] >> BELOW
    }
}

impl Simulation<'_> {
    /// Whether all share the servers of a station.
    pub(super) fn shares(&self, id: u32) -> bool {
        self.stations[id as usize].sharing.is_some()
    }

    /// A token begins to share.
    pub(super) fn join(&mut self, place: u32, now: Time) {
        let token = self.tokens.get(place);
        let id = token.at;
        self.change(id, now, |sharing| {
            let end = sharing.clock + (u128::from(token.service.ticks()) << BELOW);
            sharing.ends.insert((end, token.arrival), place);
            sharing.counts[token.class as usize] += 1;
        });
    }

    /// A token whose service has ended shares no longer.
    pub(super) fn part(&mut self, place: u32, now: Time) {
        let token = self.tokens.get(place);
        self.change(token.at, now, |sharing| {
            // Whose service ends is the first of them.
            sharing.ends.pop_first();
            sharing.counts[token.class as usize] -= 1;
        });
    }

    /// Changes who shares, and schedules the end of a service that comes next then.
    fn change(&mut self, id: u32, now: Time, change: impl FnOnce(&mut Sharing)) {
        let (servers, warmup) = (u64::from(self.model.servers(id)), self.model.warmup());
        let station = &mut self.stations[id as usize];
        let Some(sharing) = &mut station.sharing else { return };
        sharing.advance(servers, warmup, now);
        let before = sharing.ends.first_key_value().map(|(_, place)| *place);
        change(sharing);
        let next = sharing.next(servers);
        let number = station.services;
        station.services += 1;
        if let Some(place) = before {
            let token = self.tokens.get(place);
            self.tokens.set(place, Token { serving: None, ..token });
        }
        if let Some((time, place)) = next {
            let token = self.tokens.get(place);
            self.tokens.set(place, Token { serving: Some((number, time)), ..token });
            self.events.push(Reverse(Key { time, phase: Phase::Departure, entity: id, number, token: place }));
        }
    }
}
