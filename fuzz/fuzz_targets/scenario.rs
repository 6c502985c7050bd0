//! Searches of Moving AI: those that are accepted have an answer.
#![no_main]

use std::num::NonZeroUsize;

use libfuzzer_sys::fuzz_target;
use tickless::device::Target;
use tickless::pathfinding::{self, Map, Scenario, Searches};
use tickless::run::unwatched;

fuzz_target!(|text: &str| {
    let map = Map::free(8, 8).expect("a map");
    let Ok(scenarios) = Scenario::parse(text, "fuzz.scen", &map) else { return };
    let queries = scenarios.iter().map(|scenario| scenario.query).collect();
    let model = Searches::new(map).queries(queries).check().expect("searches on the map");
    let run = pathfinding::run(&model, Target::HeapOn(NonZeroUsize::MIN), Default::default(), &mut unwatched()).expect("a run");
    for (scenario, record) in scenarios.iter().zip(&run.outcome.searches) {
        assert!(scenario.difference(record).expect("it has ended").is_finite());
        let _ = scenario.agrees(record);
    }
});
