//! What tokens carry: by hand, beside theory, and what is refused.

use super::theory::{assert_figures, units};
use super::*;
use tickless::queueing::{
    Attribute, Class, ClassOfStation, Discipline, ServerGroup, Source, Station, StationId, Trace,
};
use tickless::queueing::{Route, Routing};

/// A station to which tokens come by a trace of their times and values, and a way out.
fn traced(
    rows: &[(f64, f64)],
    station: impl FnOnce(&mut Network, tickless::queueing::AttributeId) -> Station,
) -> NetworkOutcome {
    let mut network = Network::new().until(100.0);
    let value = network.attribute(Attribute::new("value", law("constant:99")));
    let station = station(&mut network, value);
    let desk = network.station(station);
    let out = network.sink("out");
    network.route(desk, out, 1.0, 0.0);
    let trace = Trace::new(rows.iter().map(|(time, _)| (*time, None, 1)).collect());
    let values = rows.iter().map(|(_, value)| Some(*value)).collect();
    network.source(Source::by_trace("in", trace.values(value, values), desk));
    run(network).outcome
}

/// In units of an eighth.
fn waited(outcome: &NetworkOutcome) -> u128 {
    outcome.stations.facilities[0].waiting / (UNIT / 8)
}

/// Who is next, of three that come while a service runs from 1 to 5: values 3, 1 and 2 come at 2, 3 and 4.
#[test]
fn the_order_is_by_what_tokens_carry() {
    let rows = [(1.0, 9.0), (2.0, 3.0), (3.0, 1.0), (4.0, 2.0)];
    let of = |discipline: Discipline| {
        waited(&traced(&rows, |_, value| {
            Station::new("desk", law("constant:4")).discipline(discipline).order_by(value)
        }))
    };
    // By value: that of 3, then of 4, then of 2.
    assert_eq!(of(Discipline::LeastValue), 8 * (2 + 5 + 11));
    // By the due dates 5, 4 and 6: that of 3, of 2, of 4; and likewise where the station is the first.
    assert_eq!(of(Discipline::EarliestDue), 8 * (2 + 7 + 9));
    assert_eq!(of(Discipline::Ageing), 8 * (2 + 7 + 9));
}

/// A due date counts from the source, and ageing from the arrival at the station.
#[test]
fn ageing_begins_at_the_station() {
    let of = |discipline: Discipline| {
        let mut network = Network::new().until(100.0);
        let due = network.attribute(Attribute::new("due", law("constant:5")));
        let classes = ["late", "early", "first"].map(|name| network.class(Class::new(name)));
        let desk = network.station(Station::new("desk", law("constant:6")).discipline(discipline).order_by(due));
        let way = network.station(Station::new("way", law("constant:3")));
        let out = network.sink("out");
        network.route(way, desk, 1.0, 0.0);
        network.route(desk, out, 1.0, 0.0);
        let [late, early, first] = classes;
        // One is served from 2 to 8. Another leaves its source at 1, and comes to the desk at 4; a third comes there at 3.
        for (class, time, to) in [(first, "2", desk), (late, "1", way), (early, "3", desk)] {
            let name = format!("in {time}");
            network.source(Source::new(name, law(&format!("constant:{time}")), to).class(class).limit(1));
        }
        let outcome = run(network).outcome;
        [late, early].map(|class| outcome.classes[class.index() as usize].record.waiting / UNIT)
    };
    assert_eq!(of(Discipline::EarliestDue), [4, 11]);
    assert_eq!(of(Discipline::Ageing), [10, 5]);
}

/// A shorter job interrupts a longer one; with the least left it does so only where it ends earlier.
#[test]
fn shorter_jobs_interrupt() {
    // From 1 on a job of 5; at 4, when 2 are left of it, one of 3.
    let of = |discipline: Discipline| {
        let outcome = traced(&[(1.0, 5.0), (4.0, 3.0)], |_, value| {
            Station::new("desk", law("constant:1")).service_by(value, 1.0).discipline(discipline)
        });
        (waited(&outcome) / 8, outcome.classes[0].preemptions)
    };
    assert_eq!(of(Discipline::ShortestJob), (2, 0));
    assert_eq!(of(Discipline::PreemptiveShortestJob), (3, 1));
    assert_eq!(of(Discipline::ShortestRemaining), (2, 0));
    // One of 1.5 at 4 comes before what is left.
    let outcome = traced(&[(1.0, 5.0), (4.0, 1.5)], |_, value| {
        Station::new("desk", law("constant:1")).service_by(value, 1.0).discipline(Discipline::ShortestRemaining)
    });
    assert_eq!((waited(&outcome), outcome.classes[0].preemptions), (12, 1));
}

/// Values of traces, factors, laws of classes, and groups of servers: how long services take.
#[test]
fn services_are_what_tokens_carry() {
    let mut network = Network::new().until(100.0);
    let [x, y] = ["x", "y"].map(|name| network.class(Class::new(name)));
    let size = network.attribute(Attribute::new("size", law("constant:2")).of_class(y, law("constant:3")));
    let station = Station::new("first", law("constant:9")).infinite_servers().service_by(size, 1.5);
    let first = network.station(station.class(ClassOfStation::new(x).tokens(1)));
    let group = ServerGroup::new("all", 9).factor(2.0);
    let own = ClassOfStation::new(y).service(law("constant:1"));
    let second =
        network.station(Station::new("second", law("constant:9")).service_by(size, 1.0).class(own).group(group));
    let out = network.sink("out");
    network.route(first, second, 1.0, 0.0);
    network.route(second, out, 1.0, 0.0);
    let trace = Trace::new(vec![(1.0, Some(x), 2), (2.0, None, 1)]).values(size, vec![Some(4.0), None]);
    network.source(Source::by_trace("in", trace, first).class(y));
    let outcome = run(network).outcome;
    // At time 0 one of 2; then two of 4 by the trace, and one of 3 by its class.
    let busy = |place: usize| outcome.classes[place].record.busy / (UNIT / 2);
    assert_eq!([busy(0), busy(1)], [3 * (2 + 4 + 4), 3 * 3]);
    assert_eq!([busy(2), busy(3)], [4 * (2 + 4 + 4), 4]);
}

/// The integral of a function from 0 to an end, by Simpson's rule.
fn integral(end: f64, of: impl Fn(f64) -> f64) -> f64 {
    let steps = 400;
    let step = end / f64::from(steps);
    let weight = |number: u32| if number == 0 || number == steps { 1.0 } else { f64::from(2 + 2 * (number % 2)) };
    (0..=steps).map(|number| weight(number) * of(f64::from(number) * step)).sum::<f64>() * step / 3.0
}

/// The mean time there with exponential sizes of mean 1 (Schrage and Miller, 1966): arrivals at a rate, preemption by size or by what is left.
fn response(rate: f64, by_rest: bool) -> f64 {
    let density = |x: f64| (-x).exp();
    let load = |x: f64| rate * (1.0 - (1.0 + x) * density(x));
    let second = |x: f64| 2.0 - (2.0 + 2.0 * x + x * x) * density(x);
    let time = |x: f64| {
        let above = if by_rest { x * x * density(x) } else { 0.0 };
        let waits = rate * (second(x) + above) / (2.0 * (1.0 - load(x)).powi(2));
        let serves = if by_rest { integral(x, |t| 1.0 / (1.0 - load(t))) } else { x / (1.0 - load(x)) };
        waits + serves
    };
    integral(40.0, |x| density(x) * time(x))
}

#[test]
fn the_shortest_are_there_as_long_as_theory_says() {
    let rate = 0.75;
    for (discipline, by_rest) in [(Discipline::PreemptiveShortestJob, false), (Discipline::ShortestRemaining, true)] {
        let mut network = Network::new().warmup(200.0).until(20_200.0);
        let size = network.attribute(Attribute::new("size", law("exponential:1")));
        let station = Station::new("desk", law("constant:1")).service_by(size, 1.0).discipline(discipline);
        let desk: StationId = network.station(station);
        let out = network.sink("out");
        network.route(desk, out, 1.0, 0.0);
        network.source(Source::new("in", law(&format!("exponential:{}", 1.0 / rate)), desk));
        let stay = |outcome: &NetworkOutcome| units(outcome.sinks[0].sojourn) / outcome.sinks[0].from_sources as f64;
        assert_figures(&network, &[("time there", response(rate, by_rest), &stay)]);
    }
}

/// Sizes 1, 2, ... in turn: up to 2 here, up to 4 there, the others out; a class of its own has other values.
#[test]
fn routes_are_by_what_tokens_carry() {
    let mut network = Network::new().until(100.0);
    let [all, other] = ["all", "other"].map(|name| network.class(Class::new(name)));
    let size = network.attribute(Attribute::new("size", law("constant:1")));
    let door = network.station(Station::new("door", law("constant:0.5")).route_by(size));
    let sinks = ["small", "middle", "large"].map(|name| network.sink(name));
    for (sink, up_to) in sinks.into_iter().zip([Some(2.0), Some(4.0), None]) {
        let route = Route::new(door, sink);
        network.add_route(match up_to {
            Some(value) => route.up_to(value),
            None => route,
        });
    }
    network.add_route(Route::new(door, sinks[2]).class(other).up_to(0.5));
    network.add_route(Route::new(door, sinks[0]).class(other));
    let row = |number: u32| (f64::from(number), Some(if number == 7 { other } else { all }), 1);
    let trace = Trace::new((1..=7).map(row).collect());
    let trace = trace.values(size, (1..=7).map(|number| Some(f64::from(number))).collect());
    network.source(Source::by_trace("in", trace, door));
    let outcome = run(network).outcome;
    assert_eq!(outcome.sinks.iter().map(|sink| sink.tokens).collect::<Vec<_>>(), [2 + 1, 2, 2]);
}

#[test]
fn values_of_routes_grow() {
    let said = |values: [Option<f64>; 3], by: bool| {
        let mut network = Network::new();
        let size = network.attribute(Attribute::new("size", law("constant:1")));
        let door = Station::new("door", law("exponential:1")).service_by(size, 1.0);
        let door = network.station(if by { door.route_by(size) } else { door.routing(Routing::RoundRobin) });
        network.source(Source::new("in", law("exponential:1"), door));
        for (place, value) in values.into_iter().enumerate() {
            let route = Route::new(door, network.sink(format!("out {place}")));
            network.add_route(match value {
                Some(value) => route.up_to(value),
                None => route,
            });
        }
        network.check().map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(said([Some(1.0), Some(2.0), None], true), Ok(()));
    for (values, by, part) in [
        ([Some(1.0), Some(2.0), Some(3.0)], true, "is 3; it must be left out, as it is the last one"),
        ([Some(2.0), Some(2.0), None], true, "is 2; it must be more than that of the route before it"),
        ([None, Some(2.0), None], true, "is left out; it must be given for all routes but the last"),
        ([Some(-1.0), Some(2.0), None], true, "is -1; it must be above 0 and below 2^30"),
        ([Some(1.0), None, None], false, "left out, as the routing is another one than by-attribute"),
    ] {
        let said = said(values, by).expect_err(part);
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn what_does_not_go_with_attributes_is_refused() {
    let refused = |change: &dyn Fn(&mut Network, Station) -> Station| {
        let mut network = Network::new();
        let station = change(&mut network, Station::new("desk", law("exponential:1")));
        let desk = network.station(station);
        let out = network.sink("out");
        network.route(desk, out, 1.0, 0.0);
        network.source(Source::new("in", law("exponential:3"), desk));
        network.check().expect_err("a fault").to_string()
    };
    let size = |network: &mut Network| network.attribute(Attribute::new("size", law("exponential:1")));
    for (said, change) in [
        (
            "the discipline is edd; it must be another one, or one beside `order_by`",
            &(|_: &mut Network, station: Station| station.discipline(Discipline::EarliestDue))
                as &dyn Fn(&mut Network, Station) -> Station,
        ),
        ("the attribute by which it orders is given; it must be left out", &|network, station| {
            station.order_by(size(network))
        }),
        ("the factor of the attribute that is its service is 0; it must be from 2^-10 to 2^10", &|network, station| {
            station.service_by(size(network), 0.0)
        }),
        ("attributes of tokens", &|network, station| {
            (0..5).for_each(|number| _ = network.attribute(Attribute::new(format!("a{number}"), law("constant:1"))));
            station
        }),
        ("size", &|network, station| {
            let _ = [size(network), size(network)];
            station
        }),
        ("the list of speeds is given; it must be left out, as the discipline is srpt", &|_, station| {
            station.discipline(Discipline::ShortestRemaining).speeds(vec![1.0, 2.0])
        }),
        ("another network", &|_, station| {
            station.order_by(size(&mut Network::new())).discipline(Discipline::LeastValue)
        }),
    ] {
        let found = refused(change);
        assert!(found.contains(said), "{found}");
    }
}
