//! What ranks on devices leave at a checkpoint is what is in the network on one heap at that time.

use std::num::NonZeroU32;
use std::ops::ControlFlow;

use super::*;
use crate::reference::over::tests::{network, on_one_heap};
use crate::{Network, Source, Station};
use tickless_core::random::StreamKey;
use tickless_core::run::{Progress, unwatched};
use tickless_device::Device;
use tickless_device::wgpu::{OpenOptions, Selection, WgpuDevice};

/// Ranks of which some are on a device (`d`), of a cut that is drawn.
fn part(
    model: &NetworkModel,
    at: Option<&Checkpoint>,
    (places, device): (&str, &dyn Device),
    watch: &mut dyn Watch,
) -> Run<Checkpoint, NetworkDetails> {
    let count = places.len() as u32;
    let mut draws = StreamKey::new(u64::from(count), 3).stream(0);
    let drawn = (0..model.stations()).map(|id| if id < count { id } else { draws.draw() % count });
    let options = OverOptions { cut: Some(Cut::of_stations(drawn.collect())), ..OverOptions::default() };
    let on_device: Vec<bool> = places.chars().map(|place| place == 'd').collect();
    let target = |rank: u32| if on_device[rank as usize] { Target::Device(device) } else { Target::Heap };
    let ranks = Ranks::Threads(NonZeroU32::new(count).unwrap());
    let run = run_from_over_targets(model, 0, at, ranks, target, options, watch);
    run.unwrap_or_else(|error| panic!("{places}: {error}")).expect("rank 0")
}

/// Stations of many servers, whose services end in another order than they begin, and long ways between them, of which two lead to
/// one station: so that many tokens of one station are on their way. Some find no room.
fn far() -> NetworkModel {
    let mut network = Network::new().seed(8).warmup(4.0).until(1500.0);
    let station = |id: u32| Station::new(format!("s{id}"), "histogram:1*1,1.5*3,2.8".parse().unwrap());
    let stations: Vec<_> = (0..6)
        .map(|id| network.station(station(id).servers(8).tokens(20).capacity(if id < 3 { 20 } else { 40 })))
        .collect();
    let exit = network.sink("exit");
    for (id, &from) in stations.iter().enumerate() {
        for (step, probability, delay) in [(1, 0.3, 6.0), (1, 0.2, 9.5), (3, 0.4, 5.25)] {
            network.route(from, stations[(id + step) % 6], probability, delay);
        }
        network.route(from, exit, 0.1, 2.0);
        network.source(Source::new(format!("q{id}"), "exponential:3".parse().unwrap(), from));
    }
    network.check().unwrap()
}

#[test]
fn a_checkpoint_over_devices_is_that_of_one_heap() {
    let device = match WgpuDevice::open(&Selection::Auto, OpenOptions::default()) {
        Ok(device) => device,
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "{error}");
            return eprintln!("SKIPPED: {error}");
        }
    };
    let mut stops = 0;
    let of = |seed, law| network(seed, 12, 4, law);
    for (what, model) in [("ties", of(3, "constant:1")), ("ticks", of(4, "uniform:1,1.000000001")), ("far", far())] {
        let has = |is: &dyn Fn(u32) -> bool| (0..model.stations()).any(is);
        assert!(has(&|station| model.servers(station) > 1) && has(&|station| model.capacity(station) < u32::MAX));
        let mut at: Option<Checkpoint> = None;
        // What is left by one kind of rank is taken up by the other.
        for places in ["dd", "dhd", "dd"] {
            let mut stop = |progress: &Progress| {
                if progress.rounds > 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let run = part(&model, at.as_ref(), (places, &device), &mut stop);
            if run.interrupted {
                stops += 1;
                let (_, clock, state) = run.outcome.only().unwrap();
                assert_eq!(*state, on_one_heap(&model, clock), "{what}, {places}, at {clock}");
                run.outcome.check(&model, 1).unwrap();
            }
            at = Some(run.outcome);
        }
        let rest = part(&model, at.as_ref(), ("hh", &device), &mut unwatched());
        let whole = part(&model, None, ("hh", &device), &mut unwatched());
        assert_eq!(rest.outcome, whole.outcome, "{what}");
    }
    assert!(stops >= 6, "{stops} stops");
}
