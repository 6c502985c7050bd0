//! A torus in a dozen lines: 65,536 facilities until time 200 on the adapter that `auto` takes.
//!
//! Shows the whole way from a description to its figures. Asserts the number of completions, which every adapter
//! and the heap simulator give alike.

use tickless::device::Target;
use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice};
use tickless::queueing::{self, Network, Station, Topology, combined_digest};
use tickless::run::unwatched;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let each = Station::new("facility ", "exponential:10".parse()?).tokens(1);
    let torus = Network::generate(&Topology::Torus { width: 256, height: 256 }, &each, 0.0)?;
    let model = torus.window(1.0).until(200.0).check()?;
    let device = WgpuDevice::open(&Selection::Auto, OpenOptions::default())?;
    let run = queueing::run(&model, 0..1, Target::Device(&device), Default::default(), &mut unwatched())?;
    let figures = run.outcome[0].stations.statistics();
    println!("{} completions, busy {:.4}", figures.completions, figures.mean_busy);
    println!("mean waiting time {:.3}, digest {}", figures.mean_waiting_time, combined_digest(&run.outcome));
    assert_eq!(figures.completions, 718_157);
    Ok(())
}
