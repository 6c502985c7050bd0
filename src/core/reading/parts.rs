//! Long texts in parts, which all cores read or make in parallel.

use std::io::{self, Write};
use std::iter::successors;

use rayon::prelude::*;

/// Bytes of a part: the result of a part stays in the caches of a core.
pub const PART: usize = 128 << 10;

/// Cuts a text into parts of at least `part` bytes, except the last. `begin` gives the first byte at which a part may begin;
/// it must be the first byte of a character.
pub fn cut(text: &str, part: usize, begin: fn(&[u8]) -> Option<usize>) -> Vec<&str> {
    let next = |first: &usize| {
        let from = first + part;
        Some(from + begin(text.as_bytes().get(from..)?)?)
    };
    let begins: Vec<usize> = successors(Some(0), next).collect();
    let ends = begins.iter().skip(1).copied().chain([text.len()]);
    begins.iter().zip(ends).map(|(begin, end)| &text[*begin..end]).collect()
}

/// The number of parts to have in memory at a time: some for every core.
pub fn at_once() -> usize {
    4 * rayon::current_num_threads()
}

/// Makes the parts of a text on all cores and writes them in order. `part` makes a part from its number.
///
/// # Errors
/// The error of writing, or of the first part that fails.
pub fn write(
    out: &mut (impl Write + ?Sized),
    parts: usize,
    part: impl Fn(usize) -> io::Result<Vec<u8>> + Sync,
) -> io::Result<()> {
    for first in (0..parts).step_by(at_once()) {
        let texts: Vec<_> = (first..parts.min(first + at_once())).into_par_iter().map(&part).collect();
        for text in texts {
            out.write_all(&text?)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_where_it_may_be_and_nowhere_else() {
        let text = "größer, am größten,\n".repeat(30_000);
        let parts = cut(&text, PART, |bytes| bytes.iter().position(|byte| *byte == b'\n').map(|place| place + 1));
        assert!(parts.len() > 4 && parts.concat() == text);
        assert!(parts[..parts.len() - 1].iter().all(|part| part.ends_with('\n') && part.len() >= PART));
        assert!(parts.iter().all(|part| part.len() < PART + 30));
        assert_eq!(cut("", PART, |_| Some(0)), [""]);
        assert_eq!(cut(&text, PART, |_| None), [text.as_str()]);
    }

    #[test]
    fn parts_are_written_in_order_up_to_the_first_that_fails() {
        let parts = 3 * at_once() + 1;
        let (mut expected, mut found) = (vec![], vec![]);
        (0..parts).for_each(|part| expected.extend(format!("{part}\n").bytes()));
        write(&mut found, parts, |part| Ok(format!("{part}\n").into_bytes())).unwrap();
        assert_eq!(found, expected);
        found.clear();
        let failing = |part| if part == 5 { Err(io::Error::other("no disk")) } else { Ok(vec![b'a']) };
        assert_eq!(write(&mut found, parts, failing).unwrap_err().to_string(), "no disk");
        assert_eq!(found, [b'a'; 5]);
    }
}
