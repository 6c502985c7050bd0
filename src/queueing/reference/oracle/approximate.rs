//! Approximate time (Park and Fishwick 2010): what happens within an interval happens at its end.
//!
//! Every event has an original time and the time at which it executes, which is the first multiple of the interval that is
//! not before the original time and later than the instant that scheduled it. Services follow one another in original
//! times as they do in exact time, so what one rounding adds the next does not add again. What a visit needs of its station
//! is the two times at which each server falls free and the original time of the last arrival.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::NetworkModel;
use tickless_core::time::Time;

/// What approximate time adds to the state of a network.
pub(super) struct Approximation {
    interval: u64,
    stations: Vec<Originals>,
}

#[derive(Clone, Default)]
struct Originals {
    /// Idle servers that have served: when each fell free, executed and original.
    idle: BinaryHeap<Reverse<(Time, Time)>>,
    /// The original time of the last arrival that was accepted.
    last: Time,
    errors: u64,
}

impl Approximation {
    pub(super) fn new(interval: Time, model: &NetworkModel) -> Self {
        Self { interval: interval.ticks(), stations: vec![Originals::default(); model.stations() as usize] }
    }

    /// When an event of this original time executes, unless what schedules it is later.
    #[inline]
    pub(super) fn executed(&self, original: Time) -> Time {
        Time::from_ticks(original.ticks().div_ceil(self.interval) * self.interval)
    }

    /// When a service ends that starts now.
    #[inline]
    pub(super) fn end(&self, original: Time, now: Time) -> Time {
        self.executed(original).max(Time::from_ticks(now.ticks() + self.interval))
    }

    /// A server finds nobody to serve.
    pub(super) fn idles(&mut self, station: u32, executed: Time, original: Time) {
        self.stations[station as usize].idle.push(Reverse((executed, original)));
    }

    /// An arrival finds `serving` of `servers` at work and takes the one that has been idle longest in executed time, in
    /// original time of several; the original time at which that one fell free.
    pub(super) fn takes(&mut self, station: u32, servers: u64, serving: u64) -> Time {
        let idle = &mut self.stations[station as usize].idle;
        // One that has never served has been idle since 0.
        let fresh = serving + (idle.len() as u64) < servers;
        if fresh { Time::ZERO } else { idle.pop().map_or(Time::ZERO, |Reverse((_, original))| original) }
    }

    /// An arrival, which may find no room; where it is counted, so is its causality error.
    pub(super) fn arrives(&mut self, station: u32, original: Time, full: bool, counted: bool) {
        let station = &mut self.stations[station as usize];
        station.errors += u64::from(counted && original < station.last);
        if !full {
            station.last = original;
        }
    }

    /// The causality errors of each station.
    pub(super) fn errors(&self) -> impl Iterator<Item = u64> + '_ {
        self.stations.iter().map(|station| station.errors)
    }
}
