//! Targets as ticks, and quantiles.

use std::collections::BTreeSet;

use super::parameter;
use crate::describe::{Network, Observed};
use crate::error::NetworkError;
use tickless_core::time::Time;

/// The most targets of a network that differ, and the most quantiles.
const MOST: usize = 32;

/// All targets of a network, each once, in order.
pub(super) fn of(network: &Network) -> Result<Vec<Time>, NetworkError> {
    let mut all = BTreeSet::new();
    for (kind, name, target) in network.targets() {
        let refused = |allowed: String| parameter(kind, name, "a target", &target, allowed);
        let time = Time::from_units(target).filter(|_| (0.0..=1e9).contains(&target));
        all.insert(time.ok_or_else(|| refused("from 0 to 1e9 time units".into()))?);
        if all.len() > MOST {
            return Err(refused(format!("one of at most {MOST} different targets in the whole network")));
        }
    }
    Ok(all.into_iter().collect())
}

/// Refuses quantiles that are none, and those of times that are not recorded.
pub(super) fn check_quantiles(network: &Network) -> Result<(), NetworkError> {
    let quantiles = &network.quantiles;
    match quantiles.iter().find(|share| !(**share > 0.0 && **share <= 1.0)) {
        Some(quantile) => Err(NetworkError::Quantile(*quantile)),
        None if quantiles.len() > MOST => {
            let (count, most) = (quantiles.len() as u64, MOST as u64);
            Err(NetworkError::TooMany { what: "quantiles", count, most })
        }
        None if !quantiles.is_empty() && network.distributions == Observed::Nothing => {
            Err(NetworkError::QuantilesOfNothing)
        }
        None => Ok(()),
    }
}

/// The stations with targets.
pub(super) fn observed(network: &Network) -> impl Iterator<Item = u32> {
    (0..).zip(&network.stations).filter(|(_, station)| !station.own_targets().is_empty()).map(|(id, _)| id)
}
