//! The same model on the heap simulator and on an adapter: the same bits.
//!
//! Shows both backends side by side. Asserts that their digests are equal, and that a comparison names the first
//! facility and field where one bit has been changed.

use tickless::device::Target;
use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice};
use tickless::queueing::{self, Torus};
use tickless::run::{Place, unwatched};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = Torus::new(128, 96).tokens(2).service("erlang:3,10".parse()?).window(2.0).until(300.0).check()?;
    let expected = queueing::run(&model, Target::Heap, Default::default(), &mut unwatched())?;
    println!("heap   {}  {:.2} M completions/s", expected.outcome.digest(), expected.events_per_second() / 1e6);

    // Once with native 64-bit integers where the adapter has them, once with times of two words.
    for without_int64 in [false, true] {
        let device = WgpuDevice::open(&Selection::Auto, OpenOptions { without_int64, ..OpenOptions::default() })?;
        let run = queueing::run(&model, Target::Device(&device), Default::default(), &mut unwatched())?;
        println!("wgpu   {}  {:.2} M completions/s", run.outcome.digest(), run.events_per_second() / 1e6);
        if let Some(difference) = expected.outcome.first_difference(&run.outcome) {
            return Err(format!("a defect: {difference}").into());
        }
        assert_eq!(expected.outcome.digest(), run.outcome.digest());
    }

    let mut changed = expected.outcome.clone();
    changed.facilities[4711].waiting ^= 1;
    let difference = expected.outcome.first_difference(&changed).ok_or("one bit was changed")?;
    println!("one bit changed: {difference}");
    assert_eq!((difference.place, difference.field.as_str()), (Place::of("facility", 4711), "waiting"));
    Ok(())
}
