//! What happened in each bin of a period, from the rows of `shaders/multiclass/statistics/fold.wgsl`.

use super::records::Parameters;
use super::rows::{ArrivalRow, BinRow, LevelRow, Row};
use crate::model::Fold;
use crate::outcome::{Folded, FoldedRecord};
use crate::{NetworkModel, NetworkOutcome};
use tickless_core::time::Time;

/// Rows of each bin of a class at a station.
const CLASS_ROWS: u32 = 4;

impl Parameters {
    /// Rows of `folded` of a replication.
    pub(super) fn folded_rows(&self) -> u64 {
        let each = u64::from(self.folded_units) + u64::from(self.resources);
        if self.fold_bins > 0 { 1 + each * u64::from(self.fold_bins) } else { 0 }
    }
}

/// Writes into the parameters how the period is cut.
pub(super) fn plan(model: &NetworkModel, p: &mut Parameters) {
    if let Some(Fold { step, bins }) = model.folding() {
        (p.fold_step, p.fold_bins) = (step.ticks(), bins);
        p.folded_units = CLASS_ROWS * p.stations * p.classes;
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

impl FoldedRows<'_> {
    /// A row of a bin.
    fn row<T: From<Row>>(&self, row: u32, bin: usize) -> T {
        let p = self.parameters;
        let place = 1 + row as usize * p.fold_bins as usize + bin;
        self.rows[place * p.replications as usize + self.replication].into()
    }

    /// The time integrals of a level in each bin up to a clock, in ticks. All sums are modulo 2^64, below which the integrals are.
    fn level(&self, fold: Fold, row: u32, clock: Time) -> Vec<u64> {
        let mut rows: Vec<LevelRow> = (0..fold.bins as usize).map(|bin| self.row(row, bin)).collect();
        // At the clock the level goes back to 0.
        let rest = rows.iter().fold(0u32, |sum, row| sum.wrapping_add(row.change));
        let (bin, periods, begin) = fold.place(clock);
        let left = begin.ticks() + fold.step.ticks() - clock.ticks();
        let last = &mut rows[bin as usize];
        last.integral = last.integral.wrapping_sub(u64::from(rest).wrapping_mul(left));
        last.change = last.change.wrapping_sub(rest);
        last.periods = last.periods.wrapping_sub(rest.wrapping_mul(periods as u32));
        // What changes in a period lasts through all later ones: with the last change there is none of it left.
        let periods = rows.iter().fold(0u32, |sum, row| sum.wrapping_add(row.periods)).wrapping_neg();
        let mut at_begin = periods;
        let integral = |row: LevelRow| {
            let whole = u64::from(at_begin).wrapping_mul(fold.step.ticks());
            at_begin = at_begin.wrapping_add(row.change);
            row.integral.wrapping_add(whole)
        };
        rows.into_iter().map(integral).collect()
    }

    /// The record up to a clock.
    pub(super) fn folded(&self, model: &NetworkModel, clock: Time) -> Option<Folded> {
        let (fold, p) = (model.folding()?, self.parameters);
        let clock = clock.max(model.warmup());
        let places = p.stations * p.classes;
        let of_class = |place: u32| {
            let [presence, serving] = [0, 1].map(|level| self.level(fold, CLASS_ROWS * place + level, clock));
            let bin = |bin: usize| {
                let BinRow { waiting, starts, unserved } = self.row(CLASS_ROWS * place + 2, bin);
                let ArrivalRow { arrivals } = self.row(CLASS_ROWS * place + 3, bin);
                let (presence, serving) = (presence[bin], serving[bin]);
                let [arrivals, starts, unserved] = [arrivals, starts, unserved].map(u64::from);
                FoldedRecord { arrivals, starts, unserved, waiting, presence, serving }.words()
            };
            (0..fold.bins as usize).flat_map(bin).collect()
        };
        let of_resource = |resource: u32| self.level(fold, CLASS_ROWS * places + resource, clock);
        let lists = (0..places).map(of_class).chain((0..model.resources().len() as u32).map(of_resource));
        Some(Folded::new(model, lists.collect()))
    }
}
