//! The points of an optimization, and the next ones for a search to look at.

use std::collections::HashSet;

use crate::design::{combinations, latin_column};
use tickless_core::random::StreamKey;

/// The key of the first stage: replications have keys of 32 bits, so that stages and replications draw from different
/// streams.
const FIRST_KEY: u64 = 1 << 32;
/// The most tries for a new place.
const TRIES: usize = 20;

/// A grid: a number of levels a factor, each at least 1.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Space {
    levels: Vec<usize>,
}

impl Space {
    pub(super) fn new(levels: Vec<usize>) -> Self {
        Self { levels }
    }

    pub(super) fn points(&self) -> u64 {
        self.levels.iter().fold(1, |all, levels| all.saturating_mul(*levels as u64))
    }

    pub(super) fn first(&self) -> Vec<usize> {
        vec![0; self.levels.len()]
    }

    pub(super) fn middle(&self) -> Vec<usize> {
        self.levels.iter().map(|levels| levels / 2).collect()
    }

    pub(super) fn last(&self) -> Vec<usize> {
        self.levels.iter().map(|levels| levels - 1).collect()
    }

    /// The places one level away in one factor.
    pub(super) fn neighbours<'a>(&'a self, place: &'a [usize]) -> impl Iterator<Item = Vec<usize>> + 'a {
        let moved = move |factor: usize, level: usize| {
            let mut place = place.to_vec();
            place[factor] = level;
            place
        };
        (0..self.levels.len()).flat_map(move |factor| {
            let down = place[factor].checked_sub(1);
            let up = Some(place[factor] + 1).filter(|level| *level < self.levels[factor]);
            down.into_iter().chain(up).map(move |level| moved(factor, level))
        })
    }

    /// The first places: all places, where these are few; else the given one and those of a Latin hypercube.
    pub(super) fn begin(&self, first: Vec<usize>, count: usize, seed: u64) -> Vec<Vec<usize>> {
        if self.points() <= count as u64 {
            return self.all();
        }
        let of_factor = |(factor, levels): (u32, &usize)| -> Vec<usize> {
            let column = latin_column(factor, count as u32, seed);
            column.into_iter().map(|part| ((u64::from(part) * *levels as u64) >> 32) as usize).collect()
        };
        let columns: Vec<Vec<usize>> = (0..).zip(&self.levels).map(of_factor).collect();
        let sampled = (0..count).map(|point| columns.iter().map(|column| column[point]).collect());
        let mut known = HashSet::new();
        [first]
            .into_iter()
            .chain(sampled)
            .filter(|place: &Vec<usize>| known.insert(place.clone()))
            .take(count)
            .collect()
    }

    fn all(&self) -> Vec<Vec<usize>> {
        combinations(&self.levels.iter().map(|levels| (0..*levels).collect()).collect::<Vec<_>>())
    }

    /// Up to `count` new places: neighbours of the first of the best ones, then three near one of the best for each random place. Steps
    /// become shorter from stage to stage.
    pub(super) fn next(
        &self,
        (best, seen): (&[&[usize]], &HashSet<Vec<usize>>),
        count: usize,
        (seed, stage): (u64, u32),
    ) -> Vec<Vec<usize>> {
        let mut found: Vec<Vec<usize>> = vec![];
        let mut chosen = HashSet::new();
        let is_new = |place: &Vec<usize>| !seen.contains(place);
        let of_first = best.first().into_iter().flat_map(|first| self.neighbours(first)).filter(is_new);
        for place in of_first.take(count) {
            chosen.insert(place.clone());
            found.push(place);
        }
        let mut stream = StreamKey::new(seed, FIRST_KEY + u64::from(stage)).stream(0);
        let mut below = |count: usize| ((u64::from(stream.draw()) * count as u64) >> 32) as usize;
        for slot in found.len()..count {
            let place = (0..TRIES).find_map(|_| {
                let place = if slot % 4 == 3 || best.is_empty() {
                    self.levels.iter().map(|levels| below(*levels)).collect()
                } else {
                    let near = best[below(best.len())];
                    self.near(near, stage, &mut below)
                };
                Some(place).filter(|place| is_new(place) && !chosen.contains(place))
            });
            if let Some(place) = place {
                chosen.insert(place.clone());
                found.push(place);
            }
        }
        found
    }

    /// A place that differs in about half of the factors, by steps of up to a quarter of the levels at first.
    fn near(&self, place: &[usize], stage: u32, below: &mut impl FnMut(usize) -> usize) -> Vec<usize> {
        let one = below(place.len());
        let moved = |(factor, (level, levels)): (usize, (&usize, &usize))| {
            if factor != one && below(2) == 0 {
                return *level;
            }
            let step = 1 + below((levels >> (2 + stage / 2).min(31)).max(1));
            if below(2) == 0 { level.saturating_sub(step) } else { (level + step).min(levels - 1) }
        };
        place.iter().zip(&self.levels).enumerate().map(moved).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_one_level_away() {
        let space = Space::new(vec![3, 1, 4]);
        let of = |place: [usize; 3]| space.neighbours(&place).collect::<Vec<_>>();
        assert_eq!(of([0, 0, 3]), [vec![1, 0, 3], vec![0, 0, 2]]);
        assert_eq!(of([1, 0, 1]).len(), 4);
        assert_eq!(space.points(), 12);
        assert_eq!(Space::new(vec![10_000; 9]).points(), u64::MAX);
    }

    /// In the end every place is looked at, at most once, and none outside.
    #[test]
    fn stages_come_to_every_place() {
        let space = Space::new(vec![5, 3, 7]);
        assert_eq!(space.begin(space.middle(), 105, 1).len(), 105);
        let mut seen: HashSet<Vec<usize>> = HashSet::new();
        let first = space.begin(space.middle(), 10, 1);
        assert_eq!((first[0].clone(), first.len()), (vec![2, 1, 3], 10));
        seen.extend(first);
        for stage in 1..200 {
            let best = [&[4_usize, 2, 6][..], &[0, 0, 0]];
            let next = space.next((&best, &seen), 8, (3, stage));
            let neighbours: Vec<_> = space.neighbours(best[0]).filter(|place| !seen.contains(place)).collect();
            assert_eq!(next[..neighbours.len()], neighbours);
            for place in next {
                assert!(place.iter().zip([5, 3, 7]).all(|(level, levels)| *level < levels), "{place:?}");
                assert!(seen.insert(place));
            }
        }
        assert_eq!(seen.len(), 105);
    }
}
