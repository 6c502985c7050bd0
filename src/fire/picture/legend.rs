//! The legend of a map: title, colours, fuels, scale, north and wind.

use plotters::element::{PathElement, Polygon, Rectangle, Text};
use plotters::prelude::{
    BitMapBackend, DrawingArea, DrawingAreaErrorKind, DrawingBackend, IntoDrawingArea, IntoFont, RGBColor, ShapeStyle,
};
use plotters::style::Color;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::sheet::Sheet;
use crate::{FireModel, WeatherRow};
use tickless_core::picture::with_font;
use tickless_core::time::Time;

type Area<'a> = DrawingArea<BitMapBackend<'a>, plotters::coord::Shift>;
type Failure = DrawingAreaErrorKind<<BitMapBackend<'static> as DrawingBackend>::ErrorType>;

const INK: RGBColor = RGBColor(35, 35, 40);
const PALE: RGBColor = RGBColor(110, 110, 118);
/// Of more ignitions each has a smaller mark.
const MANY: usize = 30;

/// A colour and its meaning.
pub(super) struct Swatch {
    pub(super) name: &'static str,
    pub(super) colour: [u8; 3],
}

/// The texts of a map.
pub(super) struct Legend {
    pub(super) title: String,
    /// The meaning of the colours of a fire.
    pub(super) scale: String,
    /// The marks on the scale of colours: their places as shares of the scale, and their texts.
    pub(super) marks: Vec<(f64, String)>,
    /// Where the wind comes from, in degrees, where there is one, and what there is to say of it.
    wind: (Option<f64>, String),
    /// The middles of the cells where the fire begins, in cells from the north-west; none where fires begin in several places.
    ignitions: Vec<[f64; 2]>,
    /// The columns and rows of the landscape, and the side of a cell in metres.
    whole: [u32; 2],
    side: f64,
}

/// What a map says of the wind: in a fire, or in several (`None`).
fn wind(model: &FireModel, replication: Option<u32>) -> (Option<f64>, String) {
    let weather = model.description().weather();
    let rows = weather.rows();
    let is_drawn = model.description().has_random_weather();
    let (row, when) = match (is_drawn, replication) {
        (true, None) if rows.len() > 1 => return (None, format!("one of {} winds", rows.len())),
        (true, Some(replication)) => (model.row(replication, Time::ZERO), ""),
        _ => (0, if rows.len() > 1 { ", at first" } else { "" }),
    };
    let WeatherRow { wind_kmh, wind_from, .. } = rows[row];
    match wind_kmh {
        _ if weather.has_wind_of_cells(row) => (None, format!("winds of cells{when}")),
        0.0 => (None, format!("no wind{when}")),
        _ => (Some(wind_from), format!("wind {} km/h{when}", (wind_kmh * 10.0).round() / 10.0)),
    }
}

impl Legend {
    /// For the fire of a replication, or for several (`None`).
    pub(super) fn new(model: &FireModel, replication: Option<u32>) -> Self {
        let (fire, frame) = (model.description(), model.description().landscape().frame());
        let one = replication.or((!fire.has_random_ignitions()).then_some(0));
        let begins = one.map(|replication| model.ignitions(replication)).unwrap_or_default();
        let middle = |cell: u32| [cell % frame.columns, cell / frame.columns].map(|along| f64::from(along) + 0.5);
        let until = model.until;
        Self {
            title: String::new(),
            scale: String::new(),
            marks: vec![],
            wind: wind(model, replication),
            ignitions: begins.into_iter().filter(|begin| begin.1 < until).map(|begin| middle(begin.0)).collect(),
            whole: [frame.columns, frame.rows],
            side: frame.cell_size,
        }
    }

    /// For ground of so many columns and rows, of cells of so many metres, on which nothing burns.
    pub(super) fn of_ground(whole: [u32; 2], side: f64) -> Self {
        let (title, scale) = (String::new(), String::new());
        Self { title, scale, marks: vec![], wind: (None, String::new()), ignitions: vec![], whole, side }
    }

    /// # Errors
    /// A missing font.
    pub(super) fn draw(
        &self,
        sheet: &mut Sheet,
        swatches: &[Swatch],
        colour: &dyn Fn(f64) -> [u8; 3],
    ) -> Result<(), Failure> {
        with_font();
        let (size, map, extent, unit) = ((sheet.size[0], sheet.size[1]), sheet.map, sheet.extent, sheet.unit);
        let (zoom, window) = (f64::from(sheet.zoom), sheet.window);
        let of = |units: f64| (units * unit).round() as i32;
        let area = BitMapBackend::with_buffer(&mut sheet.pixels, size).into_drawing_area();
        let pen = Pen { area: &area, unit };
        let [left, top] = map.map(|pixel| pixel as i32);
        pen.text((left, of(26.0)), 22.0, INK, (HPos::Left, VPos::Center), &self.title)?;
        pen.frame([left, top], extent.map(|pixels| pixels as i32))?;
        let on_map =
            |along: f64, axis: usize| map[axis] as i32 + ((along - f64::from(window.first[axis])) * zoom) as i32;
        let half = if self.ignitions.len() > MANY { 3.0 } else { 6.0 };
        for [x, y] in &self.ignitions {
            pen.star([on_map(*x, 0), on_map(*y, 1)], half)?;
        }
        let x = left + extent[0] as i32 + of(20.0);
        let mut y = self.compass(&pen, [x, top])?;
        y = self.colours(&pen, [x, y], colour)?;
        if !self.ignitions.is_empty() {
            pen.star([x + of(11.0), y], 6.0)?;
            pen.text((x + of(31.0), y), 13.0, INK, (HPos::Left, VPos::Center), "where it began")?;
            y += of(28.0);
        }
        fuels(&pen, [x, y], swatches)?;
        let below = top + extent[1] as i32 + of(16.0);
        let end = scale(&pen, [left, below], self.side / zoom, extent[0])?;
        if window.size != self.whole {
            let [columns, rows] = [0, 1].map(|axis| (window.first[axis], window.first[axis] + window.size[axis] - 1));
            let part = format!("columns {} to {}, rows {} to {}", columns.0, columns.1, rows.0, rows.1);
            pen.text((end + of(70.0), below), 13.0, PALE, (HPos::Left, VPos::Center), &part)?;
        }
        area.present()
    }

    /// Draws north and wind; returns where they end.
    fn compass(&self, pen: &Pen<'_, '_>, [x, y]: [i32; 2]) -> Result<i32, Failure> {
        let (of, middle) = (|units| pen.of(units), y + pen.of(34.0));
        pen.arrow([x + of(16.0), middle], 0.0, 26.0, INK)?;
        pen.text((x + of(16.0), middle + of(44.0)), 14.0, INK, (HPos::Center, VPos::Center), "N")?;
        let (from, text) = &self.wind;
        if let Some(from) = from {
            pen.arrow([x + of(80.0), middle], from + 180.0, 26.0, RGBColor(30, 90, 160))?;
        }
        pen.text((x + of(48.0), middle + of(44.0)), 14.0, INK, (HPos::Left, VPos::Center), text)?;
        Ok(middle + of(76.0))
    }

    /// Draws the colours of the fire; returns where they end.
    fn colours(&self, pen: &Pen<'_, '_>, [x, y]: [i32; 2], colour: &dyn Fn(f64) -> [u8; 3]) -> Result<i32, Failure> {
        let (of, height) = (|units| pen.of(units), pen.of(200.0));
        pen.text((x, y), 14.0, PALE, (HPos::Left, VPos::Center), &self.scale)?;
        let (top, width) = (y + of(16.0), of(22.0));
        for line in 0..height {
            let [red, green, blue] = colour(f64::from(line) / f64::from(height));
            let points = [(x, top + line), (x + width, top + line + 1)];
            pen.area.draw(&Rectangle::new(points, RGBColor(red, green, blue).filled()))?;
        }
        // Texts that would overlap are left out.
        let mut free = i32::MIN;
        for (share, text) in self.marks.iter().filter(|(share, _)| *share <= 1.0) {
            let place = top + (share * f64::from(height)).round() as i32;
            if place >= free {
                pen.line(&[(x + width, place), (x + width + of(5.0), place)], INK)?;
                pen.text((x + width + of(9.0), place), 13.0, INK, (HPos::Left, VPos::Center), text)?;
                free = place + of(17.0);
            }
        }
        Ok(top + height + of(34.0))
    }
}

/// Draws the meaning of the colours of the ground.
fn fuels(pen: &Pen<'_, '_>, [x, y]: [i32; 2], swatches: &[Swatch]) -> Result<(), Failure> {
    if swatches.is_empty() {
        return Ok(());
    }
    pen.text((x, y), 14.0, PALE, (HPos::Left, VPos::Center), "fuel")?;
    for (number, Swatch { name, colour: [red, green, blue] }) in (1..).zip(swatches) {
        let line = y + pen.of(f64::from(number) * 21.0);
        let half = pen.of(7.0);
        let points = [(x, line - half), (x + pen.of(22.0), line + half)];
        pen.area.draw(&Rectangle::new(points, RGBColor(*red, *green, *blue).filled()))?;
        pen.area.draw(&Rectangle::new(points, PALE.stroke_width(1)))?;
        pen.text((x + pen.of(31.0), line), 13.0, INK, (HPos::Left, VPos::Center), name)?;
    }
    Ok(())
}

/// Draws a length of the map that is easily read; returns where it ends.
fn scale(pen: &Pen<'_, '_>, [x, y]: [i32; 2], metres: f64, width: u32) -> Result<i32, Failure> {
    let most = f64::from(width) * metres / 3.0;
    let power = 10_f64.powf(most.log10().floor());
    let length = [5.0, 2.0, 1.0].map(|times| times * power).into_iter().find(|length| *length <= most).unwrap_or(power);
    let pixels = (length / metres).round() as i32;
    let text = if length >= 1000.0 { format!("{} km", length / 1000.0) } else { format!("{length} m") };
    let tick = pen.of(5.0);
    pen.line(&[(x, y - tick), (x, y + tick)], INK)?;
    pen.line(&[(x, y), (x + pixels, y)], INK)?;
    pen.line(&[(x + pixels, y - tick), (x + pixels, y + tick)], INK)?;
    pen.text((x + pixels + pen.of(10.0), y), 13.0, INK, (HPos::Left, VPos::Center), &text)?;
    Ok(x + pixels)
}

/// A pen on the sheet, with the size of a unit.
struct Pen<'a, 'b> {
    area: &'a Area<'b>,
    unit: f64,
}

impl Pen<'_, '_> {
    fn of(&self, units: f64) -> i32 {
        (units * self.unit).round() as i32
    }

    fn text(
        &self,
        place: (i32, i32),
        size: f64,
        colour: RGBColor,
        (across, down): (HPos, VPos),
        text: &str,
    ) -> Result<(), Failure> {
        let style = ("sans-serif", size * self.unit).into_font().color(&colour).pos(Pos::new(across, down));
        self.area.draw(&Text::new(text, place, style))
    }

    fn line(&self, points: &[(i32, i32)], colour: RGBColor) -> Result<(), Failure> {
        let style: ShapeStyle = colour.stroke_width(self.of(1.6).max(1) as u32);
        self.area.draw(&PathElement::new(points.to_vec(), style))
    }

    fn frame(&self, [x, y]: [i32; 2], [width, height]: [i32; 2]) -> Result<(), Failure> {
        let corners =
            [(x - 1, y - 1), (x + width, y - 1), (x + width, y + height), (x - 1, y + height), (x - 1, y - 1)];
        self.area.draw(&PathElement::new(corners.to_vec(), PALE.stroke_width(1)))
    }

    /// Draws a star around a place.
    fn star(&self, [x, y]: [i32; 2], half: f64) -> Result<(), Failure> {
        let at = |n: u32, share: f64| {
            let (sine, cosine) = (f64::from(n) * std::f64::consts::FRAC_PI_4).sin_cos();
            let length = half * share * self.unit * if n.is_multiple_of(2) { 1.0 } else { 0.45 };
            (x + (length * sine).round() as i32, y - (length * cosine).round() as i32)
        };
        let points = |share: f64| (0..8).map(|n| at(n, share)).collect::<Vec<_>>();
        self.area.draw(&Polygon::new(points(1.7), INK.filled()))?;
        self.area.draw(&Polygon::new(points(1.0), RGBColor(255, 255, 255).filled()))
    }

    /// Draws an arrow around a place in a direction in degrees clockwise from north.
    fn arrow(&self, [x, y]: [i32; 2], azimuth: f64, half: f64, colour: RGBColor) -> Result<(), Failure> {
        let (sine, cosine) = azimuth.to_radians().sin_cos();
        let at = |along: f64, aside: f64| {
            let [along, aside] = [along, aside].map(|units| units * half * self.unit);
            (x + (along * sine + aside * cosine).round() as i32, y + (aside * sine - along * cosine).round() as i32)
        };
        self.line(&[at(-1.0, 0.0), at(0.5, 0.0)], colour)?;
        self.area.draw(&Polygon::new(vec![at(1.0, 0.0), at(0.2, 0.38), at(0.2, -0.38)], colour.filled()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fire, Landscape, Weather};

    /// The wind is that of the row that a replication has drawn; of several there is none.
    #[test]
    fn the_wind_is_that_which_was_drawn() {
        let mut rows = [Weather::still().rows()[0]; 3];
        for (row, (minutes, wind)) in rows.iter_mut().zip([(0.0, 0.0), (60.0, 10.0), (120.0, 20.0)]) {
            (row.minutes, row.wind_kmh, row.wind_from) = (minutes, wind, 10.0 * wind);
        }
        let fire = || Fire::new(Landscape::uniform(9, 9, 30.0, 1).unwrap(), Weather::new(rows.to_vec()).unwrap());
        let drawn = fire().random_weather().check().unwrap();
        let texts = ["no wind", "wind 10 km/h", "wind 20 km/h"];
        for replication in 0..9 {
            let row = drawn.row(replication, Time::ZERO);
            let (from, text) = wind(&drawn, Some(replication));
            assert_eq!((text.as_str(), from.unwrap_or(0.0)), (texts[row], rows[row].wind_from));
        }
        assert_eq!(wind(&drawn, None), (None, "one of 3 winds".into()));
        assert_eq!(wind(&fire().check().unwrap(), None), (None, "no wind, at first".into()));
    }
}
