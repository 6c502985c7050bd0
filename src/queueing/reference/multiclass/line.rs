//! Tokens in the order of service. Where the next token is drawn, the ranks lie in blocks as well: the n-th is found by counting blocks, not
//! tokens.

use std::collections::BTreeMap;
use std::ops::Deref;

use super::station::Rank;

/// A block of ranks is split where it has more.
const MOST: usize = 512;

/// Tokens by their ranks, which are read as a map.
#[derive(Default)]
pub(super) struct Line {
    tokens: BTreeMap<Rank, u32>,
    /// The same ranks in blocks, none of them empty.
    blocks: Option<Vec<Vec<Rank>>>,
}

impl Line {
    pub(super) fn new(is_numbered: bool) -> Self {
        Self { tokens: BTreeMap::new(), blocks: is_numbered.then(Vec::new) }
    }

    pub(super) fn insert(&mut self, rank: Rank, place: u32) {
        let before = self.tokens.insert(rank, place);
        debug_assert!(before.is_none(), "two tokens of rank {rank:?}");
        let Some(blocks) = &mut self.blocks else { return };
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

    pub(super) fn remove(&mut self, rank: &Rank) -> Option<u32> {
        let place = self.tokens.remove(rank)?;
        if let Some(blocks) = &mut self.blocks {
            let number = blocks.partition_point(|block| block.last() < Some(rank));
            let block = &mut blocks[number];
            block.remove(block.partition_point(|other| other < rank));
            if block.is_empty() {
                blocks.remove(number);
            }
        }
        Some(place)
    }

    pub(super) fn take_first(&mut self) -> Option<u32> {
        let (&first, _) = self.tokens.first_key_value()?;
        self.remove(&first)
    }

    /// How many tokens have the first priority that any token here has; 0 without blocks.
    pub(super) fn of_first_level(&self) -> usize {
        let (Some(blocks), Some(((level, ..), _))) = (&self.blocks, self.tokens.first_key_value()) else { return 0 };
        let whole = blocks.partition_point(|block| block.last().is_some_and(|last| last.0 <= *level));
        let rest = blocks.get(whole).map_or(0, |block| block.partition_point(|rank| rank.0 <= *level));
        blocks[..whole].iter().map(Vec::len).sum::<usize>() + rest
    }

    /// The rank of the token with this number in the order of service, from 0 on; `None` without blocks.
    pub(super) fn nth(&self, mut number: usize) -> Option<Rank> {
        for block in self.blocks.as_ref()? {
            if let Some(rank) = block.get(number) {
                return Some(*rank);
            }
            number -= block.len();
        }
        None
    }
}

impl Deref for Line {
    type Target = BTreeMap<Rank, u32>;

    fn deref(&self) -> &BTreeMap<Rank, u32> {
        &self.tokens
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The map tells what is right, while blocks are split and end.
    #[test]
    fn numbers_are_those_of_the_order() {
        let mut stream = tickless_core::random::StreamKey::new(5, 0).stream(0);
        let mut draw = |choices: u32| ((u64::from(stream.draw()) * u64::from(choices)) >> 32) as u32;
        let mut line = Line::new(true);
        assert_eq!((line.of_first_level(), line.nth(0)), (0, None));
        for phase in 0..4 {
            for number in 0..3000_u64 {
                if draw(4) < [3, 1, 3, 0][phase] {
                    line.insert((draw(3), u64::from(draw(1000)), number + 3000 * phase as u64), number as u32);
                } else if !line.is_empty() {
                    let chosen = line.nth(draw(line.len() as u32) as usize).unwrap();
                    assert!(line.remove(&chosen).is_some() && line.remove(&chosen).is_none());
                }
                if number % 100 == 0 {
                    let ranks: Vec<Rank> = line.keys().copied().collect();
                    let numbered: Vec<Rank> = (0..line.len()).filter_map(|number| line.nth(number)).collect();
                    assert_eq!(numbered, ranks);
                    let first = ranks.first().map_or(0, |first| ranks.iter().filter(|rank| rank.0 == first.0).count());
                    assert_eq!(line.of_first_level(), first);
                }
            }
        }
        assert!(line.len() < 3000 && Line::new(false).nth(0).is_none());
    }
}
