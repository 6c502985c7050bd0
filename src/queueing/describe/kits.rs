//! Stations that put tokens together, or make several of one.

use super::{ClassId, Station};

impl Station {
    /// Makes one token of several: so many of each class stand aside here until a kit is complete. The one of the first class that has
    /// come first goes on, and joins the line; the others are gone, and it has their units of resources. Other classes join the line at
    /// once. Such tokens count as joined, as copies do ([`joining`](Self::joining)).
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::{device::Target, queueing::{self, Class, Network, Source, Station}, run::unwatched};
    /// let mut network = Network::new().until(100.0);
    /// let [frame, wheel] = ["frame", "wheel"].map(|name| network.class(Class::new(name)));
    /// let bench = network.station(Station::new("bench", "constant:1".parse()?).kit([(frame, 1), (wheel, 2)]));
    /// let shop = network.sink("shop");
    /// network.route(bench, shop, 1.0, 0.0);
    /// for (name, class, interval) in [("frames", frame, "constant:10"), ("wheels", wheel, "constant:6")] {
    ///     network.source(Source::new(name, interval.parse()?, bench).class(class));
    /// }
    /// // 16 wheels come before time 100, and make 8 bicycles, of which the last is ready at 97.
    /// let run = queueing::run(&network.check()?, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
    /// assert_eq!((run.outcome[0].sinks[0].tokens, run.outcome[0].classes[1].joined), (8, 16));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn kit(mut self, parts: impl IntoIterator<Item = (ClassId, u32)>) -> Self {
        self.further().kit = parts.into_iter().collect();
        self
    }

    /// Makes several tokens of one that has been served: 1, 2, ... of them leave by its way with these probabilities, which add up to 1.
    ///
    /// ```
    /// # use tickless_queueing::facade as tickless;
    /// use tickless::{device::Target, queueing::{self, Network, Source, Station}, run::unwatched};
    /// let mut network = Network::new().until(100.0);
    /// // A box of three parts.
    /// let unpack = network.station(Station::new("unpack", "constant:1".parse()?).splitting(vec![0.0, 0.0, 1.0]));
    /// let shelf = network.sink("shelf");
    /// network.route(unpack, shelf, 1.0, 0.0);
    /// network.source(Source::new("boxes", "constant:10".parse()?, unpack).limit(2));
    /// let run = queueing::run(&network.check()?, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
    /// assert_eq!(run.outcome[0].sinks[0].tokens, 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn splitting(mut self, probabilities: Vec<f64>) -> Self {
        self.further().splits = probabilities;
        self
    }
}
