//! Archives are read as written, and anything else is refused.

use std::collections::HashMap;

use safetensors::Dtype;
use safetensors::tensor::TensorView;
use serde_json::Value;

use super::array::Array;
use super::file::Label;
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

/// A file written array by array has the bytes of an archive in memory, and no other file is left.
#[test]
fn a_file_has_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let empty = (serde_json::json!({}), Arrays::default());
    for (head, arrays) in [file(), empty] {
        write_file(KIND, &head, &arrays, &path).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), write(KIND, &head, &arrays).unwrap());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
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
