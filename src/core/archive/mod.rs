//! Arrays with names and a head, in one file: shards of ensembles and checkpoints are such files.
//!
//! The layout is that of [safetensors](https://github.com/huggingface/safetensors): the length of a JSON header in 64 bits, the
//! header, and the arrays, everything little-endian. Every array has unsigned words of 64 bits (`U64`), except `head`, a JSON text
//! (`U8`) that describes the arrays. The header's `__metadata__` has one text, `tickless`, which is JSON again: the kind of the
//! file, the version of the layout, and SHA-256 over all of it. So NumPy reads the arrays, and a changed bit anywhere is found.

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

/// Why a file cannot be read or written as arrays.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// Another kind of file, or one whose first bytes are damaged.
    #[error("it is no {kind} of tickless, or its beginning is damaged ({cause})")]
    Foreign {
        /// The expected kind of file.
        kind: &'static str,
        /// Why it is not such a file.
        cause: String,
    },
    /// The file is shorter or longer than its header says.
    #[error("it has {found} bytes, and its header says {expected}: it was not written or copied to its end")]
    Length {
        /// Its bytes.
        found: u64,
        /// The bytes that its header says.
        expected: u64,
    },
    /// A later tickless wrote the file.
    #[error("it has version {found} of its format; this tickless reads version {VERSION}: take a later one")]
    Newer {
        /// The version in the file.
        found: u32,
    },
    /// An earlier tickless wrote the file.
    #[error(
        "it has version {found} of its format, and this tickless reads version {VERSION}: take the one that wrote it"
    )]
    Older {
        /// The version in the file.
        found: u32,
    },
    /// The contents are not as they were written.
    #[error("it is damaged: SHA-256 over its contents is {found}, and was {expected}: take another copy, or run again")]
    Damaged {
        /// The hash in the file.
        expected: String,
        /// The hash of the contents.
        found: String,
    },
    /// An array that is missing, or whose length does not fit the model.
    #[error("its array `{name}` {fault}: it is of another model, or another version of tickless wrote it")]
    Array {
        /// The name.
        name: String,
        /// The fault.
        fault: String,
    },
    /// The system cannot read or write the file.
    #[error(transparent)]
    File(#[from] std::io::Error),
    /// An array or a head that no file holds.
    #[error("no file holds it ({cause})")]
    Unwritten {
        /// Why the layout does not allow it.
        cause: String,
    },
    /// Too little memory for the file.
    #[error(transparent)]
    Memory(#[from] NoMemory),
}

#[cfg(all(test, feature = "files"))]
mod tests;
