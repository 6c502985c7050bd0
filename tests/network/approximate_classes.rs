//! Approximate time of networks of classes.

use super::*;
use tickless::queueing::{Class, ClassOfStation, Discipline, Route, Source, Station};
use tickless::random::{Stream, StreamKey};

/// A tick.
const TICK: f64 = 1.0 / 4_294_967_296.0;

fn draw(stream: &mut Stream, below: u32) -> u32 {
    ((u64::from(stream.draw()) * u64::from(below)) >> 32) as u32
}

/// A random network of what approximate time takes, with these laws.
fn network(seed: u64, laws: &[&str]) -> Network {
    let mut stream = StreamKey::new(seed, 7).stream(0);
    let mut of = |below: u32| draw(&mut stream, below);
    let mut network = Network::new().seed(seed).until(120.0).warmup(f64::from(of(2)) * 11.0);
    let classes: Vec<_> =
        (0..1 + of(3)).map(|id| network.class(Class::new(format!("c{id}")).priority(of(2)))).collect();
    let disciplines = [Discipline::FirstCome, Discipline::LastCome, Discipline::Random];
    let stations: Vec<_> = (0..3 + of(3))
        .map(|id| {
            let mut any = || law(laws[of(laws.len() as u32) as usize]);
            let mut station = Station::new(format!("s{id}"), any());
            for class in &classes {
                station = station.class(ClassOfStation::new(*class).service(any()));
            }
            let station = match of(5) {
                0 => station.infinite_servers(),
                kind => station.servers(kind.min(3)).discipline(disciplines[of(3) as usize]),
            };
            let station = if of(4) == 0 { station.balking(vec![0.0, 0.25, 0.5], None) } else { station };
            network.station(if of(4) == 0 { station.capacity(4) } else { station })
        })
        .collect();
    let exit = network.sink("exit");
    for (place, from) in stations.iter().enumerate() {
        for (number, class) in classes.iter().enumerate() {
            // The first class comes everywhere.
            let drawn = [of(stations.len() as u32), of(classes.len() as u32)].map(|drawn| drawn as usize);
            let [to, becomes] = if number == 0 { [(place + 1) % stations.len(), 0] } else { drawn };
            let (to, becomes, delay) = (stations[to], classes[becomes], f64::from(of(3)));
            network.add_route(Route::new(*from, exit).class(*class).probability(0.5));
            network.add_route(Route::new(*from, to).class(*class).probability(0.5).delay(delay).becomes(becomes));
        }
    }
    for (id, class) in (0..).zip(&classes) {
        let to = stations[id % stations.len()];
        let source = Source::new(format!("in{id}"), law(laws[of(laws.len() as u32) as usize]), to).class(*class);
        network.source(if of(3) == 0 { source.batch(vec![0.5, 0.5]) } else { source });
    }
    network
}

/// Where nothing is rounded the records are those of exact time: in ticks, and where all times are multiples of the interval.
#[test]
fn nothing_rounded_is_exact_time() {
    let laws = ["exponential:1", "uniform:0,2", "constant:1", "erlang:2,1", "hyperexponential:0.3,2,0.5"];
    let (mut waited, mut balked, mut lost) = (0, 0, 0);
    for (interval, laws) in [(TICK, &laws[..]), (0.5, &["constant:1", "constant:0.5", "constant:2"])] {
        for seed in 0..40 {
            let exact = run(network(seed, laws)).outcome;
            let mut late = run(network(seed, laws).approximate(interval)).outcome;
            assert_eq!(late.all_causality_errors(), Some(0), "{interval}, {seed}");
            late.causality_errors = vec![];
            assert_eq!(exact.first_difference(&late), None, "{interval}, {seed}");
            assert_eq!(exact, late, "{interval}, {seed}");
            waited += u64::from(exact.stations.facilities.iter().any(|station| station.waiting > 0));
            balked += exact.classes.iter().map(|class| class.balked).sum::<u64>();
            lost += exact.stations.facilities.iter().map(|station| station.losses).sum::<u64>();
        }
    }
    assert!(waited > 60 && balked > 100 && lost > 100, "{waited} {balked} {lost}");
}

/// One named class changes no record of a station, whatever the interval.
#[test]
fn one_class_is_none() {
    let mut errors = 0;
    for seed in 0..30 {
        let mut stream = StreamKey::new(seed, 8).stream(0);
        let interval = 0.1 + f64::from(draw(&mut stream, 20)) / 10.0;
        let mut named = Network::new().seed(seed).until(200.0).approximate(interval);
        let mut stations = vec![];
        for id in 0..4 {
            let station = Station::new(format!("s{id}"), law("exponential:1")).servers(1 + draw(&mut stream, 3));
            let station = if draw(&mut stream, 3) == 0 { station.capacity(4) } else { station };
            stations.push(named.station(station.tokens(draw(&mut stream, 4))));
        }
        let exit = named.sink("exit");
        for from in &stations {
            named.route(*from, stations[draw(&mut stream, 4) as usize], 0.6, f64::from(draw(&mut stream, 2)));
            named.route(*from, exit, 0.4, 0.0);
        }
        stations.iter().enumerate().for_each(|(id, to)| {
            named.source(Source::new(format!("in{id}"), law("exponential:2"), *to));
        });
        let plain = run(named.clone()).outcome;
        named.class(Class::new("all"));
        let mut named = run(named).outcome;
        assert_eq!(named.classes.len(), 4);
        (named.classes, named.class_sinks) = (vec![], vec![]);
        assert_eq!(plain, named, "{seed}");
        errors += plain.all_causality_errors().unwrap_or(0);
    }
    assert!(errors > 100, "{errors}");
}

/// Three tokens come within an interval: the first is served at its end, then the one of the higher priority, each from the original time
/// at which the server falls free.
#[test]
fn priorities_by_hand() {
    let text = "until = 10\napproximate = 1\n[[class]]\nname = 'high'\npriority = 0\n[[class]]\nname = 'low'\npriority = 1\n\
        [[station]]\nname = 'desk'\nservice = 'constant:1.5'\n[[sink]]\nname = 'exit'\n[[route]]\nfrom = 'desk'\nto = 'exit'\n\
        [[source]]\nname = 'low'\nto = 'desk'\nclass = 'low'\ntrace = \"time\\n0.2\\n0.4\"\n\
        [[source]]\nname = 'high'\nto = 'desk'\nclass = 'high'\ntrace = \"time\\n0.6\"\n";
    let outcome = run(Network::from_toml(text).expect("a network")).outcome;
    let units = |ticks: u128| ticks as f64 / UNIT as f64;
    let [high, low] = outcome.classes[..] else { panic!("two classes") };
    // In service from 1 to 2, 2 to 4 and 4 to 5: original ends at 1.7, 3.2 and 4.7.
    assert_eq!((units(high.record.waiting), units(high.record.service)), (1.0, 2.0));
    assert_eq!((units(low.record.waiting), units(low.record.service)), (3.0, 2.0));
    assert_eq!(outcome.sinks[0].tokens, 3);
}
