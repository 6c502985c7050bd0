//! Files of paths: whatever they hold, every cell that is read lies on the map.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tickless::pathfinding::PathReader;

fuzz_target!(|bytes: &[u8]| {
    let Ok(paths) = PathReader::new(bytes) else { return };
    let head = paths.head().clone();
    for step in paths.map_while(Result::ok) {
        assert!(step.search < head.searches && step.cell.column < head.width && step.cell.row < head.height);
    }
});
