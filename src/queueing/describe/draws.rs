//! Probabilities as numbers of draws.

/// The draws.
pub(crate) const DRAWS: f64 = 4_294_967_296.0;

/// The ends of the draws that fall to each weight; of none there are none.
pub(crate) fn ends(weights: &[f64]) -> Vec<u64> {
    let (mut before, all) = (0.0, weights.iter().sum::<f64>());
    let end = |weight: &f64| {
        before += weight;
        (before / all * DRAWS).round().clamp(0.0, DRAWS) as u64
    };
    let mut ends: Vec<u64> = weights.iter().map(end).collect();
    if let Some(last) = ends.last_mut() {
        *last = 1 << 32;
    }
    ends
}

/// Which number from 1 on a draw takes, by these ends.
pub(crate) fn number_of(ends: &[u64], draw: u32) -> u64 {
    1 + ends.partition_point(|end| *end <= u64::from(draw)) as u64
}
