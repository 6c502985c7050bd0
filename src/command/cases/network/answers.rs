//! What a run says before all tables: how long tokens are in the network, who leaves early and why, what is busiest, and how sure that is.

use super::figures::Estimates;
use super::places::{ClassReport, ResourceReport, SinkReport, StationReport};
use super::report::{Lists, NetworkFigures};
use crate::figures::{sure, sure_to};
use crate::text::{counted, grouped, name, short, significant};
use tickless_queueing::Words;

/// The most sinks, and the most ways to leave early, that are told.
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

    fn percent(self) -> String {
        let half = self.half.map(|half| 100.0 * half);
        half.map_or_else(|| significant(100.0 * self.value, 4), |half| sure(100.0 * self.value, half)) + " %"
    }

    /// Half of the interval beside the value.
    fn relative(self) -> Option<f64> {
        self.half.filter(|_| self.value != 0.0).map(|half| half / self.value.abs())
    }
}

/// The lines, each with a heading; a line without one continues the line before. And the figures that they name.
#[derive(Debug, Default)]
struct Answers {
    lines: Vec<(&'static str, String)>,
    told: Vec<Told>,
}

/// The answers of a run of so many replications, in the words of the network.
pub fn of(figures: &NetworkFigures, replications: usize, words: &Words) -> Vec<(&'static str, String)> {
    let Some(lists) = figures.lists.as_ref().filter(|_| figures.measured > 0.0) else { return vec![] };
    let mut answers = Answers::default();
    answers.times(&lists.sinks, words);
    answers.early(lists);
    answers.busiest(lists.stations.as_deref().unwrap_or_default(), words);
    answers.held(lists.resources.as_deref().unwrap_or_default());
    answers.certainty(replications);
    answers.lines
}

impl Answers {
    /// A line under a heading, which is written once.
    fn add(&mut self, heading: &'static str, text: String) {
        let heading = if self.lines.iter().any(|(other, _)| *other == heading) { "" } else { heading };
        self.lines.push((heading, text));
    }

    fn tell(&mut self, told: Told, text: impl Fn(Told) -> String) -> String {
        self.told.push(told);
        text(told)
    }

    /// How long tokens were in the network, by the sinks at which most left.
    fn times(&mut self, sinks: &[SinkReport], words: &Words) {
        let mut all: Vec<_> = sinks.iter().filter(|sink| sink.counts.mean_time_in_network.is_some()).collect();
        all.sort_by_key(|sink| std::cmp::Reverse(sink.counts.tokens));
        for sink in all.into_iter().take(MOST) {
            let Some(value) = sink.counts.mean_time_in_network else { continue };
            let half = sink.counts.mean_time_in_network_half_width;
            let time = self.tell(Told { value, half }, Told::number);
            let count = counted(sink.counts.tokens, words.token());
            self.add("in the network", format!("{time} {} until '{}' ({count})", words.times(), name(&sink.sink)));
        }
    }

    /// Who left early, the largest shares first. They say nothing of how sure the rest is: a share may be as small as one likes.
    fn early(&mut self, lists: &Lists) {
        let classes = lists.classes.iter().flatten().flat_map(of_class);
        let plain = lists.stations.iter().flatten().filter(|_| lists.classes.is_none());
        let mut all: Vec<(Told, String)> = classes.chain(plain.filter_map(of_station)).collect();
        all.sort_by(|a, b| b.0.value.total_cmp(&a.0.value));
        let more = all.len().saturating_sub(MOST);
        for (share, text) in all.into_iter().take(MOST) {
            self.add("left early", format!("{} {text}", share.percent()));
        }
        if more > 0 {
            self.add("left early", format!("and {} more: the tables have them", grouped(more as u64)));
        }
    }

    /// The station whose servers are busy for the largest share.
    fn busiest(&mut self, stations: &[StationReport], words: &Words) {
        let busy = |station: &StationReport| {
            told(&station.figures, "utilization").or_else(|| told(&station.figures, "scheduled_utilization"))
        };
        let all = stations.iter().filter_map(|station| Some((station, busy(station)?)));
        let largest = all.filter(|(_, share)| share.value > 0.0).max_by(|a, b| a.1.value.total_cmp(&b.1.value));
        let Some((station, share)) = largest else { return };
        let share = self.tell(share, Told::percent);
        let is_fixed = station.figures.means.utilization.is_some();
        let duty = if is_fixed { "the time" } else { "the time on duty" };
        let servers = match station.servers.filter(|_| is_fixed) {
            Some(1) => "its server is".into(),
            Some(count) => format!("its {} are", counted(count.into(), "server")),
            None => "its servers are".into(),
        };
        let wait = told(&station.figures, "mean_waiting_time").map(|wait| self.tell(wait, Told::number));
        let wait =
            wait.map(|wait| format!(", and {} wait {wait} {}", words.tokens(), words.times())).unwrap_or_default();
        self.add("busiest", format!("'{}': {servers} busy {share} of {duty}{wait}", name(&station.station)));
    }

    /// The resource of which the largest share is held.
    fn held(&mut self, resources: &[ResourceReport]) {
        let share =
            |all: &ResourceReport| Told { value: all.counts.utilization, half: all.counts.utilization_half_width };
        let all = resources.iter().map(|resource| (resource, share(resource)));
        let Some((resource, share)) = all.max_by(|a, b| a.1.value.total_cmp(&b.1.value)) else { return };
        let share = self.tell(share, Told::percent);
        let units = counted(resource.units.into(), "unit");
        self.add("most held", format!("'{}': {share} of {units}", name(&resource.resource)));
    }

    /// How sure the figures above are.
    fn certainty(&mut self, replications: usize) {
        if self.lines.is_empty() {
            return;
        }
        let widest = self.told.iter().filter_map(|told| told.relative()).max_by(f64::total_cmp);
        let text = match widest {
            _ if replications == 1 => "not known of one replication: --replications 20 gives intervals".into(),
            Some(widest) => format!(
                "the times and the busiest share to {} % or better, with 95 % confidence",
                sure_to(100.0 * widest)
            ),
            None => return,
        };
        self.add("how sure", text);
    }
}

/// A figure by its key; `None` where there is none.
fn told(all: &Estimates, key: &str) -> Option<Told> {
    let ((_, value), (_, half)) = all.mean_fields().zip(all.half_width_fields()).find(|((name, _), _)| *name == key)?;
    Some(Told { value: value?, half })
}

/// What share of the tokens of a class left a station without a service, and why.
fn of_class(class: &ClassReport) -> impl Iterator<Item = (Told, String)> {
    let who = if class.class.is_empty() { "all".into() } else { format!("class '{}'", name(&class.class)) };
    let reasons = [
        ("loss_probability", "found no room at"),
        ("balking_probability", "did not join the line of"),
        ("reneging_probability", "lost their patience at"),
    ];
    let at = name(&class.station);
    let share = |(key, why)| Some((told(&class.figures, key).filter(|share| share.value > 0.0)?, why));
    reasons.into_iter().filter_map(share).map(move |(share, why)| (share, format!("of {who} {why} '{at}'")))
}

/// The same of a network without classes.
fn of_station(station: &StationReport) -> Option<(Told, String)> {
    let lost = told(&station.figures, "loss_probability").filter(|lost| lost.value > 0.0)?;
    Some((lost, format!("of all found no room at '{}'", name(&station.station))))
}
