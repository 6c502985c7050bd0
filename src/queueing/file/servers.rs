//! Room, shifts and failures of servers in files.

use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::FileError;
use super::lists::{Step, pairs};
use super::reader::Reader;
use crate::{Shifts, Standby, Station};
use tickless_core::random::ServiceLaw;

/// What becomes of those that find a station full.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Full {
    /// They are lost.
    Lost,
    /// Who comes from another station waits with its server there until there is room; a deadlock is an error that names its cycle.
    Blocks,
    /// Who goes here is served elsewhere only while there is room here, and its server waits with it.
    BlocksBefore,
    /// As `blocks`, but where all servers of some stations hold tokens that wait for each other's room, these change places if all these
    /// stations have it so.
    Exchanges,
    /// It is served there again, at once, until there is room where it was to go, which may be never.
    Repeats,
    /// As `repeats`, and it goes where the routing sends it then.
    RepeatsAnew,
}

/// What is done at the end of a shift with services that have no server any longer.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum ShiftEnd {
    /// Who is served is served to the end.
    Stay,
    /// Services beyond the servers go on later.
    Interrupt,
}

/// Servers that come when the line is long, and go when it is short.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Standby")]
pub(super) struct StandbyEntry {
    /// How many of the station's servers these are.
    #[schemars(range(min = 1), extend("examples" = [1]))]
    servers: u32,
    /// They come once so many tokens wait.
    #[schemars(range(min = 1), extend("examples" = [6]))]
    comes_at: u32,
    /// They go when a service ends and at most so many wait; whom they serve then is served to the end.
    #[serde(default)]
    #[schemars(extend("default" = 0, "examples" = [1]))]
    goes_at: u32,
    /// The law of the time that they take to come, all together; they come at once without it.
    #[schemars(extend("examples" = ["constant:5"]))]
    starts_in: Option<ServiceLaw>,
}

impl StandbyEntry {
    /// A station with them.
    pub(super) fn at(self, station: Station) -> Station {
        let Self { servers, comes_at, goes_at, starts_in } = self;
        let station = station.standby(Standby { servers, comes_at, goes_at });
        starts_in.into_iter().fold(station, Station::standby_starts_in)
    }
}

/// When servers are out of order: laws of times. A file has `down`, and `up` or `use`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Failures")]
pub(super) struct FailuresEntry {
    /// How long each server works, whether it serves or not; a service without a server goes on later.
    #[schemars(extend("examples" = ["exponential:200"]))]
    pub(super) up: Option<ServiceLaw>,
    /// In place of `up`, how long it serves before it fails; its token waits for any server then, and it takes no shifts.
    #[schemars(extend("examples" = ["exponential:150"]))]
    pub(super) r#use: Option<ServiceLaw>,
    /// How long it is out of order then.
    #[schemars(extend("examples" = ["exponential:10"]))]
    pub(super) down: ServiceLaw,
}

/// When the servers of a group are out of order: laws of times.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "FailuresOfServers")]
pub(super) struct GroupFailuresEntry {
    /// How long each server works, whether it serves or not; a service without a server goes on with its group.
    #[schemars(extend("examples" = ["exponential:200"]))]
    pub(super) up: ServiceLaw,
    /// How long it is out of order then.
    #[schemars(extend("examples" = ["exponential:10"]))]
    pub(super) down: ServiceLaw,
}

/// Shifts, their period, and what is done at their ends.
type ShiftsEntry = (Option<Vec<Step<u32>>>, Option<Spanned<f64>>, Option<Spanned<ShiftEnd>>);

impl Reader<'_> {
    /// A station with its shifts, and its failures.
    ///
    /// # Errors
    /// Keys that need others.
    pub(super) fn with_times(
        &self,
        mut station: Station,
        (shifts, period, end): ShiftsEntry,
        failures: Option<Spanned<FailuresEntry>>,
    ) -> Result<Station, FileError> {
        if let Some(shifts) = shifts {
            let mut all = Shifts::new(pairs(shifts));
            all.period = period.map(Spanned::into_inner);
            all.interrupts = end.is_some_and(|end| *end.as_ref() == ShiftEnd::Interrupt);
            station = station.shifts(all);
        } else if let Some(end) = end {
            return Err(self.fault_at(end.span(), "`shift_end` without `shifts`: there is no end".into()));
        } else if let Some(period) = period {
            return Err(self.fault_at(period.span(), "`period` without `shifts`: nothing begins again".into()));
        }
        let Some(failures) = failures else { return Ok(station) };
        let at = failures.span();
        match failures.into_inner() {
            FailuresEntry { up: Some(up), r#use: None, down } => Ok(station.failures(up, down)),
            FailuresEntry { up: None, r#use: Some(used), down } => Ok(station.failures_by_use(used, down)),
            _ => Err(self.fault_at(
                at,
                "`failures` has `up`, how long a server works, or `use`, how long it serves: give it one".into(),
            )),
        }
    }
}
