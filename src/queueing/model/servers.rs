//! How many servers the stations of a network have.

use super::NetworkModel;
use tickless_core::time::Time;

impl NetworkModel {
    /// Whether every token of a station has a server of its own.
    pub fn has_infinite_servers(&self, station: u32) -> bool {
        self.rules_of(station).infinite
    }

    /// Whether the servers of a station go by shifts.
    pub fn has_shifts(&self, station: u32) -> bool {
        let rules = self.rules_of(station);
        rules.shift_schedule.is_some() || rules.has_shifts_of_groups()
    }

    /// Whether a station always has the same number of servers, so that busy servers are a share of them.
    pub(crate) fn has_fixed_servers(&self, station: u32) -> bool {
        !self.has_infinite_servers(station) && !self.has_shifts(station)
    }

    /// The mean number of servers of a station between two times, according to its shifts.
    pub(crate) fn servers_between(&self, station: u32, from: Time, until: Time) -> f64 {
        let rules = self.rules_of(station);
        if !rules.groups.is_empty() {
            return rules.groups.iter().map(|group| group.mean_servers(from, until)).sum();
        }
        let shift_schedule = &rules.shift_schedule;
        shift_schedule
            .as_ref()
            .map_or(f64::from(self.servers(station)), |shift_schedule| shift_schedule.mean(from, until))
    }

    /// The servers of all stations together.
    pub(crate) fn all_servers(&self) -> u64 {
        let described = self.description.stations.iter().map(|station| u64::from(station.servers));
        if self.torus.is_some() { u64::from(self.stations()) } else { described.sum() }
    }
}
