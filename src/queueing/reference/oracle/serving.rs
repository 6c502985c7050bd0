//! The tokens in service at a station.

use std::collections::BTreeMap;

use super::station::Rank;
use serde::{Deserialize, Serialize};

/// How many they are; and who, in the order of service, where a service may be interrupted or is by a clock of the station.
#[derive(Serialize, Deserialize)]
#[repr(C)]
pub(super) struct Serving {
    count: usize,
    ranks: Option<BTreeMap<Rank, u32>>,
}

impl Serving {
    pub(super) fn new(is_known: bool) -> Self {
        Self { count: 0, ranks: is_known.then(BTreeMap::new) }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether it is known who they are.
    pub(super) fn is_known(&self) -> bool {
        self.ranks.is_some()
    }

    #[inline]
    pub(super) fn insert(&mut self, rank: impl FnOnce() -> Rank, place: u32) {
        self.count += 1;
        if let Some(ranks) = &mut self.ranks {
            ranks.insert(rank(), place);
        }
    }

    /// One more is served, where it is not known who.
    #[inline]
    pub(super) fn begins(&mut self) {
        debug_assert!(!self.is_known());
        self.count += 1;
    }

    /// One is served no longer, where it is not known who.
    #[inline]
    pub(super) fn ends(&mut self) {
        debug_assert!(!self.is_known());
        self.count -= 1;
    }

    /// One that is there is served no longer.
    #[inline]
    pub(super) fn remove(&mut self, rank: impl FnOnce() -> Rank) {
        self.count -= 1;
        if let Some(ranks) = &mut self.ranks {
            ranks.remove(&rank());
        }
    }

    /// Who has a rank here.
    pub(super) fn get(&self, rank: &Rank) -> Option<u32> {
        self.ranks.as_ref()?.get(rank).copied()
    }

    /// The last one in the order of service.
    pub(super) fn last(&self) -> Option<(Rank, u32)> {
        self.ranks.as_ref()?.last_key_value().map(|(rank, place)| (*rank, *place))
    }

    /// Their places, where they are known.
    pub(super) fn places(&self) -> impl Iterator<Item = u32> {
        self.ranks.iter().flat_map(|ranks| ranks.values().copied())
    }
}
