//! The allowed laws, and their draws.

use super::*;
use statrs::distribution::{Beta, ContinuousCDF, Gamma, LogNormal, Normal, Weibull};

use crate::random::StreamKey;
use crate::time::Time;

#[test]
fn every_law_survives_its_own_text() {
    for text in ServiceLaw::SAMPLES {
        let law: ServiceLaw = text.parse().unwrap();
        assert_eq!(law.to_string().parse(), Ok(law), "{text}");
    }
    for text in ["histogram:0*0.1,10*5,20", "discrete:1*2,3,4*0.5", "phase-type:0.5,0.5;-1,1;0,-3", "coxian:4"] {
        assert_eq!(text.parse::<ServiceLaw>().unwrap().to_string(), text);
    }
}

/// Whatever stands behind the name, and also where nothing does.
#[test]
fn an_unknown_name_is_answered_with_the_names_there_are() {
    for (text, meant) in [
        ("exp:1", Some("exponential")),
        ("exp", Some("exponential")),
        ("Exponential:x", Some("exponential")),
        ("const:3", Some("constant")),
        ("hyperexp:0.5,1,2", Some("hyperexponential")),
        ("erlnag:3,10", Some("erlang")),
        ("unifrom:1,2", Some("uniform")),
        ("gaussian:1", None),
        ("", None),
        ("7", None),
    ] {
        let fault = text.parse::<ServiceLaw>().unwrap_err().fault;
        assert!(
            fault.contains("is no law") && fault.contains("known laws are exponential:MEAN; constant:TIME;"),
            "{text}: {fault}"
        );
        let expected = meant.map(|name| format!("; {name} is probably meant;")).unwrap_or_default();
        assert!(fault.contains(&expected) && fault.contains("meant") == meant.is_some(), "{text}: {fault}");
    }
    for (text, part) in [
        ("constant:1e999", "the time is 1e999;"),
        ("uniform:1.50,1.250", "the lower end is 1.50;"),
        ("gamma:0.0010,3", "the shape is 0.0010; it must be from 0.01 to 10000"),
        ("discrete:1*2,3*-1.0", "a weight is -1.0; it must be above 0"),
        ("phase-type:1,0;-1,0;1,2.50", "a rate is 2.50; it must be below 0 in row 2 and column 2"),
        ("gamma:1", "write gamma:SHAPE,MEAN, as in gamma:2.5,10"),
        ("lognormal:10,1000000", "the coefficient of variation is 100000.0"),
    ] {
        let fault = text.parse::<ServiceLaw>().unwrap_err().fault;
        assert!(fault.contains(part), "{fault}");
    }
    let missing = "exponential".parse::<ServiceLaw>().unwrap_err().fault;
    assert!(missing.contains("as in exponential:10"), "{missing}");
}

#[test]
fn bad_laws_are_refused_by_name() {
    for text in [
        "",
        "exponential",
        "exponential:",
        "exponential:0",
        "exponential:-1",
        "exponential:NaN",
        "exponential:inf",
        "exponential:1,2",
        "exponential:1e-9",
        "constant:0",
        "uniform:5",
        "uniform:5,5",
        "uniform:6,5",
        "uniform:-1,5",
        "erlang:0,10",
        "erlang:1.5,10",
        "erlang:2000,10",
        "hyperexponential:0,1,2",
        "hyperexponential:1,1,2",
        "hyperexponential:0.5,1",
        "normal:-3,1",
        "normal:3,0.001",
        "normal:3,0",
        "beta:0,1,0,1",
        "beta:1,1,3,2",
        "beta:1,1,-1,2",
        "beta:1,1",
        "constant:1e12",
        "gamma:0.001,10",
        "gamma:2",
        "weibull:0,3",
        "lognormal:10,-1",
        "lognormal:10,1000000",
        "triangular:2,1,3",
        "triangular:2,4,3",
        "pareto:1,0,3",
        "pareto:1,4,3",
        "coxian:1,0.5",
        "coxian:1,1.5,2",
        "coxian:",
        "phase-type:1",
        "phase-type:0.5,0.4;-1,0;0,-1",
        "phase-type:1,0;-1,1;1,-1",
        "phase-type:1,0;-1,2;0,-1",
        "phase-type:1,0;-1,0.5",
        "phase-type:1;1",
        "discrete:1*0",
        "discrete:-1,2",
        "discrete:0",
        "samples:",
        "samples:1,x",
        "histogram:1*2",
        "histogram:1*2,3*4",
        "histogram:1*2,3,4",
        "histogram:1*2,1",
        "histogram:1*0,2",
    ] {
        let error = text.parse::<ServiceLaw>().unwrap_err().to_string();
        assert!(error.contains(&format!("'{text}'")) || text.is_empty(), "{error}");
    }
}

#[test]
fn the_shift_keeps_the_mean_and_bounds_the_law() {
    const DRAWS: u32 = 50_000;
    for text in ServiceLaw::SAMPLES {
        let law: ServiceLaw = text.parse().unwrap();
        let mean = law.mean();
        for shift in [None, Some(0.25), Some(1.0), Some(0.95 * mean)] {
            let effective = law.effective(shift);
            let mut stream = StreamKey::new(3, 0).stream(5);
            let draws: Vec<Time> = (0..DRAWS).map(|_| effective.service(&mut stream)).collect();
            let found = draws.iter().map(|t| t.units()).sum::<f64>() / f64::from(DRAWS);
            let error = law.coefficient_of_variation() * mean / f64::from(DRAWS).sqrt();
            assert!((found - mean).abs() <= 5.0 * error + 1e-8, "{text} {shift:?}: {found}");
            let (low, high) = (effective.minimum(), effective.maximum().unwrap());
            assert!(draws.iter().all(|t| (low..=high).contains(t)), "{text} {shift:?}");
            assert!(low.units() >= shift.unwrap_or(0.0) - 1e-9, "{text} {shift:?}");
        }
    }
}

/// Moments of the tables themselves, relative to those of the law: the values of docs/random.md.
#[test]
fn tables_have_the_moments_of_their_laws() {
    let samples = ServiceLaw::SAMPLES.into_iter();
    let more = [
        "gamma:0.01,1",
        "gamma:200,1",
        "gamma:10000,3",
        "weibull:0.4,1",
        "weibull:1000,1",
        "lognormal:1,0.001",
        "lognormal:1,2",
        "lognormal:1,10",
        "lognormal:1,30",
        "triangular:0,0,1",
        "triangular:1000000,1000000.5,1000001",
        "pareto:3,100,101",
        "normal:0,1",
        "normal:1000,1",
        "normal:0.001,2",
        "beta:0.05,0.05,0,1",
        "beta:0.05,10000,0,1",
        "beta:10000,0.05,1,3",
        "beta:10000,10000,0,1",
        "beta:1,1,2,3",
        "beta:300,2,2,2000",
        "triangular:3,4,4",
        "pareto:1,1,1e6",
        "pareto:1.1,1,1e9",
        "coxian:1,0.01,100",
        "phase-type:1,0,0;-3,3,0;0,-3,3;0,0,-3",
    ];
    for text in samples.chain(more) {
        let law: ServiceLaw = text.parse().unwrap_or_else(|e| panic!("{e}"));
        let Some(fitted) = law.fitted().filter(|fitted| !fitted.fit.table.is_of_steps()) else { continue };
        let [mean, square] = fitted.fit.errors;
        let draws = fitted.fit.table.draws();
        assert!(
            mean < 1e-7 && square < if draws == 1 { 1e-5 } else { 1e-4 },
            "{text}: {mean:e} {square:e}, {draws} draws"
        );
    }
}

/// The distance between the distribution function of the draws and the law's own, at many draws of both tails.
#[test]
fn tables_have_the_distribution_functions_of_their_laws() {
    let gamma = |shape: f64| move |x: f64| Gamma::new(shape, shape).unwrap().cdf(x);
    let lognormal = |ratio: f64| {
        let variance = (ratio * ratio).ln_1p();
        move |x: f64| LogNormal::new(-variance / 2.0, variance.sqrt()).unwrap().cdf(x)
    };
    // The shape of 2 has a mean of sqrt(pi) / 2.
    let weibull = |x: f64| Weibull::new(2.0, 1.0).unwrap().cdf(x * std::f64::consts::PI.sqrt() / 2.0);
    // With the mean 2 / 3 and the mode at 1.
    let triangular = |x: f64| (x * 2.0 / 3.0).powi(2);
    let two_phases = |x: f64| 1.0 - (1.0 + 2.0 * x) * (-2.0 * x).exp();
    type Case = (&'static str, Box<dyn Fn(f64) -> f64>);
    let cut = |mean: f64, deviation: f64| {
        let normal = Normal::new(mean, deviation).unwrap();
        let unit = "normal:".to_owned() + &format!("{mean},{deviation}");
        let unit = unit.parse::<ServiceLaw>().unwrap().mean();
        move |x: f64| (normal.cdf(x * unit) - normal.cdf(0.0)) / normal.sf(0.0)
    };
    let beta = |a: f64, b: f64| move |x: f64| Beta::new(a, b).unwrap().cdf((x * a / (a + b)).min(1.0));
    let cases: [Case; 12] = [
        ("gamma:2.5,1", Box::new(gamma(2.5))),
        ("gamma:0.3,1", Box::new(gamma(0.3))),
        ("gamma:50,1", Box::new(gamma(50.0))),
        ("lognormal:1,0.5", Box::new(lognormal(0.5))),
        ("lognormal:1,9", Box::new(lognormal(9.0))),
        ("weibull:2,1", Box::new(weibull)),
        ("triangular:0,1,1", Box::new(triangular)),
        ("normal:3,1", Box::new(cut(3.0, 1.0))),
        ("normal:0.2,1", Box::new(cut(0.2, 1.0))),
        ("beta:2,3.5,0,1", Box::new(beta(2.0, 3.5))),
        ("beta:0.5,0.7,0,2", Box::new(beta(0.5, 0.7))),
        ("coxian:0.5,1,0.5", Box::new(two_phases)),
    ];
    for (text, cdf) in cases {
        let fitted = text.parse::<ServiceLaw>().unwrap().fitted().unwrap();
        let distance = |u: f64| {
            let variate = fitted.fit.table.at((u * 2_f64.powi(32)) as u32, 1 << 31);
            // The variate is rounded down, and so are the ends of its row.
            let [low, high] = [variate, variate + 3].map(|v| cdf(v as f64 / 2_f64.powi(32) + fitted.fit.least));
            (low - u).max(u - high).max(0.0)
        };
        let tails = (1..33).flat_map(|octave| [1.0, 1.37, 1.9].map(|part| part / 2_f64.powi(octave)));
        let all = tails.flat_map(|p| [p, 1.0 - p]).chain((0..4000).map(|i| (f64::from(i) + 0.3) / 4000.0));
        let most = all.filter(|u| *u > 0.0 && *u < 1.0).map(distance).fold(0.0, f64::max);
        assert!(most < 1e-4, "{text}: {most:e}");
        // A number that is a little off is not taken for it.
        assert!(
            (0..100)
                .any(|i| (cdf(1.001 * (f64::from(i) + 0.5) / 50.0) - cdf((f64::from(i) + 0.5) / 50.0)).abs() > 1e-4)
        );
    }
}

/// Any numbers give a law or an error.
#[test]
fn extreme_numbers_are_taken_or_refused() {
    const NUMBERS: [&str; 4] = ["0", "1e-300", "0.9", "900"];
    let mut taken = 0;
    for name in tabled::TABLED.map(|law| law.name).into_iter().chain(["coxian", "samples"]) {
        for a in NUMBERS {
            for b in NUMBERS {
                let pair = [format!("{name}:{a},{b}")];
                let triples = NUMBERS.iter().map(|c| format!("{name}:{a},{b},{c}"));
                for text in triples.chain(pair) {
                    let Ok(law) = text.parse::<ServiceLaw>() else { continue };
                    taken += 1;
                    let effective = law.effective(None);
                    let mut stream = StreamKey::new(8, 0).stream(0);
                    let (low, high) = (effective.minimum(), effective.maximum().unwrap());
                    assert!((0..20).all(|_| (low..=high).contains(&effective.service(&mut stream))), "{text}");
                }
            }
        }
    }
    assert!(taken > 20, "{taken}");
}
