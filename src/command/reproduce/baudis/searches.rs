//! Table III: searches for paths with each set of open cells.

use super::SETS;
use crate::CommandError;
use crate::reproduce::exhibit::{Claim, Exhibit, all_say_yes, falls};
use crate::reproduce::lab::Lab;
use crate::reproduce::torus::label;
use tickless_pathfinding::gpu::{OpenList, SearchOptions};
use tickless_pathfinding::{self as pathfinding, Corners, Obstacles, SearchModel, Searches, random_queries};

/// Sides, searches at once, and their searches a second by [`SETS`].
const THEIRS: [(u32, u32, [f64; 5]); 5] = [
    (64, 32_768, [49_016.2, 36_104.9, 37_088.5, 35_009.4, 32_656.0]),
    (128, 8192, [10_676.8, 8177.7, 12_412.0, 12_436.6, 11_428.9]),
    (256, 2048, [960.5, 906.6, 2620.9, 2956.3, 2601.8]),
    (512, 512, [48.9, 43.0, 327.9, 314.7, 249.9]),
    (1024, 128, [3.8, 3.5, 41.7, 40.6, 24.4]),
];
/// Seconds after which a set is left out on larger grids.
const LONG: f64 = 8.0;

/// Sizes from the second on.
const LARGER: [&str; 4] = ["128 x 128", "256 x 256", "512 x 512", "1024 x 1024"];

/// The rates at a place, by [`SETS`].
fn at(exhibit: &Exhibit, place: &str) -> [Option<f64>; 5] {
    SETS.map(|(name, _)| exhibit.value(name, place))
}

const CLAIMS: &[Claim] = &[
    Claim::new("the larger the grid, the fewer searches a second", |e| e.all(falls), "small grids are soon done").of_speed(),
    Claim::new(
        "on grids of 64 x 64 sequential rings are the fastest",
        |e| {
            let [seq, others @ ..] = at(e, "64 x 64");
            let (seq, others) = (seq?, others.into_iter().collect::<Option<Vec<_>>>()?);
            Some(others.into_iter().all(|rate| rate < seq))
        },
        "the rings of threads move cells one by one, and threads of a warp that move different numbers of them wait for each other; the \
         parallel ones have a workgroup for each search here",
    )
    .of_speed()
    .of_size(),
    Claim::new(
        "from 128 x 128 on parallel rings and heaps are ahead of sequential rings",
        |e| {
            let said = LARGER.into_iter().filter_map(|place| {
                let [seq, _, par, heaps, _] = at(e, place);
                Some(par? > seq? && heaps? > seq?)
            });
            all_say_yes(said)
        },
        "no reason is known",
    )
    .of_speed()
    .of_size(),
    Claim::new(
        "from 128 x 128 on parallel rings and heaps are within a quarter of each other",
        |e| {
            let said = LARGER.into_iter().filter_map(|place| {
                let [_, _, par, heaps, _] = at(e, place);
                Some((par? / heaps? - 1.0).abs() < 0.25)
            });
            all_say_yes(said)
        },
        "a workgroup has a search with parallel rings here, and a thread with heaps; theirs have a workgroup for each search throughout",
    )
    .of_speed()
    .of_size(),
];

/// Searches on a grid with obstacles of a density of 0.2, eight cells expanded at once.
fn model(side: u32, searches: u32) -> Result<SearchModel, CommandError> {
    let map = Obstacles::new(side, side).density(0.2).map()?;
    let queries = random_queries(&map, searches, 1);
    Ok(Searches::new(map).corners(Corners::Allow).expand(8).queries(queries).check()?)
}

pub fn table(lab: &Lab<'_>) -> Result<Exhibit, CommandError> {
    const WHAT: &str = "table III";
    let quick = [(32, 64, [0.0; 5])];
    let rows = lab.by_scale(&quick[..], &THEIRS[..]);
    let sets = lab.by_scale(&SETS[3..4], &SETS[..]);
    let mut found: Vec<Vec<Option<f64>>> = vec![vec![]; sets.len()];
    let mut left_out = vec![false; sets.len()];
    for &(side, searches, _) in rows {
        let model = model(side, searches)?;
        for (place, (_, set)) in sets.iter().enumerate() {
            let options = SearchOptions { open_list: OpenList::Set(*set), ..SearchOptions::default() };
            let run = match left_out[place] {
                true => None,
                false => lab.in_rounds(WHAT, 1, |target, watch| pathfinding::run(&model, target, options, watch))?,
            };
            left_out[place] = run.as_ref().is_none_or(|run| run.wall.as_secs_f64() > LONG);
            found[place].push(run.map(|run| f64::from(searches) / run.wall.as_secs_f64()));
        }
    }
    let mut exhibit = Exhibit {
        number: WHAT,
        shows: "searches for paths a second, by the side of the grid",
        ours: format!(
            "as many searches at once as theirs: {}; obstacle density 0.2, 8 cells expanded at once. A set is left out where a run took {LONG} s",
            rows.iter().map(|(_, searches, _)| searches.to_string()).collect::<Vec<_>>().join(", ")
        ),
        theirs: "all rates of the table; lengths of queues and places of insertion are not counted here. GeForce GTX 1060",
        axis: "grid",
        places: rows.iter().map(|(side, ..)| label(*side)).collect(),
        unit: "searches a second",
        logarithmic: true,
        claims: CLAIMS,
        ..Exhibit::default()
    };
    for ((name, set), rates) in sets.iter().zip(&found) {
        let place = SETS.iter().position(|(_, known)| known == set);
        let theirs: Vec<_> =
            rows.iter().map(|(.., theirs)| place.map(|place| theirs[place]).filter(|rate| *rate > 0.0)).collect();
        exhibit.add(*name, rates, &theirs);
    }
    Ok(exhibit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::exhibit::{Circumstances, Verdict};

    /// The paper's own numbers in place of ours, until some are missing.
    #[test]
    fn what_is_missing_is_open() {
        let places = THEIRS.iter().map(|(side, ..)| label(*side)).collect();
        let mut exhibit = Exhibit { places, ..Exhibit::default() };
        for (set, (name, _)) in SETS.iter().enumerate() {
            exhibit.add(*name, &THEIRS.map(|(.., rates)| Some(rates[set])), &[]);
        }
        let within = Circumstances { gpu: true, quick: false };
        let verdicts = |exhibit: &Exhibit| [0, 1, 2, 3].map(|claim| CLAIMS[claim].judge(exhibit, within).0);
        let [holds, differs, open] = [Verdict::Holds, Verdict::Differs, Verdict::Open];
        assert_eq!(verdicts(&exhibit), [holds; 4]);
        let mut changed = exhibit.clone();
        changed.series[4].values[0].ours = Some(50_000.0);
        assert_eq!(verdicts(&changed), [holds, differs, holds, holds]);
        for missing in [0, 4] {
            let mut changed = exhibit.clone();
            changed.series[missing].values[0].ours = None;
            assert_eq!(verdicts(&changed), [holds, open, holds, holds]);
        }
        exhibit.series.retain(|series| series.name == SETS[3].0);
        assert_eq!(verdicts(&exhibit), [holds, open, open, open]);
    }
}
