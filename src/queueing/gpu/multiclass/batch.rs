//! The replications that run together: of one network, or of several networks that differ in numbers alone.

use std::ops::Range;

use super::layout::Layout;
use crate::model::Rules;
use crate::{MemberError, NetworkModel, QueueingError};

/// A network, and the rules of its classes.
pub type Network<'a> = (&'a NetworkModel, &'a Rules);

/// Replications that run together.
#[derive(Clone, Debug)]
pub(super) struct Batch<'a> {
    networks: Vec<Network<'a>>,
    /// The replications of each network that run, in this batch or in others.
    numbers: Vec<Range<u32>>,
    /// For each replication the place of its network, and its number there.
    copies: Vec<(u32, u32)>,
}

impl<'a> Batch<'a> {
    /// Of one network.
    pub(super) fn of_one(network: Network<'a>, numbers: Range<u32>) -> Self {
        Self::of_several(&[(network, numbers)])
    }

    /// Of several networks, which can run together according to [`Batch::is_alike`].
    pub(super) fn of_several(members: &[(Network<'a>, Range<u32>)]) -> Self {
        let copies = |(place, (_, numbers)): (u32, &(Network<'a>, Range<u32>))| {
            numbers.clone().map(move |number| (place, number))
        };
        let copies = (0..).zip(members).flat_map(copies).collect();
        let (networks, numbers) = members.iter().cloned().unzip();
        Self { networks, numbers, copies }
    }

    /// Whether networks have the same kernels, the same records and the same number of rows of each kind.
    pub(super) fn is_alike(one: Network<'_>, other: Network<'_>) -> bool {
        let layout = |network| Layout::new(&Batch::of_one(network, 0..1), 4);
        let same_times = |(model, _): Network<'_>| (model.until(), model.series_step(), model.observed().to_vec());
        same_times(one) == same_times(other) && layout(one).is_alike(&layout(other))
    }

    pub(super) fn len(&self) -> usize {
        self.copies.len()
    }

    /// Some of the replications, by their places.
    pub(super) fn part(&self, places: Range<usize>) -> Self {
        let Self { networks, numbers, copies } = self;
        Self { networks: networks.clone(), numbers: numbers.clone(), copies: copies[places].to_vec() }
    }

    /// The network that stands for all where they do not differ.
    pub(super) fn first(&self) -> Network<'a> {
        self.networks[0]
    }

    pub(super) fn networks(&self) -> &[Network<'a>] {
        &self.networks
    }

    /// The network of a replication.
    pub(super) fn network(&self, place: usize) -> Network<'a> {
        self.networks[self.copies[place].0 as usize]
    }

    /// The error of a replication, with its network and its number.
    pub(super) fn error(&self, place: usize, error: QueueingError) -> MemberError {
        let (network, number) = self.copies[place];
        MemberError::new(network as usize, error.of_replication(number, &self.numbers[network as usize]))
    }

    pub(super) fn copies(&self) -> &[(u32, u32)] {
        &self.copies
    }
}
