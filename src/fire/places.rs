//! Places of a map from GeoJSON: ignitions and barriers.

use std::sync::Arc;

use geojson::{Feature, FeatureCollection, GeoJson, Geometry, GeometryValue, JsonObject, JsonValue, Position};

use super::{FireError, Frame, Ignition, LATEST, Landscape, Place, crs};
use tickless_core::reading::{names, without_mark};

/// Cells where fire never enters: areas, and lines as wide as the cells that they cross.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use tickless::cells::fire::{Barriers, Frame};
/// let river = r#"{ "type": "LineString", "coordinates": [[5, 0], [25, 40]] }"#;
/// let frame = Frame { columns: 3, rows: 4, corner: [0.0; 2], cell_size: 10.0 };
/// // Row 0 is in the north: column 2 there, column 0 in the south, and no way between them.
/// assert_eq!(Barriers::parse(river, "river.geojson")?.cells(frame), [2, 4, 5, 7, 9, 10]);
/// # Ok::<(), tickless::cells::fire::FireError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Barriers {
    shapes: Vec<Shape>,
    file: Arc<str>,
    /// The EPSG code of its coordinates, where the file has one.
    code: Option<u16>,
}

/// A shape of the map.
#[derive(Clone, Debug, PartialEq)]
enum Shape {
    Point([f64; 2]),
    Line(Vec<[f64; 2]>),
    /// Rings: the first is the border, the others are holes.
    Area(Vec<Vec<[f64; 2]>>),
}

impl Barriers {
    /// Reads GeoJSON with lines and polygons in the coordinates of the grids.
    ///
    /// # Errors
    /// [`FireError`], which names the file and the feature.
    pub fn parse(text: &str, name: &str) -> Result<Self, FireError> {
        let mut shapes = vec![];
        let (code, features) = features(text, name)?;
        for (number, feature) in features.into_iter().enumerate() {
            if let Some(other) = properties(&feature).into_iter().find(|property| is_minutes(property)) {
                let cause = format!("its property {other:?} is not read: fire never enters a barrier; leave it out");
                return Err(wrong(name, number, &cause));
            }
            for shape in shapes_of(&feature, name, number)? {
                if matches!(shape, Shape::Point(_)) {
                    return Err(wrong(name, number, "it is a point; a barrier must be a line or an area"));
                }
                shapes.push(shape);
            }
        }
        if shapes.is_empty() {
            return Err(FireError::Missing { file: name.into(), what: "line or area that fire never enters".into() });
        }
        Ok(Self { shapes, file: name.into(), code })
    }

    /// The cells of a landscape, in order.
    ///
    /// # Errors
    /// [`FireError::Read`] where the `crs` of the file is not the projection of the landscape.
    pub fn cells_of(&self, landscape: &Landscape) -> Result<Vec<u32>, FireError> {
        crs::check(self.code, &self.file, landscape)?;
        Ok(self.cells(landscape.frame()))
    }

    /// The cells, in order.
    pub fn cells(&self, frame: Frame) -> Vec<u32> {
        let mut cells: Vec<u32> = self.shapes.iter().flat_map(|shape| shape.cells(frame)).collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }
}

impl Shape {
    fn cells(&self, frame: Frame) -> Vec<u32> {
        match self {
            Self::Point(point) => frame.cell_at(*point).into_iter().collect(),
            Self::Line(corners) => along(corners, frame),
            Self::Area(rings) => within(rings, frame),
        }
    }
}

impl Ignition {
    /// Reads GeoJSON with points, lines and polygons in the coordinates of the grids. The property `minutes` of a feature is the time at
    /// which it begins to burn: by default at the start. Without it a property that may be a time under another name is refused.
    ///
    /// ```
    /// # use tickless_fire::facade as tickless;
    /// use tickless::cells::fire::{Ignition, Place};
    /// let text = r#"{ "type": "Feature", "properties": { "minutes": 5 }, "geometry": { "type": "Point", "coordinates": [3, 4] } }"#;
    /// assert_eq!(Ignition::of_geojson(text, "starts.geojson")?, [Ignition::new(Place::Point([3.0, 4.0])).at(5.0)]);
    /// # Ok::<(), tickless::cells::fire::FireError>(())
    /// ```
    ///
    /// # Errors
    /// [`FireError`], which names the file and the feature.
    pub fn of_geojson(text: &str, name: &str) -> Result<Vec<Self>, FireError> {
        let mut found = vec![];
        let file: Arc<str> = name.into();
        let (code, features) = features(text, name)?;
        for (number, feature) in features.into_iter().enumerate() {
            let minutes = match feature.property("minutes") {
                None | Some(JsonValue::Null) => {
                    match properties(&feature).into_iter().find(|property| is_time(property)) {
                        None => 0.0,
                        Some(other) => {
                            let cause = format!(
                                "its property {other:?} is not read: name it \"minutes\", in minutes from the start, or leave it out"
                            );
                            return Err(wrong(name, number, &cause));
                        }
                    }
                }
                Some(value) => value.as_f64().filter(|minutes| (0.0..=LATEST).contains(minutes)).ok_or_else(|| {
                    wrong(name, number, &format!("its minutes are {value}; they must be a number from 0 to 2^31"))
                })?,
            };
            for shape in shapes_of(&feature, name, number)? {
                let place = match shape {
                    Shape::Point(point) => Place::Point(point),
                    Shape::Line(corners) => Place::Line(corners),
                    Shape::Area(rings) => Place::Area(rings),
                };
                found.push(Self::new(place).at(minutes).of_feature(&file, number, code));
            }
        }
        if found.is_empty() {
            return Err(FireError::Missing {
                file: name.into(),
                what: "point, line or area where a fire begins".into(),
            });
        }
        Ok(found)
    }
}

/// Words of names of times.
const TIMES: [&str; 34] = [
    "min", "mins", "hour", "hours", "hr", "hrs", "h", "second", "seconds", "sec", "secs", "s", "t", "day", "days",
    "date", "start", "starts", "started", "begin", "begins", "began", "when", "elapsed", "at", "after", "since",
    "delay", "delays", "onset", "arrival", "arrivals", "arrives", "offset",
];

/// The properties of a feature that have a value, and members of the feature and of its geometry that are no part of GeoJSON, with all
/// that is within them.
fn properties(feature: &Feature) -> Vec<&str> {
    let mut names = vec![];
    feature.properties.iter().chain(&feature.foreign_members).for_each(|members| names_in(members, &mut names));
    feature.geometry.iter().for_each(|geometry| names_of(geometry, &mut names));
    names
}

/// The names of members that have a value, and of those within them.
fn names_in<'a>(members: &'a JsonObject, names: &mut Vec<&'a str>) {
    for (name, value) in members.iter().filter(|(_, value)| !value.is_null()) {
        names.push(name);
        within_value(value, names);
    }
}

fn within_value<'a>(value: &'a JsonValue, names: &mut Vec<&'a str>) {
    match value {
        JsonValue::Object(members) => names_in(members, names),
        JsonValue::Array(all) => all.iter().for_each(|value| within_value(value, names)),
        _ => {}
    }
}

fn names_of<'a>(geometry: &'a Geometry, names: &mut Vec<&'a str>) {
    geometry.foreign_members.iter().for_each(|members| names_in(members, names));
    if let GeometryValue::GeometryCollection { geometries } = &geometry.value {
        geometries.iter().for_each(|geometry| names_of(geometry, names));
    }
}

/// The member of a collection that says when a service answered.
const OF_ANSWERS: &str = "timeStamp";

/// Whether a name is that of minutes, or nearly so.
fn is_minutes(name: &str) -> bool {
    names::meant(name, ["minutes"].into_iter()).is_some()
}

/// Whether a property may be meant as a time.
fn is_time(name: &str) -> bool {
    let lower = name.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphabetic());
    is_minutes(name)
        || ["time", "minut"].iter().any(|part| lower.contains(part))
        || words.any(|word| TIMES.contains(&word))
}

fn wrong(file: &str, number: usize, cause: &str) -> FireError {
    FireError::Read { file: file.into(), cause: format!("feature {number} (from 0): {cause}") }
}

/// The code of the coordinates of a file, and its features; a geometry by itself counts as a feature.
fn features(text: &str, file: &str) -> Result<(Option<u16>, Vec<Feature>), FireError> {
    let failed = |cause: String| FireError::Read { file: file.into(), cause };
    let read: GeoJson = without_mark(text).parse().map_err(|error| failed(format!("it is no GeoJSON: {error}")))?;
    let code = crs::code(&read, file)?;
    let features = match read {
        GeoJson::FeatureCollection(FeatureCollection { features, foreign_members, .. }) => {
            let mut names = vec![];
            foreign_members.iter().for_each(|members| names_in(members, &mut names));
            let of_features = |feature: &Feature| feature.property("minutes").is_some_and(|value| !value.is_null());
            let told = names.into_iter().find(|name| *name != OF_ANSWERS && is_time(name));
            if let Some(other) = told.filter(|_| !features.iter().all(of_features)) {
                return Err(failed(format!(
                    "its member {other:?} is not read: give each feature a property \"minutes\", in minutes from the start, or leave it out"
                )));
            }
            features
        }
        GeoJson::Feature(feature) => vec![feature],
        GeoJson::Geometry(geometry) => vec![Feature { geometry: Some(geometry), ..Feature::default() }],
    };
    if features.is_empty() {
        return Err(failed("it has no features: add one".into()));
    }
    Ok((code, features))
}

fn shapes_of(feature: &Feature, file: &str, number: usize) -> Result<Vec<Shape>, FireError> {
    let Some(geometry) = &feature.geometry else { return Err(wrong(file, number, "it has no geometry")) };
    let mut shapes = vec![];
    take(&geometry.value, &mut shapes).map_err(|cause| wrong(file, number, &cause))?;
    Ok(shapes)
}

fn take(value: &GeometryValue, shapes: &mut Vec<Shape>) -> Result<(), String> {
    match value {
        GeometryValue::Point { coordinates } => shapes.push(Shape::Point(point(coordinates)?)),
        GeometryValue::MultiPoint { coordinates } => {
            for at in coordinates {
                shapes.push(Shape::Point(point(at)?));
            }
        }
        GeometryValue::LineString { coordinates } => shapes.push(line(coordinates)?),
        GeometryValue::MultiLineString { coordinates } => {
            for positions in coordinates {
                shapes.push(line(positions)?);
            }
        }
        GeometryValue::Polygon { coordinates } => shapes.push(area(coordinates)?),
        GeometryValue::MultiPolygon { coordinates } => {
            for rings in coordinates {
                shapes.push(area(rings)?);
            }
        }
        GeometryValue::GeometryCollection { geometries } => {
            geometries.iter().try_for_each(|geometry| take(&geometry.value, shapes))?;
        }
    }
    Ok(())
}

fn line(positions: &[Position]) -> Result<Shape, String> {
    match points(positions)? {
        corners if corners.len() < 2 => Err("a line has fewer than 2 positions: give it 2 or more, or a point".into()),
        corners => Ok(Shape::Line(corners)),
    }
}

fn area(rings: &[Vec<Position>]) -> Result<Shape, String> {
    let rings = rings.iter().map(|ring| points(ring)).collect::<Result<Vec<_>, _>>()?;
    if rings.iter().any(|ring| ring.len() < 3) {
        return Err("a ring has fewer than 3 corners".into());
    }
    Ok(Shape::Area(rings))
}

fn points(line: &[Position]) -> Result<Vec<[f64; 2]>, String> {
    line.iter().map(point).collect()
}

fn point(position: &Position) -> Result<[f64; 2], String> {
    match position.as_slice() {
        [x, y, ..] if x.is_finite() && y.is_finite() => Ok([*x, *y]),
        _ => Err("a position has no two numbers".into()),
    }
}

/// The cells that a line of several corners passes through.
pub(super) fn along(corners: &[[f64; 2]], frame: Frame) -> Vec<u32> {
    corners.windows(2).flat_map(|ends| crossed([ends[0], ends[1]], frame)).collect()
}

/// The cells with their middle inside of rings; where there are none, those that the rings pass through.
pub(super) fn within(rings: &[Vec<[f64; 2]>], frame: Frame) -> Vec<u32> {
    let middles = inside(rings, frame);
    if !middles.is_empty() {
        return middles;
    }
    let closed = |ring: &Vec<[f64; 2]>| ring.iter().chain(ring.first()).copied().collect::<Vec<_>>();
    rings.iter().flat_map(|ring| along(&closed(ring), frame)).collect()
}

/// The cells with their middle inside, by even-odd crossings of each row with all rings.
fn inside(rings: &[Vec<[f64; 2]>], frame: Frame) -> Vec<u32> {
    let mut found = vec![];
    for row in 0..frame.rows {
        let first = row * frame.columns;
        let y = frame.centre(first)[1];
        let edges = rings.iter().flat_map(|corners| corners.iter().zip(corners.iter().cycle().skip(1)));
        // Half open: a corner on the line belongs to one of its two edges.
        let crossed = edges.filter(|(a, b)| (a[1] <= y) != (b[1] <= y));
        let mut crossings: Vec<f64> = crossed.map(|(a, b)| a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0])).collect();
        crossings.sort_by(f64::total_cmp);
        for pair in crossings.chunks_exact(2) {
            let within = |cell: &u32| (pair[0]..pair[1]).contains(&frame.centre(*cell)[0]);
            found.extend((first..first + frame.columns).filter(within));
        }
    }
    found
}

/// The cells that a line passes through, each beside the next by a side, also where it goes through a corner: fire crosses
/// corners.
fn crossed(ends: [[f64; 2]; 2], frame: Frame) -> Vec<u32> {
    // In cells from the south-west.
    let along = |end: [f64; 2]| [0, 1].map(|axis| (end[axis] - frame.corner[axis]) / frame.cell_size);
    let [[x0, y0], [x1, y1]] = ends.map(along);
    let [low, high] = [y0.min(y1), y0.max(y1)];
    let at = |y: f64| x0 + (y.clamp(low, high) - y0) / (y1 - y0) * (x1 - x0);
    let mut found = vec![];
    for row in between(y0, y1, frame.rows) {
        // The part of the line in the row.
        let part = if low == high { [x0, x1] } else { [at(row.into()), at(f64::from(row) + 1.0)] };
        let first = frame.columns * (frame.rows - 1 - row);
        found.extend(between(part[0], part[1], frame.columns).map(|column| first + column));
    }
    found
}

/// The whole numbers below `count` whose unit intervals overlap an interval.
fn between(a: f64, b: f64, count: u32) -> std::ops::Range<u32> {
    let [low, high] = [a.min(b).floor(), a.max(b).floor()];
    if high < 0.0 || low >= f64::from(count) {
        return 0..0;
    }
    low.max(0.0) as u32..(high as u32).min(count - 1) + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Frame = Frame { columns: 4, rows: 3, corner: [0.0; 2], cell_size: 1.0 };

    #[test]
    fn lines_are_closed() {
        let line = |ends: [[f64; 2]; 2]| {
            let mut cells = crossed(ends, FRAME);
            cells.sort_unstable();
            cells
        };
        assert_eq!(line([[-5.0, 1.5], [9.0, 1.5]]), [4, 5, 6, 7]);
        assert_eq!(line([[1.5, 9.0], [1.5, -9.0]]), [1, 5, 9]);
        // Along a border of cells the line is in those behind it, at a corner in one more.
        assert_eq!(line([[0.0, 1.0], [4.0, 1.0]]), [4, 5, 6, 7]);
        assert_eq!(line([[0.5, 0.5], [1.5, 1.5]]), [5, 8, 9]);
        let outside = [
            [[-3.0, 1.0], [-1.0, 2.0]],
            [[0.0, 3.5], [4.0, 3.5]],
            [[4.5, 0.0], [4.5, 3.0]],
            [[0.0, -1.0], [4.0, -0.1]],
        ];
        for ends in outside {
            assert_eq!(line(ends), Vec::<u32>::new(), "{ends:?}");
        }
        let tall = Frame { columns: 1, rows: 17_000_000, ..FRAME };
        assert_eq!(crossed([[0.5, 16_999_998.5], [0.5, 17_000_009.0]], tall), [1, 0]);
    }

    #[test]
    fn small_areas_are_barriers_too() {
        let sliver = r#"{ "type": "Polygon", "coordinates": [[[0.1, 1.9], [3.9, 1.9], [3.9, 1.95], [0.1, 1.9]]] }"#;
        assert_eq!(Barriers::parse(sliver, "b.json").unwrap().cells(FRAME), [4, 5, 6, 7]);
    }

    #[test]
    fn names_that_may_be_times_are_refused() {
        let feature = |members: &str| {
            format!(r#"{{ "type": "Feature", {members}, "geometry": {{ "type": "Point", "coordinates": [3, 4] }} }}"#)
        };
        let read = |members: &str| Ignition::of_geojson(&feature(members), "p.json");
        for name in [
            "Minutes",
            "minute",
            "MINUTES",
            "time",
            "Time_min",
            "t",
            "ign_min",
            "start",
            "hours",
            "StartTime",
            "mintues",
        ] {
            let error = read(&format!(r#""properties": {{ "{name}": 30 }}"#)).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("p.json: feature 0 (from 0): its property {name:?} is not read")),
                "{error}"
            );
        }
        assert!(read(r#""properties": {}, "minutes": 30"#).is_err(), "beside the properties");
        for name in ["ignite_at", "delay", "onset", "arrival", "minutes"] {
            assert!(
                read(&format!(r#""properties": {{ "fire": [{{ "{name}": 30 }}] }}"#)).is_err(),
                "{name} within a property"
            );
            let point = feature(r#""properties": {}"#).replace("\"Point\"", &format!("\"Point\", \"{name}\": 30"));
            assert!(Ignition::of_geojson(&point, "p.json").is_err(), "{name} of a geometry");
            let of = |members: &str| {
                let one = feature(members);
                Ignition::of_geojson(
                    &format!(r#"{{ "type": "FeatureCollection", "{name}": 30, "features": [{one}] }}"#),
                    "p.json",
                )
            };
            let error = of(r#""properties": {}"#).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("p.json: its member {name:?} is not read: give each feature")),
                "{error}"
            );
            assert!(of(r#""properties": { "minutes": 3 }"#).is_ok());
        }
        let marked = format!("\u{feff}{}", feature(r#""properties": { "minutes": 30 }"#));
        assert_eq!(Ignition::of_geojson(&marked, "p.json").unwrap()[0].minutes, 30.0);
        for members in [
            r#""properties": { "name": "north", "id": 7, "hectares": 2, "fid": 1, "cause": "lightning", "Shape_Area": 3 }"#,
            r#""properties": { "minutes": 30, "time": "noon" }"#,
            r#""properties": { "Minutes": null }, "id": 5"#,
            r#""properties": null"#,
        ] {
            assert!(read(members).is_ok(), "{members}: {:?}", read(members));
        }
        let road = |name| {
            feature(&format!(r#""properties": {{ "{name}": 30 }}"#))
                .replace("Point", "LineString")
                .replace("[3, 4]", "[[3, 4], [5, 6]]")
        };
        assert!(
            Barriers::parse(&road("minutes"), "b.json")
                .unwrap_err()
                .to_string()
                .contains("fire never enters a barrier")
        );
        assert!(Barriers::parse(&road("highway"), "b.json").is_ok());
    }

    #[test]
    fn what_has_no_place_is_refused() {
        let line = r#"{ "type": "LineString", "coordinates": [[1, 2]] }"#;
        let error = Ignition::of_geojson(line, "p.json").unwrap_err().to_string();
        assert!(
            error.contains("a line has fewer than 2 positions") && Barriers::parse(line, "p.json").is_err(),
            "{error}"
        );
        let nowhere =
            [r#"{ "type": "MultiPoint", "coordinates": [] }"#, r#"{ "type": "GeometryCollection", "geometries": [] }"#];
        for text in nowhere {
            let error = Ignition::of_geojson(text, "p.json").unwrap_err().to_string();
            assert_eq!(error, "p.json has no point, line or area where a fire begins: add it");
            assert!(Barriers::parse(text, "p.json").is_err());
        }
    }
}
