//! The end of a run of a network.

use sha2::{Digest as _, Sha256};

use crate::statistics::{Difference, Digest, Outcome};

/// What a sink has seen.
///
/// ```
/// assert_eq!(tickless::queueing::network::SinkRecord::default().tokens, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SinkRecord {
    /// Tokens that left here after the warm-up.
    pub tokens: u64,
    /// Of these, the ones that came from a source.
    pub from_sources: u64,
    /// The time that those spent in the network, in ticks: 128 bits, since a few million stays pass 64.
    pub sojourn: u128,
}

impl SinkRecord {
    /// What came since an earlier time.
    pub(super) fn since(&self, before: &Self) -> Self {
        Self {
            tokens: self.tokens - before.tokens,
            from_sources: self.from_sources - before.from_sources,
            sojourn: self.sojourn - before.sojourn,
        }
    }
}

/// Everything that two equal runs share: the stations' records, and what came in and went out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkOutcome {
    /// The stations.
    pub stations: Outcome,
    /// Tokens that each source sent after the warm-up.
    pub sources: Vec<u64>,
    /// What left at each sink.
    pub sinks: Vec<SinkRecord>,
    /// Tokens between stations at the end.
    pub in_transit: u64,
    /// Tokens in the network at the end of the warm-up; at the end of the run there are these, plus what the sources sent,
    /// minus what left and what was lost.
    pub tokens_before: u64,
    /// In approximate time, the causality errors of each station after the warm-up: arrivals whose original time lies before
    /// that of the last arrival that the station had accepted. Empty in exact time, which has none.
    pub causality_errors: Vec<u64>,
}

/// The digest of one replication, or SHA-256 over the digests of several.
pub fn combined_digest(outcomes: &[NetworkOutcome]) -> Digest {
    if let [outcome] = outcomes {
        return outcome.digest();
    }
    let mut hash = Sha256::new();
    outcomes.iter().for_each(|outcome| hash.update(outcome.digest().bytes()));
    Digest::from_bytes(hash.finalize().into())
}

impl NetworkOutcome {
    /// Tokens in the network at the end.
    pub fn tokens(&self) -> u64 {
        self.stations.statistics().tokens_present + self.in_transit
    }

    /// The causality errors of all stations together, or `None` in exact time.
    pub fn all_causality_errors(&self) -> Option<u64> {
        (!self.causality_errors.is_empty()).then(|| self.causality_errors.iter().sum())
    }

    /// SHA-256 over the stations' digest, then, everything little-endian and 64 bits wide (`sojourn` 128): each source's
    /// number; `tokens, from_sources, sojourn` of each sink; `in_transit`; in approximate time each station's
    /// `causality_errors`.
    pub fn digest(&self) -> Digest {
        let mut hash = Sha256::new();
        hash.update(self.stations.digest().bytes());
        let sinks =
            self.sinks.iter().flat_map(|s| [s.tokens, s.from_sources, s.sojourn as u64, (s.sojourn >> 64) as u64]);
        let errors = self.causality_errors.iter().copied();
        for value in self.sources.iter().copied().chain(sinks).chain([self.in_transit]).chain(errors) {
            hash.update(value.to_le_bytes());
        }
        Digest::from_bytes(hash.finalize().into())
    }

    /// Where two runs of one model first differ.
    pub fn first_difference(&self, other: &Self) -> Option<Difference> {
        let stations = self.stations.facilities.len();
        let named = |outcome: &Self| -> Vec<(String, u64)> {
            let sources = outcome.sources.iter().enumerate().map(|(place, sent)| (format!("sources[{place}]"), *sent));
            let sinks = outcome.sinks.iter().enumerate().flat_map(|(place, sink)| {
                let SinkRecord { tokens, from_sources, sojourn } = *sink;
                let halves = [("sojourn", sojourn as u64), ("sojourn (high)", (sojourn >> 64) as u64)];
                [("tokens", tokens), ("from_sources", from_sources)]
                    .into_iter()
                    .chain(halves)
                    .map(move |(field, value)| (format!("sinks[{place}].{field}"), value))
            });
            let errors = outcome.causality_errors.iter().enumerate();
            let errors = errors.map(|(place, count)| (format!("causality_errors[{place}]"), *count));
            let in_transit = [("in_transit".to_owned(), outcome.in_transit)];
            sources.chain(sinks).chain(in_transit).chain(errors).collect()
        };
        self.stations.first_difference(&other.stations).or_else(|| {
            let pairs = named(self).into_iter().zip(named(other));
            pairs
                .into_iter()
                .find(|((_, left), (_, right))| left != right)
                .map(|((field, left), (_, right))| Difference { facility: stations, field, left, right })
        })
    }
}
