//! Refusals of networks, with their reasons.

use crate::{NetworkModel, QueueingError};

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

/// Refuses a network that cannot run over ranks.
///
/// # Errors
/// [`QueueingError::Multiclass`], [`QueueingError::NotOverRanks`].
pub(crate) fn check_ranks(model: &NetworkModel) -> Result<(), QueueingError> {
    model.check_single_class("no ranks share")?;
    let refuse = |what| Err(QueueingError::NotOverRanks { what });
    if model.approximate().is_some() {
        return refuse("approximate time: leave the interval out, or use one rank");
    }
    if model.scale().is_some() {
        return refuse("distributions: leave them out, or use one rank");
    }
    Ok(())
}
