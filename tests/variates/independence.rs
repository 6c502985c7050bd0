//! Streams of neighbouring entities: uncorrelated, and their interleaved output without structure.

use rand_core::Rng;
use rand_pcg::Pcg32;
use tickless::random::StreamKey;

use crate::{TAIL, chi_square_tail};

const STREAMS: usize = 1000;
const DRAWS: usize = 512;

/// One row a stream.
type Draws = Vec<Vec<u32>>;

fn neighbours(seed: u64) -> Draws {
    let key = StreamKey::new(seed, 0);
    let draws = |id| {
        let mut stream = key.stream(id);
        (0..DRAWS).map(|_| stream.draw()).collect()
    };
    (0..STREAMS as u32).map(draws).collect()
}

/// What SplitMix64 is for: generators numbered in a row from one state start out alike.
fn numbered_in_a_row() -> Draws {
    let draws = |id| {
        let mut generator = Pcg32::new(1, id);
        (0..DRAWS).map(|_| generator.next_u32()).collect()
    };
    (0..STREAMS as u64).map(draws).collect()
}

/// n r^2, added up over all pairs of streams at a distance: chi-square with a degree a pair.
fn correlation_tail(draws: &Draws, distance: usize, lag: usize) -> f64 {
    let unit = |r: u32| (f64::from(r) + 0.5) / 4_294_967_296.0 - 0.5;
    let n = (DRAWS - lag) as f64;
    let statistic = |(a, b): (&Vec<u32>, &Vec<u32>)| {
        let product: f64 = a.iter().zip(&b[lag..]).map(|(&a, &b)| unit(a) * unit(b)).sum();
        (product * 12.0).powi(2) / n
    };
    let pairs = draws.iter().zip(&draws[distance..]);
    chi_square_tail(pairs.map(statistic).sum(), STREAMS - distance)
}

/// How often each bit of the words is set: chi-square with a degree a bit.
fn bit_tail(words: impl Iterator<Item = u32>) -> f64 {
    let mut counts = [0_u32; 32];
    let mut n = 0.0;
    for word in words {
        n += 1.0;
        for (bit, count) in counts.iter_mut().enumerate() {
            *count += word >> bit & 1;
        }
    }
    chi_square_tail(counts.iter().map(|&c| (f64::from(c) - n / 2.0).powi(2) / (n / 4.0)).sum(), 32)
}

/// The tail of every test, by name.
fn tails(draws: &Draws) -> Vec<(String, f64)> {
    let mut tails = vec![];
    for distance in [1, 2, 31, 32, 64, 256] {
        for lag in [0, 1, 2] {
            tails.push((
                format!("correlation at distance {distance}, lag {lag}"),
                correlation_tail(draws, distance, lag),
            ));
        }
    }
    // The first draw of every stream, then the second, and so on.
    let interleaved: Vec<u32> = (0..DRAWS).flat_map(|i| draws.iter().map(move |stream| stream[i])).collect();
    tails.push(("bits".into(), bit_tail(interleaved.iter().copied())));
    for distance in [1, 2, 3, 64, STREAMS, STREAMS + 1] {
        let pairs = || interleaved.iter().zip(&interleaved[distance..]);
        tails.push((format!("equal bits at distance {distance}"), bit_tail(pairs().map(|(a, b)| a ^ b))));
        let turned = pairs().map(|(a, b)| a ^ b.rotate_left(1));
        tails.push((format!("equal neighbouring bits at distance {distance}"), bit_tail(turned)));
        tails
            .push((format!("bits of sums at distance {distance}"), bit_tail(pairs().map(|(a, b)| a.wrapping_add(*b)))));
    }
    tails
}

#[test]
fn neighbouring_streams_are_uncorrelated() {
    for seed in [1, 2] {
        for (what, tail) in tails(&neighbours(seed)) {
            assert!((TAIL..1.0 - TAIL).contains(&tail), "seed {seed}, {what}: {tail}");
        }
    }
}

/// The tests find the structure of streams that are only numbered in a row, and of two equal streams.
#[test]
fn correlated_streams_are_caught() {
    let caught = |draws: &Draws| tails(draws).iter().filter(|(_, tail)| *tail < TAIL).count();
    assert!(caught(&numbered_in_a_row()) > 0);
    let mut draws = neighbours(1);
    draws[501] = draws[500].clone();
    assert!(caught(&draws) > 0);
}
