//! All figures of a network, as measures.

use super::super::keys::quoted;
use super::{Measure, Measured, Named};
use tickless_core::statistics::Estimate;
use tickless_queueing::figures::{COST, Figure, Sums};
use tickless_queueing::{NetworkModel, NetworkOutcome};

impl Measure {
    /// All figures that a network has, with their estimates over its replications: of the network, its stations and their classes and groups of
    /// servers, sinks and resources.
    pub fn all(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Vec<(Self, Estimate)> {
        let mut all = vec![];
        for whose in Named::all(model) {
            let Ok(placed) = whose.placed(model) else { continue };
            let figures: Vec<Figure> =
                whose.figures().into_iter().filter(|figure| figure.lacks(model, placed).is_none()).collect();
            let sums = Sums::of(model, placed, outcomes);
            all.extend(figures.into_iter().map(|figure| {
                let name = if figure.key == COST.key && whose == Named::Network {
                    figure.key.into()
                } else {
                    whose.path(figure.key)
                };
                (Self { name, whose: whose.clone(), measured: Measured::Figure(figure) }, figure.over(&sums))
            }));
        }
        all
    }
}

impl Named {
    /// All owners of figures in a network.
    fn all(model: &NetworkModel) -> Vec<Self> {
        let (classes, groups) = (model.classes(), model.groups());
        let mut all = vec![Self::Network];
        for id in 0..model.stations() {
            let name = model.station_name(id).into_owned();
            all.push(Self::Station(name.clone()));
            all.extend(classes.iter().map(|class| Self::Class(name.clone(), class.clone())));
            let own = groups.iter().filter(|(station, _)| *station == id);
            all.extend(own.map(|(_, group)| Self::Group(name.clone(), (*group).to_owned())));
        }
        all.extend((0..model.sinks()).map(|id| Self::Sink(model.sink_name(id).to_owned())));
        all.extend(model.resources().into_iter().map(|(name, _)| Self::Resource(name.to_owned())));
        all
    }

    /// The path of one of its figures.
    fn path(&self, key: &str) -> String {
        let name = |name: &str| quoted(name);
        match self {
            Self::Network => format!("network.{key}"),
            Self::Station(of) => format!("station.{}.{key}", name(of)),
            Self::Class(of, class) => format!("station.{}.class.{}.{key}", name(of), name(class)),
            Self::Group(of, group) => format!("station.{}.servers.{}.{key}", name(of), name(group)),
            Self::Sink(of) => format!("sink.{}.{key}", name(of)),
            Self::ClassAtSink(of, class) => format!("sink.{}.class.{}.{key}", name(of), name(class)),
            Self::Resource(of) => format!("resource.{}.{key}", name(of)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_figures_of_a_network_are_measures() {
        let text = "
            unit = 'h'
            class = [{ name = 'a.b' }, { name = 'c' }]
            resource = [{ name = 'room', units = 1 }]
            station = [{ name = 'x ray', service = 'constant:1', tokens = 1, seizes = { room = 1 }, releases = { room = 1 } },
                { name = 'desk', service = 'constant:1', servers = [{ name = 'old', count = 2 }] }]
            source = [{ name = 'in', interval = 'constant:3', to = 'desk' }]
            sink = [{ name = 'out' }]
            route = [{ from = 'x ray', to = 'x ray' }, { from = 'desk', to = 'out' }]
        ";
        let model = tickless_queueing::Network::from_toml(text).unwrap().until(100.0).check().unwrap();
        let all = Measure::all(&model, &[]);
        for (measure, _) in &all {
            assert_eq!(Measure::parse(measure.name()).as_ref(), Ok(measure), "{}", measure.name());
            assert_eq!(measure.check(&model), Ok(()), "{}", measure.name());
        }
        let has = |name: &str| all.iter().any(|(measure, _)| measure.name() == name);
        for name in [
            "network.throughput",
            "station.\"x ray\".utilization",
            "station.desk.class.\"a.b\".mean_waiting_time",
            "station.desk.servers.old.utilization",
            "sink.out.mean_time_in_network",
            "resource.room.utilization",
        ] {
            assert!(has(name), "{name}");
        }
        assert!(!has("resource.room.mean_stock"));
    }
}
