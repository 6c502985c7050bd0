//! The shifted service law in words and numbers.

use crate::cli::text::short;
use crate::cli::warning::Warning;
use crate::queueing::TorusModel;
use crate::random::ServiceLaw;

/// Standard deviation by mean.
fn coefficient_of_variation(law: &ServiceLaw) -> f64 {
    match *law {
        ServiceLaw::Exponential { .. } => 1.0,
        ServiceLaw::Constant { .. } => 0.0,
        ServiceLaw::Uniform { low, high } => (high - low) / 12.0_f64.sqrt() / law.mean(),
        ServiceLaw::Erlang { stages, .. } => f64::from(stages).sqrt().recip(),
        ServiceLaw::Hyperexponential { probability, first, second } => {
            let square = 2.0 * (probability * first * first + (1.0 - probability) * second * second);
            (square / law.mean().powi(2) - 1.0).sqrt()
        }
    }
}

/// The law that runs, where it is not the one that was written: `d + S·(M - d)/M` with its numbers.
pub fn formula(model: &TorusModel) -> Option<String> {
    let (shift, mean) = (model.shift()?, model.service().mean());
    Some(format!("{shift} + S·({mean} - {shift})/{mean}"))
}

/// What the shift costs.
pub fn warning(model: &TorusModel) -> Option<Warning> {
    let (window, mean) = (model.shift()?, model.service().mean());
    let unshifted = coefficient_of_variation(&model.service());
    Some(Warning::ShiftedLaw {
        window,
        mean,
        // The shift adds a constant and scales the rest, and with it the standard deviation, by (M - d)/M.
        coefficient_of_variation: unshifted * (mean - window) / mean,
        unshifted_coefficient_of_variation: unshifted,
    })
}

/// The same, behind the shifted law.
pub fn cost(model: &TorusModel) -> String {
    match warning(model) {
        Some(Warning::ShiftedLaw {
            coefficient_of_variation: now, unshifted_coefficient_of_variation: before, ..
        }) => {
            let (now, before) = (short(now), short(before));
            format!("\nthe mean stays, the coefficient of variation is {now} instead of {before}")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queueing::Torus;
    use crate::random::StreamKey;

    /// The variation stated is that of the draws themselves.
    #[test]
    fn the_stated_variation_is_that_of_the_draws() {
        const DRAWS: usize = 100_000;
        for text in ["exponential:10", "uniform:5,15", "erlang:3,10", "hyperexponential:0.25,4,12"] {
            let torus = Torus::new(2, 2).service(text.parse().unwrap()).window(6.0);
            let model = torus.check().unwrap();
            let Some(Warning::ShiftedLaw { mean, coefficient_of_variation: stated, .. }) = warning(&model) else {
                panic!("{text} is not shifted");
            };
            let mut stream = StreamKey::new(7, 0).stream(0);
            let draws: Vec<f64> = (0..DRAWS).map(|_| model.law().service(&mut stream).units()).collect();
            let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / DRAWS as f64;
            let measured = variance.sqrt() / mean;
            assert!((measured / stated - 1.0).abs() < 0.02, "{text}: {measured} against {stated}");
        }
    }

    #[test]
    fn an_unshifted_law_costs_nothing() {
        let model = Torus::new(2, 2).service("uniform:5,15".parse().unwrap()).check().unwrap();
        assert_eq!((warning(&model), formula(&model)), (None, None));
    }

    #[test]
    fn the_formula_has_its_numbers() {
        let model = Torus::new(2, 2).window(0.25).check().unwrap();
        assert_eq!(formula(&model).as_deref(), Some("0.25 + S·(10 - 0.25)/10"));
    }
}
