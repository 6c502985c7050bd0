//! Tokens that are put together, and tokens that split into a drawn number.

use super::theory::{assert_figure, mean_present};
use super::*;
use tickless::queueing::{Class, ClassOfStation, ForkRecord, Routing, Source, Standby, Station};

/// A bench with a kit of two classes, a way out, and sources of these classes with these intervals.
fn bench(change: impl FnOnce(Station, [tickless::queueing::ClassId; 2]) -> Station, intervals: [&str; 2]) -> Network {
    let mut network = Network::new().until(100.0);
    let classes = ["frame", "wheel"].map(|name| network.class(Class::new(name)));
    let bench = network.station(change(Station::new("bench", law("constant:1")), classes));
    let out = network.sink("out");
    network.route(bench, out, 1.0, 0.0);
    for (name, class, interval) in [("frames", classes[0], intervals[0]), ("wheels", classes[1], intervals[1])] {
        network.source(Source::new(name, law(interval), bench).class(class));
    }
    network
}

/// Frames come every 10, wheels every 6: a bicycle is complete with its second wheel at 12, 24, ..., its frame from 10, 20, ... on.
#[test]
fn a_kit_goes_on_as_its_first_part() {
    let network = bench(|station, [frame, wheel]| station.kit([(frame, 1), (wheel, 2)]), ["constant:10", "constant:6"]);
    let outcome = run(network).outcome;
    let [frames, wheels] = [0, 1].map(|class| &outcome.classes[class]);
    assert_eq!((outcome.sinks[0].tokens, wheels.joined, frames.joined), (8, 16, 0));
    assert_eq!((frames.record.starts, frames.joins, wheels.record.starts, wheels.joins), (8, 8, 0, 16));
    // The n-th frame comes at 10 n, and is complete at 12 n; its bicycle is ready at 12 n + 1.
    let waited: u64 = (1..=8).map(|n| 2 * n).sum();
    assert_eq!(outcome.sinks[0].sojourn >> 32, u128::from(waited + 8));
    // A ninth frame has waited since 90, and of each pair of wheels the first one waits for 6.
    assert_eq!((frames.joining >> 32, wheels.joining >> 32), (u128::from(waited + 10), 8 * 6));
    assert_eq!(outcome.forks, Some(ForkRecord { copies: 0, joined: 16 }));
    assert_eq!(outcome.stations.facilities[0].arrivals, 9 + 16);
}

/// Frames that come first go first, and a class that is in no kit joins the line at once.
#[test]
fn parts_wait_beside_the_line() {
    let mut network = Network::new().until(85.0);
    let [frame, wheel, other] = ["frame", "wheel", "other"].map(|name| network.class(Class::new(name)));
    let bench = network.station(Station::new("bench", law("constant:1")).kit([(frame, 1), (wheel, 2)]));
    let out = network.sink("out");
    network.route(bench, out, 1.0, 0.0);
    for (class, interval) in [(frame, "constant:3"), (wheel, "constant:40"), (other, "constant:16")] {
        network.source(Source::new(format!("in {}", class.index()), law(interval), bench).class(class));
    }
    let outcome = run(network).outcome;
    // Two wheels at 80: the frame of time 3 goes on, behind the fifth of the others, who has come before.
    assert_eq!((outcome.sinks[0].tokens, outcome.sinks[0].sojourn >> 32), (6, 5 + (82 - 3)));
    assert_eq!(outcome.classes[0].record.queued, 27);
}

/// The surplus of one kind is a birth and death chain, where each has little room.
#[test]
fn who_waits_for_whom_is_a_chain() {
    let room = |station: Station, [frame, wheel]: [_; 2]| {
        let frames = ClassOfStation::new(frame).capacity(3).service(law("constant:0.000001"));
        let wheels = ClassOfStation::new(wheel).capacity(2);
        station.infinite_servers().kit([(frame, 1), (wheel, 1)]).class(frames).class(wheels)
    };
    let network = bench(room, ["exponential:1.25", "exponential:1"]).warmup(50.0).until(20_050.0);
    let weights: Vec<f64> = (-2..=3).map(|surplus| 0.8_f64.powi(surplus)).collect();
    let all: f64 = weights.iter().sum();
    let lost = |outcome: &NetworkOutcome, class: usize| {
        let record = outcome.classes[class].record;
        record.losses as f64 / record.arrivals as f64
    };
    assert_figure(&network, "lost frames", weights[5] / all, |outcome| lost(outcome, 0));
    assert_figure(&network, "lost wheels", weights[0] / all, |outcome| lost(outcome, 1));
    let present: f64 =
        (-2..=3_i32).zip(&weights).map(|(surplus, weight)| f64::from(surplus.abs()) * weight / all).sum();
    assert_figure(&network, "present", present, |outcome| mean_present(outcome, 0));
}

/// Boxes of a drawn number of parts come to one server: a queue with arrivals in batches.
#[test]
fn parts_of_boxes_are_a_batch() {
    let mut network = Network::new().warmup(200.0).until(30_200.0);
    let shares = vec![0.25, 0.25, 0.0, 0.5];
    let unpack = Station::new("unpack", law("constant:0.000001")).infinite_servers();
    let unpack = network.station(unpack.splitting(shares.clone()));
    let desk = network.station(Station::new("desk", law("exponential:1")));
    let out = network.sink("out");
    network.route(unpack, desk, 1.0, 0.0);
    network.route(desk, out, 1.0, 0.0);
    network.source(Source::new("boxes", law("exponential:4"), unpack));
    let moment = |power: i32| (1..).zip(&shares).map(|(size, share)| f64::from(size).powi(power) * share).sum::<f64>();
    let load = moment(1) / 4.0;
    let present = load / (1.0 - load) * (moment(2) + moment(1)) / (2.0 * moment(1));
    assert_figure(&network, "present", present, |outcome| mean_present(outcome, 1));
    let outcome = run(network).outcome;
    let ForkRecord { copies, joined } = outcome.forks.expect("copies");
    let came = outcome.tokens_before + outcome.sources[0] + copies;
    assert_eq!((outcome.tokens(), joined), (came - outcome.sinks[0].tokens, 0));
}

/// An order of three items is complete when the last one is picked.
#[test]
fn items_of_an_order_are_joined() {
    let mut network = Network::new().until(100.0);
    let order = network.station(Station::new("order", law("constant:1")).splitting(vec![0.0, 0.0, 1.0]));
    let pick = network.station(Station::new("pick", law("constant:2")).servers(2));
    let pack = network.station(Station::new("pack", law("constant:1")).joining());
    let out = network.sink("out");
    for (from, to) in [(order, pick), (pick, pack)] {
        network.route(from, to, 1.0, 0.0);
    }
    network.route(pack, out, 1.0, 0.0);
    network.source(Source::new("orders", law("constant:10"), order).limit(2));
    let outcome = run(network).outcome;
    assert_eq!((outcome.sinks[0].tokens, outcome.sinks[0].sojourn >> 32), (2, 2 * (1 + 4 + 1)));
    assert_eq!(outcome.forks, Some(ForkRecord { copies: 4, joined: 4 }));
}

#[test]
fn what_does_not_go_with_kits_is_refused() {
    let both = ["constant:10", "constant:6"];
    let said = |change: &dyn Fn(Station, [tickless::queueing::ClassId; 2]) -> Station| {
        bench(change, both).check().expect_err("refused").to_string()
    };
    for (said, part) in [
        (said(&|one, [a, _]| one.kit([(a, 1)])), "the number of tokens of a kit is 1; it must be from 2"),
        (said(&|one, [a, b]| one.kit([(a, 1), (b, 0)])), "0 of class 'wheel'; it must be 1 or more"),
        (said(&|one, [a, _]| one.kit([(a, 1), (a, 1)])), "'frame' twice; it must be each class once"),
        (said(&|one, [a, b]| one.kit([(a, 1), (b, 2)]).capacity(2)), "from 2 to 2, as no more tokens have room"),
        (
            said(&|one, [a, b]| one.kit([(a, 1), (b, 2)]).class(ClassOfStation::new(b).capacity(1))),
            "it must be 1 or less, the room of that class",
        ),
        (said(&|one, [a, b]| one.kit([(a, 1), (b, 2)]).joining()), "left out, as some station joins copies"),
        (
            said(&|one, [a, b]| one.kit([(a, 1), (b, 2)]).class(ClassOfStation::new(b).patience(law("constant:1")))),
            "is given for class 'wheel'; it must be left out, as tokens of that class only go into kits there",
        ),
        (
            said(&|one, [a, b]| {
                one.servers(2).kit([(a, 1), (b, 2)]).standby(Standby { servers: 1, comes_at: 2, goes_at: 0 })
            }),
            "the kit is given; it must be left out, as servers of the station are on standby",
        ),
        (said(&|one, _| one.splitting(vec![0.00001; 100_000])), "is 100000; it must be 65536 or less"),
        (said(&|one, _| one.splitting(vec![0.5, 0.4])), "the probabilities of numbers of tokens is 0.9; it must be 1"),
        (said(&|one, _| one.splitting(vec![1.5, -0.5])), "is 1.5; it must be from 0 to 1"),
        (
            said(&|one, _| one.splitting(vec![0.0, 1.0]).routing(Routing::Fork)),
            "another one, as tokens split by numbers (`splits`)",
        ),
    ] {
        assert!(said.contains(part), "{said} for {part}");
    }
    let mut network = bench(|one, [a, b]| one.kit([(a, 1), (b, 1)]), both);
    let third = network.class(Class::new("third"));
    let later = network.station(Station::new("later", law("constant:1")).kit([(third, 2)]));
    let out = network.sink("away");
    network.route(later, out, 1.0, 0.0);
    network.source(Source::new("others", law("constant:1"), later));
    let said = network.check().expect_err("nobody comes").to_string();
    assert!(said.contains("'third'; it must be one of which tokens come to the station: else no kit"), "{said}");
}

#[test]
fn rooms_of_parts_leave_room_for_each_other() {
    let said = |rooms: [Option<u32>; 2]| {
        let of = |class, room: Option<u32>| room.into_iter().fold(ClassOfStation::new(class), ClassOfStation::capacity);
        let change = |one: Station, [a, b]: [tickless::queueing::ClassId; 2]| {
            one.kit([(a, 1), (b, 2)]).capacity(4).class(of(a, rooms[0])).class(of(b, rooms[1]))
        };
        bench(change, ["constant:10", "constant:6"]).check().map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(said([Some(2), Some(2)]), Ok(()));
    for (rooms, part) in
        [([None, Some(2)], "is not given for all; it must be"), ([Some(2), Some(3)], "is 5 together; it must be")]
    {
        let said = said(rooms).expect_err(part);
        assert!(
            said.contains(part) && said.contains("4 or less together, as else one of them may leave no room"),
            "{said}"
        );
    }
}

/// A token that goes round and splits into one, or into three that become one again: neither needs more and more numbers.
#[test]
fn tokens_that_go_round_need_no_more_and_more_room() {
    let mut network = Network::new().until(2000.0);
    let class = network.class(Class::new("box"));
    let pack = network
        .station(Station::new("pack", law("constant:0.25")).kit([(class, 3)]).splitting(vec![0.0, 0.0, 1.0]).tokens(6));
    let alone = network.station(Station::new("alone", law("constant:0.5")).splitting(vec![1.0]).tokens(1));
    network.route(pack, pack, 1.0, 0.0);
    network.route(alone, alone, 1.0, 0.0);
    let outcome = run(network).outcome;
    // Three boxes are one token in line.
    assert_eq!(outcome.tokens(), 2 + 1);
    assert_eq!(outcome.forks, Some(ForkRecord { copies: 2 * 7999, joined: 2 * 8001 }));
}
