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
        let run = visits(&model, 3, |visit| all.push(visit.clone()), &mut unwatched());
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
                (Left::Reneged, record.reneged + record.abandoned),
                (Left::Joined, record.joins),
            ];
            for (kind, (left, expected)) in counted.into_iter().enumerate() {
                assert_eq!(count(left), expected, "network {number}: {left:?} of {place}");
                seen[kind] += expected;
            }
            // Who leaves amid a service has lost its patience there.
            let patience: u128 = of(Left::Reneged)
                .filter(|one| one.start.is_none())
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

/// What a token holds is what it has seized and not given back; who leaves without a service held nothing.
#[test]
fn visits_have_what_their_tokens_held() {
    let text = "until = 20\n[[resource]]\nname = 'bed'\nunits = 1\n[[resource]]\nname = 'nurse'\nunits = 2\n\
                [[station]]\nname = 'door'\nservice = 'constant:0.5'\n\
                [[station]]\nname = 'ward'\nservice = 'constant:2'\nseizes = { bed = 1, nurse = 2 }\nreleases = { nurse = 2 }\npatience = 'constant:2.5'\n\
                [[station]]\nname = 'rest'\nservice = 'constant:1'\nservers = 'infinite'\nreleases = { bed = 1 }\n\
                [[sink]]\nname = 'home'\n[[source]]\nname = 'in'\ninterval = 'constant:1'\nlimit = 3\nto = 'door'\n\
                [[route]]\nfrom = 'door'\nto = 'ward'\n[[route]]\nfrom = 'ward'\nto = 'rest'\n[[route]]\nfrom = 'rest'\nto = 'home'\n";
    let model = model(Network::from_toml(text).expect("a network"));
    type Held = Option<Vec<(u32, u32)>>;
    let mut all: Vec<(u64, u32, Held)> = vec![];
    visits(
        &model,
        0,
        |visit| all.push((visit.token, visit.station, visit.held.as_deref().map(<[_]>::to_vec))),
        &mut unwatched(),
    )
    .expect("runs");
    all.sort();
    let (both, bed) = (Some(vec![(0, 1), (1, 2)]), Some(vec![(0, 1)]));
    // The second waits from 2.5 for the bed, which is free at 4.5; the third has gone by then.
    let of = |token, ward: &Option<Vec<_>>, rest| [(token, 0, None), (token, 1, ward.clone()), (token, 2, rest)];
    let expected = [of(0, &both, bed.clone()), of(1, &both, bed)].concat();
    assert_eq!(all, [&expected[..], &[(2, 0, None), (2, 1, None)]].concat());
}
