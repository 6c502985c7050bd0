//! Ranks in blocks: the n-th is found by counting blocks, not tokens.

use super::station::Rank;
use serde::{Deserialize, Serialize};

/// A block of ranks is split where it has more.
const MOST: usize = 512;

/// Ranks in order, in blocks of which none is empty.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Blocks(Vec<Vec<Rank>>);

impl Blocks {
    pub(super) fn insert(&mut self, rank: Rank) {
        let blocks = &mut self.0;
        // A rank behind all others, as most are, belongs to the last block.
        let number = blocks.partition_point(|block| block.last() < Some(&rank)).min(blocks.len().saturating_sub(1));
        let Some(block) = blocks.get_mut(number) else { return blocks.push(vec![rank]) };
        let at = block.partition_point(|other| *other < rank);
        block.insert(at, rank);
        if block.len() > MOST {
            let behind = block.split_off(MOST / 2);
            blocks.insert(number + 1, behind);
        }
    }

    /// Takes out a rank that is there.
    pub(super) fn remove(&mut self, rank: &Rank) {
        let number = self.0.partition_point(|block| block.last() < Some(rank));
        let block = &mut self.0[number];
        block.remove(block.partition_point(|other| other < rank));
        if block.is_empty() {
            self.0.remove(number);
        }
    }

    /// How many ranks have this priority or an earlier one.
    pub(super) fn up_to(&self, level: u32) -> usize {
        let whole = self.0.partition_point(|block| block.last().is_some_and(|last| last.0 <= level));
        let rest = self.0.get(whole).map_or(0, |block| block.partition_point(|rank| rank.0 <= level));
        self.0[..whole].iter().map(Vec::len).sum::<usize>() + rest
    }

    /// The rank with this number, from 0 on.
    pub(super) fn nth(&self, mut number: usize) -> Option<Rank> {
        for block in &self.0 {
            if let Some(rank) = block.get(number) {
                return Some(*rank);
            }
            number -= block.len();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sorted list tells what is right, while blocks are split and end.
    #[test]
    fn numbers_are_those_of_the_order() {
        let mut stream = tickless_core::random::StreamKey::new(5, 0).stream(0);
        let mut draw = |choices: u32| ((u64::from(stream.draw()) * u64::from(choices)) >> 32) as u32;
        let (mut blocks, mut ranks) = (Blocks::default(), std::collections::BTreeSet::new());
        for phase in 0..4 {
            for number in 0..3000_u64 {
                if draw(4) < [3, 1, 3, 0][phase] {
                    let rank = (draw(3), u64::from(draw(1000)), number + 3000 * phase as u64);
                    blocks.insert(rank);
                    ranks.insert(rank);
                } else if !ranks.is_empty() {
                    let chosen = blocks.nth(draw(ranks.len() as u32) as usize).unwrap();
                    blocks.remove(&chosen);
                    assert!(ranks.remove(&chosen));
                }
                if number % 100 == 0 {
                    assert!((0..ranks.len()).map_while(|number| blocks.nth(number)).eq(ranks.iter().copied()));
                    for level in 0..4 {
                        assert_eq!(blocks.up_to(level), ranks.iter().filter(|rank| rank.0 <= level).count());
                    }
                }
            }
        }
        assert!(ranks.len() < 3000 && Blocks::default().nth(0).is_none());
    }
}
