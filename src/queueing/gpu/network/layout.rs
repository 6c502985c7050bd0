//! The places of all words of a network on a device, as in `shaders/queueing/places.wgsl`.

use std::collections::BTreeMap;
use std::ops::Range;

use super::appointments::{Appointed, STATION_LINKS, reaches};
use super::approximation::{self, Approximation};
use super::classes;
use super::crowds::{crowds, is_front};
use super::levels::Levels;
use crate::NetworkModel;
use crate::capability::{room, usable_servers};
use crate::gpu::records::{NONE, OUTSIDE, Parameters};
use crate::options::Synchronization;
use tickless_core::random::{StreamKey, logarithm_table};
use tickless_device::DeviceError;
use tickless_device::laws::Laws;
use tickless_kernels::Mounts;
use tickless_kernels::layout::mirrors;

/// Slots of a chunk of the pool; `CHUNK` in `shaders/queueing/places.wgsl`.
pub(super) const CHUNK: u32 = 32;
/// Words of 8 bytes of annex for a way out, a token and a source.
pub(super) const EXIT: u64 = 3;
const BIRTH: u64 = 2;
const ORIGIN: u64 = 3;
/// ... and for a class at a station.
pub(super) const CLASS_SUMS: u64 = 4;
/// ... and for the intervals of a source: `shaders/queueing/source_words.wgsl`.
pub(super) const SOURCE_WORDS: u64 = 2;
/// ... and for a station with shifts: `shaders/queueing/shifts.wgsl`.
const SHIFT_WORDS: u64 = 3;
/// Words of links for a crowd: `HEADS` of `shaders/queueing/crowds.wgsl` and two more.
const CROWD_LINKS: u64 = 256 + 2;

mirrors! {
    /// `Places` of `shaders/queueing/places.wgsl`.
    pub(super) struct Places in "queueing/places" "Places" {
        pub(super) each: u32,
        pub(super) tokens_each: u32,
        pub(super) sources_each: u32,
        pub(super) edges: u32,
        pub(super) laws: u32,
        pub(super) sources: u32,
        pub(super) logarithms: u32,
        pub(super) servers_each: u32,
        pub(super) exits: u32,
        pub(super) exits_each: u32,
        pub(super) births: u32,
        pub(super) origins: u32,
        pub(super) returned: u32,
        pub(super) cursor: u32,
        pub(super) chunks: u32,
        pub(super) first: u32,
        pub(super) crowds: u32,
        pub(super) crowds_each: u32,
        pub(super) crowds_all: u32,
        pub(super) heads: u32,
        pub(super) scratch: u32,
        pub(super) scratch_size: u32,
        pub(super) observed: u32,
        pub(super) ways: u32,
        pub(super) observations: u32,
        pub(super) observations_each: u32,
        pub(super) stays: u32,
        pub(super) sinks_each: u32,
        pub(super) shift: u32,
        pub(super) bins: u32,
        pub(super) classes: u32,
        pub(super) class_sums: u32,
    }
}

/// All sizes and constants.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) replications: Range<u32>,
    pub(super) parameters: Parameters,
    pub(super) places: Places,
    pub(super) model_table: Vec<[u32; 4]>,
    /// Words of 8 bytes of the annex.
    pub(super) annex: u64,
    /// In approximate time.
    pub(super) approximation: Option<Approximation>,
    /// By appointments.
    pub(super) appointed: Option<Appointed>,
    /// The sink of each way out of a replication; of a network of classes the class at a sink.
    pub(super) exits: Vec<u32>,
    /// The mounts where tokens have classes.
    pub(super) of_classes: Option<Mounts>,
    /// Whether every station has one server and unlimited room.
    pub(super) single: bool,
    /// Whether the crowds are fronts: stations with tokens of one source each.
    pub(super) fronts: bool,
    /// Whether some law has a table.
    pub(super) tabled: bool,
    /// Where distributions are recorded, the room for each observed station.
    pub(super) levels: Option<Levels>,
    /// Where the record of each observed station begins among those of a replication, in words of annex.
    pub(super) observed: Vec<u64>,
}

pub(super) fn halves(value: u64) -> [u32; 2] {
    [value as u32, (value >> 32) as u32]
}

impl Layout {
    /// The layout of so many replications, each with places for so many tokens beside those of sources and with so many chunks of
    /// the pool, and with this room in distributions, for so many GPUs.
    ///
    /// # Errors
    /// More than 32 bits can number.
    pub(super) fn new(
        model: &NetworkModel,
        replications: Range<u32>,
        (tokens_each, chunks): (u32, u64),
        levels: Option<Levels>,
        (synchronization, gpus): (Synchronization, u32),
    ) -> Result<Self, DeviceError> {
        let by_appointments = synchronization != Synchronization::Window;
        let copies = replications.len() as u64;
        let recorded = levels.as_ref().zip(model.scale()).map(|(levels, scale)| levels.places(scale));
        let (observations_each, observed) = recorded.unwrap_or_default();
        let bins = model.scale().map_or(0, |scale| scale.bins());
        // Workgroups decide stations only in rounds that share a bound; several GPUs tell each other about stations of
        // blocks alone.
        let crowds = if by_appointments || gpus > 1 { BTreeMap::new() } else { crowds(model) };
        let mut rows = Rows::new(model, &crowds, levels.as_ref().map(|levels| (levels, &observed[..])));
        let servers_each = rows.servers;
        let exits_each = rows.exits.len() as u64;
        let sources = copies * u64::from(model.sources());
        let stations = copies * u64::from(model.stations());
        let cell = cell(sources);
        let cells = sources * u64::from(cell);
        let entities = cells + copies * u64::from(tokens_each) + chunks * u64::from(CHUNK);
        let crowds = copies * u64::from(rows.crowds.1);
        // Two rounds, since one takes what the last one left.
        let (station_links, source_links) = if by_appointments { (STATION_LINKS, 2) } else { (1, 1) };
        let returned = station_links * stations;
        let cursor = returned + source_links * sources;
        let stays = cursor + 1 + crowds * CROWD_LINKS;
        let links = stays + copies * u64::from(model.sinks()) * u64::from(bins);
        let scratch_size = if crowds > 0 { (2 * entities).next_power_of_two() } else { 0 };
        let exits = copies * servers_each;
        let origins = exits + EXIT * copies * exits_each;
        let class_sums = origins + ORIGIN * sources;
        let counted = |each: u32| if model.rules_of_classes().is_some() { copies * u64::from(each) } else { 0 };
        let behind_origins =
            class_sums + CLASS_SUMS * counted(model.places()) + SOURCE_WORDS * counted(model.sources());
        let appointed = by_appointments.then(|| Appointed::new(model, &mut rows.words, behind_origins, copies));
        let (appointed, lags) = appointed.map_or((None, behind_origins), |(appointed, end)| (Some(appointed), end));
        let births = lags + if model.approximate().is_some() { approximation::STATION * stations } else { 0 };
        let originals = births + BIRTH * entities;
        let observations = originals + if model.approximate().is_some() { approximation::ENTITY * entities } else { 0 };
        let annex = observations + copies * observations_each;
        let most = u64::from(OUTSIDE);
        for (what, asked) in [
            ("sources and tokens of all replications", entities),
            ("stations of all replications", stations),
            ("words for links", (links + 3 * entities + scratch_size) / 2),
            ("words for servers, sources, tokens and distributions", annex / 2),
            ("rows of stations, routes and laws", rows.words.len() as u64),
        ] {
            if asked >= most {
                let (what, asked, available) = (what.to_owned(), asked.to_string(), most.to_string());
                let remedy = ": use fewer replications, stations or tokens".to_owned();
                return Err(DeviceError::Limit { what, asked, available, adapter: "32-bit numbers".into(), remedy });
            }
        }
        let places = Places {
            each: model.stations(),
            tokens_each,
            sources_each: model.sources(),
            edges: rows.edges,
            laws: rows.laws,
            sources: rows.sources,
            logarithms: rows.logarithms,
            servers_each: servers_each as u32,
            exits: exits as u32,
            exits_each: exits_each as u32,
            births: births as u32,
            origins: origins as u32,
            returned: returned as u32,
            cursor: cursor as u32,
            chunks: chunks as u32,
            first: replications.start,
            crowds: rows.crowds.0,
            crowds_each: rows.crowds.1,
            crowds_all: crowds as u32,
            heads: (cursor + 1) as u32,
            scratch: (links + 3 * entities + 1) as u32,
            scratch_size: scratch_size as u32,
            observed: rows.observed,
            ways: rows.ways,
            observations: observations as u32,
            observations_each: observations_each as u32,
            stays: stays as u32,
            sinks_each: model.sinks(),
            shift: model.scale().map_or(0, |scale| scale.shift()),
            bins,
            classes: model.class_count(),
            class_sums: class_sums as u32,
        };
        let parameters = Parameters {
            key: StreamKey::base(model.seed()),
            until: model.until().ticks(),
            stations: stations as u32,
            entities: entities as u32,
            cells: cells as u32,
            cell,
            links: links as u32,
            unused: 0,
        };
        Ok(Self {
            replications,
            parameters,
            places,
            model_table: std::mem::take(&mut rows.words),
            annex,
            approximation: model.approximate().map(|time| Approximation::new(time, lags, originals)),
            appointed,
            exits: rows.exits,
            of_classes: model.rules_of_classes().map(|rules| classes::mounts(model, rules)),
            single: rows.single,
            fronts: rows.fronts,
            tabled: rows.tabled,
            levels,
            observed,
        })
    }

    /// Places for tokens: all entities but the sources.
    pub(super) fn token_places(&self) -> u64 {
        u64::from(self.parameters.entities - self.sources())
    }

    /// The sources of all replications.
    pub(super) fn sources(&self) -> u32 {
        self.parameters.cells / self.parameters.cell
    }
}

/// The number of entities in the cell of a source: the source and its first slots. Large cells also spread the sources
/// of a small network over many workgroups.
fn cell(sources: u64) -> u32 {
    const ENTITIES: u64 = 1 << 20;
    (ENTITIES / sources.max(1)).clamp(8, 64).next_power_of_two().min(64) as u32
}

/// The words of `model_table`.
struct Rows {
    words: Vec<[u32; 4]>,
    edges: u32,
    laws: u32,
    sources: u32,
    logarithms: u32,
    /// Words of annex for the servers of a replication.
    servers: u64,
    exits: Vec<u32>,
    /// Whether every station has one server and unlimited room.
    single: bool,
    /// The first of the rows of the crowds, and their number.
    crowds: (u32, u32),
    /// Whether the crowds are fronts.
    fronts: bool,
    /// Whether some law has a table.
    tabled: bool,
    /// Where distributions are recorded: the first of the rows with the places of a station's record, and with the sink
    /// of a way out.
    observed: u32,
    ways: u32,
}

impl Rows {
    fn new(model: &NetworkModel, crowds: &BTreeMap<u32, [u32; 4]>, recorded: Option<(&Levels, &[u64])>) -> Self {
        let stations = model.stations();
        let fronts = crowds.values().any(is_front);
        let mut single = true;
        let mut laws = Laws::default();
        let mut words =
            Vec::with_capacity((2 * stations + model.places() + model.edges().len() as u32) as usize + 1024);
        let behind = 2 * stations + if model.rules_of_classes().is_some() { model.places() } else { 0 };
        let (of_stations, shifts) =
            model.rules_of_classes().map_or_else(Default::default, |rules| classes::station_rows(rules, behind));
        let (mut servers, mut token) = (0, 0);
        for id in 0..stations {
            // In a network of classes each class has its own.
            let [first, behind, law] = match model.rules_of_classes() {
                None => [model.row_of(id).start, model.row_of(id).end, laws.number(model.law(id))],
                Some(_) => of_stations[id as usize],
            };
            let (count, here) = (usable_servers(model, id), model.tokens_at(id));
            let room = room(model, id);
            words.push([first, behind, law, count]);
            words.push([room, servers as u32, token, here]);
            single &= count == 1 && room == NONE;
            // A crowd keeps its servers in order and needs as many words to move them to; in approximate time each server
            // has an original time.
            let copies = if crowds.contains_key(&id) || model.approximate().is_some() { 2 } else { 1 };
            servers += if count > 1 { copies * u64::from(count) } else { 0 };
            servers += u64::from(if room == NONE { 0 } else { room });
            servers +=
                if of_stations.get(id as usize).is_some_and(|[.., shifts]| *shifts > 0) { SHIFT_WORDS } else { 0 };
            token += here;
        }
        let mut token = 0;
        for visit in model.rules_of_classes().iter().flat_map(|rules| &rules.visits) {
            words.push([visit.first, visit.end, laws.number(&visit.law), token]);
            token += visit.tokens;
        }
        words.extend(shifts);
        let edges = words.len() as u32;
        let mut exits = vec![];
        let of_class = |place: u32, class: u32| place * model.class_count() + class;
        for edge in model.edges() {
            let [low, high] = halves(edge.delay.ticks());
            let target = match edge.target.checked_sub(stations) {
                None => of_class(edge.target, edge.becomes),
                Some(sink) => {
                    exits.push(of_class(sink, edge.becomes));
                    OUTSIDE + exits.len() as u32 - 1
                }
            };
            words.push([edge.upper, target, low, high]);
        }
        let [of_intervals, of_batches] =
            model.rules_of_classes().map_or([0; 2], |rules| classes::source_rows(rules, &mut words));
        let sources = words.len() as u32;
        for (source, (inflow, reach)) in (0..).zip(model.inflows.iter().zip(reaches(model))) {
            let law = laws.number(&inflow.law);
            let [low, high] = halves(inflow.limit);
            words.push([law, of_class(inflow.target, model.class_of_source(source)), low, high]);
            let [low, high] = halves(inflow.start.ticks());
            let [a, b] = match model.rules_of_classes() {
                None => halves(reach),
                Some(_) => [of_intervals + 2 * source, of_batches + source],
            };
            words.push([low, high, a, b]);
        }
        let of_crowds = (words.len() as u32, crowds.len() as u32);
        words.extend(crowds.values());
        let observed = words.len() as u32;
        let mut ways = observed;
        if let Some((levels, places)) = recorded {
            words.resize(words.len() + stations as usize, [NONE, 0, 0, 0]);
            for (place, id) in model.observed().iter().enumerate() {
                words[(observed + id) as usize] = [places[place] as u32, levels.0[place], 0, 0];
            }
            ways = words.len() as u32;
            words.extend(exits.iter().map(|sink| [*sink, 0, 0, 0]));
        }
        let logarithms = words.len() as u32;
        words.extend_from_slice(bytemuck::cast_slice(logarithm_table()));
        let tabled = !laws.tables.is_empty();
        words.extend(laws.tables);
        let first_law = words.len() as u32;
        words.extend(laws.words);
        Self {
            words,
            edges,
            laws: first_law,
            sources,
            logarithms,
            servers,
            exits,
            single,
            crowds: of_crowds,
            fronts,
            tabled,
            observed,
            ways,
        }
    }
}
