//! Where a run begins, and what of its end is wanted.

use std::sync::Arc;

/// What of the end of a run is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// What all records add up to.
    Figures,
    /// The records.
    Records,
    /// The records, and what another run goes on from.
    Checkpoint,
}

/// Where a run begins, and what of its end is wanted.
#[derive(Debug)]
pub struct RunMode<'a, C: ?Sized> {
    /// What the run goes on from; `None` at time 0.
    pub from: Option<&'a C>,
    /// What of the end is wanted.
    pub wanted: Wanted,
}

impl<C: ?Sized> Clone for RunMode<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: ?Sized> Copy for RunMode<'_, C> {}

impl<'a, C: ?Sized> RunMode<'a, C> {
    /// A run from time 0 on, whose records are wanted, or the figures alone.
    pub const fn whole(figures_only: bool) -> Self {
        Self { from: None, wanted: if figures_only { Wanted::Figures } else { Wanted::Records } }
    }

    /// A run that another one goes on from.
    pub const fn restartable(from: Option<&'a C>) -> Self {
        Self { from, wanted: Wanted::Checkpoint }
    }

    /// Whether another run goes on from the end.
    pub fn keeps(self) -> bool {
        self.wanted == Wanted::Checkpoint
    }
}

impl<'a, C> RunMode<'a, Arc<C>> {
    /// The same for who does not share what the run goes on from.
    pub fn unshared(self) -> RunMode<'a, C> {
        RunMode { from: self.from.map(Arc::as_ref), wanted: self.wanted }
    }
}
