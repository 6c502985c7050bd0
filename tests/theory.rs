//! The reference against queueing theory, and the known bias of the shifted service law.

mod torus;

use statrs::distribution::{ContinuousCDF, StudentsT};
use tickless::queueing::Network;
use tickless::statistics::NetworkStatistics;
use torus::{heap, torus};

fn statistics(torus: Network) -> NetworkStatistics {
    heap(&torus.check().unwrap()).outcome.statistics()
}

/// The mean and the half width of its 99.9 % confidence interval.
fn interval(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let quantile = StudentsT::new(0.0, 1.0, n - 1.0).unwrap().inverse_cdf(0.9995);
    (mean, quantile * (variance / n).sqrt())
}

/// Gordon and Newell 1967: n equal single servers with m tokens are each busy m / (m + n - 1) of the time.
#[test]
fn utilization_and_system_time_of_the_closed_product_form() {
    for (side, tokens) in [(1, 1), (2, 1), (4, 3), (8, 1), (8, 2)] {
        let (servers, total) = (f64::from(side * side), f64::from(side * side * tokens));
        let runs: Vec<NetworkStatistics> = (1..=20)
            .map(|seed| {
                let torus = torus(side, side, tokens, "exponential:10").window(0.0).seed(seed);
                statistics(torus.warmup(500.0).until(500.0 + 200_000.0 / servers))
            })
            .collect();
        let busy = total / (total + servers - 1.0);
        let (mean, half) = interval(&runs.iter().map(|r| r.mean_busy).collect::<Vec<_>>());
        assert!((mean - busy).abs() <= half + 1e-12, "side {side}: {mean} ± {half}, theory {busy}");
        // Sharp enough to tell the formula without the "- 1" from the right one, where it matters.
        let wrong = total / (total + servers);
        assert!(half < 0.01 && (side > 4 || (mean - wrong).abs() > half), "side {side}: {half} is too wide");
        // Little's law: tokens = throughput x system time.
        let system = 10.0 * total / (servers * busy);
        let (mean, half) = interval(&runs.iter().map(|r| r.mean_system_time).collect::<Vec<_>>());
        assert!((mean - system).abs() <= half + 0.01, "side {side}: {mean} ± {half}, theory {system}");
    }
}

/// Sang et al. 2019, figures 14 and 15: with the window the utilization rises from a half and the system time falls
/// from twice the mean service time, less so for the longer mean. The even start relaxes slowly, hence the warm-up.
#[test]
fn the_shift_biases_as_published() {
    let figures = |mean: f64| {
        [0.0, 0.5, 1.0, 1.5, 2.0].map(|d| {
            let torus = torus(24, 24, 1, &format!("exponential:{mean}"));
            statistics(torus.window(d).warmup(200.0 * mean).until(1000.0 * mean))
        })
    };
    let (ten, twenty) = (figures(10.0), figures(20.0));
    for (figures, mean) in [(&ten, 10.0), (&twenty, 20.0)] {
        assert!((figures[0].mean_busy - 0.5).abs() < 0.005, "{}", figures[0].mean_busy);
        assert!((figures[0].mean_system_time / mean - 2.0).abs() < 0.02, "{}", figures[0].mean_system_time);
        for pair in figures.windows(2) {
            assert!(pair[1].mean_busy > pair[0].mean_busy);
            assert!(pair[1].mean_system_time < pair[0].mean_system_time);
        }
    }
    for (ten, twenty) in ten.iter().zip(&twenty).skip(1) {
        assert!(twenty.mean_busy < ten.mean_busy);
        assert!(twenty.mean_system_time / 20.0 > ten.mean_system_time / 10.0);
    }
}
