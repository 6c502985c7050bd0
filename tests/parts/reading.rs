//! What is read back part by part.

use tickless::device::{BufferSpec, BufferUse, Device, Program, SetUp};
use tickless::run::unwatched;

use crate::adapter;

/// More than a device gives back at a time, and no whole number of parts.
const BYTES: usize = (66 << 20) + 12;

#[test]
fn large_buffers_are_read_whole() {
    let word = |place: usize| (place as u32).wrapping_mul(0x9e37_79b9);
    let contents: Vec<u8> = (0..BYTES / 4).flat_map(|place| word(place).to_le_bytes()).collect();
    for (form, device) in adapter::forms(&["native"]) {
        let mut program = Program { label: "reading".into(), ..Default::default() };
        let buffer = program.buffer(BufferSpec::filled("words", BufferUse::Storage, contents.clone()));
        let mut session = device.load(program, &mut SetUp::new(&mut unwatched())).expect("a session");
        assert_eq!(session.size(buffer), BYTES as u64, "{form}");
        assert!(session.read(buffer).expect("the contents") == contents, "{form}");
        for (begin, length) in [(4, BYTES - 8), (BYTES - 4, 4), (8 << 20, 8 << 20), (20, (16 << 20) + 4)] {
            let mut part = vec![0; length];
            session.read_into(buffer, begin as u64, &mut part).expect("a part");
            assert!(part == contents[begin..begin + length], "{form}: {length} bytes from {begin} on");
        }
    }
}
