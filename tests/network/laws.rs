//! Laws with tables in networks: the bits of the heap on every kind of kernel that draws.

use super::devices::{assert_same, compare};
use super::*;
use crate::adapter;
use tickless::engine::Options;
use tickless::queueing::{Observed, Source, Station, Topology};
use tickless::random::StreamKey;

/// Of software adapters; tests/parts/random.rs draws from every law in both forms of 64-bit words.
const FORMS: [&str; 1] = ["native"];

/// Kinds of laws that are drawn.
const KINDS: u32 = 12;

/// A law of each kind in turn with parameters of chance, some of them at an end of what is allowed.
pub fn chance(number: u32) -> String {
    let mut stream = StreamKey::new(24, 0).stream(number);
    let mut between = |low: f64, high: f64| low + (high - low) * f64::from(stream.draw() >> 8) / f64::from(1 << 24);
    match number % KINDS {
        0 => format!("gamma:{},{}", between(0.1, 20.0), between(0.5, 3.0)),
        1 => format!("weibull:{},{}", between(0.5, 4.0), between(0.5, 3.0)),
        2 => format!("lognormal:{},{}", between(0.5, 3.0), between(0.1, 9.0)),
        3 => format!("triangular:{},{},{}", between(0.0, 1.0), between(1.0, 2.0), between(2.0, 4.0)),
        4 => format!("pareto:{},{},{}", between(0.5, 4.0), between(0.1, 1.0), between(5.0, 900.0)),
        5 => format!("coxian:{},{},{}", between(0.1, 2.0), between(0.1, 1.0), between(0.1, 3.0)),
        6 => {
            let [first, rate, over] = [between(0.0, 1.0), between(1.0, 3.0), between(0.0, 1.0)];
            format!("phase-type:{first},{};-{rate},{over};{},-2", 1.0 - first, between(0.0, 1.0))
        }
        7 => format!("discrete:{}*2,{},1.5*{}", between(0.0, 1.0), between(1.0, 4.0), between(0.1, 2.0)),
        8 => format!("normal:{},{}", between(0.0, 2.0), between(0.2, 2.0)),
        9 => format!("beta:{},{},{},{}", between(0.2, 6.0), between(0.2, 6.0), between(0.0, 0.5), between(1.0, 4.0)),
        10 => format!("samples:0.5,{},{}", between(0.1, 2.0), between(0.5, 4.0)),
        _ => format!("histogram:0*1,{}*0,1*{},{}", between(0.1, 1.0), between(0.1, 2.0), between(1.5, 4.0)),
    }
}

/// Stations, each with a law of its kind, and two sources.
fn network(number: u32) -> Network {
    let mut network = Network::new().until(60.0).warmup(9.0).window(0.1).seed(number.into());
    let station = |place| {
        let servers = 1 + (place + number) % 3;
        Station::new(format!("s{place}"), law(&chance(KINDS * number + place))).servers(servers).tokens(place % 4)
    };
    let ids: Vec<_> = (0..KINDS).map(|place| network.station(station(place))).collect();
    let exit = network.sink("exit");
    for (place, id) in ids.iter().enumerate() {
        network.route(*id, ids[(place + 1) % ids.len()], 0.5, 0.0);
        network.route(*id, ids[(place * 7 + 3) % ids.len()], 0.25, 0.5);
        network.route(*id, exit, 0.25, 0.0);
    }
    for (source, place) in [(0, 2), (1, 7)] {
        network.source(Source::new(format!("in{source}"), law(&chance(KINDS * number + 5 * source)), ids[place]));
    }
    network
}

#[test]
fn networks_of_every_law_are_the_same() {
    for (form, device) in adapter::forms(&FORMS) {
        for number in 0..6 {
            compare(
                device.as_ref(),
                &model(network(number)),
                &Options::default(),
                &format!("{form}: network {number}"),
            );
        }
    }
}

/// Stations that a workgroup decides: it finds the draws of the n-th visit by the number of draws of each. In software with what
/// fronts.rs compiles: the stays of tokens are recorded.
#[test]
fn fronts_are_the_same() {
    for (form, device) in adapter::forms(&FORMS[..1]) {
        for (interval, service) in [("gamma:0.5,1", "histogram:0*1,0.5*3,1.5"), ("discrete:1,2", "lognormal:1,4")] {
            let mut network = Network::new().until(900.0).warmup(100.0);
            let desk = network.station(Station::new("desk", law(service)));
            let exit = network.sink("exit");
            network.source(Source::new("in", law(interval), desk));
            network.route(desk, exit, 1.0, 0.25);
            if adapter::in_software(device.as_ref()) {
                let pair = network.station(Station::new("pair", law("constant:1")).servers(2).tokens(1));
                network.route(pair, exit, 1.0, 0.0);
                network = network.distributions(Observed::Stations(vec!["pair".into()]));
            }
            compare(device.as_ref(), &model(network), &Options::default(), &format!("{form}: {interval}, {service}"));
        }
    }
}

/// The shortest time of a law that is never very short is its lookahead: no window is needed.
#[test]
fn tori_are_the_same() {
    let cases = [("gamma:8,10", 0.0), ("lognormal:10,40", 0.5), ("discrete:4,10*2,28", 0.0), ("weibull:1.5,10", 1.0)];
    for (form, device) in adapter::forms(&FORMS[..1]) {
        for (service, window) in cases {
            let each = Station::new("s", law(service)).tokens(2);
            let torus = Network::generate(&Topology::Torus { width: 12, height: 9 }, &each, 0.0).expect("sizes");
            let model = model(torus.window(window).until(90.0).warmup(20.0));
            let expected = simulate(&model, &mut unwatched()).expect("the heap runs every model");
            for how in [Synchronization::Window, Synchronization::Appointments] {
                let found = simulate_on(&model, device.as_ref(), by(how, &Options::default()), &mut unwatched());
                let found = found.unwrap_or_else(|e| panic!("{form}: {service}: {e}"));
                assert_same(&expected.outcome, &found.outcome, &format!("{form}: {service}, {how:?}"));
            }
        }
    }
}

/// Gamma laws of a large shape promise a time; of a small one they do not, and a device says what to do.
#[test]
fn the_shortest_time_of_a_law_is_its_lookahead() {
    let torus = |service: &str| {
        let each = Station::new("s", law(service)).tokens(1);
        model(Network::generate(&Topology::Torus { width: 4, height: 4 }, &each, 0.0).expect("sizes"))
    };
    let long = torus("gamma:100,10").lookahead().units();
    assert!((4.0..6.0).contains(&long), "{long}");
    assert_eq!(torus("gamma:1.5,10").lookahead().ticks(), 0);
    assert_eq!(torus("triangular:2,3,40").lookahead().units(), 2.0);
    assert_eq!(torus("discrete:7,3.25,9").lookahead().units(), 3.25);
}
