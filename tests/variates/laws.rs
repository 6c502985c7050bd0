//! Service times against the distribution functions of their laws (Kolmogorov-Smirnov), and routes (chi-square).

use statrs::distribution::{Beta, ContinuousCDF, Exp, Gamma, LogNormal, Normal, Triangular, Weibull};
use tickless::random::{ServiceLaw, StreamKey};

use crate::{TAIL, chi_square_tail, uniform_tail};

const DRAWS: usize = 100_000;

/// The distribution function of a law before any shift.
fn cdf(law: &ServiceLaw, x: f64) -> f64 {
    let exponential = |mean: f64| Exp::new(1.0 / mean).expect("a rate").cdf(x);
    match law.clone() {
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
        ServiceLaw::Gamma { shape, mean } => Gamma::new(shape, shape / mean).expect("a shape and a rate").cdf(x),
        ServiceLaw::Weibull { shape, scale } => Weibull::new(shape, scale).expect("a shape and a scale").cdf(x),
        ServiceLaw::Lognormal { mean, deviation } => {
            let variance = (deviation / mean).powi(2).ln_1p();
            LogNormal::new(mean.ln() - variance / 2.0, variance.sqrt()).expect("a deviation").cdf(x)
        }
        ServiceLaw::Normal { mean, deviation } => {
            let normal = Normal::new(mean, deviation).expect("a deviation");
            ((normal.cdf(x) - normal.cdf(0.0)) / normal.sf(0.0)).max(0.0)
        }
        ServiceLaw::Beta { a, b, low, high } => {
            Beta::new(a, b).expect("shapes").cdf(((x - low) / (high - low)).clamp(0.0, 1.0))
        }
        ServiceLaw::Triangular { low, mode, high } => Triangular::new(low, high, mode).expect("a triangle").cdf(x),
        ServiceLaw::Pareto { shape, low, high } => {
            ((1.0 - (low / x).powf(shape)) / (1.0 - (low / high).powf(shape))).clamp(0.0, 1.0)
        }
        // Two phases, the second with probability p: with rates a and b.
        ServiceLaw::Coxian { means, probabilities } => {
            let ([a, b], p) = ([1.0 / means[0], 1.0 / means[1]], probabilities[0]);
            let both = 1.0 - (b * (-a * x).exp() - a * (-b * x).exp()) / (b - a);
            (1.0 - p) * exponential(means[0]) + p * both
        }
        // Rates a and b; from the first phase at rate c to the second.
        ServiceLaw::PhaseType { first, rates } => {
            let (a, c, b) = (-rates[0], rates[1], -rates[3]);
            let second = |from: f64| (-b * x).exp() * from;
            let over = c * ((-a * x).exp() - (-b * x).exp()) / (b - a);
            1.0 - first[0] * ((-a * x).exp() + over) - second(first[1])
        }
        ServiceLaw::Discrete { values } => below(values.iter().copied(), x),
        ServiceLaw::Samples { values } => below(values.iter().map(|value| (*value, 1.0)), x),
        ServiceLaw::Histogram { edges, weights } => {
            let part = |(ends, weight): (&[f64], &f64)| weight * ((x - ends[0]) / (ends[1] - ends[0])).clamp(0.0, 1.0);
            edges.windows(2).zip(weights.iter()).map(part).sum::<f64>() / weights.iter().sum::<f64>()
        }
    }
}

/// The share of values that are not above x, to a tick.
fn below(values: impl Iterator<Item = (f64, f64)> + Clone, x: f64) -> f64 {
    let all: f64 = values.clone().map(|(_, weight)| weight).sum();
    values.filter(|(value, _)| *value <= x + 1e-6).map(|(_, weight)| weight).sum::<f64>() / all
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
    let law = &law;
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
        // What is not continuous has a test of its own.
        if matches!(law, ServiceLaw::Constant { .. } | ServiceLaw::Discrete { .. } | ServiceLaw::Samples { .. }) {
            continue;
        }
        for shift in [None, Some(8.0)] {
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

/// Every value is as likely as it is said to be, and no other is drawn.
#[test]
fn lists_have_their_values() {
    for (text, expected) in [
        ("discrete:4*3,10,28", &[(4.0, 0.6), (10.0, 0.2), (28.0, 0.2)][..]),
        ("samples:3.5,7,11.25,7,3.5", &[(3.5, 0.4), (7.0, 0.4), (11.25, 0.2)]),
        ("discrete:2.5", &[(2.5, 1.0)]),
    ] {
        let law: ServiceLaw = text.parse().expect("a law");
        let times = services(&law, None);
        let mut all = 0;
        for (value, share) in expected {
            let count = times.iter().filter(|time| *time == value).count();
            let deviation = (share * (1.0 - share) * DRAWS as f64).sqrt();
            assert!((count as f64 - share * DRAWS as f64).abs() <= 4.0 * deviation, "{text}: {count} of {value}");
            all += count;
        }
        assert_eq!(all, DRAWS, "{text}");
    }
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
        ("gamma:2.8,10", "gamma:2.5,10"),
        ("weibull:1.6,11", "weibull:1.5,11"),
        ("lognormal:10,5.4", "lognormal:10,5"),
        ("triangular:1,8.6,21", "triangular:1,8,21"),
        ("pareto:2.65,6,1000", "pareto:2.5,6,1000"),
        ("coxian:4,0.54,12", "coxian:4,0.5,12"),
        ("phase-type:0.72,0.28;-0.2,0.1;0,-0.08", "phase-type:0.6,0.4;-0.2,0.1;0,-0.08"),
        ("histogram:0*1.15,8*3,14*0.5,30", "histogram:0*1,8*3,14*0.5,30"),
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
