//! Units of resources that come and go: by shifts, and where they fail.

use super::chain::Chain;
use super::multiclass_devices::{FORMS, compare};
use super::theory::{assert_figures, mean_present, units};
use super::*;
use crate::adapter;
use tickless::queueing::figures::{COST, HELD, Sums, Whose};
use tickless::queueing::{Class, Resource, Shifts, Source, Station};

/// Rooms without servers of their own.
fn ward(resource: Resource, service: &str, source: impl FnOnce(tickless::queueing::StationId) -> Source) -> Network {
    let mut network = Network::new().until(40.0);
    let unit = network.add_resource(resource);
    let ward = Station::new("ward", law(service)).infinite_servers().seizes(unit, 1).releases(unit, 1);
    let ward = network.station(ward);
    let out = network.sink("out");
    network.route(ward, out, 1.0, 0.0);
    network.source(source(ward));
    network
}

/// Who holds a unit at the end of a shift keeps it, and units that come back meanwhile are nobody's.
#[test]
fn shifts_of_units_by_hand() {
    // Two until 10, none until 20, and then two again.
    let nurses = Resource::new("nurse", 2).shifts(Shifts::new(vec![(0.0, 2), (10.0, 0)]).every(20.0));
    let network = ward(nurses, "constant:5", |ward| Source::new("in", law("constant:4"), ward).limit(4));
    let outcome = run(network).outcome;
    // At 4 and 8 at once, until 9 and 13; at 12 nobody is there, nor at 13: those of 12 and 16 begin at 20.
    assert_eq!(outcome.stations.facilities[0].waiting / UNIT, 8 + 4);
    assert_eq!((outcome.resources[0].held / UNIT, outcome.resources[0].grants), (20, 4));
    // One goes at 10, and the other one serves on; the unit that fails is held until 13.
    let nurses = Resource::new("nurse", 2).shifts(Shifts::new(vec![(0.0, 2), (10.0, 1), (20.0, 2)]));
    let network = ward(nurses, "constant:5", |ward| Source::new("in", law("constant:4"), ward).limit(4));
    // At 12 one is held, and one there: it is free at 13; the next at 18.
    assert_eq!(run(network).outcome.stations.facilities[0].waiting / UNIT, 1 + 2);
}

/// A unit fails at 6 and is in order at 8, and so on; the one that is held then is kept.
#[test]
fn failures_of_units_by_hand() {
    let beds = Resource::new("bed", 1).failures(law("constant:6"), law("constant:2"));
    let network = ward(beds, "constant:3", |ward| Source::new("in", law("constant:5"), ward).limit(4));
    // From 5 to 8; at 10, out of order again from 14 to 16: who came at 15 begins at 16, and who came at 20 then.
    assert_eq!(run(network).outcome.stations.facilities[0].waiting / UNIT, 1);
}

/// Two units that fail: how many are present, how many hold a unit, and how many units are in order.
#[test]
fn failures_of_units_are_those_of_a_chain() {
    type State = (u32, u32, u32);
    // Units that are free go to those that wait.
    let granted = |(present, held, there): State| (present, held.max(there.min(present)), there);
    let chain = Chain::new((0, 0, 2), |(present, held, there): State| {
        let less = (present.saturating_sub(1), held.saturating_sub(1), there);
        let moves = [
            ((present + 1, held, there), if present < 60 { 0.7 } else { 0.0 }),
            (less, f64::from(held)),
            ((present, held, there.saturating_sub(1)), 0.2 * f64::from(there)),
            ((present, held, there + 1), 0.5 * f64::from(2 - there)),
        ];
        moves.into_iter().filter(|(_, rate)| *rate > 0.0).map(|(to, rate)| (granted(to), rate)).collect()
    });
    let rooms = Resource::new("room", 2).failures(law("exponential:5"), law("exponential:2"));
    let network = ward(rooms, "exponential:1", |ward| Source::new("in", law("exponential:1.42857142857143"), ward));
    let held = |one: &NetworkOutcome| units(one.resources[0].held) / one.stations.measured();
    assert_figures(
        &network.warmup(200.0).until(30_200.0),
        &[
            ("present", chain.mean(|(present, ..)| f64::from(present)), &|one| mean_present(one, 0)),
            ("held", chain.mean(|(_, held, _)| f64::from(held)), &held),
        ],
    );
}

/// The utilization is by the units of the shifts, and costs are of these.
#[test]
fn figures_are_by_the_units_on_duty() {
    let text = "until = 40
[[resource]]
name = 'nurse'
shifts = [[0, 1], [10, 0]]
period = 20
cost = { unit = 2 }
[[station]]
name = 'ward'
service = 'constant:5'
seizes = { nurse = 1 }
releases = { nurse = 1 }
[[source]]
name = 'in'
interval = 'constant:20'
to = 'ward'
[[sink]]
name = 'out'
[[route]]
from = 'ward'
to = 'out'
";
    let network = Network::from_toml(text).expect("a network");
    let model = network.clone().check().expect("a model");
    assert_eq!(model.resources(), [("nurse", 1)]);
    let outcome = run(network).outcome;
    let sums = Sums::of(&model, Whose::Resource(0), std::slice::from_ref(&outcome));
    let [held, cost] = [HELD, COST].map(|figure| figure.over(&sums).mean);
    // From 20 to 25, of 20 hours on duty.
    assert_eq!((held, cost), (0.25, 1.0));
}

#[test]
fn what_does_not_go_with_changes_of_units_is_refused() {
    let refused = |resource: Resource, change: fn(Station, tickless::queueing::ResourceId) -> Station| {
        let mut network = Network::new();
        network.class(Class::new("one"));
        let unit = network.add_resource(resource);
        let desk = network.station(change(Station::new("desk", law("constant:1")), unit));
        let out = network.sink("out");
        network.route(desk, out, 1.0, 0.0);
        network.source(Source::new("in", law("exponential:3"), desk));
        network.check().expect_err("a fault").to_string()
    };
    let shifts = |steps: &[(f64, u32)]| Shifts::new(steps.to_vec());
    let unit = |units| Resource::new("unit", units);
    for (said, resource) in [
        ("the number of units in a shift is 3; it must be 2 or less", unit(2).shifts(shifts(&[(0.0, 3)]))),
        ("a time of the shifts is 0; it must be", unit(2).shifts(shifts(&[(0.0, 1), (0.0, 2)]))),
        ("what the ends of shifts do is interrupt", unit(2).shifts(shifts(&[(0.0, 1)]).interrupting())),
        (
            "the number of units that fail is 2000000; it must be 1048576 or less",
            unit(2_000_000).failures(law("exponential:1"), law("exponential:1")),
        ),
        ("the number of units is 4294967295; it must be 2147483647", unit(u32::MAX).shifts(shifts(&[(0.0, 1)]))),
    ] {
        let found = refused(resource, |station, unit| station.seizes(unit, 1).releases(unit, 1));
        assert!(found.contains(said), "{found}");
    }
    let found = refused(unit(2).shifts(shifts(&[(0.0, 1)])), |station, unit| station.uses(unit, 1));
    assert!(found.contains("the shifts is given; it must be left out, as units are used up"), "{found}");
}

/// A device has the same bits: units that go off duty and fail, seized at the service and at the arrival, and in alternatives; units and servers that
/// a higher priority takes; beside servers that set up, stay idle for a while and fail.
#[test]
fn a_device_has_units_that_come_and_go() {
    let mut network = Network::new().until(2000.0).warmup(10.0);
    let [one, other] = [("one", 0), ("other", 1)].map(|(name, level)| network.class(Class::new(name).priority(level)));
    let nurse = Resource::new("nurse", 3).shifts(Shifts::new(vec![(0.0, 1), (8.0, 3), (16.0, 2)]).every(24.0));
    let nurse = network.add_resource(nurse.failures(law("exponential:30"), law("exponential:5")));
    let bed = network.add_resource(Resource::new("bed", 6).failures(law("exponential:90"), law("uniform:5,9")));
    let room = network.add_resource(Resource::new("room", 3).shifts(Shifts::new(vec![(0.0, 2), (10.0, 3)])));
    let key =
        network.add_resource(Resource::new("key", 2).preemptive().failures(law("exponential:20"), law("constant:2")));
    let gate = Station::new("gate", law("exponential:0.5")).seizes(bed, 1).seizes_at_arrival();
    let gate = network.station(gate.servers(2).setup(law("uniform:0.1,0.4")).off_after(law("constant:1")));
    let ward = Station::new("ward", law("exponential:2")).servers(5).seizes(nurse, 1).or_seizes([(room, 1)]);
    let ward = ward.releases(nurse, 1).releases(room, 1).setup(law("exponential:0.3")).off_after(law("uniform:0.5,2"));
    let ward = network.station(ward.preemptive().failures(law("exponential:30"), law("exponential:5")));
    let lift = network.station(Station::new("lift", law("uniform:0.2,1")).seizes(key, 2).releases(key, 2));
    let end = Station::new("end", law("exponential:1")).servers(2).seizes(key, 1).releases(key, 1).releases(bed, 1);
    let end = end.setup(law("exponential:1")).off_after(law("exponential:3")).setups_called_off();
    let end = network.station(end.failures(law("exponential:9"), law("exponential:2")));
    let out = network.sink("out");
    for (from, to) in [(gate, ward), (ward, lift), (lift, end)] {
        network.route(from, to, 1.0, 0.0);
    }
    network.route(end, out, 1.0, 0.0);
    network.source(Source::new("in", law("exponential:1.5"), gate).class(one));
    network.source(Source::new("late", law("exponential:3"), gate).class(other));
    let model = model(network);
    // Of the stations but the first, which seizes earlier, by the second class.
    let outcome = simulate(&model, &mut unwatched()).expect("a run").outcome;
    let preemptions = [1, 2, 3].map(|station| outcome.classes[2 * station + 1].preemptions);
    assert!(preemptions.iter().all(|count| *count > 2), "{preemptions:?}");
    for (form, device) in adapter::forms(&FORMS) {
        compare(device.as_ref(), &model, 0..3, form);
    }
}
