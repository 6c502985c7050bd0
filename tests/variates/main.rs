//! Variates against floating point and against their laws, and streams against each other. No device.

mod exponential;
mod independence;
mod laws;

use statrs::distribution::{ChiSquared, ContinuousCDF};

/// Pearson's statistic of counts that should all be the same, and its upper tail.
fn uniform_tail(counts: &[u64]) -> f64 {
    let expected = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
    let statistic = counts.iter().map(|&c| (c as f64 - expected).powi(2) / expected).sum();
    chi_square_tail(statistic, counts.len() - 1)
}

fn chi_square_tail(statistic: f64, degrees: usize) -> f64 {
    ChiSquared::new(degrees as f64).expect("degrees of freedom").sf(statistic)
}

/// Below this a hypothesis is given up. Seeds are fixed, so a test that has passed once always passes.
const TAIL: f64 = 1e-4;

#[test]
fn a_loaded_die_is_caught() {
    assert!(uniform_tail(&[10_000, 10_050, 9_950, 10_020]) > TAIL);
    assert!(uniform_tail(&[10_000, 10_500, 9_500, 10_000]) < TAIL);
}
