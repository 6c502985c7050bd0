//! ESRI ASCII grids: what is accepted as fuels, or as heights, burns.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tickless::cells::fire::{Fire, Grid, Landscape, Weather};
use tickless::cells::reference;
use tickless::run::unwatched;

fuzz_target!(|text: &str| {
    let Ok(grid) = Grid::parse(text, "fuzz.asc") else { return };
    let mut written = vec![];
    grid.write(&mut written, 6).expect("a text is written");
    let fuel = Grid { values: vec![1.0; grid.values.len()], ..grid.clone() };
    let as_fuel = Landscape::from_grids(&grid, None, Some(&grid));
    for landscape in [as_fuel, Landscape::from_grids(&fuel, Some(&grid), None)].into_iter().flatten() {
        if let Ok(fire) = Fire::new(landscape, Weather::still()).until(100.0).check() {
            let _ = reference::run(&fire, None, &mut unwatched());
        }
    }
});
