//! The results of a torus: its size, its service law and the shift of the law, in words and numbers.

use crate::figures::result_fields;
use crate::text::{Table, grouped, short};
use crate::warning::Warning;
use tickless_core::number::Written;
use tickless_core::random::ServiceLaw;

result_fields! {
    /// A torus, whose stations are all alike. Times are in time units.
    pub struct TorusParameters(([width, height], tokens_each, service, shift): ([u32; 2], u32, &ServiceLaw, Option<f64>)) {
        /// Stations in a row.
        width: u32 = width;
        /// Rows.
        height: u32 = height;
        /// Tokens at each station at time 0.
        tokens_each: u32 = tokens_each;
        /// The service law as written.
        service: String = service.to_string();
        /// Its mean M, which a shift keeps.
        mean_service_time: f64 = service.mean();
        /// The shifted law d + S·(M - d)/M with its numbers; `null` where the law is used as written.
        effective_service: Option<String> = shift.map(|shift| format!("{} + S·({mean} - {0})/{mean}", Written(shift), mean = service.mean()));
        /// The d of it; `null` likewise.
        shift: Option<f64> = shift;
        /// Standard deviation by mean, of the law as written.
        coefficient_of_variation: f64 = service.coefficient_of_variation();
        /// The same of the law as it is used.
        effective_coefficient_of_variation: f64 = shifted(service, shift);
    }
}

/// The coefficient of variation of a law that is shifted, if it is.
fn shifted(law: &ServiceLaw, shift: Option<f64>) -> f64 {
    let (mean, unshifted) = (law.mean(), law.coefficient_of_variation());
    // The shift adds a constant and scales the rest, and with it the standard deviation, by (M - d)/M.
    shift.map_or(unshifted, |shift| unshifted * (mean - shift) / mean)
}

impl TorusParameters {
    /// What the shift costs.
    pub fn shifted(&self) -> Option<Warning> {
        Some(Warning::ShiftedLaw {
            window: self.shift?,
            mean: self.mean_service_time,
            coefficient_of_variation: self.effective_coefficient_of_variation,
            unshifted_coefficient_of_variation: self.coefficient_of_variation,
        })
    }

    /// The rows of a torus among the parameters for people.
    pub fn describe(&self, [stations, tokens]: [u32; 2], table: &mut Table) {
        let Self { width, height, tokens_each, .. } = *self;
        let [stations, tokens] = [stations, tokens].map(|count| grouped(count.into()));
        table.row("stations", format!("{width} x {height} = {stations}"));
        table.row("tokens", format!("{} each = {tokens}", grouped(tokens_each.into())));
        table.row("service time S", format!("{}, mean {}", self.service, self.mean_service_time));
        if let Some(law) = &self.effective_service {
            let [now, before] = [self.effective_coefficient_of_variation, self.coefficient_of_variation].map(short);
            let cost = format!("the mean stays, the coefficient of variation is {now} instead of {before}");
            table.row("shifted to", format!("{law}\n{cost}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tickless_core::random::StreamKey;
    use tickless_queueing::{Network, Station, Topology};

    /// The reported variation is that of the draws themselves.
    #[test]
    fn the_stated_variation_is_that_of_the_draws() {
        const DRAWS: usize = 100_000;
        for text in ServiceLaw::SAMPLES {
            let law: ServiceLaw = text.parse().unwrap();
            // A law with a shortest time of 6 or more is not shifted, and a law of large variation would take too many draws.
            if law.lookahead() >= 6.0 || law.coefficient_of_variation() > 3.0 {
                continue;
            }
            let torus = Topology::Torus { width: 2, height: 2 };
            let network = Network::generate(&torus, &Station::new("s", law.clone()).tokens(1), 0.0).unwrap();
            let model = network.window(6.0).check().unwrap();
            let stated = TorusParameters::new(([2, 2], 1, &law, model.shift(0))).effective_coefficient_of_variation;
            let mut stream = StreamKey::new(7, 0).stream(0);
            let draws: Vec<f64> = (0..DRAWS).map(|_| model.law(0).service(&mut stream).units()).collect();
            let mean = law.mean();
            let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / DRAWS as f64;
            let measured = variance.sqrt() / mean;
            assert!((measured / stated - 1.0).abs() < 0.02, "{text}: {measured} against {stated}");
        }
    }

    #[test]
    fn an_unshifted_law_costs_nothing() {
        let torus = TorusParameters::new(([2, 2], 1, &"uniform:5,15".parse().unwrap(), None));
        assert_eq!((torus.shifted(), torus.effective_service), (None, None));
    }

    #[test]
    fn the_formula_has_its_numbers() {
        let torus = TorusParameters::new(([2, 2], 1, &"exponential:10".parse().unwrap(), Some(0.25)));
        assert_eq!(torus.effective_service.as_deref(), Some("0.25 + S·(10 - 0.25)/10"));
    }
}
