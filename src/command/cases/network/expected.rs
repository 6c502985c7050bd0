//! Theoretical values of stations beside the measured ones: a table of a report.

use serde::Serialize;

use super::figures::Estimates;
use crate::page::{Drawing, Picture};
use tickless_queueing::{Figures, NetworkModel, NetworkOutcome, Theories, Theory};

/// The most stations in the table.
const MOST: usize = 20;

/// A station with theory.
#[derive(Serialize)]
struct Row {
    station: String,
    /// The name of its model.
    theory: String,
    throughput: Beside,
    mean_busy: Beside,
    /// `None` for infinitely many servers.
    utilization: Option<Beside>,
    mean_present: Beside,
    mean_system_time: Beside,
}

/// A figure.
#[derive(Serialize)]
struct Beside {
    theory: f64,
    here: f64,
    half_width: Option<f64>,
}

/// The first stations with theory; `None` without theory or measurement.
pub fn table(model: &NetworkModel, outcomes: &[NetworkOutcome], theories: &Theories) -> Option<Picture> {
    if outcomes.iter().all(|outcome| outcome.stations.measured() <= 0.0) {
        return None;
    }
    let known = |id: u32| Some(row(model, id, outcomes, &theories.of(id)?));
    let rows: Vec<Row> = (0..model.stations()).filter_map(known).take(MOST).collect();
    let of = if rows.len() < model.stations() as usize {
        format!(" ({} of {} stations)", rows.len(), model.stations())
    } else {
        String::new()
    };
    let title = format!("What theory expects in the long run, and what was measured{of}");
    let drawing = Drawing::Table(serde_json::to_value(&rows).ok()?);
    (!rows.is_empty()).then(|| Picture { about: title.clone(), title, drawing })
}

fn row(model: &NetworkModel, id: u32, outcomes: &[NetworkOutcome], theory: &Theory) -> Row {
    let Estimates { means, half_widths, .. } = Estimates::of_station(model, id, outcomes);
    let beside = |theory: f64, here: f64, half: fn(&Figures<Option<f64>>) -> Option<f64>| Beside {
        theory,
        here,
        half_width: half_widths.as_ref().and_then(half),
    };
    Row {
        station: model.station_name(id).into_owned(),
        theory: theory.name(),
        throughput: beside(theory.throughput(), means.throughput, |half| half.throughput),
        mean_busy: beside(theory.mean_busy(), means.mean_busy, |half| half.mean_busy),
        utilization: theory
            .utilization()
            .zip(means.utilization)
            .map(|(theory, here)| beside(theory, here, |half| half.utilization.flatten())),
        mean_present: beside(theory.mean_present(), means.mean_present, |half| half.mean_present),
        mean_system_time: beside(theory.mean_system_time(), means.mean_system_time, |half| half.mean_system_time),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tickless_core::run::unwatched;
    use tickless_core::statistics::{Distribution, Estimate, Scale};
    use tickless_device::Target;
    use tickless_queueing::{self as queueing, Network, Observed, Station, theory};

    /// Users that think, a core, and two disks; the way from the core back takes half a unit.
    fn of_users() -> NetworkModel {
        let mut network = Network::new().until(1500.0).warmup(100.0).distributions(Observed::All);
        let law = |text: &str| text.parse().unwrap();
        let users = network.station(Station::new("users", law("exponential:5")).infinite_servers().tokens(9));
        let core = network.station(Station::new("core", law("exponential:0.7")));
        let disks = network.station(Station::new("disks", law("exponential:1.5")).servers(2));
        network.route(users, core, 1.0, 0.0);
        network.route(core, users, 0.4, 0.5);
        network.route(core, disks, 0.5, 0.0);
        network.route(core, core, 0.1, 0.0);
        network.route(disks, core, 1.0, 0.0);
        network.check().unwrap()
    }

    /// Checks that the mean of the replications' values is this within 3.3 of its standard deviations (one of a thousand
    /// is not).
    fn assert_mean(what: &str, values: &[f64], known: f64) {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
        let room = 3.3 * (variance / count).sqrt();
        assert!((mean - known).abs() <= room, "{what}: {mean} ± {room} instead of {known}");
    }

    /// The share of the counted times up to the end of a bin.
    fn up_to(counts: &[u64], bin: usize) -> f64 {
        counts.iter().take(bin + 1).sum::<u64>() as f64 / counts.iter().sum::<u64>() as f64
    }

    #[test]
    fn a_closed_network_does_what_its_theory_says() {
        let model = of_users();
        let outcomes =
            queueing::run(&model, 0..30, Target::Heap, Default::default(), &mut unwatched()).unwrap().outcome;
        let theories = theory(&model);
        let scale: Scale = model.scale().unwrap();
        for id in 0..3_u32 {
            let theory = theories.of(id).unwrap();
            let figures = Figures::of_station(&model, id, &outcomes);
            // Infinitely many users are never all busy, so there is no utilization.
            let shares = [figures.utilization.is_some(), theory.utilization().is_some()];
            assert_eq!(shares, [id > 0; 2]);
            for (what, figure, known) in [
                ("throughput", figures.throughput, theory.throughput()),
                ("mean busy", figures.mean_busy, theory.mean_busy()),
                ("mean present", figures.mean_present, theory.mean_present()),
                ("mean system time", figures.mean_system_time, theory.mean_system_time()),
            ] {
                let Estimate { mean, half_width, .. } = figure;
                let room = 1.65 * half_width.unwrap();
                assert!((mean - known).abs() <= room, "{what} at {id}: {mean} ± {room} instead of {known}");
            }
            let recorded: Vec<&Distribution> =
                outcomes.iter().map(|outcome| &outcome.distributions.as_ref().unwrap().stations[id as usize]).collect();
            for (number, share) in
                theory.present(10).unwrap().into_iter().enumerate().filter(|(_, share)| *share > 0.01)
            {
                let of = |times: &[u64]| {
                    times.get(number).map_or(0.0, |time| *time as f64)
                        / times.iter().map(|time| *time as f64).sum::<f64>()
                };
                let shares: Vec<f64> = recorded.iter().map(|one| of(&one.present)).collect();
                assert_mean(&format!("{number} at {id}"), &shares, share);
            }
            for time in [0.3, 1.0, 2.5] {
                let bin = scale.bin(tickless_core::time::Time::from_units(time).unwrap().ticks());
                let end = scale.bounds(bin)[1].units();
                let [waits, stays] = [
                    recorded.iter().map(|one| up_to(&one.waiting, bin)).collect::<Vec<_>>(),
                    recorded.iter().map(|one| up_to(&one.system, bin)).collect::<Vec<_>>(),
                ];
                if id > 0 {
                    assert_mean(&format!("waits at {id} up to {end}"), &waits, theory.waiting_up_to(end).unwrap());
                }
                assert_mean(&format!("stays at {id} up to {end}"), &stays, theory.system_up_to(end).unwrap());
            }
        }
        let table = table(&model, &outcomes, &theories).unwrap();
        assert_eq!(table.title, "What theory expects in the long run, and what was measured");
        let Drawing::Table(rows) = table.drawing else { panic!("a table") };
        assert_eq!(rows.as_array().unwrap().len(), 3);
        assert_eq!(rows[1]["station"], "core");
        assert_eq!(rows[2]["theory"], "closed network");
        assert!(rows[0]["mean_present"]["half_width"].as_f64().unwrap() > 0.0);
        // Another network has other figures.
        let other = theories.of(1).unwrap().utilization().unwrap();
        assert!((rows[2]["utilization"]["here"].as_f64().unwrap() - other).abs() > 0.01);
        assert!(rows[0]["utilization"].is_null() && rows[0]["mean_busy"]["theory"].is_number());
    }
}
