//! Networks as TOML files. `docs/networks.md` describes the format.

mod attributes;
#[cfg(test)]
mod broken;
mod classes;
mod costs;
mod durations;
mod fault;
mod generate;
mod groups;
mod kits;
mod lists;
mod numbers;
mod parts;
mod places;
mod reader;
mod resources;
mod servers;
mod sinks;
mod sources;
mod syntax;
#[cfg(test)]
mod tests;
mod time_factors;
mod traces;

use std::ops::Range;

use schemars::JsonSchema;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::describe::{Discipline, Network, Observed, ROUTINGS, ROUTINGS_OF_SOURCES};
use attributes::{AttributeEntry, PatienceFrom, PatienceUntil, Service};
use classes::{ClassEntry, StationClassEntry};
use costs::CostEntry;
use durations::Duration;
#[doc(hidden)]
pub use fault::of_toml as fault_of_toml;
use groups::Servers;
use kits::KitEntry;
use lists::Step;
pub(crate) use numbers::quoted;
pub use numbers::with_numbers;
#[doc(hidden)]
pub use places::said_of;
use reader::Reader;
use resources::{NeedsEntry, ResourceEntry, SeizesAt, SeizesEntry};
use servers::{FailuresEntry, Full, ShiftEnd, StandbyEntry};
use sinks::SinkEntry;
use sources::{Goals, PhasesEntry};
use tickless_core::random::ServiceLaw;
pub use tickless_core::reading::Mark;
use tickless_core::reading::parts::PART;

/// A file that does not describe a network.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::Network;
/// let error = Network::from_toml("[[station]]\nname = 'desk'\nservice = 'exponential:0'\n").unwrap_err();
/// assert_eq!(error.line, 3);
/// assert!(error.to_string().starts_with("line 3: "));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "line {line}{}: {fault}{}",
    mark.as_ref().map(|mark| format!(", column {}", mark.column)).unwrap_or_default(),
    mark.as_ref().map(|mark| format!("\n{mark}")).unwrap_or_default()
)]
pub struct FileError {
    /// The line, from 1 on.
    pub line: usize,
    /// What is wrong there, and what is allowed.
    pub fault: String,
    /// The place in the line, where the text is no TOML.
    pub mark: Option<Mark>,
}

/// A text in TOML and UTF-8 of at most 256 MiB, whose tables may stand in any order.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Network")]
pub struct File<E = IgnoredAny, O = IgnoredAny> {
    /// The horizon: events before it happen.
    #[schemars(with = "Option<Duration>", extend("default" = 100, "examples" = ["8 h"]))]
    until: Option<f64>,
    /// What happens before it is not counted.
    #[schemars(with = "Option<Duration>", extend("default" = 0, "examples" = ["2 h"]))]
    warmup: Option<f64>,
    /// `true`: the horizon is the system's own end, as of a day, so that there is no steady state and no warm-up.
    #[schemars(extend("default" = false, "examples" = [true]))]
    terminating: Option<bool>,
    /// One seed, one sample path.
    #[schemars(extend("default" = 1, "examples" = [7]))]
    seed: Option<u64>,
    /// What a time unit is: answers, text and pictures of a network say it. 1 to 24 characters. Where it is `us`, `ms`, `s`, `min`, `h`, `day` or
    /// `week`, times may have units of their own, as `"1 h 30 min"` and `"exponential:90 s"`.
    #[schemars(extend("examples" = ["min"]))]
    unit: Option<String>,
    /// Likewise what a token is, of which several are `patients`.
    #[schemars(extend("examples" = ["patient"]))]
    token: Option<String>,
    /// Likewise what costs are in, as in `EUR`.
    #[schemars(extend("examples" = ["EUR"]))]
    currency: Option<String>,
    /// The synchronization window d, see docs/synchronization.md. Every law stays as it is written without one, or with 0.
    #[schemars(with = "Option<Duration>", extend("examples" = [0.5]))]
    window: Option<f64>,
    /// The interval of approximate time, see docs/networks.md; time is exact without it.
    #[schemars(with = "Option<Duration>", extend("examples" = [0.1]))]
    approximate: Option<f64>,
    /// Tokens at time 0 beside those of the stations, spread over the stations in proportion to their visit ratios, by largest remainders.
    #[schemars(extend("default" = 0, "examples" = [100]))]
    tokens: Option<u32>,
    /// `true`, or stations' names: whose distributions are recorded.
    #[schemars(extend("default" = false, "examples" = [["desk"]]))]
    distributions: Option<WhoseDistributions>,
    /// Which quantiles of recorded times text and JSON tell: what such shares of all times do not exceed; 1 is the longest, for which a network runs event by event.
    /// 0.5, 0.9, 0.95 and 0.99 without it. Everybody's distributions are recorded, unless `distributions` names stations.
    #[serde(default)]
    #[schemars(extend("examples" = [[0.5, 0.8, 1]]))]
    quantiles: Vec<f64>,
    /// The step of the grid of time of `--series`; a hundredth of `until` without it.
    #[schemars(with = "Option<Duration>", extend("examples" = ["10 min"]))]
    series_step: Option<f64>,
    /// The period by whose bins figures are added up. See docs/networks.md.
    #[schemars(with = "Option<Duration>", extend("examples" = ["1 day"]))]
    fold: Option<f64>,
    /// The length of a bin of that period; a 24th of it without this key.
    #[schemars(with = "Option<Duration>", extend("examples" = ["30 min"]))]
    fold_step: Option<f64>,
    /// What `tickless experiment` varies, see docs/experiments.md.
    experiment: Option<E>,
    /// What `tickless optimize` looks for, see docs/experiments.md.
    optimize: Option<O>,
    /// All stations and routes, which are alike, in place of the lists below.
    #[schemars(with = "Option<generate::Entry>")]
    generate: Option<Spanned<generate::Entry>>,
    /// Classes of tokens.
    #[serde(default)]
    class: Vec<ClassEntry>,
    /// Rooms, beds, tools, the places of a region: what stations seize and release.
    #[serde(default)]
    resource: Vec<ResourceEntry>,
    /// What tokens carry.
    #[serde(default)]
    attribute: Vec<AttributeEntry>,
    /// Stations.
    #[serde(default)]
    station: Vec<StationEntry>,
    /// Where tokens come from.
    #[serde(default)]
    source: Vec<SourceEntry>,
    /// Where tokens leave.
    #[serde(default)]
    sink: Vec<SinkEntry>,
    /// The ways between stations.
    #[serde(default)]
    route: Vec<RouteEntry>,
}

/// Whose distributions a run records, as files and results have it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "`distributions` must be true, false or a list of stations' names")]
#[schemars(inline)]
pub enum WhoseDistributions {
    /// Everybody's, or nobody's.
    Everybody(bool),
    /// Those of these stations.
    Stations(Vec<String>),
}

impl From<WhoseDistributions> for Observed {
    fn from(whose: WhoseDistributions) -> Self {
        match whose {
            WhoseDistributions::Everybody(false) => Self::Nothing,
            WhoseDistributions::Everybody(true) => Self::All,
            WhoseDistributions::Stations(names) => Self::Stations(names),
        }
    }
}

/// A station.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Station")]
struct StationEntry {
    /// Its name; every station, source and sink has one of its own.
    #[schemars(with = "String", extend("examples" = ["desk"]))]
    name: Spanned<String>,
    /// The law of its service times, or an attribute of its tokens: `attribute:size`, or twice as much `attribute:size,2`. `zero` where services take
    /// no time: a token that has a server, and its units, leaves at once.
    #[schemars(with = "ServiceLaw", extend("examples" = ["erlang:3,14"]))]
    service: Service,
    /// How many serve side by side; with `"infinite"` every token is served at once. Where servers differ, tables headed `[[station.servers]]`.
    #[schemars(with = "Option<Servers>", extend("default" = 1, "examples" = [2]))]
    servers: Option<Spanned<Servers>>,
    /// How many there is room for, those in service included; who finds it full is lost. Without it there is room for all.
    #[schemars(range(min = 1), extend("examples" = [12]))]
    capacity: Option<u32>,
    /// Tokens at time 0.
    #[serde(default)]
    #[schemars(extend("examples" = [5]))]
    tokens: u32,
    #[schemars(
        with = "Option<String>",
        description = Discipline::said(),
        extend("default" = "fcfs", "enum" = Discipline::ALL.map(Discipline::name), "examples" = ["sjf"])
    )]
    discipline: Option<Spanned<String>>,
    /// The attribute by which `least`, `edd` and `ageing` order tokens of one priority: the least value is first, the earliest due date (the time at which a
    /// token came from its source, and the value), or the earliest arrival here with the value added.
    #[schemars(with = "Option<String>", extend("examples" = ["due"]))]
    order_by: Option<Spanned<String>>,
    /// Whether a higher priority interrupts a service, which goes on later. Refused where it changes nothing: with one priority, or with
    /// `lcfs-preemptive`. An interrupted token keeps its units; but if the
    /// station seizes units of a preemptive resource, it gives back all that the station seizes.
    #[serde(default)]
    #[schemars(extend("examples" = [true]))]
    preemptive: bool,
    /// The law of the time after which a token that still waits for its first service leaves, or an attribute: `attribute:due`.
    #[schemars(with = "Option<ServiceLaw>", extend("examples" = ["exponential:30"]))]
    patience: Option<Service>,
    /// Since when patience by an attribute counts: `arrival` here, or when the token came from its `source`, over all stations.
    #[schemars(with = "Option<PatienceFrom>", extend("default" = "arrival", "examples" = ["source"]))]
    patience_from: Option<Spanned<PatienceFrom>>,
    /// Until when: its first `service` begins, or it `end`s, so that a token leaves its server amid it.
    #[serde(default)]
    #[schemars(extend("default" = "service", "examples" = ["end"]))]
    patience_until: PatienceUntil,
    /// The station or sink that those go to, to try again later, say; they are lost without it.
    #[schemars(with = "Option<String>", extend("examples" = ["pause"]))]
    reneges_to: Option<Spanned<String>>,
    /// With which probability an arrival that finds 0, 1, 2, ... tokens there does not join; the last holds from there on.
    #[schemars(with = "Option<Vec<f64>>", extend("examples" = [[0, 0, 0.5]]))]
    balking: Option<Spanned<Vec<f64>>>,
    /// The station or sink that those go to; they are lost without it.
    #[schemars(with = "Option<String>", extend("examples" = ["home"]))]
    balks_to: Option<Spanned<String>>,
    /// How a token that was served takes a route. `random`: by the probabilities; `round-robin`: one route after the other, each class for itself;
    /// `shortest-queue`: to the station with the fewest tokens, of several the first route; `shortest-of:2`: the same of two that are drawn;
    /// `shortest-line`: to the station with the least number of tokens minus servers on duty, of several the first route;
    /// `fewest-waiting`: where fewest wait in line; `shortest-of-class`: with the fewest tokens of the class that it is of there;
    /// `shortest-response`: with the least expected response time, by the number there, the servers and the mean service time of its class;
    /// `least-work`: to the station with the least expected work for each server, those there counted with the mean service of their class;
    /// `first-free`: by the first route to a free server or a sink, else to room, else by the first; `by-visit`: the n-th time that a token is served
    /// here it takes the n-th route, after the last the first again (a plan of visits); `by-attribute`: by the first route whose `up_to` is not below the attribute `route_by`; `fork`: a copy by each route at once.
    #[schemars(
        with = "Option<String>",
        extend("default" = "random", "pattern" = ROUTINGS, "examples" = ["shortest-queue"])
    )]
    routing: Option<Spanned<String>>,
    /// The attribute by which the routing `by-attribute` chooses.
    #[schemars(with = "Option<String>", extend("examples" = ["size"]))]
    route_by: Option<Spanned<String>>,
    /// The station or sink that those go to that find no room here, by `capacity` or that of their class; they are lost without it. They count as
    /// lost at this station all the same.
    #[schemars(with = "Option<String>", extend("examples" = ["home"]))]
    full_to: Option<Spanned<String>>,
    /// What becomes of those that find it full.
    #[schemars(extend("default" = "lost", "examples" = ["blocks"]))]
    full: Option<Full>,
    /// How many servers there are from each time on. The first time is 0.
    #[schemars(extend("examples" = [[[0, 4], ["8 h", 6]]]))]
    shifts: Option<Vec<Step<u32>>>,
    /// The shifts begin again after so long; without it the last goes on.
    #[schemars(with = "Option<Duration>", extend("examples" = ["1 day"]))]
    period: Option<Spanned<f64>>,
    /// What becomes at the end of a shift of services that have no server any longer.
    #[schemars(with = "Option<ShiftEnd>", extend("default" = "stay", "examples" = ["interrupt"]))]
    shift_end: Option<Spanned<ShiftEnd>>,
    /// How fast each service goes where 1, 2, ... tokens are present; the last holds from there on. The law is of the work, and the time that it took
    /// is the service time of the figures. Always 1 without it.
    #[schemars(with = "Option<Vec<f64>>", extend("examples" = [[1, 1.5, 2]]))]
    speeds: Option<Spanned<Vec<f64>>>,
    /// When its servers are out of order.
    #[schemars(with = "Option<FailuresEntry>")]
    failures: Option<Spanned<FailuresEntry>>,
    /// The law of the time for which a server that has been idle sets up: for each token that waits one that is off, if there is one, begins; it
    /// serves who is first then, or is off again.
    #[schemars(extend("examples" = ["constant:15"]))]
    setup: Option<ServiceLaw>,
    /// Whether a set-up is called off where more servers set up than tokens wait: the one that began last.
    #[serde(default)]
    #[schemars(extend("examples" = [true]))]
    setup_called_off: bool,
    /// How long a server stays set up that has nobody to serve; it is off at once without it.
    #[schemars(extend("examples" = ["exponential:30"]))]
    off_after: Option<ServiceLaw>,
    /// A server that finds nobody goes away for a time of this law, and again where nobody waits when it comes back.
    #[schemars(extend("examples" = ["exponential:10"]))]
    vacation: Option<ServiceLaw>,
    /// Servers that come when many wait, and go when few do.
    standby: Option<StandbyEntry>,
    /// How many times as long services take that begin from each time on, from 2^-10 to 2^10. The first time is 0.
    #[schemars(extend("examples" = [[[0, 1], ["9 h", 0.8]]]))]
    time_factors: Option<Vec<Step<f64>>>,
    /// The factors begin again after so long; without it the last goes on.
    #[schemars(with = "Option<Duration>", extend("examples" = ["1 day"]))]
    time_factors_period: Option<Spanned<f64>>,
    /// What costs how much; it changes nothing of a run.
    cost: Option<CostEntry>,
    /// The share of waits, and of visits, that last no longer than each of these times is counted, exactly, of all classes and of each. A network has
    /// at most 32 different targets.
    #[serde(default)]
    #[schemars(with = "Vec<Duration>", extend("examples" = [[20, "1 h"]]))]
    targets: Vec<f64>,
    /// Whether the copies of a token that has split wait here for each other, and are one token again when all that have not left the network are
    /// there; others join the line at once.
    #[serde(default)]
    #[schemars(extend("examples" = [true]))]
    joins: bool,
    /// How many tokens of each class are put together here: they wait until a kit is complete. Then the first token of the class that is named first
    /// goes on, and joins the line, and the others are gone. Classes that are not named join at once.
    #[schemars(with = "Option<Vec<(String, u32)>>", extend("examples" = [[["frame", 1], ["wheel", 2]]]))]
    kit: Option<Spanned<KitEntry>>,
    /// The probabilities that 1, 2, ... tokens leave by the same way in place of one that has been served; they add up to 1. They are copies, which
    /// a station may join again.
    #[schemars(with = "Option<Vec<f64>>", extend("examples" = [[0.5, 0.3, 0.2]]))]
    splits: Option<Spanned<Vec<f64>>>,
    /// Units of resources that a token takes with its server before its first service here; it waits until all are there, and holds them until a
    /// station releases them or it leaves the network. A list has alternatives: it takes the first that is all there.
    #[schemars(with = "Option<SeizesEntry>", extend("examples" = [{ "room": 1 }]))]
    seizes: Option<Spanned<SeizesEntry>>,
    /// Units of resources that a token uses up when its first service here begins: nobody gives them back.
    #[schemars(with = "Option<NeedsEntry>", extend("examples" = [{ "steel": 2 }]))]
    uses: Option<Spanned<NeedsEntry>>,
    /// Units that a token brings when it has been served and leaves, as far as there is room for them: the `units` of the resource.
    #[schemars(with = "Option<NeedsEntry>", extend("examples" = [{ "steel": 50 }]))]
    delivers: Option<Spanned<NeedsEntry>>,
    /// When it takes them.
    #[schemars(with = "Option<SeizesAt>", extend("default" = "service", "examples" = ["arrival"]))]
    seizes_at: Option<Spanned<SeizesAt>>,
    /// Units that a token gives back when it has been served and leaves, as far as it holds so many.
    #[schemars(with = "Option<NeedsEntry>", extend("examples" = [{ "room": 1 }]))]
    releases: Option<Spanned<NeedsEntry>>,
    /// What classes have of their own at this station.
    #[serde(default)]
    class: Vec<StationClassEntry>,
}

/// A source.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Source")]
struct SourceEntry {
    /// Its name.
    #[schemars(with = "String", extend("examples" = ["street"]))]
    name: Spanned<String>,
    /// The law of the time between two tokens, and before the first. A source has this, or `rates`, `phases` or `trace`.
    #[schemars(extend("examples" = ["exponential:10"]))]
    interval: Option<ServiceLaw>,
    /// In place of `interval`, how many tokens come a time unit in the mean from each time on, as a Poisson process.
    /// The first time is 0.
    #[schemars(extend("examples" = [[[0, 0.1], ["7 h", 0.6]]]))]
    rates: Option<Vec<Step<f64>>>,
    /// The rates begin again after so long; without it the last holds on.
    #[schemars(with = "Option<Duration>", extend("examples" = ["1 day"]))]
    period: Option<f64>,
    /// In place of `interval`, a Markovian arrival process; it begins in each phase with its share of the time.
    #[schemars(with = "Option<PhasesEntry>")]
    phases: Option<Spanned<PhasesEntry>>,
    /// In place of `interval`, a table in CSV beside the file: a row for each arrival, sorted by time, with the columns `time` (after `start`),
    /// `class` (the source's), `batch`, how many come (1), and any attribute, which is drawn where a cell is empty. A first row that begins with no number
    /// names the columns. Results hold the table, and
    /// the file may, in place of its name.
    #[schemars(with = "Option<String>", extend("examples" = ["arrivals.csv"]))]
    trace: Option<Spanned<String>>,
    /// With which probabilities 1, 2, ... tokens come at a time; one without it.
    #[schemars(with = "Option<Vec<f64>>", extend("examples" = [[0.7, 0.3]]))]
    batch: Option<Spanned<Vec<f64>>>,
    /// The station that they go to, or a list of stations among which `routing` chooses for each token when it comes.
    #[schemars(with = "Goals", extend("examples" = ["desk", ["desk", "pause"]]))]
    to: Spanned<Goals>,
    /// How it chooses among several stations: as `routing` of stations has it, but for `by-visit`, `by-attribute` and `fork`. `random`: each with the same
    /// probability; `round-robin`: one after the other, all classes together. A station that is named twice counts as two.
    #[schemars(
        with = "Option<String>",
        extend("default" = "random", "pattern" = ROUTINGS_OF_SOURCES, "examples" = ["shortest-queue"])
    )]
    routing: Option<Spanned<String>>,
    /// When the first interval begins.
    #[serde(default)]
    #[schemars(with = "Duration", extend("examples" = ["30 min"]))]
    start: f64,
    /// How many tokens come in all; without it there is no limit.
    #[schemars(extend("examples" = [500]))]
    limit: Option<u64>,
    /// The class of its tokens, the first without it.
    #[schemars(with = "Option<String>", extend("examples" = ["urgent"]))]
    class: Option<Spanned<String>>,
}

/// A way from a station.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Route")]
struct RouteEntry {
    /// A station.
    #[schemars(with = "String", extend("examples" = ["desk"]))]
    from: Spanned<String>,
    /// A station or a sink.
    #[schemars(with = "String", extend("examples" = ["home"]))]
    to: Spanned<String>,
    /// With which a token takes this route; those from one station add up to 1.
    #[serde(default = "certain")]
    #[schemars(range(min = 0, max = 1), extend("examples" = [0.8]))]
    probability: f64,
    /// The time from the departure to the arrival.
    #[serde(default)]
    #[schemars(with = "Duration", extend("examples" = ["3 min"]))]
    delay: f64,
    /// Only tokens of this class take it. A class with routes of its own from a station takes no others from there. All classes take it without.
    #[schemars(with = "Option<String>", extend("examples" = ["urgent"]))]
    class: Option<Spanned<String>>,
    /// The class of who takes it from then on; it stays the same without.
    #[schemars(with = "Option<String>", extend("examples" = ["urgent"]))]
    becomes: Option<Spanned<String>>,
    /// The largest value of `route_by` with which a token takes this route, in time units. The routes of a station are looked at in order; the last has
    /// none.
    #[schemars(with = "Option<Duration>", extend("examples" = [10]))]
    up_to: Option<f64>,
}

fn certain() -> f64 {
    1.0
}

impl Network {
    /// Reads a network from TOML: `[[class]]`, `[[resource]]`, `[[attribute]]`, `[[station]]`, `[[source]]`, `[[sink]]` and `[[route]]` tables, or one `[generate]` table
    /// for all of it, and `until`, `warmup`, `terminating`, `seed`, `unit`, `token`, `currency`, `window`, `approximate`, `tokens`,
    /// `distributions`, `quantiles` and `series_step` at the top.
    ///
    /// # Errors
    /// [`FileError`], which names the line.
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::queueing::Network;
    /// let network = Network::from_toml("
    ///     until = 500
    ///     station = [{ name = 'desk', service = 'exponential:4', servers = 2 }]
    ///     source = [{ name = 'street', interval = 'exponential:3', to = 'desk' }]
    ///     sink = [{ name = 'exit' }]
    ///     route = [{ from = 'desk', to = 'exit' }]
    /// ")?;
    /// assert_eq!(network.check()?.servers(0), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_toml(text: &str) -> Result<Self, FileError> {
        let text = &*durations::in_time_units(text)?;
        if let Some(network) = parts::read(text, PART).and_then(|file| Reader::new(text).read(file).ok()) {
            return Ok(network);
        }
        let file: File = toml::from_str(text).map_err(|error| fault::of_toml(text, &error))?;
        Reader::new(text).read(file)
    }
}

/// The line on which a span begins.
fn line(text: &str, span: Range<usize>) -> usize {
    1 + text.bytes().take(span.start).filter(|byte| *byte == b'\n').count()
}
