//! What tokens carry: sizes, due dates and lengths of stay, drawn where a token begins.

use super::{ClassId, ClassOfStation, Network, Routing, Station, ids::Giver};
use tickless_core::random::ServiceLaw;

/// An attribute of a [`Network`], by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AttributeId(pub(crate) u32, pub(crate) Giver);

impl AttributeId {
    /// Its place, from 0 on.
    pub fn index(self) -> u32 {
        self.0
    }
}

/// A time that every token carries with it, from station to station: how large a job is, when it is due, how long a patient stays. It is drawn
/// once, when a token comes from its source or is placed at time 0; a trace may say it.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::{device::Target, queueing::{self, Attribute, Network, Source, Station}, run::unwatched};
/// let mut network = Network::new().until(40.0);
/// let size = network.attribute(Attribute::new("size", "constant:3".parse()?));
/// // Half of it at one station, all of it at the next.
/// let first = network.station(Station::new("first", "constant:1".parse()?).service_by(size, 0.5));
/// let second = network.station(Station::new("second", "constant:1".parse()?).service_by(size, 1.0));
/// let exit = network.sink("exit");
/// network.source(Source::new("in", "constant:10".parse()?, first).limit(1));
/// network.route(first, second, 1.0, 0.0);
/// network.route(second, exit, 1.0, 0.0);
/// let run = queueing::run(&network.check()?, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
/// assert_eq!(run.outcome[0].sinks[0].sojourn >> 31, 3 + 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    pub(crate) name: String,
    pub(crate) law: ServiceLaw,
    pub(crate) laws: Vec<(ClassId, ServiceLaw)>,
}

impl Attribute {
    /// An attribute whose values are times of a law, a tick or longer.
    pub fn new(name: impl Into<String>, law: ServiceLaw) -> Self {
        Self { name: name.into(), law, laws: vec![] }
    }

    /// The law of tokens that begin in a class.
    #[must_use]
    pub fn of_class(mut self, class: ClassId, law: ServiceLaw) -> Self {
        self.laws.push((class, law));
        self
    }

    /// The law of tokens that begin in the class with a place.
    pub(crate) fn law_of(&self, class: usize) -> &ServiceLaw {
        let own = self.laws.iter().rev().find(|(of, _)| of.0 as usize == class);
        own.map_or(&self.law, |(_, law)| law)
    }
}

/// An attribute that is a service time, and what it is multiplied by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SizedBy {
    pub(crate) attribute: AttributeId,
    pub(crate) factor: f64,
}

impl Network {
    /// Adds an attribute that every token has. There are at most four.
    pub fn attribute(&mut self, attribute: Attribute) -> AttributeId {
        self.attributes.push(attribute);
        AttributeId(self.attributes.len() as u32 - 1, self.giver)
    }
}

impl Station {
    /// Services take as long as an attribute of the token says, times a factor from 2⁻¹⁰ to 2¹⁰ (rounded to 2⁻²⁰), in place of the
    /// station's law; a class may have a law of its own.
    #[must_use]
    pub fn service_by(mut self, attribute: AttributeId, factor: f64) -> Self {
        self.further().sized_by = Some(SizedBy { attribute, factor });
        self
    }

    /// A token gives up waiting after as long as an attribute of it says, times a factor from 2⁻¹⁰ to 2¹⁰; it goes where [`Station::patience`]
    /// has it. With `from_source` that time counts from when it came from its source, over all stations (tokens of time 0 came then).
    #[must_use]
    pub fn patience_by(mut self, attribute: AttributeId, factor: f64, from_source: bool) -> Self {
        let further = self.further();
        (further.patience_by, further.patience_from_source) = (Some(SizedBy { attribute, factor }), from_source);
        self
    }

    /// Patience runs on while a token is served: where it ends amid a service, the token leaves its server, and goes where those go that give up.
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::{device::Target, queueing::{self, Network, Source, Station}, run::unwatched};
    /// let mut network = Network::new().until(40.0);
    /// let station = Station::new("desk", "constant:4".parse()?).patience("constant:6".parse()?, None);
    /// let desk = network.station(station.patience_runs_on());
    /// let exit = network.sink("exit");
    /// network.source(Source::new("in", "constant:1".parse()?, desk).limit(3));
    /// network.route(desk, exit, 1.0, 0.0);
    /// let run = queueing::run(&network.check()?, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
    /// // One from 1 to 5, another from 5 until it has been there for 6; and so the third, from 8 to 9.
    /// let record = &run.outcome[0].classes[0];
    /// assert_eq!((record.record.completions, record.abandoned, record.record.busy >> 32), (1, 2, 4 + 3 + 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn patience_runs_on(mut self) -> Self {
        self.further().patience_runs_on = true;
        self
    }

    /// Tokens take their routes by an attribute: the first route up to whose value it is ([`Route::up_to`](super::Route::up_to)), and the last
    /// where it is more than all of these. Routes have values that grow, and the last has none.
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::{device::Target, queueing::{self, Attribute, Network, Route, Source, Station}, run::unwatched};
    /// let mut network = Network::new().until(1000.0);
    /// let size = network.attribute(Attribute::new("size", "uniform:0,10".parse()?));
    /// let door = network.station(Station::new("door", "constant:0.1".parse()?).route_by(size));
    /// let [small, large] = ["small", "large"].map(|name| network.sink(name));
    /// network.source(Source::new("in", "constant:1".parse()?, door));
    /// network.add_route(Route::new(door, small).up_to(2.5));
    /// network.add_route(Route::new(door, large));
    /// let run = queueing::run(&network.check()?, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
    /// let [small, large] = [0, 1].map(|sink| run.outcome[0].sinks[sink].tokens);
    /// assert!(small.abs_diff(250) < 50 && small + large == 999);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn route_by(mut self, attribute: AttributeId) -> Self {
        let further = self.further();
        (further.routing, further.route_by) = (Routing::ByAttribute, Some(attribute));
        self
    }

    /// The attribute by which `least`, `edd` and `ageing` order tokens ([`Discipline`](super::Discipline)).
    #[must_use]
    pub fn order_by(mut self, attribute: AttributeId) -> Self {
        self.further().order_by = Some(attribute);
        self
    }
}

impl ClassOfStation {
    /// Services of the class take as long as an attribute of the token says, times a factor from 2⁻¹⁰ to 2¹⁰.
    #[must_use]
    pub fn service_by(mut self, attribute: AttributeId, factor: f64) -> Self {
        self.sized_by = Some(SizedBy { attribute, factor });
        self
    }
}
