//! What of the vocabulary a network uses that not every kernel has: what it does not use costs it no code and no memory.

use crate::kernels::Mounts;
use crate::queueing::multiclass::{Order, Routing, Rules, SourceRules, StationRules};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Features {
    /// Sources that send several tokens at a time.
    pub(super) batches: bool,
    /// Sources whose rate changes.
    pub(super) rates: bool,
    /// Sources with phases, or a trace.
    pub(super) varied: bool,
    /// Routes by turns, or to where fewest are.
    pub(super) routing: bool,
    /// Shifts or failures.
    pub(super) changes: bool,
    pub(super) blocking: bool,
    pub(super) sharing: bool,
}

impl Features {
    pub(super) fn of(rules: &Rules) -> Self {
        let sources = |has: fn(&SourceRules) -> bool| rules.sources.iter().any(has);
        let stations = |has: fn(&StationRules) -> bool| rules.stations.iter().any(has);
        Self {
            batches: sources(|source| !source.batch.is_empty() || source.trace.is_some()),
            rates: sources(|source| source.intensity.is_some()),
            varied: sources(|source| source.phases.is_some() || source.trace.is_some()),
            routing: stations(|station| station.routing != Routing::Random),
            changes: stations(|station| station.roster.is_some() || station.failures.is_some()),
            blocking: stations(|station| station.blocks),
            sharing: stations(|station| station.order == Order::Sharing),
        }
    }

    /// The modules that do it.
    pub(super) fn mounts(self) -> Mounts {
        let choices = [
            ("batches", self.batches, ["multiclass/batch_of_one", "multiclass/batches"]),
            ("ways", self.routing, ["multiclass/ways_by_chance", "multiclass/ways_chosen"]),
            ("duty", self.changes, ["multiclass/servers_steady", "multiclass/servers_changing"]),
            ("full", self.blocking, ["multiclass/full_lost", "multiclass/full_blocks"]),
            ("shares", self.sharing, ["multiclass/no_sharing", "multiclass/sharing"]),
        ];
        let mount = |mounts: Mounts, (choice, is_used, modules): (_, bool, [_; 2])| {
            mounts.with(choice, modules[usize::from(is_used)])
        };
        let intervals = match self {
            Self { varied: true, .. } => "multiclass/intervals_varied",
            Self { rates: true, .. } => "multiclass/intervals_by_rate",
            _ => "multiclass/intervals_by_law",
        };
        choices.into_iter().fold(Mounts::default().with("intervals", intervals), mount)
    }
}
