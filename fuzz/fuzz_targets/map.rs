//! Maps of Moving AI: on what is accepted a path is searched.
#![no_main]

use std::num::NonZeroUsize;

use libfuzzer_sys::fuzz_target;
use tickless::device::Target;
use tickless::pathfinding::{self, Map, Searches, Terrain, random_queries};
use tickless::run::unwatched;

fuzz_target!(|text: &str| {
    let Ok(map) = Map::parse(text, "fuzz.map", &Terrain::default()) else { return };
    let queries = random_queries(&map, 2, 1);
    let model = Searches::new(map).paths(true).queries(queries).check().expect("searches on the map");
    pathfinding::run(&model, Target::HeapOn(NonZeroUsize::MIN), Default::default(), &mut unwatched()).expect("a run");
});
