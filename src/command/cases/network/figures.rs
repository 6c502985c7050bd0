//! The figures of a station or of a whole network, over one replication or several.

use schemars::JsonSchema;
use serde::Serialize;

use tickless_queueing::figures::{Figure, Printed, Sums, Whose, Within};
use tickless_queueing::{Figures, NetworkModel, NetworkOutcome};

/// Figures over replications, as a result has them. Where there are several, it says how sure they are.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Estimates {
    #[serde(flatten)]
    pub means: Figures,
    /// Of each figure over the replications the sample's standard deviation, of a ratio that of the jackknife's pseudovalues; `null` of one
    /// replication, and a field is `null` where fewer than two had something to measure.
    pub standard_deviations: Option<Figures<Option<f64>>>,
    /// Of each figure half of its 95 % interval; `null` likewise.
    pub half_widths: Option<Figures<Option<f64>>>,
    /// On how many replications each of these figures rests, where some had nothing to measure: no service started, nothing arrived; 0
    /// where none did. `null` where each rests on all.
    pub rests_on: Option<Figures<u64>>,
}

/// The completions, or times, a replication above which a station's figures count for the precision.
const ENOUGH: u64 = 30;

/// The largest half width relative to its mean, over utilization, throughput and mean system time of the network, and utilization and mean
/// system time of each station with enough completions; and the largest half width of a share within a target of a station or sink with
/// enough times, as it is. A figure that is missing or was not measured in any replication does not count; `None`
/// if a figure that counts has no interval, and if no service has ended at all.
pub fn precision_of(model: &NetworkModel, outcomes: &[NetworkOutcome]) -> Option<f64> {
    let mut records = outcomes.iter().flat_map(|outcome| &outcome.stations.facilities);
    if records.all(|record| record.completions == 0) {
        return None;
    }
    let mut largest: f64 = 0.0;
    for whose in super::targets::owners(model).filter(|whose| matches!(whose, Whose::Station(_) | Whose::Sink(_))) {
        for Within { lasting, target, share } in model.within(whose, outcomes) {
            let pairs = model.pairs_within(whose, (lasting, target), outcomes).unwrap_or_default();
            if pairs.iter().map(|[_, all]| *all).sum::<f64>() >= (ENOUGH * outcomes.len() as u64) as f64 {
                // Of a share that is near 0 the relative precision says little.
                largest = largest.max(share.half_width?);
            }
        }
    }
    let mut take = |whose: Whose, of: fn(Figures<Figure>) -> Vec<Option<Figure>>| -> Option<()> {
        let (sums, figures) = (Sums::of(model, whose, outcomes), of(Figures::of(model, whose)));
        for figure in figures.into_iter().flatten().map(|figure| figure.over(&sums)).filter(|figure| figure.count > 0) {
            largest = largest.max(figure.relative()?);
        }
        Some(())
    };
    take(Whose::Network, |all| vec![all.utilization, Some(all.throughput), Some(all.mean_system_time)])?;
    for id in 0..model.stations() {
        let completions = outcomes.iter().map(|outcome| outcome.stations.facilities[id as usize].completions);
        if completions.sum::<u64>() >= ENOUGH * outcomes.len() as u64 {
            take(Whose::Station(id), |all| vec![all.utilization, Some(all.mean_system_time)])?;
        }
    }
    Some(largest)
}

/// A figure that is printed, its mean, and half of its interval.
pub type Shown = (Figure, Option<f64>, Option<f64>);

impl Estimates {
    /// The means as fields of a line of a CSV file.
    pub fn mean_fields(&self) -> impl Iterator<Item = (&'static str, Option<f64>)> {
        let figures = Figures::ALL.values().into_iter().flatten().map(|figure| figure.key).collect::<Vec<_>>();
        figures.into_iter().zip(self.means.values().map(Option::<&f64>::copied))
    }

    /// The same for the half widths.
    pub fn half_width_fields(&self) -> impl Iterator<Item = (&'static str, Option<f64>)> {
        let figures = Figures::ALL.values().into_iter().flatten().map(|figure| figure.half_width).collect::<Vec<_>>();
        figures.into_iter().zip(self.half_widths.unwrap_or_default().values().map(|half| half.copied().flatten()))
    }

    /// The mean of a figure by its key, and half of its interval; `None` where there is none.
    pub fn named(&self, key: &str) -> Option<(f64, Option<f64>)> {
        let all = self.mean_fields().zip(self.half_width_fields());
        let ((_, mean), (_, half)) = all.into_iter().find(|((name, _), _)| *name == key)?;
        Some((mean?, half))
    }

    /// The figures that are printed in a table.
    pub fn printed(&self, table: Printed) -> Vec<Shown> {
        let half = self.half_widths.unwrap_or_default().values().map(|half| half.copied().flatten());
        let all = Figures::ALL.values().map(Option::<&Figure>::copied).into_iter().zip(self.means.values()).zip(half);
        let shown = all.filter_map(|((figure, mean), half)| Some((figure?, mean.copied(), half)));
        shown.filter(|(figure, ..)| figure.printed.contains(&table)).collect()
    }

    /// The figures of a station.
    pub fn of_station(model: &NetworkModel, id: u32, outcomes: &[NetworkOutcome]) -> Self {
        let whose = Whose::Station(id);
        Self::of(model, whose, &Sums::of(model, whose, outcomes))
    }

    /// The figures of the network, a station or a class, from the sums of each replication.
    pub fn of(model: &NetworkModel, whose: Whose, sums: &[Sums]) -> Self {
        let all = Figures::over(model, whose, sums);
        let counts = all.map(|estimate| estimate.count);
        let whole = all.map(|_| sums.len() as u64);
        let several = sums.len() > 1;
        let means = all.map(|estimate| estimate.mean);
        // Without blocked and joining times, exactly the sum.
        let is_sum = means.mean_blocked_time.is_none() && means.mean_joining_time.is_none();
        let sum = means.mean_waiting_time + means.mean_service_time;
        Self {
            means: Figures { mean_system_time: if is_sum { sum } else { means.mean_system_time }, ..means },
            standard_deviations: several.then(|| all.map(|estimate| estimate.standard_deviation)),
            half_widths: several.then(|| all.map(|estimate| estimate.half_width)),
            rests_on: (counts != whole).then_some(counts),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tickless_core::run::unwatched;
    use tickless_device::Target;
    use tickless_queueing::{self as queueing, Network, Source, Station};

    /// A desk to which a token comes at an exponential time of mean 100, of which a replication sees the first 10.
    fn rare() -> (NetworkModel, Vec<NetworkOutcome>) {
        let mut network = Network::new().until(10.0);
        let desk = network.station(Station::new("desk", "constant:3".parse().unwrap()));
        let exit = network.sink("exit");
        network.source(Source::new("in", "exponential:100".parse().unwrap(), desk));
        network.route(desk, exit, 1.0, 0.0);
        let model = network.check().unwrap();
        let outcomes =
            queueing::run(&model, 0..200, Target::Heap, Default::default(), &mut unwatched()).unwrap().outcome;
        (model, outcomes)
    }

    #[test]
    fn a_replication_without_a_service_says_nothing_of_its_time() {
        let (model, outcomes) = rare();
        let served = outcomes.iter().filter(|outcome| outcome.stations.facilities[0].starts > 0).count();
        assert!((5..60).contains(&served), "{served}");
        let Estimates { means, half_widths, rests_on, .. } = Estimates::of_station(&model, 0, &outcomes);
        let (half_widths, rests_on) = (half_widths.unwrap(), rests_on.unwrap());
        // Every service takes three units.
        assert!((means.mean_service_time - 3.0).abs() < 1e-9, "{means:?}");
        assert!(means.mean_system_time >= 3.0 - 1e-9 && half_widths.mean_service_time.unwrap() < 1e-6);
        assert_eq!((rests_on.mean_service_time, rests_on.mean_system_time), (served as u64, served as u64));
        // Figures divided by the measured time rest on all replications.
        assert_eq!((rests_on.utilization, rests_on.throughput), (Some(200), 200));
        assert!(means.utilization.unwrap() < 0.1 && half_widths.utilization.flatten().unwrap() > 0.0);
    }

    #[test]
    fn what_rests_on_one_replication_has_no_interval() {
        let (model, outcomes) = rare();
        let place = outcomes.iter().position(|outcome| outcome.stations.facilities[0].starts > 0).unwrap();
        let few = [&outcomes[place..=place], &[idle(&outcomes)]].concat();
        let half_widths = Estimates::of_station(&model, 0, &few).half_widths.unwrap();
        assert!(half_widths.mean_waiting_time.is_none() && half_widths.throughput.is_some(), "{half_widths:?}");
        assert_eq!(precision_of(&model, &few), None);
        let none = [idle(&outcomes), idle(&outcomes)];
        assert_eq!(Estimates::of_station(&model, 0, &none).rests_on.unwrap().mean_waiting_time, 0);
        // Without any event nothing is known of how rare it is.
        assert_eq!(precision_of(&model, &none), None);
    }

    fn idle(outcomes: &[NetworkOutcome]) -> NetworkOutcome {
        outcomes.iter().find(|outcome| outcome.stations.facilities[0].starts == 0).unwrap().clone()
    }
}
