//! The numbers of tokens at the times of a regular grid.

use crate::NetworkModel;

/// How many tokens there were at times 0, s, 2 s, ... up to the end of the run, s being what [`Network::series`] asks for: at each
/// of these times those who are there just before what happens at it, and at time 0 the tokens of time 0.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// use tickless::{device::Target, queueing::{self, Network, Source, Station}, run::unwatched};
/// let mut network = Network::new().until(5.0).series(1.0);
/// let desk = network.station(Station::new("desk", "constant:1.5".parse()?));
/// let exit = network.sink("exit");
/// network.source(Source::new("in", "constant:1".parse()?, desk));
/// network.route(desk, exit, 1.0, 0.0);
/// let run = queueing::run(&network.check()?, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
/// let series = run.outcome[0].series.as_ref().expect("it was asked for");
/// // Tokens come at 1, 2, 3 and 4; they leave at 2.5 and 4.
/// assert_eq!(series.at_station(desk.index(), None), [0, 0, 1, 1, 2, 2]);
/// assert_eq!(series.in_service(desk.index(), None), [0, 0, 1, 1, 1, 1]);
/// assert_eq!(series.in_network(None), [0, 0, 1, 1, 2, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`Network::series`]: crate::Network::series
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    classes: usize,
    /// For each class first the number in the network, tokens between stations included, then station by station, and then those in service,
    /// station by station.
    pub(crate) columns: Vec<Vec<u64>>,
}

impl Series {
    /// From the columns of so many classes.
    pub(crate) fn new(classes: usize, columns: Vec<Vec<u64>>) -> Self {
        Self { classes, columns }
    }

    /// From the columns of a model one after the other.
    pub(crate) fn of(model: &NetworkModel, numbers: &[u64]) -> Self {
        let classes = model.classes().len();
        let count = model.series_columns() as usize;
        Self::new(classes, numbers.chunks((numbers.len() / count).max(1)).map(<[u64]>::to_vec).collect())
    }

    /// Fills it with zeros up to so many times, where a run has stopped: all replications have the same number.
    pub(crate) fn fill(&mut self, times: u64) {
        self.columns.iter_mut().for_each(|column| column.resize(times as usize, 0));
    }

    /// Tokens of a class, or of all classes, in the network, tokens between stations included.
    ///
    /// # Panics
    /// Where the model has no such class.
    pub fn in_network(&self, class: Option<u32>) -> Vec<u64> {
        self.at(0, class)
    }

    /// Tokens of a class, or of all classes, at a station, by its place.
    ///
    /// # Panics
    /// Where the model has no such station or class.
    pub fn at_station(&self, station: u32, class: Option<u32>) -> Vec<u64> {
        self.at(station as usize + 1, class)
    }

    /// Tokens of a class, or of all classes, in service at a station, by its place: the others there wait, are blocked or wait for siblings.
    ///
    /// # Panics
    /// Where the model has no such station or class.
    pub fn in_service(&self, station: u32, class: Option<u32>) -> Vec<u64> {
        let stations = self.columns.len() / self.classes / 2;
        self.at(stations + station as usize + 1, class)
    }

    fn at(&self, place: usize, class: Option<u32>) -> Vec<u64> {
        let columns = &self.columns[place * self.classes..][..self.classes];
        match class {
            Some(class) => columns[class as usize].clone(),
            None => (0..columns[0].len()).map(|time| columns.iter().map(|column| column[time]).sum()).collect(),
        }
    }
}
