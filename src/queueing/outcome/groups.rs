//! What a run leaves of each group of servers.

use serde::{Deserialize, Serialize};
use tickless_core::statistics::{halves, sum_of};

/// What the servers of a group did between the end of the warm-up and the end of the run.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// assert_eq!(tickless::queueing::GroupRecord::default().busy, 0);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupRecord {
    /// How long its servers served tokens, or held tokens without room elsewhere, together, in ticks.
    pub busy: u128,
    /// In how many batches its servers took tokens, where servers of the station serve several at once; else 0.
    pub batches: u64,
    /// The tokens of each class that its servers took.
    pub tokens: Vec<u64>,
}

impl GroupRecord {
    /// Words of a record of no class.
    pub(crate) const LEAST_WORDS: usize = 3;

    /// Of its words.
    pub(crate) fn of(words: &[u64]) -> Self {
        let (own, tokens) = words.split_at(Self::LEAST_WORDS);
        Self { busy: sum_of([own[0], own[1]]), batches: own[2], tokens: tokens.to_vec() }
    }

    /// As words: the time in two, the batches, then the tokens.
    pub(crate) fn words(&self) -> impl Iterator<Item = u64> {
        halves(self.busy).into_iter().chain([self.batches]).chain(self.tokens.iter().copied())
    }

    /// The words with their names.
    pub(crate) fn named(&self, place: &str) -> Vec<(String, u64)> {
        let tokens = (0..self.tokens.len()).map(|class| format!("tokens[{class}]"));
        let fields = ["busy", "busy (high)", "batches"].map(str::to_owned).into_iter().chain(tokens);
        fields.map(|field| format!("{place}.{field}")).zip(self.words()).collect()
    }
}
