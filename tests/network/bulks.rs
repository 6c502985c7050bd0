//! Servers that serve several tokens at once: by hand, against Markov chains, and what is refused.

use super::chain::Chain;
use super::theory::{assert_figures, mean_present, units};
use super::*;
use tickless::queueing::{Class, ClassOfStation, Discipline, ServerGroup, Source, Station};

/// A station with this group, to which tokens come at rate 1.
fn oven(service: &str, group: ServerGroup) -> Network {
    let mut network = Network::new().warmup(500.0).until(20_500.0);
    let oven = network.station(Station::new("oven", law(service)).group(group));
    let out = network.sink("out");
    network.route(oven, out, 1.0, 0.0);
    network.source(Source::new("in", law("exponential:1"), oven));
    network
}

/// Tokens in line, and whether the server is busy: it takes up to `most` once there are `least` (N. T. J. Bailey, 1954, with Poisson arrivals; by a
/// chain where he has a generating function).
fn bulk_chain(most: u32, least: u32, rate: impl Fn(u32) -> f64) -> Chain<(u32, u32)> {
    let takes = move |line: u32| if line >= least { (line - line.min(most), line.min(most)) } else { (line, 0) };
    Chain::new((0, 0), move |(line, served): (u32, u32)| match served {
        0 => vec![(takes(line + 1), 1.0)],
        _ => {
            let ends = (takes(line), rate(served));
            let comes = (((line + 1).min(400), served), 1.0);
            if line < 400 { vec![ends, comes] } else { vec![ends] }
        }
    })
}

fn waiting(outcome: &NetworkOutcome) -> f64 {
    mean_present(outcome, 0) - units(outcome.stations.facilities[0].busy) / outcome.stations.measured()
}

fn busy(outcome: &NetworkOutcome) -> f64 {
    units(outcome.groups[0].busy) / outcome.stations.measured()
}

fn size(outcome: &NetworkOutcome) -> f64 {
    outcome.groups[0].tokens[0] as f64 / outcome.groups[0].batches as f64
}

/// An oven of up to five: 12.3816 wait, and it is busy for 0.98196 of the time.
#[test]
fn an_oven_takes_up_to_five() {
    let chain = bulk_chain(5, 1, |_| 0.25);
    let (line, works) = (chain.mean(|(line, _)| f64::from(line)), chain.share(|(_, served)| served > 0));
    assert!((line - 12.3816).abs() < 1e-3 && (works - 0.98196).abs() < 1e-5, "{line} {works}");
    // Fewer wait where it is faster, and their mean is surer.
    let chain = bulk_chain(5, 1, |_| 0.4);
    let (line, works) = (chain.mean(|(line, _)| f64::from(line)), chain.share(|(_, served)| served > 0));
    let network = oven("exponential:2.5", ServerGroup::new("oven", 1).batch_most(5));
    let sizes = 1.0 / (works * 0.4);
    assert_figures(&network, &[("waiting", line, &waiting), ("busy", works, &busy), ("size", sizes, &size)]);
}

/// Full batches of four: 3.57409 wait, and the server is busy for 0.625 of the time.
#[test]
fn a_server_waits_for_a_full_batch() {
    let chain = bulk_chain(4, 4, |_| 0.4);
    let (line, works) = (chain.mean(|(line, _)| f64::from(line)), chain.share(|(_, served)| served > 0));
    assert!((line - 3.57409).abs() < 1e-4 && (works - 0.625).abs() < 1e-9, "{line} {works}");
    let network = oven("exponential:2.5", ServerGroup::new("oven", 1).batch_most(4).batch_least(4));
    assert_figures(&network, &[("waiting", line, &waiting), ("busy", works, &busy)]);
}

/// How long a batch takes depends on its size.
#[test]
fn larger_batches_take_longer() {
    let factors = [1.0, 1.5, 1.75];
    let chain = bulk_chain(3, 2, |served| 1.0 / (0.9 * factors[served as usize - 1]));
    let group = ServerGroup::new("oven", 1).batch_most(3).batch_least(2).batch_factors(factors.to_vec());
    let network = oven("exponential:0.9", group);
    assert_figures(
        &network,
        &[
            ("waiting", chain.mean(|(line, _)| f64::from(line)), &waiting),
            ("busy", chain.share(|(_, served)| served > 0), &busy),
        ],
    );
}

/// Two classes behind one server that takes up to two of them at once, and prefers one: the chain of both lines.
#[test]
fn a_batch_has_whom_its_group_prefers() {
    type State = (u32, u32, bool);
    let takes = |(x, y): (u32, u32)| -> State {
        let of_x = x.min(2);
        (x - of_x, y - y.min(2 - of_x), x + y > 0)
    };
    let chain = Chain::new((0, 0, false), move |(x, y, works): State| {
        if !works {
            return vec![((0, 0, true), 1.3)];
        }
        let all = [((x + 1, y, true), 0.7), ((x, y + 1, true), 0.6), (takes((x, y)), 1.0)];
        all.into_iter().filter(|((x, y, _), _)| *x <= 60 && *y <= 120).collect()
    });
    let mut network = Network::new().warmup(500.0).until(30_500.0);
    let [x, y] = ["x", "y"].map(|name| network.class(Class::new(name)));
    let group = ServerGroup::new("cart", 1).batch_most(2).serves(vec![x, y]);
    let cart = network.station(Station::new("cart", law("exponential:1")).group(group));
    let out = network.sink("out");
    network.route(cart, out, 1.0, 0.0);
    for (name, class, mean) in [("xs", x, 1.0 / 0.7), ("ys", y, 1.0 / 0.6)] {
        network.source(Source::new(name, law(&format!("exponential:{mean}")), cart).class(class));
    }
    let wait = |class: usize| {
        move |outcome: &NetworkOutcome| {
            let record = outcome.classes[class].record;
            units(record.waiting) / record.starts as f64
        }
    };
    assert_figures(
        &network,
        &[
            ("wait of x", chain.mean(|(x, ..)| f64::from(x)) / 0.7, &wait(0)),
            ("wait of y", chain.mean(|(_, y, _)| f64::from(y)) / 0.6, &wait(1)),
            ("busy", chain.share(|(.., works)| works), &busy),
        ],
    );
}

/// A bus that leaves with three, or once one has waited for 4: by hand.
#[test]
fn nobody_waits_longer_than_is_said() {
    let mut network = Network::new().until(40.0);
    let bus = ServerGroup::new("bus", 1).batch_most(3).batch_least(3).batch_wait(4.0);
    let stop = network.station(Station::new("stop", law("constant:2")).group(bus));
    let out = network.sink("out");
    network.route(stop, out, 1.0, 0.0);
    network.source(Source::new("in", law("constant:3"), stop).limit(3));
    network.source(Source::new("many", law("constant:20"), stop).batch(vec![0.0, 0.0, 0.0, 1.0]).limit(4));
    let outcome = run(network).outcome;
    // Those of 3 and 6 leave at 7, the one of 9 at 13; of four at 20 three leave at once, and the last at 24.
    let (group, record) = (&outcome.groups[0], &outcome.stations.facilities[0]);
    assert_eq!((group.batches, group.tokens[0], group.busy / UNIT), (4, 7, 8));
    assert_eq!((record.waiting / UNIT, record.busy / UNIT), (4 + 1 + 4 + 4, 14));
}

/// Tokens of time 0 and those that come meanwhile are taken in the order of service.
#[test]
fn a_batch_is_in_the_order_of_service() {
    let of = |discipline| {
        let mut network = Network::new().until(30.0);
        let x = network.class(Class::new("x"));
        let pairs = ServerGroup::new("pairs", 1).batch_most(2);
        let station = Station::new("desk", law("constant:5")).discipline(discipline).group(pairs);
        let desk = network.station(station.class(ClassOfStation::new(x).tokens(1)));
        let out = network.sink("out");
        network.route(desk, out, 1.0, 0.0);
        network.source(Source::new("in", law("constant:1"), desk).class(x).limit(3));
        run(network).outcome.stations.facilities[0].waiting / UNIT
    };
    // From 5 on: those of 1 and 2, then that of 3 from 10 on; or those of 3 and 2, then that of 1.
    assert_eq!(of(Discipline::FirstCome), 4 + 3 + 7);
    assert_eq!(of(Discipline::LastCome), 2 + 3 + 9);
}

#[test]
fn what_does_not_go_with_batches_is_refused() {
    let refused = |station: &dyn Fn(Station) -> Station| {
        let mut network = Network::new();
        let desk = network.station(station(Station::new("desk", law("exponential:1"))));
        let behind = network.station(Station::new("behind", law("exponential:1")).capacity(2).blocking());
        let exit = network.sink("exit");
        network.route(desk, behind, 1.0, 0.0);
        network.route(behind, exit, 1.0, 0.0);
        network.source(Source::new("in", law("exponential:3"), desk));
        network.check().expect_err("a fault").to_string()
    };
    let pair = || ServerGroup::new("pair", 1).batch_most(2);
    for (said, change) in [
        (
            "the most tokens of a batch is 0; it must be from 1 to 1048576",
            &(|station: Station| station.group(pair().batch_most(0))) as &dyn Fn(Station) -> Station,
        ),
        (
            "group 'pair': the least tokens of a batch is 3; it must be from 1 to the most tokens of a batch (2)",
            &|station| station.group(pair().batch_least(3)),
        ),
        ("the least tokens of a batch is 2; it must be 1 or less", &|station| {
            station.capacity(1).group(pair().batch_least(2))
        }),
        ("the longest wait for a batch is 3; it must be left out", &|station| station.group(pair().batch_wait(3.0))),
        ("the longest wait for a batch is 0; it must be above 0", &|station| {
            station.group(pair().batch_least(2).batch_wait(0.0))
        }),
        ("the longest wait for a batch is 4; it must be 3, as in another group", &|station| {
            let other = ServerGroup::new("other", 1).batch_most(2).batch_least(2).batch_wait(4.0);
            station.group(pair().batch_least(2).batch_wait(3.0)).group(other)
        }),
        ("the discipline is lcfs; it must be fcfs", &|station| {
            station.discipline(Discipline::LastCome).group(pair().batch_least(2).batch_wait(3.0))
        }),
        ("the law of patience is given", &|station| {
            station.patience(law("constant:1"), None).group(pair().batch_least(2).batch_wait(3.0))
        }),
        ("factors by the size of a batch is 3; it must be as many", &|station| {
            station.group(pair().batch_factors(vec![1.0; 3]))
        }),
        ("a factor by the size of a batch is 2000", &|station| station.group(pair().batch_factors(vec![2000.0]))),
        ("as servers wait there for more tokens", &|station| {
            station.capacity(4).blocking().group(pair().batch_least(2))
        }),
        ("as tokens there may find no room behind it: batches leave together", &|station| station.group(pair())),
    ] {
        let found = refused(change);
        assert!(found.contains(said), "{found}");
    }
}
