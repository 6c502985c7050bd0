//! The memory that a run needs, compared with the free memory of this machine before anything is allocated.

use super::CommandError;
use super::case::Wanted;
use tickless_cells::gpu::DeviceCells;
pub(super) use tickless_core::memory::available;
use tickless_core::number::named;
use tickless_core::statistics::FacilityRecord;
use tickless_device::{AdapterDescription, AdapterKind, Target};
use tickless_pathfinding::SearchModel;
use tickless_pathfinding::gpu::{self, SearchOptions};
use tickless_processes::PholdModel;
use tickless_queueing::{ClassRecord, NetworkModel, Torus};

/// Bytes of a run, by facility and by token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    part: &'static str,
    facility: u64,
    token: u64,
}

/// Measured peaks of resident memory (with a warm-up, which keeps totals of its own), rounded up.
impl Need {
    /// The heap simulator: its records, its event list, and the outcome.
    pub const HEAP: Self = Self { part: "the heap simulator", facility: 232, token: 24 };
    /// The records from a device, and the outcome made of them.
    pub const READ_BACK: Self = Self { part: "reading the result back", facility: 584, token: 72 };
    /// The same where the device's own memory is this machine's: 36 bytes a facility and 52 a token more.
    pub const SHARED: Self = Self { part: "an adapter that shares this machine's memory", facility: 620, token: 124 };
    /// A device that shares this machine's memory and adds up its records itself: by appointments 154 bytes a facility with its
    /// token in tiles, 212 without, in a window 88; 52 for each further token.
    pub const ADDED_UP: Self = Self { part: Self::SHARED.part, facility: 164, token: 56 };

    fn bytes(&self, facilities: u64, tokens_each: u64) -> u64 {
        facilities * self.each(tokens_each)
    }

    fn each(&self, tokens_each: u64) -> u64 {
        self.facility + self.token * tokens_each
    }

    fn fits(&self, tokens_each: u64, available: u64) -> String {
        match (available / self.each(tokens_each)).isqrt() {
            0 => {
                let tokens = available.saturating_sub(self.facility) / self.token;
                format!("at most {tokens} tokens at a station")
            }
            side => format!("at most {side} x {side} stations"),
        }
    }

    /// For replications of a torus, on the heap or one on an adapter. The heap has the records of each further one.
    fn of_torus(
        &self,
        (model, torus): (&NetworkModel, Torus),
        replications: u32,
        available: Option<u64>,
    ) -> Result<(), CommandError> {
        let Torus { width, height } = torus;
        let tokens = model.tokens_at(0);
        let further = FURTHER_STATION + FURTHER_TOKEN * u64::from(tokens);
        let stations = u64::from(torus.stations());
        let asked = self.bytes(stations, tokens.into()) + u64::from(replications - 1) * further * stations;
        let what = format!(
            "{width} x {height} stations ({tokens} {} each){}",
            named(tokens, "token"),
            in_replications(replications)
        );
        let fits = |available| match replications {
            1 => self.fits(tokens.into(), available),
            _ => "fewer".into(),
        };
        refuse(what, &format!(" for {}", self.part), asked, available, fits)
    }
}

/// Bytes of a station and of a token in the records of one more replication on the heap.
const FURTHER_STATION: u64 = 136;
const FURTHER_TOKEN: u64 = 8;
/// The same for a class at a station, for which the heap needs as much while it runs.
const CLASS: u64 = size_of::<ClassRecord>() as u64;

/// Refuses a need of more than `available` bytes.
fn refuse(
    what: String,
    part: &str,
    asked: u64,
    available: Option<u64>,
    fits: impl FnOnce(u64) -> String,
) -> Result<(), CommandError> {
    match available {
        Some(available) if asked > available => {
            Err(CommandError::Memory { what, part: part.to_owned(), asked, available, fits: fits(available) })
        }
        _ => Ok(()),
    }
}

/// The same for a model without advice on a size that fits.
fn refuse_more(what: String, asked: u64, available: Option<u64>) -> Result<(), CommandError> {
    refuse(what, "", asked, available, |_| "fewer".into())
}

fn in_replications(count: u32) -> String {
    if count > 1 { format!(" in {count} replications") } else { String::new() }
}

/// Refuses one replication of a network on an adapter that is to give figures alone: a torus needs what the device needs, any
/// other network what its records do.
pub fn check_figures(model: &NetworkModel, adapter: AdapterKind, available: Option<u64>) -> Result<(), CommandError> {
    match (model.torus(), adapter) {
        (None, _) => check_network(model, 1, Some(adapter), available),
        (Some(torus), AdapterKind::Software | AdapterKind::Integrated) => {
            Need::ADDED_UP.of_torus((model, torus), 1, available)
        }
        (Some(_), _) => Ok(()),
    }
}

/// Refuses a network that needs more than `available` bytes to start: a station's records and accounts, and a token's
/// place in a queue, which grows by doubling, or its service and event. The heap keeps the records of each further
/// replication; a device runs all at once, and all of it comes back (measured where its memory is this machine's). What is
/// recorded of distributions and over time is kept for every replication, on the heap too.
pub fn check_network(
    model: &NetworkModel,
    replications: u32,
    adapter: Option<AdapterKind>,
    available: Option<u64>,
) -> Result<(), CommandError> {
    if let Some(torus) = model.torus().filter(|_| adapter.is_none() || replications == 1) {
        let need = match adapter {
            None => Need::HEAP,
            Some(AdapterKind::Software | AdapterKind::Integrated) => Need::SHARED,
            Some(_) => Need::READ_BACK,
        };
        return need.of_torus((model, torus), replications, available);
    }
    let (stations, tokens) = (model.stations(), model.tokens());
    let bytes = |station: u64, token: u64| station * u64::from(stations) + token * u64::from(tokens);
    // A device's histograms come back unchanged and are split into two, of the warm-up and of the run. Classes have
    // their own.
    let classes = 1 + u64::from(model.named_classes());
    let lists: u64 = model.observed().iter().map(|id| 1 + u64::from(model.recorded_times(*id))).sum();
    let histograms = classes * 8 * (lists + u64::from(model.sinks()));
    // Times by the number present, for all numbers from 0 on; the list grows by doubling. With classes twice that.
    let levels: u64 = model.observed().iter().map(|id| 16 * u64::from(model.tokens_at(*id))).sum();
    let levels = levels * classes.min(2);
    let bins = model.scale().map_or(0, |scale| u64::from(scale.bins()) * histograms + levels);
    let targets = if model.targets().is_empty() { 0 } else { (model.targets().len() as u64 + 1) * histograms };
    let kept = bins + targets + 8 * model.noted();
    let of_classes = CLASS * model.classes().len() as u64 * u64::from(stations);
    let (first, further) = if adapter.is_some() {
        (bytes(640, 96) + 3 * kept, bytes(640, 110) + 3 * kept)
    } else {
        (bytes(640, 96) + of_classes + kept, bytes(FURTHER_STATION, FURTHER_TOKEN) + kept)
    };
    let asked = first + of_classes + (further + of_classes) * u64::from(replications - 1);
    let what = format!("{stations} stations and {tokens} tokens at time 0{}", in_replications(replications));
    refuse_more(what, asked, available)
}

/// Refuses PHOLD where it needs more than `available` bytes: a process's state and records, and an event's place in the
/// list and in the outcome (the peaks of resident memory that were measured, rounded up), or on an adapter whose memory
/// this is. Of any other only the outcome is here: its slots come back part by part, unless the device adds them up.
pub fn check_phold(
    model: &PholdModel,
    added_up: bool,
    adapter: Option<AdapterKind>,
    available: Option<u64>,
) -> Result<(), CommandError> {
    let (process, event) = match adapter {
        None => (112, 112),
        Some(AdapterKind::Software | AdapterKind::Integrated) if added_up => (480, 92),
        Some(_) if added_up => (0, 0),
        Some(AdapterKind::Software | AdapterKind::Integrated) => (640, 128),
        Some(_) => (160, 36),
    };
    let asked = process * u64::from(model.processes()) + event * u64::from(model.events_at_start());
    let (processes, population) = (model.processes(), model.population());
    let (process, event) = (named(processes, "process"), named(population, "event"));
    refuse_more(format!("{processes} {process} with {population} {event} each"), asked, available)
}

/// Refuses cells that need more than `available` bytes: what the heap keeps of a replication, what a device's memory has
/// where that is this machine's, what comes back, and the outcome. `buffers` are bytes that the model itself brings to a
/// device, by way of a copy of it and one of the driver.
pub fn check_cells(
    (model, replications): (&impl DeviceCells, u32),
    buffers: u64,
    wanted: Wanted,
    adapter: Option<AdapterKind>,
    available: Option<u64>,
) -> Result<(), CommandError> {
    // A device adds up first passages if no other results are needed.
    let added_up = wanted == Wanted::Figures && adapter.is_some() && model.first_passage().is_some();
    let cells = model.space().cells();
    let (words, kept) = of_cell(model);
    let (each, once) = match adapter {
        None => (kept, kept + 48),
        Some(AdapterKind::Software | AdapterKind::Integrated) if added_up => (kept + 28, words + 48),
        Some(_) if added_up => (0, words + 48),
        Some(AdapterKind::Software | AdapterKind::Integrated) => (3 * kept + 28, words + 48),
        Some(_) => (2 * kept, words + 48),
    };
    let copies = match adapter {
        None => 0,
        Some(AdapterKind::Software | AdapterKind::Integrated) => 3,
        Some(_) => 2,
    };
    // The figures of replications are made on all cores, from 8 bytes a cell.
    let cores = (rayon::current_num_threads() as u64).min(replications.into());
    let asked = u64::from(cells) * (each * u64::from(replications) + once + 8 * cores) + copies * buffers;
    refuse_more(format!("{cells} cells{}", in_replications(replications)), asked, available)
}

/// Bytes of a cell: its state and output, and these with its times.
fn of_cell(model: &impl DeviceCells) -> (u64, u64) {
    let words = 4 * (model.state_words() + model.output_words()) as u64;
    (words, words + if model.elapsed() { 16 } else { 8 })
}

/// Bytes of a limited address space that a driver maps while it compiles and runs.
const DRIVER: u64 = 384 << 20;

/// The place of runs, and the part of this machine's memory that they may take.
#[derive(Clone, Copy)]
pub struct Room<'a> {
    /// The adapter; `None` on the heap.
    pub adapter: Option<&'a AdapterDescription>,
    /// The divisor of the free memory: twice the runs, so that half stays free.
    parts: u64,
}

impl<'a> Room<'a> {
    /// The room of one run.
    pub fn new(adapter: Option<&'a AdapterDescription>) -> Self {
        Self { adapter, parts: 1 }
    }

    /// The room of a run on a target.
    pub fn of(target: Target<'a>) -> Self {
        let Target::Device(device) = target else { return Self::new(None) };
        Self::new(Some(device.adapter()))
    }

    /// The room of each of several runs at a time, which leave half of it free.
    pub fn of_each(self, runs: usize) -> Self {
        Self { parts: if runs > 1 { 2 * runs as u64 } else { 1 }, ..self }
    }

    pub fn kind(&self) -> Option<AdapterKind> {
        self.adapter.map(|adapter| adapter.kind)
    }

    /// Bytes that are free for a run; `None` if unknown.
    pub fn available(&self) -> Option<u64> {
        let limited = self.adapter.is_some() && tickless_core::memory::address_space().is_some();
        available().map(|bytes| bytes.saturating_sub(if limited { DRIVER } else { 0 }) / self.parts)
    }
}

/// The available bytes beside checkpoints of this size, if checkpoints are wanted.
pub fn beside(checkpoint: u64, wanted: Wanted, available: Option<u64>) -> Option<u64> {
    let thread = if tickless_core::memory::address_space().is_some() { WRITER } else { 0 };
    let taken = if wanted == Wanted::Checkpoint { checkpoint + thread } else { 0 };
    available.map(|bytes| bytes.saturating_sub(taken))
}

/// Bytes of a limited address space that an allocator sets aside for the thread that writes checkpoints.
const WRITER: u64 = 144 << 20;

/// Bytes of checkpoints of a network: its state, the state before, and the file.
pub fn of_network_checkpoint(model: &NetworkModel, replications: u32) -> u64 {
    let each = 304 * u64::from(model.stations()) + 96 * u64::from(model.tokens());
    each * u64::from(replications)
}

/// The same for PHOLD.
pub fn of_phold_checkpoint(model: &PholdModel) -> u64 {
    72 * u64::from(model.processes()) + 48 * u64::from(model.events_at_start())
}

/// The same of cells.
pub fn of_cell_checkpoint(model: &impl DeviceCells, replications: u32) -> u64 {
    let (_, kept) = of_cell(model);
    2 * kept * u64::from(model.space().cells()) * u64::from(replications)
}

/// The same for searches.
pub fn of_search_checkpoint(model: &SearchModel) -> u64 {
    let paths = if model.keeps_paths() { 40 + 4 * path_bytes(model) } else { 0 };
    // The remaining searches have records and queries of their own.
    (128 + paths) * model.queries().len() as u64 + model.map().costs().len() as u64
}

/// Bytes of a path as long as half the way around the map: four bits a move.
fn path_bytes(model: &SearchModel) -> u64 {
    u64::from(model.map().width() + model.map().height()) / 4
}

/// Refuses a report of more stations than can be listed beside their records.
pub fn check_report(stations: u32, bytes: u64, available: Option<u64>) -> Result<(), CommandError> {
    // The records of the outcome still exist.
    let asked = bytes + u64::from(stations) * size_of::<FacilityRecord>() as u64;
    refuse(format!("{stations} stations"), " for the report", asked, available, |_| "fewer".into())
}

/// Refuses a landscape or a terrain that is made up, before it is: what its model and its run on the heap take of a cell at
/// the most, by the peaks that were measured.
pub fn check_ground(side: u32, each: u64, available: Option<u64>) -> Result<(), CommandError> {
    let cells = u64::from(side) * u64::from(side);
    let fits = |available: u64| format!("a side of at most {}", (available / each).isqrt());
    refuse(format!("{side} x {side} cells"), "", cells.saturating_mul(each), available, fits)
}

/// Bytes of a cell of a map while it is made and searches on it are drawn: its cost twice, and its place among the free
/// cells.
const MAP_CELL: u64 = 6;

/// Refuses a map, before it is made.
pub fn check_map([width, height]: [u32; 2], available: Option<u64>) -> Result<(), CommandError> {
    let asked = MAP_CELL * u64::from(width) * u64::from(height);
    let fits = |available: u64| format!("a side of at most {}", (available / MAP_CELL).isqrt());
    refuse(format!("{width} x {height} cells of a map"), "", asked, available, fits)
}

/// Refuses searches on so many free cells, before they are drawn: a query, a record and what holds a path, and the list of the cells.
pub fn check_queries(searches: u32, free_cells: u64, available: Option<u64>) -> Result<(), CommandError> {
    const SEARCH: u64 = 64;
    let cells = size_of::<u32>() as u64 * free_cells;
    let asked = cells + SEARCH * u64::from(searches);
    let fits = |available: u64| match available.saturating_sub(cells) / SEARCH {
        0 => "a smaller map".into(),
        searches => format!("at most {searches} searches"),
    };
    refuse(format!("{searches} {}", named(searches, "search")), "", asked, available, fits)
}

/// Refuses searches that need more than `available` bytes beside their map and queries: the moves of the map and its parts; the data of a core
/// of the heap simulator on the whole map and its open cells, or the memory of a device that shares this machine's; the records; and paths,
/// each as long as half the way around the map.
///
/// # Errors
/// [`CommandError::Memory`]; a map that does not fit the adapter.
pub fn check_searches(
    model: &SearchModel,
    options: &SearchOptions,
    adapter: Option<&AdapterDescription>,
    available: Option<u64>,
) -> Result<(), CommandError> {
    let (map, searches) = (model.map(), model.queries().len() as u64);
    let cells = map.costs().len() as u64;
    let at_work = match adapter {
        None => 5 * cells + 16 * cells,
        Some(adapter) if matches!(adapter.kind, AdapterKind::Software | AdapterKind::Integrated) => {
            let parts = gpu::parts(model, options, adapter)?;
            8 * cells + parts.buffers.iter().map(|buffer| buffer.size).sum::<u64>()
        }
        Some(_) => 8 * cells,
    };
    // A growing list exists twice for a moment, and data from a device also in its raw form.
    let copies = if adapter.is_some() { 4 } else { 3 };
    let each = 64 + if model.keeps_paths() { 16 + copies * path_bytes(model) } else { 0 };
    let what = format!(
        "{searches} {} on a map of {} x {} cells{}",
        named(searches, "search"),
        map.width(),
        map.height(),
        if model.keeps_paths() { ", with paths," } else { "" }
    );
    let remedy = match adapter {
        None => "fewer, or a smaller map",
        Some(_) => "fewer, a smaller map or a smaller --at-once",
    };
    refuse(what, "", at_work + each * searches, available, |_| remedy.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tickless_queueing::{Network, Station, Topology};

    fn torus(width: u32, height: u32, tokens: u32) -> NetworkModel {
        let each = Station::new("s", "exponential:10".parse().unwrap()).tokens(tokens);
        Network::generate(&Topology::Torus { width, height }, &each, 0.0).unwrap().check().unwrap()
    }

    #[test]
    fn figures_need_the_memory_of_the_device_alone() {
        let model = torus(100, 100, 1);
        let fits = |adapter, bytes| check_figures(&model, adapter, Some(bytes)).is_ok();
        assert!(fits(AdapterKind::Discrete, 0));
        let least = 10_000 * 220;
        assert!(fits(AdapterKind::Software, least) && !fits(AdapterKind::Software, least - 1));
    }

    #[test]
    fn where_no_facility_fits_the_tokens_are_said() {
        let error = check_network(&torus(1, 1, 1_000_000), 1, None, Some(24_232)).unwrap_err().to_string();
        assert!(error.ends_with("use at most 1000 tokens at a station"), "{error}");
    }

    #[test]
    fn a_network_that_does_not_fit_is_refused() {
        let mut network = Network::new();
        let desk = network.station(Station::new("desk", "constant:1".parse().unwrap()).tokens(1_000_000));
        network.route(desk, desk, 1.0, 0.0);
        let model = network.check().unwrap();
        assert!(
            check_network(&model, 1, None, None).is_ok() && check_network(&model, 1, None, Some(96_000_640)).is_ok()
        );
        let text = check_network(&model, 1, None, Some(96_000_639)).unwrap_err().to_string();
        assert_eq!(
            text,
            "1 stations and 1000000 tokens at time 0 need about 91.6 MiB of memory, 91.6 MiB are available: use fewer"
        );
        // A further replication adds its records on the heap, and all of itself on a device.
        for (adapter, more) in [(None, 8_000_136), (Some(AdapterKind::Discrete), 110_000_640)] {
            let enough = 96_000_640 + 2 * more;
            assert!(check_network(&model, 3, adapter, Some(enough)).is_ok());
            let text = check_network(&model, 3, adapter, Some(enough - 1)).unwrap_err().to_string();
            assert!(text.contains("tokens at time 0 in 3 replications need about"), "{text}");
        }
    }

    #[test]
    fn classes_count_at_every_station() {
        use tickless_queueing::Class;
        let model = |classes: u32| {
            let mut network = Network::new();
            (0..classes).for_each(|number| _ = network.class(Class::new(number.to_string())));
            let desk = network.station(Station::new("desk", "constant:1".parse().unwrap()).tokens(1));
            network.route(desk, desk, 1.0, 0.0);
            network.check().unwrap()
        };
        let fits =
            |classes, replications, bytes| check_network(&model(classes), replications, None, Some(bytes)).is_ok();
        for (replications, each) in [(1, 2 * CLASS), (4, 5 * CLASS)] {
            let one = (0..).find(|bytes| fits(1, replications, *bytes)).unwrap();
            assert!(fits(11, replications, one + 10 * each) && !fits(11, replications, one + 10 * each - 1));
        }
    }

    #[test]
    fn what_is_recorded_counts_in_every_replication() {
        use tickless_queueing::{Observed, Source};
        let mut network = Network::new();
        let desk = network.station(Station::new("desk", "constant:1".parse().unwrap()).tokens(10));
        let exit = network.sink("exit");
        network.source(Source::new("in", "constant:2".parse().unwrap(), desk));
        network.route(desk, exit, 1.0, 0.0);
        let plain = network.clone().check().unwrap();
        let recorded = network.distributions(Observed::All).check().unwrap();
        // Three lists of the station, one of the sink, and one place for each number present.
        let each = u64::from(recorded.scale().unwrap().bins()) * 32 + 160;
        let least = |model: &NetworkModel, replications| {
            let fits = |bytes: u64| check_network(model, replications, None, Some(bytes)).is_ok();
            (0..).map(|kibibyte| 1024 * kibibyte).find(|bytes| fits(*bytes)).unwrap()
        };
        for replications in [1, 100_000] {
            let more = least(&recorded, replications) - least(&plain, replications);
            assert!(more.abs_diff(each * u64::from(replications)) <= 1024, "{more} for {replications}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused_with_what_does() {
        let one = check_network(&torus(20_000, 10_000, 1), 1, None, Some(1)).unwrap_err().to_string();
        assert!(one.contains("stations (1 token each) need"), "{one}");
        let model = torus(20_000, 10_000, 2);
        assert!(check_network(&model, 1, None, None).is_ok());
        assert!(check_network(&model, 1, None, Some(200_000_000 * 280)).is_ok());
        let error = check_network(&model, 1, None, Some(280 * 1_000_000)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "20000 x 10000 stations (2 tokens each) need about 52.2 GiB of memory for the heap simulator, \
             267.0 MiB are available: use at most 1000 x 1000 stations"
        );
    }
}
