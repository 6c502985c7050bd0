//! Digests: what is kept, and what changes them.

use std::collections::HashSet;

use tickless::run::Place;

use super::*;

/// What the contract says of these models, kept: a change here is a change of every user's results.
#[test]
fn golden_digests() {
    let golden = include_str!("../golden.txt");
    let mut seen = 0;
    for line in golden.lines().filter(|line| line.starts_with("phold ")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, processes, population, lookahead, mean, remote, work, until, seed, digest] = words[..] else {
            panic!("ten columns: {line}")
        };
        let number = |text: &str| text.parse::<f64>().expect("a number");
        let phold = Phold::new(number(processes) as u32).population(number(population) as u32);
        let phold = phold.lookahead(number(lookahead)).mean(number(mean)).remote(number(remote));
        let phold = phold.work(number(work) as u32).until(number(until)).seed(number(seed) as u64);
        assert_eq!(run(phold).outcome.digest().to_string(), digest, "{line}");
        seen += 1;
    }
    assert_eq!(seen, 5);
}

#[test]
fn every_parameter_changes_the_digest() {
    let base = Phold::new(40).population(2).remote(0.75).work(1).until(30.0);
    let changed = [
        base.clone(),
        Phold::new(41).population(2).remote(0.75).work(1).until(30.0),
        base.clone().population(3),
        base.clone().lookahead(0.100_000_001),
        base.clone().mean(1.000_000_001),
        base.clone().remote(0.76),
        base.clone().remote(1.0),
        base.clone().remote(0.0),
        base.clone().work(2),
        base.clone().until(31.0),
        base.clone().seed(2),
    ];
    let digests: HashSet<String> =
        changed.iter().map(|phold| run(phold.clone()).outcome.digest().to_string()).collect();
    assert_eq!(digests.len(), changed.len());
    assert!(digests.contains(&run(base).outcome.digest().to_string()));
}

/// A comparison must see one changed value anywhere in a run.
#[test]
fn one_changed_value_is_caught() {
    let right = run(Phold::new(50).population(2).work(1).until(20.0)).outcome;
    type Change = fn(&mut Outcome);
    let changes: [(&str, Change); 4] = [
        ("executed", |outcome| outcome.processes[33].executed ^= 1),
        ("state[0]", |outcome| outcome.state[33] ^= 1 << 31),
        ("last", |outcome| outcome.processes[33].last = tickless::time::Time::from_ticks(1)),
        ("sent", |outcome| outcome.processes[33].sent ^= 1 << 20),
    ];
    for (field, change) in changes {
        let mut wrong = right.clone();
        change(&mut wrong);
        let difference = right.first_difference(&wrong).expect("a difference");
        assert_eq!((difference.place, difference.field.as_str()), (Place::of("process", 33), field));
        assert_ne!(right.digest(), wrong.digest());
    }
}
