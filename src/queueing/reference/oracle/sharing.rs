//! Stations with a clock of their own: where all share the servers, and where the number present sets the speed of service.
//!
//! The clock shows what each token of weight 1 in service has had of its service: it runs at the speed of the number present, and where all
//! share as fast as there are servers for the tokens, and not faster. A token's service ends when the clock shows what it showed
//! at its beginning, and the service by the token's weight. The clock has 32 bits below a tick and is rounded down; an end is the first tick
//! at which it shows enough.

use std::collections::BTreeMap;

use super::{Event, Oracle, Phase, Token};
use crate::describe::Order;
use crate::model::{StationRules, WEIGHT};
use serde::{Deserialize, Serialize};
use tickless_core::time::Time;

/// Bits of the clock below a tick.
const BELOW: u32 = 32;

/// How fast a clock runs: by so much a tick, in units of 2⁻³² ticks, of so many.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Pace(u128, u128);

impl Pace {
    /// What is gained in so many ticks. Neither a product with the whole part nor one with the rest passes 128 bits.
    fn gain(self, ticks: u64) -> u128 {
        let (Self(by, of), ticks) = (self, u128::from(ticks));
        by.checked_div(of).map_or(0, |whole| ticks * whole + ticks * (by % of) / of)
    }
}

#[derive(Default, Serialize, Deserialize)]
pub(super) struct Sharing {
    /// Whether all share the servers; otherwise each in service has one.
    pub(super) shares: bool,
    /// What a token of weight 1 that has always been in service has had of it.
    clock: u128,
    /// When it showed that.
    since: Time,
    /// How fast it runs, and how fast at a speed of 1.
    paces: [Pace; 2],
    /// What it shows at the end of each token's service, and the number of its arrival.
    ends: BTreeMap<(u128, u64), u32>,
    /// How many tokens of each class are in service.
    counts: Vec<u64>,
    /// The weight of each class, by the unit of weights; empty where all are alike.
    weights: Vec<u64>,
    /// The time that servers served each class since the end of the warm-up.
    served: Vec<u128>,
}

impl Sharing {
    /// The clock of a station that needs one.
    pub(super) fn new(rules: &StationRules, classes: u32) -> Option<Self> {
        let shares = rules.order == Order::Sharing;
        let (zeros, weights) = (classes as usize, rules.weights.clone());
        let sharing = Self { shares, counts: vec![0; zeros], weights, served: vec![0; zeros], ..Self::default() };
        (shares || !rules.speeds.is_empty()).then_some(sharing)
    }

    /// The weight of a class, and of how many it is one.
    fn weight(&self, class: usize) -> (u128, u128) {
        self.weights.get(class).map_or((1, 1), |weight| (u128::from(*weight), u128::from(WEIGHT)))
    }

    /// Sets how fast it runs: the speed is in units of 2⁻³².
    fn run(&mut self, servers: u64, speed: u64) {
        if !self.shares {
            let at_all = u128::from(!self.ends.is_empty());
            self.paces = [Pace(speed.into(), at_all), Pace(1 << BELOW, at_all)];
            return;
        }
        let at_work = u128::from(servers.min(self.ends.len() as u64));
        let all = (0..self.counts.len()).map(|class| u128::from(self.counts[class]) * self.weight(class).0).sum();
        let by = |speed: u64| at_work * u128::from(speed) * self.weight(0).1;
        self.paces = [Pace(by(speed), all), Pace(by(1 << BELOW), all)];
    }

    /// Brings the clock up to `now`.
    pub(super) fn advance(&mut self, warmup: Time, now: Time) {
        let counted = self.paces[1].gain(now.ticks().saturating_sub(self.since.max(warmup).ticks()));
        for class in 0..self.served.len() {
            let more = u128::from(self.counts[class]) * self.weight(class).0 * counted;
            self.served[class] = self.served[class].saturating_add(more);
        }
        self.clock += self.paces[0].gain(now.ticks() - self.since.ticks());
        self.since = now;
    }

    /// When the next service ends if nothing changes, and whose that is; nothing where that is behind every horizon.
    fn next(&self) -> Option<(Time, u32)> {
        let ((end, _), place) = self.ends.first_key_value()?;
        let Pace(by, of) = self.paces[0];
        // What passes 128 bits takes longer than any run, as nothing is faster than 2⁵⁸ where weights differ.
        let ticks = if by == 0 { return None } else { end.saturating_sub(self.clock).checked_mul(of)?.div_ceil(by) };
        let time = self.since.ticks().checked_add(u64::try_from(ticks).ok()?).filter(|time| *time < 1 << 63)?;
        Some((Time::from_ticks(time), *place))
    }

    /// The time that servers served a class since the warm-up, in ticks, where all share them.
    pub(super) fn busy(&self, class: usize) -> Option<u128> {
        self.shares.then(|| (self.served[class] / self.weight(class).1) >> BELOW)
    }

    /// A token with so much left of its service begins, or goes on.
    fn begin(&mut self, place: u32, token: &Token) {
        let class = token.class as usize;
        let (weight, unit) = self.weight(class);
        let work = u128::from(token.work.ticks()) << BELOW;
        self.ends.insert((self.clock + (work * unit).div_ceil(weight), token.arrival), place);
        self.counts[class] += 1;
    }

    /// A token is in service no longer: what is left of it, in whole ticks, of weight 1.
    fn end(&mut self, place: u32, token: &Token) -> Time {
        let found = self.ends.iter().find(|(_, other)| **other == place).map(|(end, _)| *end);
        let Some(end) = found else { return Time::ZERO };
        self.ends.remove(&end);
        self.counts[token.class as usize] -= 1;
        Time::from_ticks(end.0.saturating_sub(self.clock).div_ceil(1 << BELOW) as u64)
    }
}

impl Oracle<'_> {
    /// Whether all share the servers of a station.
    pub(super) fn shares(&self, id: u32) -> bool {
        self.stations[id as usize].sharing.as_ref().is_some_and(|sharing| sharing.shares)
    }

    /// Whether a station has a clock of its own.
    pub(super) fn has_clock(&self, id: u32) -> bool {
        self.stations[id as usize].sharing.is_some()
    }

    /// A token is served by the clock from now on.
    pub(super) fn enter(&mut self, place: u32, now: Time) {
        let token = self.tokens[place];
        self.change(token.at, now, |sharing| sharing.begin(place, &token));
    }

    /// A token whose service ends or is interrupted is served no longer; what is left of it.
    pub(super) fn part(&mut self, place: u32, now: Time) -> Time {
        let token = self.tokens[place];
        let mut left = Time::ZERO;
        self.change(token.at, now, |sharing| left = sharing.end(place, &token));
        left
    }

    /// The number present may have changed, and with it the speed.
    pub(super) fn keep_pace(&mut self, id: u32, now: Time) {
        if !self.rules.stations[id as usize].speeds.is_empty() {
            self.change(id, now, |_| ());
        }
    }

    /// Changes who is served, and schedules the end of a service that comes next then.
    fn change(&mut self, id: u32, now: Time, change: impl FnOnce(&mut Sharing)) {
        let (servers, warmup) = (u64::from(self.model.servers(id)), self.model.warmup());
        let station = &mut self.stations[id as usize];
        let speed = self.rules.stations[id as usize].speed(station.present());
        let Some(sharing) = &mut station.sharing else { return };
        sharing.advance(warmup, now);
        let before = sharing.ends.first_key_value().map(|(_, place)| *place);
        change(sharing);
        sharing.run(servers, speed);
        let next = sharing.next();
        let number = station.services;
        station.services += 1;
        if let Some(place) = before {
            self.tokens[place].end = Time::NEVER;
        }
        if let Some((time, place)) = next {
            let token = &mut self.tokens[place];
            (token.visit, token.end) = (number, time);
            self.events.push(Event { time, phase: Phase::Departure, entity: id, token: place });
        }
    }
}
