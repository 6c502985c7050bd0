//! The whole state of a run where it stops, and a run that goes on from this state: on the heap alone, in the types of this simulator.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::events::Event;
use super::fold::Folding;
use super::forks::Siblings;
use super::series::Recorder;
use super::station::Station;
use super::units::Units;
use super::{Oracle, Source, Token};
use crate::outcome::ForkRecord;
use crate::reference::Slab;
use crate::reference::histograms::Recorded;
use crate::{NetworkModel, QueueingError, SinkRecord};
use tickless_core::memory::{self, NoMemory};
use tickless_core::run::Digest;
use tickless_core::time::Time;

/// Raised with every change of what [`Whole`] is made of: another one is refused.
pub(super) const FORMAT: u32 = 11;

/// What changes in a run, to be written by reference and read by value.
#[derive(Serialize, Deserialize)]
struct Whole<Stations, Sources, Sinks, Observed, Series, Fold, Units, Siblings, Served, Tokens, Numbers> {
    format: u32,
    /// See [`words_of`].
    model: [u64; 4],
    stations: Stations,
    sources: Sources,
    sinks: Sinks,
    histograms: Observed,
    series: Series,
    folding: Fold,
    units: Units,
    siblings: Siblings,
    served: Served,
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
    Option<Box<Folding>>,
    Units,
    Slab<Siblings>,
    Vec<BTreeMap<u32, u64>>,
    Slab<Token>,
    Vec<u32>,
>;

/// Reads what was kept of a model.
///
/// # Errors
/// [`QueueingError::Unreadable`] and [`QueueingError::Checkpoint`] of what is not of it.
fn read(model: &NetworkModel, bytes: &[u8]) -> Result<Read, QueueingError> {
    let other = |what, found: usize, expected: usize| QueueingError::Checkpoint {
        what,
        found: found as u64,
        expected: expected as u64,
    };
    let unreadable = |what: String, remedy| QueueingError::Unreadable { what, remedy };
    let damaged = |cause: String| unreadable(format!("damaged ({cause})"), "go on with the other file, or run again");
    let ((format, of), _): ((u32, [u64; 4]), _) =
        postcard::take_from_bytes(bytes).map_err(|error| damaged(error.to_string()))?;
    if format != FORMAT {
        let what = format!("of the form {format}, and this tickless reads the form {FORMAT}");
        return Err(unreadable(what, "go on with the tickless that left it"));
    }
    if of != words_of(model) {
        return Err(unreadable(
            "of another network".into(),
            "go on with the network, the horizon and the seed that left it, and with the same version of tickless",
        ));
    }
    let (whole, rest): (Read, _) = postcard::take_from_bytes(bytes).map_err(|error| damaged(error.to_string()))?;
    if !rest.is_empty() {
        return Err(damaged(format!("{} bytes too many", rest.len())));
    }
    let (classes, sinks) = (model.class_count() as usize, model.sinks() as usize);
    let found = [
        ("stations in the network", whole.stations.len(), model.stations() as usize),
        ("sources in the network", whole.sources.len(), model.sources() as usize),
        ("classes at sinks in the network", whole.sinks.len(), sinks * classes),
        ("resources in the network", whole.units.count(), model.rules().resources.len()),
        ("distributions in the network", usize::from(whole.histograms.is_some()), model.records_times().into()),
        ("series in the network", usize::from(whole.series.is_some()), model.series_step().iter().len()),
        ("folded records in the network", usize::from(whole.folding.is_some()), model.folding().iter().len()),
    ];
    if let Some((what, found, expected)) = found.into_iter().find(|(_, found, expected)| found != expected) {
        return Err(other(what, found, expected));
    }
    match whole.stations.iter().find(|station| station.accounts.len() != classes) {
        Some(station) => Err(other("classes at a station in the network", station.accounts.len(), classes)),
        None => Ok(whole),
    }
}

/// What a model is known by: all that the user has written, in ticks, under the names that this version has for it.
fn words_of(model: &NetworkModel) -> [u64; 4] {
    Digest::of(|hashing| write!(hashing, "{model:?}").expect("a digest takes every text")).words()
}

/// The bytes behind those of the model.
#[cfg(test)]
pub(super) fn without_model(bytes: &[u8]) -> Vec<u8> {
    let (_, rest): ((u32, [u64; 4]), _) = postcard::take_from_bytes(bytes).unwrap();
    rest.to_vec()
}

impl Oracle<'_> {
    /// Everything.
    ///
    /// # Errors
    /// Too little memory for it.
    pub(in super::super) fn whole(&self) -> Result<Vec<u8>, NoMemory> {
        let mut events: Vec<u128> = self.events.iter().map(Event::pack).collect();
        // In the order of the contract, whatever the list has them in.
        events.sort_unstable();
        let whole = Whole {
            format: FORMAT,
            model: words_of(self.model),
            stations: &*self.stations,
            sources: &self.sources,
            sinks: &self.sinks,
            histograms: self.histograms.as_ref().map(|histograms| histograms.recorded()),
            series: &self.series,
            folding: &self.folding,
            units: &self.units,
            siblings: &self.siblings,
            served: &self.served,
            tokens: &self.tokens,
            short: &self.short,
            events,
            forks: self.forks,
            counts: [self.in_transit, self.present, self.present_before, self.lost_before, self.squares],
            balked: self.balked,
        };
        let form = "every value has a form";
        let size = postcard::experimental::serialized_size(&whole).expect(form);
        // Once more as words of its file.
        memory::room_of(2 * size as u64, "what is in the network at a checkpoint")?;
        Ok(postcard::to_extend(&whole, Vec::with_capacity(size)).expect(form))
    }

    /// Takes over everything, in place of what there is at time 0.
    ///
    /// # Errors
    /// As [`read`].
    pub(in super::super) fn go_on_from_whole(&mut self, bytes: &[u8]) -> Result<(), QueueingError> {
        let whole = read(self.model, bytes)?;
        self.stations.replace(whole.stations);
        (self.sources, self.sinks, self.series) = (whole.sources, whole.sinks, whole.series);
        self.folding = whole.folding;
        self.plans_look();
        if let (Some(histograms), Some(recorded)) = (&mut self.histograms, whole.histograms) {
            histograms.go_on_from(recorded);
        }
        (self.units, self.siblings, self.tokens) = (whole.units, whole.siblings, whole.tokens);
        self.find_losers();
        self.served = whole.served;
        self.short = whole.short.into_iter().collect();
        whole.events.into_iter().for_each(|word| self.events.push(Event::unpack(word)));
        self.forks = whole.forks;
        [self.in_transit, self.present, self.present_before, self.lost_before, self.squares] = whole.counts;
        self.balked = whole.balked;
        self.completed_before = self.completions();
        Ok(())
    }
}
