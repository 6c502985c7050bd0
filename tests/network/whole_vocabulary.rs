//! Random networks over the whole vocabulary: what holds of every run.

use std::collections::BTreeSet;

use super::vocabulary::{File, Told, all, file_of};
use super::*;
use tickless::queueing::{ClassRecord, combined_digest};

/// Files, and how many of them at least run to the end.
const FILES: u32 = 480;
const RUN: usize = 130;

/// The network of a file, if all that was drawn for it goes together; a refusal is one of a line, or of no value.
fn accepted(number: u32, file: &File) -> Option<NetworkModel> {
    let network = Network::from_toml(&file.text).unwrap_or_else(|error| panic!("{number}: {error}\n{}", file.text));
    network.check().ok()
}

/// A run, unless it ends in one of the deadlocks that such networks have.
fn outcome(number: u32, model: &NetworkModel) -> Option<NetworkOutcome> {
    match simulate(model, &mut unwatched()) {
        Err(QueueingError::Deadlock { .. } | QueueingError::Stuck { .. } | QueueingError::Apart { .. }) => None,
        run => Some(run.unwrap_or_else(|error| panic!("{number}: {error}")).outcome),
    }
}

/// Who came is somewhere, has left or is lost.
fn tokens_are_conserved(number: u32, file: &File, model: &NetworkModel, outcome: &NetworkOutcome) {
    let count = model.classes().len();
    let of_class = |(place, class): (usize, &ClassRecord)| {
        let told = &file.stations[place / count];
        let gone = |is_away: bool, tokens: u64| if is_away { tokens } else { 0 };
        gone(!told.full_elsewhere, class.record.losses)
            + gone(told.balks_away, class.balked)
            + gone(told.reneges_away, class.reneged)
    };
    let lost: u64 = outcome.classes.iter().enumerate().map(of_class).sum();
    let (sent, left): (u64, u64) = (outcome.sources.iter().sum(), outcome.sinks.iter().map(|sink| sink.tokens).sum());
    let forks = outcome.forks.unwrap_or_default();
    let came = outcome.tokens_before + sent + forks.copies;
    assert_eq!(came, outcome.tokens() + left + lost + forks.joined, "file {number}:\n{}", file.text);
}

/// Where all came from sources and left by sinks, what is there in the mean is how long each stays: Little's law, to the tick. Between stations
/// they are for half units; whether that can be told.
fn stays_add_up(number: u32, file: &File, outcome: &NetworkOutcome) -> bool {
    let sent: u64 = outcome.sources.iter().sum();
    let left: u64 = outcome.sinks.iter().map(|sink| sink.from_sources).sum();
    if outcome.tokens_before > 0 || outcome.forks.is_some() || left < sent || outcome.stations.from.ticks() > 0 {
        return false;
    }
    let stays: u128 = outcome.sinks.iter().map(|sink| sink.sojourn).sum();
    let there: u128 = outcome.stations.facilities.iter().map(|station| station.presence).sum();
    let delays = if file.used.contains("delay") { UNIT / 2 } else { u128::MAX };
    assert_eq!((stays - there) % delays, 0, "file {number}: {stays} {there}\n{}", file.text);
    true
}

/// Who has come to a station has been served there, but for those that it still has or never had. With everyone gone what was there in the
/// mean is what each has spent waiting, in service and held: Little's law, to the tick.
fn stations_add_up(
    (number, file): (u32, &File),
    told: &Told,
    outcome: &NetworkOutcome,
    classes: &[ClassRecord],
) -> bool {
    let has = |full: fn(&str) -> bool| file.stations.iter().filter_map(|told| told.full).any(full);
    let mut is_empty = false;
    for (class, tokens) in classes.iter().zip(&told.tokens) {
        let what = format!("file {number}, {class:?} with {tokens}:\n{}", file.text);
        let r = class.record;
        assert!(r.starts >= r.completions + r.serving || outcome.stations.from > tickless::time::Time::ZERO, "{what}");
        if outcome.stations.from > tickless::time::Time::ZERO || told.joins {
            continue;
        }
        let gone = tokens + r.arrivals - r.losses - class.balked - class.reneged - r.serving - r.queued;
        assert!(if has(|_| true) { gone <= r.completions } else { gone == r.completions }, "{what}");
        if r.serving + r.queued > 0 || r.completions == 0 {
            continue;
        }
        is_empty = true;
        let spent = r.waiting + r.service + class.patience;
        // Before a service who is held waits.
        let held = if has(|full| full == "blocks-before") { 0..=class.blocked } else { class.blocked..=class.blocked };
        assert!(held.contains(&(r.presence.wrapping_sub(spent))), "{what}");
        assert!(told.shares || r.busy == r.service, "{what}");
    }
    is_empty
}

#[test]
fn every_run_adds_up() {
    let (mut used, mut pairs) = (BTreeSet::new(), BTreeSet::new());
    let (mut runs, mut emptied, mut stayed) = (0, 0, 0);
    for number in 0..FILES {
        let file = file_of(number);
        let Some(model) = accepted(number, &file) else { continue };
        let Some(outcome) = outcome(number, &model) else { continue };
        tokens_are_conserved(number, &file, &model, &outcome);
        stayed += usize::from(stays_add_up(number, &file, &outcome));
        let classes = outcome.classes.chunks(model.classes().len());
        for (told, classes) in file.stations.iter().zip(classes) {
            emptied += usize::from(stations_add_up((number, &file), told, &outcome, classes));
        }
        if number.is_multiple_of(8) {
            parts_are_the_whole(number, &model);
        }
        for holds in ["seizes", "blocks-before", "exchanges", "repeats", "repeats-anew"] {
            for paces in ["speeds", "setup", "vacation", "use", "weight", "class capacity"] {
                if file.used.contains(holds) && file.used.contains(paces) {
                    pairs.insert((holds, paces));
                }
            }
        }
        used.extend(file.used);
        runs += 1;
    }
    let missing: Vec<_> = all().filter(|name| !used.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?} of {runs}");
    let enough = runs >= RUN && emptied > RUN && stayed >= 10 && pairs.len() == 30;
    assert!(enough, "{runs} {emptied} {stayed} {pairs:?}");
}

/// Replications are the same on one core and on three, and in parts.
fn parts_are_the_whole(number: u32, model: &NetworkModel) {
    let some = |replications: Range<u32>| {
        queueing::run(model, replications, Target::Heap, Default::default(), &mut unwatched()).map(|run| run.outcome)
    };
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| some(0..3))
    };
    let (Ok(one), Ok(three)) = (on(1), on(3)) else { return };
    assert_eq!(combined_digest(&one), combined_digest(&three), "file {number}");
    let parts = [some(0..1).expect("a part"), some(1..3).expect("a part")].concat();
    assert!(queueing::first_difference(&one, &parts).is_none() && parts == three, "file {number}");
}
