//! Targets: times within which tokens are to be served, or to leave.

use super::{Class, Network, Sink, Station};

impl Station {
    /// Counts which waits and visits here last no longer than each of these times, of all classes and of each: exactly, as ticks. Times are in
    /// time units. The network then runs event by event, like a network of classes.
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::{device::Target, run::unwatched};
    /// use tickless::queueing::{self, Network, Source, Station, figures::Whose};
    /// let mut network = Network::new().until(10_000.0);
    /// let desk = network.station(Station::new("desk", "exponential:0.5".parse()?).targets(vec![1.0]));
    /// let exit = network.sink("exit");
    /// network.source(Source::new("in", "exponential:1".parse()?, desk));
    /// network.route(desk, exit, 1.0, 0.0);
    /// let model = network.check()?;
    /// let run = queueing::run(&model, 0..20, Target::Heap, Default::default(), &mut unwatched())?;
    /// let [waits, _] = model.within(Whose::Station(0), &run.outcome).try_into().expect("waits and visits");
    /// // 1 - 0.5 exp(-(2 - 1)).
    /// assert!((waits.share.mean - 0.81606).abs() < 2.0 * waits.share.half_width.expect("there are 20 replications"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn targets(mut self, targets: Vec<f64>) -> Self {
        if !targets.is_empty() {
            self.further().targets = targets;
        }
        self
    }
}

impl Sink {
    /// Counts which tokens from sources were in the network no longer than each of these times when they left here.
    #[must_use]
    pub fn targets(mut self, targets: Vec<f64>) -> Self {
        self.targets = targets;
        self
    }
}

impl Class {
    /// Counts which of its tokens from sources were in the network no longer than each of these times when they left, at every sink.
    #[must_use]
    pub fn targets(mut self, targets: Vec<f64>) -> Self {
        self.targets = targets;
        self
    }
}

impl Network {
    /// Which quantiles of recorded times results tell, from above 0 to 1: 0.8 is what 80 of a hundred times do not exceed, and 1 the longest
    /// time. That is exact, except for blocked and joining times; a network that asks for it runs event by event. Without a call these are
    /// 0.5, 0.9, 0.95 and 0.99. They are of distributions, which must be recorded ([`Network::distributions`]).
    #[must_use]
    pub fn quantiles(mut self, quantiles: Vec<f64>) -> Self {
        self.quantiles = quantiles;
        self
    }

    /// Whether the longest of times is asked for.
    pub(crate) fn asks_for_longest(&self) -> bool {
        self.quantiles.contains(&1.0)
    }

    /// Every target with the kind and the name of who has it.
    pub(crate) fn targets(&self) -> impl Iterator<Item = (&'static str, &str, f64)> {
        fn each<'a>(
            kind: &'static str,
            name: &'a str,
            targets: &'a [f64],
        ) -> impl Iterator<Item = (&'static str, &'a str, f64)> {
            targets.iter().map(move |target| (kind, name, *target))
        }
        let stations = self.stations.iter().flat_map(|station| each("station", &station.name, station.own_targets()));
        let sinks = self.sinks.iter().flat_map(|sink| each("sink", &sink.name, &sink.targets));
        let classes = self.classes.iter().flat_map(|class| each("class", &class.name, &class.targets));
        stations.chain(sinks).chain(classes)
    }
}

impl Station {
    /// Its targets.
    pub(crate) fn own_targets(&self) -> &[f64] {
        self.further.as_deref().map_or(&[], |more| &more.targets)
    }
}
