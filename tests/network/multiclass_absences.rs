//! Servers that set up after idleness, go away or fail by use, and room by class.

use super::chain::Chain;
use super::multiclass::{single, two_classes};
use super::theory::{assert_figure, assert_figures, mean_present, units};
use super::*;
use tickless::queueing::{Class, ClassOfStation, Discipline, Figures, Observed, Source, Station};
use tickless::statistics::Estimate;

/// M/G/1: the wait is that of Pollaczek and Khinchine, and behind it the rest of a vacation (Fuhrmann and Cooper 1985), or what set-up times
/// add (Levy and Kleinrock 1986).
#[test]
fn absences_lengthen_the_wait() {
    let wait = |outcome: &NetworkOutcome| {
        let record = outcome.classes[0].record;
        units(record.waiting) / record.starts as f64
    };
    let queue = |station: Station| {
        let mut network = Network::new();
        let class = network.class(Class::new("all"));
        single(station, &[(class, 2.0)], network).0
    };
    let desk = || Station::new("desk", law("uniform:0.4,1.6"));
    // Services have mean 1 and mean square 1.12; arrivals come at rate 1/2.
    let plain = 0.5 * 1.12 / (2.0 * 0.5);
    // The mean square of uniform:1,5 is 31/3.
    let network = queue(desk().vacations(law("uniform:1,5")));
    assert_figure(&network, "vacations", plain + 31.0 / 3.0 / (2.0 * 3.0), wait);
    let network = queue(desk().setup(law("exponential:3")));
    let (mean, square) = (3.0, 18.0);
    assert_figure(&network, "set-up", plain + (2.0 * mean + 0.5 * square) / (2.0 * (1.0 + 0.5 * mean)), wait);
    // The server is at work as long as without.
    let busy = |outcome: &NetworkOutcome| units(outcome.classes[0].record.busy) / outcome.stations.measured();
    assert_figure(&network, "busy", 0.5, busy);
}

/// Two servers that set up for whom they wait for: a chain of servers at work and tokens there (Gandhi, Harchol-Balter and Adan 2010). Servers set
/// up for less time than where set-ups go on.
#[test]
fn set_ups_that_are_called_off_are_a_chain() {
    let (rate, setup) = (1.2, 0.5);
    let chain = Chain::new((0, 0), |(at_work, present): (u32, u32)| {
        let set_up = (2 - at_work).min(present - at_work);
        let less = present.saturating_sub(1);
        let all = [
            ((at_work, (present + 1).min(300)), rate),
            ((at_work.min(less), less), f64::from(at_work)),
            ((at_work + 1, present), f64::from(set_up) * setup),
        ];
        all.into_iter().filter(|(to, rate)| *rate > 0.0 && *to != (at_work, present)).collect()
    });
    let present = chain.mean(|(_, present)| f64::from(present));
    let queue = |station: Station| {
        let mut network = Network::new().warmup(200.0).until(20_200.0);
        let desk = network.station(station.servers(2).setup(law("exponential:2")));
        let out = network.sink("out");
        network.route(desk, out, 1.0, 0.0);
        network.source(Source::new("in", law("exponential:0.83333333333333"), desk));
        network
    };
    let network = queue(Station::new("desk", law("exponential:1")).setups_called_off());
    assert_figure(&network, "present", present, |one| mean_present(one, 0));
    let [called, kept] =
        [network, queue(Station::new("desk", law("exponential:1")))].map(|one| run(one).outcome.absent[0] >> 32);
    assert!(called < kept, "{called} {kept}");
}

/// Two servers that are off after they have been idle for a while (delayed off), with set-ups that are called off, or not.
#[test]
fn idle_servers_are_off_after_a_while() {
    let (rate, setup, off) = (1.2, 0.5, 0.4);
    // How many are present, how many servers are set up, and how many set up.
    let chain = |calls_off: bool| {
        Chain::new((0, 0, 0), move |(present, on, under_way): (u32, u32, u32)| {
            let begun = |present: u32, on: u32, under_way: u32| {
                let off = 2_u32.saturating_sub(on);
                let needed = present.saturating_sub(on).min(off);
                (present, on, if calls_off { needed } else { under_way.min(off).max(needed) })
            };
            let all = [
                (begun((present + 1).min(200), on, under_way), rate),
                (begun(present.saturating_sub(1), on, under_way), f64::from(present.min(on))),
                (begun(present, on + 1, under_way.saturating_sub(1)), f64::from(under_way) * setup),
                (begun(present, on.saturating_sub(1), under_way), f64::from(on.saturating_sub(present)) * off),
            ];
            all.into_iter().filter(|(to, rate)| *rate > 0.0 && *to != (present, on, under_way)).collect()
        })
    };
    for calls_off in [true, false] {
        let station = Station::new("desk", law("exponential:1")).servers(2).setup(law("exponential:2"));
        let station = station.off_after(law("exponential:2.5"));
        let mut network = Network::new().warmup(200.0).until(20_200.0);
        let desk = network.station(if calls_off { station.setups_called_off() } else { station });
        let out = network.sink("out");
        network.route(desk, out, 1.0, 0.0);
        network.source(Source::new("in", law("exponential:0.83333333333333"), desk));
        let chain = chain(calls_off);
        let set_up = |one: &NetworkOutcome| units(one.absent[0]) / one.stations.measured();
        assert_figures(
            &network,
            &[
                ("present", chain.mean(|(present, ..)| f64::from(present)), &|one| mean_present(one, 0)),
                ("sets up", chain.mean(|(.., under_way)| f64::from(under_way)), &set_up),
            ],
        );
    }
}

/// A server that goes away whenever nobody waits is away when it does not serve; one that sets up does so once a busy period: of the time that
/// it is not busy 3 of 5 where it is off for 2 in the mean before. And by hand, cut by the warm-up and the horizon.
#[test]
fn shares_of_absences_are_those_of_theory() {
    let share = |of: fn(&Figures<Estimate>) -> Option<Estimate>, network: &Network| {
        let model = model(network.clone());
        move |outcome: &NetworkOutcome| {
            of(&Figures::of_station(&model, 0, std::slice::from_ref(outcome))).expect("a share").mean
        }
    };
    let queue = |station: Station| {
        let mut network = Network::new();
        let class = network.class(Class::new("all"));
        single(station, &[(class, 2.0)], network).0
    };
    let desk = || Station::new("desk", law("uniform:0.4,1.6"));
    let network = queue(desk().vacations(law("uniform:1,5")));
    assert_figure(&network, "away", 0.5, share(|figures| figures.away_share, &network));
    let network = queue(desk().setup(law("exponential:3")));
    assert_figure(&network, "set up", 0.5 * 3.0 / 5.0, share(|figures| figures.setup_share, &network));
    assert_figure(&network, "idle", 0.5 * 2.0 / 5.0, share(|figures| figures.idle_share, &network));
    // They come at 2 and 8, after which a server sets up for 3: from the warm-up at 3 to 5, and from 8 to the horizon at 10.
    let mut network = Network::new().warmup(3.0).until(10.0);
    let desk = network.station(Station::new("desk", law("constant:1")).setup(law("constant:3")));
    let exit = network.sink("exit");
    network.source(Source::new("first", law("constant:2"), desk).limit(1));
    network.source(Source::new("second", law("constant:8"), desk).limit(1));
    network.route(desk, exit, 1.0, 0.0);
    let outcome = run(network.clone()).outcome;
    assert_eq!(outcome.absent, [4_u128 << 32]);
    let shares = Figures::of_station(&model(network.clone()), 0, std::slice::from_ref(&outcome));
    let shares = [shares.setup_share, shares.utilization, shares.idle_share].map(|share| share.expect("a share").mean);
    assert!((shares[0] - 4.0 / 7.0).abs() < 1e-12 && (shares.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{shares:?}");
    assert!(Figures::of_station(&model(network), 0, &[outcome]).away_share.is_none());
}

/// A station with room for two: the shares of the time in which it is empty and full are those of an M/M/1/2.
#[test]
fn empty_and_full_shares_are_those_of_theory() {
    let mut network = Network::new().distributions(Observed::All).until(6_000.0);
    let desk = network.station(Station::new("desk", law("exponential:1")).capacity(2));
    let exit = network.sink("exit");
    network.source(Source::new("in", law("exponential:1"), desk));
    network.route(desk, exit, 1.0, 0.0);
    let checked = model(network.clone());
    for of in [|figures: Figures<Estimate>| figures.empty_share, |figures: Figures<Estimate>| figures.full_share] {
        let share = |outcome: &NetworkOutcome| {
            of(Figures::of_station(&checked, 0, std::slice::from_ref(outcome))).expect("a share").mean
        };
        assert_figure(&network, "share", 1.0 / 3.0, share);
    }
    let plain = model(network.distributions(Observed::Nothing));
    let outcome = run(plain.description().clone()).outcome;
    assert!(Figures::of_station(&plain, 0, &[outcome]).empty_share.is_none());
}

/// By hand: two servers are off, one is kept by who waits, and one sets up for nobody.
#[test]
fn absences_by_hand() {
    let sojourns = |station: Station, starts: &[f64]| {
        let mut network = Network::new().until(60.0);
        let desk = network.station(station);
        let exit = network.sink("exit");
        for (place, start) in starts.iter().enumerate() {
            network.source(Source::new(format!("in {place}"), law("constant:1"), desk).start(start - 1.0).limit(1));
        }
        network.route(desk, exit, 1.0, 0.0);
        let outcome = run(network).outcome;
        (outcome.sinks[0].tokens, outcome.sinks[0].sojourn as f64 / UNIT as f64)
    };
    let desk = || Station::new("desk", law("constant:2")).servers(2);
    // Set-ups from 1 to 6 and from 4.5 to 9.5. The first is served from 6 to 8, the second from 8 on by the same server until 10; the other
    // one is off again at 9.5, sets up for the third from 11 to 16, which the first server is off for, too, from 10 on.
    assert_eq!(sojourns(desk().setup(law("constant:5")), &[1.0, 4.5, 11.0]), (3, 7.0 + 5.5 + 7.0));
    // Both are away until 4, 8 and so on. Of three that come at 1 two are served from 4 to 6, and one to 8; one of 6.5 waits until 10, when the one
    // comes back that went at 6.
    let vacations = || desk().vacations(law("constant:4"));
    assert_eq!(sojourns(vacations(), &[1.0, 1.0, 1.0]), (3, 5.0 + 5.0 + 7.0));
    assert_eq!(sojourns(vacations(), &[1.0, 1.0, 6.5]), (3, 5.0 + 5.0 + 5.5));
    // One of 1 is served from 6 on, and interrupted at 7 for 20: the other server sets up for what is left of it, until 12.
    let (mut network, [first, second]) = two_classes();
    let station =
        desk().preemptive().setup(law("constant:5")).class(ClassOfStation::new(first).service(law("constant:20")));
    let desk = network.station(station);
    let exit = network.sink("exit");
    for (name, class, start) in [("low", second, 0.0), ("high", first, 6.0)] {
        network.source(Source::new(name, law("constant:1"), desk).start(start).limit(1).class(class));
    }
    network.route(desk, exit, 1.0, 0.0);
    let sinks = run(network.until(60.0)).outcome.class_sinks;
    assert_eq!(sinks.iter().map(|sink| sink.sojourn >> 32).collect::<Vec<_>>(), [20, 12]);
    // A token that is there at time 0 finds a server.
    assert_eq!(sojourns(vacations().tokens(1), &[]).0, 1);
}

/// Servers that fail by use: an M/G/1 whose services last as long as their repairs take, too (Gaver 1962).
#[test]
fn failures_by_use_lengthen_services() {
    let mut network = Network::new();
    let class = network.class(Class::new("all"));
    let desk = Station::new("desk", law("uniform:0.4,1.6")).failures_by_use(law("exponential:4"), law("uniform:1,2"));
    let (network, _) = single(desk, &[(class, 2.5)], network);
    // A failure in 4 time units of service, repairs of mean 1.5 and mean square 7/3; services of mean 1 and mean square 1.12.
    let (mean, square) = (1.0 + 1.5 / 4.0, 1.12 * (1.0 + 1.5 / 4.0_f64).powi(2) + 7.0 / 3.0 / 4.0);
    let present = 0.4 * mean + 0.16 * square / (2.0 * (1.0 - 0.4 * mean));
    assert_figure(&network, "present", present, |outcome| super::theory::mean_present(outcome, 0));
    // By hand: a server fails behind 3 time units of service and is repaired in 1; another one takes over.
    let sojourn = |servers: u32, starts: &[f64]| {
        let mut network = Network::new().until(60.0);
        let desk = Station::new("desk", law("constant:2")).servers(servers);
        let desk = network.station(desk.failures_by_use(law("constant:3"), law("constant:1")));
        let exit = network.sink("exit");
        for (place, start) in starts.iter().enumerate() {
            network.source(Source::new(format!("in {place}"), law("constant:1"), desk).start(start - 1.0).limit(1));
        }
        network.route(desk, exit, 1.0, 0.0);
        let outcome = run(network).outcome;
        (outcome.sinks[0].sojourn as f64 / UNIT as f64, outcome.classes[0].preemptions)
    };
    // From 10 to 12, from 20 to 21 and from 22 to 23; the third, from 30 on, uses up what is left, and the fourth none before the repair.
    assert_eq!(sojourn(1, &[10.0, 20.0, 30.0, 40.0]), (2.0 + 3.0 + 2.0 + 3.0, 2));
    // The second server is free at 21.
    assert_eq!(sojourn(2, &[10.0, 20.0]), (2.0 + 2.0, 1));
}

/// Two classes that take three places, the second two of them at most: a product form.
#[test]
fn room_by_class() {
    let mut network = Network::new();
    let [first, second] = ["first", "second"].map(|name| network.class(Class::new(name)));
    let desk = Station::new("desk", law("uniform:0.5,1.5")).servers(3).capacity(3);
    let desk = desk.class(ClassOfStation::new(second).capacity(2));
    let (network, _) = single(desk, &[(first, 1.0), (second, 0.5)], network);
    let network = network.until(4_000.0);
    let (mut all, mut lost) = (0.0, [0.0; 2]);
    for (a, b) in (0..=3).flat_map(|a| (0..=2).map(move |b| (a, b))).filter(|(a, b)| a + b <= 3) {
        let factorial = |n: i32| (1..=n).product::<i32>() as f64;
        let weight = 2_f64.powi(b) / factorial(a) / factorial(b);
        all += weight;
        lost[0] += if a + b == 3 { weight } else { 0.0 };
        lost[1] += if a + b == 3 || b == 2 { weight } else { 0.0 };
    }
    for class in [0, 1] {
        let share = move |outcome: &NetworkOutcome| {
            let record = outcome.classes[class].record;
            record.losses as f64 / record.arrivals as f64
        };
        assert_figure(&network, "lost", lost[class] / all, share);
    }
}

/// Whatever goes with whatever: tokens are somewhere, and stations have as many as they counted.
#[test]
fn tokens_are_conserved_whatever_servers_do() {
    for number in 0..150 {
        let mut stream = tickless::random::StreamKey::new(29, 0).stream(number);
        let mut pick = |choices: u32| ((u64::from(stream.draw()) * u64::from(choices)) >> 32) as u32;
        let mut network = Network::new().until(60.0).seed(u64::from(number));
        let priorities = [pick(2), pick(2)];
        let levels = priorities[0] != priorities[1];
        let classes = [0, 1].map(|place| network.class(Class::new(["a", "b"][place]).priority(priorities[place])));
        let laws = ["exponential:1", "constant:1", "uniform:0.5,2"];
        let stations: Vec<_> = (0..2)
            .map(|place| {
                let kind = pick(7);
                let mut station = Station::new(format!("s{place}"), law(laws[pick(3) as usize]));
                station = if kind == 6 { station.servers(1) } else { station.servers(1 + pick(3)) };
                station = match kind {
                    0 => station.setup(law("exponential:1")),
                    1 => station.vacations(law("uniform:0.5,1.5")),
                    2 | 3 => station.failures_by_use(law("exponential:2"), law("constant:0.5")),
                    4 => station.failures(law("exponential:5"), law("exponential:1")).setup(law("constant:0.5")),
                    5 => station.vacations(law("constant:1")).patience(law("exponential:2"), None),
                    _ => station.discipline(Discipline::Sharing),
                };
                if kind < 6 {
                    let discipline = Discipline::ALL[pick(5) as usize];
                    station = station.discipline(discipline);
                    let has_effect = levels && discipline != Discipline::LastComePreemptive;
                    station = if pick(2) == 0 && has_effect { station.preemptive() } else { station };
                }
                if pick(2) == 0 {
                    station = station.speeds(vec![1.0, 0.5, 1.7]);
                }
                let weight = |of: ClassOfStation| if kind == 6 { of.weight(3.0) } else { of };
                let of_class = weight(ClassOfStation::new(classes[1]).tokens(pick(3)));
                match pick(3) {
                    0 => station.class(of_class.capacity(4)),
                    1 => station.class(of_class).capacity(5).blocking(),
                    _ => station.class(of_class),
                }
            })
            .map(|station| network.station(station))
            .collect();
        let exit = network.sink("exit");
        for (class, interval) in classes.iter().zip(["exponential:2", "uniform:1,3"]) {
            network.source(Source::new(format!("in {}", class.index()), law(interval), stations[0]).class(*class));
        }
        network.route(stations[0], stations[1], 1.0, 0.0);
        network.route(stations[1], stations[0], 0.25, 0.0);
        network.route(stations[1], exit, 0.75, 0.0);
        let outcome = match simulate(&model(network), &mut unwatched()) {
            Err(QueueingError::Deadlock { .. }) => continue,
            run => run.unwrap_or_else(|error| panic!("{number}: {error}")).outcome,
        };
        let lost: u64 = outcome.classes.iter().map(|class| class.record.losses + class.reneged).sum();
        let sent: u64 = outcome.sources.iter().sum();
        assert_eq!(outcome.tokens_before + sent, outcome.tokens() + outcome.sinks[0].tokens + lost, "{number}");
        for class in &outcome.classes {
            let r = class.record;
            assert!(r.starts >= r.completions + r.serving, "{number}: {class:?}");
            assert!(r.busy <= 60 * 3 * UNIT && r.completions > 0, "{number}: {class:?}");
        }
    }
}
