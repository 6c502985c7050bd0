//! Rasters written by GDAL (`tests/cells/rasters/make.py`), in the formats of landscapes.

use std::path::PathBuf;

use crate::{FuelModels, Grid, Landscape, Layers, Quantity, RasterFile};

fn path(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../../tests/cells/rasters", name].iter().collect()
}

/// The values as numbers, in which two missing values are equal.
fn bits(grid: &Grid) -> Vec<u64> {
    grid.values.iter().map(|value| if value.is_nan() { u64::MAX } else { value.to_bits() }).collect()
}

#[test]
fn a_landscape_is_the_same_in_all_forms() {
    let strips = Layers::read(&path("strips.tif")).unwrap();
    assert_eq!((strips.fuel.frame.columns, strips.fuel.frame.rows), (40, 18));
    assert_eq!((strips.fuel.frame.corner, strips.fuel.frame.cell_size), ([-1_500_000.0, 1_999_460.0], 30.0));
    assert_eq!(strips.fuel.projection.as_ref().and_then(|projection| projection.epsg()), Some(5070));
    assert!(strips.fuel.values[..5].iter().all(|value| value.is_nan()) && strips.fuel.values[5] >= 98.0);
    let bands = |layers: &Layers| {
        let [slope, aspect] = layers.slope.as_ref().unwrap();
        let [cover, height] = layers.canopy.as_ref().unwrap();
        [&layers.fuel, layers.elevation.as_ref().unwrap(), slope, aspect, cover, height].map(bits)
    };
    for other in ["lzw_tiles_apart.tif", "deflate_tiles_together.tif", "landscape.lcp"] {
        let other_layers = Layers::read(&path(other)).unwrap();
        assert!(bands(&other_layers) == bands(&strips), "{other}");
        assert_eq!(other_layers.fuel.frame, strips.fuel.frame);
    }
    // The landscape is plausible: it falls to the aspect, trees are as high as their layer has them.
    let land = Landscape::of_layers(&strips, FuelModels::default()).unwrap();
    assert!(land.has_trees() && land.projection().is_some());
    let cell = (0..720).find(|&cell| land.burns(cell) && strips.slope.as_ref().unwrap()[0].values[cell as usize] > 5.0);
    let cell = cell.unwrap() as usize;
    let [slope, aspect] = strips.slope.as_ref().unwrap().each_ref().map(|grid| grid.values[cell].to_radians());
    let [east, north] = land.gradients()[cell];
    assert!((east + slope.tan() * aspect.sin()).abs() < 1e-12 && (north + slope.tan() * aspect.cos()).abs() < 1e-12);
}

/// The same numbers with other units in the header of a landscape file: feet, percent, classes of cover, metres of height.
#[test]
fn landscape_files_have_their_units() {
    let mut file = std::fs::read(path("landscape.lcp")).unwrap();
    let usual = RasterFile::new(&file, "l.lcp").layers().unwrap();
    let mut set = |place: usize, unit: i16| file[4224 + 2 * place..][..2].copy_from_slice(&unit.to_le_bytes());
    [(0, 1), (1, 1), (4, 0), (5, 1)].into_iter().for_each(|(place, unit)| set(place, unit));
    let other = RasterFile::new(&file, "l.lcp").layers().unwrap();
    let all = |layers: &Layers, place: usize| {
        let pairs = [layers.slope.as_ref().unwrap(), layers.canopy.as_ref().unwrap()];
        [layers.elevation.as_ref().unwrap(), &pairs[0][0], &pairs[1][0], &pairs[1][1]][place].values.clone()
    };
    let pairs = |place| all(&usual, place).into_iter().zip(all(&other, place)).collect::<Vec<_>>();
    assert!(pairs(0).iter().all(|(metres, feet)| (metres * 0.3048 - feet).abs() < 1e-9));
    assert!(pairs(1).iter().all(|(degrees, percent)| (percent.to_radians().tan() * 100.0 - degrees).abs() < 1e-9));
    let class = |cover: f64| [0.0, 10.0, 30.0, 60.0, 75.0].get(cover as usize).copied().unwrap_or(f64::INFINITY);
    assert!(pairs(2).iter().all(|(cover, middle)| class(*cover) == *middle));
    assert!(pairs(3).iter().all(|(tenths, metres)| (tenths * 10.0 - metres).abs() < 1e-9));
    for (place, said) in [
        (3, "a conversion file makes models of"),
        (2, "the unit of its aspects is 9; known are 0 (GRASS categories), 1"),
    ] {
        let mut damaged = file.clone();
        damaged[4224 + 2 * place] = 9;
        let error = RasterFile::new(&damaged, "l.lcp").layers().unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}

/// Columns by their width that do not fit the borders of the header.
#[test]
fn landscape_files_have_one_size() {
    let mut file = std::fs::read(path("landscape.lcp")).unwrap();
    file[4208..4216].copy_from_slice(&60.0_f64.to_le_bytes());
    file[4216..4224].copy_from_slice(&60.0_f64.to_le_bytes());
    let error = RasterFile::new(&file, "l.lcp").layers().unwrap_err().to_string();
    assert!(error.contains("its 40 cells of 60 metres do not fit its borders, which are 1200 metres apart"), "{error}");
}

#[test]
fn floats_are_the_same_in_all_forms() {
    let doubles = Grid::read(&path("doubles.tif"), Quantity::Number).unwrap();
    assert!(doubles.values.iter().all(|value| value.fract() == 0.25));
    for other in ["floats.tif", "floats_big.tif", "packed.tif"] {
        assert_eq!(bits(&Grid::read(&path(other), Quantity::Number).unwrap()), bits(&doubles), "{other}");
    }
    // GDAL leaves out tiles without a value.
    let sparse = Grid::read(&path("sparse.tif"), Quantity::Number).unwrap().values;
    let cells = || sparse.iter().zip(&doubles.values).enumerate();
    assert!(cells().all(|(cell, (sparse, value))| if cell % 40 < 16 { sparse == value } else { sparse.is_nan() }));
}

#[test]
fn what_is_not_taken_is_refused() {
    let refused = |name: &str| Grid::read(&path(name), Quantity::Number).unwrap_err().to_string();
    assert!(refused("degrees.tif").ends_with("degrees.tif: its coordinates are degrees: project it to metres, as with gdalwarp -t_srs EPSG:5070 (or a zone of UTM)"));
    assert!(refused("feet.tif").contains("its coordinates are no metres"), "{}", refused("feet.tif"));
    assert!(
        refused("strips.tif")
            .ends_with("it has 8 bands, and one is asked for: a landscape of several is for --landscape")
    );
    let one = Layers::read(&path("doubles.tif")).unwrap_err().to_string();
    assert!(one.contains("it has 1 bands; a landscape has 5 or 8: elevation, slope"), "{one}");
}

/// A file cut off or changed anywhere is read or refused, without a panic.
#[test]
fn damaged_files_are_refused_or_read() {
    for name in ["lzw_tiles_apart.tif", "deflate_tiles_together.tif", "packed.tif", "floats.tif", "landscape.lcp"] {
        let whole = std::fs::read(path(name)).unwrap();
        let decode = |bytes: &[u8]| {
            let file = RasterFile::new(bytes, name);
            file.layers().is_ok() || file.grid(Quantity::Number).is_ok()
        };
        assert!(decode(&whole), "{name}");
        // Bands of crowns, at the end, are not read.
        let cuts = (0..whole.len() / 2).step_by(199);
        assert_eq!(cuts.filter(|&byte| decode(&whole[..byte])).count(), 0, "{name}");
        for byte in (0..whole.len()).step_by(if name.ends_with(".lcp") { 499 } else { 37 }) {
            let mut damaged = whole.clone();
            damaged[byte] = damaged[byte].wrapping_add(0x55);
            let _ = decode(&damaged);
        }
    }
}
