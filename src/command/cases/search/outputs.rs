//! The files of `tickless search`.

use std::io::Write;

use serde::Serialize;

use crate::CommandError;
use crate::output::write_csv_of;
use tickless_pathfinding::{Explored, MapPicture, Outcome, Query, SearchModel, SearchRecord, SearchState};

/// A line of `--results`. `docs/json.md` describes each column.
#[derive(Serialize)]
struct Line {
    search: usize,
    start_column: u32,
    start_row: u32,
    goal_column: u32,
    goal_row: u32,
    cost: Option<String>,
    expansions: Option<u64>,
    found: Option<bool>,
}

impl Line {
    fn new(search: usize, query: &Query, record: &SearchRecord) -> Self {
        let found = match record.state {
            SearchState::Unfinished => None,
            SearchState::Found => Some(true),
            SearchState::NoPath => Some(false),
        };
        Self {
            search,
            start_column: query.start.column,
            start_row: query.start.row,
            goal_column: query.goal.column,
            goal_row: query.goal.row,
            cost: record.cost().map(in_moves),
            expansions: found.map(|_| record.expansions),
            found,
        }
    }
}

/// Millionths of a move as moves, with nine digits behind the point, as files of Moving AI have eight.
fn in_moves(millionths: u64) -> String {
    format!("{}.{:06}000", millionths / 1_000_000, millionths % 1_000_000)
}

/// A line for each search.
pub fn results(queries: &[Query], outcome: &Outcome, out: &mut dyn Write) -> Result<(), CommandError> {
    let line = |search: usize| Line::new(search, &queries[search], &outcome.searches[search]);
    write_csv_of(out, queries.len().min(outcome.searches.len()), line)
}

/// The map with the cells that these searches have seen, and above them their paths. Interrupted searches are missing.
pub fn picture(
    model: &SearchModel,
    outcome: &Outcome,
    shown: &[usize],
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let mut picture = MapPicture::new(model.map())?;
    let ended = |search: &&usize| outcome.searches[**search].state != SearchState::Unfinished;
    let queries = shown.iter().filter(ended).map(|&search| &model.queries()[search]);
    Explored::each(model, queries, |search| picture.explored(search))?;
    for &search in shown.iter().filter(|&&search| outcome.searches[search].cost().is_some()) {
        let start = model.queries()[search].start;
        picture.path(outcome.paths.iter().flat_map(|paths| paths.cells(search, start)));
    }
    picture.write(out).map_err(CommandError::Output)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tickless_pathfinding::Cell;

    #[test]
    fn lines_say_what_became_of_a_search() {
        let query = Query { start: Cell { column: 1, row: 2 }, goal: Cell { column: 3, row: 4 } };
        let searches = vec![
            SearchRecord::found(18_446_744_073_709_551_615, 5),
            SearchRecord::found(1_414_214, 0),
            SearchRecord::no_path(7),
            SearchRecord::default(),
        ];
        let mut written = vec![];
        results(&[query; 4], &Outcome { searches, paths: None }, &mut written).unwrap();
        let expected = "search,start_column,start_row,goal_column,goal_row,cost,expansions,found\n\
                        0,1,2,3,4,18446744073709.551615000,5,true\n1,1,2,3,4,1.414214000,0,true\n\
                        2,1,2,3,4,,7,false\n3,1,2,3,4,,,\n";
        assert_eq!(String::from_utf8(written).unwrap(), expected);
    }
}
