//! Networks under control: copies of a network that stop where something is to be decided.
//!
//! A step begins with a decision, which is a list of words: how many servers stations have, in which order they take the classes, which route
//! tokens take. Then events happen until the next decision, where numbers of the copy are seen. Copies are alike but for their streams; the
//! same decisions give the same numbers on the heap and on any device.

mod error;
mod paths;
mod rules;
mod seen;

use crate::describe::Network;
use crate::model::control::ControlRules;
use crate::{NetworkModel, QueueingError};
pub use error::ControlError;
use paths::Names;
use rules::check_look;
pub use seen::Seen;
pub(crate) use seen::SeenSizes;
use tickless_core::time::Time;

/// When copies stop for a decision.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::control::Epoch;
/// assert_ne!(Epoch::Every(60.0), Epoch::Event);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Epoch {
    /// At every multiple of so many time units, from 2^-32 to below 2^32, before the events of that time. Where the horizon is a multiple but for
    /// the rounding to ticks, it is one.
    Every(f64),
    /// Behind every instant at which something has happened.
    Event,
}

/// What is decided, what is seen, and when, by paths.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{Network, Source, Station, control::{Control, Copies, Epoch}};
/// let mut network = Network::new().until(100.0);
/// let desk = network.station(Station::new("desk", "constant:3".parse()?).servers(2));
/// let exit = network.sink("exit");
/// network.source(Source::new("street", "constant:2".parse()?, desk));
/// network.route(desk, exit, 1.0, 0.0);
/// let control = Control {
///     decisions: vec!["station.desk.servers".into()],
///     observed: vec!["station.desk.present".into()],
///     earned: vec!["station.desk.present".into()],
///     ..Control::every(10.0)
/// };
/// let controlled = network.control(&control)?;
/// let mut copies = controlled.on_the_heap(1, 1)?;
/// // No server for ten time units: four tokens come and wait, from the second time unit on.
/// let seen = copies.step(&[0])?;
/// assert_eq!((seen.observed(), seen.clocks()), (&[4][..], &[10 << 32][..]));
/// assert_eq!(seen.earned(), [(8 + 6 + 4 + 2) << 32]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    /// `station.NAME.servers`: how many servers are on duty, from 0 to those of the file. `station.NAME.priorities`: of each class its rank;
    /// a free server takes a token of the class with the highest rank, and none of rank 0. `station.NAME.route`, `source.NAME.route`: the
    /// number of the route that tokens take.
    pub decisions: Vec<String>,
    /// Numbers at a decision: `station.NAME.present`, `waiting` (those that are not served: blocked and interrupted tokens, too), `serving`,
    /// `servers`; `station.NAME.class.NAME.present`.
    pub observed: Vec<String>,
    /// Sums since the decision before: these numbers times the ticks for which they were that, modulo 2^64; and counts,
    /// `station.NAME.completed`, `lost`, `reneged`, `sink.NAME.tokens`, also of a class.
    pub earned: Vec<String>,
    /// When copies stop for a decision.
    pub epoch: Epoch,
    /// Whether services are interrupted for which a decision leaves no server; else they end.
    pub interrupts: bool,
}

impl Control {
    /// Nothing yet, at multiples of so many time units.
    pub fn every(units: f64) -> Self {
        Self { decisions: vec![], observed: vec![], earned: vec![], epoch: Epoch::Every(units), interrupts: false }
    }
}

/// A decision: how many words it has, and the largest that each may be.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::control::Decision;
/// let servers = Decision { path: "station.desk.servers".into(), words: 1, most: 3 };
/// assert_eq!(servers.most, 3);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Its path.
    pub path: String,
    /// Words.
    pub words: u32,
    /// The largest value of each; the smallest is 0.
    pub most: u32,
}

/// Addresses in the memory of a CUDA device.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{Network, Station, control::Control};
/// let mut network = Network::new();
/// let desk = network.station(Station::new("desk", "constant:1".parse()?).tokens(2));
/// network.route(desk, desk, 1.0, 0.0);
/// // The heap is not there.
/// assert_eq!(network.control(&Control::every(2.0))?.on_the_heap(3, 1)?.places(), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    /// The decisions: words of 32 bits, as [`Copies::step`] takes them.
    pub decided: u64,
    /// [`Seen::observed`].
    pub observed: u64,
    /// [`Seen::earned`].
    pub earned: u64,
    /// [`Seen::clocks`].
    pub clocks: u64,
    /// [`Seen::ended`].
    pub ended: u64,
}

/// Copies of a network at work.
pub trait Copies: Send {
    /// All copies begin anew at time 0: with the first streams of a seed, or with the next ones of the seed so far.
    ///
    /// # Errors
    /// As [`Copies::step`].
    fn reset(&mut self, seed: Option<u64>) -> Result<&Seen, QueueingError>;

    /// What was seen last.
    fn seen(&self) -> &Seen;

    /// Where decisions and what is seen lie in the memory of a CUDA device, for who learns there. The places change where a reset has another
    /// seed, and where room for tokens grows.
    fn places(&self) -> Option<Places> {
        None
    }

    /// As [`Copies::step`] with the decisions that lie in the memory of the device, where what is seen stays.
    ///
    /// # Errors
    /// As [`Copies::step`]; [`QueueingError::NotThere`] where there are no places.
    fn step_there(&mut self) -> Result<(), QueueingError> {
        Err(QueueingError::NotThere)
    }

    /// Carries out the decisions, the words of one copy behind those of the other, and goes on to the next ones. Copies at the horizon begin
    /// anew instead, with other streams, and stop at time 0.
    ///
    /// # Errors
    /// [`QueueingError::Decision`] for a word out of range; [`QueueingError::Words`]; as a run.
    fn step(&mut self, decided: &[u32]) -> Result<&Seen, QueueingError>;
}

/// A network under control, checked.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::queueing::{Network, Station, control::Control};
/// let mut network = Network::new();
/// let desk = network.station(Station::new("desk", "constant:1".parse()?).servers(3).tokens(5));
/// network.route(desk, desk, 1.0, 0.0);
/// let control = Control { decisions: vec!["station.desk.servers".into()], ..Control::every(10.0) };
/// assert_eq!(network.control(&control)?.decisions()[0].most, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ControlledModel {
    pub(crate) model: NetworkModel,
    decisions: Vec<Decision>,
}

impl ControlledModel {
    /// What is decided, in the order of its words.
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// Whether the horizon is the system's own end.
    pub fn is_terminating(&self) -> bool {
        self.model.is_terminating()
    }

    /// Of what is earned whether it is earned over time, and so in ticks.
    pub fn earned_over_time(&self) -> impl ExactSizeIterator<Item = bool> + '_ {
        self.control().earned.iter().map(|looked| looked.kind.is_over_time())
    }

    /// The rules of what is decided.
    pub(crate) fn control(&self) -> &ControlRules {
        self.model.rules.control.as_deref().unwrap_or(ControlRules::NOTHING)
    }

    /// The largest value of each word.
    pub(crate) fn bounds(&self) -> impl Iterator<Item = u32> + '_ {
        self.decisions.iter().flat_map(|decision| std::iter::repeat_n(decision.most, decision.words as usize))
    }

    /// The first word of some copies that is out of range.
    pub(crate) fn check(&self, copies: usize, decided: &[u32]) -> Result<(), QueueingError> {
        let words: usize = self.control().words as usize;
        if decided.len() != words * copies {
            return Err(QueueingError::Words { found: decided.len(), expected: words * copies, copies });
        }
        let wrong = |(copy, of_copy): (usize, &[u32])| {
            let (number, (found, most)) =
                of_copy.iter().copied().zip(self.bounds()).enumerate().find(|(_, (found, most))| found > most)?;
            let mut left = number as u32;
            let of = self.decisions.iter().find(|decision| {
                let is_it = left < decision.words;
                left = left.saturating_sub(decision.words);
                is_it
            })?;
            Some(QueueingError::Decision { path: of.path.clone(), copy, found, most })
        };
        if words == 0 {
            return Ok(());
        }
        decided.chunks(words).enumerate().find_map(wrong).map_or(Ok(()), Err)
    }
}

impl Network {
    /// The network with what is decided during its runs. Of what it records only what is asked for here is left, and there is no warm-up.
    ///
    /// # Errors
    /// [`ControlError`]: a path that leads nowhere, or a station whose servers, order or routes cannot be decided; an error of the network.
    pub fn control(mut self, asked: &Control) -> Result<ControlledModel, ControlError> {
        (self.distributions, self.quantiles, self.warmup) = (crate::Observed::Nothing, vec![], 0.0);
        (self.series_step, self.fold, self.fold_step) = (None, None, None);
        if self.torus.is_some() || self.approximate.is_some() {
            return Err(ControlError::NoLists);
        }
        let every = match asked.epoch {
            Epoch::Every(units) => {
                let time = Time::from_units(units).filter(|time| *time > Time::ZERO);
                Some(time.ok_or(ControlError::Every { units })?)
            }
            Epoch::Event => None,
        };
        for station in &mut self.stations {
            station.further.iter_mut().for_each(|further| further.targets.clear());
        }
        self.sinks.iter_mut().for_each(|sink| sink.targets.clear());
        let names = Names::of(&self);
        let wanted = asked.decisions.iter().map(|path| names.decision(path)).collect::<Result<Vec<_>, _>>()?;
        let look = |path, earned| check_look(&self, path, names.look(path, earned)?);
        let observed = asked.observed.iter().map(|path| look(path, false)).collect::<Result<_, _>>()?;
        let earned = asked.earned.iter().map(|path| look(path, true)).collect::<Result<_, _>>()?;
        let mut rules = ControlRules::new(&self, every, (observed, earned));
        let mut decisions: Vec<Decision> = vec![];
        for (path, wanted) in asked.decisions.iter().zip(&wanted) {
            if decisions.iter().any(|other| other.path == *path) {
                return Err(ControlError::Twice { path: path.clone() });
            }
            let words = rules.decide(&mut self, *wanted, asked.interrupts)?;
            decisions.push(Decision { path: path.clone(), words, most: 0 });
        }
        let mut model = self.check()?;
        for (decision, wanted) in decisions.iter_mut().zip(wanted) {
            decision.most = wanted.most(&model)?;
        }
        rules.every = rules.every.map(|every| ending_at(every, model.until()));
        model.rules.control = Some(Box::new(rules));
        Ok(ControlledModel { model, decisions })
    }
}

/// A time between decisions, of which the horizon is a multiple where it is one but for the rounding to ticks: else a last decision would come
/// some ticks before the horizon.
fn ending_at(every: Time, until: Time) -> Time {
    let [each, whole] = [every, until].map(Time::ticks);
    let count = (whole / each + u64::from(whole % each > each / 2)).max(1);
    let differs = count.checked_mul(each).is_none_or(|multiple| multiple.abs_diff(whole) > count);
    if differs { every } else { Time::from_ticks(whole.div_ceil(count)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_horizon_is_a_multiple_where_it_is_meant() {
        let steps = |every: f64, until: f64| {
            let [every, until] = [every, until].map(|units| Time::from_units(units).unwrap());
            until.ticks().div_ceil(ending_at(every, until).ticks())
        };
        let found = [(0.7, 7.0), (0.2, 10.0), (0.15, 15.0), (1.0 / 3.0, 10.0), (0.6, 6.0), (3.0, 10.0), (50.0, 10.0)];
        assert_eq!(found.map(|(every, until)| steps(every, until)), [10, 50, 100, 30, 10, 4, 1]);
    }
}
