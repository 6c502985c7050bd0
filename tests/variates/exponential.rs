//! The integer exponential against -ln((r + 1/2) / 2^32) in double precision.

use rayon::prelude::*;
use tickless::random::{exponential, split_mix_64};

/// What the contract promises.
const ERROR: f64 = 1.0 / (1 << 28) as f64;

fn exact(r: u32) -> f64 {
    // Exact in a double up to the logarithm itself, whose error is below 2^-47.
    -((f64::from(r) + 0.5) / 4_294_967_296.0).ln()
}

/// How far a variate lies from the exact one, and whether the next draw gives a larger one.
fn judge(variate: impl Fn(u32) -> u64, r: u32) -> Result<f64, String> {
    let (here, exact) = (variate(r), exact(r));
    let error = (here as f64 / 4_294_967_296.0 - exact).abs();
    if error >= ERROR {
        return Err(format!("draw {r}: {here} is {error:e} away from {exact}"));
    }
    match r.checked_add(1).map(variate) {
        Some(next) if next > here => Err(format!("draw {r}: {here}, but draw {}: {next}", r + 1)),
        _ => Ok(error),
    }
}

/// The largest error over many draws.
fn worst(draws: impl ParallelIterator<Item = u32>) -> f64 {
    let worst = draws.map(|r| judge(exponential, r)).try_reduce(|| 0.0, |a, b| Ok(a.max(b)));
    worst.unwrap_or_else(|fault| panic!("{fault}"))
}

/// Every draw within 1000 of an octave's or a row's end.
#[test]
fn it_is_close_and_falls_at_every_boundary() {
    // Octave `n` holds 2r + 1 from 2^n on, and row `k` of it begins at 2^n (1 + k / 256).
    let boundaries: Vec<u64> = (0..=32_u32).flat_map(|n| (0..256).map(move |k| ((256 + k) << n) >> 9)).collect();
    let near = |&b: &u64| (b.saturating_sub(1000)..=b + 1000).filter_map(|r| u32::try_from(r).ok());
    let error = worst(boundaries.par_iter().flat_map_iter(near));
    assert!(error > ERROR / 64.0, "suspiciously good: {error:e}");
}

/// Four million draws, one in each 1024.
#[test]
fn it_is_close_and_falls_everywhere() {
    worst((0..1_u32 << 22).into_par_iter().map(|i| (i << 10) | (split_mix_64(u64::from(i)) as u32 & 1023)));
}

/// All of them; `scripts/battery.sh` runs it.
#[test]
#[ignore = "2^32 draws: a minute or more"]
fn it_is_close_and_falls_for_every_draw() {
    let error = worst((0..=u32::MAX).into_par_iter());
    println!("largest error of all 2^32 draws: {error:e}, 2^{:.2}", error.log2());
}

#[test]
fn both_ends_are_those_of_the_law() {
    assert_eq!(exponential(0) >> 32, 22);
    // -ln(1 - 2^-33) is half a unit of the result.
    assert!(exponential(u32::MAX) <= 16, "{}", exponential(u32::MAX));
}

#[test]
fn a_wrong_variate_is_caught() {
    let draw = 123_456_789;
    assert!(judge(exponential, draw).is_ok());
    let off = |r: u32| exponential(r) + if r == draw { 17 } else { 0 };
    assert!(judge(off, draw).is_err_and(|fault| fault.contains("away")));
    // Four units too much from some draw on are within the error, but out of order: the slope there is -4/3.
    let close = 3 << 30;
    let up = |r: u32| exponential(r) + if r > close { 4 } else { 0 };
    assert!(judge(up, close).is_err_and(|fault| fault.contains("but draw")));
}
