//! A queue of which the tokens of time 0, which are all alike, are a number.

use std::collections::VecDeque;

use super::Token;
use tickless_core::time::Time;

/// The tokens that wait at a station.
#[derive(Default)]
pub(super) struct Queue {
    /// Tokens of time 0, before all others.
    first: u32,
    rest: VecDeque<Token>,
}

impl Queue {
    /// A token that is there at time 0.
    pub(super) const FIRST: Token = Token { entered: Time::NEVER, arrived: Time::ZERO, original: Time::ZERO };

    /// So many tokens of time 0, before any other comes.
    pub(super) fn begin(&mut self, count: u32) {
        self.first = count;
    }

    #[inline]
    pub(super) fn push(&mut self, token: Token) {
        self.rest.push_back(token);
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<Token> {
        if self.first > 0 {
            self.first -= 1;
            return Some(Self::FIRST);
        }
        self.rest.pop_front()
    }

    pub(super) fn len(&self) -> usize {
        self.first as usize + self.rest.len()
    }

    /// All of them, in order.
    pub(super) fn tokens(&self) -> impl Iterator<Item = Token> + '_ {
        std::iter::repeat_n(Self::FIRST, self.first as usize).chain(self.rest.iter().copied())
    }

    /// When they came, the first before the others.
    pub(super) fn arrivals(&self) -> impl Iterator<Item = Time> + '_ {
        self.tokens().map(|token| token.arrived)
    }
}
