//! The file of arrays and their head.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read as _, Write as _};
use std::path::Path;

use safetensors::tensor::{Metadata, TensorInfo};
use safetensors::{Dtype, SafeTensorError, SafeTensors, View};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::array::{Array, Arrays, wrong};
use super::{ArchiveError, HEAD, NAME, VERSION};
use crate::memory;
use crate::reading;

/// The content of a file under a name.
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

/// The text of the metadata.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Label {
    pub(super) kind: String,
    pub(super) version: u32,
    pub(super) sha256: String,
}

/// The contents of a file of a kind.
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

    /// The header, which describes the items behind it in their order: a multiple of 8 bytes.
    fn header(&self) -> Result<Vec<u8>, ArchiveError> {
        let place = |begin: &mut usize, (name, item): &(&str, Item<'_>)| {
            let item = &item;
            let data_offsets = (*begin, *begin + item.data_len());
            *begin = data_offsets.1;
            Some(((*name).to_owned(), TensorInfo { dtype: item.dtype(), shape: item.shape().to_vec(), data_offsets }))
        };
        let infos = self.items.iter().scan(0, place).collect();
        let metadata = Metadata::new(Some(self.metadata.clone()), infos).map_err(|error| unwritten(&error))?;
        let mut header = serde_json::to_vec(&metadata).map_err(|error| unwritten(&error))?;
        header.resize(header.len().next_multiple_of(8), b' ');
        Ok(header)
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

/// Writes a file of this kind, array after array: no second copy is made, in memory or beside the file.
///
/// # Errors
/// [`ArchiveError::File`]; [`ArchiveError::Unwritten`].
pub fn write_file(kind: &'static str, head: &Value, arrays: &Arrays, path: &Path) -> Result<(), ArchiveError> {
    let head = head.to_string();
    let contents = Contents::new(kind, &head, arrays)?;
    let header = contents.header()?;
    let mut to = BufWriter::new(File::create(path)?);
    to.write_all(&(header.len() as u64).to_le_bytes())?;
    to.write_all(&header)?;
    contents.items.iter().try_for_each(|(_, item)| to.write_all(&item.data()))?;
    to.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    Ok(())
}

/// Reads a file of this kind; `advice` says what to give instead of a missing file.
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
    // The bytes of the file, and the words made of them.
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

impl Array {
    fn bytes(&self) -> Cow<'_, [u8]> {
        if cfg!(target_endian = "little") {
            return bytemuck::cast_slice(&self.words).into();
        }
        self.words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}

impl Arrays {
    /// The bytes of all words together.
    fn bytes(&self) -> u64 {
        self.0.values().map(|array| 8 * array.words.len() as u64).sum()
    }

    /// SHA-256 over the version, the head and, in the order of names, the name, the shape and the words of every array.
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
