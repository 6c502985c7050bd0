//! The records of times and numbers of a device, as `shaders/queueing/observed.wgsl` and `stays.wgsl` keep them.

use rayon::prelude::*;

use super::layout::Layout;
use super::levels::{Levels, most};
use crate::gpu::state::State;
use crate::{Distributions, NetworkModel};
use tickless_core::statistics::Distribution;
use tickless_core::time::Time;

/// The place of an observed station's record in the annex.
struct Record {
    first: usize,
    bins: usize,
    levels: usize,
}

impl Record {
    fn of(layout: &Layout, levels: &Levels, copy: usize, place: usize) -> Self {
        let first = layout.places.observations as u64 + copy as u64 * u64::from(layout.places.observations_each);
        Self {
            first: (first + layout.observed[place]) as usize,
            bins: layout.places.bins as usize,
            levels: levels.0[place] as usize,
        }
    }

    fn present(&self, annex: &[u64]) -> u64 {
        annex[self.first + 1] & u64::from(u32::MAX)
    }

    /// Whether there were more tokens than the record has room for.
    fn is_short(&self, annex: &[u64]) -> bool {
        annex[self.first + 1] >> 32 != 0
    }

    /// The record before `time`, with visits that have been decided already but start later.
    fn read(&self, annex: &[u64], time: Time) -> Distribution {
        let bins = &annex[self.first + 2..][..self.bins];
        let mut present = annex[self.first + 2 + self.bins..][..=self.levels].to_vec();
        let mut here = self.present(annex) as usize;
        let mut ends = annex[self.first + 3 + self.bins + self.levels..][..here].to_vec();
        ends.sort_unstable();
        let mut since = annex[self.first];
        for end in ends.into_iter().take_while(|end| *end < time.ticks()) {
            present[here] += end - since;
            since = end;
            here -= 1;
        }
        present[here] += time.ticks() - since;
        let low = |word: &u64| word & u64::from(u32::MAX);
        let high = |word: &u64| word >> 32;
        Distribution {
            waiting: bins.iter().map(low).collect(),
            system: bins.iter().map(high).collect(),
            present,
            ..Distribution::default()
        }
    }
}

/// Begins the record of a station with services that end at these times, the earliest first, as if they were the only ones since time 0:
/// the results are differences.
pub(super) fn begin(layout: &Layout, levels: &Levels, [copy, place]: [usize; 2], ends: &[u64], annex: &mut [u64]) {
    let record = Record::of(layout, levels, copy, place);
    annex[record.first + 1] = ends.len() as u64;
    annex[record.first + 3 + record.bins + record.levels..][..ends.len()].copy_from_slice(ends);
}

/// Twice as many levels where a station of some replication had no room for one more, or uses half of its room. A station
/// that had no room may hold few tokens now: the rest of its round went on without it.
pub(super) fn grown(old: &Levels, model: &NetworkModel, layout: &Layout, annex: &[u64]) -> Levels {
    let copies = layout.replications.len();
    let grown = |(place, levels): (usize, &u32)| {
        let record = |copy| Record::of(layout, old, copy, place);
        let short = |record: Record| record.is_short(annex) || 2 * record.present(annex) >= u64::from(*levels);
        if (0..copies).map(record).any(short) {
            levels.saturating_mul(2).min(most(model, model.observed()[place]))
        } else {
            *levels
        }
    };
    Levels(old.0.iter().enumerate().map(grown).collect())
}

/// The records of every replication since time 0, before the time of the state.
pub(super) fn read(
    (state, annex, links): (&State, &[u64], &[u32]),
    model: &NetworkModel,
    layout: &Layout,
) -> Option<Vec<Distributions>> {
    let (scale, levels) = (model.scale()?, layout.levels.as_ref()?);
    let replication = |copy: usize| {
        let station = |(place, id): (usize, &u32)| {
            let mut recorded = Record::of(layout, levels, copy, place).read(annex, state.time);
            for (token, end) in state.not_started(copy * model.stations() as usize + *id as usize) {
                recorded.waiting[scale.bin(token.start - token.arrived)] -= 1;
                recorded.system[scale.bin(end - token.arrived)] -= 1;
            }
            recorded
        };
        let bins = scale.bins() as usize;
        let sink = |sink: usize| -> Vec<u64> {
            let first = layout.places.stays as usize + (copy * model.sinks() as usize + sink) * bins;
            links[first..first + bins].iter().map(|count| u64::from(*count)).collect()
        };
        Distributions {
            stations: model.observed().iter().enumerate().map(station).collect(),
            sinks: (0..model.sinks() as usize).map(sink).collect(),
            sink_targets: vec![vec![]; model.sinks() as usize],
            ..Distributions::default()
        }
    };
    Some((0..layout.replications.len()).into_par_iter().map(replication).collect())
}

/// The difference from an earlier record.
pub(super) fn since(now: &Distributions, before: Option<&Distributions>) -> Box<Distributions> {
    let mut since = now.clone();
    if let Some(before) = before {
        for (now, before) in since.stations.iter_mut().zip(&before.stations) {
            now.lists_mut().into_iter().zip(before.lists()).for_each(|(now, (_, before))| take(now, before));
        }
        since.sinks.iter_mut().zip(&before.sinks).for_each(|(now, before)| take(now, before));
    }
    Box::new(since.trimmed())
}

fn take(counts: &mut [u64], less: &[u64]) {
    counts.iter_mut().zip(less).for_each(|(count, less)| *count -= less);
}
