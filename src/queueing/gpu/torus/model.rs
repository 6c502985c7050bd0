//! A torus as its kernels see it.

use crate::NetworkModel;
use crate::torus::Torus;
use tickless_core::random::{EffectiveLaw, StreamKey};

/// A replication of a model whose stations lie on a torus.
#[derive(Clone, Copy)]
pub(in crate::gpu) struct TorusModel<'a> {
    pub(in crate::gpu) model: &'a NetworkModel,
    pub(in crate::gpu) torus: Torus,
    pub(in crate::gpu) replication: u32,
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
