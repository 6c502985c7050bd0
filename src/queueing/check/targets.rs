//! Targets as ticks, and quantiles.

use super::parameter;
use crate::describe::Network;
use crate::error::NetworkError;
use tickless_core::time::Time;

/// The most targets of a network that differ, and the most quantiles.
const MOST: usize = 32;

/// All targets of a network, each once, in order.
pub(super) fn of(network: &Network) -> Result<Vec<Time>, NetworkError> {
    let mut all = vec![];
    for (kind, name, target) in network.targets() {
        let allowed = || "from 0 to 1e9 time units".to_owned();
        let time = Time::from_units(target).filter(|_| (0.0..=1e9).contains(&target));
        all.push(time.ok_or_else(|| parameter(kind, name, "a target", &target, allowed()))?);
    }
    all.sort_unstable();
    all.dedup();
    match all.len() {
        0..=MOST => Ok(all),
        count => Err(NetworkError::TooMany { what: "targets that differ", count: count as u64, most: MOST as u64 }),
    }
}

/// Whether the quantiles that results tell are any.
pub(super) fn check_quantiles(quantiles: &[f64]) -> Result<(), NetworkError> {
    match quantiles.iter().find(|share| !(**share > 0.0 && **share <= 1.0)) {
        Some(quantile) => Err(NetworkError::Quantile { quantile: *quantile }),
        None if quantiles.len() > MOST => {
            let (count, most) = (quantiles.len() as u64, MOST as u64);
            Err(NetworkError::TooMany { what: "quantiles", count, most })
        }
        None => Ok(()),
    }
}

/// The stations with targets.
pub(super) fn observed(network: &Network) -> impl Iterator<Item = u32> {
    (0..).zip(&network.stations).filter(|(_, station)| !station.own_targets().is_empty()).map(|(id, _)| id)
}
