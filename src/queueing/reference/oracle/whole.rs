//! All that a run of any network is made of where it stops, and a run that goes on from there: on the heap alone, and in the words of
//! this simulator.

use serde::{Deserialize, Serialize};

use super::events::Event;
use super::forks::Siblings;
use super::resources::Units;
use super::series::Recorder;
use super::station::Station;
use super::{Oracle, Source, Token};
use crate::multiclass::ForkRecord;
use crate::reference::Slab;
use crate::reference::observation::Recorded;
use crate::{NetworkModel, QueueingError, SinkRecord};
use tickless_core::time::Time;

/// Raised with every change of what [`Whole`] is made of: another one is refused.
const FORMAT: u32 = 1;

/// What changes in a run, to be written by reference and read by value.
#[derive(Serialize, Deserialize)]
struct Whole<Stations, Sources, Sinks, Observed, Series, Units, Siblings, Tokens, Numbers> {
    format: u32,
    stations: Stations,
    sources: Sources,
    sinks: Sinks,
    observations: Observed,
    series: Series,
    units: Units,
    siblings: Siblings,
    tokens: Tokens,
    short: Numbers,
    events: Vec<u128>,
    forks: ForkRecord,
    /// In transit, present, present and lost before the end of the warm-up, the sum of squares.
    counts: [u64; 5],
    balked: (Time, u64),
}

/// One that has been read.
type Read = Whole<
    Vec<Station>,
    Vec<Source>,
    Vec<SinkRecord>,
    Option<Recorded>,
    Option<Recorder>,
    Units,
    Slab<Siblings>,
    Slab<Token>,
    Vec<u32>,
>;

fn read(model: &NetworkModel, bytes: &[u8]) -> Result<Read, QueueingError> {
    let other = |what, found: usize, expected: usize| QueueingError::Checkpoint {
        what,
        found: found as u64,
        expected: expected as u64,
    };
    let damaged = |_| other("bytes of what is in the network, which are damaged", bytes.len(), 0);
    let (format, _): (u32, _) = postcard::take_from_bytes(bytes).map_err(damaged)?;
    if format != FORMAT {
        return Err(other("as the format of what is in the network", format as usize, FORMAT as usize));
    }
    let whole: Read = postcard::from_bytes(bytes).map_err(damaged)?;
    let (classes, sinks) = (model.class_count() as usize, model.sinks() as usize);
    let found = [
        ("stations in the network", whole.stations.len(), model.stations() as usize),
        ("sources in the network", whole.sources.len(), model.sources() as usize),
        ("classes at sinks in the network", whole.sinks.len(), sinks * classes),
        ("resources in the network", whole.units.count(), model.rules().resources.len()),
        ("distributions in the network", usize::from(whole.observations.is_some()), model.scale().iter().len()),
        ("series in the network", usize::from(whole.series.is_some()), model.series_step().iter().len()),
    ];
    if let Some((what, found, expected)) = found.into_iter().find(|(_, found, expected)| found != expected) {
        return Err(other(what, found, expected));
    }
    match whole.stations.iter().find(|station| station.accounts.len() != classes) {
        Some(station) => Err(other("classes at a station in the network", station.accounts.len(), classes)),
        None => Ok(whole),
    }
}

/// Refuses what is not of a model.
///
/// # Errors
/// [`QueueingError::Checkpoint`].
pub(crate) fn check(model: &NetworkModel, bytes: &[u8]) -> Result<(), QueueingError> {
    read(model, bytes).map(drop)
}

impl Oracle<'_> {
    /// Everything.
    pub(in super::super) fn whole(&self) -> Vec<u8> {
        let whole = Whole {
            format: FORMAT,
            stations: &*self.stations,
            sources: &self.sources,
            sinks: &self.sinks,
            observations: self.observations.as_ref().map(|observations| observations.recorded()),
            series: &self.series,
            units: &self.units,
            siblings: &self.siblings,
            tokens: &self.tokens,
            short: &self.short,
            events: self.events.iter().chain(self.next).map(Event::pack).collect(),
            forks: self.forks,
            counts: [self.in_transit, self.present, self.present_before, self.lost_before, self.squares],
            balked: self.balked,
        };
        postcard::to_allocvec(&whole).expect("every value has a form, and memory does not fail")
    }

    /// Takes over everything, in place of what there is at time 0.
    ///
    /// # Errors
    /// [`QueueingError::Checkpoint`] of what is not of this model.
    pub(in super::super) fn go_on_from_whole(&mut self, bytes: &[u8]) -> Result<(), QueueingError> {
        let whole = read(self.model, bytes)?;
        self.stations.replace(whole.stations);
        (self.sources, self.sinks, self.series) = (whole.sources, whole.sinks, whole.series);
        if let (Some(observations), Some(recorded)) = (&mut self.observations, whole.observations) {
            observations.go_on_from(recorded);
        }
        (self.units, self.siblings, self.tokens) = (whole.units, whole.siblings, whole.tokens);
        self.short = whole.short.into_iter().collect();
        whole.events.into_iter().for_each(|word| self.events.push(Event::unpack(word)));
        self.forks = whole.forks;
        [self.in_transit, self.present, self.present_before, self.lost_before, self.squares] = whole.counts;
        self.balked = whole.balked;
        self.completed_before = self.completions();
        Ok(())
    }
}
