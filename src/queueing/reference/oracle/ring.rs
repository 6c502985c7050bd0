//! Tokens in the order of their arrival. Nearly every token joins at the end and goes from the beginning.

use std::collections::VecDeque;

use super::NOBODY;
use serde::{Deserialize, Serialize};

/// Tokens by the numbers of their arrivals. Who goes from the middle leaves a gap; the first is no gap.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Ring {
    tokens: VecDeque<(u64, u32)>,
    gaps: usize,
}

impl Ring {
    #[inline]
    pub(super) fn insert(&mut self, number: u64, place: u32) {
        if self.tokens.back().is_none_or(|last| last.0 < number) {
            return self.tokens.push_back((number, place));
        }
        let at = self.tokens.partition_point(|other| other.0 < number);
        match self.tokens.get_mut(at) {
            // It has been here before.
            Some(gap) if gap.0 == number => {
                gap.1 = place;
                self.gaps -= 1;
            }
            _ => self.tokens.insert(at, (number, place)),
        }
    }

    /// The place in the list of a token that is there.
    fn find(&self, number: u64) -> Option<usize> {
        let at = self.tokens.binary_search_by_key(&number, |token| token.0).ok()?;
        (self.tokens[at].1 != NOBODY).then_some(at)
    }

    pub(super) fn remove(&mut self, number: u64) -> Option<u32> {
        let at = self.find(number)?;
        let place = std::mem::replace(&mut self.tokens[at].1, NOBODY);
        self.gaps += 1;
        self.trim();
        Some(place)
    }

    #[inline]
    pub(super) fn take_first(&mut self) -> Option<u32> {
        let (_, place) = self.tokens.pop_front()?;
        if self.gaps > 0 {
            self.trim();
        }
        Some(place)
    }

    /// Ends gaps at the beginning, and all of them where they are more than the tokens.
    fn trim(&mut self) {
        while self.tokens.front().is_some_and(|first| first.1 == NOBODY) {
            self.tokens.pop_front();
            self.gaps -= 1;
        }
        if self.gaps > self.tokens.len() / 2 + 16 {
            self.tokens.retain(|token| token.1 != NOBODY);
            self.gaps = 0;
        }
    }

    pub(super) fn places(&self) -> impl Iterator<Item = u32> {
        self.tokens.iter().map(|token| token.1).filter(|place| *place != NOBODY)
    }
}
