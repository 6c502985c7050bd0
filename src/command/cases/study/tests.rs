use super::*;
use crate::arguments::Nothing;
use crate::case::{Extent, Wanted, run_whole};
use crate::checkpoint::Resumable;
use tickless_core::run::{Digest, Run, unwatched};
use tickless_device::Target;
use tickless_experiments::PointOutcome;

const EXPERIMENT: &str = "
    until = 20
    station = [{ name = 'desk', service = 'exponential:1', tokens = 2 }]
    route = [{ from = 'desk', to = 'desk' }]
    experiment = { measures = ['network.throughput'], replications = 3, factors = { station.desk.servers = [1, 2, 3] } }
";

const OPTIMIZE: &str = "
    until = 20
    station = [{ name = 'desk', service = 'exponential:1', tokens = 2, cost = { server = 1, waiting = 2 } }]
    route = [{ from = 'desk', to = 'desk' }]
    [optimize]
    smallest = 'cost'
    max_replications = 30
    replications = 4
    together = 3
    factors.station.desk.servers = { from = 1, to = 9 }
";

/// A study of a file of this text, and its run. A study that has ended has all of it.
fn run_of<C>(text: &str) -> (C, Run<C::Outcome>)
where
    C: Case<Options = Nothing, Files = PointsFile, Details = ()> + Resumable<Checkpoint = <C as Case>::Outcome>,
    C::Outcome: Clone + PartialEq + std::fmt::Debug,
{
    let words = serde_json::json!({ "file": "a.toml", "description": text });
    let arguments = serde_json::from_value(words).unwrap();
    let mut case = C::prepare(arguments, &Nothing {}, &PointsFile::default()).unwrap();
    let whole = run_whole(&mut case, (Target::Heap, Wanted::Figures), None, &mut unwatched()).unwrap();
    assert_eq!(case.outcome(whole.outcome.clone()), whole.outcome);
    (case, whole)
}

/// The report of an interrupted run: for each point its number and digest, and the digest of all.
fn told_of<C>(case: &C, cut: &Run<C::Outcome>) -> (Vec<(usize, String)>, Digest)
where
    C: Case<Details = (), Figures: Figures> + Resumable<Checkpoint = <C as Case>::Outcome>,
    C::Outcome: Clone,
{
    let told = cut.clone().map(|at| case.outcome(at));
    let figures = case.figures(&told, Extent::Everything);
    let of_point = |point: &PointReport<_>| (point.replications, point.digest.clone());
    (figures.points().1.iter().map(of_point).collect(), C::digest(&told.outcome))
}

/// The expected report of these points.
fn expected(points: &[PointOutcome], all: Digest) -> (Vec<(usize, String)>, Digest) {
    (points.iter().map(|point| (point.digests.len(), point.digest().to_string())).collect(), all)
}

/// Leaves so many replications of a point.
fn cut_to(point: &mut PointOutcome, replications: usize) {
    point.digests.truncate(replications);
    point.measured.iter_mut().for_each(|pairs| pairs.truncate(replications));
}

/// An interruption in the second of three points: its replications are in the checkpoint, and neither in the figures nor in the digest.
#[test]
fn the_digest_of_an_interrupted_run_covers_what_its_figures_cover() {
    let (case, whole) = run_of::<ExperimentCase>(EXPERIMENT);
    let (mut cut, mut first) = (whole.clone(), whole.outcome);
    cut_to(&mut cut.outcome.points[1], 2);
    cut.outcome.points.truncate(2);
    first.points.truncate(1);
    let kept = ExperimentCase::arrays(&cut.outcome).unwrap().take_list("counts").unwrap();
    assert_eq!(kept, [3, 2]);
    assert_ne!(cut.outcome.digest(), first.digest());
    assert_eq!(told_of(&case, &cut), expected(&first.points, first.digest()));
}

/// The same in the last point that a search has looked at.
#[test]
fn the_digest_of_an_interrupted_search_covers_what_its_figures_cover() {
    let (case, whole) = run_of::<OptimizeCase>(OPTIMIZE);
    let (mut cut, mut ended) = (whole.clone(), whole.outcome);
    let before = ended.points.len() - 1;
    cut_to(&mut cut.outcome.points[before], 3);
    ended.points.truncate(before);
    ended.places.truncate(before);
    assert_ne!(cut.outcome.digest(), ended.digest());
    assert_eq!(told_of(&case, &cut), expected(&ended.points, ended.digest()));
}

/// What holds at all points is said once, and what holds at some with how many they are.
#[test]
fn a_remark_is_made_once() {
    let remarks = |factors: &str| {
        let text = format!(
            "station = [{{ name = 'desk', service = 'constant:2' }}, {{ name = 'bench', service = 'constant:0.5' }}]
            source = [{{ name = 'in', interval = 'constant:1', to = 'bench' }}]
            sink = [{{ name = 'out' }}]
            route = [{{ from = 'bench', to = 'desk' }}, {{ from = 'desk', to = 'out' }}]
            experiment = {{ measures = ['network.throughput'], factors = {{ {factors} }} }}"
        );
        let words = serde_json::json!({ "file": "a.toml", "description": text });
        let case = ExperimentCase::prepare(serde_json::from_value(words).unwrap(), &Nothing {}, &PointsFile::default());
        case.unwrap().remarks().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let said = "station 'desk' is offered 2.000 of what its servers can do: its queue grows without end";
    assert_eq!(remarks("station.bench.servers = [1, 2, 3]"), [format!("at all points: {said}")]);
    let both = "station.bench.servers = [1, 2], station.desk.servers = [1, 3]";
    assert_eq!(remarks(both), [format!("at 2 of 4 points, from point 1 on: {said}")]);
}
