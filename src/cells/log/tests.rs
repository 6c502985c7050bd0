//! Logs are read as written, and anything else is refused.

use proptest::prelude::*;

use super::*;
use crate::log::{LogEntry, LogReader, LogWriter};

fn head(replications: u32, words: usize) -> LogHead {
    let word = |n| LogWord { name: format!("w{n}"), meaning: Meaning::Count { fraction: 0 } };
    LogHead { model: "any".into(), size: [50, 20, 1], layers: 1, replications, words: (0..words).map(word).collect() }
}

fn written(head: &LogHead, entries: &[LogEntry]) -> Vec<u8> {
    let mut log = LogWriter::new(vec![], head).unwrap();
    entries.iter().for_each(|entry| log.sent(entry.cell, entry.time, &entry.output).unwrap());
    log.finish().unwrap()
}

fn read(bytes: &[u8]) -> Result<Vec<LogEntry>, LogError> {
    LogReader::new(bytes)?.collect()
}

/// Outputs in the order of a log.
fn entries() -> impl Strategy<Value = Vec<LogEntry>> {
    let entry = (0..4_u32, prop_oneof![0..6_u64, any::<u64>()], 0..1000_u32, any::<[u32; 2]>());
    prop::collection::vec(entry, 0..60).prop_map(|mut all| {
        all.sort_by_key(|&(replication, time, id, _)| (replication, time, id));
        let entry = |(replication, time, id, output): (u32, u64, u32, [u32; 2])| LogEntry {
            cell: Cell { id, replication },
            time: Time::from_ticks(time),
            output: output.to_vec(),
        };
        all.into_iter().map(entry).collect()
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read(entries in entries()) {
        let bytes = written(&head(4, 2), &entries);
        prop_assert_eq!(read(&bytes).unwrap(), entries);
    }

    #[test]
    fn a_log_that_is_cut_says_so(entries in entries(), cut in 1..400_usize) {
        let bytes = written(&head(4, 2), &entries);
        let start = written(&head(4, 2), &[]).len() - 2;
        let kept = bytes.len() - 1 - cut % (bytes.len() - start);
        let found: Vec<_> = LogReader::new(&bytes[..kept.max(start)]).unwrap().collect();
        let Some((last, before)) = found.split_last() else {
            prop_assert!(bytes[..kept].ends_with(&[0, 0]));
            return Ok(());
        };
        let whole: Vec<_> = before.iter().map(|entry| entry.as_ref().unwrap()).collect();
        // Between two replications the end cannot be seen.
        if let Err(error) = last {
            let cut_off = matches!(error, LogError::Truncated { outputs } if *outputs == whole.len() as u64);
            prop_assert!(cut_off, "{}", error);
        } else {
            prop_assert!(bytes[..kept].ends_with(&[0, 0]));
        }
        prop_assert!(whole.iter().zip(&entries).all(|(a, b)| *a == b));
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&bytes);
        let whole = [&written(&head(2, 1), &[])[..], &bytes].concat();
        let _ = read(&whole);
        let mut headless = whole;
        let end = headless.len() - bytes.len() - 2;
        headless.drain(end..end + 2);
        let _ = read(&headless);
    }
}

/// A file with the head of `head(2, 1)` and these bytes.
fn bytes(body: &[u8]) -> Vec<u8> {
    let mut bytes = written(&head(2, 1), &[]);
    bytes.truncate(bytes.len() - 2);
    bytes.extend(body);
    bytes
}

#[test]
fn the_bytes_are_those_of_the_format() {
    let sent = |replication, ticks, id, word| LogEntry {
        cell: Cell { id, replication },
        time: Time::from_ticks(ticks),
        output: vec![word],
    };
    let entries = [sent(0, 0, 3, 200), sent(0, 0, 5, 0), sent(0, 300, 5, 1), sent(1, 0, 0, 7)];
    let body = [4, 0xc8, 1, 3, 0, 0, 0xac, 2, 6, 1, 0, 0, 1, 7, 0, 0];
    assert_eq!(written(&head(2, 1), &entries), bytes(&body));
}

#[test]
fn what_no_run_writes_is_named() {
    let message = |body: &[u8]| read(&bytes(body)).unwrap_err().to_string();
    assert_eq!(
        message(&[0xe9, 7, 1]),
        "the log is damaged: output 0 is of cell 1000, and there are 1000; run the model again with a log, or take another copy"
    );
    assert!(message(&[1, 0xff, 0xff, 0xff, 0xff, 0x7f]).contains("output 0 is of a word of more than 32 bits; run"));
    assert!(message(&[0xff; 12]).contains("a number of more than 64 bits; run the model again"));
    assert!(message(&[1, 1, 0, 0, 0, 0, 1, 1]).contains("output 1 is of more replications than its head says; run"));
    let cut = message(&[1]);
    assert!(
        cut.starts_with("the log ends in the middle, after 0 outputs") && cut.ends_with("again with a log"),
        "{cut}"
    );
    assert!(message(&[]).starts_with("the log ends in the middle"));
}

#[test]
fn another_file_is_not_read() {
    let foreign = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
    assert!(foreign(b"replication,time\n").contains("does not begin with the line"));
    assert!(
        foreign(b"tickless cells log 1\n{\"model\": 3}\n")
            .contains("its second line is no head of a log; give the file")
    );
    let mut none = head(1, 0);
    none.size[1] = 0;
    assert!(foreign(&written(&none, &[])).contains("no cells"));
    for layers in [0, 3] {
        let cut = LogHead { layers, ..head(1, 0) };
        assert!(foreign(&written(&cut, &[])).contains("layers that do not make up its planes"));
    }
    let mut fine = head(1, 1);
    fine.words[0].meaning = Meaning::Number { fraction: 40 };
    assert!(foreign(&written(&fine, &[])).contains("bits of fraction"));
}

#[test]
fn an_output_of_other_words_is_refused() {
    let mut log = LogWriter::new(vec![], &head(1, 2)).unwrap();
    let error = log.sent(Cell { id: 0, replication: 0 }, Time::ZERO, &[1]).unwrap_err();
    assert!(error.to_string().contains("has 1 words, and the head of the log names 2"));
}
