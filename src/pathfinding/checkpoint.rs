//! The searches that have ended, in the arrays of a file.

use super::{Outcome, Paths, SearchModel, SearchRecord, SearchState};
use tickless_core::archive::{ArchiveError, Arrays, rows, wrong};

/// Columns of a search: how it ended, the cost of its path, and its expansions.
const SEARCH: usize = 3;

impl Outcome {
    /// The bytes of its lists.
    pub(super) fn bytes(&self) -> u64 {
        let paths = self.paths.as_ref().map_or(0, Paths::bytes);
        size_of_val(&self.searches[..]) as u64 + paths
    }

    /// The arrays of a checkpoint file.
    ///
    /// # Errors
    /// Too little memory.
    #[doc(hidden)]
    pub fn arrays(&self) -> Result<Arrays, ArchiveError> {
        let row = |record: &SearchRecord| -> [u64; SEARCH] {
            [record.state as u64, record.cost().unwrap_or(0), record.expansions]
        };
        let mut arrays = Arrays::default();
        arrays.add("searches", self.searches.len(), rows(&[&self.searches], row, "the arrays of a checkpoint")?);
        if let Some(paths) = &self.paths {
            tickless_core::memory::room_of(2 * paths.bytes(), "the paths of a checkpoint")?;
            let (words, moves) = paths.in_order();
            arrays.add_list("path_words", vec![words.len() as u64]);
            arrays.add_halves("paths", &words);
            arrays.add_halves("moves", &moves);
        }
        Ok(arrays)
    }

    /// The outcome from which [`Outcome::arrays`] made these arrays, for these searches.
    ///
    /// # Errors
    /// An array that does not fit these searches.
    #[doc(hidden)]
    pub fn from_arrays(model: &SearchModel, mut arrays: Arrays) -> Result<Self, ArchiveError> {
        let count = model.queries().len();
        let words = arrays.take("searches", count, if count == 0 { 0 } else { SEARCH })?;
        let states = [SearchState::Unfinished, SearchState::Found, SearchState::NoPath];
        let record = |row: &[u64; SEARCH]| {
            let state = states.into_iter().find(|state| *state as u64 == row[0]);
            match state.ok_or_else(|| wrong("searches", format!("has the state {}", row[0])))? {
                SearchState::Unfinished => Ok(SearchRecord::default()),
                SearchState::Found => Ok(SearchRecord::found(row[1], row[2])),
                SearchState::NoPath => Ok(SearchRecord::no_path(row[2])),
            }
        };
        let searches = words.as_chunks().0.iter().map(record).collect::<Result<_, ArchiveError>>()?;
        if !model.keeps_paths() {
            return Ok(Self { searches, paths: None });
        }
        let [words] = arrays.take_list("path_words")?[..] else {
            return Err(wrong("path_words", "has no number, or more than one".into()));
        };
        let (words, moves) = (arrays.take_halves("paths", words as usize)?, arrays.take_halves("moves", count)?);
        let paths = Paths::from_order(words, moves);
        Ok(Self {
            searches,
            paths: Some(paths.ok_or_else(|| wrong("paths", "has more or fewer words than its moves need".into()))?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Map, Query, Searches};

    #[test]
    fn what_goes_into_arrays_comes_out() {
        let mut paths = Paths::new(4);
        paths.set_backwards(2, &[1, 2, 3, 4, 5, 6, 7, 0, 1]);
        paths.set_backwards(0, &[7]);
        let searches = vec![
            SearchRecord::found(u64::MAX, 5),
            SearchRecord::default(),
            SearchRecord::found(7, 1 << 40),
            SearchRecord::no_path(3),
        ];
        for paths in [None, Some(paths)] {
            let model = |searches| {
                let batch = Searches::new(Map::free(9, 9).unwrap()).paths(paths.is_some());
                batch.queries(vec![Query::default(); searches]).check().unwrap()
            };
            let outcome = Outcome { searches: searches.clone(), paths: paths.clone() };
            assert_eq!(Outcome::from_arrays(&model(4), outcome.arrays().unwrap()).unwrap(), outcome);
            assert!(Outcome::from_arrays(&model(3), outcome.arrays().unwrap()).is_err());
            let mut others = outcome.arrays().unwrap();
            others.add("searches", 4, vec![3; 12]);
            assert!(Outcome::from_arrays(&model(4), others).unwrap_err().to_string().contains("has the state 3"));
            if paths.is_some() {
                let mut others = outcome.arrays().unwrap();
                others.add_halves("moves", &[1, 0, 1, 0]);
                assert!(Outcome::from_arrays(&model(4), others).is_err());
            }
        }
    }
}
