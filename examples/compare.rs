//! The same model on the heap simulator and on an adapter: the same bits.
//!
//! Shows both backends side by side. Asserts that their digests are equal, and that a comparison names the first
//! facility and field where one bit has been changed.

use tickless::device::Target;
use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice};
use tickless::queueing::{self, Network, Station, Topology, combined_digest, first_difference};
use tickless::run::{Place, unwatched};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let each = Station::new("s", "erlang:3,10".parse()?).tokens(2);
    let torus = Network::generate(&Topology::Torus { width: 128, height: 96 }, &each, 0.0)?;
    let model = torus.window(2.0).until(300.0).check()?;
    let expected = queueing::run(&model, 0..1, Target::Heap, Default::default(), &mut unwatched())?;
    println!(
        "heap   {}  {:.2} M completions/s",
        combined_digest(&expected.outcome),
        expected.events_per_second() / 1e6
    );

    // Once with native 64-bit integers where the adapter has them, once with times of two words.
    for without_int64 in [false, true] {
        let device = WgpuDevice::open(&Selection::Auto, OpenOptions { without_int64, ..OpenOptions::default() })?;
        let run = queueing::run(&model, 0..1, Target::Device(&device), Default::default(), &mut unwatched())?;
        println!("wgpu   {}  {:.2} M completions/s", combined_digest(&run.outcome), run.events_per_second() / 1e6);
        if let Some(difference) = first_difference(&expected.outcome, &run.outcome) {
            return Err(format!("a defect: {difference}").into());
        }
        assert_eq!(combined_digest(&expected.outcome), combined_digest(&run.outcome));
    }

    let mut changed = expected.outcome.clone();
    changed[0].stations.facilities[4711].waiting ^= 1;
    let difference = first_difference(&expected.outcome, &changed).ok_or("one bit was changed")?;
    println!("one bit changed: {difference}");
    assert_eq!(
        (difference.place, difference.field.as_str()),
        (Place::of("facility", 4711).in_replication(0), "waiting")
    );
    Ok(())
}
