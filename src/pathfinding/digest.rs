//! The digest of a batch of searches, and the first difference of two.
//!
//! SHA-256 over the following, everything little-endian and 64 bits wide: the number of searches, 1 where paths are kept and else 0,
//! and four sums. To these each search adds the record of its place, its state (0 unfinished, 1 found, 2 no path), its cost and
//! expansions; then, where paths are kept, the number of moves and the moves from the start on, four bits each, eight in a word of
//! 32 bits, the first in the lowest.

use super::outcome::{Outcome, SearchState};
use tickless_core::run::{Difference, Digest, Place, Record, RecordKind, Sums};

impl Outcome {
    /// The numbers of a search that every outcome has, with their names.
    fn record(&self, search: usize) -> [(&'static str, u64); 3] {
        let record = &self.searches[search];
        let state = match record.state {
            SearchState::Unfinished => 0,
            SearchState::Found => 1,
            SearchState::NoPath => 2,
        };
        [("state", state), ("cost", record.cost().unwrap_or(0)), ("expansions", record.expansions)]
    }

    /// The digest: equal for equal runs, whatever the backend.
    pub fn digest(&self) -> Digest {
        Digest::of(|hashing| {
            hashing.record([self.searches.len() as u64, self.paths.is_some().into()]);
            hashing.sums(Sums::of_all(self.searches.len(), |search| self.sums(search)));
        })
    }

    /// The sums of a search.
    fn sums(&self, search: usize) -> Sums {
        let numbers = self.record(search).map(|(_, number)| number);
        let record = Record::of(RecordKind::Search).word(search as u64).words(numbers);
        let Some(paths) = &self.paths else { return record.sums() };
        let moves = paths.words(search).iter().map(|word| u64::from(*word));
        record.word(paths.moves(search).len() as u64).words(moves).sums()
    }

    /// The first search and field in which two runs of one model differ, or `None` where they are equal.
    pub fn first_difference(&self, other: &Self) -> Option<Difference> {
        let whole = |field, left: usize, right: usize| Difference::find(Place::WHOLE, field, left as u64, right as u64);
        whole("number of searches", self.searches.len(), other.searches.len())
            .or_else(|| whole("paths", self.paths.is_some().into(), other.paths.is_some().into()))
            .or_else(|| (0..self.searches.len()).find_map(|search| self.difference_of(other, search)))
    }

    fn difference_of(&self, other: &Self, search: usize) -> Option<Difference> {
        let place = Place::of("search", search);
        let (left, right) = (self.record(search), other.record(search));
        let mut numbers = left.into_iter().zip(right);
        let own = numbers.find_map(|((field, left), (_, right))| Difference::find(place, field, left, right));
        let paths = self.paths.as_ref().zip(other.paths.as_ref());
        own.or_else(|| {
            let (left, right) = paths?;
            let moves = [left.moves(search).len(), right.moves(search).len()].map(|moves| moves as u64);
            Difference::find(place, "moves", moves[0], moves[1]).or_else(|| {
                let [left, right] = [left, right].map(|paths| {
                    let moves = paths.moves(search);
                    moves.map(|direction| super::Direction::ALL.iter().position(|one| *one == direction).unwrap_or(8))
                });
                Difference::find_in(place, ("move", 0), left.map(|d| d as u64), right.map(|d| d as u64))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Paths, SearchRecord};
    use super::*;

    fn outcome() -> Outcome {
        let mut paths = Paths::new(2);
        paths.set_backwards(0, &[1, 2, 3, 4, 5, 6, 7, 0, 1]);
        Outcome { searches: vec![SearchRecord::found(7, 9), SearchRecord::no_path(4)], paths: Some(paths) }
    }

    /// Each value of the digest is changed in turn: the digest and the first difference must show it.
    #[test]
    fn one_changed_value_is_caught() {
        let right = outcome();
        type Change = fn(&mut Outcome);
        let changes: [(&str, Change); 8] = [
            ("number of searches", |wrong| wrong.searches.truncate(1)),
            ("paths", |wrong| wrong.paths = None),
            ("search 0, field state", |wrong| wrong.searches[0] = SearchRecord::no_path(9)),
            ("search 0, field cost", |wrong| wrong.searches[0] = SearchRecord::found(8, 9)),
            ("search 1, field expansions", |wrong| wrong.searches[1] = SearchRecord::no_path(5)),
            ("search 0, field moves: 9 against 8", |wrong| {
                let paths = wrong.paths.as_mut().unwrap();
                paths.set_backwards(0, &[1, 2, 3, 4, 5, 6, 7, 0]);
            }),
            ("search 0, field move[8]: 1 against 2", |wrong| {
                wrong.paths.as_mut().unwrap().set_backwards(0, &[2, 2, 3, 4, 5, 6, 7, 0, 1]);
            }),
            ("search 0, field move[0]: 1 against 0", |wrong| {
                wrong.paths.as_mut().unwrap().set_backwards(0, &[1, 2, 3, 4, 5, 6, 7, 0, 0]);
            }),
        ];
        for (name, change) in changes {
            let mut wrong = outcome();
            change(&mut wrong);
            assert_ne!(right.digest(), wrong.digest(), "{name}");
            let difference = right.first_difference(&wrong).unwrap().to_string();
            assert!(difference.contains(name), "{name}: {difference}");
        }
        assert_eq!(right.first_difference(&outcome()), None);
        assert_eq!(right.digest(), outcome().digest());
    }
}
