//! The values of a TIFF: its strips or tiles, decompressed.
//!
//! The crate `tiff` (0.11.3) reads the tags. It refuses LZW tiles that reach beyond the border, as GDAL writes landscapes, and panics at
//! such tiles of several bands with a predictor; so this module reads the chunks.

use std::io::{Cursor, Read as _};

use flate2::read::ZlibDecoder;
use tiff::decoder::Decoder;
use tiff::decoder::ifd::Value;
use tiff::tags::{ByteOrder, CompressionMethod, Tag};

/// The kind of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Unsigned,
    Signed,
    Float,
}

/// How a chunk is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compressed {
    None,
    Lzw,
    Deflate,
    PackBits,
}

/// The predictor of the samples of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Predictor {
    /// No predictor.
    None,
    /// The sample before.
    Before,
    /// The bytes of the sample before, of floats whose bytes are stored apart.
    Bytes,
}

/// The places of the values of a TIFF.
pub(super) struct Chunks<'a> {
    bytes: &'a [u8],
    size: [usize; 2],
    chunk: [usize; 2],
    tiled: bool,
    /// Bands; bands that are stored together in a chunk.
    bands: usize,
    together: usize,
    width: usize,
    kind: Kind,
    compressed: Compressed,
    predictor: Predictor,
    order: ByteOrder,
    offsets: Vec<u64>,
    lengths: Vec<u64>,
}

type Tags<'a> = Decoder<Cursor<&'a [u8]>>;

impl<'a> Chunks<'a> {
    /// The chunks by the tags of the first image of a file.
    pub(super) fn of(bytes: &'a [u8], tags: &mut Tags<'a>) -> Result<Self, String> {
        let (columns, rows) = tags.dimensions().map_err(|error| error.to_string())?;
        let size = [columns as usize, rows as usize];
        let number = |tags: &mut Tags<'a>, tag, usual: u32| tags.find_tag_unsigned(tag).ok().flatten().unwrap_or(usual);
        let all = |tags: &mut Tags<'a>, tag| -> Vec<u64> {
            let found = tags.find_tag(tag).ok().flatten().and_then(|value: Value| value.into_u64_vec().ok());
            found.unwrap_or_default()
        };
        let bands = number(tags, Tag::SamplesPerPixel, 1) as usize;
        // One number for each band: they must be equal.
        let (mut bits, formats) = (all(tags, Tag::BitsPerSample), all(tags, Tag::SampleFormat));
        if bits.is_empty() {
            bits.push(1);
        }
        let alike = |numbers: &[u64]| numbers.iter().all(|number| *number == numbers[0]);
        if bands == 0 || !alike(&bits) || !alike(&formats) {
            return Err("its bands are of several types: write it again with one".into());
        }
        let kind = match (formats.first().copied().unwrap_or(1), bits[0]) {
            (1, 8 | 16 | 32 | 64) => Kind::Unsigned,
            (2, 8 | 16 | 32 | 64) => Kind::Signed,
            (3, 32 | 64) => Kind::Float,
            (_, bits) => {
                return Err(format!("its values have {bits} bits: write it again with whole numbers or 32-bit floats"));
            }
        };
        // Bytes of a sample.
        let width = bits[0] as usize / 8;
        let compressed = match CompressionMethod::from_u16_exhaustive(number(tags, Tag::Compression, 1) as u16) {
            CompressionMethod::None => Compressed::None,
            CompressionMethod::LZW => Compressed::Lzw,
            CompressionMethod::Deflate | CompressionMethod::OldDeflate => Compressed::Deflate,
            CompressionMethod::PackBits => Compressed::PackBits,
            other => {
                let remedy = "write it again with gdal_translate -co COMPRESS=DEFLATE";
                return Err(format!("it is packed by {other:?}, and LZW, Deflate and PackBits are read: {remedy}"));
            }
        };
        let predictor = match number(tags, Tag::Predictor, 1) {
            1 => Predictor::None,
            2 => Predictor::Before,
            3 if kind == Kind::Float => Predictor::Bytes,
            other => return Err(format!("its predictor is {other}: write it again with -co PREDICTOR=1")),
        };
        let together = if number(tags, Tag::PlanarConfiguration, 1) == 2 { 1 } else { bands };
        let tiled = tags.find_tag(Tag::TileOffsets).ok().flatten().is_some();
        let (chunk, offsets, lengths) = if tiled {
            let chunk = [number(tags, Tag::TileWidth, 0), number(tags, Tag::TileLength, 0)];
            (chunk, all(tags, Tag::TileOffsets), all(tags, Tag::TileByteCounts))
        } else {
            let chunk = [columns, number(tags, Tag::RowsPerStrip, rows).min(rows)];
            (chunk, all(tags, Tag::StripOffsets), all(tags, Tag::StripByteCounts))
        };
        let order = tags.byte_order();
        let chunk = chunk.map(|size| size as usize);
        let found = Self {
            bytes,
            size,
            chunk,
            tiled,
            bands,
            together,
            width,
            kind,
            compressed,
            predictor,
            order,
            offsets,
            lengths,
        };
        found.check()?;
        Ok(found)
    }

    /// Refuses a file whose chunks do not fit its size.
    fn check(&self) -> Result<(), String> {
        let [columns, rows] = self.size;
        if columns == 0 || rows == 0 || self.chunk.contains(&0) || self.chunk.iter().any(|size| *size > 1 << 31) {
            return Err("its rows or columns are none".into());
        }
        let expected =
            self.across().checked_mul(rows.div_ceil(self.chunk[1])).map(|chunks| chunks * (self.bands / self.together));
        if expected != Some(self.offsets.len()) || expected != Some(self.lengths.len()) {
            return Err(format!(
                "it has {} parts of its values, and its size needs others: it is damaged",
                self.offsets.len()
            ));
        }
        Ok(())
    }

    fn across(&self) -> usize {
        self.size[0].div_ceil(self.chunk[0])
    }

    /// The number of bands.
    pub(super) fn bands(&self) -> usize {
        self.bands
    }

    /// Twice the bytes of a decompressed part.
    pub(super) fn largest(&self) -> u64 {
        let sizes = self.chunk.iter().chain([&self.together, &self.width, &2]);
        sizes.fold(1, |product, size| product.saturating_mul(*size as u64))
    }

    /// The bytes of the file.
    pub(super) fn length(&self) -> usize {
        self.bytes.len()
    }

    /// The values of some bands, counted from 0; `absent` where the file has none. Bands stored together are decompressed once.
    pub(super) fn bands_of(&self, wanted: &[usize], absent: f64) -> Result<Vec<Vec<f64>>, String> {
        let mut all = vec![vec![absent; self.size[0] * self.size[1]]; wanted.len()];
        if self.together > 1 {
            self.fill(0, wanted, &mut all)?;
            return Ok(all);
        }
        for (band, values) in wanted.iter().zip(&mut all) {
            self.fill(*band, &[0], std::slice::from_mut(values))?;
        }
        Ok(all)
    }

    /// Puts the bands at some places of the chunks of a plane into their lists.
    fn fill(&self, plane: usize, places: &[usize], all: &mut [Vec<f64>]) -> Result<(), String> {
        let [columns, rows] = self.size;
        let (across, down) = (self.across(), rows.div_ceil(self.chunk[1]));
        for number in 0..across * down {
            let [left, top] = [(number % across) * self.chunk[0], (number / across) * self.chunk[1]];
            let high = if self.tiled { self.chunk[1] } else { self.chunk[1].min(rows - top) };
            let part = plane * across * down + number;
            // GDAL leaves out parts without a value.
            if self.lengths[part] == 0 {
                continue;
            }
            let chunk = self.decompress(part, high)?;
            let row_bytes = self.chunk[0] * self.together * self.width;
            for (row, samples) in chunk.chunks_exact(row_bytes).enumerate().take(rows - top) {
                for (place, values) in places.iter().zip(&mut *all) {
                    let to = &mut values[(top + row) * columns + left..][..self.chunk[0].min(columns - left)];
                    for (column, value) in to.iter_mut().enumerate() {
                        *value = self.value(&samples[(column * self.together + place) * self.width..][..self.width]);
                    }
                }
            }
        }
        Ok(())
    }

    /// A chunk of `rows` rows, in the byte order of this file and without its predictor.
    fn decompress(&self, number: usize, rows: usize) -> Result<Vec<u8>, String> {
        let damaged = || format!("part {number} of its values is damaged");
        let (from, long) = (self.offsets[number] as usize, self.lengths[number] as usize);
        let bytes = from.checked_add(long).and_then(|to| self.bytes.get(from..to)).ok_or_else(damaged)?;
        let row_bytes = self.chunk[0] * self.together * self.width;
        let expected = row_bytes.checked_mul(rows).ok_or_else(damaged)?;
        let mut values = match self.compressed {
            Compressed::None => bytes.to_vec(),
            Compressed::PackBits => unpack_bits(bytes, expected),
            Compressed::Lzw => {
                let order = weezl::BitOrder::Msb;
                let mut decoder = weezl::decode::Configuration::with_tiff_size_switch(order, 8).build();
                let (mut values, mut read, mut written) = (vec![0; expected], 0, 0);
                // Some programs leave out the mark of the end.
                while written < expected {
                    let part = decoder.decode_bytes(&bytes[read..], &mut values[written..]);
                    (read, written) = (read + part.consumed_in, written + part.consumed_out);
                    if part.status.is_err() || part.consumed_in + part.consumed_out == 0 {
                        return Err(damaged());
                    }
                }
                values
            }
            Compressed::Deflate => {
                let mut values = vec![];
                let limit = expected as u64;
                ZlibDecoder::new(bytes).take(limit).read_to_end(&mut values).map_err(|_| damaged())?;
                values
            }
        };
        if values.len() < expected {
            return Err(damaged());
        }
        values.truncate(expected);
        match self.predictor {
            Predictor::None => {}
            Predictor::Before => values.chunks_exact_mut(row_bytes).for_each(|row| self.add_before(row)),
            Predictor::Bytes => values.chunks_exact_mut(row_bytes).for_each(|row| self.add_bytes(row)),
        }
        Ok(values)
    }

    /// Makes samples from differences to the sample before.
    fn add_before(&self, row: &mut [u8]) {
        let (step, width) = (self.together * self.width, self.width);
        for place in (step..row.len()).step_by(width) {
            let sum = self.word(&row[place - step..][..width]).wrapping_add(self.word(&row[place..][..width]));
            let bytes = sum.to_le_bytes();
            for byte in 0..width {
                row[place + if self.order == ByteOrder::LittleEndian { byte } else { width - 1 - byte }] = bytes[byte];
            }
        }
    }

    /// Makes floats from the differences of their bytes, where the first bytes of all floats come before the second
    /// bytes.
    fn add_bytes(&self, row: &mut [u8]) {
        for place in self.together..row.len() {
            row[place] = row[place].wrapping_add(row[place - self.together]);
        }
        let apart = row.to_vec();
        let count = row.len() / self.width;
        for (sample, to) in row.chunks_exact_mut(self.width).enumerate() {
            for (byte, to) in to.iter_mut().enumerate() {
                // The highest byte comes first, in files of both orders.
                let high = if self.order == ByteOrder::LittleEndian { self.width - 1 - byte } else { byte };
                *to = apart[high * count + sample];
            }
        }
    }

    /// The bits of a sample.
    fn word(&self, sample: &[u8]) -> u64 {
        let with = |word: u64, byte: &u8| word << 8 | u64::from(*byte);
        match self.order {
            ByteOrder::LittleEndian => sample.iter().rev().fold(0, with),
            ByteOrder::BigEndian => sample.iter().fold(0, with),
        }
    }

    fn value(&self, sample: &[u8]) -> f64 {
        let word = self.word(sample);
        let unused = 64 - 8 * self.width as u32;
        match (self.kind, self.width) {
            (Kind::Unsigned, _) => word as f64,
            (Kind::Signed, _) => (((word << unused) as i64) >> unused) as f64,
            (Kind::Float, 4) => f32::from_bits(word as u32).into(),
            (Kind::Float, _) => f64::from_bits(word),
        }
    }
}

/// PackBits: a count and as many bytes, or a count and one repeated byte; at most `most` bytes.
fn unpack_bits(bytes: &[u8], most: usize) -> Vec<u8> {
    let (mut values, mut rest) = (vec![], bytes);
    while let [count, behind @ ..] = rest {
        if values.len() >= most {
            break;
        }
        rest = match count.cast_signed() {
            -128 => behind,
            count @ 0.. => {
                let (some, behind) = behind.split_at((count as usize + 1).min(behind.len()));
                values.extend_from_slice(some);
                behind
            }
            count => match behind {
                [byte, behind @ ..] => {
                    values.extend(std::iter::repeat_n(*byte, usize::from(count.unsigned_abs()) + 1));
                    behind
                }
                [] => behind,
            },
        };
    }
    values
}
