//! What a run says before all tables: how long tokens are in the network, who is not served and why, what is busiest, and how sure the times are.

use super::figures::Estimates;
use super::folded::FoldedLine;
use super::places::{ClassReport, ResourceReport, SinkReport, StationReport};
use super::report::{Lists, NetworkFigures};
use super::targets::TargetReport;
use crate::figures::{sure, sure_to};
use crate::text::{counted, grouped, name, short, significant};
use tickless_queueing::Words;
use tickless_queueing::figures::Lasting;

/// The most sinks, and the most ways not to be served, that are told.
const MOST: usize = 3;

/// A figure with half of its interval, if it has one.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Told {
    value: f64,
    half: Option<f64>,
}

impl Told {
    fn number(self) -> String {
        self.half.map_or_else(|| short(self.value), |half| sure(self.value, half))
    }

    /// Of a time.
    fn in_words(self, words: &Words) -> String {
        let number = self.number();
        format!("{number} {}", words.behind(&number))
    }

    fn percent(self) -> String {
        let shown = match self.half {
            Some(half) => sure(100.0 * self.value, 100.0 * half),
            // What is nearly all does not look like all.
            None if self.value < 1.0 && self.value > 0.999 => (100.0 * self.value).to_string(),
            None => significant(100.0 * self.value, 4),
        };
        format!("{shown} %")
    }
}

/// The lines, each with a heading; a line without one continues the line before. And the figures that they name, each with what it is of.
#[derive(Debug, Default)]
struct Answers {
    lines: Vec<(&'static str, String)>,
    told: Vec<(Told, String)>,
}

/// The answers of a run of so many replications, in the words of the network.
pub fn of(figures: &NetworkFigures, replications: usize, words: &Words) -> Vec<(&'static str, String)> {
    let Some(lists) = figures.lists.as_ref().filter(|_| figures.measured > 0.0) else { return vec![] };
    let mut answers = Answers::default();
    answers.times(&lists.sinks, lists.targets.as_deref().unwrap_or_default(), words);
    answers.waits(lists.targets.as_deref().unwrap_or_default(), words);
    answers.not_served(lists);
    answers.occupied(lists, words);
    answers.most_wait(lists.folded.as_deref().unwrap_or_default(), words);
    answers.costs(figures, words);
    answers.certainty(replications);
    answers.lines
}

impl Answers {
    /// A line under a heading, which is written once.
    fn add(&mut self, heading: &'static str, text: String) {
        let heading = if self.lines.iter().any(|(other, _)| *other == heading) { "" } else { heading };
        self.lines.push((heading, text));
    }

    /// The last line of a list of which not all is told.
    fn and_more(&mut self, heading: &'static str, all: usize) {
        if all > MOST {
            self.add(heading, format!("and {} more: the tables have them", grouped((all - MOST) as u64)));
        }
    }

    /// How long tokens from sources were in the network, by the sinks at which most left.
    fn times(&mut self, sinks: &[SinkReport], targets: &[TargetReport], words: &Words) {
        let mut all: Vec<_> = sinks.iter().filter(|sink| sink.counts.from_sources > 0).collect();
        all.sort_by_key(|sink| std::cmp::Reverse(sink.counts.from_sources));
        for sink in all.iter().take(MOST) {
            let Some(value) = sink.counts.mean_time_in_network else { continue };
            let time = Told { value, half: sink.counts.mean_time_in_network_half_width };
            let within = within(targets, &sink.sink);
            let (sink, count) = (name(&sink.sink), counted(sink.counts.from_sources, words.token()));
            let until = format!("{} until '{sink}' ({count})", time.in_words(words));
            self.add("in the network", format!("{until}{within}"));
            self.told.push((time, format!("the time until '{sink}'")));
        }
        self.and_more("in the network", all.len());
    }

    /// Which share is served within the targets of stations, the smallest shares first.
    fn waits(&mut self, targets: &[TargetReport], words: &Words) {
        let key = |one: &TargetReport| {
            let has_served = targets.iter().any(|other| other.station == one.station && other.figure == SERVED);
            one.figure == if has_served { SERVED } else { WAITING }
        };
        let mut all: Vec<_> = targets.iter().filter(|one| one.class.is_none() && key(one)).collect();
        all.retain(|one| one.share.is_some());
        all.sort_by(|a, b| a.share.unwrap_or(0.0).total_cmp(&b.share.unwrap_or(0.0)));
        for one in all.iter().take(MOST) {
            let (Some(value), Some(station)) = (one.share, &one.station) else { continue };
            let share = Told { value, half: one.share_half_width };
            let text = format!("{} of {} at '{}'", share.percent(), words.tokens(), name(station));
            self.add("served in time", format!("{text} within {}", one.target_in_words));
        }
        self.and_more("served in time", all.len());
    }

    /// Who left a station without a service, the largest shares first.
    fn not_served(&mut self, lists: &Lists) {
        let has_names = lists.classes.iter().flatten().any(|class| !class.class.is_empty());
        let classes = lists.classes.iter().flatten().flat_map(|class| of_class(class, has_names));
        let plain = lists.stations.iter().flatten().filter(|_| lists.classes.is_none());
        let mut all: Vec<(Told, String)> = classes.chain(plain.filter_map(of_station)).collect();
        all.sort_by(|a, b| b.0.value.total_cmp(&a.0.value));
        for (share, text) in all.iter().take(MOST) {
            self.add("not served", format!("{} {text}", share.percent()));
        }
        self.and_more("not served", all.len());
    }

    /// The busiest station and the resource of which the largest share is held, the busier of the two first.
    fn occupied(&mut self, lists: &Lists, words: &Words) {
        let (stations, resources) = (lists.stations.as_deref(), lists.resources.as_deref().unwrap_or_default());
        let stations = stations.unwrap_or_default();
        let held = resources.iter().filter(is_held).map(|one| one.counts.utilization).fold(0.0, f64::max);
        let is_busier = |station: &StationReport| busy(station).is_some_and(|busy| occupied(station, busy) >= held);
        if stations.iter().any(is_busier) {
            self.busiest("busiest", stations, words);
            self.held("most held", resources);
        } else {
            self.held("busiest", resources);
            self.busiest("busiest station", stations, words);
        }
        self.on_hand(resources);
    }

    /// The station whose servers are at work, blocked or out of order for the largest share; of several the one at which tokens wait longest.
    fn busiest(&mut self, heading: &'static str, stations: &[StationReport], words: &Words) {
        let mut all: Vec<_> = stations.iter().filter_map(|station| Some((station, busy(station)?))).collect();
        let wait = |station: &StationReport| {
            told(&station.figures, "mean_time_in_line").or_else(|| told(&station.figures, "mean_waiting_time"))
        };
        let order = |(station, busy): &(&StationReport, Told)| {
            (occupied(station, *busy), wait(station).map_or(0.0, |wait| wait.value))
        };
        all.sort_by(|a, b| {
            let [(of_a, wait_a), (of_b, wait_b)] = [a, b].map(order);
            of_b.total_cmp(&of_a).then(wait_b.total_cmp(&wait_a))
        });
        let Some(first @ (station, busy)) = all.first().filter(|one| order(one).0 > 0.0) else { return };
        let is_fixed = station.figures.means.utilization.is_some();
        let servers = match station.servers.filter(|_| is_fixed) {
            Some(1) => "its server is".into(),
            Some(count) => format!("its {} are", counted(count.into(), "server")),
            None => "its servers are".into(),
        };
        let station_name = name(&station.station);
        let mut text = format!("'{station_name}': {servers} busy {} of the time", busy.percent());
        text += if is_fixed { "" } else { " on duty" };
        for (share, what) in cannot_serve(station) {
            text += &format!(", {what} {}", share.percent());
        }
        if let Some(wait) = wait(station) {
            text += &format!("; {} wait {}", words.tokens(), wait.in_words(words));
            self.told.push((wait, format!("the wait at '{station_name}'")));
        }
        let alike = all.iter().skip(1).take_while(|other| order(other) == order(first)).count();
        text += &if alike > 0 { format!(" (and {} alike)", counted(alike as u64, "station")) } else { String::new() };
        self.add(heading, text);
    }

    /// The resource of which the largest share is held.
    fn held(&mut self, heading: &'static str, resources: &[ResourceReport]) {
        let largest =
            resources.iter().filter(is_held).max_by(|a, b| a.counts.utilization.total_cmp(&b.counts.utilization));
        let Some(resource) = largest.filter(|resource| resource.counts.utilization > 0.0) else { return };
        let share = Told { value: resource.counts.utilization, half: resource.counts.utilization_half_width };
        let units = counted(resource.units.into(), "unit");
        self.add(heading, format!("'{}': {} of {units} held", name(&resource.resource), share.percent()));
    }

    /// The stock of which the smallest share is on hand.
    fn on_hand(&mut self, resources: &[ResourceReport]) {
        let stocks = resources.iter().filter_map(|resource| Some((resource, resource.counts.mean_stock?)));
        let share = |(resource, stock): &(&ResourceReport, f64)| stock / f64::from(resource.units);
        let Some((resource, value)) = stocks.min_by(|a, b| share(a).total_cmp(&share(b))) else { return };
        let stock = Told { value, half: resource.counts.mean_stock_half_width };
        let units = counted(resource.units.into(), "unit");
        self.add("on hand", format!("'{}': {} of {units}", name(&resource.resource), stock.number()));
    }

    /// The bin of the period in which most tokens wait at a station.
    fn most_wait(&mut self, folded: &[FoldedLine], words: &Words) {
        let of_stations = folded.iter().filter(|line| line.class.is_none());
        let all = of_stations.filter_map(|line| Some((line, line.station.as_ref()?, line.waiting?)));
        let most = all.max_by(|a, b| a.2.total_cmp(&b.2)).filter(|(.., waiting)| *waiting > 0.0);
        let Some((line, station, value)) = most else { return };
        let waiting = Told { value, half: line.waiting_half_width };
        let [from, to] = [line.from, line.to].map(short);
        let mut text = format!(
            "from {from} to {to} {} of the period: {} {} wait",
            words.time_units(),
            waiting.number(),
            words.tokens()
        );
        text += &format!(" at '{}'", name(station));
        if let Some(value) = line.mean_waiting_time {
            let wait = Told { value, half: line.mean_waiting_time_half_width };
            text += &format!(", {} until their service", wait.in_words(words));
        }
        self.add("most wait", text);
    }

    fn costs(&mut self, figures: &NetworkFigures, words: &Words) {
        let Some(cost) = figures.cost else { return };
        let cost = Told { value: cost.mean, half: cost.half_width };
        self.add("costs", format!("{} {}", cost.number(), words.of_cost()));
    }

    /// How sure the times are.
    fn certainty(&mut self, replications: usize) {
        let relative = |told: &Told| told.half.filter(|_| told.value != 0.0).map(|half| half / told.value.abs());
        let unsure = self.told.iter().find(|(told, _)| told.value != 0.0 && told.half.is_none());
        let widest = self.told.iter().filter_map(|(told, what)| Some((relative(told)?, what)));
        let widest = widest.max_by(|a, b| a.0.total_cmp(&b.0));
        let text = match (unsure, widest) {
            (Some(_), _) if replications == 1 => {
                "not known of one replication: --replications 20 gives intervals, or --batch-means 20 those of a long run".into()
            }
            (Some((_, what)), _) => {
                format!("not known of {what}, which one replication alone has: run more, or longer")
            }
            (None, Some((widest, what))) => {
                format!("the widest interval of a time above is {} %, of {what}", sure_to(100.0 * widest))
            }
            (None, None) => return,
        };
        self.add("how sure", text);
    }
}

/// The keys of shares within the targets of stations.
const WAITING: &str = Lasting::Waiting.key();
const SERVED: &str = Lasting::Served.key();

/// Which shares of the tokens that left by a sink did so within its targets.
fn within(targets: &[TargetReport], sink: &str) -> String {
    let all = targets.iter().filter(|one| one.sink.as_deref() == Some(sink) && one.class.is_none());
    let share = |one: &TargetReport| {
        let share = Told { value: one.share?, half: one.share_half_width };
        Some(format!("{} within {}", share.percent(), one.target_in_words))
    };
    all.filter_map(share).map(|text| format!("; {text}")).collect()
}

/// A figure by its key; `None` where there is none.
fn told(all: &Estimates, key: &str) -> Option<Told> {
    all.named(key).map(|(value, half)| Told { value, half })
}

/// The share of the time in which the servers of a station serve.
fn busy(station: &StationReport) -> Option<Told> {
    told(&station.figures, "utilization").or_else(|| told(&station.figures, "scheduled_utilization"))
}

/// The share of the time in which the servers of a station serve, or can serve nobody.
fn occupied(station: &StationReport, busy: Told) -> f64 {
    busy.value + cannot_serve(station).map(|(share, _)| share.value).sum::<f64>()
}

/// The shares of the time in which servers can serve nobody who waits: those that are away left for want of tokens.
fn cannot_serve(station: &StationReport) -> impl Iterator<Item = (Told, &'static str)> {
    let shares = [("blocked_share", "blocked"), ("down_share", "out of order"), ("setup_share", "setting up")];
    shares
        .into_iter()
        .filter_map(|(key, what)| Some((told(&station.figures, key).filter(|share| share.value > 0.0)?, what)))
}

/// What share of the arrivals of a class at a station was not served there, and why.
fn of_class(class: &ClassReport, has_names: bool) -> impl Iterator<Item = (Told, String)> {
    let who = if has_names { format!(" of class '{}'", name(&class.class)) } else { String::new() };
    let reasons = [
        ("loss_probability", "found no room"),
        ("balking_probability", "did not join the line"),
        ("reneging_probability", "lost their patience"),
    ];
    let arrivals = format!("of arrivals{who} at '{}'", name(&class.station));
    let share = |(key, why)| Some((told(&class.figures, key).filter(|share| share.value > 0.0)?, why));
    reasons.into_iter().filter_map(share).map(move |(share, why)| (share, format!("{arrivals} {why}")))
}

/// The same of a network without classes.
fn of_station(station: &StationReport) -> Option<(Told, String)> {
    let lost = told(&station.figures, "loss_probability").filter(|lost| lost.value > 0.0)?;
    Some((lost, format!("of arrivals at '{}' found no room", name(&station.station))))
}

/// Whether tokens hold units of a resource, and do not use them up.
fn is_held(resource: &&ResourceReport) -> bool {
    resource.counts.mean_stock.is_none()
}
