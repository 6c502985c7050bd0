//! GeoTIFF, read and written by the crate `tiff`; geographic tags are handled here.

use std::io::{self, Cursor, Write};

use tiff::decoder::Decoder;
use tiff::encoder::colortype::Gray32Float;
use tiff::encoder::{Compression, TiffEncoder};
use tiff::tags::Tag;

use super::chunks::Chunks;
use super::stated::{self, Stated};
use super::{Grid, NO_DATA, Projection};
use crate::landscape::WIDTHS;
use crate::{FireError, Frame};
use tickless_core::memory;

/// The first bytes: of either byte order, and of the form for large files.
const BEGINNINGS: [&[u8]; 4] = [b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"];
/// The most values to which a byte of a file can be decompressed.
const MOST_VALUES: usize = 4096;
/// The tag with GDAL's metadata.
const METADATA: Tag = Tag::Unknown(42_112);
/// Bits of the kind of an image: a smaller form of another, a mask of another.
const SMALLER: u32 = 1;
const MASK: u32 = 4;
/// The most images of a file.
const MOST_IMAGES: usize = 64;

/// The contents of a GeoTIFF.
pub(super) struct GeoTiff<'a> {
    name: String,
    frame: Frame,
    projection: Option<Projection>,
    no_data: Option<f64>,
    /// What is stated of each band.
    stated: Vec<Stated>,
    chunks: Chunks<'a>,
}

impl<'a> GeoTiff<'a> {
    /// Whether a file begins like a GeoTIFF.
    pub(super) fn is_one(bytes: &[u8]) -> bool {
        BEGINNINGS.iter().any(|beginning| bytes.starts_with(beginning))
    }

    /// Reads the contents of a file.
    pub(super) fn read(bytes: &'a [u8], name: &str) -> Result<Self, FireError> {
        let failed = |cause: String| FireError::Read { file: name.into(), cause };
        let of = |error: tiff::TiffError| failed(format!("it is no GeoTIFF that can be read: {error}"));
        let mut file = Decoder::new(Cursor::new(bytes)).map_err(of)?;
        let [columns, rows] = file.dimensions().map_err(of)?.into();
        let mut doubles = |tag| file.find_tag(tag).ok().flatten().and_then(|value| value.into_f64_vec().ok());
        let (scale, tie) = (doubles(Tag::ModelPixelScaleTag), doubles(Tag::ModelTiepointTag));
        let (matrix, parameters) = (doubles(Tag::ModelTransformationTag), doubles(Tag::GeoDoubleParamsTag));
        let directory = file.find_tag_unsigned_vec(Tag::GeoKeyDirectoryTag).ok().flatten();
        let text = file.get_tag_ascii_string(Tag::GeoAsciiParamsTag).unwrap_or_default();
        let projection =
            directory.map(|directory| Projection { directory, doubles: parameters.unwrap_or_default(), text });
        let points = projection.as_ref().is_some_and(Projection::has_points);
        projection.iter().try_for_each(|projection| projection.check_unit(name))?;
        let corner = place(rows, scale.as_deref(), tie.as_deref(), matrix.as_deref(), points);
        let (corner, cell_size) = corner.map_err(failed)?;
        let no_data = file.get_tag_ascii_string(Tag::GdalNodata).ok();
        let no_data = no_data.as_deref().map(|text| text.trim_matches(['\0', ' '])).filter(|text| !text.is_empty());
        let no_data = no_data.map(|text| {
            text.parse()
                .map_err(|_| failed(format!("its number for no value is {text:?}: write it again with a number")))
        });
        let no_data: Option<f64> = no_data.transpose()?;
        let frame = Frame { columns, rows, corner, cell_size };
        if !corner.iter().all(|along| along.is_finite()) {
            return Err(failed("its corner is no point: it is damaged".into()));
        }
        frame.space(vec![]).map_err(|error| failed(error.to_string()))?;
        projection.iter().try_for_each(|projection| projection.check(name, frame))?;
        let metadata = file.get_tag_ascii_string(METADATA).unwrap_or_default();
        let mut stated = stated::bands(metadata.trim_end_matches('\0')).map_err(failed)?;
        let chunks = Chunks::of(bytes, &mut file).map_err(failed)?;
        check_images(&mut file).map_err(failed)?;
        stated.resize(chunks.bands().max(stated.len()), Stated::default());
        let vertical = projection.as_ref().and_then(Projection::vertical);
        stated.iter_mut().for_each(|band| band.vertical.clone_from(&vertical));
        let projection = projection.map(Projection::of_cells);
        Ok(Self { name: name.into(), frame, projection, no_data, stated, chunks })
    }

    /// The number of bands.
    pub(super) fn bands(&self) -> usize {
        self.chunks.bands()
    }

    /// What is stated of a band, counted from 0.
    pub(super) fn stated(&self, band: usize) -> &Stated {
        &self.stated[band]
    }

    /// Some bands, counted from 0.
    ///
    /// # Errors
    /// A damaged file, and too little memory.
    pub(super) fn bands_of<const N: usize>(&self, wanted: [usize; N]) -> Result<[Grid; N], FireError> {
        let failed = |cause| FireError::Read { file: self.name.clone(), cause };
        // Damaged tags may ask for any size.
        if self.frame.cells() > MOST_VALUES * self.chunks.length() {
            return Err(failed("it says that it has more values than it can: it is damaged".into()));
        }
        let room = (8 * (N * self.frame.cells()) as u64).saturating_add(self.chunks.largest());
        memory::room_of(room, "the values of a GeoTIFF")?;
        let absent = if self.no_data.is_some() { f64::NAN } else { 0.0 };
        let all = self.chunks.bands_of(&wanted, absent).map_err(failed)?;
        let mut all = all.into_iter().map(|mut values| {
            if let Some(no_data) = self.no_data {
                // For 32-bit floats the value is written with fewer digits than it has.
                let is_none = |value: f64| value == no_data || value as f32 == no_data as f32;
                values.iter_mut().filter(|value| is_none(**value)).for_each(|value| *value = f64::NAN);
            }
            values
        });
        Ok(wanted.map(|band| {
            let name = if self.bands() == 1 { self.name.clone() } else { format!("{}, band {}", self.name, band + 1) };
            let values = all.next().unwrap_or_default();
            Grid { name, frame: self.frame, projection: self.projection.clone(), values }
        }))
    }

    /// The band of a file that must have a single band.
    pub(super) fn only_band(&self) -> Result<Grid, FireError> {
        if self.bands() == 1 {
            return self.bands_of([0]).map(|[grid]| grid);
        }
        let cause =
            format!("it has {} bands, and one is asked for: a landscape of several is for --landscape", self.bands());
        Err(FireError::Read { file: self.name.clone(), cause })
    }
}

/// Refuses a file whose other images are more than smaller forms of its first one.
fn check_images(file: &mut Decoder<Cursor<&[u8]>>) -> Result<(), String> {
    let damaged = |error: tiff::TiffError| format!("it is no GeoTIFF that can be read: {error}");
    let Some(mut place) = file.ifd_pointer() else { return Ok(()) };
    for image in 0..MOST_IMAGES {
        let directory = file.read_directory(place).map_err(damaged)?;
        let kind = file.read_directory_tags(&directory).find_tag_unsigned(Tag::NewSubfileType);
        let kind: u32 = kind.map_err(damaged)?.unwrap_or(0);
        if image > 0 && kind & SMALLER == 0 {
            return Err(if kind & MASK == 0 {
                "it has several images, and one is read: write the one that is meant, as with gdal_translate".into()
            } else {
                "it has a mask of the cells without a value: write a number for them in its place, as with gdalwarp \
                 -dstnodata -9999"
                    .into()
            });
        }
        match directory.next() {
            Some(next) => place = next,
            None => return Ok(()),
        }
    }
    Err(format!("it has more than {MOST_IMAGES} images: it is damaged"))
}

/// The corner in the south-west and the side of a cell, from the tags of the cells' place.
fn place(
    rows: u32,
    scale: Option<&[f64]>,
    tie: Option<&[f64]>,
    matrix: Option<&[f64]>,
    points: bool,
) -> Result<([f64; 2], f64), String> {
    // The point of the map at column 0, row 0, and the sides of a cell along both axes.
    let (origin, [width, height]) = match (scale, tie, matrix) {
        (Some([x, y, ..]), Some([i, j, _, east, north, ..]), _) => ([east - i * x, north + j * y], [*x, *y]),
        (_, _, Some([x, turned, _, east, tilted, y, _, north, ..])) if *turned == 0.0 && *tilted == 0.0 => {
            ([*east, *north], [*x, -y])
        }
        (_, _, Some(_)) => {
            return Err("its rows do not lie east and west: rotate it to the north, as with gdalwarp".into());
        }
        _ => return Err("it does not say where its cells lie: it needs the tags of a GeoTIFF".into()),
    };
    if (width - height).abs() > width.abs() * 1e-6 || !WIDTHS.contains(&width) {
        let message = "metres; cells must be squares with sides from 0.01 to 100000 metres, the first row in the north";
        return Err(format!("its cells are {width} x {height} {message}"));
    }
    let half = if points { width / 2.0 } else { 0.0 };
    Ok(([origin[0] - half, origin[1] + half - f64::from(rows) * width], width))
}

impl Grid {
    /// Writes a GeoTIFF of one band of 32-bit floats, deflated, with the projection of the grid.
    ///
    /// # Errors
    /// The error of writing.
    pub fn write_geotiff(&self, to: &mut impl Write) -> io::Result<()> {
        let Frame { columns, rows, corner: [west, south], cell_size } = self.frame;
        let north = south + f64::from(rows) * cell_size;
        let write = |file: &mut Cursor<Vec<u8>>| -> tiff::TiffResult<()> {
            let mut encoder = TiffEncoder::new(file)?.with_compression(Compression::Deflate(Default::default()));
            let mut image = encoder.new_image::<Gray32Float>(columns, rows)?;
            let tags = image.encoder();
            tags.write_tag(Tag::ModelPixelScaleTag, &[cell_size, cell_size, 0.0][..])?;
            tags.write_tag(Tag::ModelTiepointTag, &[0.0, 0.0, 0.0, west, north, 0.0][..])?;
            tags.write_tag(Tag::GdalNodata, NO_DATA.to_string().as_str())?;
            if let Some(projection) = &self.projection {
                tags.write_tag(Tag::GeoKeyDirectoryTag, &projection.directory[..])?;
                if !projection.doubles.is_empty() {
                    tags.write_tag(Tag::GeoDoubleParamsTag, &projection.doubles[..])?;
                }
                if !projection.text.is_empty() {
                    tags.write_tag(Tag::GeoAsciiParamsTag, projection.text.as_str())?;
                }
            }
            let values: Vec<f32> =
                self.values.iter().map(|value| if value.is_nan() { NO_DATA } else { *value } as f32).collect();
            image.write_data(&values)
        };
        let mut file = Cursor::new(vec![]);
        write(&mut file).map_err(io::Error::other)?;
        to.write_all(file.get_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Quantity, RasterFile};

    fn grid() -> Grid {
        let frame = Frame { columns: 3, rows: 2, corner: [1000.0, 2000.0], cell_size: 30.0 };
        let values = vec![1.0, 2.5, f64::NAN, -4.0, 5.0, 6.0];
        Grid { name: "g.tif".into(), frame, projection: Some(Projection::of_epsg(5070)), values }
    }

    fn file() -> Vec<u8> {
        let mut file = vec![];
        grid().write_geotiff(&mut file).unwrap();
        file
    }

    fn decoded(bytes: &[u8]) -> Result<Grid, FireError> {
        RasterFile::new(bytes, "g.tif").grid(Quantity::Number)
    }

    #[test]
    fn what_is_written_reads_back() {
        let read = decoded(&file()).unwrap();
        assert_eq!((read.frame, &read.projection), (grid().frame, &grid().projection));
        assert!(read.values.iter().zip(grid().values).all(|(a, b)| a == &b || a.is_nan() && b.is_nan()));
    }

    /// Where a file is cut off or changed, nothing panics, and a file without its end is refused.
    #[test]
    fn damaged_files_are_refused_or_read() {
        let whole = file();
        for byte in 0..whole.len() {
            assert!(byte < 4 || decoded(&whole[..byte]).is_err(), "{byte} bytes");
            for change in [0x01, 0x80, 0xff] {
                let mut damaged = whole.clone();
                damaged[byte] ^= change;
                let _ = decoded(&damaged);
            }
        }
    }

    #[test]
    fn cells_lie_where_the_tags_say() {
        let (scale, tie) = ([30.0, 30.0, 0.0], [0.0, 0.0, 0.0, 1000.0, 2060.0, 0.0]);
        let of = |scale: &[f64], tie: &[f64], points| place(2, Some(scale), Some(tie), None, points);
        assert_eq!(of(&scale, &tie, false), Ok(([1000.0, 2000.0], 30.0)));
        assert_eq!(of(&scale, &tie, true), Ok(([985.0, 2015.0], 30.0)));
        let matrix =
            |turned| [30.0, turned, 0.0, 1000.0, 0.0, -30.0, 0.0, 2060.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        assert_eq!(place(2, None, None, Some(&matrix(0.0)), false), Ok(([1000.0, 2000.0], 30.0)));
        assert!(place(2, None, None, Some(&matrix(0.5)), false).unwrap_err().contains("rotate it"));
        assert!(of(&[30.0, 20.0, 0.0], &tie, false).unwrap_err().contains("30 x 20 metres"));
        assert!(place(2, None, None, None, false).unwrap_err().contains("where its cells lie"));
    }

    #[test]
    fn degrees_are_refused() {
        // Also where cells are too narrow to be metres.
        let narrow = Frame { cell_size: 0.0003, corner: [-120.0, 40.0], ..grid().frame };
        let mut file = vec![];
        Grid { frame: narrow, projection: Some(Projection::of_epsg(4326)), ..grid() }.write_geotiff(&mut file).unwrap();
        let error = decoded(&file).unwrap_err().to_string();
        assert!(
            error.starts_with("g.tif: its projection is EPSG:4326, whose coordinates are degrees: project"),
            "{error}"
        );
        let mut degrees = Projection::of_epsg(4326);
        // The value of the first key, the model.
        degrees.directory[7] = 2;
        let error = degrees.check("g.tif", grid().frame).unwrap_err().to_string();
        assert!(error.starts_with("g.tif: its coordinates are degrees: project it to metres"), "{error}");
    }
}
