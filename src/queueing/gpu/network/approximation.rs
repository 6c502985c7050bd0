//! Approximate time on a device: the places of its original times, as in `shaders/queueing/approximate.wgsl`, and their
//! results at the end.

use crate::gpu::records::Token;
use tickless_core::time::{Interval, Time};
use tickless_kernels::layout::mirrors;

/// Words of 8 bytes of annex for a station and an entity.
pub(super) const STATION: u64 = 3;
pub(super) const ENTITY: u64 = 1;

mirrors! {
    /// `Approximation` of `shaders/queueing/approximate.wgsl`.
    pub(super) struct Approximation in "queueing/approximate" "Approximation" {
        pub(super) ticks: u64,
        pub(super) reciprocal: u64,
        pub(super) shift: u32,
        pub(super) stations: u32,
        pub(super) originals: u32,
        pub(super) unused: u32,
    }
}

impl Approximation {
    /// With the words of stations and entities at these places of the annex.
    pub(super) fn new(interval: Time, stations: u64, originals: u64) -> Self {
        let interval = Interval::new(interval).expect("a checked model's");
        Self {
            ticks: interval.length().ticks(),
            reciprocal: interval.reciprocal(),
            shift: interval.shift(),
            stations: stations as u32,
            originals: originals as u32,
            unused: 0,
        }
    }

    /// A longer annex with the same contents: the words of the entities lie behind others that grow with them.
    pub(super) fn spread(&self, mut annex: Vec<u64>, larger: &Self) -> Vec<u64> {
        let originals = annex.split_off(self.originals as usize);
        annex.resize(larger.originals as usize, 0);
        annex.extend(originals);
        annex
    }

    /// The causality errors of each station since time 0.
    pub(super) fn errors(&self, annex: &[u64], stations: usize) -> Vec<u64> {
        let words = annex[self.stations as usize..].chunks_exact(STATION as usize);
        words.take(stations).map(|station| station[2]).collect()
    }

    /// When a token left the station of its last visit, over an edge of this delay: the arrival, which may be rounded up,
    /// does not give this.
    pub(super) fn departure(&self, annex: &[u64], place: usize, token: &Token, delay: u64) -> u64 {
        let end = annex[self.originals as usize + place] - delay;
        (end.div_ceil(self.ticks) * self.ticks).max(token.start + self.ticks)
    }
}
