//! Tables of weather: in what is accepted a meadow burns.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tickless::cells;
use tickless::cells::fire::{Fire, Landscape, Weather};
use tickless::device::Target;
use tickless::run::unwatched;

fuzz_target!(|text: &str| {
    let Ok(weather) = Weather::parse(text, "fuzz.csv") else { return };
    let meadow = Landscape::uniform(5, 5, 30.0, 102).expect("a meadow");
    if let Ok(fire) = Fire::new(meadow, weather).until(1000.0).check() {
        let _ = cells::run(&fire, 0..1, Target::Heap, Default::default(), &mut unwatched());
    }
});
