//! Factors of service times by the time of day in files.

use toml::Spanned;

use super::FileError;
use super::lists::{Step, pairs};
use super::reader::Reader;
use crate::TimeFactors;
use crate::describe::Station;

impl Reader<'_> {
    /// Gives a station its factors by time.
    ///
    /// # Errors
    /// A period without factors.
    pub(super) fn with_time_factors(
        &self,
        station: Station,
        steps: Option<Vec<Step<f64>>>,
        period: Option<Spanned<f64>>,
    ) -> Result<Station, FileError> {
        match (steps, period) {
            (None, None) => Ok(station),
            (None, Some(period)) => {
                let fault = "`time_factors_period` without `time_factors`: nothing begins again";
                Err(self.fault_at(period.span(), fault.into()))
            }
            (Some(steps), period) => {
                let mut factors = TimeFactors::new(pairs(steps));
                factors.period = period.map(Spanned::into_inner);
                Ok(station.time_factors(factors))
            }
        }
    }
}
