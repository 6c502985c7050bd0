//! The places of all words of a batch, and the parts that the engine runs.

use super::batch::Batch;
use super::controlled::Sizes;
use super::features::Features;
use super::fold;
use super::histograms::{self, OBSERVED};
use super::model_table::{Rows, model_table};
use super::parts::{clocks, likely_pending, most_copies, most_parts};
use super::records::{
    ABSENCE_WORDS, ACCOUNT_WORDS, ASIDE_WORDS, CLOCK_WORDS, COUNT_WORDS, DETAIL_WORDS, DOWN_WORDS, EVENT_WORDS,
    FORK_WORDS, FORKED_WORDS, HEADER_WORDS, HELD_WORDS, HOLDING_WORDS, IMPATIENT_WORDS, INTERRUPTED_WORDS,
    LEAN_TOKEN_WORDS, LIST_WORDS, NODE_WORDS, PACED_TOKEN_WORDS, PACED_WORDS, PACKED_TOKEN_WORDS, Parameters,
    RATE_WORDS, REPEATED_WORDS, RESOURCE_WORDS, SERVER_WORDS, SERVERS_WORDS, SHARED_WORDS, SHARING_WORDS, SHELF_WORDS,
    SINK_WORDS, SOURCE_WORDS, STATION_WORDS, TOKEN_WORDS, TREE_WORDS, TURN_WORDS, UNIT_WORDS, VISIT_WORDS,
};
use super::rows::{Copy, Row};
use crate::NetworkModel;
use crate::capability::changes;
use crate::model::{Rules, SourceRules};
use tickless_core::random::StreamKey;
use tickless_core::time::Time;
use tickless_device::{self as device, AdapterDescription, AdapterKind, DeviceError};

/// Bytes of a word of a replication.
pub(super) const WORD: u64 = 8;
/// The most bytes of replications that run at once in software: so many may stay in caches in part.
const MOST_IN_SOFTWARE: u64 = 1 << 26;
/// Tokens at a station, and on their way.
pub(super) const QUEUE: u32 = 40;
/// With more events pending their clocks are a tree: with 100 of them it has 0.92 of the rate of clocks near the threads, with 300 eleven times
/// (10,000 replications of a station with servers for everyone, H200, CUDA).
const MOST_NEAR_CLOCKS: u32 = 128;
/// The most places for tokens in a replication.
pub(super) const MOST_PLACES: u32 = u32::MAX / 16;

/// The sizes of all parts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    pub(super) parameters: Parameters,
    /// The model table, in rows.
    pub(super) model_table: Rows,
    /// The rows of the tables of laws.
    pub(super) tables: Rows,
    pub(super) features: Features,
    /// What is decided in a run, in its sizes.
    pub(super) control: Sizes,
    /// Whether replications are of several networks.
    pub(super) several: bool,
    /// A number of clocks that is enough for nearly all events: of few a multiple of four, else a power of two, so that few kernels differ
    /// by it.
    pub(super) clocks: u32,
    /// The places for tokens that are in use at most times.
    pub(super) common_places: u32,
    /// Whether sums of times may pass 64 bits.
    pub(super) carries: bool,
    /// Whether a token has one row.
    pub(super) packed: bool,
    /// Words of an account: of a class at a station.
    pub(super) own_account_words: u32,
    kinds: [Records; 12],
    /// Words of a replication.
    words: u64,
}

/// The kinds of records of a replication, in their order behind its header.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Source = 1,
    Station,
    Account,
    Annex,
    Sink,
    // Servers that fail by use have no part here.
    Resource = 7,
    Fork,
    Token,
    Event,
    // The tree of their clocks has no part here, either.
}

/// The records of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Records {
    /// The first word of the first record in a replication.
    begin: u64,
    /// Words of each record.
    words: u32,
}

/// Words of a class at a station: words that no kernel writes take no room.
fn account_words(features: Features) -> u32 {
    match features {
        Features { sharing: true, .. } => SHARED_WORDS,
        Features { routing, blocking, interruptions, .. } if routing || blocking || interruptions => TURN_WORDS,
        Features { impatience: true, .. } => IMPATIENT_WORDS,
        _ => ACCOUNT_WORDS,
    }
}

/// Words of a group of servers, in a network of so many classes: a row of its times, one of its servers, its batches and its turn, and rows of four
/// of its tokens by class.
pub(super) fn group_words(classes: u32) -> u32 {
    2 * (2 + classes.div_ceil(4))
}

/// The most groups of servers of a station.
pub(super) fn most_groups(rules: &Rules) -> u32 {
    rules.stations.iter().map(|station| station.groups.len() as u32).max().unwrap_or(0)
}

/// Words of a station before its lists.
pub(super) fn station_words(features: Features) -> u32 {
    if features.keeps_servers() { STATION_WORDS } else { STATION_WORDS - SERVERS_WORDS }
}

/// Whether a token fits one row: its times have 48 bits, its class has 7, and its place 24.
fn is_packed(model: &NetworkModel, features: Features, places: u32) -> bool {
    let rules = model.rules();
    let fits = model.until().ticks() < 0xffff << 32 && rules.classes() <= 1 << 7 && places < 1 << 23;
    let lists = u64::from(model.stations()) * rules.levels.len() as u64;
    features.is_lean()
        && !features.impatience
        && !features.groups
        && fits
        && rules.by_visit.is_empty()
        && lists < 1 << 22
}

/// Places for the events of tokens. Where nobody loses patience and ways take no time, a token has an event while a server serves it, and
/// behind that until all others of its time have happened: services take a tick at least, so that a server has no more than two.
fn token_events(batch: &Batch<'_>, features: Features, places: u32) -> u32 {
    if !features.is_lean() || features.impatience || features.delays || features.bulks {
        return places;
    }
    let of_station = |(model, id): (&NetworkModel, u32)| match model.has_infinite_servers(id) {
        true => places,
        false => model.servers(id).saturating_mul(2),
    };
    let of_all =
        |model: &NetworkModel| (0..model.stations()).map(|id| of_station((model, id))).fold(0, u32::saturating_add);
    batch.networks().map(of_all).max().unwrap_or(0).min(places)
}

/// How many of the lowest bits of a time a clock leaves out: up to the horizon 32 bits are left, and the place takes the lowest of these.
fn clock_bits(until: Time) -> u32 {
    (u64::BITS - until.ticks().leading_zeros()).saturating_sub(u32::BITS).clamp(1, 31)
}

fn largest_batch(rules: &Rules) -> u32 {
    rules.sources.iter().map(SourceRules::largest_batch).max().unwrap_or(0)
}

/// Places for tokens beside those of stations: hardly any where stations have little room, and nothing is likely to be between them. A run
/// that needs more begins again with more.
fn spare(model: &NetworkModel) -> u32 {
    let is_limited = |station| model.capacity(station) <= QUEUE;
    let is_known = model.has_loads() && model.likely_on_their_way() == 0;
    // The token that finds no room has a place for a moment.
    if is_known && (0..model.stations()).all(is_limited) { 1 } else { QUEUE }
}

/// The rows of all networks, one behind the other, and of their tables; for several networks also the rows of each replication.
/// `parameters` gets the beginnings of each kind of rows, which are the same for all networks.
fn model_tables(batch: &Batch<'_>, parameters: &mut Parameters) -> (Rows, Rows) {
    let (mut rows, mut tables, mut begins) = (vec![], vec![], vec![]);
    for model in batch.networks() {
        begins.push(rows.len() as u32);
        let (more, of_laws) = model_table((model, model.rules()), tables.len(), parameters);
        rows.extend(more);
        tables.extend(of_laws);
    }
    if batch.networks().len() > 1 {
        parameters.copies = rows.len() as u32;
        let copy = |(network, number): &(u32, u32)| Copy { begin: begins[*network as usize], number: *number };
        rows.extend(batch.copies().iter().map(|of| Row::from(copy(of))));
    }
    (rows, tables)
}

/// The bytes that all replications may have at once.
fn room(adapter: &AdapterDescription) -> u64 {
    let most = adapter.capabilities.buffer_size.min(adapter.capabilities.binding_size);
    match adapter.kind {
        AdapterKind::Software => most.min(MOST_IN_SOFTWARE),
        // An eighth is left to other programs.
        _ => most - most / 8,
    }
}

impl Layout {
    /// The layout of these replications, each with this many places for tokens.
    pub(super) fn new(batch: &Batch<'_>, places: u32) -> Self {
        let model = batch.first();
        let rules = model.rules();
        let features = Features::of(model, rules);
        let places = places.next_multiple_of(4);
        let packed = is_packed(model, features, places);
        let (own_words, sharing_words) = match features {
            Features { paced: true, .. } => (PACED_TOKEN_WORDS, PACED_WORDS),
            Features { sharing: true, .. } => (INTERRUPTED_WORDS, SHARING_WORDS),
            Features { interruptions: true, .. } => (INTERRUPTED_WORDS, 0),
            _ if packed => (PACKED_TOKEN_WORDS, 0),
            _ => (if features.is_lean() { LEAN_TOKEN_WORDS } else { TOKEN_WORDS }, 0),
        };
        let visited_words = own_words + VISIT_WORDS * (rules.by_visit.len() as u32).div_ceil(4);
        let resources = rules.resources.len() as u32;
        let held_words = if features.units { HELD_WORDS * (1 + resources).div_ceil(4) } else { 0 };
        let forked = visited_words + held_words;
        let repeated = forked + if features.forks { FORKED_WORDS } else { 0 };
        let node = repeated + if features.repeats { REPEATED_WORDS } else { 0 };
        let values = node + if features.random { NODE_WORDS } else { 0 };
        let token_words = values + 2 * (rules.attributes.len() as u32).div_ceil(2);
        let source_words = if features.rates || features.varied { RATE_WORDS } else { SOURCE_WORDS };
        let mut parameters = Parameters {
            key: StreamKey::base(model.seed()),
            warmup: model.warmup().ticks(),
            first: batch.copies().first().map_or(0, |(_, number)| *number),
            replications: batch.len() as u32,
            stations: model.stations(),
            sources: model.sources(),
            classes: rules.classes(),
            places,
            tokens: model.tokens(),
            // `check` has made sure that they are few enough.
            fixed: model.sources() + 1 + changes(model, rules) as u32,
            ..Parameters::default()
        };
        histograms::plan(model, rules, &mut parameters);
        fold::plan(model, &mut parameters);
        let (model_table, tables) = model_tables(batch, &mut parameters);
        let p = &mut parameters;
        let lines = if rules.stations.iter().any(|station| station.seizes_early) { 2 } else { 1 };
        p.list_count = p.level_count * lines;
        p.places += if packed { p.list_count * p.stations } else { 0 };
        p.holding = station_words(features) + LIST_WORDS * p.list_count;
        p.sharing = p.holding + if features.blocking { HOLDING_WORDS } else { 0 };
        let absence = p.sharing + sharing_words;
        p.absence = absence / 2;
        let outside = absence + if features.absences { ABSENCE_WORDS } else { 0 };
        p.outside = outside / 2;
        let aside = outside + if features.units { UNIT_WORDS } else { 0 };
        p.aside = aside / 2;
        let downtime = aside + if features.forks { ASIDE_WORDS + SHELF_WORDS * most_parts(rules) } else { 0 };
        p.downtime = if rules.has_failures() { downtime / 2 } else { 0 };
        let trees = downtime + if rules.has_failures() { DOWN_WORDS } else { 0 };
        p.trees = trees / 2;
        let groups = trees + if features.random { TREE_WORDS * p.level_count } else { 0 };
        p.group_words = groups / 2;
        let station_words = groups + most_groups(rules) * group_words(p.classes);
        (p.source_rows, p.station_rows, p.token_rows) = (source_words / 2, station_words / 2, token_words / 2);
        let own_account_words = account_words(features);
        let account_words = own_account_words + if features.class_counts { COUNT_WORDS } else { 0 };
        (p.visited, p.units_held, p.resources) = (own_words / 2, visited_words / 2, resources);
        (p.forked, p.repeated, p.most_copies) = (forked / 2, repeated / 2, most_copies(rules));
        p.node = node / 2;
        p.values = values / 2;
        p.account_rows = account_words / 2;
        let event_words = if features.is_lean() { EVENT_WORDS + DETAIL_WORDS } else { EVENT_WORDS };
        p.event_rows = event_words / 2;
        p.clock_bits = clock_bits(model.until());
        // A sum of times is at most the places for tokens times the horizon.
        let most = u128::from(places) * u128::from(model.until().ticks());
        let carries = !features.is_lean() || most > u128::from(u64::MAX);
        let events = p.fixed + token_events(batch, features, places);
        let clocks = batch.networks().map(|model| clocks(model, features, p.fixed)).max().unwrap_or(0);
        // Four nodes a row, of which one leads to each other row; and a row that says how many there are.
        let pending = batch.networks().map(|model| likely_pending(model, features, p.fixed)).max().unwrap_or(0);
        p.clock_rows = if pending > MOST_NEAR_CLOCKS { (events - 1).div_ceil(3).max(1) } else { 0 };
        let tree = if p.clock_rows == 0 { 0 } else { p.clock_rows + 1 };
        let kinds = [
            (HEADER_WORDS, 1),
            (source_words, p.sources),
            (station_words, p.stations),
            (account_words, p.stations * p.classes),
            // The records of an annex, which is no longer than an account and lies in the same order.
            (account_words, if carries { p.stations * p.classes } else { 0 }),
            (SINK_WORDS, model.sinks() * p.classes),
            (SERVER_WORDS, if features.wear { p.fixed - p.sources - 1 } else { 0 }),
            (RESOURCE_WORDS, p.resources),
            (FORK_WORDS, features.forks.into()),
            (token_words, p.places),
            (event_words, events),
            (CLOCK_WORDS, tree),
        ];
        let mut begin = 0;
        let kinds = kinds.map(|(words, count)| {
            let kind = Records { begin, words };
            begin += u64::from(words) * u64::from(count);
            kind
        });
        let [_, sources, stations, accounts, annex, sinks, servers, resources, forks, tokens, events, tree] = kinds;
        let row = |kind: Records| (kind.begin / 2 * u64::from(p.replications)) as u32;
        (p.sources_at, p.stations_at, p.accounts_at) = (row(sources), row(stations), row(accounts));
        p.annex = row(annex) - row(accounts);
        (p.sinks_at, p.tokens_at, p.events_at) = (row(sinks), row(tokens), row(events));
        (p.servers_at, p.resources_at, p.forks_at) = (row(servers), row(resources), row(forks));
        p.clocks_at = row(tree);
        let several = batch.networks().len() > 1;
        Self {
            parameters,
            model_table,
            tables,
            features,
            control: Sizes::of(rules, batch.len() as u32),
            several,
            clocks,
            common_places: batch.networks().map(|model| Self::common_places(model, model.rules())).max().unwrap_or(0),
            carries,
            packed,
            own_account_words,
            kinds,
            words: begin,
        }
    }

    /// Whether the clocks of events are a tree.
    pub(super) fn has_tree(&self) -> bool {
        self.parameters.clock_rows > 0
    }

    /// Whether what is held in another layout can be taken over with more places.
    pub(super) fn has_same_records(&self, other: &Self) -> bool {
        (self.packed, self.carries) == (other.packed, other.carries)
    }

    /// Whether another layout has the same kernels and records, and its rows at the same places.
    pub(super) fn is_alike(&self, other: &Self) -> bool {
        let of = |layout: &Self| (layout.parameters, layout.features, layout.kinds, layout.tables.is_empty());
        of(self) == of(other) && self.own_account_words == other.own_account_words
    }

    /// A number of places for tokens that seems enough, where `most` in all are allowed: unused places cost memory and no time, and growing
    /// takes long.
    pub(super) fn first_places(batch: &Batch<'_>, most: Option<u64>) -> u32 {
        let most = most.map_or(u64::MAX, |most| most / batch.len().max(1) as u64 / 4 * 4);
        let most = u32::try_from(most).unwrap_or(u32::MAX);
        let of = |model: &NetworkModel| {
            let likely = model.most_present().saturating_add(spare(model).max(largest_batch(model.rules())));
            Self::common_places(model, model.rules()).max(likely.min(most)).min(MOST_PLACES)
        };
        batch.networks().map(of).max().unwrap_or(0)
    }

    fn common_places(model: &NetworkModel, rules: &Rules) -> u32 {
        let each = |station| model.capacity(station).min(QUEUE);
        let batch = spare(model).max(largest_batch(rules)).saturating_add(most_copies(rules));
        (0..model.stations()).map(each).fold(model.tokens().saturating_add(batch), u32::saturating_add).min(MOST_PLACES)
    }

    /// Rows of all records of a kind in a replication.
    pub(super) fn rows_of(&self, kind: Kind) -> u32 {
        let kind = kind as usize;
        let end = self.kinds.get(kind + 1).map_or(self.words, |next| next.begin);
        ((end - self.kinds[kind].begin) / 2) as u32
    }

    /// Words of a replication.
    pub(super) fn words(&self) -> u64 {
        self.words
    }

    /// Bytes of a replication.
    pub(super) fn bytes(&self) -> u64 {
        let observed =
            self.parameters.observed().iter().zip(OBSERVED).map(|(count, (_, bytes))| count * bytes).sum::<u64>();
        WORD * self.words() + observed
    }

    /// The number of a word in the buffer, from its number in a replication: of records of one kind the first records of all
    /// replications lie one behind the other, then the second records.
    pub(super) fn place(&self, replication: usize, word: u32) -> usize {
        let word = u64::from(word);
        let kind = self.kinds.iter().rev().find(|kind| kind.begin <= word).unwrap_or(&self.kinds[0]);
        let (record, rest) = ((word - kind.begin) / u64::from(kind.words), (word - kind.begin) % u64::from(kind.words));
        let all = u64::from(self.parameters.replications);
        (kind.begin * all + (record * all + replication as u64) * u64::from(kind.words) + rest) as usize
    }

    /// The first word of a record in a replication.
    pub(super) fn record(&self, kind: Kind, number: u32) -> u32 {
        let Records { begin, words } = self.kinds[kind as usize];
        begin as u32 + number * words
    }

    /// How many replications fit an adapter at once.
    pub(super) fn fitting(&self, adapter: &AdapterDescription) -> u32 {
        let most = room(adapter);
        let fit = most.checked_div(self.bytes()).unwrap_or(0);
        // 32 bits number the words of each buffer.
        let number = |each: u64| u64::from(u32::MAX).checked_div(each).unwrap_or(u64::MAX);
        let observed = self.parameters.observed().map(number);
        [fit, number(self.words()), u32::MAX.into()].into_iter().chain(observed).min().unwrap_or(0) as u32
    }

    /// The error where not even one replication fits.
    pub(super) fn no_room(&self, adapter: &AdapterDescription) -> DeviceError {
        DeviceError::Limit {
            what: "a replication of the network".into(),
            asked: device::bytes(self.bytes()),
            available: device::bytes(room(adapter)),
            adapter: adapter.name.clone(),
            remedy: ": use a shorter horizon, or look for a station that is offered more than it serves".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_packed() {
        let is_packed = |text: &str| {
            let lines = "[[source]]\nname = \"in\"\ninterval = \"constant:1\"\nto = \"desk\"\n[[sink]]\nname = \"out\"\n[[station]]\nname = \"desk\"\n\
                         service = \"constant:1\"\n";
            let route = "[[route]]\nfrom = \"desk\"\nto = \"out\"\n";
            let (head, of_desk) = text.split_once('|').expect("two parts");
            let network = crate::Network::from_toml(&format!("{head}\n{lines}{of_desk}\n{route}")).expect("a network");
            let model = network.check().expect("a model");
            Layout::new(&Batch::new(&[(&model, 0..1)]), 4).packed
        };
        assert!(is_packed("until = 65534|"));
        assert!(!is_packed("until = 65535|"));
        assert!(!is_packed("until = 10|patience = \"constant:1\""));
    }

    /// Of a station whose tokens are all served at once, so many in the mean.
    fn crowd(mean: u32) -> Layout {
        let mut network = crate::Network::new();
        let law = |text: &str| text.parse().expect("a law");
        let crowd =
            network.station(crate::Station::new("crowd", law(&format!("exponential:{mean}"))).infinite_servers());
        let exit = network.sink("exit");
        network.source(crate::Source::new("in", law("exponential:1"), crowd));
        network.route(crowd, exit, 1.0, 0.0);
        let model = network.check().expect("a model");
        let batch = Batch::new(&[(&model, 0..7)]);
        Layout::new(&batch, Layout::first_places(&batch, None))
    }

    #[test]
    fn stations_with_little_room_are_all_the_room() {
        let places = |text: &str| {
            let source = "[[source]]\nname = 'in'\ninterval = 'exponential:1'\nto = 'desk'\n[[sink]]\nname = 'out'\n";
            let desk = "[[station]]\nname = 'desk'\nservice = 'exponential:1'\n";
            let route = "[[route]]\nfrom = 'desk'\nto = 'out'\n";
            let (of_desk, of_route) = text.split_once('|').expect("two parts");
            let network = crate::Network::from_toml(&format!("{source}{desk}{of_desk}\n{route}{of_route}"));
            let model = network.expect("a network").check().expect("a model");
            Layout::first_places(&Batch::new(&[(&model, 0..1)]), None)
        };
        assert_eq!(places("capacity = 30|"), 30 + 1);
        assert_eq!(places("capacity = 30|delay = 2"), 30 + QUEUE);
        assert_eq!(places("capacity = 41|"), QUEUE + QUEUE);
    }

    #[test]
    fn clocks_of_many_events_are_a_tree() {
        assert!(!crowd(64).has_tree() && crowd(100).has_tree());
        // Servers that are mostly idle have no events; of tokens that never leave all may be served.
        let has_tree = |text: &str| {
            let desk = "[[station]]\nname = 'desk'\nservice = 'exponential:1'\nservers = 400\n";
            let network = crate::Network::from_toml(&format!("{desk}{text}")).expect("a network");
            let model = network.check().expect("a model");
            Layout::new(&Batch::new(&[(&model, 0..1)]), 400).has_tree()
        };
        let source = "[[source]]\nname = 'in'\ninterval = 'exponential:1'\nto = 'desk'\n";
        assert!(!has_tree(&format!("{source}[[sink]]\nname = 'out'\n[[route]]\nfrom = 'desk'\nto = 'out'")));
        assert!(has_tree("tokens = 300\n[[route]]\nfrom = 'desk'\nto = 'desk'"));
        // 100 + 6 * 10 tokens, and a queue.
        let layout = crowd(100);
        assert_eq!(layout.parameters.places, 200 + layout.parameters.list_count);
        let events = layout.rows_of(Kind::Event) / layout.parameters.event_rows;
        assert_eq!(events, 202);
        // Four nodes of each row, without those that lead to other rows.
        let nodes = |rows: u32| 4 * rows - (rows - 1);
        assert!(nodes(layout.parameters.clock_rows) >= events && nodes(layout.parameters.clock_rows - 1) < events);
        let end = u64::from(layout.parameters.clocks_at) + 7 * u64::from(layout.parameters.clock_rows + 1);
        assert_eq!(2 * end, 7 * layout.words());
    }

    #[test]
    fn clocks_reach_the_horizon() {
        let bits = |units: u64| clock_bits(Time::from_ticks(units << 32));
        assert_eq!([1, 1000, 1 << 20, 1 << 30].map(bits), [1, 10, 21, 31]);
        for units in [1, 1000, 1 << 20, 1 << 30] {
            assert!(((units << 32) - 1) >> bits(units) < u64::from(u32::MAX), "{units}");
        }
    }
}
