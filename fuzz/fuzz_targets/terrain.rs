//! Tables of what letters cost: with what is accepted a map is read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tickless::pathfinding::{Map, Terrain};

fuzz_target!(|text: &str| {
    let Ok(terrain) = Terrain::parse(text, "fuzz.csv") else { return };
    for letter in b'!'..=b'~' {
        let map = format!("type octile\nheight 1\nwidth 2\nmap\n{0}{0}\n", char::from(letter));
        let map = Map::parse(&map, "fuzz.map", &terrain).ok();
        assert_eq!(map.map(|map| map.costs()[1]), terrain.cost(letter));
    }
});
