//! Records by the bin of a period: at the end of each bin the accounts of all stations are compared with those at its beginning.

use super::Oracle;
use crate::describe::Order;
use crate::model::Fold;
use crate::outcome::{Folded, FoldedRecord};
use crate::{FoldedTimeError, NetworkModel, QueueingError};
use serde::{Deserialize, Serialize};
use tickless_core::time::Time;

/// The sums of each bin so far.
#[derive(Serialize, Deserialize)]
pub(super) struct Folding {
    step: u64,
    bins: usize,
    /// The bin of the present time, and when it ends.
    bin: usize,
    end: Time,
    /// What the accounts had at the beginning of the bin: the words of a [`FoldedRecord`] of each, and how long units were held.
    before: Vec<u128>,
    /// For each bin what was added in it.
    sums: Vec<Vec<u128>>,
}

impl Folding {
    /// Of what the model asks, if anything.
    pub(super) fn new(model: &NetworkModel) -> Option<Self> {
        let fold @ Fold { step, bins } = model.folding()?;
        let (bin, _, begin) = fold.place(model.warmup());
        let end = Time::from_ticks(begin.ticks() + step.ticks());
        let count = model.stations() as usize * model.classes().len() * FoldedRecord::WORDS + model.resources().len();
        let (before, bins) = (vec![0; count], bins as usize);
        Some(Self { step: step.ticks(), bins, bin: bin as usize, end, sums: vec![before.clone(); bins], before })
    }

    /// Whether a time is behind the bin.
    #[inline]
    pub(super) fn is_over(&self, now: Time) -> bool {
        now >= self.end
    }

    /// Goes on to the next bin.
    fn advance(&mut self) {
        self.bin = (self.bin + 1) % self.bins;
        self.end = Time::from_ticks(self.end.ticks() + self.step);
    }

    /// Whether every sum has 64 bits.
    fn fits(&self) -> bool {
        self.sums.iter().flatten().all(|sum| u64::try_from(*sum).is_ok())
    }

    /// The sums as lists.
    pub(super) fn finish(&self, model: &NetworkModel) -> Folded {
        let places = model.stations() as usize * model.classes().len();
        // They have been looked at.
        let words = |of: std::ops::Range<usize>| {
            self.sums.iter().flat_map(move |bin| bin[of.clone()].iter().map(|sum| *sum as u64)).collect::<Vec<u64>>()
        };
        let of_places = (0..places).map(|place| words(place * FoldedRecord::WORDS..(place + 1) * FoldedRecord::WORDS));
        let first = places * FoldedRecord::WORDS;
        let of_resources = (0..model.resources().len()).map(|resource| words(first + resource..first + resource + 1));
        Folded::new(model, of_places.chain(of_resources).collect())
    }
}

impl Oracle<'_> {
    /// Adds to the present bin what accounts have more than at its beginning.
    fn adds_to_bin(&self, folding: &mut Folding, until: Time) {
        let mut sums = folding.sums[folding.bin].iter_mut().zip(&mut folding.before);
        let mut add = |totals: &[u128]| {
            for (now, (sum, before)) in totals.iter().zip(&mut sums) {
                *sum += now - *before;
                *before = *now;
            }
        };
        for (station, rules) in self.stations.iter().zip(&self.rules.stations) {
            let shares = rules.order == Order::Sharing;
            for class in &station.accounts {
                let [arrivals, starts, losses, waiting, presence, busy] = class.accounts.totals(until);
                let unserved = losses + u128::from(class.balked + class.reneged + class.abandoned);
                add(&[arrivals, starts, unserved, if shares { 0 } else { waiting }, presence, busy]);
            }
        }
        self.units.resources.iter().for_each(|resource| add(&[resource.held_until(until)]));
    }

    /// Looks at what there is at an instant before anything happens then, where it is over the end of a bin or a time of the grid.
    #[cold]
    pub(super) fn looks_around(&mut self, now: Time) {
        self.closes_bins(now);
        if now > Time::ZERO {
            self.notes_served(now);
        }
        self.plans_look();
    }

    /// Sets when it looks around again.
    pub(super) fn plans_look(&mut self) {
        let bin = self.folding.as_ref().map(|folding| folding.end);
        // Who is served at time 0 counts as served then.
        let noted = self.series.as_ref().map(|series| series.next().max(Time::from_ticks(1)));
        self.look = bin.into_iter().chain(noted).min().unwrap_or(Time::NEVER);
    }

    /// Closes the bins that have ended before this instant.
    fn closes_bins(&mut self, now: Time) {
        let Some(mut folding) = self.folding.take() else { return };
        while folding.is_over(now) {
            let end = folding.end;
            self.adds_to_bin(&mut folding, end);
            folding.advance();
        }
        self.folding = Some(folding);
    }

    /// Adds what has happened since the last bin ended, up to `clock`, and notes who is in service then.
    ///
    /// # Errors
    /// [`FoldedTimeError`] of a sum of times that has no 64 bits.
    pub(in super::super) fn finish_fold(&mut self, clock: Time) -> Result<(), QueueingError> {
        self.closes_bins(clock);
        self.notes_served(clock);
        let Some(mut folding) = self.folding.take() else { return Ok(()) };
        self.adds_to_bin(&mut folding, clock.max(self.model.warmup()));
        let fits = folding.fits();
        self.folding = Some(folding);
        if fits { Ok(()) } else { Err(FoldedTimeError.into()) }
    }
}
