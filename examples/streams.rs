//! Shows: the random streams of neighbouring facilities, interleaved as raw bytes for a statistical battery.
//!
//! `streams FACILITIES SEED [WORDS]` writes the first draw of facility 0, 1, ... FACILITIES - 1, then the second of
//! each and so on, as little-endian 32-bit words: for ever, or WORDS of them. `scripts/battery.sh` reads it.

use std::io::{BufWriter, ErrorKind, Write};

use tickless::random::{Stream, StreamKey};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = std::env::args().skip(1).map(|text| text.parse()).collect::<Result<Vec<u64>, _>>()?;
    let &[facilities, seed, ref words @ ..] = arguments.as_slice() else {
        return Err("write: streams FACILITIES SEED [WORDS]".into());
    };
    match write(u32::try_from(facilities)?.max(1), seed, words.first().copied().unwrap_or(u64::MAX)) {
        // Whoever reads has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        ended => Ok(ended?),
    }
}

fn write(facilities: u32, seed: u64, words: u64) -> std::io::Result<()> {
    let key = StreamKey::new(seed, 0);
    let mut streams: Vec<Stream> = (0..facilities).map(|id| key.stream(id)).collect();
    let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    let mut left = words;
    loop {
        for stream in &mut streams {
            if left == 0 {
                return out.flush();
            }
            left -= 1;
            out.write_all(&stream.draw().to_le_bytes())?;
        }
    }
}
