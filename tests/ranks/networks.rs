//! Queueing networks.

use std::num::NonZeroU32;
use std::ops::ControlFlow;

use proptest::prelude::*;
use tickless::device::{On, Target};
use tickless::queueing::{
    self, Network, NetworkModel, NetworkOptions, NetworkOutcome, Partition, QueueingError, Source, Station, Topology,
};
use tickless::random::StreamKey;
use tickless::ranks::{Mail, Ranks, ThreadTransport, Transport, TransportError, side_by_side};
use tickless::run::{Progress, Restartable, Run, Watch, unwatched};

use crate::threads;

/// What kind of times a network has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Times {
    /// Whole units, so that much happens at one instant.
    Ties,
    /// Shifted by a window, or with a shortest time.
    Shifted,
    /// As short as they like, with delays on every edge.
    Delayed,
    /// As short as they like, without delays: what stations draw ahead is all that is known.
    Short,
    /// They differ by ticks, as delays do: tokens of one station meet whose services ended in another order than they began.
    Ticks,
}

/// So many stations with routes, delays, laws, capacities, servers and tokens drawn from a seed.
pub fn network(seed: u64, count: u32, servers: bool, times: Times) -> Network {
    let mut stream = StreamKey::new(seed, 9).stream(0);
    let mut draw = |below: u32| stream.draw() % below;
    let laws: &[&str] = match times {
        Times::Ties => &["constant:1", "constant:2", "constant:3"],
        Times::Shifted => &["exponential:1", "uniform:1,2", "erlang:2,1", "constant:1"],
        Times::Short => &["exponential:1", "uniform:0,3", "erlang:2,1"],
        Times::Delayed => &["exponential:1", "uniform:0,2", "hyperexponential:0.3,1,2"],
        Times::Ticks => &["uniform:1,1.000000001"],
    };
    let law = |draw: &mut dyn FnMut(u32) -> u32| laws[draw(laws.len() as u32) as usize].parse().expect("a law");
    let mut network = Network::new().seed(seed);
    if times == Times::Shifted {
        network = network.window(0.3);
    }
    let (limited, delayed) = (draw(2) == 0, draw(2) == 0 && times != Times::Short);
    let stations: Vec<_> = (0..count)
        .map(|i| {
            let station = Station::new(format!("s{i}"), law(&mut draw)).tokens(draw(4));
            let station = if servers && draw(2) == 0 { station.servers(2 + draw(2)) } else { station };
            network.station(if limited && draw(2) == 0 { station.capacity(3 + draw(3)) } else { station })
        })
        .collect();
    let sinks = [network.sink("a"), network.sink("b")];
    for (i, &from) in (0..).zip(&stations) {
        let ways = 1 + draw(4);
        for way in 0..ways {
            let delay = match times {
                Times::Delayed => 0.5 + f64::from(draw(3)),
                Times::Ticks => 0.5 + f64::from(draw(4)) / 4_294_967_296.0,
                _ if delayed => f64::from(draw(3)),
                _ => 0.0,
            };
            // Every station can be reached.
            let to = if way == 0 { (i + 1) % count } else { draw(count) };
            network.route(from, stations[to as usize], 0.9 / f64::from(ways), delay);
        }
        network.route(from, sinks[draw(2) as usize], 0.1, f64::from(draw(2)));
    }
    for i in 0..3 {
        let source = Source::new(format!("q{i}"), law(&mut draw), stations[draw(count) as usize]);
        network.source(if draw(2) == 0 { source.limit(40) } else { source });
    }
    network
}

pub fn model(network: Network) -> NetworkModel {
    network.check().unwrap_or_else(|error| panic!("{error}"))
}

pub fn alone(model: &NetworkModel) -> Run<NetworkOutcome, queueing::NetworkDetails> {
    let run = queueing::run(model, 0..1, Target::Heap, Default::default(), &mut unwatched());
    run.unwrap_or_else(|error| panic!("{error}")).map(|mut outcomes| outcomes.remove(0))
}

/// Over ranks, with the parts that are given.
fn run_over(
    model: &NetworkModel,
    ranks: Ranks<'_>,
    cut: Option<Partition>,
    options: NetworkOptions,
) -> Result<Run<NetworkOutcome, queueing::NetworkDetails>, QueueingError> {
    let run = queueing::run(model, 0..1, On::Ranks(ranks, cut), options, &mut unwatched())?;
    Ok(run.map(|mut outcomes| outcomes.remove(0)))
}

fn assert_over(model: &NetworkModel, ranks: u32, cut: Option<Partition>) {
    let alone = alone(model);
    let what = format!("{ranks} ranks, {cut:?}");
    for figures_only in [false, true] {
        let options = NetworkOptions { figures_only, ..NetworkOptions::default() };
        let over = run_over(model, threads(ranks), cut.clone(), options);
        let over = over.unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(alone.outcome.first_difference(&over.outcome), None, "{what}");
        assert_eq!(over.outcome.digest(), alone.outcome.digest(), "{what}");
        assert_eq!((over.events, over.details), (alone.events, alone.details), "{what}");
        assert_eq!((over.clock, over.interrupted), (alone.clock, false), "{what}");
        if figures_only && ranks > 1 {
            assert!(over.outcome.stations.added_up.is_some(), "{what}");
            assert_eq!(over.outcome.stations.statistics(), alone.outcome.stations.statistics(), "{what}");
        } else {
            assert_eq!(over.outcome, alone.outcome, "{what}");
        }
    }
}

/// The rank of each station, drawn, with no rank left out.
pub fn drawn(seed: u64, stations: u32, ranks: u32) -> Partition {
    let mut stream = StreamKey::new(seed, 3).stream(1);
    Partition::of_stations((0..stations).map(|id| if id < ranks { id } else { stream.draw() % ranks }).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(75))]

    #[test]
    fn any_cut_of_any_network_gives_the_same(
        seed: u64, stations in 4_u32..24, ranks in 1_u32..5, servers: bool, kind in 0..5, warm: bool, even: bool,
    ) {
        let times = [Times::Ties, Times::Shifted, Times::Delayed, Times::Ticks, Times::Short][kind as usize];
        let network = network(seed, stations, servers && times != Times::Short, times).until(60.0);
        let network = if warm { network.warmup(17.0) } else { network };
        let cut = (!even).then(|| drawn(seed, stations, ranks));
        assert_over(&model(network), ranks, cut);
    }
}

/// Long delays: tokens are on their way over many rounds, over the end of the warm-up and over that of the run.
#[test]
fn tokens_on_their_way_are_counted_where_they_are() {
    for (servers, warmup) in [(1, 9.0), (3, 9.0), (1, 29.5), (3, 29.5)] {
        let each = Station::new("s", "exponential:0.5".parse().unwrap()).servers(servers).tokens(6);
        let ring = Network::generate(&Topology::Ring { stations: 8 }, &each, 7.0).unwrap();
        let model = model(ring.warmup(warmup).until(30.0));
        let outcome = alone(&model).outcome;
        assert!(outcome.in_transit > 20 && outcome.tokens() == 48);
        for ranks in [2, 4, 8] {
            assert_over(&model, ranks, Some(drawn(4, 8, ranks)));
        }
    }
}

/// Tokens that start their service at one instant, end it some ticks apart and take delays that make up for that: they come to
/// the other rank in the order in which they departed, and those that came in at other times leave by it or are lost.
#[test]
fn tokens_that_meet_come_in_the_order_of_their_departures() {
    let mut network = Network::new().until(300.0);
    let law = "uniform:1,1.000000001".parse().unwrap();
    let server = network.station(Station::new("server", law).servers(12));
    let last = network.station(Station::new("last", "constant:0.25".parse().unwrap()).capacity(2));
    let exit = network.sink("exit");
    for ticks in 0..4 {
        network.route(server, last, 0.25, 0.5 + f64::from(ticks) / 4_294_967_296.0);
    }
    network.route(last, exit, 1.0, 0.0);
    for way in 1..5 {
        let long =
            network.station(Station::new(format!("way {way}"), format!("constant:{way}").parse().unwrap()).servers(9));
        network.route(long, server, 1.0, 0.0);
        network.source(Source::new(format!("source {way}"), "constant:1".parse().unwrap(), long));
    }
    let model = model(network);
    assert!(alone(&model).outcome.stations.totals().losses > 100);
    assert_over(&model, 2, Some(Partition::of_stations(vec![0, 1, 0, 0, 0, 0])));
    assert_over(&model, 3, Some(Partition::of_stations(vec![0, 1, 1, 2, 2, 1])));
}

#[test]
fn a_torus_over_ranks_is_the_torus() {
    for (width, height, window) in [(1, 9, 2.0), (12, 10, 1.0), (130, 80, 3.0), (20, 30, 0.0)] {
        let each = Station::new("s", "exponential:10".parse().unwrap()).tokens(2);
        let torus = Network::generate(&Topology::Torus { width, height }, &each, 0.0).unwrap();
        let model = model(torus.window(window).until(60.0).warmup(20.0));
        for ranks in [1, 2, 3, 4] {
            assert_over(&model, ranks, None);
        }
    }
}

/// Without a shortest service time a round goes as far as what stations will draw allows, and that some of it stays here.
#[test]
fn what_stations_will_draw_makes_rounds_long() {
    let each = Station::new("s", "exponential:10".parse().unwrap()).tokens(1);
    let torus = Network::generate(&Topology::Torus { width: 60, height: 60 }, &each, 0.0).unwrap();
    let model = model(torus.until(40.0));
    assert_over(&model, 2, None);
    let run = run_over(&model, threads(2), None, Default::default()).unwrap();
    let rounds = run.rounds.expect("rounds");
    assert!(rounds * 20 < run.events, "{rounds} rounds of {} events", run.events);
}

/// Counts what all ranks do together, and what each does with its neighbours.
struct Counting<'a, 'b> {
    ranks: &'a mut ThreadTransport<'b>,
    words: u64,
    exchanges: u64,
}

impl Transport for Counting<'_, '_> {
    fn rank(&self) -> u32 {
        self.ranks.rank()
    }

    fn ranks(&self) -> u32 {
        self.ranks.ranks()
    }

    fn least(&mut self, word: u64) -> Result<u64, TransportError> {
        self.words += 1;
        self.ranks.least(word)
    }

    fn exchange(&mut self, mail: &mut Mail) -> Result<(), TransportError> {
        self.exchanges += 1;
        self.ranks.exchange(mail)
    }

    fn gather(&mut self, words: Vec<u64>) -> Result<Vec<Vec<u64>>, TransportError> {
        self.ranks.gather(words)
    }
}

/// Ranks in a row, of which each has two neighbours at the most: nearly all of their turns are without a word of all.
#[test]
fn ranks_go_on_with_their_neighbours_alone() {
    let each = Station::new("s", "exponential:10".parse().unwrap()).tokens(1);
    let torus = Network::generate(&Topology::Torus { width: 40, height: 8 }, &each, 0.0).unwrap();
    let model = model(torus.until(1000.0));
    let alone = queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched()).unwrap();
    let cut = Partition::of_stations((0..320).map(|station| station % 40 / 10).collect());
    let work = |ranks: &mut ThreadTransport<'_>| {
        let mut counting = Counting { ranks, words: 0, exchanges: 0 };
        let on = (Ranks::Over(&mut counting), cut.clone());
        let run = queueing::run(&model, 0..1, on, Default::default(), &mut unwatched()).expect("a run");
        (run.outcome.first().map(NetworkOutcome::digest), counting.words, counting.exchanges)
    };
    let ends = side_by_side(NonZeroU32::new(4).unwrap(), work, work);
    let ends: Vec<_> = ends.into_iter().map(|end| end.expect("no rank is gone")).collect();
    assert_eq!(ends[0].0, Some(alone.outcome[0].digest()));
    for (_, words, exchanges) in ends {
        assert!(words * 3 < exchanges, "{words} words of all, {exchanges} exchanges");
    }
}

/// Ends the run at its second look, or later where little has happened: the machine may be busy with something else.
fn second() -> impl Watch {
    let mut looks = 0;
    move |progress: &Progress| {
        assert!(progress.clock < progress.until);
        looks += 1;
        if looks >= 2 && progress.events > 1000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// A run that would take minutes is whole up to the clock at which it was stopped, before and after the warm-up.
#[test]
fn an_interrupted_run_is_one_with_that_horizon() {
    for (servers, warmup) in [(false, 1e6), (true, 1e6), (false, 3.0), (true, 3.0)] {
        let described = || network(5, 30, servers, Times::Delayed);
        let endless = model(described().until(1e7).warmup(warmup));
        let run = queueing::run(&endless, 0..1, threads(3), Default::default(), &mut second());
        let run = run.expect("a run").map(|mut outcomes| outcomes.remove(0));
        assert!(run.interrupted && run.clock.units() < 1e6);
        assert_eq!(run.outcome.stations.until, run.clock);
        let until = run.clock.units();
        if until <= warmup {
            // Nothing counts, but where everybody is.
            let expected = alone(&model(described().until(until))).outcome;
            let here = |outcome: &NetworkOutcome| -> Vec<_> {
                let facilities = outcome.stations.facilities.iter();
                facilities.map(|station| (station.in_service, station.serving, station.queued)).collect()
            };
            assert_eq!(here(&run.outcome), here(&expected));
            assert_eq!(
                (&run.outcome.stations.queue, run.outcome.in_transit),
                (&expected.stations.queue, expected.in_transit)
            );
            assert_eq!((run.outcome.tokens_before, run.outcome.tokens()), (expected.tokens(), expected.tokens()));
            assert_eq!(run.outcome.stations.totals().starts, 0);
            continue;
        }
        let counted = model(described().until(until).warmup(warmup));
        let expected = alone(&counted);
        assert_eq!(expected.outcome.first_difference(&run.outcome), None);
        assert_eq!((expected.outcome, expected.events), (run.outcome, run.events));
    }
}

#[test]
fn what_does_not_go_over_ranks_is_refused() {
    let refused = |network: Network, ranks: u32, cut: Option<Partition>| {
        run_over(&model(network), threads(ranks), cut, Default::default()).expect_err("refused")
    };
    let ring_of = |law: &str, servers| {
        let each = Station::new("s", law.parse().unwrap()).tokens(1).servers(servers);
        Network::generate(&Topology::Ring { stations: 4 }, &each, 0.0).unwrap()
    };
    let ring = |law| ring_of(law, 1);
    let error = refused(ring_of("exponential:1", 2), 2, None);
    assert!(matches!(error, QueueingError::CutLookahead { .. }), "{error}");
    assert!(error.to_string().contains("from 's1' to 's2' it may take none: give a window"), "{error}");
    // Where no edge crosses that has none, it runs.
    assert_over(&model(ring_of("exponential:1", 2)), 1, None);
    let error = refused(ring("constant:1").approximate(0.5), 2, None);
    assert!(matches!(error, QueueingError::NotOverRanks { .. }), "{error}");
    let error = refused(ring("constant:1").distributions(queueing::Observed::All), 2, None);
    assert!(matches!(error, QueueingError::NotOverRanks { .. }), "{error}");
    assert_eq!(refused(ring("constant:1"), 5, None), QueueingError::TooManyRanks { ranks: 5, stations: 4 });
    let two = queueing::run(&model(ring("constant:1")), 0..2, threads(2), Default::default(), &mut unwatched());
    assert!(two.expect_err("one alone").to_string().contains("no ranks share several replications: run one"));
    let cuts = [
        (vec![0, 1, 2, 0], QueueingError::CutRank { rank: 2, ranks: 2 }),
        (vec![0, 1, 0], QueueingError::CutStations { found: 3, expected: 4 }),
        (vec![1; 4], QueueingError::CutEmpty { rank: 0 }),
    ];
    for (cut, expected) in cuts {
        assert_eq!(refused(ring("constant:1"), 2, Some(Partition::of_stations(cut))), expected);
    }
}

/// A sum that passes 64 bits comes whole from the rank that has the station.
#[test]
fn sums_pass_64_bits() {
    let mut network = Network::new().until(1e9);
    for name in ["first", "second"] {
        let idle = network.station(Station::new(name, "constant:1e8".parse().unwrap()).tokens(1));
        network.route(idle, idle, 1.0, 0.0);
    }
    let desk = network.station(Station::new("desk", "constant:1e6".parse().unwrap()).tokens(5000));
    network.route(desk, desk, 1.0, 0.0);
    let model = model(network);
    let on_heap = queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched()).expect("a run");
    for cut in [vec![0, 0, 1], vec![0, 1, 0]] {
        let run = run_over(&model, threads(2), Some(Partition::of_stations(cut)), Default::default()).expect("a run");
        let record = run.outcome.stations.facilities[2];
        assert_eq!(record.presence, (5000 * 1_000_000_000) << 32);
        assert_eq!(run.outcome.digest(), on_heap.outcome[0].digest());
    }
}

/// A checkpoint of another network, or of several replications, is none of this run.
#[test]
fn checkpoints_of_others_are_refused() {
    let ring = |stations| {
        let each = Station::new("s", "constant:1".parse().unwrap()).tokens(2);
        model(Network::generate(&Topology::Ring { stations }, &each, 0.0).unwrap().until(20.0))
    };
    let at = |model: &NetworkModel, replications| {
        let restartable = Restartable { model, from: None };
        queueing::run(restartable, 0..replications, Target::Heap, Default::default(), &mut unwatched())
    };
    let (own, other) = (ring(8), ring(9));
    for at in [at(&other, 1), at(&own, 2)] {
        let from = at.expect("a run").outcome;
        let from = Restartable { model: &own, from: Some(&from) };
        let error = queueing::run(from, 0..1, threads(2), Default::default(), &mut unwatched());
        assert!(matches!(error, Err(QueueingError::Checkpoint { .. })), "{:?}", error.map(|run| run.events));
    }
    // What has ended stays as it is.
    let ended = at(&own, 1).expect("a run").outcome;
    let from = Restartable { model: &own, from: Some(&ended) };
    let run = queueing::run(from, 0..1, threads(2), Default::default(), &mut unwatched()).expect("nothing to do");
    assert_eq!((run.events, run.outcome, run.interrupted), (0, ended, false));
}
