//! What files state of their numbers, and files beside them: converted where it is certain, else refused.

use std::io::Cursor;
use std::path::PathBuf;

use tiff::encoder::{TiffEncoder, colortype::Gray16};
use tiff::tags::Tag;

use crate::{FireError, Grid, Landscape, Layers, Projection, Quantity, RasterFile, Weather};

/// A GeoTIFF of 2 x 1 cells of 30 m with the values 36 and 10, in UTM, with these keys and items of metadata.
fn geotiff(keys: &[[u16; 4]], items: &str, more: impl FnOnce(&mut TiffEncoder<&mut Cursor<Vec<u8>>>)) -> Vec<u8> {
    let mut file = Cursor::new(vec![]);
    let mut encoder = TiffEncoder::new(&mut file).unwrap();
    let mut image = encoder.new_image::<Gray16>(2, 1).unwrap();
    let tags = image.encoder();
    tags.write_tag(Tag::ModelPixelScaleTag, &[30.0, 30.0, 0.0][..]).unwrap();
    tags.write_tag(Tag::ModelTiepointTag, &[0.0, 0.0, 0.0, 5e5, 4e6, 0.0][..]).unwrap();
    let directory = [&[[1, 1, 0, keys.len() as u16]], keys].concat().concat();
    tags.write_tag(Tag::GeoKeyDirectoryTag, &directory[..]).unwrap();
    let metadata = format!("<GDALMetadata>{items}</GDALMetadata>");
    tags.write_tag(Tag::Unknown(42_112), metadata.as_str()).unwrap();
    image.write_data(&[36_u16, 10]).unwrap();
    more(&mut encoder);
    file.into_inner()
}

const UTM: [[u16; 4]; 3] = [[1024, 0, 1, 1], [3072, 0, 1, 32_610], [3076, 0, 1, 9001]];

fn item(name: &str, value: &str) -> String {
    format!("<Item name=\"{name}\" sample=\"0\" role=\"{}\">{value}</Item>", name.to_lowercase())
}

fn read(file: &[u8], quantity: Quantity) -> Result<f64, String> {
    let grid = RasterFile::new(file, "layer.tif").grid(quantity).map_err(|error| error.to_string())?;
    Ok((grid.values[0] * 1e6).round() / 1e6)
}

/// A copy of a case.
fn case(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/cells/stated").join(name)
}

#[test]
fn bands_are_in_their_units() {
    let percent = Layers::read(&case("land_percent_unit.tif")).unwrap();
    let [slope, _] = percent.slope.as_ref().unwrap();
    assert!(slope.values.iter().all(|degrees| (degrees - 19.798_876).abs() < 1e-6), "{}", slope.values[0]);
    let named = Grid::read(&case("LC20_SlpP_220.tif"), Quantity::Slope).unwrap();
    assert!(named.values.iter().all(|degrees| (degrees - 19.798_876).abs() < 1e-6), "{}", named.values[0]);
    let scaled = Grid::read(&case("z_scaled.tif"), Quantity::Elevation).unwrap();
    let metres = Grid::read(&case("z_metres.tif"), Quantity::Elevation).unwrap();
    assert!(scaled.values.iter().zip(&metres.values).all(|(a, b)| (a - b).abs() < 0.051));
}

#[test]
fn tags_of_a_geotiff_count() {
    let of = |keys: &[[u16; 4]], items: &str| geotiff(&[&UTM, keys].concat(), items, |_| {});
    let heights = |file: &[u8]| read(file, Quantity::Elevation);
    assert_eq!(heights(&of(&[], "")), Ok(36.0));
    assert_eq!(heights(&of(&[], &item("OFFSET", "-6"))), Ok(30.0));
    assert_eq!(heights(&of(&[], &(item("SCALE", "0.5") + &item("OFFSET", "100")))), Ok(118.0));
    assert_eq!(heights(&of(&[], &item("UNITTYPE", "ft"))), Ok(10.9728));
    // Heights in feet by the coordinate system, by its unit and by its code; the unit of the band comes first.
    assert_eq!(heights(&of(&[[4099, 0, 1, 9002]], "")), Ok(10.9728));
    assert_eq!(heights(&of(&[[4096, 0, 1, 6360]], "")), Ok(10.972_822));
    assert_eq!(heights(&of(&[[4099, 0, 1, 9002]], &item("UNITTYPE", "m"))), Ok(36.0));
    assert!(heights(&of(&[[4099, 0, 1, 9999]], "")).unwrap_err().contains("its unit is \"EPSG:9999\""));
    assert_eq!(read(&of(&[[4099, 0, 1, 9002]], ""), Quantity::Slope), Ok(36.0));
    assert_eq!(read(&of(&[], &item("SCALE", "0.1")), Quantity::Slope), Ok(3.6));
    let landscape_item = "<Item name=\"SLOPE_UNIT_NAME\" sample=\"0\">Percent</Item>";
    assert_eq!(read(&of(&[], landscape_item), Quantity::Slope), Ok(19.798_876));
    assert_eq!(read(&of(&[], &item("UNITTYPE", "mph")), Quantity::Wind), Ok(57.936_384));
    assert_eq!(read(&of(&[], &item("UNITTYPE", "km/h")), Quantity::WindInMiles), Ok(36.0));
    assert_eq!(read(&of(&[], ""), Quantity::WindInMetres), Ok(129.6));
    assert_eq!(read(&of(&[], &item("UNITTYPE", "Meters")), Quantity::CanopyHeight), Ok(36.0));
    assert_eq!(read(&of(&[], ""), Quantity::CanopyHeight), Ok(3.6));
    assert!(
        read(&of(&[], &item("UNITTYPE", "Meters")), Quantity::Fuel).unwrap_err().contains("its unit is \"Meters\"")
    );
    assert!(heights(&of(&[], &item("SCALE", "x"))).unwrap_err().contains("the scale of band 1 is \"x\""));
}

#[test]
fn coordinates_are_metres_of_the_ground() {
    let of = |keys: &[[u16; 4]]| read(&geotiff(keys, "", |_| {}), Quantity::Number);
    assert_eq!(of(&UTM), Ok(36.0));
    for (keys, said) in [
        (&[[1024, 0, 1, 1], [3072, 0, 1, 2225], [3076, 0, 1, 9003]][..], "its coordinates are no metres"),
        (&[[1024, 0, 1, 1], [3072, 0, 1, 32_767], [3076, 0, 1, 32_767]], "its coordinates are no metres"),
        (&[[1024, 0, 1, 2], [2048, 0, 1, 4326]], "its coordinates are degrees"),
        (&[[2048, 0, 1, 4326]], "its coordinates are degrees"),
        (&[[1024, 0, 1, 1], [3072, 0, 1, 3857]], "Mercator's, and a metre on the ground is 1.203 of its"),
        (&[[1024, 0, 1, 1], [3072, 0, 1, 32_767], [3075, 0, 1, 7], [3076, 0, 1, 9001]], "its projection is Mercator's"),
        (&[[1024, 0, 1, 1], [3072, 0, 1, 4087]], "its projection is equirectangular"),
        (&[[1024, 0, 1, 1], [3072, 0, 1, 2225]], "its projection is EPSG:2225, whose coordinates are no metres"),
        (
            &[[1024, 0, 1, 1], [3072, 0, 1, 2225], [3076, 0, 1, 9001]],
            "its unit is the metre, and that of EPSG:2225 is not",
        ),
        (&[[1024, 0, 1, 1], [3072, 0, 1, 4326]], "its projection is EPSG:4326, whose coordinates are degrees"),
        (
            &[[1024, 0, 1, 1], [3072, 0, 1, 15_000]],
            "EPSG:15000, which is not known to be in metres, and it states no unit",
        ),
        (
            &[[1024, 0, 1, 1], [3072, 0, 1, 6933]],
            "is the cylindrical one of equal areas, and a metre on the ground is 1.034 of its",
        ),
    ] {
        let error = of(keys).unwrap_err();
        assert!(error.contains(said) && error.contains("gdalwarp -t_srs"), "{error}");
    }
    assert!(Grid::read(&case("mercator.tif"), Quantity::Fuel).unwrap_err().to_string().contains("1.286 of its metres"));
    assert!(Grid::read(&case("utm.tif"), Quantity::Fuel).is_ok());
    let albers = Grid::read(&case("local_albers.tif"), Quantity::Fuel).unwrap().projection;
    assert_eq!(albers.map(|projection| projection.epsg()), Some(None));
}

#[test]
fn masks_and_further_images_are_refused() {
    let with = |kind: u32| {
        geotiff(&UTM, "", |encoder| {
            let mut image = encoder.new_image::<Gray16>(1, 1).unwrap();
            image.encoder().write_tag(Tag::NewSubfileType, kind).unwrap();
            image.write_data(&[1_u16]).unwrap();
        })
    };
    // Smaller forms of the image, and of its mask.
    assert_eq!([1, 5].map(|kind| read(&with(kind), Quantity::Number)), [Ok(36.0), Ok(36.0)]);
    for (kind, said) in [(4, "it has a mask of the cells"), (0, "it has several images"), (2, "it has several images")]
    {
        assert!(read(&with(kind), Quantity::Number).unwrap_err().contains(said), "{kind}");
    }
}

/// A folder with a grid, and files beside it, gone when this is.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("tickless-fire-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let grid = "ncols 2\nnrows 1\nxllcorner 500000\nyllcorner 4000000\ncellsize 30\n36 10\n";
        std::fs::write(folder.join("z.asc"), grid).unwrap();
        Self(folder)
    }

    fn with(&self, file: &str, text: &str) -> Result<Grid, FireError> {
        std::fs::write(self.0.join(file), text).unwrap();
        let grid = Grid::read(&self.0.join("z.asc"), Quantity::Elevation);
        std::fs::remove_file(self.0.join(file)).unwrap();
        grid
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn files_beside_a_grid_count() {
    let folder = Folder::new("beside");
    let system = |name: &str, unit: &str| {
        format!("PROJCS[\"{name}\",GEOGCS[\"g\",UNIT[\"Degree\",0.01745]],PROJECTION[\"{name}\"],UNIT[{unit}]]")
    };
    let utm = system("NAD_1983_UTM_Zone_10N", "\"Meter\",1.0");
    let code = |grid: Grid| grid.projection.and_then(|projection| projection.epsg());
    assert_eq!(folder.with("z.prj", &utm).map(code), Ok(Some(26_910)));
    assert_eq!(folder.with("z.prj", " \n").map(code), Ok(None));
    // A system without a code stays with the grid, also in what is written.
    let own = folder.with("z.prj", &system("Albers", "\"Meter\",1.0")).unwrap();
    let mut written = vec![];
    own.write_geotiff(&mut written).unwrap();
    let again = RasterFile::new(&written, "z.tif").grid(Quantity::Number).unwrap();
    assert!(again.projection.is_some() && again.projection == own.projection);
    for (file, text, said) in [
        ("z.prj", system("UTM", "\"Foot_US\",0.3048006096"), "its coordinates are no metres"),
        ("z.prj", system("Mercator_Auxiliary_Sphere", "\"Meter\",1.0"), "its projection is Mercator's"),
        ("z.prj", "GEOGCS[\"GCS_WGS_1984\",UNIT[\"Degree\",0.01745]]".into(), "its coordinates are degrees"),
        ("z.prj", "Projection STATEPLANE\nUnits FEET\n".into(), "its coordinates are no metres"),
        ("z.prj", "what is this".into(), "it has no coordinate system that is read"),
        ("z.asc.msk", "mask".into(), "is a mask of its cells without a value"),
        (
            "z.asc.aux.xml",
            "<PAMDataset><UnitType>".into(),
            "z.asc.aux.xml: it is no XML that can be read (<UnitType> has no end)",
        ),
        (
            "z.asc.aux.xml",
            "<PAMRasterBand band=\"1\"><UnitType>gon</UnitType></PAMRasterBand>".into(),
            "its unit is \"gon\"",
        ),
    ] {
        let error = folder.with(file, &text).expect_err(&text).to_string();
        assert!(error.contains(said) && error.contains("z."), "{error}");
    }
    let feet = format!("COMPD_CS[\"c\",{utm},VERT_CS[\"NAVD88\",UNIT[\"US survey foot\",0.3048006]]]");
    let value = |grid: Result<Grid, FireError>| (grid.unwrap().values[0] * 1e6).round() / 1e6;
    assert_eq!(value(folder.with("z.prj", &feet)), 10.972_822);
    assert_eq!(value(folder.with("z.prj", "Projection UTM\nZunits FEET\nUnits METERS\n")), 10.9728);
    let beside =
        "<PAMDataset><PAMRasterBand band=\"1\"><UnitType>ft</UnitType><Scale>0.1</Scale></PAMRasterBand></PAMDataset>";
    assert_eq!(value(folder.with("z.asc.aux.xml", beside)), 1.097_28);
}

#[test]
fn numbers_for_no_value_and_units_of_files_count() {
    let folder = Folder::new("no-value");
    let aux = "<PAMDataset><PAMRasterBand band=\"1\"><NoDataValue>10</NoDataValue></PAMRasterBand></PAMDataset>";
    let heights = folder.with("z.asc.aux.xml", aux).unwrap().values;
    assert!(heights[0] == 36.0 && heights[1].is_nan());
    let percent = geotiff(&UTM, "<Item name=\"units\">percent</Item>", |_| {});
    assert_eq!(read(&percent, Quantity::Slope), Ok(19.798_876));
    assert!(read(&percent, Quantity::Elevation).unwrap_err().contains("its unit is \"percent\""));
    let aspect = geotiff(&UTM, &item("DESCRIPTION", "LF2020_Asp_220"), |_| {});
    assert_eq!(read(&aspect, Quantity::Aspect), Ok(36.0));
    assert!(
        read(&aspect, Quantity::Slope)
            .unwrap_err()
            .contains("\"LF2020_Asp_220\", which is aspect, and slope is asked for")
    );
}

/// A slope without a direction is level, which is said; one degree may be a rounded level place.
#[test]
fn slopes_without_a_direction_are_told() {
    let grid = |name: &str, values: &str| {
        Grid::parse(&format!("ncols 3\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 30\n{values}"), name).unwrap()
    };
    let of = |aspects: &str| {
        let layers = Layers::new(grid("f.asc", "1 1 98")).with_slope(grid("s.asc", "1 20 30"), grid("a.asc", aspects));
        Landscape::of_layers(&layers, Default::default()).unwrap().remarks().to_vec()
    };
    assert!(of("-1 180 -1").is_empty());
    let told = of("180 -1 -1");
    assert!(
        told.len() == 1
            && told[0]
                .starts_with("a.asc: 1 cells that burn have no direction and a slope, the first in column 1, row 0"),
        "{told:?}"
    );
}

/// The wind of WindNinja: coarser cells, and its own unit.
#[test]
fn winds_of_other_cells_fit() {
    let land = Landscape::uniform(21, 21, 30.0, 102).unwrap();
    let fit = |weather: Result<Weather, FireError>, land: &Landscape| {
        let mut weather = weather?;
        weather.fit(land)?;
        Ok::<_, FireError>(weather.at(0, 220).wind_kmh)
    };
    assert_eq!(fit(Weather::read(&case("windninja.csv")), &land), Ok(20.0));
    let text = std::fs::read_to_string(case("windninja.csv")).unwrap();
    let other = |column: &str, wind: &str| {
        let text = text.replace("wind_kmh", column).replace("wind_vel_90m.asc", wind);
        Weather::parse_with(&text, "w.csv", &mut |file, quantity| Grid::read(&case(file), quantity))
    };
    let rounded = |weather| fit(weather, &land).map(|speed| (speed * 1e6).round() / 1e6);
    assert_eq!(rounded(other("wind_mph", "wind_vel_90m.asc")), Ok(32.186_88));
    assert_eq!(rounded(other("wind_ms", "wind_vel_90m.asc")), Ok(72.0));
    assert_eq!(rounded(other("wind_mph", "10")), Ok(16.093_44));
    let error = other("wind_mph", "187").unwrap_err().to_string();
    assert!(error.contains("wind_mph is \"187\"; it must be a number from 0 to 186"), "{error}");
    let error = other("wind_knots", "10").unwrap_err().to_string();
    assert!(error.contains("\"wind_knots\" is not known here") && error.ends_with("wind_mph, wind_ms"), "{error}");
    // It does not reach the last column, and the other one is in another projection.
    let wider = Landscape::uniform(22, 21, 30.0, 102).unwrap();
    let error = fit(other("wind_kmh", "wind_vel_90m.asc"), &wider).unwrap_err().to_string();
    assert!(error.contains("wind_vel_90m.asc is 7 x 7 cells of 90"), "{error}");
    assert!(error.ends_with("it must reach all cells that burn, with cells of any size"), "{error}");
    let elsewhere = land.with_projection(Some(Projection::of_epsg(5070)));
    let turned = Weather::parse_with(&text, "w.csv", &mut |file, quantity| {
        Ok(Grid { projection: Some(Projection::of_epsg(26_910)), ..Grid::read(&case(file), quantity)? })
    });
    assert!(fit(turned, &elsewhere).unwrap_err().to_string().contains("its projection is EPSG:26910"));
}

#[test]
fn fractions_are_no_percent() {
    let head = "minutes,wind_kmh,wind_adjustment,wind_from,moisture_1h,moisture_10h,moisture_100h,moisture_herb,moisture_woody";
    let read = |tail: &str, line: &str| {
        Weather::parse(&format!("{head}{tail}\n{line}\n"), "w.csv").map_err(|error| error.to_string())
    };
    assert!(read("", "0,20,0.4,270,1,2,3,30,60").is_ok() && read("", "0,20,0.4,270,0,0,0,0,0").is_ok());
    for (line, what) in [
        ("0,20,0.4,270,0.06,7,8,60,90", "moisture_1h is \"0.06\""),
        ("0,20,0.4,270,6,0.07,8,60,90", "moisture_10h is \"0.07\""),
        ("0,20,0.4,270,6,7,.99,60,90", "moisture_100h is \".99\""),
        ("0,20,0.4,270,6,7,8,0.6,90", "moisture_herb is \"0.6\""),
        ("0,20,0.4,270,6,7,8,60,1.2", "moisture_woody is \"1.2\""),
    ] {
        let error = read("", line).unwrap_err();
        assert!(error.contains(what) && error.ends_with("percent, and a fraction of 1 times 100"), "{error}");
    }
    let dry = |humidity: &str| read(",temperature_c,humidity", &format!("0,20,0.4,270,6,7,8,60,90,30,{humidity}"));
    assert!(dry("20").is_ok() && dry("0").is_ok());
    assert!(dry("0.2").unwrap_err().contains("humidity is \"0.2\""));
    let grid = |values: &str| {
        Grid::parse(&format!("ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 30\n{values}"), "g.asc")
    };
    let covered = |cover: &str| {
        let canopy = Some([grid(cover).unwrap(), grid("10 10").unwrap()]);
        let layers = Layers { canopy, ..Layers::new(grid("1 1").unwrap()) };
        Landscape::of_layers(&layers, Default::default()).map(drop).map_err(|error| error.to_string())
    };
    assert!(covered("0 1").is_ok() && covered("0.5 40").is_ok());
    assert!(covered("0.4 1").unwrap_err().contains("all values here are fractions of 1"));
}
