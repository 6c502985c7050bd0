//! Random networks of classes over ranks: what is local to stations gives the records of one heap, and what is not is refused by name.

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use super::vocabulary::{File, file_of, local_file_of};
use super::*;
use tickless::device::On;
use tickless::queueing::Partition;
use tickless::ranks::Ranks;

/// What some network over ranks must have.
const ALL: [&str; 34] = [
    "balking",
    "balks_to",
    "batch",
    "becomes",
    "capacity",
    "class capacity",
    "class patience",
    "class routes",
    "class service",
    "class tokens",
    "classes",
    "d0",
    "delay",
    "failures",
    "fcfs",
    "generator",
    "infinite",
    "lcfs",
    "lcfs-preemptive",
    "patience",
    "preemptive",
    "ps",
    "rates",
    "reneges_to",
    "round-robin",
    "setup",
    "shift_end",
    "shifts",
    "siro",
    "sjf",
    "speeds",
    "trace",
    "use",
    "vacation",
];

/// What ranks refuse, by the key that a file has and what the message calls it.
const REFUSED: [(&str, &str); 20] = [
    ("blocks", "blocking"),
    ("blocks-before", "blocking"),
    ("exchanges", "blocking"),
    ("repeats", "blocking"),
    ("repeats-anew", "blocking"),
    ("seizes", "resources"),
    ("releases", "resources"),
    ("fork", "copies"),
    ("by-visit", "by-visit"),
    ("first-free", "what others do"),
    ("least-work", "what others do"),
    ("shortest-line", "what others do"),
    ("fewest-waiting", "what others do"),
    ("shortest-of-class", "what others do"),
    ("shortest-response", "what others do"),
    ("choice", "a choice of sources"),
    ("shortest-queue", "what others do"),
    ("shortest-of:2", "what others do"),
    ("distributions", "distributions"),
    ("series_step", "a series"),
];

fn accepted(file: &File) -> Option<NetworkModel> {
    Network::from_toml(&file.text).unwrap_or_else(|error| panic!("{error}\n{}", file.text)).check().ok()
}

fn over(model: &NetworkModel, ranks: u32, cut: Option<Partition>) -> One {
    let ranks = Ranks::Threads(NonZeroU32::new(ranks).expect("a rank or more"));
    let run = queueing::run(model, 0..1, On::Ranks(ranks, cut), Default::default(), &mut unwatched())?;
    Ok(run.map(|mut outcomes| outcomes.remove(0)))
}

#[test]
fn what_is_local_gives_the_records_of_one_heap() {
    let (mut used, mut runs, mut parted) = (BTreeSet::new(), 0, 0);
    for number in 0..150 {
        let file = local_file_of(number);
        let Some(model) = accepted(&file) else { continue };
        let alone = simulate(&model, &mut unwatched()).unwrap_or_else(|error| panic!("{number}: {error}"));
        let stations = model.stations();
        let drawn = |ranks: u32| Partition::of_stations((0..stations).map(|id| (id * 7 + number) % ranks).collect());
        for (ranks, cut) in [(2, None), (3, None), (2, Some(drawn(2))), (3, Some(drawn(3)))] {
            let what = || format!("file {number}, {ranks} ranks, {cut:?}:\n{}", file.text);
            let over = match over(&model, ranks, cut.clone()) {
                // Who balks or reneges goes to a station of another rank.
                Err(QueueingError::CutLookahead { .. }) => continue,
                over => over.unwrap_or_else(|error| panic!("{error}, {}", what())),
            };
            assert_eq!(over.outcome.first_difference(&alone.outcome), None, "{}", what());
            assert!(over.outcome == alone.outcome && over.outcome.digest() == alone.outcome.digest(), "{}", what());
            assert_eq!((over.events, over.details), (alone.events, alone.details), "{}", what());
            parted += usize::from(cut.is_none() && file.text.contains("_to = 's"));
            runs += 1;
            let mut other = over.outcome;
            let Some(class) = other.classes.last_mut() else { continue };
            class.preemptions += 1;
            assert_ne!(other.digest(), alone.outcome.digest());
            used.extend(file.used.iter().copied());
        }
    }
    let missing: Vec<_> = ALL.iter().filter(|name| !used.contains(*name)).collect();
    assert!(missing.is_empty() && runs > 200 && parted > 10, "{missing:?} {runs} {parted}");
}

/// A shift begins with tokens that wait, at a station that lets services end.
#[test]
fn services_at_the_beginning_of_a_shift_are_told_other_ranks() {
    for shifts in ["[[0, 0], [5, 2]]", "[[0, 1], [5, 2]]", "[[0, 0], [5, 1]]\nperiod = 8"] {
        let text = format!(
            "until = 100\n[[station]]\nname = 'a'\nservice = 'constant:1'\ntokens = 3\n\
             [[station]]\nname = 'b'\nservice = 'constant:1'\nshifts = {shifts}\n\
             [[route]]\nfrom = 'a'\nto = 'b'\nprobability = 1\n[[route]]\nfrom = 'b'\nto = 'a'\nprobability = 1"
        );
        let network = Network::from_toml(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let model = network.check().expect("a network");
        let alone = simulate(&model, &mut unwatched()).expect("a run");
        let over = over(&model, 2, None).expect("a run over ranks");
        assert_eq!(over.outcome.first_difference(&alone.outcome), None, "{text}");
        assert_eq!((over.events, over.outcome.digest()), (alone.events, alone.outcome.digest()), "{text}");
    }
}

#[test]
fn what_is_not_local_is_refused_by_name() {
    let mut seen = BTreeSet::new();
    for number in 0..300 {
        let file = file_of(number);
        let Some(model) = accepted(&file) else { continue };
        let named: Vec<_> = REFUSED.iter().filter(|(key, _)| file.used.contains(key)).collect();
        match over(&model, 2, None) {
            Err(QueueingError::NotOverRanks { what }) => {
                let said: Vec<_> = named.iter().filter(|(_, name)| what.contains(name)).map(|(key, _)| *key).collect();
                assert!(!said.is_empty(), "file {number} of {named:?}: {what}");
                assert!(what.contains(", as ") && what.ends_with(": leave it out, or run it on one heap"), "{what}");
                seen.extend(said);
            }
            other => assert!(named.is_empty(), "file {number} of {named:?}: {:?}", other.map(|run| run.events)),
        }
    }
    // Between stops, too.
    let model = accepted(&local_file_of(1)).expect("a model");
    let ranks = Ranks::Threads(NonZeroU32::new(2).expect("two"));
    let whole = tickless::run::Restartable { model: &model, from: None };
    let stopped = queueing::run(whole, 0..1, ranks, Default::default(), &mut unwatched()).map(|run| run.events);
    assert!(stopped.is_err_and(|error| error.to_string().contains("no checkpoint of a device or over ranks holds it")));
    let missing: Vec<_> = REFUSED.iter().filter(|(key, _)| !seen.contains(key)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
