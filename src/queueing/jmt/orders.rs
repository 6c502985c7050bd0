//! Priorities of classes that serve every station as it says.

use super::fault::{JmtError, no_equal};
use super::model::Model;
use super::xml::Xml;

/// The order in which a station serves classes: the lowest rank first.
pub(super) struct Ranks<'a> {
    pub at: Xml<'a>,
    pub ranks: Vec<(usize, f64)>,
    /// The station, if it may have an order of classes of its own.
    pub own: Option<usize>,
}

impl Ranks<'_> {
    /// Whether the station may serve its classes in this order of its own, by a list of them in which no two stand side by side.
    fn is_own(&self) -> bool {
        let mut ranks: Vec<f64> = self.ranks.iter().map(|(_, rank)| *rank).collect();
        ranks.sort_by(f64::total_cmp);
        self.own.is_some() && ranks.windows(2).all(|pair| pair[0] != pair[1])
    }
}

/// Priorities by class, the lowest first, under which all stations have their order, but for those that may have one of their own: ours are
/// the same at every station.
pub(super) fn priorities(model: &Model<'_>, all: &[Ranks<'_>]) -> Result<Vec<usize>, JmtError> {
    let alike = vec![0.0; model.classes.len()];
    let theirs: Vec<f64> = model.classes.iter().map(|class| -(class.priority as f64)).collect();
    let of_station = all.iter().map(|one| {
        let mut ranks = alike.clone();
        one.ranks.iter().for_each(|(class, rank)| ranks[*class] = *rank);
        ranks
    });
    let first = |ranks: &[f64]| all.iter().find(|one| !agrees(&one.ranks, ranks) && !one.is_own());
    let all_agree = |ranks: &[f64]| all.iter().all(|one| agrees(&one.ranks, ranks));
    let candidates: Vec<Vec<f64>> = [alike.clone(), theirs].into_iter().chain(of_station).collect();
    let found = candidates.iter().find(|ranks| all_agree(ranks));
    let Some(found) = found.or_else(|| candidates.iter().find(|ranks| first(ranks).is_none())) else {
        let at = first(&alike).map_or(model.sim, |one| one.at);
        let needs = "priorities of each station, or one order of classes at all stations with a line";
        return Err(no_equal(at, "an order of classes that other stations do not have", needs));
    };
    let mut values = found.clone();
    values.sort_by(f64::total_cmp);
    values.dedup();
    Ok(found.iter().map(|rank| values.iter().position(|value| value == rank).unwrap_or(0)).collect())
}

/// The stations that have an order of their own under these priorities, with the classes in it.
pub(super) fn own_orders(all: &[Ranks<'_>], priorities: &[usize]) -> Vec<(usize, Vec<usize>)> {
    let ranks: Vec<f64> = priorities.iter().map(|priority| *priority as f64).collect();
    let differ = all.iter().filter(|one| !agrees(&one.ranks, &ranks));
    let list = |one: &Ranks<'_>| {
        let mut order = one.ranks.clone();
        order.sort_by(|one, other| one.1.total_cmp(&other.1));
        Some((one.own?, order.into_iter().map(|(class, _)| class).collect()))
    };
    differ.filter_map(list).collect()
}

/// Whether two orders of some classes are one.
fn agrees(of_some: &[(usize, f64)], of_all: &[f64]) -> bool {
    let order = |(one, rank): &(usize, f64), (other, other_rank): &(usize, f64)| {
        rank.total_cmp(other_rank) == of_all[*one].total_cmp(&of_all[*other])
    };
    of_some.iter().enumerate().all(|(place, one)| of_some[..place].iter().all(|other| order(one, other)))
}
