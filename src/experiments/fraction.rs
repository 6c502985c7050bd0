//! Regular fractions of designs with two levels a factor.
//!
//! With 2^m points the first m factors take every combination. Each further factor takes the product of some of them, its generator:
//! a set of factors, as bits of a number. Where the generators of some factors cancel out together, their effects cannot be
//! separated; the least number of factors for which this happens is the resolution (Box and Hunter 1961, The 2^(k-p) Fractional
//! Factorial Designs). Generators are tried in order for the highest resolution, then for the next lower one.

use super::design::Setting;
use super::factor::Factor;

/// The most factors: all subsets of their generators are looked at.
const MOST_FACTORS: usize = 20;
/// The most generators that are tried for one resolution.
const MOST_TRIES: u32 = 20_000;

/// Whether a fraction fits the factors; else the factor that does not fit, and why.
pub(super) fn check(factors: &[Factor], points: u32) -> Result<(), (Option<usize>, String)> {
    if let Some(place) = factors.iter().position(|factor| factor.levels() != 2) {
        return Err((Some(place), "a design `fraction` is of factors with two values each: give it two".into()));
    }
    let count = factors.len();
    if count > MOST_FACTORS {
        return Err((None, format!("there are {count} factors; a design `fraction` has {MOST_FACTORS} at the most")));
    }
    let least = (count as u32 + 1).next_power_of_two();
    let most = 1_u32 << count;
    if !points.is_power_of_two() || points < least || points > most {
        return Err((
            None,
            format!(
                "`points` is {points}; a fraction of {count} factors has a power of two of them, from {least} to {most}"
            ),
        ));
    }
    Ok(())
}

/// The generator of each factor, as a set of the first factors.
fn generators(count: usize, points: u32) -> Vec<u32> {
    let basic: Vec<u32> = (0..(points.ilog2() as usize).min(count)).map(|place| 1 << place).collect();
    // No word has more factors than there are.
    let found = (3..=count + 1).rev().find_map(|least| {
        let mut chosen = basic.clone();
        let mut left = MOST_TRIES;
        complete(&mut chosen, count, points, least, &mut left).then_some(chosen)
    });
    // All sets differ, so that a word has at least three factors.
    found.unwrap_or(basic)
}

/// Adds generators with which no word is shorter than `least`, those of many factors first; returns whether it found them
/// within the tries.
fn complete(chosen: &mut Vec<u32>, count: usize, points: u32, least: usize, left: &mut u32) -> bool {
    if chosen.len() == count {
        return true;
    }
    let mut sets: Vec<u32> = (1..points).filter(|set| !chosen.contains(set)).collect();
    sets.sort_by_key(|set| (u32::MAX - set.count_ones(), *set));
    for set in sets {
        *left = left.saturating_sub(1);
        if *left == 0 {
            return false;
        }
        // The new generator is in every new word.
        if (2..least - 1).any(|others| words(chosen, others, set) > 0) {
            continue;
        }
        chosen.push(set);
        if complete(chosen, count, points, least, left) {
            return true;
        }
        chosen.pop();
    }
    false
}

/// In how many ways `size` generators cancel out the given ones.
fn words(generators: &[u32], size: usize, with: u32) -> u32 {
    match (size, generators) {
        (0, _) => u32::from(with == 0),
        (_, []) => 0,
        (1, all) => all.iter().filter(|set| **set == with).count() as u32,
        (size, [first, rest @ ..]) => words(rest, size - 1, with ^ first) + words(rest, size, with),
    }
}

/// The resolution of a fraction with `points` points and `factors` factors of two levels: the least number of factors whose effects
/// together cancel out. With 3 a factor's effect may be that of two others together, with 5 all pairs can be separated. `None` for a
/// full design.
///
/// ```
/// # use tickless_experiments::facade as tickless;
/// use tickless::experiments::resolution;
/// assert_eq!((resolution(7, 8), resolution(5, 16), resolution(4, 16)), (Some(3), Some(5), None));
/// ```
pub fn resolution(factors: usize, points: u32) -> Option<usize> {
    least_word(&generators(factors, points))
}

fn least_word(generators: &[u32]) -> Option<usize> {
    (3..=generators.len()).find(|size| words(generators, *size, 0) > 0)
}

/// The values of all points: the first factors count in binary, the last of them fastest.
pub(super) fn settings(factors: &[Factor], points: u32) -> Vec<Setting> {
    let generators = generators(factors.len(), points);
    let basic = points.ilog2();
    let of_point = |point: u32| {
        let level = |set: u32| {
            // A generator of an even number of factors has its second value where an odd number of these factors has.
            let high =
                (0..basic).filter(|place| set >> place & 1 == 1 && point >> (basic - 1 - place) & 1 == 1).count();
            (high + 1 + set.count_ones() as usize) % 2
        };
        factors.iter().zip(&generators).map(|(factor, set)| factor.value(level(*set))).collect()
    };
    (0..points).map(of_point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Box and Hunter (1961), table 1; Montgomery (Design and Analysis of Experiments, table 8.14).
    #[test]
    fn fractions_have_the_resolution_of_the_books() {
        for (factors, points, expected) in [
            (3, 4, Some(3)),
            (4, 8, Some(4)),
            (5, 8, Some(3)),
            (5, 16, Some(5)),
            (6, 16, Some(4)),
            (6, 32, Some(6)),
            (7, 8, Some(3)),
            (7, 16, Some(4)),
            (7, 32, Some(4)),
            (8, 16, Some(4)),
            (8, 64, Some(5)),
            (15, 16, Some(3)),
            (4, 16, None),
        ] {
            let generators = generators(factors, points);
            assert_eq!((generators.len(), least_word(&generators)), (factors, expected), "{factors} {points}");
        }
    }
}
