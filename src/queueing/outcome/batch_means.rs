//! The parts of a run between the ends of two batches.

use super::{ClassRecord, Distributions, ForkRecord, NetworkOutcome, ResourceRecord};
use tickless_core::statistics::FacilityRecord;
use tickless_core::time::Time;

/// What intervals are made of: the batches of the only replication, where it has some ([`crate::batch_means`]), or else the replications.
#[doc(hidden)]
pub fn independent(outcomes: &[NetworkOutcome]) -> &[NetworkOutcome] {
    match outcomes {
        [NetworkOutcome { batches, .. }] if !batches.is_empty() => batches,
        replications => replications,
    }
}

impl NetworkOutcome {
    /// What happened after the end of an earlier part of this run. Series are not divided.
    pub(crate) fn since(&self, before: &Self) -> Self {
        let mut rest = self.clone();
        rest.stations.from = before.stations.until;
        let pairs = rest.stations.facilities.iter_mut().zip(&before.stations.facilities);
        pairs.for_each(|(now, then)| *now = facility(now, then));
        less(&mut rest.sources, &before.sources);
        let sinks = rest.sinks.iter_mut().zip(&before.sinks);
        sinks
            .chain(rest.class_sinks.iter_mut().zip(&before.class_sinks))
            .for_each(|(now, then)| *now = now.since(then));
        rest.classes.iter_mut().zip(&before.classes).for_each(|(now, then)| *now = class(now, then));
        if let Some((now, then)) = rest.distributions.as_mut().zip(before.distributions.as_ref()) {
            **now = now.since(then);
        }
        if let Some((now, then)) = rest.folded.as_mut().zip(before.folded.as_ref()) {
            now.lists.iter_mut().zip(&then.lists).for_each(|(now, then)| less(now, then));
        }
        for (now, then) in rest.resources.iter_mut().zip(&before.resources) {
            *now = ResourceRecord { grants: now.grants - then.grants, held: now.held - then.held, ..*now };
        }
        if let Some((now, then)) = rest.forks.as_mut().zip(before.forks) {
            *now = ForkRecord { copies: now.copies - then.copies, joined: now.joined - then.joined };
        }
        for (now, then) in rest.groups.iter_mut().zip(&before.groups) {
            now.busy -= then.busy;
            now.batches -= then.batches;
            less(&mut now.tokens, &then.tokens);
        }
        let absent = rest.absent.iter_mut().zip(&before.absent);
        rest.down.iter_mut().zip(&before.down).chain(absent).for_each(|(now, then)| *now -= then);
        rest
    }

    /// Without what is there at its end: the end of a batch that another one follows is not that of the run.
    pub(crate) fn without_end(mut self) -> Self {
        let of_classes = self.classes.iter_mut().map(|class| &mut class.record);
        for record in self.stations.facilities.iter_mut().chain(of_classes) {
            *record = FacilityRecord { in_service: Time::NEVER, serving: 0, queued: 0, ..*record };
        }
        self.resources.iter_mut().for_each(|resource| resource.in_use = 0);
        (self.stations.queue, self.stations.services, self.in_transit) = (vec![], vec![], 0);
        self
    }
}

impl Distributions {
    /// What was recorded after an earlier part of the run. Longest times are those of both parts: which of them had one is not known.
    fn since(&self, before: &Self) -> Self {
        let mut rest = self.clone();
        let pairs = rest.stations.iter_mut().zip(&before.stations);
        for (now, then) in pairs.chain(rest.classes.iter_mut().zip(&before.classes)) {
            let longest = std::mem::take(&mut now.longest);
            now.lists_mut().into_iter().zip(then.lists()).for_each(|(now, (_, then))| less(now, then));
            now.longest = longest;
        }
        let sinks = rest.sinks.iter_mut().zip(&before.sinks);
        let sinks = sinks.chain(rest.class_sinks.iter_mut().zip(&before.class_sinks));
        let targets = rest.sink_targets.iter_mut().zip(&before.sink_targets);
        let targets = targets.chain(rest.class_sink_targets.iter_mut().zip(&before.class_sink_targets));
        sinks.chain(targets).for_each(|(now, then)| less(now, then));
        rest.trimmed()
    }
}

/// The differences from earlier counts, of which there may be fewer.
fn less(now: &mut [u64], then: &[u64]) {
    now.iter_mut().zip(then).for_each(|(now, then)| *now -= then);
}

fn facility(now: &FacilityRecord, then: &FacilityRecord) -> FacilityRecord {
    FacilityRecord {
        arrivals: now.arrivals - then.arrivals,
        starts: now.starts - then.starts,
        completions: now.completions - then.completions,
        losses: now.losses - then.losses,
        busy: now.busy - then.busy,
        waiting: now.waiting - then.waiting,
        service: now.service - then.service,
        presence: now.presence - then.presence,
        ..*now
    }
}

fn class(now: &ClassRecord, then: &ClassRecord) -> ClassRecord {
    ClassRecord {
        record: facility(&now.record, &then.record),
        balked: now.balked - then.balked,
        reneged: now.reneged - then.reneged,
        patience: now.patience - then.patience,
        preemptions: now.preemptions - then.preemptions,
        blocked: now.blocked - then.blocked,
        stopped: now.stopped - then.stopped,
        joining: now.joining - then.joining,
        joins: now.joins - then.joins,
        joined: now.joined - then.joined,
        abandoned: now.abandoned - then.abandoned,
    }
}
