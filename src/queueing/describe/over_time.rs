//! Numbers over time, and figures by the bin of a period.

use super::Network;

impl Network {
    /// Notes how many tokens there are at times 0, `step`, 2 `step`, ... in time units ([`crate::Series`]); the grid has at most a
    /// million times. The network then runs event by event, like a network of classes.
    #[must_use]
    pub fn series(mut self, step: f64) -> Self {
        self.series_step = Some(step);
        self
    }

    /// The same in a number of steps, unless a step has been given.
    #[doc(hidden)]
    pub fn series_in(&mut self, steps: u32) -> f64 {
        *self.series_step.get_or_insert(self.until / f64::from(steps))
    }

    /// Adds up what happens by the bin of a period, as by the hour of a day ([`crate::Folded`]). The period is in time units, from time 0 on,
    /// and has 24 bins unless [`Network::fold_step`] says how long one is. The network then runs event by event, like a network of classes.
    #[must_use]
    pub fn fold(mut self, period: f64) -> Self {
        self.fold = Some(period);
        self
    }

    /// The length of a bin of the period of [`Network::fold`], in time units.
    #[must_use]
    pub fn fold_step(mut self, step: f64) -> Self {
        self.fold_step = Some(step);
        self
    }
}
