//! ESRI ASCII grids: what is accepted as fuels, or as heights, burns.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tickless::cells;
use tickless::cells::fire::{Fire, FuelModels, Grid, Landscape, Layers, Weather};
use tickless::device::Target;
use tickless::run::unwatched;

fuzz_target!(|text: &str| {
    let Ok(grid) = Grid::parse(text, "fuzz.asc") else { return };
    let mut written = vec![];
    grid.write(&mut written, 6).expect("a text is written");
    let fuel = Grid { values: vec![1.0; grid.values.len()], ..grid.clone() };
    let as_fuel = Layers { suppressed: Some(grid.clone()), ..Layers::new(grid.clone()) };
    let as_heights = Layers { elevation: Some(grid), ..Layers::new(fuel) };
    for landscape in [as_fuel, as_heights].iter().flat_map(|layers| Landscape::of_layers(layers, FuelModels::default())) {
        if let Ok(fire) = Fire::new(landscape, Weather::still()).until(100.0).check() {
            let _ = cells::run(&fire, 0..1, Target::Heap, Default::default(), &mut unwatched());
        }
    }
});
