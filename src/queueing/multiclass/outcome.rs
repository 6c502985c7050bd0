//! What a run leaves of each class.

use crate::SinkRecord;
use tickless_core::statistics::{FacilityRecord, halves, sum_of};
use tickless_core::time::Time;

/// What one class of tokens did at one station between the end of the warm-up and the end of the run.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// assert_eq!(tickless::queueing::ClassRecord::default().reneged, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClassRecord {
    /// As of a station. An interrupted service has waited again when it goes on, and its waiting time has both.
    pub record: FacilityRecord,
    /// Tokens that saw how many were present and did not join them.
    pub balked: u64,
    /// Tokens that lost their patience before a service began.
    pub reneged: u64,
    /// What those had waited, in ticks.
    pub patience: u128,
    /// Services that were interrupted.
    pub preemptions: u64,
    /// How long servers held tokens that had been served and found no room elsewhere, in ticks; that is no busy time.
    pub blocked: u128,
}

impl ClassRecord {
    /// How many words it has.
    pub(crate) const WORDS: usize = FacilityRecord::WORDS + 7;
    /// The first ones are the upper halves of sums: where all of them are 0 they are not in the digest.
    const HIGH: usize = 6;

    /// What each word is.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        let own = ["balked", "reneged", "patience", "preemptions", "blocked"];
        ["patience (high)", "blocked (high)"].into_iter().chain(FacilityRecord::NAMES).chain(own)
    }

    /// Its words.
    pub(crate) fn words(&self) -> [u64; Self::WORDS] {
        let Self { balked, reneged, preemptions, .. } = *self;
        let [[patience, patience_high], [blocked, blocked_high]] = [self.patience, self.blocked].map(halves);
        let own = [balked, reneged, patience, preemptions, blocked];
        let mut words = [patience_high, blocked_high].into_iter().chain(self.record.words()).chain(own);
        std::array::from_fn(|_| words.next().unwrap_or_default())
    }

    /// The record that has these words.
    pub(crate) fn from_words(words: [u64; Self::WORDS]) -> Self {
        let [patience_high, blocked_high, record @ .., balked, reneged, patience, preemptions, blocked] = words;
        let [patience, blocked] = [[patience, patience_high], [blocked, blocked_high]].map(sum_of);
        Self { record: FacilityRecord::from_words(record), balked, reneged, patience, preemptions, blocked }
    }

    /// The words that are in the digest.
    pub(crate) fn digested(&self) -> impl Iterator<Item = u64> {
        let words = self.words();
        let skipped = if words[..Self::HIGH].iter().all(|word| *word == 0) { Self::HIGH } else { 0 };
        words.into_iter().skip(skipped)
    }
}

/// What became of tokens that split ([`Routing::Fork`](crate::Routing::Fork)) after the warm-up.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// assert_eq!(tickless::queueing::ForkRecord::default().copies, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ForkRecord {
    /// Tokens that came into the network as copies.
    pub copies: u64,
    /// Tokens that are no more since they were joined with a sibling.
    pub joined: u64,
}

/// What each class left at each sink, sink by sink.
pub(crate) type ClassSinks = Vec<SinkRecord>;

/// What the classes of a station did together.
pub(crate) fn together(classes: &[ClassRecord]) -> FacilityRecord {
    let none = FacilityRecord { in_service: Time::NEVER, ..FacilityRecord::default() };
    classes.iter().fold(none, |all, ClassRecord { record, .. }| FacilityRecord {
        serving: all.serving + record.serving,
        queued: all.queued + record.queued,
        in_service: all.in_service.min(record.in_service),
        ..all.and_before(record)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_back() {
        let words = std::array::from_fn(|place| 1 << 63 | place as u64);
        let record = ClassRecord::from_words(words);
        assert_eq!((record.words(), ClassRecord::names().count()), (words, words.len()));
        // Without upper halves these are not digested, whichever of them is there all are.
        let low = ClassRecord { patience: 7, ..ClassRecord::default() };
        assert_eq!(low.digested().count(), ClassRecord::WORDS - ClassRecord::HIGH);
        let fields: [fn(&mut ClassRecord) -> &mut u128; 3] =
            [|r| &mut r.blocked, |r| &mut r.patience, |r| &mut r.record.busy];
        for field in fields {
            let mut high = low;
            *field(&mut high) += 1 << 64;
            assert_eq!(high.digested().count(), ClassRecord::WORDS);
        }
    }
}
