//! Digests of the contract, kept: a change here is a change of every user's results.

use std::collections::HashSet;

use tickless::device::Target;
use tickless::pathfinding::{self, Corners, Obstacles, SearchModel, Searches, random_queries};
use tickless::run::unwatched;

use crate::weighted;

fn digest(model: &SearchModel) -> String {
    pathfinding::run(model, Target::Heap, Default::default(), &mut unwatched())
        .expect("a run")
        .outcome
        .digest()
        .to_string()
}

/// The searches of a line of `tests/golden.txt`, without its digest.
fn searches(words: &[&str]) -> SearchModel {
    let [side, density, obstacle, costs, corners, expand, paths, searches, seed] = words[..] else {
        panic!("nine columns: {words:?}")
    };
    let whole = |text: &str| text.parse::<u32>().expect("a whole number");
    let (density, obstacle) = (density.parse().expect("a density"), obstacle.parse().expect("a side"));
    let seed = seed.parse().expect("a seed");
    let obstacles = Obstacles::new(whole(side), whole(side)).density(density).mean_side(obstacle).seed(seed);
    let map = obstacles.map().expect("a map");
    let queries = random_queries(&map, whole(searches), seed);
    let map = match costs {
        "even" => map,
        "weighted" => weighted(&map),
        other => panic!("even or weighted, not {other}"),
    };
    let corners = match corners {
        "forbid" => Corners::Forbid,
        "allow" => Corners::Allow,
        other => panic!("forbid or allow, not {other}"),
    };
    let model = Searches::new(map).corners(corners).expand(whole(expand)).paths(paths == "paths").queries(queries);
    model.check().expect("searches")
}

#[test]
fn golden_digests() {
    let mut seen = 0;
    for line in include_str!("../golden.txt").lines().filter_map(|line| line.strip_prefix("search ")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (expected, words) = words.split_last().expect("ten columns");
        assert_eq!(digest(&searches(words)), *expected, "{line}");
        seen += 1;
    }
    assert_eq!(seen, 4);
}

#[test]
fn every_parameter_changes_the_digest() {
    let base = ["60", "0.2", "2", "even", "forbid", "8", "paths", "40", "1"];
    let changes = ["61", "0.21", "3", "weighted", "allow", "9", "none", "41", "2"];
    let mut digests = HashSet::from([digest(&searches(&base))]);
    for (column, change) in changes.into_iter().enumerate() {
        let mut words = base;
        words[column] = change;
        assert!(digests.insert(digest(&searches(&words))), "{words:?}");
    }
}
