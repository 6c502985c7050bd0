//! The records of each class in a run.

use std::ops::Range;

use super::SinkRecord;
use serde::{Deserialize, Serialize};
use tickless_core::statistics::{FacilityRecord, halves, sum_of};
use tickless_core::time::Time;

/// The record of one class of tokens at one station between the end of the warm-up and the end of the run.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// assert_eq!(tickless::queueing::ClassRecord::default().reneged, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClassRecord {
    /// As of a station. The waiting time of a service that is interrupted includes the wait until it is resumed.
    pub record: FacilityRecord,
    /// Tokens that balked at the number present.
    pub balked: u64,
    /// Tokens that lost their patience before a service began.
    pub reneged: u64,
    /// The time that these tokens had waited, in ticks.
    pub patience: u128,
    /// Services that were interrupted.
    pub preemptions: u64,
    /// How long servers held tokens for lack of room elsewhere, in ticks, cut at both ends; this is no busy time.
    pub blocked: u128,
    /// The part of `blocked` before the end of a service (blocking before service). Waiting times include it, too.
    pub stopped: u128,
    /// How long tokens here waited for their siblings, in ticks, cut at both ends.
    pub joining: u128,
    /// Tokens whose wait for siblings has ended, the last sibling to come included.
    pub joins: u64,
    /// Of these, the tokens that were joined to another one and are gone.
    pub joined: u64,
    /// Services that were abandoned: the patience of their tokens ended amid them. They are not among those that ended.
    pub abandoned: u64,
}

impl ClassRecord {
    /// The number of its words.
    pub(crate) const WORDS: usize = FacilityRecord::WORDS + 14;
    /// The first words are rare: if all of them are 0 for all classes, they are not in the digest.
    const RARE: usize = 12;

    /// The name of each word.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        let rare = ["stopped", "stopped (high)", "joining", "joining (high)", "joins", "joined"];
        let high = ["patience (high)", "blocked (high)"];
        let own = ["balked", "reneged", "patience", "preemptions", "blocked"];
        rare.into_iter().chain(high).chain(FacilityRecord::NAMES).chain(own).chain(["abandoned"])
    }

    /// Its words.
    pub(crate) fn words(&self) -> [u64; Self::WORDS] {
        let Self { balked, reneged, preemptions, joins, joined, .. } = *self;
        let [[patience, patience_high], [blocked, blocked_high]] = [self.patience, self.blocked].map(halves);
        let [[stopped, stopped_high], [joining, joining_high]] = [self.stopped, self.joining].map(halves);
        let first = [stopped, stopped_high, joining, joining_high, joins, joined, patience_high, blocked_high];
        let own = [balked, reneged, patience, preemptions, blocked, self.abandoned];
        let mut words = first.into_iter().chain(self.record.words()).chain(own);
        std::array::from_fn(|_| words.next().unwrap_or_default())
    }

    /// The record with these words.
    pub(crate) fn from_words(words: [u64; Self::WORDS]) -> Self {
        let [stopped, stopped_high, joining, joining_high, joins, joined, rest @ ..] = words;
        let [patience_high, blocked_high, record @ .., balked, reneged, patience, preemptions, blocked, abandoned] =
            rest;
        let [patience, blocked] = [[patience, patience_high], [blocked, blocked_high]].map(sum_of);
        let [stopped, joining] = [[stopped, stopped_high], [joining, joining_high]].map(sum_of);
        let record = FacilityRecord::from_words(record);
        Self { record, balked, reneged, patience, preemptions, blocked, stopped, joining, joins, joined, abandoned }
    }

    /// The words of all records in the digest: first the common words, then the rare words, if one is not 0; and at last those of abandoned services
    /// likewise.
    pub(crate) fn digested(all: &[Self]) -> impl Iterator<Item = u64> {
        let of_all = |words: Range<usize>| all.iter().flat_map(move |one| one.words()[words.clone()].to_vec());
        let rare = of_all(0..Self::RARE).any(|word| word != 0);
        let last = Self::WORDS - 1;
        let abandoned = all.iter().any(|one| one.abandoned != 0);
        let common = of_all(Self::RARE..last).chain(of_all(0..if rare { Self::RARE } else { 0 }));
        common.chain(of_all(if abandoned { last..Self::WORDS } else { 0..0 }))
    }

    /// This record of a station, with the fields of these classes that a station does not have.
    pub(crate) fn and_own_of(self, classes: &[Self]) -> Self {
        classes.iter().fold(self, |all, one| Self {
            balked: all.balked + one.balked,
            reneged: all.reneged + one.reneged,
            patience: all.patience + one.patience,
            preemptions: all.preemptions + one.preemptions,
            blocked: all.blocked + one.blocked,
            stopped: all.stopped + one.stopped,
            joining: all.joining + one.joining,
            joins: all.joins + one.joins,
            joined: all.joined + one.joined,
            abandoned: all.abandoned + one.abandoned,
            ..all
        })
    }

    /// Tokens that lost their patience, in line or amid a service.
    pub fn gave_up(&self) -> u64 {
        self.reneged + self.abandoned
    }

    /// How long tokens were blocked when they had been served, in ticks.
    pub fn blocked_after(&self) -> u128 {
        self.blocked - self.stopped
    }
}

/// The record of tokens that split ([`Routing::Fork`](crate::Routing::Fork)) after the warm-up.
///
/// ```
/// # use tickless_queueing::facade as tickless;
/// assert_eq!(tickless::queueing::ForkRecord::default().copies, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForkRecord {
    /// Tokens that came into the network as copies.
    pub copies: u64,
    /// Tokens that were joined with a sibling and are gone.
    pub joined: u64,
}

/// The record of each class at each sink, sink by sink.
pub(crate) type ClassSinks = Vec<SinkRecord>;

/// The record of all classes of a station together.
pub(crate) fn together(classes: &[ClassRecord]) -> FacilityRecord {
    let none = FacilityRecord { in_service: Time::NEVER, ..FacilityRecord::default() };
    classes.iter().fold(none, |all, ClassRecord { record, .. }| FacilityRecord {
        serving: all.serving + record.serving,
        queued: all.queued + record.queued,
        in_service: all.in_service.min(record.in_service),
        ..all.and_sums_of(record)
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
        // If one rare word is not 0, all rare words are in the digest.
        let common = ClassRecord { patience: 7, ..ClassRecord::default() };
        assert_eq!(ClassRecord::digested(&[common; 3]).count(), 3 * (ClassRecord::WORDS - 1 - ClassRecord::RARE));
        let fields: [fn(&mut ClassRecord) -> &mut u128; 5] =
            [|r| &mut r.blocked, |r| &mut r.patience, |r| &mut r.record.busy, |r| &mut r.stopped, |r| &mut r.joining];
        for field in fields {
            let mut rare = common;
            *field(&mut rare) += 1 << 64;
            assert_eq!(ClassRecord::digested(&[common, rare]).count(), 2 * (ClassRecord::WORDS - 1));
        }
        let abandoned = ClassRecord { abandoned: 1, ..common };
        assert_eq!(ClassRecord::digested(&[abandoned; 2]).count(), 2 * (ClassRecord::WORDS - ClassRecord::RARE));
    }
}
