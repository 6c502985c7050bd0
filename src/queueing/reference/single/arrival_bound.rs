//! The earliest time at which a token that is not announced yet can arrive on another rank: the services of each station are drawn
//! ahead of their use, so that laws without a shortest time give a positive lookahead.

use super::Singles;
use super::border::Border;
use super::station::Station;
use crate::NetworkModel;
use tickless_core::heap::Word;
use tickless_core::random::LogarithmRow;
use tickless_core::ranks::windows;
use tickless_core::time::Time;

/// The most services of a station that are drawn ahead.
const LOOKS: u32 = 4;

/// A station from which edges lead to other ranks.
pub(super) struct ArrivalBound {
    station: u32,
    /// The least delay of such an edge.
    delay: Time,
    /// `ahead` is for the service after so many.
    started: u64,
    /// The least time between the start of that service and the arrival of the first token on another rank.
    ahead: Time,
}

/// The bounds of a rank; none if its lookahead is enough: the least of so many service times is about their mean by their
/// number.
pub(super) fn outlooks(model: &NetworkModel, border: Option<&Border<'_>>) -> Vec<ArrivalBound> {
    let Some(border) = border else { return vec![] };
    let outlook = |station: u32| {
        let abroad = model.row(station).iter().filter(|edge| model.is_abroad(edge.target));
        let delay = abroad.map(|edge| edge.delay).min()?;
        Some(ArrivalBound { station, delay, started: u64::MAX, ahead: Time::ZERO })
    };
    let outlooks: Vec<_> = (0..model.stations()).filter_map(outlook).collect();
    let looks = border.lookahead().units() * (outlooks.len() as f64) < model.mean_service_time();
    if looks { outlooks } else { vec![] }
}

impl ArrivalBound {
    /// The earliest time at which a token that the station has not announced yet can arrive, where the next event of the rank is at
    /// `next`.
    fn earliest(&mut self, station: &Station, model: &NetworkModel, table: &[LogarithmRow; 256], next: Time) -> Time {
        if self.started != station.tally.starts {
            self.started = station.tally.starts;
            let services = station.until_target(model, table, self.station, LOOKS, |target| model.is_abroad(target));
            self.ahead = windows::ahead(services, self.delay);
        }
        let starts = if station.end == Time::NEVER { next } else { station.end };
        windows::ahead(starts, self.ahead)
    }
}

impl<W: Word> Singles<'_, W> {
    /// The lower bound on arrivals from this rank that others do not know yet, from the services drawn ahead.
    pub(super) fn by_outlooks(&mut self, next: Time) -> Time {
        let Self { outlooks, stations, model, logarithms, .. } = self;
        let earliest =
            |outlook: &mut ArrivalBound| outlook.earliest(&stations[outlook.station as usize], model, logarithms, next);
        outlooks.iter_mut().map(earliest).min().unwrap_or(Time::NEVER)
    }
}
