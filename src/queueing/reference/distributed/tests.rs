//! The state of a network when its run over ranks stops is its state on one heap at that time.

use std::num::NonZeroU32;
use std::ops::ControlFlow;

use super::*;
use crate::{Checkpoint, Network, NetworkModel, Partition, Source, Station};
use tickless_core::random::StreamKey;
use tickless_core::ranks::Ranks;
use tickless_core::run::{Progress, Restartable, unwatched};
use tickless_device::On;

/// So many stations, some of them with several servers, with delays and sources; tokens of one station leave in turn for stations
/// of every rank and for sinks, some at one instant.
pub(crate) fn network(seed: u64, count: u32, servers: u32, law: &str) -> NetworkModel {
    let mut stream = StreamKey::new(seed, 9).stream(0);
    let mut draw = |below: u32| stream.draw() % below;
    let mut network = Network::new().seed(seed).warmup(40.0).until(40_000.0);
    let stations: Vec<_> = (0..count)
        .map(|i| {
            let station = Station::new(format!("s{i}"), law.parse().unwrap()).tokens(draw(4));
            let station = if draw(2) == 0 { station.servers(1 + draw(servers)) } else { station };
            network.station(if draw(4) == 0 { station.capacity(5 + draw(3)) } else { station })
        })
        .collect();
    let exit = network.sink("exit");
    for (i, &from) in (0..).zip(&stations) {
        for way in 0..3 {
            let to = if way == 0 { (i + 1) % count } else { draw(count) };
            let delay = 0.5 + f64::from(draw(5)) * if law.starts_with("uniform") { 1.0 / 4_294_967_296.0 } else { 0.5 };
            network.route(from, stations[to as usize], 0.3, delay);
        }
        network.route(from, exit, 0.1, f64::from(draw(2)));
    }
    for i in 0..3 {
        let source = Source::new(format!("q{i}"), "exponential:1.5".parse().unwrap(), stations[draw(count) as usize]);
        network.source(if draw(2) == 0 { source.limit(40) } else { source });
    }
    network.check().unwrap()
}

/// The state on one heap, at a time.
pub(crate) fn on_one_heap(model: &NetworkModel, clock: Time) -> State {
    fn advanced<'a>(mut heap: impl OnHeap<'a>, key: StreamKey, clock: Time) -> State {
        heap.begin(&mut Asking::new(&mut unwatched())).unwrap();
        heap.advance(clock).unwrap();
        heap.state(key, clock).unwrap().0
    }
    let key = model.key(0);
    if Simulator::of(model, false) != Simulator::Oracle {
        return advanced(Singles::<u64>::new(model, key, None), key, clock);
    }
    advanced(Oracle::new(model, key, None), key, clock)
}

#[test]
fn a_checkpoint_over_ranks_is_that_of_one_heap() {
    let mut stops = 0;
    for (seed, servers, law) in
        [(1, 1, "exponential:0.5"), (2, 3, "exponential:0.5"), (3, 3, "constant:1"), (4, 4, "uniform:1,1.000000001")]
    {
        let model = network(seed, 12, servers, law);
        let model = &model;
        let alone = || Ranks::Threads(NonZeroU32::MIN);
        let whole =
            crate::run(Restartable { model, from: None }, 0..1, alone(), Default::default(), &mut unwatched()).unwrap();
        let (mut at, mut events): (Option<Checkpoint>, u64) = (None, 0);
        for ranks in [2, 3, 2, 4] {
            let mut stop = |progress: &Progress| {
                if progress.rounds > 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let mut draws = StreamKey::new(seed, 3).stream(ranks);
            let drawn = (0..12).map(|id| if id < ranks { id } else { draws.draw() % ranks });
            let cut = (ranks != 3).then(|| Partition::of_stations(drawn.collect()));
            let threads = Ranks::Threads(NonZeroU32::new(ranks).unwrap());
            let run = crate::run(
                Restartable { model, from: at.as_ref() },
                0..1,
                On::Ranks(threads, cut),
                Default::default(),
                &mut stop,
            )
            .unwrap();
            events += run.events;
            if run.interrupted {
                stops += 1;
                let (_, clock, state) = run.outcome.only().unwrap();
                assert_eq!(clock, run.clock);
                assert_eq!(*state, on_one_heap(model, clock), "{law}, at {clock}");
                run.outcome.check(model, 1).unwrap();
            }
            at = Some(run.outcome);
        }
        let rest =
            crate::run(Restartable { model, from: at.as_ref() }, 0..1, alone(), Default::default(), &mut unwatched())
                .unwrap();
        assert_eq!(rest.outcome, whole.outcome, "{law}");
        assert_eq!(events + rest.events, whole.events, "{law}");
    }
    assert!(stops >= 6, "{stops} stops");
}
