//! Quantiles of laws, the same on every platform: `libm` and the four operations alone.

use super::table::Tail;

/// The most steps of Newton's method, which ends where nothing changes any more.
const STEPS: u32 = 200;
/// The most terms of a continued fraction, which ends where nothing changes any more.
const MOST_TERMS: u32 = 1000;

/// The quantile of the standard normal law.
pub(super) fn normal(tail: Tail) -> f64 {
    match tail {
        Tail::Lower(p) => -normal_upper(p),
        Tail::Upper(p) => normal_upper(p),
    }
}

/// The point above which a share p of all, at most a half, lies. The logarithm of the tail is concave: from the right every step
/// stays there.
fn normal_upper(p: f64) -> f64 {
    let goal = libm::log(p);
    let mut z = (-2.0 * libm::log(2.0 * p)).max(0.0).sqrt();
    for _ in 0..STEPS {
        let tail = libm::erfc(z * std::f64::consts::FRAC_1_SQRT_2) / 2.0;
        let density = libm::exp(-z * z / 2.0) / (2.0 * std::f64::consts::PI).sqrt();
        let next = z + (libm::log(tail) - goal) * tail / density;
        if (next - z).abs() <= 1e-15 * (1.0 + z) {
            return next;
        }
        z = next;
    }
    z
}

/// The quantile of the part above 0 of the normal law with the deviation 1 and this mean, which is not below 0.
pub(super) fn normal_above_0(mean: f64, tail: Tail) -> f64 {
    let [below, above] = [mean, -mean].map(|end| libm::erfc(end * std::f64::consts::FRAC_1_SQRT_2) / 2.0);
    // The share of the whole law that is longer, or else the one that is shorter.
    let point = match tail {
        Tail::Upper(p) => normal_upper(p * above),
        Tail::Lower(p) if below + p * above <= 0.5 => -normal_upper(below + p * above),
        Tail::Lower(p) => normal_upper(above * (1.0 - p)),
    };
    (mean + point).max(0.0)
}

/// The quantile of the beta law of these shapes, from 0 to 1.
pub(super) fn beta(a: f64, b: f64, tail: Tail) -> f64 {
    let y = match tail {
        Tail::Lower(p) => beta_odds(a, b, p),
        Tail::Upper(p) => -beta_odds(b, a, p),
    };
    1.0 / (1.0 + libm::exp(-y))
}

/// The logarithm of x / (1 - x) where a share p of the beta law, at most a half, lies below x. The logarithm of that share is concave in it.
fn beta_odds(a: f64, b: f64, p: f64) -> f64 {
    let goal = libm::log(p);
    let factor = libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b);
    let first_power = (goal + libm::log(a) + factor) / a;
    let mut y = if a > 10.0 { libm::log(a / b) } else { first_power };
    for _ in 0..STEPS {
        // The logarithms of x and of 1 - x.
        let more = libm::log1p(libm::exp(-y.abs()));
        let [log_x, log_rest] = [-more + y.min(0.0), -more - y.max(0.0)];
        // x (1 - x) times the density at x.
        let density = libm::exp(a * log_x + b * log_rest - factor);
        let [x, rest] = [log_x, log_rest].map(libm::exp);
        let part = if x <= a / (a + b) { beta_share(a, b, x, density) } else { 1.0 - beta_share(b, a, rest, density) };
        let step = ((goal - libm::log(part)) * part / density).clamp(-1.0, 4.0);
        y += step;
        if step.abs() <= 1e-14 * (1.0 + y.abs()) {
            break;
        }
    }
    y
}

/// The share of the beta law below x, which is not above its mean, by the continued fraction of the incomplete beta function (the method of
/// Lentz); `density` is x (1 - x) times the density at x.
fn beta_share(a: f64, b: f64, x: f64, density: f64) -> f64 {
    let above_0 = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let mut d = 1.0 / above_0(1.0 - (a + b) * x / (a + 1.0));
    let (mut c, mut fraction) = (1.0, d);
    for step in 1..=MOST_TERMS {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            d = 1.0 / above_0(1.0 + term * d);
            c = above_0(1.0 + term / c);
            change = d * c;
            fraction *= change;
        }
        if (change - 1.0_f64).abs() <= 3e-16 {
            break;
        }
    }
    density * fraction / a
}

/// The quantile of the gamma law of this shape and the mean 1.
pub(super) fn gamma(shape: f64, tail: Tail) -> f64 {
    // The logarithms of both tails are concave in the logarithm of the time.
    let (p, upper) = match tail {
        Tail::Lower(p) => (p, false),
        Tail::Upper(p) => (p, true),
    };
    let goal = libm::log(p);
    let factor = libm::lgamma(shape);
    let first_power = (goal + libm::lgamma(shape + 1.0)) / shape;
    let mut y = if upper || shape > 10.0 { libm::log(shape) } else { first_power };
    for _ in 0..STEPS {
        let x = libm::exp(y);
        // x times the density at x.
        let density = libm::exp(shape * y - x - factor);
        let [below, above] = gamma_shares(shape, x, density);
        let (part, rises) = if upper { (above, -1.0) } else { (below, 1.0) };
        let step = (goal - libm::log(part)) * part / density * rises;
        // Steps are limited, so that a tail never becomes 0.
        y += if upper { step.clamp(-2.0, 0.5) } else { step.clamp(-0.5, 2.0) };
        if step.abs() <= 1e-14 {
            break;
        }
    }
    libm::exp(y) / shape
}

/// The shares of the gamma law below and above x, by a series or by Legendre's continued fraction (the method of Lentz).
fn gamma_shares(shape: f64, x: f64, density: f64) -> [f64; 2] {
    if x < shape + 1.0 {
        let (mut term, mut sum, mut n) = (1.0 / shape, 1.0 / shape, shape);
        while term > 1e-17 * sum {
            n += 1.0;
            term *= x / n;
            sum += term;
        }
        return [density * sum, 1.0 - density * sum];
    }
    let mut b = x + 1.0 - shape;
    let (mut c, mut d) = (f64::MAX, 1.0 / b);
    let mut fraction = d;
    for i in 1..10_000 {
        let i = f64::from(i);
        let a = -i * (i - shape);
        b += 2.0;
        d = 1.0 / (a * d + b);
        c = b + a / c;
        let change = c * d;
        fraction *= change;
        if (change - 1.0).abs() < 1e-16 {
            break;
        }
    }
    [1.0 - density * fraction, density * fraction]
}

/// The quantile of the Weibull law of this shape and the scale 1.
pub(super) fn weibull(shape: f64, tail: Tail) -> f64 {
    let exponential = match tail {
        Tail::Lower(p) => -libm::log1p(-p),
        Tail::Upper(p) => -libm::log(p),
    };
    libm::pow(exponential, 1.0 / shape)
}

/// The quantile of the triangular law from 0 to 1 with this mode.
pub(super) fn triangular(mode: f64, tail: Tail) -> f64 {
    let (below, above) = match tail {
        Tail::Lower(p) => (p, 1.0 - p),
        Tail::Upper(p) => (1.0 - p, p),
    };
    if below < mode { (below * mode).sqrt() } else { 1.0 - (above * (1.0 - mode)).sqrt() }
}

/// The excess over the lower end of a quantile of the truncated law of Pareto, in lower ends; `ratio` is the upper end
/// in lower ends.
pub(super) fn pareto(shape: f64, ratio: f64, tail: Tail) -> f64 {
    let all = -libm::expm1(-shape * libm::log(ratio));
    let logarithm = match tail {
        Tail::Lower(p) => libm::log1p(-p * all),
        Tail::Upper(p) => libm::log(libm::exp(-shape * libm::log(ratio)) + p * all),
    };
    libm::expm1(-logarithm / shape)
}
