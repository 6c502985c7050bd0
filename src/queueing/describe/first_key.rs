//! The first key of a network that is of the vocabulary of classes, for messages.

use super::{Discipline, Further, Network, Routing, Source};

impl Network {
    /// The first key of this vocabulary in the network, or `None` without such a key.
    pub(crate) fn first_key(&self) -> Option<String> {
        let at_top = [
            (!self.classes.is_empty(), "classes ([[class]])"),
            (!self.resources.is_empty(), "resources ([[resource]])"),
            (!self.attributes.is_empty(), "attributes ([[attribute]])"),
            (self.series_step.is_some(), "a grid of time (`series_step` or --series)"),
            (self.fold.is_some(), "a period of figures (`fold`)"),
            (self.asks_for_longest(), "the longest of times (`quantiles` with 1)"),
            (self.sinks.iter().any(|sink| !sink.targets.is_empty()), "`targets` of sinks"),
        ];
        if let Some((_, what)) = at_top.into_iter().find(|(has, _)| *has) {
            return Some(what.to_owned());
        }
        let of_station = |more: &Further, name: &str| format!("`{}` at station '{name}'", more.first_key());
        let mut stations =
            self.stations.iter().filter_map(|station| Some((station.further.as_deref()?, &station.name)));
        let mut sources = self.sources.iter().filter_map(|source| Some((source.first_key()?, &source.name)));
        let station = stations.next().map(|(more, name)| of_station(more, name));
        station.or_else(|| sources.next().map(|(key, name)| format!("`{key}` at source '{name}'")))
    }
}

impl Further {
    /// The first key of a station that goes beyond one queue of patient tokens.
    fn first_key(&self) -> &'static str {
        let Self {
            discipline,
            preemptive,
            infinite,
            patience,
            patience_by,
            reneges_to,
            balking,
            balks_to,
            full_to,
            classes,
            ..
        } = self;
        let Self { shifts, routing, blocks, before, exchanges, repeats, speeds, failures, setup, .. } = self;
        let Self {
            vacation,
            standby,
            joins,
            kit,
            splits,
            seizes,
            uses,
            delivers,
            releases,
            targets,
            groups,
            order_by,
            sized_by,
            time_factors,
            takes_no_time,
            ..
        } = self;
        let all = [
            (*discipline != Discipline::FirstCome, "discipline"),
            (order_by.is_some(), "order_by"),
            (sized_by.is_some(), "service = \"attribute:...\""),
            (*takes_no_time, "service = \"zero\""),
            (*preemptive, "preemptive"),
            (*infinite, "servers = \"infinite\""),
            (!groups.is_empty(), "servers"),
            (patience.is_some() || patience_by.is_some(), "patience"),
            (reneges_to.is_some(), "reneges_to"),
            (!balking.is_empty(), "balking"),
            (balks_to.is_some(), "balks_to"),
            (full_to.is_some(), "full_to"),
            (!classes.is_empty(), "class"),
            (shifts.is_some(), "shifts"),
            (*routing != Routing::Random, "routing"),
            (*blocks || *before || *exchanges || repeats.is_some(), "full"),
            (!speeds.is_empty(), "speeds"),
            (failures.is_some(), "failures"),
            (setup.is_some(), "setup"),
            (vacation.is_some(), "vacation"),
            (standby.is_some(), "standby"),
            (time_factors.is_some(), "time_factors"),
            (*joins, "joins"),
            (!kit.is_empty(), "kit"),
            (!splits.is_empty(), "splits"),
            (!seizes.is_empty(), "seizes"),
            (!uses.is_empty(), "uses"),
            (!delivers.is_empty(), "delivers"),
            (!releases.is_empty(), "releases"),
            (!targets.is_empty(), "targets"),
        ];
        // The discipline may be the default, but named.
        all.into_iter().find(|(has, _)| *has).map_or("discipline", |(_, key)| key)
    }
}

impl Source {
    /// The first key of a source that goes beyond single tokens of one class at one rate.
    fn first_key(&self) -> Option<&'static str> {
        let all = [
            (self.choice.is_some(), "to = [...]"),
            (self.class.is_some(), "class"),
            (self.rates.is_some(), "rates"),
            (self.phases.is_some(), "phases"),
            (self.trace.is_some(), "trace"),
            (!self.batch.is_empty(), "batch"),
        ];
        all.into_iter().find(|(has, _)| *has).map(|(_, key)| key)
    }
}
