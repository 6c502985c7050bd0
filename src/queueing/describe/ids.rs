//! Ids of what a network has. Each carries the network that gave it.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A station of a [`Network`](crate::Network), by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StationId(pub(crate) u32, pub(crate) Giver);

/// A sink of a [`Network`](crate::Network), by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SinkId(pub(crate) u32, pub(crate) Giver);

/// A class of tokens of a [`Network`](crate::Network), by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassId(pub(crate) u32, pub(crate) Giver);

/// A resource of a [`Network`](crate::Network), by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResourceId(pub(crate) u32, pub(crate) Giver);

impl StationId {
    /// Its place, from 0 on: the entity id of its record and its stream.
    pub fn index(self) -> u32 {
        self.0
    }
}

impl ClassId {
    /// Its place, from 0 on.
    pub fn index(self) -> u32 {
        self.0
    }
}

impl ResourceId {
    /// Its place, from 0 on.
    pub fn index(self) -> u32 {
        self.0
    }
}

/// Where a route leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Another station, or the same.
    Station(StationId),
    /// Out of the network.
    Sink(SinkId),
}

impl From<StationId> for Destination {
    fn from(station: StationId) -> Self {
        Self::Station(station)
    }
}

impl From<SinkId> for Destination {
    fn from(sink: SinkId) -> Self {
        Self::Sink(sink)
    }
}

/// The network that gave an id, or a clone of that network. Two networks of the same description are equal, so this number is left out
/// of comparisons and of texts, by which checkpoints know their network: [`Giver::is`] alone looks at it.
#[derive(Clone, Copy)]
pub(crate) struct Giver(u32);

impl Giver {
    /// That of a new network.
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        Self(NEXT.fetch_add(1, Relaxed))
    }

    pub(crate) fn is(self, other: Self) -> bool {
        self.0 == other.0
    }
}

impl fmt::Debug for Giver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("_")
    }
}

impl PartialEq for Giver {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Giver {}

impl PartialOrd for Giver {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Giver {
    fn cmp(&self, _: &Self) -> Ordering {
        Ordering::Equal
    }
}

impl Hash for Giver {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
