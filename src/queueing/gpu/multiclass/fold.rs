//! What happened in each bin of a period, from the rows of `shaders/multiclass/statistics/fold.wgsl`.

use super::records::Parameters;
use super::rows::{BinRow, OpenRow, Row};
use crate::model::Fold;
use crate::outcome::{Folded, FoldedRecord};
use crate::{NetworkModel, NetworkOutcome};
use tickless_core::time::Time;

/// Rows of a record: of the number present, of the number in service, of starts, of arrivals.
const ROWS: usize = 4;

impl Parameters {
    /// Classes at stations, and resources.
    fn folded_places(&self) -> u32 {
        self.stations * self.classes + self.resources
    }

    /// Rows of `folded` of a replication.
    pub(super) fn folded_rows(&self) -> u64 {
        let records = u64::from(self.folded_places()) * (1 + u64::from(self.fold_bins));
        if self.fold_bins > 0 { 1 + ROWS as u64 * records } else { 0 }
    }
}

/// Writes into the parameters how the period is cut.
pub(super) fn plan(model: &NetworkModel, p: &mut Parameters) {
    if let Some(Fold { step, bins }) = model.folding() {
        (p.fold_step, p.fold_bins) = (step.ticks(), bins);
    }
}

/// Whether all sums of times have 64 bits, and those of periods 31, as the rows have them.
pub(super) fn fits(model: &NetworkModel, outcome: &NetworkOutcome) -> bool {
    let Some(Fold { step, bins }) = model.folding() else { return true };
    let period = u128::from(step.ticks()) * u128::from(bins);
    let is_short = |sum: u128| u64::try_from(sum).is_ok() && sum / period < 1 << 31;
    outcome.classes.iter().all(|class| is_short(class.record.presence) && is_short(class.record.waiting))
        && outcome.resources.iter().all(|resource| is_short(resource.held))
}

/// The rows of all replications.
pub(super) struct FoldedRows<'a> {
    pub(super) rows: &'a [Row],
    pub(super) parameters: &'a Parameters,
    pub(super) replication: usize,
}

/// Adds to a row, modulo 2^64 and 2^32.
fn add(row: &mut BinRow, sum: u64, count: u32, periods: u32) {
    row.sum = row.sum.wrapping_add(sum);
    row.count = row.count.wrapping_add(count);
    row.periods = row.periods.wrapping_add(count.wrapping_mul(periods));
}

/// The time integrals of a level in each bin up to a clock, in ticks.
fn integrals(mut rows: Vec<BinRow>, fold: Fold, clock: Time) -> Vec<u64> {
    // At the clock the level goes back to 0.
    let rest = rows.iter().fold(0u32, |sum, row| sum.wrapping_add(row.count));
    let (bin, periods, begin) = fold.place(clock);
    let left = begin.ticks() + fold.step.ticks() - clock.ticks();
    let integral = u64::from(rest).wrapping_mul(left).wrapping_neg();
    add(&mut rows[bin as usize], integral, rest.wrapping_neg(), periods as u32);
    // What changes in a period lasts through all later ones: with the last change there is none of it left.
    let periods = rows.iter().fold(0u32, |sum, row| sum.wrapping_add(row.periods)).wrapping_neg();
    let mut at_begin = periods;
    let integral = |row: BinRow| {
        let whole = u64::from(at_begin).wrapping_mul(fold.step.ticks());
        at_begin = at_begin.wrapping_add(row.count);
        row.sum.wrapping_add(whole)
    };
    rows.into_iter().map(integral).collect()
}

impl FoldedRows<'_> {
    /// A row of a record.
    fn row<T: From<Row>>(&self, record: usize, row: usize) -> T {
        let replications = self.parameters.replications as usize;
        self.rows[replications + ROWS * (record * replications + self.replication) + row].into()
    }

    /// A row of a place in each bin, with what is open.
    fn bins(&self, place: usize, row: usize) -> Vec<BinRow> {
        let (places, bins) = (self.parameters.folded_places() as usize, self.parameters.fold_bins);
        let first = places + place * bins as usize;
        let mut rows: Vec<BinRow> = (first..first + bins as usize).map(|record| self.row(record, row)).collect();
        let OpenRow { sum, count, bin } = self.row(place, row);
        add(&mut rows[(bin % bins) as usize], sum, count, bin / bins);
        rows
    }

    /// The record up to a clock.
    pub(super) fn folded(&self, model: &NetworkModel, clock: Time) -> Option<Folded> {
        let (fold, p) = (model.folding()?, self.parameters);
        let clock = clock.max(model.warmup());
        let level = |place: usize, row: usize| integrals(self.bins(place, row), fold, clock);
        let of_class = |place: usize| {
            let [presence, serving] = [0, 1].map(|row| level(place, row));
            let [starts, arrivals] = [2, 3].map(|row| self.bins(place, row));
            let bin = |bin: usize| {
                let (came, BinRow { sum: waiting, count, .. }) = (arrivals[bin].sum, starts[bin]);
                let [arrivals, unserved, starts] = [came & u64::from(u32::MAX), came >> 32, count.into()];
                let (presence, serving) = (presence[bin], serving[bin]);
                FoldedRecord { arrivals, starts, unserved, waiting, presence, serving }.words()
            };
            (0..fold.bins as usize).flat_map(bin).collect()
        };
        let classes = (p.stations * p.classes) as usize;
        let of_resource = |place: usize| level(place, 0);
        let lists = (0..classes).map(of_class).chain((classes..p.folded_places() as usize).map(of_resource));
        Some(Folded::new(model, lists.collect()))
    }
}
