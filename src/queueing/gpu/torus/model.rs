//! A torus as its kernels see it.

use crate::queueing::NetworkModel;
use crate::queueing::torus::Torus;
use crate::random::{EffectiveLaw, StreamKey};

/// A replication of a model whose stations lie on a torus.
#[derive(Clone, Copy)]
pub(in crate::queueing::gpu) struct TorusModel<'a> {
    pub(in crate::queueing::gpu) model: &'a NetworkModel,
    pub(in crate::queueing::gpu) torus: Torus,
    pub(in crate::queueing::gpu) replication: u32,
}

impl TorusModel<'_> {
    pub(super) fn key(self) -> StreamKey {
        self.model.key(self.replication)
    }

    /// The law of every station.
    pub(super) fn law(&self) -> &EffectiveLaw {
        self.model.law(0)
    }

    /// Tokens at each station at time 0.
    pub(super) fn tokens_each(self) -> u32 {
        self.model.tokens_at(0)
    }
}
