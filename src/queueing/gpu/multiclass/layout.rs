//! Where everything lies, and the parts that the engine runs.

use std::ops::Range;

use super::features::Features;
use super::records::{
    ACCOUNT_WORDS, HEADER_WORDS, HOLDING_WORDS, INTERRUPTED_WORDS, Parameters, RATE_WORDS, SHARING_WORDS, SINK_WORDS,
    SOURCE_WORDS, STATION_WORDS, Status, TOKEN_WORDS,
};
use super::structure::{changes, structure};
use crate::device::{self, AdapterDescription, AdapterKind, BufferSpec, BufferUse, DeviceError};
use crate::engine::{ModelParts, ModelStatus, Options, Sizes, Stage, StageKernel, Work, workgroup};
use crate::queueing::NetworkModel;
use crate::queueing::multiclass::{Rules, StationRules};
use crate::random::{StreamKey, logarithm_table};
use crate::time::Time;

/// Bytes of a word of a replication.
const WORD: u64 = 8;
/// The most bytes of the replications that run at once in software: what caches may hold in part.
const MOST_IN_SOFTWARE: u64 = 1 << 26;
/// Tokens at a station, and on their way.
const QUEUE: u32 = 40;
/// Replications up to which a workgroup is one subgroup: few have more multiprocessors to themselves.
const FEW: u32 = 1 << 14;

/// How much of everything there is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    pub(super) parameters: Parameters,
    /// What is said of the network, in rows.
    structure: Vec<[u32; 4]>,
    /// The rows of the tables of laws.
    tables: Vec<[u32; 4]>,
    pub(super) features: Features,
}

impl Layout {
    /// Of these replications, with so many places for tokens in each.
    pub(super) fn new(model: &NetworkModel, rules: &Rules, replications: &Range<u32>, places: u32) -> Self {
        let interrupts = rules.stations.iter().any(StationRules::interrupts);
        let features = Features::of(rules);
        let mut parameters = Parameters {
            key: StreamKey::base(model.seed()),
            warmup: model.warmup().ticks(),
            first: replications.start,
            replications: replications.len() as u32,
            stations: model.stations(),
            sources: model.sources(),
            classes: rules.classes(),
            token_words: if interrupts || features.sharing { INTERRUPTED_WORDS } else { TOKEN_WORDS },
            places: places.next_multiple_of(4),
            tokens: model.tokens(),
            source_words: if features.rates { RATE_WORDS } else { SOURCE_WORDS },
            // `check` has seen to it that they are few enough.
            fixed: model.sources() + 1 + changes(model, rules) as u32,
            ..Parameters::default()
        };
        let (structure, tables) = structure(model, rules, &mut parameters);
        let p = &mut parameters;
        p.holding = STATION_WORDS + p.level_count.next_multiple_of(4);
        p.sharing = p.holding + if features.blocking { HOLDING_WORDS } else { 0 };
        p.station_words = p.sharing + if features.sharing { SHARING_WORDS } else { 0 };
        p.sources_at = HEADER_WORDS;
        p.stations_at = p.sources_at + (p.source_words * p.sources).next_multiple_of(4);
        p.accounts_at = p.stations_at + p.station_words * p.stations;
        p.sinks_at = p.accounts_at + ACCOUNT_WORDS * p.stations * p.classes;
        p.tokens_at = p.sinks_at + SINK_WORDS * model.sinks() * p.classes;
        p.times_at = p.tokens_at + p.token_words * p.places;
        p.events_at = p.times_at + p.fixed.next_multiple_of(4) + p.places;
        Self { parameters, structure, tables, features }
    }

    /// Places for tokens that seem enough: what nobody takes costs room and no time, and to make more room takes long.
    pub(super) fn first_places(model: &NetworkModel, rules: &Rules) -> u32 {
        let each = |station| model.capacity(station).min(QUEUE);
        let batch = rules.sources.iter().map(|source| source.batch.len() as u32).max().unwrap_or(0);
        let first = model.tokens().saturating_add(QUEUE.max(batch));
        (0..model.stations()).map(each).fold(first, u32::saturating_add)
    }

    /// Words of a replication.
    pub(super) fn words(&self) -> u64 {
        let Parameters { times_at, events_at, .. } = self.parameters;
        2 * u64::from(events_at) - u64::from(times_at)
    }

    /// How many replications fit an adapter at once.
    pub(super) fn fitting(&self, adapter: &AdapterDescription) -> u32 {
        let most = adapter.capabilities.buffer_size.min(adapter.capabilities.binding_size);
        let most = match adapter.kind {
            AdapterKind::Software => most.min(MOST_IN_SOFTWARE),
            // An eighth is left to others.
            _ => most - most / 8,
        };
        // 32 bits number the words.
        (most / WORD).min(u32::MAX.into()).checked_div(self.words()).unwrap_or(0).min(u32::MAX.into()) as u32
    }

    /// Why not even one replication fits.
    pub(super) fn no_room(&self, adapter: &AdapterDescription) -> DeviceError {
        let available = adapter.capabilities.buffer_size.min(adapter.capabilities.binding_size);
        DeviceError::Limit {
            what: "a replication of the network".into(),
            asked: device::bytes(WORD * self.words()),
            available: device::bytes(available),
            adapter: adapter.name.clone(),
            remedy: ": use a shorter horizon, or look for a station that is offered more than it serves".into(),
        }
    }

    /// The kernels and buffers.
    ///
    /// # Errors
    /// Sizes that no kernel can be made with.
    pub(super) fn parts(&self, adapter: &AdapterDescription, options: &Options) -> Result<ModelParts, DeviceError> {
        let replications = self.parameters.replications;
        let workgroup = workgroup(if replications <= FEW { 32 } else { 64 }, adapter, options)?;
        let mounts = self.features.mounts().with("faults", "lib/faults");
        let mounts = match self.tables.is_empty() {
            true => mounts.with("logarithm_rows", "lib/logarithms").with("tables", "lib/no_tables"),
            false => mounts.with("logarithm_rows", "lib/longer_logarithms").with("tables", "lib/tables"),
        };
        let kernel = |label| StageKernel::new(label, &mounts);
        let work = Work::Workgroups(replications.div_ceil(workgroup));
        let mut logarithms: Vec<[u32; 4]> = bytemuck::cast_slice(logarithm_table()).to_vec();
        logarithms.extend_from_slice(&self.tables);
        let status = Status { left: 0, earliest: u32::MAX, latest: 0, unused: 0 };
        Ok(ModelParts {
            label: "replications",
            entities: 1,
            lookahead: Time::ZERO,
            sizes: Sizes { workgroup, elements: 1, blocks: 1 },
            buffers: vec![
                BufferSpec::filled("parameters", BufferUse::Uniform, bytemuck::bytes_of(&self.parameters).to_vec()),
                BufferSpec::words("structure", self.structure.as_flattened()),
                BufferSpec::words("logarithms", logarithms.as_flattened()),
                BufferSpec::storage("held", u64::from(replications) * self.words(), WORD),
            ],
            first: vec![Stage { kernel: kernel("multiclass/initialize"), work }],
            round: vec![
                Stage { kernel: kernel("multiclass/advance"), work },
                Stage { kernel: kernel("multiclass/tally"), work: Work::Workgroups(1) },
            ],
            rounds_each: 0,
            status: ModelStatus::new("multiclass/status", &status),
            last: vec![],
            results: vec![],
        })
    }
}
