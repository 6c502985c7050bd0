//! Which records lie in the memory of the workgroup while events are executed: those that every event reads and writes.

use super::layout::{Kind, Layout, WORD};
use super::records::Parameters;
use tickless_device::AdapterDescription;

/// The most bytes of a replication that lie there: with more too few replications run at once.
const MOST_BYTES: u64 = 1536;
/// What a workgroup has there beside records and clocks: the system's own, and what sums need.
const OTHER_BYTES: u64 = 1 << 11;
/// Workgroups that a multiprocessor should have, so that some compute while others wait (10 to 19 are about as fast, stages on an H200). Where
/// there are more replications a workgroup has more of them: its threads then more often do the same.
const WORKGROUPS: u64 = 14;

/// Near records, in rows of a replication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Near {
    /// Where the rows of each kind begin: sources, stations, accounts, sinks, events; and where the last ones end.
    begins: [u32; 6],
    /// Bytes of the clocks of a replication.
    clocks: u64,
}

impl Near {
    /// The near records of a layout; `None` where they are too many, where tokens are not packed, or where sums may pass 64 bits, as carries
    /// have records of their own.
    pub(super) fn new(layout: &Layout) -> Option<Self> {
        let kinds = [Kind::Source, Kind::Station, Kind::Account, Kind::Sink, Kind::Event];
        let mut begins = [0; 6];
        for (place, kind) in kinds.into_iter().enumerate() {
            begins[place + 1] = begins[place] + layout.rows_of(kind);
        }
        let near = Self { begins, clocks: WORD / 2 * u64::from(layout.clocks) };
        Some(near).filter(|near| layout.packed && !layout.carries && 2 * WORD * u64::from(near.rows()) <= MOST_BYTES)
    }

    /// Rows of a replication.
    pub(super) fn rows(self) -> u32 {
        self.begins[5].next_multiple_of(8)
    }

    /// Bytes of a replication.
    fn bytes(self) -> u64 {
        2 * WORD * u64::from(self.rows()) + self.clocks
    }

    /// How many threads of a workgroup have a replication: one where it is not known how many bytes the workgroups of a multiprocessor share.
    /// `None` where not even one fits.
    pub(super) fn each(self, replications: u32, adapter: &AdapterDescription) -> Option<u32> {
        let AdapterDescription { multiprocessors, multiprocessor_memory, gpus, .. } = adapter;
        let (Some(processors), Some(shared)) = (*multiprocessors, *multiprocessor_memory) else { return Some(1) };
        let all = u64::from(replications).div_ceil(u64::from(processors.max(1)) * u64::from((*gpus).max(1)));
        let fit = u64::from(shared).saturating_sub(WORKGROUPS * OTHER_BYTES) / self.bytes();
        let most = u64::from(adapter.capabilities.workgroup_memory).saturating_sub(OTHER_BYTES) / self.bytes();
        let each = all.min(fit).div_ceil(WORKGROUPS).min(most);
        u32::try_from(each).ok().filter(|each| *each > 0)
    }

    /// Sets where the rows of `each` replications begin.
    pub(super) fn set(self, parameters: &mut Parameters, each: u32) {
        let [sources, stations, accounts, sinks, events, end] = self.begins.map(|begin| begin * each);
        (parameters.near_sources, parameters.near_stations, parameters.near_accounts) = (sources, stations, accounts);
        (parameters.near_sinks, parameters.near_events, parameters.near_end) = (sinks, events, end);
    }
}

#[cfg(test)]
mod tests {
    use super::super::batch::Batch;
    use super::*;
    use crate::{Network, Source, Station};

    /// Of two stations with so many servers each.
    fn near_of(servers: u32, change: impl FnOnce(Station) -> Station) -> Option<Near> {
        let law = |text: &str| text.parse().expect("a law");
        let mut network = Network::new();
        let first = network.station(Station::new("first", law("exponential:1")).servers(servers));
        let second = network.station(change(Station::new("second", law("exponential:1")).servers(servers)));
        let exit = network.sink("exit");
        network.source(Source::new("in", law("exponential:2"), first));
        network.route(first, second, 1.0, 0.0);
        network.route(second, exit, 1.0, 0.0);
        let model = network.check().expect("a network");
        Near::new(&Layout::new(&Batch::new(&[(&model, 0..1)]), 40))
    }

    #[test]
    fn records_are_near_where_they_are_few() {
        // Two rows of the source, three of each station and of each account, two of the sink; and two of each event: of the source, of
        // tokens at time 0, and two for each server.
        let rows = |near: Near| near.begins;
        assert_eq!(near_of(2, |station| station).map(rows), Some([0, 2, 8, 14, 16, 36]));
        assert!(near_of(9, |station| station).is_some() && near_of(10, |station| station).is_none());
        assert!(near_of(2, |station| station.patience("exponential:1".parse().expect("a law"), None)).is_none());
    }

    #[test]
    fn workgroups_share_what_a_multiprocessor_has() {
        let near = |rows: u32| Near { begins: [0, 0, 0, 0, 0, rows], clocks: 64 };
        let (shared, capabilities) = (Some(233_472), AdapterDescription::imagined(true, 32).capabilities);
        let mut adapter = AdapterDescription {
            multiprocessors: Some(132),
            multiprocessor_memory: shared,
            capabilities: tickless_device::Capabilities { workgroup_memory: 49_152, ..capabilities },
            ..AdapterDescription::imagined(true, 32)
        };
        let of = |replications, adapter: &AdapterDescription| near(88).each(replications, adapter);
        assert_eq!([1, 1848, 1849, 10_000, 100_000].map(|all| of(all, &adapter)), [1, 1, 2, 6, 10].map(Some));
        adapter.capabilities.workgroup_memory = 8192;
        assert_eq!(of(100_000, &adapter), Some(4));
        adapter.capabilities.workgroup_memory = 2048;
        assert_eq!(of(100_000, &adapter), None);
        adapter.multiprocessors = None;
        assert_eq!(of(100_000, &adapter), Some(1));
    }
}
