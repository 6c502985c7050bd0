//! Costs of stations against what the records say.

use super::theory::{assert_figure, units};
use super::*;
use tickless::queueing::{Class, ClassOfStation, Costs, Source, Station};

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
        10.0 + checked.cost(None, std::slice::from_ref(outcome)).map_or(f64::NAN, |cost| cost.mean)
    };
    assert_figure(&network, "cost", 10.0 + expected, cost);
    let outcomes =
        queueing::run(&checked, 0..5, Target::Heap, Default::default(), &mut unwatched()).expect("runs").outcome;
    let [all, one] = [None, Some(0)].map(|station| checked.cost(station, &outcomes).expect("costs"));
    assert!(all == one && all.count == 5 && all.half_width > Some(0.0), "{all:?} {one:?}");
    assert_eq!(model(without_costs()).cost(None, &outcomes), None);
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
    let cost = model.cost(None, std::slice::from_ref(&outcome)).expect("costs").mean;
    assert!((cost - all / 500.0).abs() < 1e-9, "{cost} {}", all / 500.0);
}
