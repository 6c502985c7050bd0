//! The stations of a rank on a heap.

use super::border::Border;
use super::bytes;
use super::oracle::Oracle;
use super::single::Singles;
use crate::capability::Simulator;
use crate::checkpoint::{End, OfRank, OnTheWay, State};
use crate::rank::{Rank, Stations};
use crate::{NetworkDetails, NetworkOutcome, QueueingError};
use tickless_core::heap::Word;
use tickless_core::memory;
use tickless_core::random::StreamKey;
use tickless_core::ranks::{Failure, HeapPart, Transport};
use tickless_core::run::{Asking, Interrupted, Run, Watch};
use tickless_core::time::Time;

/// Stations on a heap, which have not begun.
trait OnHeap<'a>: Stations + HeapPart {
    /// Places the tokens and starts the sources.
    fn begin(&mut self, asking: &mut Asking<'_>) -> Result<(), Interrupted>;

    /// Takes over the tokens at the stations and between them, in place of the state at time 0.
    fn go_on_from(&mut self, own: &OfRank, key: StreamKey);

    /// The border to stations of other ranks.
    fn border(&mut self) -> Option<&mut Border<'a>>;

    /// Resumes from the state of this rank at a checkpoint.
    fn go_on(&mut self, own: &OfRank, key: StreamKey) {
        self.go_on_from(own, key);
        if let Some(border) = self.border() {
            border.take_over(&own.coming);
        }
        HeapPart::deliver(self);
    }
}

impl<'a, W: Word> OnHeap<'a> for Singles<'a, W> {
    fn begin(&mut self, asking: &mut Asking<'_>) -> Result<(), Interrupted> {
        Singles::begin(self, asking)
    }

    fn go_on_from(&mut self, own: &OfRank, key: StreamKey) {
        Singles::go_on_from(self, &own.state, own.numbered_transits(), key);
    }

    fn border(&mut self) -> Option<&mut Border<'a>> {
        self.border.as_mut()
    }
}

impl<W: Word> Stations for Singles<'_, W> {
    fn counts(&self, _: u64) -> [u64; 2] {
        [self.completions(), self.completions() + self.sent()]
    }

    fn state(&mut self, key: StreamKey, clock: Time) -> Result<(State, Vec<OnTheWay>), QueueingError> {
        Ok((Singles::state(self, key)?, self.on_their_way(clock)))
    }

    fn outcome(self, clock: Time) -> NetworkOutcome {
        Singles::outcome(self, clock)
    }
}

impl<'a> OnHeap<'a> for Oracle<'a> {
    fn begin(&mut self, asking: &mut Asking<'_>) -> Result<(), Interrupted> {
        Oracle::begin(self, asking)
    }

    fn go_on_from(&mut self, own: &OfRank, key: StreamKey) {
        Oracle::go_on_from(self, &own.state, own.numbered_transits(), key);
    }

    fn border(&mut self) -> Option<&mut Border<'a>> {
        self.border.as_mut()
    }
}

impl Stations for Oracle<'_> {
    fn counts(&self, events: u64) -> [u64; 2] {
        [self.completions(), events]
    }

    fn state(&mut self, _: StreamKey, clock: Time) -> Result<(State, Vec<OnTheWay>), QueueingError> {
        Ok((Oracle::state(self)?, self.on_their_way(clock)))
    }

    fn outcome(self, clock: Time) -> NetworkOutcome {
        Oracle::outcome(self, clock)
    }
}

/// Runs the stations of this rank on a heap; returns the result of all ranks at the end, on rank 0.
pub(crate) fn simulate(
    rank: Rank<'_>,
    transport: &mut dyn Transport,
    watch: &mut dyn Watch,
) -> Result<Option<Run<End, NetworkDetails>>, Failure<QueueingError>> {
    let (ranks, key, share) = (transport.ranks(), rank.key(), rank.share);
    let own = &share.model;
    let border = || Some(Border::new(share, ranks)).filter(|_| ranks > 1);
    // Every rank chooses by itself: the messages are the same.
    match Simulator::of(own, ranks > 1) {
        Simulator::Singles { wide: false } => {
            rank.run(|watch| begin(rank, || Singles::<u64>::new(own, key, border()), watch), transport, watch)
        }
        Simulator::Singles { wide: true } => {
            rank.run(|watch| begin(rank, || Singles::<u128>::new(own, key, border()), watch), transport, watch)
        }
        _ => rank.run(|watch| begin(rank, || Oracle::new(own, key, border()), watch), transport, watch),
    }
}

fn begin<'a, S: OnHeap<'a>>(
    rank: Rank<'_>,
    new: impl FnOnce() -> S,
    watch: &mut dyn Watch,
) -> Result<S, QueueingError> {
    memory::room_of(bytes(&rank.share.model), "the stations and tokens of a rank")?;
    let mut stations = new();
    match rank.from() {
        None => stations.begin(&mut Asking::new(watch))?,
        Some(own) => stations.go_on(&own, rank.key()),
    }
    Ok(stations)
}

#[cfg(test)]
pub(crate) mod tests;
