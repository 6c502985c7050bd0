//! The kernels and buffers of replications, and how many of them the threads of a workgroup have.

use super::controlled;
use super::features::Features;
use super::histograms::OBSERVED;
use super::layout::{Kind, Layout, QUEUE, WORD, station_words};
use super::near::Near;
use super::records::Status;
use crate::NetworkModel;
use crate::describe::Routing;
use crate::model::Rules;
use tickless_core::time::Time;
use tickless_device::{AdapterDescription, AdapterKind, BufferSpec, BufferUse, DeviceError, laws};
use tickless_engine::{ModelParts, ModelStatus, Options, Sizes, Stage, StageKernel, Work, workgroup};

/// Events in a row in a turn of a dispatch: many, as every dispatch fetches all replications anew; on a processor few, where its caches
/// last and a dispatch soon takes long.
const EVENTS: u32 = 256;
const EVENTS_IN_SOFTWARE: u32 = 16;
/// Workgroups of a multiprocessor that run at once: these kernels take up to 128 registers a thread, where networks are lean 96, and
/// 80 where their tokens are packed.
const RESIDENT: u32 = 16;
const RESIDENT_LEAN: u32 = 20;
const RESIDENT_PACKED: u32 = 24;
/// The most bytes of packed replications that run at once: three to four times what the last cache of a GPU has. More of them wait for
/// memory: 100,000 stages with 16 threads in place of 8 have 0.87 of the rate, clinics, which are smaller, 1.48 (H200, CUDA).
const MOST_RESIDENT_BYTES: u64 = 3 << 26;
/// The least threads of a workgroup that have large replications: with fewer a multiprocessor has too few at work.
const LEAST_OF_LARGE: u64 = 8;
/// The most threads of a workgroup that have a replication where that saves a wave: an emergency department 50,000 times takes 0.79 of the
/// time with 24 in place of 16 on an H200, and stages 1.03.
const MOST_OF_A_WAVE: u32 = 24;
/// Workgroups that a GPU should have, where that is not known. Threads of a workgroup take different branches, for which they wait for each other: where
/// there are fewer replications than the GPU has room for, fewer threads of each workgroup have one.
const WORKGROUPS: u32 = 1 << 10;
/// The most threads of a workgroup that have a replication: of 8, 16 and 32 this was the fastest for three of four networks on an H100,
/// and 8 for the fourth. With more the replications of a multiprocessor do not fit its first cache.
const MOST_EACH: u32 = 16;

/// Clocks of a workgroup, which take 4 KiB, and the least of a replication.
const MOST_CLOCKS: u32 = 1 << 10;
const LEAST_CLOCKS: u32 = 4;
/// So few are looked at by code without a loop: `FEW` of `few.wgsl`.
const FEW_CLOCKS: u32 = 16;
/// Events of tokens that wait, are on their way, or are served by as many servers as there are tokens.
const SOME: u32 = 8;

impl Layout {
    /// What the kernels of replications know, of which so many threads of a workgroup have one.
    fn constants(&self, each: u32, near: Option<Near>, in_software: bool) -> String {
        let most = MOST_CLOCKS / each.next_power_of_two();
        // A tree has no clocks there.
        let clocks = match (self.has_tree(), in_software) {
            (true, _) => LEAST_CLOCKS,
            (false, true) => most,
            (false, false) => self.clocks.min(most).max(LEAST_CLOCKS),
        };
        let lists = station_words(self.features) / 2;
        let near_rows = near.map_or(1, Near::rows);
        let place = clocks.next_power_of_two() - 1;
        let sizes = [("EACH", each), ("CLOCKS", clocks), ("PLACE", place), ("LISTS", lists), ("NEAR_ROWS", near_rows)];
        let sizes = sizes.iter().map(|(name, size)| format!("const {name}: u32 = {size}u;\n")).collect::<String>();
        let choices = [
            ("HAS_CARRIES", self.carries),
            ("IS_PACKED", self.packed),
            ("HAS_NEAR", near.is_some()),
            // In software threads do not run side by side, and kernels with barriers compile for long. One test runs them there all the
            // same: tests/network/as_on_gpus.rs.
            ("MEETS", !in_software),
        ];
        let choices =
            choices.iter().map(|(name, is_so)| format!("const {name}: bool = {is_so};\n")).collect::<String>();
        format!("{sizes}{choices}{}", self.features.constants(in_software))
    }

    fn resident(&self) -> Resident {
        match (self.packed, self.features.is_lean()) {
            (true, _) => Resident { workgroups: RESIDENT_PACKED, bytes: Some(self.used_bytes()) },
            (_, true) => Resident { workgroups: RESIDENT_LEAN, bytes: None },
            _ => Resident { workgroups: RESIDENT, bytes: None },
        }
    }

    /// Bytes of a replication without the places for tokens and events that are hardly ever used.
    fn used_bytes(&self) -> u64 {
        let rows = |rows: u32| 2 * WORD * u64::from(rows);
        let unused = |kind, used: u32| rows(self.rows_of(kind)).saturating_sub(rows(used));
        let tokens = unused(Kind::Token, self.common_places * self.parameters.token_rows);
        WORD * self.words() - tokens - unused(Kind::Event, self.clocks * self.parameters.event_rows)
    }

    /// The kernels and buffers.
    ///
    /// # Errors
    /// Sizes for which no kernel can be made.
    pub(super) fn parts(&self, adapter: &AdapterDescription, options: &Options) -> Result<ModelParts, DeviceError> {
        let replications = self.parameters.replications;
        let workgroup = workgroup(32, adapter, options)?;
        let networks = match (self.features.control, self.several) {
            (true, _) => "multiclass/control/copies",
            (_, true) => "multiclass/several_networks",
            _ => "multiclass/one_network",
        };
        let clocks = if self.has_tree() { "multiclass/clocks/tournament" } else { "multiclass/clocks/few" };
        let mounts = self.features.mounts().with("faults", "lib/faults").with("networks", networks);
        let mounts = mounts.with("clocks", clocks);
        let tabled = !self.tables.is_empty();
        let mounts = mounts.and(&laws::mounts(tabled, tabled));
        let in_software = adapter.kind == AdapterKind::Software;
        let far_each = || each_of(replications, self.resident(), adapter).min(workgroup);
        let near = || {
            let near = Near::new(self)?;
            let each = near.each(replications, adapter)?;
            // Where it is not known how much fits, records are near where a workgroup has one replication.
            (adapter.multiprocessor_memory.is_some() || far_each() == each).then_some((near, each.min(workgroup)))
        };
        let (events, near, each) = match (in_software, near()) {
            (true, _) => (EVENTS_IN_SOFTWARE, None, workgroup),
            (false, Some((near, each))) => (EVENTS, Some(near), each),
            (false, None) => (EVENTS, None, far_each()),
        };
        let mut parameters = self.parameters;
        if let Some(near) = near {
            near.set(&mut parameters, each);
        }
        let kernel = |label, each: u32, near| {
            let own = self.constants(each, near, in_software);
            StageKernel::new(label, &mounts).with_constants(&format!("const EVENTS: u32 = {events}u;\n{own}"))
        };
        let work = Work::Workgroups(replications.div_ceil(workgroup));
        let observed = self.parameters.observed().into_iter().zip(OBSERVED).filter(|(each, _)| *each > 0);
        let observed =
            observed.map(|(each, (name, bytes))| BufferSpec::storage(name, u64::from(replications) * each, bytes));
        // Copies under control begin in the round of their first step.
        let begins = if self.features.control { "multiclass/control/restart" } else { "multiclass/initialize" };
        let begins = vec![Stage { kernel: kernel(begins, workgroup, None), work }];
        let (first, before) = if self.features.control { (vec![], begins) } else { (begins, vec![]) };
        let status = Status { left: 0, earliest: u32::MAX, latest: 0, step: 0 };
        Ok(ModelParts {
            label: "replications",
            entities: 1,
            lookahead: Time::ZERO,
            sizes: Sizes { workgroup, elements: 1, blocks: 1 },
            buffers: [
                BufferSpec::filled("parameters", BufferUse::Uniform, bytemuck::bytes_of(&parameters).to_vec()),
                BufferSpec::words("model_table", self.model_table.as_flattened()),
                laws::logarithms(&self.tables),
                BufferSpec::storage("replication_state", u64::from(replications) * self.words(), WORD),
            ]
            .into_iter()
            .chain(observed)
            .chain(controlled::buffers(self))
            .collect(),
            first,
            round: before
                .into_iter()
                .chain([
                    Stage {
                        kernel: kernel("multiclass/advance", each, near),
                        work: Work::Workgroups(replications.div_ceil(each)),
                    },
                    Stage { kernel: StageKernel::new("multiclass/tally", &mounts), work: Work::Workgroups(1) },
                ])
                .collect(),
            rounds_each: 0,
            status: ModelStatus::new("multiclass/status", &status),
            last: vec![],
            results: vec![],
        })
    }
}

/// The events that a network mostly has pending: those of servers, and of some tokens that wait or are on their way.
pub(super) fn likely_pending(model: &NetworkModel, features: Features, fixed: u32) -> u32 {
    let servers = |id| {
        let unknown = if model.has_infinite_servers(id) { SOME } else { model.servers(id).min(QUEUE) };
        model.likely_in_service(id).max(if model.has_loads() { 0 } else { unknown })
    };
    pending_of(model, features, fixed, servers)
}

/// Clocks near the threads for these, and for some more.
pub(super) fn clocks(model: &NetworkModel, features: Features, fixed: u32) -> u32 {
    let servers = |id| {
        let some = if model.has_infinite_servers(id) { SOME } else { model.servers(id).min(QUEUE) };
        model.likely_in_service(id).max(some)
    };
    let all = pending_of(model, features, fixed, servers).min(MOST_CLOCKS);
    if all <= FEW_CLOCKS { all.next_multiple_of(LEAST_CLOCKS) } else { all.next_power_of_two() }
}

fn pending_of(model: &NetworkModel, features: Features, fixed: u32, servers: impl Fn(u32) -> u32) -> u32 {
    let ends = (0..model.stations()).map(servers).fold(fixed, u32::saturating_add);
    let patience = if features.impatience { SOME } else { 0 };
    let delays = if features.delays { model.likely_on_their_way().max(SOME) } else { 0 };
    ends.saturating_add(patience).saturating_add(delays)
}

/// Workgroups of a multiprocessor that run at once, and the bytes of a replication where all of them are in use; None where bytes are no limit.
#[derive(Clone, Copy, Debug)]
struct Resident {
    workgroups: u32,
    bytes: Option<u64>,
}

/// How many threads of a workgroup have a replication on a GPU: a power of two up to [`MOST_EACH`]. Workgroups run in waves, of as many as
/// there is room for, and a wave that is not full takes as long as a full one. So where somewhat more, up to [`MOST_OF_A_WAVE`], save a wave,
/// there are so many more that the waves are full. Large replications have fewer threads, down to [`LEAST_OF_LARGE`]. So the number of threads may
/// change where places are added.
fn each_of(replications: u32, resident: Resident, adapter: &AdapterDescription) -> u32 {
    let few = (1 << (replications / WORKGROUPS).max(1).ilog2()).min(MOST_EACH);
    let Some(multiprocessors) = adapter.multiprocessors else { return few };
    let of_one = u64::from(multiprocessors.max(1)) * u64::from(resident.workgroups);
    let most =
        resident.bytes.map_or(u64::MAX, |bytes| MOST_RESIDENT_BYTES / (of_one * bytes).max(1)).max(LEAST_OF_LARGE);
    let most = u32::try_from(most).unwrap_or(u32::MAX).min(MOST_OF_A_WAVE);
    let (at_once, all) = (of_one * u64::from(adapter.gpus.max(1)), u64::from(replications));
    let waves = |each: u32| all.div_ceil(at_once * u64::from(each)).max(1);
    if few < MOST_EACH || most < MOST_EACH || waves(most) == waves(few) {
        return few.min(1 << most.ilog2());
    }
    all.div_ceil(waves(most) * at_once) as u32
}

/// The most parts of a kit.
pub(super) fn most_parts(rules: &Rules) -> u32 {
    rules.stations.iter().map(|station| station.kit.len() as u32).max().unwrap_or(0)
}

/// The most copies of one token, without the token itself.
pub(super) fn most_copies(rules: &Rules) -> u32 {
    let splits = |place: usize| rules.stations[place / rules.names.len()].routing == Routing::Fork;
    let copies = rules.visits.iter().enumerate().filter(|(place, _)| splits(*place));
    let by_routes = copies.map(|(_, visit)| visit.end.saturating_sub(visit.first + 1));
    let by_number = rules.stations.iter().map(|station| station.splits.len().saturating_sub(1) as u32);
    // A token that is alone may need a number of siblings, too.
    by_routes.chain(by_number).max().unwrap_or(0).max(rules.has_forks().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_replications_have_fewer_threads() {
        let adapter = AdapterDescription { multiprocessors: Some(132), ..AdapterDescription::imagined(true, 32) };
        let of = |bytes| each_of(100_000, Resident { workgroups: RESIDENT_PACKED, bytes: Some(bytes) }, &adapter);
        // By 16 threads these are two waves, as by 24.
        assert_eq!([500, 2100, 3900, 4000, 1 << 20].map(of), [16, 16, 16, 8, 8]);
        // 19 threads are the most, and 60,000 replications one wave of them.
        let resident = Resident { workgroups: RESIDENT_PACKED, bytes: Some(3300) };
        assert_eq!(each_of(60_000, resident, &adapter), 19);
    }

    #[test]
    fn replications_fill_whole_waves_of_workgroups() {
        let mut adapter = AdapterDescription { multiprocessors: Some(132), ..AdapterDescription::imagined(true, 32) };
        let resident = Resident { workgroups: RESIDENT, bytes: None };
        let all = [1, 2112, 2113, 20_000, 50_000, 50_688, 50_689, u32::MAX];
        assert_eq!(all.map(|replications| each_of(replications, resident, &adapter)), [1, 2, 2, 16, 24, 24, 16, 24]);
        adapter.gpus = 2;
        assert_eq!(each_of(50_000, resident, &adapter), 16);
        adapter.multiprocessors = None;
        assert_eq!(
            [1, 2047, 2048, 20_000, 50_000].map(|replications| each_of(replications, resident, &adapter)),
            [1, 1, 2, 16, 16]
        );
    }
}
