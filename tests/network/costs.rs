//! Costs of stations, sinks and resources against what the records say, and by hand.

use super::theory::{assert_figure, units};
use super::*;
use tickless::queueing::{Class, ClassOfStation, Costs, CostsOf, Resource, Sink, Source, Station, UnitCosts};

/// M/M/2/5: waiting, services, losses and servers as the chain has them.
#[test]
fn costs_of_a_queue() {
    let costs = Costs { waiting: 2.0, served: -5.0, lost: 10.0, server: 0.5, ..Costs::default() };
    let mut network = Network::new().warmup(500.0).until(6_500.0);
    let desk = Station::new("desk", law("exponential:2")).servers(2).capacity(5).costs(costs);
    let desk = network.station(desk);
    let exit = network.sink("exit");
    network.source(Source::new("in", law("exponential:1"), desk));
    network.route(desk, exit, 1.0, 0.0);
    // Rates 1 up and n / 2 down, 1 at the most: the chances are as 1, 2, 2, 2, 2, 2.
    let chance = |present: u32| if present == 0 { 1.0 / 11.0 } else { 2.0 / 11.0 };
    let waiting: f64 = (3..=5).map(|present| f64::from(present - 2) * chance(present)).sum();
    let lost = chance(5);
    let expected = 2.0 * waiting - 5.0 * (1.0 - lost) + 10.0 * lost + 0.5 * 2.0;
    let checked = model(network.clone());
    let cost = |outcome: &NetworkOutcome| {
        10.0 + checked.cost(CostsOf::Everything, std::slice::from_ref(outcome)).map_or(f64::NAN, |cost| cost.mean)
    };
    assert_figure(&network, "cost", 10.0 + expected, cost);
    let outcomes =
        queueing::run(&checked, 0..5, Target::Heap, Default::default(), &mut unwatched()).expect("runs").outcome;
    let [all, one] = [CostsOf::Everything, CostsOf::Station(0)].map(|of| checked.cost(of, &outcomes).expect("costs"));
    assert!(all == one && all.count == 5 && all.half_width > Some(0.0), "{all:?} {one:?}");
    assert_eq!(model(without_costs()).cost(CostsOf::Everything, &outcomes), None);
}

fn without_costs() -> Network {
    let mut network = Network::new();
    let desk = network.station(Station::new("desk", law("constant:1")).tokens(1));
    network.route(desk, desk, 1.0, 0.0);
    network
}

/// By class, with those that balk and renege.
#[test]
fn costs_of_classes() {
    let costs = Costs { waiting: 3.0, balked: 7.0, reneged: 11.0, served: 1.0, ..Costs::default() };
    let mut network = Network::new().until(500.0);
    let [dear, cheap] = ["dear", "cheap"].map(|name| network.class(Class::new(name)));
    let own = ClassOfStation::new(cheap).costs(Costs { served: 2.0, ..Costs::default() });
    let desk =
        Station::new("desk", law("exponential:1")).balking(vec![0.0, 0.5], None).patience(law("exponential:1"), None);
    let desk = network.station(desk.costs(costs).class(own));
    let exit = network.sink("exit");
    for class in [dear, cheap] {
        network.source(Source::new(format!("in {}", class.index()), law("exponential:1"), desk).class(class));
    }
    network.route(desk, exit, 1.0, 0.0);
    let model = model(network);
    let outcome = simulate(&model, &mut unwatched()).expect("a run").outcome;
    let [dear, cheap] = [0, 1].map(|class| outcome.classes[class]);
    assert!(dear.balked > 10 && dear.reneged > 10 && dear.record.presence > dear.record.busy);
    let waited = units(dear.record.presence - dear.record.busy);
    let all = 3.0 * waited
        + 7.0 * dear.balked as f64
        + 11.0 * dear.reneged as f64
        + dear.record.completions as f64
        + 2.0 * cheap.record.completions as f64;
    let cost = model.cost(CostsOf::Everything, std::slice::from_ref(&outcome)).expect("costs").mean;
    assert!((cost - all / 500.0).abs() < 1e-9, "{cost} {}", all / 500.0);
}

/// A token every 2 time units, served for 1: from time 10 to 110 one leaves at 11, 13, ..., 109.
#[test]
fn costs_of_sinks() {
    let mut network = Network::new().warmup(10.0).until(110.0);
    let desk =
        network.station(Station::new("desk", law("constant:1")).costs(Costs { served: 1.0, ..Costs::default() }));
    let [sold, lost] = [-20.0, 3.0].map(|cost| network.add_sink(Sink::new(format!("out at {cost}")).cost(cost)));
    network.source(Source::new("in", law("constant:2"), desk));
    network.route(desk, sold, 0.5, 0.0);
    network.route(desk, lost, 0.5, 0.0);
    let model = model(network);
    let outcome = simulate(&model, &mut unwatched()).expect("a run").outcome;
    let [sold, lost] = [0, 1].map(|sink| outcome.sinks[sink].tokens);
    assert!(sold > 10 && lost > 10 && sold + lost == 50, "{sold} {lost}");
    let cost = |of| model.cost(of, std::slice::from_ref(&outcome)).expect("costs").mean;
    assert_eq!([cost(CostsOf::Sink(0)), cost(CostsOf::Sink(1))], [-0.2 * sold as f64, 0.03 * lost as f64]);
    let all = 0.5 - 0.2 * sold as f64 + 0.03 * lost as f64;
    assert!((cost(CostsOf::Everything) - all).abs() < 1e-12, "{} {all}", cost(CostsOf::Everything));
}

/// What a token costs is a matter of the class that it leaves with.
#[test]
fn costs_of_classes_at_sinks() {
    let mut network = Network::new().until(100.0);
    let classes = ["dear", "cheap", "free"].map(|name| network.class(Class::new(name)));
    let desk = network.station(Station::new("desk", law("constant:0.5")));
    let exit = Sink::new("exit").cost(-7.0).cost_of(classes[1], 1.0).cost_of(classes[2], 0.0);
    let exit = network.add_sink(exit);
    for (class, interval) in classes.into_iter().zip(["constant:4", "constant:5", "constant:10"]) {
        network.source(Source::new(format!("in {interval}"), law(interval), desk).class(class));
    }
    network.route(desk, exit, 1.0, 0.0);
    // 24 of 4, 8, ..., 96 leave, 19 of 5, 10, ..., 95, and 9 of those that cost nothing.
    let model = model(network);
    let outcome = simulate(&model, &mut unwatched()).expect("a run").outcome;
    let cost = model.cost(CostsOf::Sink(0), std::slice::from_ref(&outcome)).expect("costs").mean;
    assert!((cost - (19.0 - 7.0 * 24.0) / 100.0).abs() < 1e-12, "{cost}");
    // A class that the network does not have has no costs.
    let mut network = without_costs();
    network.add_sink(Sink::new("exit").cost_of(classes[1], 1.0));
    assert_eq!(network.check().unwrap_err(), queueing::NetworkError::Foreign { what: "class", number: 1 });
}

/// Two units of three are held until the first token leaves at 40, and one from then on, which is measured from 20 on.
#[test]
fn costs_of_resources() {
    let costs = UnitCosts { held: 2.0, unit: 0.25 };
    let network = |costs| {
        let mut network = Network::new().warmup(20.0).until(100.0);
        let rooms = network.add_resource(Resource::new("rooms", 3).costs(costs));
        let short = Station::new("short", law("constant:40")).tokens(1).seizes(rooms, 1);
        let long = Station::new("long", law("constant:500")).tokens(1).seizes(rooms, 1);
        let [short, long] = [short, long].map(|station| network.station(station));
        let exit = network.sink("exit");
        [short, long].into_iter().for_each(|station| network.route(station, exit, 1.0, 0.0));
        model(network)
    };
    let cost = |costs, of| {
        let model = network(costs);
        let outcomes = queueing::run(&model, 0..3, Target::Heap, Default::default(), &mut unwatched()).expect("runs");
        model.cost(of, &outcomes.outcome).expect("costs")
    };
    let expected = 2.0 * (2.0 * 20.0 + 60.0) / 80.0 + 0.25 * 3.0;
    let all = cost(costs, CostsOf::Everything);
    assert_eq!((all, all.mean), (cost(costs, CostsOf::Resource(0)), expected));
    assert_eq!((all.count, all.half_width), (3, Some(0.0)));
    assert_ne!(cost(UnitCosts { unit: 0.5, ..costs }, CostsOf::Everything).mean, expected);
    assert_eq!(cost(costs, CostsOf::Sink(0)).mean, 0.0);
}
