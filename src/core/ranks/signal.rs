//! Signals of one word, of which all ranks get the least.

use crate::time::Time;

/// The signal of a rank before a round. Of several signals the first kind in this order counts for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Signal {
    /// This rank has an error.
    Failed(u32),
    /// Rank 0 looks at its watch.
    Look,
    /// A lower bound on the timestamps of the messages that this rank will still send.
    Bound(Time),
    /// This rank has no work left.
    Done,
}

/// The word of a look, behind every rank number.
const LOOK: u64 = 1 << 32;

impl Signal {
    /// The signal as a word of the same order. A bound lies below 2⁶³ ticks, as every time that a run reaches.
    pub(super) fn word(self) -> u64 {
        match self {
            Self::Failed(rank) => rank.into(),
            Self::Look => LOOK,
            Self::Bound(time) => time.ticks() + LOOK + 1,
            Self::Done => u64::MAX,
        }
    }

    pub(super) fn of(word: u64) -> Self {
        match word {
            u64::MAX => Self::Done,
            LOOK => Self::Look,
            word if word < LOOK => Self::Failed(word as u32),
            word => Self::Bound(Time::from_ticks(word - LOOK - 1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_order_as_signals_do_and_say_the_same() {
        let bound = |ticks| Signal::Bound(Time::from_ticks(ticks));
        let failed = [0, 7, u32::MAX].map(Signal::Failed);
        let rest = [Signal::Look, bound(0), bound(1), bound(LOOK), bound((1 << 63) - 1), Signal::Done];
        let all: Vec<Signal> = failed.into_iter().chain(rest).collect();
        let words: Vec<u64> = all.iter().map(|signal| signal.word()).collect();
        assert!(words.windows(2).all(|pair| pair[0] < pair[1]), "{words:?}");
        assert!(all.is_sorted());
        assert_eq!(words.into_iter().map(Signal::of).collect::<Vec<_>>(), all);
    }
}
