//! Shares of times within targets: against queueing theory, in every simulator, with and beside distributions.

use super::theory::assert_figures;
use super::*;
use tickless::queueing::figures::{Lasting, Whose};
use tickless::queueing::{Class, Observed, Sink, Source, Station, combined_digest};

/// The share of a replication.
fn share(model: &NetworkModel, whose: Whose, of: (Lasting, f64), outcome: &NetworkOutcome) -> f64 {
    let [[within, all]] = model.pairs_within(whose, of, std::slice::from_ref(outcome)).expect("a target")[..] else {
        panic!("one replication has one share")
    };
    within / all
}

/// Calls of a service centre: at load a of c servers a share `1 - C(c, a) exp(-(c - a) t)` is served within t times the mean service (Erlang C).
#[test]
fn service_levels_are_those_of_erlang() {
    let (servers, load) = (5_u32, 4.0_f64);
    let mut network = Network::new().until(20_000.0).warmup(200.0);
    let desk = Station::new("desk", law("exponential:1")).servers(servers).targets(vec![0.0, 0.5]);
    let desk = network.station(desk);
    let exit = network.add_sink(Sink::new("exit").targets(vec![1.5]));
    network.source(Source::new("in", law("exponential:0.25"), desk));
    network.route(desk, exit, 1.0, 0.0);
    let term = |n: u32| (1..=n).fold(1.0, |all, place| all * load / f64::from(place));
    let free = 1.0 - load / f64::from(servers);
    let waits = term(servers) / free / ((0..servers).map(term).sum::<f64>() + term(servers) / free);
    let rest = f64::from(servers) - load;
    // Of who waits, a wait of rate 1 and a service of rate 1 in a row, as the rest is 1.
    assert!((rest - 1.0).abs() < 1e-12);
    let stay = (1.0 - waits) * (1.0 - (-1.5_f64).exp()) + waits * (1.0 - 2.5 * (-1.5_f64).exp());
    let model = model(network.clone());
    let waiting = |target| {
        let model = &model;
        move |outcome: &NetworkOutcome| share(model, Whose::Station(0), (Lasting::Waiting, target), outcome)
    };
    assert_figures(
        &network,
        &[
            ("served at once", 1.0 - waits, &waiting(0.0)),
            ("served in half a unit", 1.0 - waits * (-0.5 * rest).exp(), &waiting(0.5)),
            ("left in one and a half", stay, &|outcome| {
                share(&model, Whose::Sink(0), (Lasting::Network, 1.5), outcome)
            }),
        ],
    );
}

/// Two classes with patience and little room, and targets of all kinds.
fn desk(observed: Observed) -> NetworkModel {
    let mut network = Network::new().until(200.0).warmup(10.0).distributions(observed);
    let [one, other] = ["one", "other"].map(|name| network.class(Class::new(name).targets(vec![3.0])));
    let desk = Station::new("desk", law("exponential:0.5")).servers(2).capacity(9).patience(law("exponential:4"), None);
    let desk = network.station(desk.targets(vec![2.0, 0.0, 0.25]));
    let back = network.station(Station::new("back", law("uniform:0.25,0.75")));
    let exit = network.add_sink(Sink::new("exit").targets(vec![1.0]));
    network.source(Source::new("a", law("exponential:1"), desk).class(one));
    network.source(Source::new("b", law("exponential:2"), desk).class(other));
    network.route(desk, back, 1.0, 0.0);
    network.route(back, exit, 1.0, 0.0);
    model(network)
}

/// Whether distributions are recorded, too, changes no share, and every adapter counts the same.
#[test]
fn shares_are_the_same_everywhere() {
    let (alone, beside) = (desk(Observed::Nothing), desk(Observed::All));
    fn of(model: &NetworkModel, target: Target<'_>) -> Vec<NetworkOutcome> {
        queueing::run(model, 0..70, target, Default::default(), &mut unwatched()).expect("a run").outcome
    }
    let heap = of(&alone, Target::Heap);
    let recorded = of(&beside, Target::Heap);
    let all = [
        Whose::Station(0),
        Whose::Class { station: 0, class: 0 },
        Whose::Class { station: 0, class: 1 },
        Whose::Sink(0),
        Whose::ClassAtSink { sink: 0, class: 1 },
    ];
    for whose in all {
        let shares = alone.within(whose, &heap);
        assert!(shares.iter().any(|one| (0.01..0.99).contains(&one.share.mean)), "{whose:?}: {shares:?}");
        assert_eq!(shares, beside.within(whose, &recorded), "{whose:?}");
    }
    assert!(alone.within(Whose::Station(1), &heap).is_empty());
    for (form, device) in adapter::forms(&["native"]) {
        let found = of(&alone, Target::Device(device.as_ref()));
        assert_eq!(queueing::first_difference(&heap, &found), None, "{form}");
        assert_eq!(combined_digest(&heap), combined_digest(&found), "{form}");
    }
    // A count that is moved by one target is another result.
    let mut moved = heap.clone();
    let counts = &mut moved[3].distributions.as_mut().expect("targets").stations[0].waiting_targets;
    (counts[0], counts[1]) = (counts[0] - 1, counts[1] + 1);
    let difference = queueing::first_difference(&heap, &moved).expect("one").to_string();
    assert!(
        difference.contains("replication 3") && difference.contains("stations[0].waiting_targets[0]"),
        "{difference}"
    );
    assert_ne!(combined_digest(&heap), combined_digest(&moved));
}
