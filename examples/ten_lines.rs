//! A torus in ten lines: 65,536 facilities until time 200 on the adapter that `auto` takes.
//!
//! Shows the whole way from a description to its figures. Asserts the number of completions, which every adapter
//! and the heap simulator give alike.

use tickless::device::Target;
use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice};
use tickless::queueing::{self, Torus};
use tickless::run::unwatched;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = Torus::new(256, 256).service("exponential:10".parse()?).window(1.0).until(200.0).check()?;
    let device = WgpuDevice::open(&Selection::Auto, OpenOptions::default())?;
    let run = queueing::run(&model, Target::Device(&device), Default::default(), &mut unwatched())?;
    let figures = run.outcome.statistics();
    println!("{} completions, utilization {:.4}", figures.completions, figures.utilization);
    println!("mean waiting time {:.3}, digest {}", figures.mean_waiting_time, run.outcome.digest());
    assert_eq!(figures.completions, 718_157);
    Ok(())
}
