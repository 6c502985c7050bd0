//! The replications that run together: of one network, or of several networks that differ in numbers alone.

use std::ops::Range;

use super::layout::Layout;
use crate::{Member, MemberError, NetworkModel, QueueingError};

/// Replications that run together.
#[derive(Clone, Debug)]
pub(super) struct Batch<'a> {
    /// The networks, and the replications of each that run, in this batch or in others.
    members: Vec<Member<'a>>,
    /// For each replication the place of its network, and its number there.
    copies: Vec<(u32, u32)>,
}

impl<'a> Batch<'a> {
    /// Of networks that can run together according to [`Batch::is_alike`].
    pub(super) fn new(members: &[Member<'a>]) -> Self {
        let copies = |(place, (_, numbers)): (u32, &Member<'a>)| numbers.clone().map(move |number| (place, number));
        Self { members: members.to_vec(), copies: (0..).zip(members).flat_map(copies).collect() }
    }

    /// Whether networks have the same kernels, the same records and the same number of rows of each kind.
    pub(super) fn is_alike(one: &NetworkModel, other: &NetworkModel) -> bool {
        let layout = |model| Layout::new(&Batch::new(&[(model, 0..1)]), 4);
        let same_times =
            |model: &NetworkModel| (model.until(), model.series_step(), model.folding(), model.observed().to_vec());
        same_times(one) == same_times(other) && layout(one).is_alike(&layout(other))
    }

    pub(super) fn len(&self) -> usize {
        self.copies.len()
    }

    /// Some of the replications, by their places.
    pub(super) fn part(&self, places: Range<usize>) -> Self {
        Self { members: self.members.clone(), copies: self.copies[places].to_vec() }
    }

    /// The network that stands for all where they do not differ.
    pub(super) fn first(&self) -> &'a NetworkModel {
        self.members[0].0
    }

    pub(super) fn networks(&self) -> impl ExactSizeIterator<Item = &'a NetworkModel> {
        self.members.iter().map(|(model, _)| *model)
    }

    /// The network of a replication.
    pub(super) fn network(&self, place: usize) -> &'a NetworkModel {
        self.members[self.copies[place].0 as usize].0
    }

    /// The error of a replication, with its network and its number.
    pub(super) fn error(&self, place: usize, error: QueueingError) -> MemberError {
        let (network, number) = self.copies[place];
        MemberError::new(network as usize, error.of_replication(number, &self.members[network as usize].1))
    }

    pub(super) fn copies(&self) -> &[(u32, u32)] {
        &self.copies
    }
}
