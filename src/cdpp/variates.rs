//! Random numbers that are not uniform: the twin of `shaders/cells/variates.wgsl`.

use super::fixed::{FRACTION, Fixed};
use super::functions;
use tickless_core::random::Stream;

/// An exponential variate. `?` where the mean is `?` or negative.
pub(super) fn exponential(stream: &mut Stream, mean: Fixed) -> Option<Fixed> {
    if mean.bits() < 0 {
        return Some(Fixed::UNDEFINED);
    }
    mean.checked_mul(Fixed::steps(functions::exponential_variate(stream.draw()))?)
}

/// A normal variate. `?` where mean or deviation is `?`, or the deviation is negative.
pub(super) fn normal(stream: &mut Stream, mean: Fixed, deviation: Fixed) -> Option<Fixed> {
    if mean.is_undefined() || deviation.bits() < 0 {
        return Some(Fixed::UNDEFINED);
    }
    let (size, turns) = (stream.draw(), stream.draw());
    mean.checked_add(deviation.checked_mul(Fixed::steps(functions::normal(size, turns))?)?)
}

/// A Poisson variate: the number of arrivals of rate 1 in a time of the mean. `?` where the mean is `?` or negative.
pub(super) fn poisson(stream: &mut Stream, mean: Fixed) -> Option<Fixed> {
    if mean.bits() < 0 {
        return Some(Fixed::UNDEFINED);
    }
    if !mean.is_within_a_word() {
        return None;
    }
    let mut next = || functions::exponential_variate(stream.draw());
    let (mut sum, mut count) = (next(), 0);
    while sum <= mean.bits() {
        sum += next();
        count += 1;
    }
    Fixed::whole(count)
}

/// A binomial variate: how many of `count` draws are below a probability. `?` where either argument is not allowed.
pub(super) fn binomial(stream: &mut Stream, count: Fixed, probability: Fixed) -> Option<Fixed> {
    let possible = (0..=Fixed::ONE.bits()).contains(&probability.bits());
    if count.bits() < 0 || count.is_whole() != Fixed::ONE || !possible {
        return Some(Fixed::UNDEFINED);
    }
    if !count.is_within_a_word() {
        return None;
    }
    let below = (0..count.bits() >> FRACTION).filter(|_| i64::from(stream.draw()) < probability.bits()).count();
    Fixed::whole(below as i64)
}
