//! Runs that record single visits of tokens to stations.

use super::reference;
use super::{NetworkModel, NetworkOutcome, QueueingError, Visit};
use tickless_core::run::{Run, Watch};
use tickless_core::time::Time;

/// Runs one replication on the heap and passes on each visit when it ends, and those of tokens that are there at the end, by their numbers.
/// The outcome is that of any other run of this replication.
///
/// # Errors
/// As a run on the heap.
pub fn visits(
    model: &NetworkModel,
    replication: u32,
    take: impl FnMut(&Visit),
    watch: &mut dyn Watch,
) -> Result<Run<NetworkOutcome>, QueueingError> {
    reference::visits(model, replication, take, watch)
}

/// The sources that send tokens of a class to a station: a token comes from one of them to its first visit there, if it was not there at time
/// 0 and is no copy.
#[doc(hidden)]
pub fn senders(model: &NetworkModel, class: u32, station: u32) -> impl Iterator<Item = u32> + '_ {
    let rules = model.rules();
    let of_source = |source: u32| &rules.sources[source as usize];
    let sends = move |source: u32| of_source(source).classes(rules.source_classes[source as usize]).contains(&class);
    (0..model.sources()).filter(move |source| model.sent_to(*source).contains(&station) && sends(*source))
}

/// The stations that split tokens some of whose copies go to a station, and how long they are under way.
#[doc(hidden)]
pub fn splitters(model: &NetworkModel, station: u32) -> impl Iterator<Item = (u32, Time)> + '_ {
    let forks = (0..model.stations()).filter(|from| model.rules_of(*from).splits_tokens());
    let leads = move |from: u32| model.row(from).iter().filter(move |edge| edge.target == station);
    forks.flat_map(move |from| leads(from).map(move |edge| (from, edge.delay)))
}
