//! The numbers of tokens at each observed station that its record tells apart.

use crate::NetworkModel;
use crate::checkpoint::State;
use tickless_core::statistics::Scale;

/// The numbers of tokens for which a record has room at first.
const FIRST_LEVELS: u32 = 32;

/// For each observed station, in the order of [`NetworkModel::observed`], how many numbers of tokens its record tells
/// apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Levels(pub(super) Vec<u32>);

impl Levels {
    /// Enough for the tokens at time 0, and no more than there can be.
    pub(super) fn first(model: &NetworkModel) -> Self {
        let level = |id: &u32| FIRST_LEVELS.max(model.tokens_at(*id)).min(most(model, *id));
        Self(model.observed().iter().map(level).collect())
    }

    /// Enough for all tokens where replications resume.
    pub(super) fn of_states(model: &NetworkModel, states: &[State]) -> Self {
        let mut levels = Self::first(model);
        for state in states {
            for (id, here) in (0_u32..).zip(state.stations()) {
                if let Ok(place) = model.observed().binary_search(&id) {
                    levels.0[place] = levels.0[place].max((here.services.len() + here.queue.len()) as u32);
                }
            }
        }
        levels
    }

    /// Words of the annex for the stations of a replication, and the first word of each.
    pub(super) fn places(&self, scale: Scale) -> (u64, Vec<u64>) {
        let mut words = 0;
        let place = |levels: &u32| {
            let place = words;
            words += 3 + u64::from(scale.bins()) + 2 * u64::from(*levels);
            place
        };
        let places = self.0.iter().map(place).collect();
        (words, places)
    }
}

/// The most tokens that a station can hold.
pub(super) fn most(model: &NetworkModel, station: u32) -> u32 {
    let tokens = model.most_tokens.unwrap_or(u32::MAX);
    tokens.min(model.capacity(station)).max(1)
}
