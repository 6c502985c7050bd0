//! Records of single visits, against the figures of the same run.

use super::multiclass_random::{Uses, network_of};
use super::*;
use tickless::queueing::{Left, Visit, visits};

/// Random networks of everything: what visits say is what is counted of each class at each station, and no outcome changes.
#[test]
fn visits_are_those_that_are_counted() {
    let mut seen = [0; 5];
    for number in 0..150 {
        let (network, _) = network_of(number, Uses::of(number));
        let model = model(network.warmup(0.0));
        let mut all: Vec<Visit> = vec![];
        let run = visits(&model, 3, |visit| all.push(*visit), &mut unwatched());
        let alone = queueing::run(&model, 3..4, Target::Heap, Default::default(), &mut unwatched());
        let (outcome, expected) = match (run, alone) {
            (Ok(run), Ok(alone)) => (run.outcome, alone.outcome),
            (Err(_), Err(_)) => continue,
            (one, other) => panic!("network {number}: {:?} {:?}", one.err(), other.err()),
        };
        assert_eq!(outcome.first_difference(&expected[0]), None, "network {number}");
        let classes = model.classes().len() as u32;
        for (place, record) in (0_u32..).zip(&outcome.classes) {
            let of = |left: Left| {
                let at = |visit: &&Visit| (visit.station, visit.class) == (place / classes, place % classes);
                all.iter().filter(at).filter(move |visit| visit.left == left)
            };
            let count = |left| of(left).count() as u64;
            let counted = [
                (Left::Lost, record.record.losses),
                (Left::Balked, record.balked),
                (Left::Reneged, record.reneged),
                (Left::Joined, record.joins),
            ];
            for (kind, (left, expected)) in counted.into_iter().enumerate() {
                assert_eq!(count(left), expected, "network {number}: {left:?} of {place}");
                seen[kind] += expected;
            }
            let patience: u128 = of(Left::Reneged)
                .map(|one| u128::from(one.departure.map_or(0, |time| time.ticks()) - one.arrival.ticks()))
                .sum();
            assert_eq!(patience, record.patience, "network {number}");
            seen[4] += count(Left::Served);
        }
        let present = all.iter().filter(|visit| visit.left == Left::Present).count() as u64;
        assert_eq!(present, outcome.tokens() - outcome.in_transit, "network {number}");
        // A token is at one place at a time, and its visits follow each other.
        let mut last = std::collections::HashMap::new();
        for visit in &all {
            let [arrival, start, end] =
                [Some(visit.arrival), visit.start, visit.end].map(|time| time.unwrap_or(visit.arrival));
            assert!(arrival <= start && (start <= end || visit.end.is_none()), "network {number}: {visit:?}");
            assert!(visit.departure.is_none_or(|departure| departure >= end), "network {number}: {visit:?}");
            let before = last.insert(visit.token, visit.departure).flatten();
            assert!(before.is_none_or(|before| before <= visit.arrival), "network {number}: {visit:?}");
        }
    }
    assert!(seen.iter().all(|count| *count > 30), "{seen:?}");
}
