//! Service times against the distribution functions of their laws (Kolmogorov-Smirnov), and routes (chi-square).

use statrs::distribution::{ContinuousCDF, Exp, Gamma};
use tickless::random::{ServiceLaw, StreamKey};

use crate::{TAIL, chi_square_tail, uniform_tail};

const DRAWS: usize = 100_000;

/// The distribution function of a law before any shift.
fn cdf(law: &ServiceLaw, x: f64) -> f64 {
    let exponential = |mean: f64| Exp::new(1.0 / mean).expect("a rate").cdf(x);
    match *law {
        ServiceLaw::Exponential { mean } => exponential(mean),
        ServiceLaw::Constant { time } => f64::from(x >= time),
        ServiceLaw::Uniform { low, high } => ((x - low) / (high - low)).clamp(0.0, 1.0),
        ServiceLaw::Erlang { stages, mean } => {
            let shape = f64::from(stages);
            Gamma::new(shape, shape / mean).expect("a shape and a rate").cdf(x)
        }
        ServiceLaw::Hyperexponential { probability, first, second } => {
            probability * exponential(first) + (1.0 - probability) * exponential(second)
        }
    }
}

/// The upper tail of Kolmogorov's law at the largest distance between the draws and a distribution function.
fn kolmogorov_smirnov(draws: &mut [f64], cdf: impl Fn(f64) -> f64) -> f64 {
    draws.sort_by(f64::total_cmp);
    let n = draws.len() as f64;
    let distance = draws.iter().enumerate().fold(0.0_f64, |most, (i, &x)| {
        let at = cdf(x);
        most.max(at - i as f64 / n).max((i + 1) as f64 / n - at)
    });
    let z = distance * (n.sqrt() + 0.12 + 0.11 / n.sqrt());
    let term = |k: i32| f64::from(1 - 2 * ((k + 1) % 2)) * (-2.0 * f64::from(k * k) * z * z).exp();
    (2.0 * (1..100).map(term).sum::<f64>()).clamp(0.0, 1.0)
}

/// Service times of a law as the facilities of a network draw them: the next draw is each visit's route.
fn services(law: &ServiceLaw, shift: Option<f64>) -> Vec<f64> {
    let (law, key) = (law.effective(shift), StreamKey::new(20, 0));
    let visits = |facility| {
        let mut stream = key.stream(facility);
        let mut visit = move || {
            let time = law.service(&mut stream).units();
            stream.draw();
            time
        };
        (0..100).map(move |_| visit())
    };
    (0..DRAWS as u32 / 100).flat_map(visits).collect()
}

#[test]
fn service_times_follow_their_laws() {
    for text in ServiceLaw::SAMPLES {
        let law: ServiceLaw = text.parse().expect("a law");
        // A constant has a test of its own.
        if law.effective(None).draws() == 0 {
            continue;
        }
        for shift in [None, Some(1.0), Some(8.0)] {
            // The shift S -> d + S (M - d) / M, undone.
            let undo = |x: f64| shift.map_or(x, |d| (x - d) * law.mean() / (law.mean() - d));
            let tail = kolmogorov_smirnov(&mut services(&law, shift), |x| cdf(&law, undo(x)));
            assert!(tail > TAIL, "{text} {shift:?}: {tail}");
        }
    }
}

#[test]
fn a_constant_is_constant() {
    let law: ServiceLaw = "constant:10".parse().expect("a law");
    assert!(services(&law, None).iter().all(|&time| time == 10.0));
}

/// The test is sharp enough: two parts in a hundred of a mean, or another law of the same mean.
#[test]
fn a_wrong_law_is_caught() {
    for (drawn, supposed) in [
        ("exponential:10.2", "exponential:10"),
        ("uniform:5,15.2", "uniform:5,15"),
        ("erlang:3,10", "exponential:10"),
        ("erlang:4,10", "erlang:3,10"),
        ("hyperexponential:0.25,4,12", "exponential:10"),
        ("hyperexponential:0.27,4,12", "hyperexponential:0.25,4,12"),
    ] {
        let [drawn, supposed] = [drawn, supposed].map(|text| text.parse::<ServiceLaw>().expect("a law"));
        let tail = kolmogorov_smirnov(&mut services(&drawn, None), |x| cdf(&supposed, x));
        assert!(tail < TAIL, "{drawn} taken for {supposed}: {tail}");
    }
}

/// Directions of routes: each as often as the others, after each other, and whatever the service took.
#[test]
fn routes_are_uniform_and_independent() {
    let law = ServiceLaw::Exponential { mean: 10.0 }.effective(Some(1.0));
    let key = StreamKey::new(21, 0);
    let (mut alone, mut pairs, mut against) = ([0; 4], [0; 16], [0; 16]);
    for facility in 0..2000 {
        let mut stream = key.stream(facility);
        let mut before = None;
        for _ in 0..200 {
            let service = law.service(&mut stream).units() - 1.0;
            let direction = (stream.draw() >> 30) as usize;
            // Quartiles of the exponential part, whose mean is 9.
            let quartile = ((1.0 - (-service / 9.0).exp()) * 4.0) as usize;
            alone[direction] += 1;
            against[4 * quartile.min(3) + direction] += 1;
            if let Some(before) = before.replace(direction) {
                pairs[4 * before + direction] += 1;
            }
        }
    }
    for (what, counts) in [("alone", &alone[..]), ("in pairs", &pairs), ("against services", &against)] {
        let tail = uniform_tail(counts);
        assert!(tail > TAIL, "{what}: {tail}, {counts:?}");
    }
}

/// First directions of neighbouring facilities, by distance.
#[test]
fn neighbours_route_independently() {
    let key = StreamKey::new(22, 0);
    let law = ServiceLaw::Exponential { mean: 10.0 }.effective(Some(1.0));
    let direction = |facility| {
        let mut stream = key.stream(facility);
        law.service(&mut stream);
        (stream.draw() >> 30) as usize
    };
    let directions: Vec<usize> = (0..200_000).map(direction).collect();
    for distance in [1, 2, 64, 256, 1024, 2048] {
        let mut pairs = [0_u64; 16];
        for (a, b) in directions.iter().zip(&directions[distance..]) {
            pairs[4 * a + b] += 1;
        }
        let tail = uniform_tail(&pairs);
        assert!(tail > TAIL, "distance {distance}: {tail}");
    }
}

#[test]
fn the_tails_are_those_of_tables() {
    // The 5 % point of the chi-square law with 3 degrees of freedom, and a uniform sample that fits exactly.
    assert!((chi_square_tail(7.815, 3) - 0.05).abs() < 1e-4);
    let mut even: Vec<f64> = (0..1000).map(|i| (f64::from(i) + 0.5) / 1000.0).collect();
    assert!(kolmogorov_smirnov(&mut even, |x| x) > 0.999);
    let mut shifted: Vec<f64> = even.iter().map(|x| x + 0.0425).collect();
    // D = 0.043 for n = 1000: z = 1.3645, the 4.9 % point.
    assert!((kolmogorov_smirnov(&mut shifted, |x| x.min(1.0)) - 0.049).abs() < 0.002);
}
