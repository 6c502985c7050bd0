//! Distributions of waiting and system times and of the number present, and times beside targets, where the network asks for them.

use crate::{Distributions, NetworkModel};
use serde::{Deserialize, Serialize};
use tickless_core::statistics::{Distribution, Scale};
use tickless_core::time::Time;

/// The records of a run.
pub(super) struct Histograms {
    /// The bins of times, of distributions.
    scale: Option<Scale>,
    targets: Vec<Time>,
    warmup: Time,
    /// The record of each station; `None` of those without records.
    places: Vec<Option<usize>>,
    stations: Vec<StationHistograms>,
    sinks: Vec<SinkHistograms>,
    /// The number of classes with records of their own at each station and sink.
    classes: usize,
    of_classes: Vec<StationHistograms>,
    class_sinks: Vec<SinkHistograms>,
    /// The longest times in the network, as [`Distributions::longest`] has them; empty where they are not recorded, as those of stations.
    longest: Vec<u64>,
}

/// Of a sink or of a class there: tokens by the bin of their time in the network, and by the number of targets below it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct SinkHistograms {
    bins: Vec<u64>,
    targets: Vec<u64>,
}

/// Where a time is counted.
#[derive(Clone, Copy)]
struct Counted {
    bin: usize,
    target: usize,
}

impl Counted {
    /// Counts one; lists that are not kept are empty.
    fn count(self, bins: &mut [u64], targets: &mut [u64]) {
        bins.get_mut(self.bin).into_iter().chain(targets.get_mut(self.target)).for_each(|count| *count += 1);
    }
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct StationHistograms {
    present: usize,
    /// The time up to which the times are.
    since: Time,
    recorded: Distribution,
}

/// The recorded lists, without the plan of recording.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Recorded {
    stations: Vec<StationHistograms>,
    sinks: Vec<SinkHistograms>,
    of_classes: Vec<StationHistograms>,
    class_sinks: Vec<SinkHistograms>,
    longest: Vec<u64>,
}

/// Sets the longest of times at its place, where it is recorded.
fn note_longest(longest: &mut [u64], place: usize, time: Time) {
    if let Some(longest) = longest.get_mut(place) {
        *longest = (*longest).max(time.ticks());
    }
}

impl Histograms {
    /// Records for the distributions and targets that the model asks for, if any.
    pub(super) fn new(model: &NetworkModel) -> Option<Self> {
        if !model.records_times() {
            return None;
        }
        let (scale, targets) = (model.scale(), model.targets().to_vec());
        let mut places = vec![None; model.stations() as usize];
        model.observed().iter().enumerate().for_each(|(place, id)| places[*id as usize] = Some(place));
        let bins = || vec![0; scale.map_or(0, |scale| scale.bins() as usize)];
        // As many as there are targets may be below a time.
        let by_targets = || if targets.is_empty() { vec![] } else { vec![0; targets.len() + 1] };
        let sink = || SinkHistograms { bins: bins(), targets: by_targets() };
        let (classes, sinks) = (model.named_classes() as usize, model.sinks() as usize);
        let station = |id: &u32| {
            let rules = model.rules_of(*id);
            let [blocked, joining] = [rules.holds, rules.gathers()].map(|has| if has { bins() } else { vec![] });
            let [waiting_targets, system_targets] = [by_targets(), by_targets()];
            let (waiting, system, present) = (bins(), bins(), vec![]);
            let longest = if model.records_longest() { vec![0; 2] } else { vec![] };
            let recorded =
                Distribution { waiting, system, present, blocked, joining, waiting_targets, system_targets, longest };
            StationHistograms { since: model.warmup(), recorded, ..StationHistograms::default() }
        };
        Some(Self {
            scale,
            warmup: model.warmup(),
            places,
            stations: model.observed().iter().map(station).collect(),
            sinks: (0..sinks).map(|_| sink()).collect(),
            classes,
            of_classes: model.observed().iter().flat_map(|id| (0..classes).map(move |_| station(id))).collect(),
            class_sinks: (0..sinks * classes).map(|_| sink()).collect(),
            longest: if model.records_longest() { vec![0; sinks * (1 + classes)] } else { vec![] },
            targets,
        })
    }

    fn station(&mut self, id: u32) -> Option<&mut StationHistograms> {
        self.places[id as usize].map(|place| &mut self.stations[place])
    }

    /// The station whose number present is recorded over time, if it is this one.
    fn seen(&mut self, id: u32) -> Option<&mut StationHistograms> {
        self.scale.and_then(|_| self.station(id))
    }

    fn counted(&self, time: Time) -> Counted {
        Counted {
            bin: self.scale.map_or(0, |scale| scale.bin(time.ticks())),
            // There are few, and most times are short.
            target: self.targets.iter().take_while(|target| **target < time).count(),
        }
    }

    /// Adds tokens that are at a station at time 0.
    pub(super) fn begins(&mut self, id: u32, count: u64) {
        if let Some(station) = self.seen(id) {
            station.present += count as usize;
        }
    }

    /// A token is at a station from now on.
    pub(super) fn enters(&mut self, id: u32, now: Time) {
        if let Some(station) = self.seen(id) {
            station.advance(now);
            station.present += 1;
        }
    }

    /// A token is there no longer.
    pub(super) fn departs(&mut self, id: u32, now: Time) {
        if let Some(station) = self.seen(id) {
            station.advance(now);
            station.present -= 1;
        }
    }

    /// A token from a source leaves, after the warm-up.
    pub(super) fn leaves(&mut self, sink: u32, stay: Time) {
        let counted = self.counted(stay);
        let SinkHistograms { bins, targets } = &mut self.sinks[sink as usize];
        counted.count(bins, targets);
        note_longest(&mut self.longest, sink as usize, stay);
    }

    /// The records of a class at a station, if kept.
    fn class(&mut self, id: u32, class: u32) -> Option<&mut StationHistograms> {
        if self.classes == 0 {
            return None;
        }
        self.places[id as usize].map(|place| &mut self.of_classes[place * self.classes + class as usize])
    }

    /// A token of a class is at a station from now on.
    pub(super) fn enters_of(&mut self, id: u32, class: u32, now: Time) {
        if self.scale.is_none() {
            return;
        }
        self.enters(id, now);
        if let Some(of_class) = self.class(id, class) {
            of_class.advance(now);
            of_class.present += 1;
        }
    }

    /// A token of a class is there no longer.
    pub(super) fn departs_of(&mut self, id: u32, class: u32, now: Time) {
        if self.scale.is_none() {
            return;
        }
        self.departs(id, now);
        if let Some(of_class) = self.class(id, class) {
            of_class.advance(now);
            of_class.present -= 1;
        }
    }

    /// Records how long a token of a class has waited for a service.
    pub(super) fn waited_of(&mut self, at: (u32, u32), now: Time, waited: Time) {
        self.record((at, now), waited, Some(0), |recorded| (&mut recorded.waiting, &mut recorded.waiting_targets));
    }

    /// Records the stay of a token of a class at the station.
    pub(super) fn stayed_of(&mut self, at: (u32, u32), now: Time, stay: Time) {
        self.record((at, now), stay, Some(1), |recorded| (&mut recorded.system, &mut recorded.system_targets));
    }

    /// A service of a token of a class has ended, after which the token was blocked for this long.
    pub(super) fn was_blocked_of(&mut self, at: (u32, u32), now: Time, blocked: Time) {
        self.record((at, now), blocked, None, |recorded| (&mut recorded.blocked, &mut []));
    }

    /// A token of a class has waited for its siblings for this long.
    pub(super) fn joined_of(&mut self, at: (u32, u32), now: Time, joining: Time) {
        self.record((at, now), joining, None, |recorded| (&mut recorded.joining, &mut []));
    }

    /// Counts a time of a class at a station, after the warm-up: of the station and of the class there, in the bins and by the targets of
    /// these lists. Its longest one has this place.
    fn record(
        &mut self,
        ((id, class), now): ((u32, u32), Time),
        time: Time,
        longest: Option<usize>,
        lists: impl Fn(&mut Distribution) -> (&mut [u64], &mut [u64]),
    ) {
        let Some(place) = self.places[id as usize].filter(|_| now >= self.warmup) else { return };
        let counted = self.counted(time);
        let of_class = self.of_classes.get_mut(place * self.classes + class as usize).filter(|_| self.classes > 0);
        for StationHistograms { recorded, .. } in [&mut self.stations[place]].into_iter().chain(of_class) {
            let (bins, targets) = lists(recorded);
            counted.count(bins, targets);
            if let Some(place) = longest {
                note_longest(&mut recorded.longest, place, time);
            }
        }
    }

    /// A token of a class from a source leaves the network, after the warm-up.
    pub(super) fn leaves_of(&mut self, sink: u32, class: u32, stay: Time) {
        self.leaves(sink, stay);
        if self.classes > 0 {
            let counted = self.counted(stay);
            let place = sink as usize * self.classes + class as usize;
            let SinkHistograms { bins, targets } = &mut self.class_sinks[place];
            counted.count(bins, targets);
            note_longest(&mut self.longest, self.sinks.len() + place, stay);
        }
    }

    /// A copy of the recorded lists.
    pub(super) fn recorded(&self) -> Recorded {
        let Self { stations, sinks, of_classes, class_sinks, longest, .. } = self;
        let [sinks, class_sinks] = [sinks, class_sinks].map(Clone::clone);
        let [stations, of_classes] = [stations, of_classes].map(Clone::clone);
        Recorded { stations, sinks, of_classes, class_sinks, longest: longest.clone() }
    }

    /// Takes over recorded lists.
    pub(super) fn go_on_from(&mut self, recorded: Recorded) {
        let Recorded { stations, sinks, of_classes, class_sinks, longest } = recorded;
        (self.stations, self.sinks, self.of_classes, self.class_sinks) = (stations, sinks, of_classes, class_sinks);
        self.longest = longest;
    }

    /// The distributions before `clock`.
    pub(super) fn finish(mut self, clock: Time) -> Box<Distributions> {
        if self.scale.is_some() {
            self.stations.iter_mut().chain(&mut self.of_classes).for_each(|station| station.advance(clock));
        }
        let recorded = |all: Vec<StationHistograms>| all.into_iter().map(|one| one.recorded).collect();
        let apart = |all: Vec<SinkHistograms>| all.into_iter().map(|one| (one.bins, one.targets)).unzip();
        let (sinks, sink_targets) = apart(self.sinks);
        let (class_sinks, class_sink_targets) = apart(self.class_sinks);
        let recorded = Distributions {
            stations: recorded(self.stations),
            sinks,
            classes: recorded(self.of_classes),
            class_sinks,
            sink_targets,
            class_sink_targets,
            longest: self.longest,
        };
        Box::new(recorded.trimmed())
    }
}

impl StationHistograms {
    /// Brings the times up to `now`.
    fn advance(&mut self, now: Time) {
        if now > self.since {
            let times = &mut self.recorded.present;
            if times.len() <= self.present {
                times.resize(self.present + 1, 0);
            }
            times[self.present] += now.ticks() - self.since.ticks();
            self.since = now;
        }
    }
}
