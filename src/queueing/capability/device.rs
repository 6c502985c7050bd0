//! How a device runs a network: in which rounds, or with a thread for each replication.

use super::capacity::{UNLIMITED, room};
use crate::multiclass::{Rules, StationRules};
use crate::options::Synchronization;
use crate::{NetworkModel, NetworkOptions, QueueingError};
use tickless_core::time::Time;
use tickless_device::{AdapterDescription, AdapterKind};

/// Windows in a mean service time, with more of which appointments are faster; neither changes a result.
const WINDOWS: f64 = 10.0;

/// How a network runs on a device: in rounds that share a bound where a window was asked for, where time is approximate, or
/// where its own lookahead is worth it (a tenth of the stations' mean service time, in the mean of them); else by
/// appointments, if they can be made there or nothing else can be done. A network of classes makes none.
///
/// # Errors
/// [`QueueingError::NoRounds`] of a network of classes, disciplines or patience that has none, [`QueueingError::Multiclass`] of one whose
/// lookahead is too short for them: it runs event by event.
/// [`QueueingError::Appointments`] of a network without lookahead that has a station of several servers or of limited capacity:
/// it runs on the heap.
pub fn synchronization(model: &NetworkModel) -> Result<Synchronization, QueueingError> {
    if let Some(what) = model.rules().out_of_rounds() {
        return Err(QueueingError::NoRounds { what });
    }
    let asked = model.approximate().is_some() || has_window(model);
    if asked || model.lookahead().units() * WINDOWS >= model.mean_service_time() {
        return Ok(Synchronization::Window);
    }
    model.check_single_class(NO_ROUNDS)?;
    match check_appointments(model) {
        Ok(()) => Ok(Synchronization::Appointments),
        Err(_) if model.lookahead() > Time::ZERO => Ok(Synchronization::Window),
        Err(refusal) => Err(refusal),
    }
}

const NO_ROUNDS: &str = "no round of a device is long enough for";

/// What no network of classes has.
const NO_APPOINTMENTS: &str = "no appointments run";

/// Whether so many replications of a network run event by event on a device: of classes, disciplines or patience those that have no
/// rounds worth while, and several without a window, each of which has a thread.
pub fn is_event_by_event(model: &NetworkModel, replications: usize) -> bool {
    let rounds = || synchronization(model).is_ok() && (replications == 1 || has_window(model));
    model.rules_of_classes().is_some() && !rounds()
}

/// The rules by which they do so.
///
/// # Errors
/// [`QueueingError::NoRounds`] where rounds are asked for and there are none.
pub(crate) fn event_by_event<'a>(
    model: &'a NetworkModel,
    replications: usize,
    options: &NetworkOptions,
) -> Result<Option<&'a Rules>, QueueingError> {
    let Some(rules) = model.rules_of_classes() else { return Ok(None) };
    match (options.synchronization, rules.out_of_rounds()) {
        (Some(Synchronization::Window), Some(what)) => Err(QueueingError::NoRounds { what }),
        (Some(Synchronization::Window), None) => Ok(None),
        (Some(_), _) => Ok(Some(rules)),
        (None, _) => Ok(is_event_by_event(model, replications).then_some(rules)),
    }
}

fn has_window(model: &NetworkModel) -> bool {
    model.window().is_some_and(|window| window > 0.0)
}

/// Whether a network can run by appointments.
///
/// # Errors
/// [`QueueingError::Appointments`] with the first station that cannot; [`QueueingError::ApproximateAppointments`] in
/// approximate time; [`QueueingError::Multiclass`] of a network of classes.
pub(crate) fn check_appointments(model: &NetworkModel) -> Result<(), QueueingError> {
    if model.approximate().is_some() {
        return Err(QueueingError::ApproximateAppointments);
    }
    model.check_single_class(NO_APPOINTMENTS)?;
    // The stations of a torus are all alike, and have one server and room for everyone.
    if model.torus().is_some() {
        return Ok(());
    }
    let fault = |id: u32| match (model.servers(id), room(model, id)) {
        (1, UNLIMITED) => None,
        (1, _) => Some((id, format!("room for {} tokens", model.capacity(id)))),
        (servers, _) => Some((id, format!("{servers} servers"))),
    };
    match (0..model.stations()).find_map(fault) {
        None => Ok(()),
        Some((id, what)) => Err(QueueingError::Appointments { station: model.station_name(id).into_owned(), what }),
    }
}

impl Synchronization {
    /// That of a torus on an adapter: appointments are made in tiles, which spare launches and memory, but on a software
    /// adapter, which pays for every barrier of every thread.
    pub(crate) fn on(self, adapter: &AdapterDescription) -> Self {
        match self {
            Self::Appointments if adapter.kind != AdapterKind::Software => Self::AppointmentsInTiles,
            other => other,
        }
    }
}

/// The most events of shifts and of servers that fail: each is looked at whenever the next event is looked for.
const MOST_CHANGES: u64 = 1 << 20;
/// The most sources: their numbers lie behind those of the stations in 29 bits.
const MOST_SOURCES: u32 = 1 << 28;

/// Whether a device runs replications of a network of classes; a thread has one of them.
///
/// # Errors
/// [`QueueingError::Multiclass`] of what only the heap has.
pub fn check_a_thread_each(model: &NetworkModel) -> Result<(), QueueingError> {
    let Some(rules) = model.rules_of_classes() else { return Ok(()) };
    if model.sources() > MOST_SOURCES {
        return model.check_single_class("no device numbers all sources of");
    }
    if changes(model, rules) > MOST_CHANGES {
        return model.check_single_class("no device has room for the servers that fail, set up or go away of");
    }
    Ok(())
}

/// Events of shifts, of servers that fail, and of those that set up or go away: how many of them a network has.
pub(crate) fn changes(model: &NetworkModel, rules: &Rules) -> u64 {
    let of_station = |(id, station): (u32, &StationRules)| {
        duties((model, id), station) + u64::from(absent_servers((model, id), station))
    };
    (0..).zip(&rules.stations).map(of_station).sum()
}

/// Events of the shifts of a station, and of its servers that fail.
pub(crate) fn duties((model, id): (&NetworkModel, u32), station: &StationRules) -> u64 {
    u64::from(station.roster.is_some()) + station.failures.as_ref().map_or(0, |_| u64::from(model.servers(id)))
}

/// The most servers of a station that set up or are away at a time.
pub(crate) fn absent_servers((model, id): (&NetworkModel, u32), station: &StationRules) -> u32 {
    if station.setup.is_none() && station.vacation.is_none() {
        return 0;
    }
    let of_shifts = station.roster.iter().flat_map(|roster| roster.lengths()).map(|(_, servers)| servers).max();
    of_shifts.unwrap_or_else(|| model.servers(id))
}
