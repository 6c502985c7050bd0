//! Arrays with names and a head, in one file: what shards of ensembles and checkpoints are kept in.
//!
//! The layout is that of [safetensors](https://github.com/huggingface/safetensors): the length of a JSON header in 64 bits, the
//! header, and the arrays, everything little-endian. Every array has words of 64 bits without a sign (`U64`), but `head`, which is
//! a JSON text (`U8`): what the arrays are. The header's `__metadata__` has one text, `tickless`, which is JSON again: what kind of
//! file it is, the version of the layout, and SHA-256 over all of it. So NumPy reads the arrays, and a changed bit anywhere is
//! found.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use safetensors::{Dtype, SafeTensorError, SafeTensors, View};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::memory::{self, NoMemory};
use crate::reading;

/// The version of the layout.
const VERSION: u32 = 2;
/// The name of the text in the metadata.
const NAME: &str = "tickless";
/// The name of the head among the arrays.
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

/// Words in rows and columns, as `shape` says, the last index the fastest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    shape: Vec<usize>,
    words: Vec<u64>,
}

impl Array {
    fn bytes(&self) -> Cow<'_, [u8]> {
        if cfg!(target_endian = "little") {
            return bytemuck::cast_slice(&self.words).into();
        }
        self.words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}

/// What lies in a file under a name.
enum Item<'a> {
    Head { text: &'a str, shape: [usize; 1] },
    Words(&'a Array),
}

impl View for &Item<'_> {
    fn dtype(&self) -> Dtype {
        match self {
            Item::Head { .. } => Dtype::U8,
            Item::Words(_) => Dtype::U64,
        }
    }

    fn shape(&self) -> &[usize] {
        match self {
            Item::Head { shape, .. } => shape,
            Item::Words(array) => &array.shape,
        }
    }

    fn data(&self) -> Cow<'_, [u8]> {
        match self {
            Item::Head { text, .. } => text.as_bytes().into(),
            Item::Words(array) => array.bytes(),
        }
    }

    fn data_len(&self) -> usize {
        match self {
            Item::Head { text, .. } => text.len(),
            Item::Words(array) => 8 * array.words.len(),
        }
    }
}

/// Arrays by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrays(BTreeMap<String, Array>);

impl Arrays {
    /// Adds an array of so many rows, whose words are in order.
    pub fn add(&mut self, name: &str, rows: usize, words: Vec<u64>) {
        let shape = vec![rows, words.len() / rows.max(1)];
        self.0.insert(name.to_owned(), Array { shape, words });
    }

    /// Adds an array of one row whose length is its own.
    pub fn add_list(&mut self, name: &str, words: Vec<u64>) {
        self.0.insert(name.to_owned(), Array { shape: vec![words.len()], words });
    }

    /// Adds a list of words of 32 bits, two in a word of 64, the first in the lower half.
    pub fn add_halves(&mut self, name: &str, words: &[u32]) {
        let pair = |pair: &[u32]| u64::from(pair[0]) | u64::from(pair.get(1).copied().unwrap_or_default()) << 32;
        self.add_list(name, words.chunks(2).map(pair).collect());
    }

    /// Takes so many words that [`Arrays::add_halves`] was given.
    ///
    /// # Errors
    /// [`ArchiveError::Array`] where there is no such list, or a longer or a shorter one; too little memory.
    pub fn take_halves(&mut self, name: &str, count: usize) -> Result<Vec<u32>, ArchiveError> {
        let pairs = self.take_list(name)?;
        if pairs.len() != count.div_ceil(2) {
            return Err(wrong(name, format!("has {} pairs of words, and {count} words were expected", pairs.len())));
        }
        let mut words = memory::with_room(2 * pairs.len(), "the arrays of the file")?;
        words.extend(pairs.iter().flat_map(|pair| [*pair as u32, (pair >> 32) as u32]));
        words.truncate(count);
        Ok(words)
    }

    /// Takes an array of so many rows and columns.
    ///
    /// # Errors
    /// [`ArchiveError::Array`] where there is none, or another one.
    pub fn take(&mut self, name: &str, rows: usize, columns: usize) -> Result<Vec<u64>, ArchiveError> {
        let array = self.array(name)?;
        let (found, expected) = (array.shape, [rows, columns]);
        if found == expected {
            return Ok(array.words);
        }
        Err(wrong(name, format!("has the shape {found:?}, and {expected:?} was expected")))
    }

    /// Takes an array whose length is its own.
    ///
    /// # Errors
    /// [`ArchiveError::Array`] where there is none.
    pub fn take_list(&mut self, name: &str) -> Result<Vec<u64>, ArchiveError> {
        self.array(name).map(|array| array.words)
    }

    fn array(&mut self, name: &str) -> Result<Array, ArchiveError> {
        self.0.remove(name).ok_or_else(|| wrong(name, "is missing".into()))
    }

    /// Bytes of all words.
    fn bytes(&self) -> u64 {
        self.0.values().map(|array| 8 * array.words.len() as u64).sum()
    }

    /// SHA-256 over the version, the head and the name, the shape and the words of every array, by names.
    fn hash(&self, kind: &str, version: u32, head: &str) -> String {
        let mut hash = Sha256::new();
        hash.update(version.to_le_bytes());
        let mut text = |text: &str| {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        };
        text(kind);
        text(head);
        for (name, array) in &self.0 {
            hash.update((name.len() as u64).to_le_bytes());
            hash.update(name);
            hash.update((array.shape.len() as u64).to_le_bytes());
            array.shape.iter().for_each(|length| hash.update((*length as u64).to_le_bytes()));
            hash.update(array.bytes());
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// An array that is not what it should be.
pub fn wrong(name: &str, fault: String) -> ArchiveError {
    ArchiveError::Array { name: name.to_owned(), fault }
}

/// The text of the metadata.
#[derive(Debug, Serialize, Deserialize)]
struct Label {
    kind: String,
    version: u32,
    sha256: String,
}

/// Everything of a file of a kind.
struct Contents<'a> {
    items: Vec<(&'a str, Item<'a>)>,
    metadata: HashMap<String, String>,
}

impl<'a> Contents<'a> {
    fn new(kind: &'static str, head: &'a str, arrays: &'a Arrays) -> Result<Self, ArchiveError> {
        let label = Label { kind: kind.into(), version: VERSION, sha256: arrays.hash(kind, VERSION, head) };
        let label = serde_json::to_string(&label).map_err(|error| unwritten(&error))?;
        let words = arrays.0.iter().map(|(name, array)| (name.as_str(), Item::Words(array)));
        let head = (HEAD, Item::Head { text: head, shape: [head.len()] });
        Ok(Self { items: words.chain([head]).collect(), metadata: HashMap::from([(NAME.to_owned(), label)]) })
    }

    fn named(&self) -> impl Iterator<Item = (&str, &Item<'a>)> {
        self.items.iter().map(|(name, item)| (*name, item))
    }
}

/// The bytes of a file of this kind.
///
/// # Errors
/// [`ArchiveError::Memory`]; [`ArchiveError::Unwritten`].
pub fn write(kind: &'static str, head: &Value, arrays: &Arrays) -> Result<Vec<u8>, ArchiveError> {
    memory::room_of(arrays.bytes(), "the bytes of the file")?;
    let head = head.to_string();
    let contents = Contents::new(kind, &head, arrays)?;
    safetensors::serialize(contents.named(), Some(contents.metadata.clone())).map_err(|error| unwritten(&error))
}

/// Writes a file of this kind, array after array.
///
/// # Errors
/// [`ArchiveError::File`]; [`ArchiveError::Unwritten`].
pub fn write_file(kind: &'static str, head: &Value, arrays: &Arrays, path: &Path) -> Result<(), ArchiveError> {
    let head = head.to_string();
    let contents = Contents::new(kind, &head, arrays)?;
    safetensors::serialize_to_file(contents.named(), Some(contents.metadata.clone()), path).map_err(|error| match error
    {
        SafeTensorError::IoError(error) => ArchiveError::File(error),
        error => unwritten(&error),
    })
}

/// Reads a file of this kind; `advice` says what to give instead of one that is not there.
///
/// # Errors
/// [`ArchiveError`].
pub fn read_file(kind: &'static str, path: &Path, advice: &str) -> Result<(Value, Arrays), ArchiveError> {
    let refused = |said: &str| io::Error::new(io::ErrorKind::InvalidInput, format!("{said}; {advice}"));
    if fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir()) {
        return Err(refused("it is no file on a disk").into());
    }
    let file = reading::open(path, Some(advice))?;
    let length = file.metadata()?.len();
    // The contents, and the words made of them.
    memory::room_of(length.saturating_mul(2), "the contents of the file")?;
    let mut bytes = vec![];
    file.take(length).read_to_end(&mut bytes)?;
    read(kind, &bytes)
}

/// The head and the arrays of a file of this kind.
///
/// # Errors
/// [`ArchiveError`].
pub fn read(kind: &'static str, bytes: &[u8]) -> Result<(Value, Arrays), ArchiveError> {
    let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|error| unread(kind, bytes, &error))?;
    let label = metadata.metadata().as_ref().and_then(|texts| texts.get(NAME));
    let label = label.ok_or_else(|| foreign(kind, &"its metadata has no text `tickless`"))?;
    let label: Label = serde_json::from_str(label).map_err(|error| foreign(kind, &error))?;
    if label.kind != kind {
        return Err(foreign(kind, &format!("it is a {}", label.kind)));
    }
    match label.version {
        VERSION => {}
        found if found > VERSION => return Err(ArchiveError::Newer { found }),
        found => return Err(ArchiveError::Older { found }),
    }
    let tensors = SafeTensors::deserialize(bytes).map_err(|error| unread(kind, bytes, &error))?;
    let (mut arrays, mut head) = (Arrays::default(), None);
    for (name, tensor) in tensors.iter() {
        if name == HEAD {
            head = Some(std::str::from_utf8(tensor.data()).map_err(|error| foreign(kind, &error))?);
            continue;
        }
        if tensor.dtype() != Dtype::U64 {
            return Err(wrong(name, format!("has words of type {:?}, and U64 was expected", tensor.dtype())));
        }
        let mut words = memory::with_room(tensor.data().len() / 8, "the arrays of the file")?;
        words.extend(tensor.data().as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)));
        arrays.0.insert(name.to_owned(), Array { shape: tensor.shape().to_vec(), words });
    }
    let head = head.ok_or_else(|| wrong(HEAD, "is missing".into()))?;
    let (found, expected) = (arrays.hash(kind, label.version, head), label.sha256);
    if found != expected {
        return Err(ArchiveError::Damaged { expected, found });
    }
    let head = serde_json::from_str(head).map_err(|error| foreign(kind, &error))?;
    Ok((head, arrays))
}

fn unwritten(cause: &impl ToString) -> ArchiveError {
    ArchiveError::Unwritten { cause: cause.to_string() }
}

fn foreign(kind: &'static str, cause: &impl ToString) -> ArchiveError {
    ArchiveError::Foreign { kind, cause: cause.to_string() }
}

/// A file that ends early or late still has its header.
fn unread(kind: &'static str, bytes: &[u8], error: &SafeTensorError) -> ArchiveError {
    let length = || -> Option<u64> {
        let header = u64::from_le_bytes(*bytes.first_chunk()?);
        let text = std::str::from_utf8(bytes.get(8..usize::try_from(header).ok()?.checked_add(8)?)?).ok()?;
        let header_of: HashMap<String, Value> = serde_json::from_str(text).ok()?;
        let ends = header_of.values().filter_map(|tensor| tensor.get("data_offsets")?.get(1)?.as_u64());
        header.checked_add(8)?.checked_add(ends.max().unwrap_or(0))
    };
    let found = bytes.len() as u64;
    match (error, length()) {
        (SafeTensorError::MetadataIncompleteBuffer, Some(expected)) if expected != found => {
            ArchiveError::Length { found, expected }
        }
        _ => foreign(kind, error),
    }
}

#[cfg(test)]
mod tests {
    use safetensors::tensor::TensorView;

    use super::*;

    const KIND: &str = "shard";

    fn file() -> (Value, Arrays) {
        let mut arrays = Arrays::default();
        arrays.add("figures", 2, vec![1, 2, 3, u64::MAX, 5, 6]);
        arrays.add("none", 2, vec![]);
        arrays.add_list("list", vec![7, 8]);
        (serde_json::json!({ "model": "network", "text": "a \"b\"\n" }), arrays)
    }

    /// Arrays as others would write them.
    fn plain_items(arrays: &Arrays) -> Vec<(String, TensorView<'_>)> {
        let view = |array| TensorView::new(Dtype::U64, Array::clone(array).shape, bytemuck::cast_slice(&array.words));
        arrays.0.iter().map(|(name, array)| (name.clone(), view(array).unwrap())).collect()
    }

    /// A head may be as long as a network is, and needs no memory for what it escapes.
    #[test]
    fn a_long_head_is_no_part_of_the_header() {
        let head = serde_json::json!({ "description": "name = \"a\"\n".repeat(1 << 16) });
        let bytes = write(KIND, &head, &Arrays::default()).unwrap();
        assert!(u64::from_le_bytes(*bytes.first_chunk().unwrap()) < 1 << 10);
        assert_eq!(read(KIND, &bytes).unwrap().0, head);
    }

    #[test]
    fn what_was_written_is_read() {
        let (head, arrays) = file();
        let (found, mut read) = read(KIND, &write(KIND, &head, &arrays).unwrap()).unwrap();
        assert_eq!((found, &read), (head, &arrays));
        assert_eq!(read.take("figures", 2, 3).unwrap(), [1, 2, 3, u64::MAX, 5, 6]);
        assert_eq!((read.take("none", 2, 0).unwrap(), read.take_list("list").unwrap()), (vec![], vec![7, 8]));
        for words in [&[][..], &[7], &[1, u32::MAX], &[5, 6, 7]] {
            read.add_halves("halves", words);
            assert!(read.clone().take_halves("halves", words.len() + 2).is_err());
            assert_eq!(read.take_halves("halves", words.len()).unwrap(), words);
        }
        let gone = read.take("figures", 2, 3).unwrap_err().to_string();
        assert!(gone.starts_with("its array `figures` is missing"), "{gone}");
    }

    #[test]
    fn every_changed_bit_is_found() {
        let (head, arrays) = file();
        let bytes = write(KIND, &head, &arrays).unwrap();
        for place in 0..bytes.len() {
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[place] ^= 1 << bit;
                assert!(read(KIND, &changed).is_err(), "byte {place} of {}, bit {bit}", bytes.len());
            }
        }
    }

    #[test]
    fn half_a_file_says_how_much_is_missing() {
        let (head, arrays) = file();
        let mut bytes = write(KIND, &head, &arrays).unwrap();
        let whole = bytes.len() as u64;
        for length in 0..bytes.len() {
            assert!(read(KIND, &bytes[..length]).is_err(), "{length} bytes");
        }
        let short = read(KIND, &bytes[..bytes.len() - 1]).unwrap_err();
        assert!(matches!(short, ArchiveError::Length { found, expected } if (found, expected) == (whole - 1, whole)));
        bytes.push(0);
        assert!(matches!(read(KIND, &bytes).unwrap_err(), ArchiveError::Length { .. }));
    }

    #[test]
    fn other_files_are_refused_by_what_they_are() {
        let (head, arrays) = file();
        let other = write("checkpoint", &head, &arrays).unwrap();
        let said = read(KIND, &other).unwrap_err().to_string();
        assert!(said.contains("it is no shard of tickless") && said.contains("it is a checkpoint"), "{said}");
        let plain = safetensors::serialize(plain_items(&arrays), None).unwrap();
        assert!(read(KIND, &plain).unwrap_err().to_string().contains("no text `tickless`"));
        for (version, said) in [(VERSION + 1, "take a later one"), (VERSION - 1, "take the one that wrote it")] {
            let label = Label { kind: KIND.into(), version, sha256: String::new() };
            let metadata = HashMap::from([(NAME.to_owned(), serde_json::to_string(&label).unwrap())]);
            let other = safetensors::serialize(plain_items(&arrays), Some(metadata)).unwrap();
            let error = read(KIND, &other).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("it has version {version} of its format")) && error.ends_with(said),
                "{error}"
            );
        }
        assert!(read(KIND, b"{ \"schema\": 3 }").unwrap_err().to_string().starts_with("it is no shard"));
    }
}
