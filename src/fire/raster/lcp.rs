//! Landscape files of FARSITE and FlamMap (`.lcp`): a header of 7,316 bytes, then for each cell five to ten numbers of 16 bits.

use super::stated::Stated;
use super::{Grid, Projection, Quantity};
use crate::layers::Layers;
use crate::{FireError, Frame};
use tickless_core::memory;

/// Bytes of the header.
const HEADER: usize = 7316;
/// The values of the first two words: with or without the bands of crowns, of the ground.
const WITHOUT: i32 = 20;
const WITH: i32 = 21;
/// Places in the header: columns and rows, the east, the west, the north, the south, the unit of the grid, the width and the height of a cell, the units
/// of the first six bands.
const COLUMNS: usize = 4164;
const EAST: usize = 4172;
const WEST: usize = 4180;
const NORTH: usize = 4188;
const SOUTH: usize = 4196;
const GRID_UNIT: usize = 4204;
const WIDTH: usize = 4208;
const UNITS: usize = 4224;
/// The number for no value.
const NO_DATA: i16 = -9999;
/// The units of bands, by their numbers from 0.
const LENGTHS: &[&str] = &["metres", "feet"];
const SLOPES: &[&str] = &["degrees", "percent"];
const ASPECTS: &[&str] = &["GRASS categories", "GRASS degrees", "azimuth degrees"];
const COVERS: &[&str] = &["categories", "percent"];
const CANOPIES: &[&str] = &["", "metres", "feet", "metres x 10", "feet x 10"];

/// The bands of a landscape file, whose projection is known from elsewhere.
pub(super) fn read(bytes: &[u8], name: &str, projection: Option<&Projection>) -> Result<Layers, FireError> {
    let failed = |cause: String| FireError::Read { file: name.into(), cause };
    let no_landscape =
        || failed("it is no landscape file: name an .lcp of FARSITE, or a GeoTIFF with its bands".into());
    let header = bytes.get(..HEADER).ok_or_else(no_landscape)?;
    let int = |place: usize| i32::from_le_bytes(std::array::from_fn(|byte| header[place + byte]));
    let short = |place: usize| i16::from_le_bytes([header[place], header[place + 1]]);
    let double = |place: usize| f64::from_le_bytes(std::array::from_fn(|byte| header[place + byte]));
    if ![int(0), int(4)].iter().all(|word| [WITHOUT, WITH].contains(word)) {
        return Err(no_landscape());
    }
    let bands = 5 + if int(0) == WITH { 3 } else { 0 } + if int(4) == WITH { 2 } else { 0 };
    if int(GRID_UNIT) != 0 {
        return Err(failed("its grid is in feet or kilometres: write it again with metres".into()));
    }
    let [width, height] = [double(WIDTH), double(WIDTH + 8)];
    if (width - height).abs() > width.abs() * 1e-6 {
        return Err(failed(format!("its cells are {width} x {height} metres; they must be squares")));
    }
    let [columns, rows] = [int(COLUMNS), int(COLUMNS + 4)].map(|size| u32::try_from(size).unwrap_or(0));
    let corner = [double(WEST), double(NORTH) - f64::from(rows) * width];
    // Some programs count from the middles of cells.
    let sides = [(columns, double(EAST) - double(WEST)), (rows, double(NORTH) - double(SOUTH))];
    if let Some((cells, side)) =
        sides.into_iter().find(|(cells, side)| (f64::from(*cells) * width - side).abs() > 1.01 * width)
    {
        return Err(failed(format!(
            "its {cells} cells of {width} metres do not fit its borders, which are {side} metres apart: write it again"
        )));
    }
    if !corner.iter().all(|along| along.is_finite()) {
        return Err(failed("its corner is no point: it is damaged".into()));
    }
    let frame = Frame { columns, rows, corner, cell_size: width };
    frame.space(vec![]).map_err(|error| failed(error.to_string()))?;
    let (found, expected) = (bytes.len() - HEADER, 2 * bands * frame.cells());
    if found < expected {
        return Err(failed(format!("it has {found} bytes behind its header, and its {bands} bands need {expected}")));
    }
    memory::room_of(6 * 8 * frame.cells() as u64, "the bands of a landscape")?;
    let cells = || bytes[HEADER..HEADER + expected].chunks_exact(2 * bands);
    projection.into_iter().try_for_each(|projection| projection.check(name, frame))?;
    let unit = |place: usize| short(UNITS + 2 * place);
    let band = |place: usize, quantity: Quantity, units: &[&str]| -> Result<Grid, FireError> {
        let value = |cell: &[u8]| match i16::from_le_bytes([cell[2 * place], cell[2 * place + 1]]) {
            NO_DATA => f64::NAN,
            value => value.into(),
        };
        let mut values: Vec<f64> = cells().map(value).collect();
        let stated = usize::try_from(unit(place)).ok().and_then(|unit| units.get(unit)).filter(|unit| !unit.is_empty());
        if !units.is_empty() {
            let wrong = || {
                let known = units.iter().enumerate().filter(|(_, unit)| !unit.is_empty());
                let known = known.map(|(number, unit)| format!("{number} ({unit})")).collect::<Vec<_>>().join(", ");
                failed(format!("the unit of its {} is {}; known are {known}", quantity.usual().0, unit(place)))
            };
            let stated = Stated { unit: Some((*stated.ok_or_else(wrong)?).to_owned()), ..Stated::default() };
            quantity.convert(&mut values, &stated, "").map_err(failed)?;
        }
        let name = format!("{name}, band {}", place + 1);
        Ok(Grid { name, frame, projection: projection.cloned(), values })
    };
    if ![0, 1].contains(&unit(3)) {
        let cause = "its fuels are codes that a conversion file makes models of: write it again with fuel models";
        return Err(failed(cause.into()));
    }
    let slope = band(1, Quantity::Slope, SLOPES)?;
    let aspect = band(2, Quantity::Aspect, ASPECTS)?;
    let mut layers = Layers::new(band(3, Quantity::Fuel, &[])?).with_slope(slope, aspect);
    layers.elevation = Some(band(0, Quantity::Elevation, LENGTHS)?);
    if int(0) == WITH {
        let cover = band(4, Quantity::CanopyCover, COVERS)?;
        layers.canopy = Some([cover, band(5, Quantity::CanopyHeight, CANOPIES)?]);
    }
    Ok(layers)
}
