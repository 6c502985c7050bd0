//! What laws are allowed, and what is drawn of them.

use super::*;
use crate::random::StreamKey;

const LAWS: [&str; 5] = ["exponential:10", "constant:10", "uniform:5,15", "erlang:3,10", "hyperexponential:0.25,4,12"];

#[test]
fn every_law_survives_its_own_text() {
    for text in LAWS {
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
        ("weibull:two", None),
        ("", None),
        ("7", None),
    ] {
        let fault = text.parse::<ServiceLaw>().unwrap_err().fault;
        assert!(fault.contains("is no law") && fault.contains("known laws are exponential:MEAN,"), "{text}: {fault}");
        let expected = meant.map(|name| format!("; {name} is probably meant;")).unwrap_or_default();
        assert!(fault.contains(&expected) && fault.contains("meant") == meant.is_some(), "{text}: {fault}");
    }
    for (text, part) in [("constant:1e999", "the time is 1e999;"), ("uniform:1.50,1.250", "the lower end is 1.50;")] {
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
        "normal:3,1",
        "constant:1e12",
    ] {
        let error = text.parse::<ServiceLaw>().unwrap_err().to_string();
        assert!(error.contains(&format!("'{text}'")) || text.is_empty(), "{error}");
    }
}

#[test]
fn the_shift_keeps_the_mean_and_bounds_the_law() {
    const DRAWS: u32 = 200_000;
    for text in LAWS {
        let law: ServiceLaw = text.parse().unwrap();
        for shift in [None, Some(0.25), Some(1.0), Some(9.5)] {
            let effective = law.effective(shift);
            let mut stream = StreamKey::new(3, 0).stream(5);
            let draws: Vec<Time> = (0..DRAWS).map(|_| effective.service(&mut stream)).collect();
            let mean = draws.iter().map(|t| t.units()).sum::<f64>() / f64::from(DRAWS);
            // Five standard errors of the widest law here (standard deviation below 12).
            assert!((mean - 10.0).abs() < 5.0 * 12.0 / f64::from(DRAWS).sqrt(), "{text} {shift:?}: {mean}");
            let (low, high) = (effective.minimum(), effective.maximum().unwrap());
            assert!(draws.iter().all(|t| (low..=high).contains(t)), "{text} {shift:?}");
            assert!(low.units() >= shift.unwrap_or(0.0) - 1e-9, "{text} {shift:?}");
        }
    }
}
