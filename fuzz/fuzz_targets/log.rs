//! Logs of cells: what is read and written is read as the same outputs.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tickless::cells::log::{CellLog, LogReader, LogWriter};

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut log) = LogReader::new(bytes) else { return };
    let head = log.head().clone();
    let Ok(entries) = log.by_ref().collect::<Result<Vec<_>, _>>() else { return };
    let mut writer = LogWriter::new(vec![], &head).expect("a head is written");
    for entry in &entries {
        writer.sent(entry.cell, entry.time, &entry.output).expect("an output is written");
    }
    let written = writer.finish().expect("a log is written");
    let again: Result<Vec<_>, _> = LogReader::new(&written[..]).expect("a log").collect();
    assert_eq!(again.expect("the outputs"), entries);
});
