//! What is checked of costs, and of what the sinks have beside them.

use crate::describe::{Costs, Sink, Station};
use crate::error::NetworkError;
use tickless_core::number::Written;

/// The largest cost.
const MOST: f64 = 1e12;

/// That costs are numbers.
///
/// # Errors
/// [`NetworkError::Parameter`], of a kind and a name.
pub(super) fn check_range(
    (kind, name): (&'static str, &str),
    costs: impl IntoIterator<Item = (&'static str, f64)>,
) -> Result<(), NetworkError> {
    let wrong = costs.into_iter().find(|(_, cost)| !(-MOST..=MOST).contains(cost));
    wrong.map_or(Ok(()), |(parameter, cost)| Err(fault((kind, name), parameter, cost, "from -1e12 to 1e12")))
}

fn fault((kind, name): (&'static str, &str), parameter: &'static str, value: f64, allowed: &str) -> NetworkError {
    let (name, value, allowed) = (name.to_owned(), Written(value).to_string(), allowed.to_owned());
    NetworkError::Parameter { kind, name, parameter, value, allowed }
}

/// That costs are numbers, and of servers only where these are counted.
///
/// # Errors
/// [`NetworkError::Parameter`].
pub(super) fn check_station(station: &Station) -> Result<(), NetworkError> {
    let of_station = ("station", station.name.as_str());
    let of_classes = || station.further.iter().flat_map(|more| &more.classes).filter_map(|of| of.costs.as_deref());
    check_range(of_station, station.costs.as_deref().into_iter().chain(of_classes()).flat_map(Costs::named))?;
    let fail = |cost, allowed| Err(fault(of_station, "the cost of a server", cost, allowed));
    if let Some(costs) = of_classes().find(|costs| costs.server != 0.0) {
        return fail(costs.server, "0 of a class: give it to the station");
    }
    let infinite = station.further.as_ref().is_some_and(|more| more.infinite);
    match station.costs.as_deref().filter(|costs| infinite && costs.server != 0.0) {
        Some(costs) => fail(costs.server, "0, as there are infinitely many"),
        None => Ok(()),
    }
}

/// That costs are numbers.
///
/// # Errors
/// [`NetworkError::Parameter`].
pub(super) fn check_sink(sink: &Sink) -> Result<(), NetworkError> {
    let of_classes = sink.classes.iter().map(|(_, cost)| *cost);
    let named = sink.cost.into_iter().chain(of_classes).map(|cost| ("the cost of a token that leaves", cost));
    check_range(("sink", &sink.name), named)
}
