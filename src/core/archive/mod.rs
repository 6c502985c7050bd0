//! Arrays with names and a head, in one file: what shards of ensembles and checkpoints are kept in.
//!
//! The layout is that of [safetensors](https://github.com/huggingface/safetensors): the length of a JSON header in 64 bits, the
//! header, and the arrays, everything little-endian. Every array has words of 64 bits without a sign (`U64`), but `head`, which is
//! a JSON text (`U8`): what the arrays are. The header's `__metadata__` has one text, `tickless`, which is JSON again: what kind of
//! file it is, the version of the layout, and SHA-256 over all of it. So NumPy reads the arrays, and a changed bit anywhere is
//! found.

mod array;
#[cfg(feature = "files")]
mod file;

use crate::memory::NoMemory;
pub use array::{Arrays, rows, wrong};
#[cfg(feature = "files")]
pub use file::{read, read_file, write, write_file};

/// The version of the layout.
const VERSION: u32 = 2;
/// The name of the text in the metadata.
#[cfg(feature = "files")]
const NAME: &str = "tickless";
/// The name of the head among the arrays.
#[cfg(feature = "files")]
const HEAD: &str = "head";

/// Why a file is none of these.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// Another kind of file, or one whose first bytes are damaged.
    #[error("it is no {kind} of tickless, or its beginning is damaged ({cause})")]
    Foreign {
        /// What was looked for.
        kind: &'static str,
        /// What gave it away.
        cause: String,
    },
    /// Less or more than the header says.
    #[error("it has {found} bytes, and its header says {expected}: it was not written or copied to its end")]
    Length {
        /// Bytes that there are.
        found: u64,
        /// Bytes that there should be.
        expected: u64,
    },
    /// A later tickless wrote it.
    #[error("it has version {found} of its format; this tickless reads version {VERSION}: take a later one")]
    Newer {
        /// The version that it has.
        found: u32,
    },
    /// An earlier tickless wrote it.
    #[error(
        "it has version {found} of its format, and this tickless reads version {VERSION}: take the one that wrote it"
    )]
    Older {
        /// The version that it has.
        found: u32,
    },
    /// Its contents are not those that were written.
    #[error("it is damaged: SHA-256 over its contents is {found}, and was {expected}: take another copy, or run again")]
    Damaged {
        /// As the file has it.
        expected: String,
        /// Of what is there.
        found: String,
    },
    /// An array that is missing, or that is not as long as the model says.
    #[error("its array `{name}` {fault}: it is of another model, or another version of tickless wrote it")]
    Array {
        /// The name.
        name: String,
        /// What is wrong with it.
        fault: String,
    },
    /// The system does not give or take it.
    #[error(transparent)]
    File(#[from] std::io::Error),
    /// An array or a head that no file holds.
    #[error("no file holds it ({cause})")]
    Unwritten {
        /// What the layout has against it.
        cause: String,
    },
    /// No memory for it.
    #[error(transparent)]
    Memory(#[from] NoMemory),
}

#[cfg(all(test, feature = "files"))]
mod tests;
