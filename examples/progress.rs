//! Progress and cancellation through a `Watch`.
//!
//! Shows a run that reports how far it has come after every batch and that is stopped after a million events.
//! Asserts that what it then holds is whole: the heap simulator, run to the same clock, gives the same bits.

use std::ops::ControlFlow;

use tickless::device::Target;
use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice};
use tickless::engine::{BatchSize, Options};
use tickless::queueing::{self, Network, NetworkOptions, Station, Topology, combined_digest};
use tickless::run::{Progress, unwatched};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let each = Station::new("s", "exponential:10".parse()?).tokens(1);
    let torus = Network::generate(&Topology::Torus { width: 256, height: 256 }, &each, 0.0)?.window(1.0).until(1e6);
    let device = WgpuDevice::open(&Selection::Auto, OpenOptions::default())?;
    let mut watch = |progress: &Progress| {
        let share = 100.0 * progress.clock.units() / progress.until.units();
        println!("time {:7.2} ({share:.4} %), {} events, {} rounds", progress.clock, progress.events, progress.rounds);
        if progress.events < 1_000_000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    // An adaptive batch takes about 30 ms; a fixed one makes the same number of rounds on every adapter.
    let options = Options { batch: BatchSize::Rounds(50), ..Options::default() };
    let run = queueing::run(
        &torus.clone().check()?,
        0..1,
        Target::Device(&device),
        NetworkOptions { rounds: options, ..Default::default() },
        &mut watch,
    )?;
    println!("stopped at time {}: {} events, {}", run.clock, run.events, combined_digest(&run.outcome));
    assert!(run.interrupted && run.events >= 1_000_000 && run.clock.units() < 1e6);

    let same = torus.until(run.clock.units()).check()?;
    let whole = queueing::run(&same, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
    assert_eq!((whole.events, combined_digest(&whole.outcome)), (run.events, combined_digest(&run.outcome)));
    Ok(())
}
