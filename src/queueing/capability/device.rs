//! How a device runs a network: in which rounds, or with a thread for each replication.

use super::capacity::{UNLIMITED, room};
use crate::model::{ResourceRules, Rules, StationRules};
use crate::options::Synchronization;
use crate::{NetworkModel, NetworkOptions, QueueingError};
use tickless_core::time::Time;
use tickless_device::{AdapterDescription, AdapterKind};

/// The windows in a mean service time above which appointments are faster; no result depends on it.
const WINDOWS: f64 = 10.0;

/// The least replications of a network without classes that run event by event. 100 to 100,000 clinics have 7 to 11 times the rate of rounds,
/// and 64 to 20,000 lines of 5, 30 and 60 stations with two servers 2 to 8 times; of 15 stations 0.5 to 1.2 times (H200, CUDA).
const MANY: usize = 64;
/// The most stations for each replication of such a network: 64 lines of 250 stations have 1.5 times the rate of rounds, 1,000 lines 3.5 times,
/// and rounds gain where there are more stations. And the most in all, up to which that is known.
const MOST_STATIONS: usize = 4;
const MOST_OF_ALL: usize = 1000;

/// How a device runs a network, as [`path`] decides.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{Class, Network, Station, gpu::{DevicePath, Synchronization, path}};
/// let mut network = Network::new();
/// network.class(Class::new("one"));
/// let desk = network.station(Station::new("desk", "constant:1".parse()?).tokens(1));
/// network.route(desk, desk, 1.0, 0.0);
/// let model = network.check()?;
/// assert_eq!(path(&model, 1)?, DevicePath::Rounds(Synchronization::Window));
/// assert_eq!(path(&model, 1000)?, DevicePath::EventByEvent);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DevicePath {
    /// In rounds, all replications at once.
    Rounds(Synchronization),
    /// Event by event, with a thread for each replication.
    EventByEvent,
}

/// How a device runs some replications of a network by default: in rounds that share a bound where a window is given, where time is
/// approximate, or where the network's own lookahead is large enough (a tenth of the stations' mean service time, in the mean over
/// stations); else by appointments, if it can make them or has no other way. A network of classes makes none: it runs event by event where
/// rounds do not pay, and for several replications without a window. So do many replications of a small network without classes that
/// can make no appointments and in which tokens go from station to station.
///
/// # Errors
/// [`QueueingError::Appointments`] of fewer than 64 replications, or of many stations, of a network without lookahead that has a station of
/// several servers or of limited capacity: they run on the heap. [`QueueingError::Multiclass`] of approximate time of a network of classes, which does so, too.
pub fn path(model: &NetworkModel, replications: usize) -> Result<DevicePath, QueueingError> {
    let asked = model.approximate().is_some() || has_window(model);
    let is_worth_it = asked || model.lookahead().units() * WINDOWS >= model.mean_service_time();
    let window = DevicePath::Rounds(Synchronization::Window);
    if let Some(rules) = model.rules_of_classes() {
        check_exact(model)?;
        let in_rounds = is_worth_it && (replications == 1 || has_window(model)) && rules.out_of_rounds().is_none();
        return Ok(if in_rounds { window } else { DevicePath::EventByEvent });
    }
    match check_appointments(model) {
        Ok(()) if is_worth_it => Ok(window),
        Ok(()) => Ok(DevicePath::Rounds(Synchronization::Appointments)),
        Err(_) if !asked && replications >= MANY && is_small(model, replications) => Ok(DevicePath::EventByEvent),
        Err(_) if is_worth_it || model.lookahead() > Time::ZERO => Ok(window),
        Err(refusal) => Err(refusal),
    }
}

/// Whether a network is small beside the number of its replications, and its tokens go from station to station. Where every token leaves after
/// its first service, rounds are faster: a workgroup decides many visits at once.
fn is_small(model: &NetworkModel, replications: usize) -> bool {
    // Where stations are all alike there are rules of the first alone.
    let has_all_rules = model.rules().stations.len() == model.stations() as usize;
    let is_small = model.stations() as usize <= MOST_STATIONS.saturating_mul(replications).min(MOST_OF_ALL);
    has_all_rules && model.lookahead() != Time::NEVER && is_small
}

/// A way that networks of classes do not have.
const NO_APPOINTMENTS: &str = "no appointments run";

/// The same for a path that the caller asks for, which must be possible.
///
/// # Errors
/// As [`path`]; [`QueueingError::NoRounds`] for rounds of a network that has none; the errors of appointments;
/// [`QueueingError::NoLookahead`].
pub(crate) fn path_asked(
    model: &NetworkModel,
    replications: usize,
    options: &NetworkOptions,
) -> Result<DevicePath, QueueingError> {
    let path = match options.synchronization {
        None => path(model, replications)?,
        Some(Synchronization::Window) => match model.rules().out_of_rounds() {
            Some(what) => return Err(QueueingError::NoRounds { what }),
            None => {
                check_exact(model)?;
                DevicePath::Rounds(Synchronization::Window)
            }
        },
        Some(appointments) => {
            check_appointments(model)?;
            DevicePath::Rounds(appointments)
        }
    };
    if path == DevicePath::Rounds(Synchronization::Window) && model.lookahead() == Time::ZERO {
        return Err(QueueingError::NoLookahead);
    }
    Ok(path)
}

/// Refuses approximate time of a network of classes.
///
/// # Errors
/// [`QueueingError::Multiclass`].
fn check_exact(model: &NetworkModel) -> Result<(), QueueingError> {
    if model.approximate().is_none() {
        return Ok(());
    }
    model.check_single_class("no device runs approximate time of")
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
    /// The synchronization of a torus on an adapter: appointments are made in tiles, which save launches and memory, but
    /// not on a software adapter, which pays for every barrier of every thread.
    pub(crate) fn on(self, adapter: &AdapterDescription) -> Self {
        match self {
            Self::Appointments if adapter.kind != AdapterKind::Software => Self::AppointmentsInTiles,
            other => other,
        }
    }
}

/// The most events of shifts and of failing servers, which have places in every replication.
const MOST_CHANGES: u64 = 1 << 20;
/// The most sources: their numbers lie behind those of the stations in 29 bits.
const MOST_SOURCES: u32 = 1 << 28;

/// Whether a device can run replications of a network of classes, a thread each.
///
/// # Errors
/// [`QueueingError::Multiclass`] for features of the heap alone.
pub fn check_a_thread_each(model: &NetworkModel) -> Result<(), QueueingError> {
    let Some(rules) = model.rules_of_classes() else { return Ok(()) };
    check_exact(model)?;
    if model.sources() > MOST_SOURCES {
        return model.check_single_class("no device numbers all sources of");
    }
    if changes(model, rules) > MOST_CHANGES {
        return model.check_single_class("no device has room for what happens to the servers and units of");
    }
    Ok(())
}

/// The number of events of servers and of units that change.
pub(crate) fn changes(model: &NetworkModel, rules: &Rules) -> u64 {
    let of_units = |of: &ResourceRules| u64::from(of.shift_schedule.is_some()) + u64::from(of.failing_units());
    changes_of_servers(model, rules) + rules.resources.iter().map(of_units).sum::<u64>()
}

/// The number of events of shifts, of failing servers, and of servers that set up or go away.
pub(crate) fn changes_of_servers(model: &NetworkModel, rules: &Rules) -> u64 {
    let of_station = |(id, station): (u32, &StationRules)| {
        // Of each server that sets up also the end of its idle time.
        let kinds = 1 + u64::from(station.off_after.is_some());
        duties((model, id), station) + kinds * u64::from(absent_servers((model, id), station))
    };
    (0..).zip(&rules.stations).map(of_station).sum()
}

/// Events of the shifts of a station and of its groups, of servers that walk, and of those that fail.
pub(crate) fn duties((model, id): (&NetworkModel, u32), station: &StationRules) -> u64 {
    let of_groups =
        station.groups.iter().filter(|group| group.shift_schedule.is_some() || group.walks()).count() as u64;
    u64::from(station.shift_schedule.is_some())
        + of_groups
        + station
            .groups
            .iter()
            .filter(|group| group.failures.is_some())
            .map(|group| u64::from(group.servers))
            .sum::<u64>()
        + station.failures.as_ref().map_or(0, |_| u64::from(model.servers(id)))
}

/// The most servers of a station that set up or are away at a time.
pub(crate) fn absent_servers((model, id): (&NetworkModel, u32), station: &StationRules) -> u32 {
    if station.setup.is_none() && station.vacation.is_none() {
        // Servers on standby come together.
        return station.standby_start.is_some().into();
    }
    let of_shifts = station
        .shift_schedule
        .iter()
        .flat_map(|shift_schedule| shift_schedule.lengths())
        .map(|(_, servers)| servers)
        .max();
    of_shifts.unwrap_or_else(|| model.servers(id))
}
