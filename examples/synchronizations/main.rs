//! The pictures of docs/synchronization.md: `cargo run --release --example synchronizations [FOLDER]` (docs/pictures
//! without one).
//!
//! One small ring of stations, three times: `window.png`, `appointments.png` and `interval.png` show which round
//! decides which service. The rounds are replayed here in a few lines each. Asserts that what they decide is, to the
//! last bit, what the heap simulator finds, and that a device, where there is one, decides as many arrivals in each
//! round and finds the same.

mod pictures;
mod rounds;

use std::error::Error;
use std::ops::ControlFlow;
use std::path::PathBuf;

use rounds::{Replay, STATIONS, neighbour};
use tickless::device::Target;
use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice};
use tickless::engine::{BatchSize, Options};
use tickless::queueing::NetworkOptions;
use tickless::queueing::{self, Network, NetworkModel, Station};
use tickless::run::{Progress, unwatched};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// With it the third picture has a causality error.
const SEED: u64 = 46;
/// What a picture shows, in time units.
const SHOWN: f64 = 50.0;
/// The window, and the interval of approximate time.
const STEP: f64 = 4.0;

fn main() -> Result<()> {
    let folder = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("docs/pictures"), PathBuf::from);
    let device = WgpuDevice::open(&Selection::Auto, OpenOptions::default());
    if let Err(error) = &device {
        println!("the rounds are not held against a device: {error}");
    }
    let device = device.ok();
    pictures::register()?;
    for kind in [Kind::Window, Kind::Appointments, Kind::Interval] {
        let long = ring(kind, 1000.0)?;
        check(kind, &Replay::new(kind, &long), device.as_ref())?;
        let short = ring(kind, SHOWN)?;
        let replay = Replay::new(kind, &short);
        check(kind, &replay, device.as_ref())?;
        let path = pictures::draw(kind, &replay, &folder)?;
        println!("{}: {} rounds until {SHOWN}", path.display(), replay.rounds.len());
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Window,
    Appointments,
    Interval,
}

/// Stations in a ring with one token each; a token goes to either neighbour with the same probability.
fn ring(kind: Kind, until: f64) -> Result<NetworkModel> {
    let mut network = Network::new().until(until).seed(SEED);
    let law = "exponential:10".parse::<tickless::random::ServiceLaw>()?;
    let ids: Vec<_> =
        (0..STATIONS).map(|id| network.station(Station::new(format!("s{id}"), law.clone()).tokens(1))).collect();
    for (place, id) in ids.iter().enumerate() {
        [0, 1].into_iter().for_each(|edge| network.route(*id, ids[neighbour(place, edge)], 0.5, 0.0));
    }
    let network = match kind {
        Kind::Window => network.window(STEP),
        Kind::Appointments => network,
        Kind::Interval => network.approximate(STEP),
    };
    Ok(network.check()?)
}

/// Holds a replay against the heap simulator and a device: the records of both, and how many arrivals the device has
/// decided after each round.
fn check(kind: Kind, replay: &Replay, device: Option<&WgpuDevice>) -> Result<()> {
    let expected = queueing::run(replay.model, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
    let (found, expected) = (replay.outcome(), &expected.outcome[0]);
    assert_eq!(expected.first_difference(&found), None);
    assert_eq!(expected.digest(), found.digest());
    let Some(device) = device else { return Ok(()) };
    // A device makes appointments in pairs of rounds, and counts a pair when the next one begins.
    let (pair, behind) = if kind == Kind::Appointments { (2, 2) } else { (1, 0) };
    let mut watch = |progress: &Progress| {
        let counted = replay.rounds.iter().take(progress.rounds.saturating_sub(behind) as usize);
        assert_eq!(progress.events, counted.map(|round| round.decided).sum::<u64>(), "round {}", progress.rounds);
        ControlFlow::Continue(())
    };
    let rounds = Options { batch: BatchSize::Rounds(1), ..Options::default() };
    let options = NetworkOptions { rounds, ..NetworkOptions::default() };
    let run = queueing::run(replay.model, 0..1, Target::Device(device), options, &mut watch)?;
    assert_eq!(run.outcome[0].digest(), found.digest());
    assert_eq!(run.rounds, Some((replay.rounds.len() as u64).next_multiple_of(pair)));
    Ok(())
}
