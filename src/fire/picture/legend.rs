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

type Area<'a> = DrawingArea<BitMapBackend<'a>, plotters::coord::Shift>;
type Failure = DrawingAreaErrorKind<<BitMapBackend<'static> as DrawingBackend>::ErrorType>;

const INK: RGBColor = RGBColor(35, 35, 40);
const PALE: RGBColor = RGBColor(110, 110, 118);

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
    wind: WeatherRow,
    /// Whether the wind is the same at all times and everywhere.
    steady: bool,
    /// The side of a cell in metres.
    side: f64,
}

impl Legend {
    pub(super) fn new(model: &FireModel) -> Self {
        let fire = model.description();
        let rows = fire.weather().rows();
        let row =
            if fire.has_random_weather() { model.row(model.numbers.start, tickless_core::time::Time::ZERO) } else { 0 };
        Self {
            title: String::new(),
            scale: String::new(),
            marks: vec![],
            wind: rows[row.min(rows.len() - 1)],
            steady: rows.len() == 1 && !fire.weather().has_wind_of_cells(0),
            side: fire.landscape().frame().cell_size,
        }
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
        let metres = self.side / f64::from(sheet.zoom);
        let of = |units: f64| (units * unit).round() as i32;
        let area = BitMapBackend::with_buffer(&mut sheet.pixels, size).into_drawing_area();
        let pen = Pen { area: &area, unit };
        let [left, top] = map.map(|pixel| pixel as i32);
        pen.text((left, of(26.0)), 22.0, INK, (HPos::Left, VPos::Center), &self.title)?;
        pen.frame([left, top], extent.map(|pixels| pixels as i32))?;
        let x = left + extent[0] as i32 + of(20.0);
        let mut y = self.compass(&pen, [x, top])?;
        y = self.colours(&pen, [x, y], colour)?;
        fuels(&pen, [x, y], swatches)?;
        scale(&pen, [left, top + extent[1] as i32 + of(16.0)], metres, extent[0])?;
        area.present()
    }

    /// Draws north and wind; returns where they end.
    fn compass(&self, pen: &Pen<'_, '_>, [x, y]: [i32; 2]) -> Result<i32, Failure> {
        let (of, middle) = (|units| pen.of(units), y + pen.of(34.0));
        pen.arrow([x + of(16.0), middle], 0.0, 26.0, INK)?;
        pen.text((x + of(16.0), middle + of(44.0)), 14.0, INK, (HPos::Center, VPos::Center), "N")?;
        let what = if self.steady { "" } else { ", at first" };
        let centre = [x + of(80.0), middle];
        if self.wind.wind_kmh > 0.0 {
            pen.arrow(centre, self.wind.wind_from + 180.0, 26.0, RGBColor(30, 90, 160))?;
        }
        let text = if self.wind.wind_kmh > 0.0 {
            format!("wind {} km/h{what}", (self.wind.wind_kmh * 10.0).round() / 10.0)
        } else {
            format!("no wind{what}")
        };
        pen.text((x + of(48.0), middle + of(44.0)), 14.0, INK, (HPos::Left, VPos::Center), &text)?;
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
    pen.text((x, y), 14.0, PALE, (HPos::Left, VPos::Center), "fuel")?;
    for (number, Swatch { name, colour: [red, green, blue] }) in (1..).zip(swatches) {
        let line = y + pen.of(f64::from(number) * 21.0);
        let half = pen.of(7.0);
        let points = [(x, line - half), (x + pen.of(22.0), line + half)];
        pen.area.draw(&Rectangle::new(points, RGBColor(*red, *green, *blue).filled()))?;
        pen.text((x + pen.of(31.0), line), 13.0, INK, (HPos::Left, VPos::Center), name)?;
    }
    Ok(())
}

/// Draws a length of the map that is easily read.
fn scale(pen: &Pen<'_, '_>, [x, y]: [i32; 2], metres: f64, width: u32) -> Result<(), Failure> {
    let most = f64::from(width) * metres / 3.0;
    let power = 10_f64.powf(most.log10().floor());
    let length = [5.0, 2.0, 1.0].map(|times| times * power).into_iter().find(|length| *length <= most).unwrap_or(power);
    let pixels = (length / metres).round() as i32;
    let text = if length >= 1000.0 { format!("{} km", length / 1000.0) } else { format!("{length} m") };
    let tick = pen.of(5.0);
    pen.line(&[(x, y - tick), (x, y + tick)], INK)?;
    pen.line(&[(x, y), (x + pixels, y)], INK)?;
    pen.line(&[(x + pixels, y - tick), (x + pixels, y + tick)], INK)?;
    pen.text((x + pixels + pen.of(10.0), y), 13.0, INK, (HPos::Left, VPos::Center), &text)
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
