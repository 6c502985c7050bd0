//! Refusals of networks, with their reasons.

use super::features;
use crate::model::Rules;
use crate::{Network, NetworkError, NetworkModel, QueueingError};

impl NetworkModel {
    /// Refuses a network of classes for `what`.
    ///
    /// # Errors
    /// [`QueueingError::Multiclass`].
    pub(crate) fn check_single_class(&self, what: &'static str) -> Result<(), QueueingError> {
        let refused = || Err(QueueingError::Multiclass { what, reason: self.first_key() });
        if self.rules_of_classes().is_some() { refused() } else { Ok(()) }
    }
}

/// Refuses a network that cannot resume from a checkpoint: a network of classes can on one heap.
///
/// # Errors
/// [`QueueingError::NoCheckpoint`], which names the part without a checkpoint; [`QueueingError::Multiclass`].
pub(crate) fn check_checkpoints(model: &NetworkModel, on_one_heap: bool) -> Result<(), QueueingError> {
    if !on_one_heap {
        model.check_single_class("no checkpoint of a device or over ranks holds")?;
    }
    let what = "approximate time, whose original times none has: run it without one, or in exact time (--exact)";
    if model.approximate().is_some() { Err(QueueingError::NoCheckpoint { what }) } else { Ok(()) }
}

/// Refuses a network that does not go over ranks, and checkpoints there of one that leaves none.
///
/// # Errors
/// [`QueueingError::NotOverRanks`]; as [`check_checkpoints`].
pub(crate) fn check_ranks(model: &NetworkModel, leaves_checkpoints: bool) -> Result<(), QueueingError> {
    if let Some(what) = features::not_over_ranks(model.description(), model.rules()) {
        return Err(QueueingError::NotOverRanks { what: format!("{what}: leave it out, or run it on one heap") });
    }
    if leaves_checkpoints { check_checkpoints(model, false) } else { Ok(()) }
}

/// Refuses approximate time of a network that has no rule for it.
///
/// # Errors
/// [`NetworkError::NotApproximate`].
pub(crate) fn check_approximate(network: &Network, rules: &Rules) -> Result<(), NetworkError> {
    let Some(interval) = network.approximate else { return Ok(()) };
    let refused = |what| Err(NetworkError::NotApproximate { interval, what });
    features::not_approximate(network, rules).map_or(Ok(()), refused)
}
