//! Tables of ignitions: a meadow burns where they are.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tickless::cells;
use tickless::cells::fire::{Fire, Ignition, Landscape, Weather};
use tickless::device::Target;
use tickless::run::unwatched;

fuzz_target!(|text: &str| {
    let Ok(ignitions) = Ignition::parse(text, "fuzz.csv") else { return };
    let meadow = Landscape::uniform(20, 10, 30.0, 1).expect("a meadow");
    if let Ok(fire) = Fire::new(meadow, Weather::still()).ignite(ignitions).until(1000.0).check() {
        let _ = cells::run(&fire, 0..1, Target::Heap, Default::default(), &mut unwatched());
    }
});
