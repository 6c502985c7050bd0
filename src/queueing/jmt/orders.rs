//! Priorities of classes that serve every station as it says.

use super::fault::{JmtError, no_equal};
use super::model::Model;
use super::xml::Xml;

/// The order in which a station serves classes: the lowest rank first.
pub(super) struct Ranks<'a> {
    pub at: Xml<'a>,
    pub ranks: Vec<(usize, f64)>,
}

/// Priorities by class, the lowest first, under which all stations have their order: ours are the same at every station.
pub(super) fn priorities(model: &Model<'_>, all: &[Ranks<'_>]) -> Result<Vec<usize>, JmtError> {
    let alike = vec![0.0; model.classes.len()];
    let theirs: Vec<f64> = model.classes.iter().map(|class| -(class.priority as f64)).collect();
    let of_station = all.iter().map(|one| {
        let mut ranks = alike.clone();
        one.ranks.iter().for_each(|(class, rank)| ranks[*class] = *rank);
        ranks
    });
    let first = |ranks: &[f64]| all.iter().find(|one| !agrees(&one.ranks, ranks));
    let mut candidates = [alike.clone(), theirs].into_iter().chain(of_station);
    let Some(found) = candidates.find(|ranks| first(ranks).is_none()) else {
        let at = first(&alike).map_or(model.sim, |one| one.at);
        let needs = "priorities of each station, or one order of classes at all stations with a line";
        return Err(no_equal(at, "an order of classes that other stations do not have", needs));
    };
    let mut values = found.clone();
    values.sort_by(f64::total_cmp);
    values.dedup();
    Ok(found.iter().map(|rank| values.iter().position(|value| value == rank).unwrap_or(0)).collect())
}

/// Whether two orders of some classes are one.
fn agrees(of_some: &[(usize, f64)], of_all: &[f64]) -> bool {
    let order = |(one, rank): &(usize, f64), (other, other_rank): &(usize, f64)| {
        rank.total_cmp(other_rank) == of_all[*one].total_cmp(&of_all[*other])
    };
    of_some.iter().enumerate().all(|(place, one)| of_some[..place].iter().all(|other| order(one, other)))
}
