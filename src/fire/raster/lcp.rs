//! Landscape files of FARSITE and FlamMap (`.lcp`): a header of 7,316 bytes, then for each cell five to ten numbers of 16 bits.

use super::Grid;
use crate::layers::Layers;
use crate::{FireError, Frame};
use tickless_core::memory;

/// Bytes of the header.
const HEADER: usize = 7316;
/// The values of the first two words: with or without the bands of crowns, of the ground.
const WITHOUT: i32 = 20;
const WITH: i32 = 21;
/// Places in the header: columns and rows, the west, the north, the unit of the grid, the width and the height of a cell, the units
/// of the first six bands.
const COLUMNS: usize = 4164;
const WEST: usize = 4180;
const NORTH: usize = 4188;
const GRID_UNIT: usize = 4204;
const WIDTH: usize = 4208;
const UNITS: usize = 4224;
/// The number for no value.
const NO_DATA: i16 = -9999;
/// Metres in a foot.
const FOOT: f64 = 0.3048;

/// The bands of a landscape file.
pub(crate) fn read(bytes: &[u8], name: &str) -> Result<Layers, FireError> {
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
    let band = |place: usize, unit: &dyn Fn(f64) -> f64| {
        let value = |cell: &[u8]| match i16::from_le_bytes([cell[2 * place], cell[2 * place + 1]]) {
            NO_DATA => f64::NAN,
            value => unit(value.into()),
        };
        let name = format!("{name}, band {}", place + 1);
        Grid { name, frame, projection: None, values: cells().map(value).collect() }
    };
    let unit = |place: usize| short(UNITS + 2 * place);
    let known = |place: usize, what: &str, units: &[i16]| {
        let wrong = || failed(format!("the unit of its {what} is {}; known are {units:?}", unit(place)));
        units.contains(&unit(place)).then_some(unit(place)).ok_or_else(wrong)
    };
    if ![0, 1].contains(&unit(3)) {
        let cause = "its fuels are codes that a conversion file makes models of: write it again with fuel models";
        return Err(failed(cause.into()));
    }
    let elevation = if known(0, "elevation", &[0, 1])? == 1 { FOOT } else { 1.0 };
    let percent = known(1, "slope", &[0, 1])? == 1;
    // Degrees from the north; the two forms before are those of GRASS.
    known(2, "aspect", &[2])?;
    let of_cover = known(4, "canopy cover", &[0, 1])?;
    let slope = band(1, &|slope| if percent { libm::atan(slope / 100.0).to_degrees() } else { slope });
    let mut layers = Layers::new(band(3, &|value| value)).with_slope(slope, band(2, &|value| value));
    layers.elevation = Some(band(0, &|height| height * elevation));
    // The middles of classes, as in FARSITE.
    let middle = |class: f64| [0.0, 10.0, 30.0, 60.0, 75.0].get(class as usize).copied().unwrap_or(0.0);
    let cover = band(4, &|cover| if of_cover == 0 { middle(cover) } else { cover });
    if int(0) == WITH {
        let height = match known(5, "canopy height", &[1, 2, 3, 4])? {
            1 => 1.0,
            2 => FOOT,
            3 => 0.1,
            _ => 0.1 * FOOT,
        };
        layers.canopy = Some([cover, band(5, &|value| value * height)]);
    }
    Ok(layers)
}
