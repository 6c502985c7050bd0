//! The lookahead of rounds, and the window that a user asks for.

use crate::describe::Network;
use crate::error::NetworkError;
use crate::model::{Rules, VisitRules};
use tickless_core::random::ServiceLaw;
use tickless_core::time::Time;

impl Rules {
    /// The shortest delay of the routes of a class from a station to stations; tokens that leave the network do not
    /// count.
    fn shortest_delay(&self, visit: &VisitRules) -> Option<Time> {
        let row = &self.edges[visit.first as usize..visit.end as usize];
        let stations = self.stations.len() as u32;
        row.iter().filter(|edge| edge.target < stations).map(|edge| edge.delay).min()
    }

    /// The least time between the start of a service and the arrival of its token at a station: 0 where it is not known at the
    /// arrival.
    pub(crate) fn lookahead(&self) -> Time {
        if self.no_rounds.is_some() {
            return Time::ZERO;
        }
        let ahead = |visit: &VisitRules| {
            self.shortest_delay(visit).map(|delay| Time::from_ticks(visit.law.offset + delay.ticks()))
        };
        self.visits.iter().filter(|visit| visit.is_reached).filter_map(ahead).min().unwrap_or(Time::NEVER)
    }
}

/// Shifts the law of each class at each station that falls short of a window, as for a station without classes.
///
/// # Errors
/// [`NetworkError::NoRounds`] of a network that has no rounds, and [`NetworkError::Window`].
pub(crate) fn widen(network: &Network, rules: &mut Rules, window: f64) -> Result<(), NetworkError> {
    if let Some(what) = rules.no_rounds.as_ref().filter(|_| window != 0.0) {
        return Err(NetworkError::NoRounds { window, what: what.clone() });
    }
    for place in 0..rules.visits.len() {
        let visit = &rules.visits[place];
        let (station, class) = (&network.stations[place / rules.names.len()], place % rules.names.len());
        let delay = rules.shortest_delay(visit).filter(|_| visit.is_reached).map_or(f64::INFINITY, Time::units);
        let law = station.service_of(class);
        let shift = shift_by(window, delay, law, || rules.name_at(&station.name, class))?;
        if shift.is_some() {
            let visit = &mut rules.visits[place];
            (visit.shift, visit.law) = (shift, law.effective(shift));
        }
    }
    Ok(())
}

/// By how much a window shifts the law of a station with this shortest delay, in time units; `None` where the law is long enough.
///
/// # Errors
/// [`NetworkError::Window`], which names the station.
fn shift_by(
    window: f64,
    delay: f64,
    law: &ServiceLaw,
    station: impl Fn() -> String,
) -> Result<Option<f64>, NetworkError> {
    let (rest, mean, shortest) = (window - delay, law.mean(), law.lookahead());
    if !(window >= 0.0 && (rest < mean || rest <= shortest)) {
        return Err(NetworkError::Window { window, most: mean + delay, station: station() });
    }
    Ok((rest > shortest).then_some(rest))
}
