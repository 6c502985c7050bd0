//! Lines of equal arrival time as GeoJSON.

use std::io::{self, Write};

use contour::ContourBuilder;
use geojson::{Feature, FeatureCollection, GeoJson, Geometry, GeometryValue, JsonObject, JsonValue, Position};

use super::{Arrivals, FireError, Projection};
use tickless_core::memory;
use tickless_core::time::Time;

/// The most perimeters of a file.
const MOST: f64 = 10_000.0;

impl Arrivals {
    /// Writes the area that had burnt at each of some times, with the time, its hectares and the length of its border: GeoJSON in the
    /// coordinates of the map, with the code of the projection where it has one. Behind the last ignition the area is all that burnt;
    /// before the first it is empty.
    ///
    /// A border lies where the time between two cells is, and along the sides of cells that never burn. It goes from the middle of a side
    /// to that of the next, so corners are cut off: a cell that burnt alone has half of its area. Where a fire goes on
    /// [behind the horizon](Arrivals::beyond_the_horizon), the border at the last times is that of its front; else it is that of the
    /// cells.
    ///
    /// ```
    /// # use tickless_fire::facade as tickless;
    /// use tickless::cells::fire::{Arrivals, Frame};
    /// use tickless::time::Time;
    /// let frame = Frame { columns: 3, rows: 1, corner: [0.0; 2], cell_size: 10.0 };
    /// let times = [0, 1, 3].map(|minutes| Time::from_ticks(minutes << 32)).to_vec();
    /// let arrivals = Arrivals::new(frame, times)?;
    /// let mut file = vec![];
    /// arrivals.write_perimeters(&arrivals.times_every(2.0)?, None, &mut file)?;
    /// let read: geojson::FeatureCollection = String::from_utf8(file)?.parse::<geojson::GeoJson>()?.try_into()?;
    /// assert_eq!(read.features.len(), 2, "at 2, and at the end");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The error of writing.
    pub fn write_perimeters(
        &self,
        times: &[Time],
        projection: Option<&Projection>,
        to: &mut impl Write,
    ) -> io::Result<()> {
        let features = times.iter().map(|time| self.perimeter_at(*time)).collect::<io::Result<_>>()?;
        let mut members = JsonObject::new();
        if let Some(code) = projection.and_then(Projection::epsg) {
            let name = format!("urn:ogc:def:crs:EPSG::{code}");
            members.insert("crs".into(), serde_json::json!({ "type": "name", "properties": { "name": name } }));
        }
        let foreign_members = (!members.is_empty()).then_some(members);
        let all = FeatureCollection { bbox: None, features, foreign_members };
        writeln!(to, "{}", GeoJson::from(all))
    }

    /// The times `minutes`, twice as many and so on up to the end, and the end; none where nothing burnt. The end is the last ignition, or
    /// the horizon where the fire goes on [behind it](Arrivals::beyond_the_horizon).
    ///
    /// # Errors
    /// [`FireError::Time`] where the step is not above 0, or makes more than 10,000 times.
    pub fn times_every(&self, minutes: f64) -> Result<Vec<Time>, FireError> {
        let end = self.end();
        let span = end.map_or(0.0, Time::units);
        let step = Time::from_units(minutes).filter(|step| *step > Time::ZERO && span / minutes < MOST);
        let allowed = "above 0, and long enough for 10^4 perimeters";
        let step = step.ok_or(FireError::Time { what: "the step of perimeters", minutes, allowed })?;
        let Some(end) = end else { return Ok(vec![]) };
        let steps = (1..).map(|n| Time::from_ticks(n * step.ticks()));
        Ok(steps.take_while(|time| *time < end).chain([end]).collect())
    }

    /// The horizon where a fire goes on behind it.
    fn horizon(&self) -> Option<Time> {
        let beyond = self.beyond.as_ref()?;
        beyond.next.iter().any(|time| *time < Time::NEVER).then_some(beyond.until)
    }

    /// The time from which on the fire is known to stand still; `None` where nothing burnt.
    fn end(&self) -> Option<Time> {
        self.last().map(|last| self.horizon().map_or(last, |horizon| horizon.max(last)))
    }

    /// The area that had burnt at a time.
    fn perimeter_at(&self, time: Time) -> io::Result<Feature> {
        let frame = self.frame();
        let [columns, rows] = [frame.columns, frame.rows].map(|size| size as usize);
        let is_over = self.horizon().is_none() && self.last().is_some_and(|last| last <= time);
        let minutes = time.units();
        let mut levels = memory::filled(-1.0, frame.cells(), "the perimeters").map_err(io::Error::other)?;
        for (cell, level) in levels.iter_mut().enumerate() {
            if self.time(cell) != Time::NEVER {
                *level = if is_over { 1.0 } else { self.level(cell, minutes) };
            }
        }
        let [west, south] = frame.corner;
        let north = south + f64::from(frame.rows) * frame.cell_size;
        // In cells from the north-west; the crate tells borders from holes by how they turn.
        let lines = ContourBuilder::new(columns, rows, true).contours(&levels, &[0.0]).map_err(io::Error::other)?;
        let on_map = |x: f64, y: f64| [west + x * frame.cell_size, north - y * frame.cell_size];
        let polygons: Vec<Vec<Vec<[f64; 2]>>> = lines
            .into_iter()
            .flat_map(|line| line.into_inner().0)
            .map(|polygon| {
                let (border, holes) = polygon.into_inner();
                let rings = std::iter::once(border).chain(holes);
                let mut rings: Vec<Vec<[f64; 2]>> =
                    rings.map(|ring| ring.into_iter().map(|at| on_map(at.x, at.y)).collect()).collect();
                // Borders turn left and holes right (RFC 7946).
                for (place, ring) in rings.iter_mut().enumerate() {
                    if (doubled_area(ring) > 0.0) != (place == 0) {
                        ring.reverse();
                    }
                }
                rings
            })
            .filter(|rings| doubled_area(&rings[0]) > 0.0)
            .collect();
        let mut properties = JsonObject::new();
        let (area, length) = size_of(&polygons);
        let mut tell = |name: &str, value: f64| properties.insert(name.into(), JsonValue::from(value));
        tell("minutes", minutes);
        tell("hectares", (area / 10_000.0 * 1e4).round() / 1e4);
        // Beside the area within the border, whose corners are cut off.
        let burnt = (0..frame.cells()).filter(|cell| self.times()[*cell] <= time).count();
        tell("cells_hectares", (burnt as f64 * frame.hectares() * 1e4).round() / 1e4);
        tell("border_m", (length * 10.0).round() / 10.0);
        let position = |at: &[f64; 2]| Position::from(*at);
        let rings = |rings: &Vec<Vec<[f64; 2]>>| rings.iter().map(|ring| ring.iter().map(position).collect()).collect();
        let coordinates = polygons.iter().map(rings).collect();
        let geometry = Geometry::new(GeometryValue::MultiPolygon { coordinates });
        Ok(Feature { geometry: Some(geometry), properties: Some(properties), ..Feature::default() })
    }

    /// When a cell burnt, or would have burnt next behind the horizon.
    fn time(&self, cell: usize) -> Time {
        let next = self.beyond.as_ref().map_or(Time::NEVER, |beyond| beyond.next[cell]);
        self.times()[cell].min(next)
    }

    /// How far before (1) or behind (-1) a time a cell burns, relative to the longest time that fire took to it from a
    /// side.
    fn level(&self, cell: usize, minutes: f64) -> f64 {
        let frame = self.frame();
        let columns = frame.columns as usize;
        let (x, own) = (cell % columns, self.time(cell).units());
        let sides = [
            (x > 0).then(|| cell - 1),
            (x + 1 < columns).then_some(cell + 1),
            cell.checked_sub(columns),
            (cell + columns < frame.cells()).then_some(cell + columns),
        ];
        let times = sides.into_iter().flatten().map(|side| self.time(side)).filter(|time| *time != Time::NEVER);
        let usual = times.map(|time| (own - time.units()).abs()).fold(0.0, f64::max);
        let ahead = minutes - own;
        if usual > 0.0 {
            (ahead / usual).clamp(-1.0, 1.0)
        } else if ahead >= 0.0 {
            1.0
        } else {
            -1.0
        }
    }
}

/// Twice the area of a ring, below 0 where it turns right.
fn doubled_area(ring: &[[f64; 2]]) -> f64 {
    ring.windows(2).map(|ends| ends[0][0] * ends[1][1] - ends[1][0] * ends[0][1]).sum()
}

/// The area of polygons without their holes, and the length of all their rings.
fn size_of(polygons: &[Vec<Vec<[f64; 2]>>]) -> (f64, f64) {
    let rings = || polygons.iter().flatten();
    let length = |ends: &[[f64; 2]]| (ends[1][0] - ends[0][0]).hypot(ends[1][1] - ends[0][1]);
    let border = rings().map(|ring| ring.windows(2).map(length).sum::<f64>()).sum();
    (rings().map(|ring| doubled_area(ring) / 2.0).sum(), border)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The border of a cell goes through the middles of its sides, and has half of its area; that of the cells is beside it.
    #[test]
    fn corners_are_cut_off() {
        let frame = crate::Frame { columns: 3, rows: 3, corner: [0.0; 2], cell_size: 10.0 };
        let times = (0..9).map(|cell| if cell == 4 { Time::ZERO } else { Time::NEVER }).collect();
        let drawn = Arrivals::new(frame, times).unwrap().perimeter_at(Time::ZERO).unwrap();
        let number = |name: &str| drawn.property(name).and_then(JsonValue::as_f64);
        assert_eq!([number("hectares"), number("cells_hectares")], [Some(0.005), Some(0.01)]);
    }
    use crate::{Fire, Frame, Ignition, Landscape, Weather};
    use tickless_device::Target;

    fn perimeters(arrivals: &Arrivals, times: &[Time]) -> Vec<(f64, f64)> {
        let mut file = vec![];
        arrivals.write_perimeters(times, Some(&Projection::of_epsg(5070)), &mut file).unwrap();
        let text = String::from_utf8(file).unwrap();
        assert!(text.contains("urn:ogc:def:crs:EPSG::5070"));
        let read: FeatureCollection = text.parse::<GeoJson>().unwrap().try_into().unwrap();
        let number = |feature: &Feature, name: &str| feature.property(name).and_then(JsonValue::as_f64).unwrap();
        read.features.iter().map(|feature| (number(feature, "minutes"), number(feature, "hectares"))).collect()
    }

    /// A fire from the middle of a meadow without wind is a circle: its areas grow with the square of time.
    #[test]
    fn areas_grow_as_circles() {
        let meadow = Landscape::uniform(81, 81, 10.0, 1).unwrap();
        let model = Fire::new(meadow, Weather::still()).ignite([Ignition::cell(40, 40)]).until(200.0).check().unwrap();
        let run =
            tickless_cells::run(&model, 0..1, Target::Heap, Default::default(), &mut tickless_core::run::unwatched())
                .unwrap();
        let arrivals = Arrivals::of(&model, &run.outcome, 0);
        let rate = arrivals.measure(&model, 0, crate::Measure::RateOfSpread).values[40 * 81 + 60];
        for (minutes, hectares) in perimeters(&arrivals, &arrivals.times_every(50.0).unwrap()).into_iter().take(3) {
            let expected = std::f64::consts::PI * (rate * minutes).powi(2) / 10_000.0;
            assert!((hectares / expected - 1.0).abs() < 0.02, "{minutes} min: {hectares} ha, {expected}");
        }
    }

    /// GS4 at 5 miles an hour burns for an hour, and on behind the horizon. The front there is the ellipse: its area and its border, by
    /// the contour and by the crossings of the cells. Without what comes behind the horizon the border is that of cells.
    #[test]
    fn the_border_at_the_horizon_is_that_of_the_front() {
        let row = crate::WeatherRow { wind_kmh: 8.046_72, wind_adjustment: 1.0, ..Weather::still().rows()[0] };
        let row = crate::WeatherRow { wind_from: 270.0, ..row };
        let spread = crate::FuelBed::new(crate::Fuel::of(124).unwrap(), &row.moisture).spread(
            row.wind(),
            [0.0; 2],
            crate::Laws::default(),
        );
        let long = spread.rate() * 60.0 / (1.0 + spread.eccentricity());
        let wide = long * (1.0 - spread.eccentricity().powi(2)).sqrt();
        let area = std::f64::consts::PI * long * wide / 10_000.0;
        let ratio = ((long - wide) / (long + wide)).powi(2);
        let border = std::f64::consts::PI * (long + wide) * (1.0 + 3.0 * ratio / (10.0 + (4.0 - 3.0 * ratio).sqrt()));
        assert!((area - 22.3725).abs() < 1e-3 && (border - 1744.4).abs() < 0.1, "{area} {border}");
        for (spreading, most) in [(crate::Spreading::Fronts, 0.012), (crate::Spreading::Neighbours, 0.5)] {
            let meadow = Landscape::uniform(100, 61, 10.0, 124).unwrap();
            let fire = Fire::new(meadow, Weather::new(vec![row]).unwrap()).ignite([Ignition::cell(20, 30)]).until(60.0);
            let model = fire.spreading(spreading).check().unwrap();
            let heap = tickless_device::Target::Heap;
            let watch = &mut tickless_core::run::unwatched();
            let run = tickless_cells::run(&model, 0..1, heap, Default::default(), watch).unwrap();
            let cells = Arrivals::of(&model, &run.outcome, 0);
            let front = cells.clone().beyond_the_horizon(&model, 0);
            let times = front.times_every(1000.0).unwrap();
            assert_eq!(times, [Time::from_units(60.0).unwrap()], "{spreading:?}");
            let [(_, found), ..] = perimeters(&front, &times)[..] else { panic!("there is one time") };
            let length = |arrivals: &Arrivals| {
                let mut file = vec![];
                arrivals.write_perimeters(&times, None, &mut file).unwrap();
                let read: FeatureCollection =
                    String::from_utf8(file).unwrap().parse::<GeoJson>().unwrap().try_into().unwrap();
                read.features[0].property("border_m").and_then(JsonValue::as_f64).unwrap()
            };
            assert!((found / area - 1.0).abs() < most, "{spreading:?} {found} ha");
            if spreading == crate::Spreading::Fronts {
                assert!((length(&front) / border - 1.0).abs() < 0.006, "{} m", length(&front));
                assert!((length(&front) / cells.perimeter() - 1.0).abs() < 0.006, "{}", cells.perimeter());
                assert!(length(&cells) > 1.03 * border, "{} m", length(&cells));
            }
        }
    }

    /// A burning ring around an unburnt cell has a hole; at the end areas are those of the cells except their corners.
    #[test]
    fn holes_are_no_area() {
        let frame = Frame { columns: 5, rows: 5, corner: [100.0, 200.0], cell_size: 10.0 };
        let time = |cell: u64| if cell == 12 { Time::NEVER } else { Time::from_ticks(1 << 32) };
        let arrivals = Arrivals::new(frame, (0..25).map(time).collect()).unwrap();
        assert_eq!(arrivals.times_every(5.0).unwrap(), [time(0)]);
        // Corners are cut by half of a half cell: an eighth of a cell each, outside and inside.
        let end = (2400.0 - 4.0 * 12.5 + 50.0) / 10_000.0;
        let times = [7 << 31, 1 << 32, 1 << 31].map(Time::from_ticks);
        assert_eq!(perimeters(&arrivals, &times), [(3.5, end), (1.0, end), (0.5, 0.0)]);
    }

    #[test]
    fn too_many_are_refused() {
        let frame = Frame { columns: 1, rows: 1, corner: [0.0; 2], cell_size: 10.0 };
        let arrivals = Arrivals::new(frame, vec![Time::from_ticks(100_000 << 32)]).unwrap();
        for step in [0.0, -1.0, f64::NAN, 1.0] {
            let error = arrivals.times_every(step).unwrap_err().to_string();
            assert!(error.starts_with("the step of perimeters is "), "{error}");
        }
    }
}
