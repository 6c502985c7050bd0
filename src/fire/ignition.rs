//! Ignitions: cells, points of the map, polygons.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::places::{along, within};
use super::weather::LATEST;
use super::{FireError, Frame, Landscape, crs};
use tickless_core::time::Time;

/// An ignition: where and when a fire begins.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use tickless::cells::fire::{Ignition, Place};
/// let spot = Ignition::cell(3, 4).at(15.0);
/// assert_eq!((spot.place, spot.minutes), (Place::Cell(3, 4), 15.0));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Ignition {
    /// The place.
    pub place: Place,
    /// The time, in minutes.
    pub minutes: f64,
    origin: Origin,
}

/// The file of an ignition and the place in it, and the EPSG code of its coordinates. Two ignitions of the same place and time are equal
/// whatever their origins.
#[derive(Clone, Debug, Default)]
struct Origin(Option<(Arc<str>, String, Option<u16>)>);

impl PartialEq for Origin {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Where a fire begins.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use tickless::cells::fire::Place;
/// assert_eq!(Place::Point([12.5, 40.0]).to_string(), "(12.5, 40) on the map");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// A cell by its column and its row, from 0 in the north-west.
    Cell(u32, u32),
    /// The cell of a point of the map.
    Point([f64; 2]),
    /// The cells that can burn and that a line of the map passes through.
    Line(Vec<[f64; 2]>),
    /// The cells that can burn with their middle in a polygon of the map; the last corner joins the first. Where it
    /// crosses itself, even and odd rings alternate. Where no cell has its middle in it, those that its border passes through.
    Polygon(Vec<[f64; 2]>),
    /// The same for several rings, of which those inside others are holes.
    Area(Vec<Vec<[f64; 2]>>),
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cell(column, row) => write!(f, "column {column}, row {row}"),
            Self::Point([x, y]) => write!(f, "({x}, {y}) on the map"),
            Self::Line(corners) => write!(f, "the line of {} corners", corners.len()),
            Self::Polygon(corners) => write!(f, "the polygon of {} corners", corners.len()),
            Self::Area(rings) => write!(f, "the area of {} corners", rings.iter().map(Vec::len).sum::<usize>()),
        }
    }
}

impl Ignition {
    /// At time 0.
    pub fn new(place: Place) -> Self {
        Self { place, minutes: 0.0, origin: Origin::default() }
    }

    /// A cell at time 0, by its column and its row, from 0 in the north-west.
    pub fn cell(column: u32, row: u32) -> Self {
        Self::new(Place::Cell(column, row))
    }

    /// The same at another time.
    #[must_use]
    pub fn at(mut self, minutes: f64) -> Self {
        self.minutes = minutes;
        self
    }

    /// The same with its line in a file.
    pub(super) fn of(mut self, file: &Arc<str>, line: u64) -> Self {
        self.origin = Origin(Some((file.clone(), format!("line {line}"), None)));
        self
    }

    /// The same with its feature in a file, and the code of the file's coordinates, if it has one.
    pub(super) fn of_feature(mut self, file: &Arc<str>, feature: usize, code: Option<u16>) -> Self {
        self.origin = Origin(Some((file.clone(), format!("feature {feature} (from 0)"), code)));
        self
    }

    /// All cells that ignite by themselves, in order, each at its first time.
    pub(super) fn cells(ignitions: &[Self], landscape: &Landscape) -> Result<Vec<(u32, Time)>, FireError> {
        let mut found = BTreeMap::new();
        for Self { place, minutes, origin } in ignitions {
            let time = Time::from_units(*minutes).filter(|_| *minutes <= LATEST);
            let (what, allowed) = ("the time of an ignition", "from 0 to 2^31");
            let time = time.ok_or(FireError::Time { what, minutes: *minutes, allowed })?;
            if let Some((file, _, code)) = &origin.0 {
                crs::check(*code, file, landscape)?;
            }
            let from = origin.0.as_ref().map(|(file, place, _)| format!("{file}, {place}: ")).unwrap_or_default();
            let wrong = |why| FireError::Ignition { from: from.clone(), place: place.to_string(), why };
            for cell in place.burning_cells(landscape).map_err(wrong)? {
                let first: &mut Time = found.entry(cell).or_insert(time);
                *first = time.min(*first);
            }
        }
        Ok(found.into_iter().collect())
    }
}

impl Place {
    /// The cells that can burn; or why there are none.
    fn burning_cells(&self, landscape: &Landscape) -> Result<Vec<u32>, String> {
        let frame = landscape.frame();
        let cells = match self {
            &Self::Cell(column, row) if column < frame.columns && row < frame.rows => {
                vec![column + frame.columns * row]
            }
            &Self::Point(point) => frame.cell_at(point).into_iter().collect(),
            Self::Polygon(corners) if corners.len() < 3 => {
                return Err("has fewer than 3 corners: give it 3 or more".into());
            }
            Self::Line(corners) if corners.len() < 2 => {
                return Err("has fewer than 2 positions: give it 2 or more".into());
            }
            Self::Polygon(corners) | Self::Line(corners) if !corners.iter().flatten().all(|at| at.is_finite()) => {
                return Err("has a corner that is no point: give it numbers".into());
            }
            Self::Line(corners) => along(corners, frame),
            Self::Polygon(corners) => within(std::slice::from_ref(corners), frame),
            Self::Area(rings) => within(rings, frame),
            Self::Cell(..) => vec![],
        };
        if cells.is_empty() {
            return Err(self.outside(frame));
        }
        let burning: Vec<u32> = cells.into_iter().filter(|&cell| landscape.burns(cell)).collect();
        if burning.is_empty() { Err("has nothing that burns: ignite a cell with a fuel".into()) } else { Ok(burning) }
    }

    /// The text of the allowed places.
    fn outside(&self, frame: Frame) -> String {
        let Frame { columns, rows, corner: [x, y], cell_size } = frame;
        if let Self::Cell(..) = self {
            let [columns, rows] = [columns, rows].map(|count| count.saturating_sub(1));
            return format!(
                "is outside of the landscape, whose columns are 0 to {columns} and rows 0 to {rows}: ignite one of its cells"
            );
        }
        let [east, north] = [x + f64::from(columns) * cell_size, y + f64::from(rows) * cell_size];
        format!(
            "is outside of the landscape, which has x from {x} to {east} and y from {y} to {north}: ignite a place in it"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(places: &[Ignition]) -> Result<Vec<(u32, f64)>, FireError> {
        let meadow = Landscape::uniform(8, 4, 10.0, 1).unwrap();
        Ok(Ignition::cells(places, &meadow)?.into_iter().map(|(cell, time)| (cell, time.units())).collect())
    }

    #[test]
    fn cells_and_points_are_one_thing() {
        assert_eq!(cells(&[Ignition::cell(3, 1)]), Ok(vec![(11, 0.0)]));
        assert_eq!(cells(&[Ignition::new(Place::Point([39.9, 20.0])).at(2.0)]), Ok(vec![(11, 2.0)]));
        let twice = [Ignition::cell(3, 1).at(5.0), Ignition::cell(3, 1).at(4.0), Ignition::cell(0, 0)];
        assert_eq!(cells(&twice), Ok(vec![(0, 0.0), (11, 4.0)]), "the first time counts");
    }

    #[test]
    fn polygons_fill_the_middles_inside_them() {
        let square = |from: f64, to: f64| vec![[from, from], [to, from], [to, to], [from, to]];
        let polygon = |corners| cells(&[Ignition::new(Place::Polygon(corners))]);
        // Rows 1 and 2 of columns 1 and 2.
        assert_eq!(polygon(square(10.0, 30.0)), Ok(vec![(9, 0.0), (10, 0.0), (17, 0.0), (18, 0.0)]));
        // No middle lies in the small one, and none in the narrow one.
        assert_eq!(polygon(square(11.0, 13.0)), Ok(vec![(17, 0.0)]));
        assert_eq!(polygon(vec![[1.0, 1.0], [29.0, 1.0], [29.0, 2.0]]), Ok(vec![(24, 0.0), (25, 0.0), (26, 0.0)]));
        assert_eq!(cells(&[Ignition::new(Place::Line(vec![[1.0, 1.0], [1.0, 19.0]]))]), Ok(vec![(16, 0.0), (24, 0.0)]));
        // The inner square is outside: a ring twice over, joined along its corner.
        let ring = [square(0.0, 40.0), vec![[0.0, 0.0]], square(10.0, 30.0), vec![[10.0, 10.0]]].concat();
        assert_eq!(polygon(ring).unwrap().len(), 16 - 4);
    }

    #[test]
    fn what_cannot_burn_is_refused() {
        let wrong = |place| cells(&[Ignition::new(place)]).unwrap_err().to_string();
        assert!(wrong(Place::Cell(8, 0)).contains("column 8, row 0 is outside"));
        assert!(wrong(Place::Point([-1.0, 0.0])).contains("outside"));
        assert!(wrong(Place::Polygon(vec![[0.0; 2]; 2])).contains("fewer than 3 corners"));
        assert!(wrong(Place::Polygon(vec![[f64::NAN; 2]; 3])).contains("no point"));
        assert!(wrong(Place::Polygon(vec![[-1.0; 2]; 3])).contains("outside"));
        assert!(wrong(Place::Line(vec![[-1.0; 2]; 2])).contains("outside"));
        assert!(wrong(Place::Line(vec![[1.0; 2]])).contains("fewer than 2 positions"));
        assert!(wrong(Place::Line(vec![[f64::INFINITY, 0.0]; 2])).contains("no point"));
        assert!(cells(&[Ignition::cell(0, 0).at(-1.0)]).unwrap_err().to_string().contains("-1 minutes"));
        let water = Landscape::uniform(2, 2, 10.0, 98).unwrap();
        let error = Ignition::cells(&[Ignition::cell(1, 1)], &water).unwrap_err();
        assert!(error.to_string().contains("has nothing that burns"), "{error}");
    }
}
