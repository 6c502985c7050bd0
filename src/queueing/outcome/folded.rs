//! What happened in each bin of a period: of each hour of the day.

use crate::NetworkModel;

/// What happened at a station in one bin of the period, in all periods together, after the warm-up.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// assert_eq!(tickless::queueing::FoldedRecord::default().arrivals, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FoldedRecord {
    /// Tokens that came, those among them that found no room or balked.
    pub arrivals: u64,
    /// Services that started.
    pub starts: u64,
    /// Tokens that found no room, balked or lost their patience.
    pub unserved: u64,
    /// The waiting time of the services that started or went on then, in ticks; 0 where tokens share the servers.
    pub waiting: u64,
    /// The time integral of the number present, in ticks.
    pub presence: u64,
    /// The time integral of the number in service, in ticks.
    pub serving: u64,
}

impl FoldedRecord {
    /// The number of its words.
    pub(crate) const WORDS: usize = 6;

    /// Its words.
    pub(crate) fn words(self) -> [u64; Self::WORDS] {
        let Self { arrivals, starts, unserved, waiting, presence, serving } = self;
        [arrivals, starts, unserved, waiting, presence, serving]
    }

    /// The record with these words.
    pub(crate) fn of([arrivals, starts, unserved, waiting, presence, serving]: [u64; Self::WORDS]) -> Self {
        Self { arrivals, starts, unserved, waiting, presence, serving }
    }

    /// The sum of this record and another.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let (ours, theirs) = (self.words(), other.words());
        Self::of(std::array::from_fn(|word| ours[word] + theirs[word]))
    }
}

/// Records by the bin of a period ([`Network::fold`]): of each class at each station, and of each resource.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::{device::Target, queueing::{self, Network, Source, Station}, run::unwatched};
/// // A token comes at 1, 2, 3, ...; from the third time unit of each ten on the desk is closed.
/// let shifts = queueing::Shifts::new(vec![(0.0, 1), (3.0, 0)]).every(10.0);
/// let mut network = Network::new().until(20.0).fold(10.0).fold_step(5.0);
/// let desk = network.station(Station::new("desk", "constant:0.25".parse()?).shifts(shifts));
/// let exit = network.sink("exit");
/// network.source(Source::new("in", "constant:1".parse()?, desk));
/// network.route(desk, exit, 1.0, 0.0);
/// let run = queueing::run(&network.check()?, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
/// let folded = run.outcome[0].folded.as_ref().expect("it was asked for");
/// let bins = [0, 1].map(|bin| folded.at_station(desk.index(), None, bin));
/// assert_eq!(bins.map(|bin| bin.arrivals), [4 + 5, 5 + 5]);
/// assert_eq!(bins.map(|bin| bin.starts), [2 + 8 + 2, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`Network::fold`]: crate::Network::fold
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folded {
    bins: usize,
    classes: usize,
    stations: usize,
    /// For each class at each station, station by station, the words of each bin; then for each resource how long units were held in each
    /// bin, in ticks.
    pub(crate) lists: Vec<Vec<u64>>,
}

impl Folded {
    /// Of the words of a model.
    ///
    /// # Panics
    /// Where the model folds nothing.
    pub(crate) fn new(model: &NetworkModel, lists: Vec<Vec<u64>>) -> Self {
        let bins = model.folding().expect("the model folds").bins as usize;
        Self { bins, classes: model.classes().len(), stations: model.stations() as usize, lists }
    }

    /// From all words of a model, one list behind the other.
    pub(crate) fn of(model: &NetworkModel, words: &[u64]) -> Self {
        let mut folded = Self::new(model, vec![]);
        let (of_places, of_resources) =
            words.split_at(folded.stations * folded.classes * folded.bins * FoldedRecord::WORDS);
        let places = of_places.chunks(folded.bins * FoldedRecord::WORDS);
        folded.lists = places.chain(of_resources.chunks(folded.bins)).map(<[u64]>::to_vec).collect();
        folded
    }

    /// How many words a model has.
    pub(crate) fn words(model: &NetworkModel) -> u64 {
        let places = u64::from(model.stations()) * model.classes().len() as u64;
        let each = places * FoldedRecord::WORDS as u64 + model.resources().len() as u64;
        model.folding().map_or(0, |fold| each * u64::from(fold.bins))
    }

    /// How many bins the period has.
    pub fn bins(&self) -> usize {
        self.bins
    }

    /// What happened to a class, or to all classes, at a station in a bin, by their places.
    ///
    /// # Panics
    /// Where the model has no such station, class or bin.
    pub fn at_station(&self, station: u32, class: Option<u32>, bin: usize) -> FoldedRecord {
        let classes = class.map_or(0..self.classes, |class| class as usize..class as usize + 1);
        let record = |class: usize| {
            let words = &self.lists[station as usize * self.classes + class];
            FoldedRecord::of(words.as_chunks().0[bin])
        };
        classes.map(record).fold(FoldedRecord::default(), FoldedRecord::and)
    }

    /// How long units of a resource were held in a bin, added together, in ticks.
    ///
    /// # Panics
    /// Where the model has no such resource or bin.
    pub fn held(&self, resource: u32, bin: usize) -> u64 {
        self.lists[self.stations * self.classes + resource as usize][bin]
    }
}
