//! Maps of fires: arrival times or burn probabilities over fuel and relief, with a legend.

mod ground;
mod legend;
mod sheet;
mod water;

use std::io::{self, Write};

use super::{Arrivals, BurnCounts, FireModel, Grid, Landscape};
use ground::Ground;
use legend::{Legend, Swatch};
use sheet::{Sheet, Window};
use tickless_core::number::grouped;

/// From low to high: cells that burnt first are dark.
const COLOURS: [[u8; 3]; 6] =
    [[92, 4, 28], [165, 15, 21], [222, 45, 38], [251, 106, 74], [253, 174, 97], [254, 232, 160]];
/// Lines of equal time, and the border of a fire.
const LINE: [u8; 3] = [60, 10, 10];
const BORDER: [u8; 3] = [20, 0, 0];
/// The opacity of the colours of a fire over the ground.
const OVER: f64 = 0.78;
/// The most lines of equal time by default.
const LINES: f64 = 9.0;
/// Steps between lines that are easily read, in minutes.
const STEPS: [f64; 16] =
    [1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 180.0, 360.0, 720.0, 1440.0, 2880.0, 7200.0, 14_400.0, 43_200.0];

/// The share of the values of a map within the range of its colours.
const MOST_SHOWN: f64 = 0.99;

/// The colour of a share from 0 to 1.
fn colour(share: f64) -> [u8; 3] {
    let along = share.clamp(0.0, 1.0) * (COLOURS.len() - 1) as f64;
    let first = (along as usize).min(COLOURS.len() - 2);
    ground::mix(COLOURS[first], COLOURS[first + 1], along - first as f64)
}

impl Arrivals {
    /// Writes a PNG: the arrival times of the fire of a replication of this model over its fuels and its relief, from dark red to yellow,
    /// with lines of equal time every `lines` minutes (by default as many as are easily read), where it began, legend, scale, north and
    /// wind. It shows the part of the landscape that burnt, with some ground around it.
    ///
    /// # Errors
    /// The error of writing; an invalid input where the model has other cells, or lines are not above 0 minutes apart.
    pub fn write_picture(
        &self,
        model: &FireModel,
        replication: u32,
        lines: Option<f64>,
        to: impl Write,
    ) -> io::Result<()> {
        if lines.is_some_and(|step| step.is_nan() || step <= 0.0) {
            return Err(invalid("lines of equal time must be above 0 minutes apart"));
        }
        let values: Vec<f64> = self.grid().values;
        let last = self.last().map_or(0.0, |time| time.units());
        let step = lines.unwrap_or_else(|| step_for(last));
        let mut legend = Legend::new(model, Some(replication));
        legend.title =
            format!("{} ha burnt after {}", grouped(self.hectares().round() as u64), hours(model.until.units()));
        legend.scale = "took fire after".into();
        // The legend has room for this many texts.
        let apart = if last / step > 3.0 * LINES { step_for(last) } else { step };
        let marks = (0..).map(|n| f64::from(n) * apart).take_while(|minutes| *minutes <= last).take(60);
        legend.marks = marks.map(|minutes| (minutes / last.max(1e-9), hours(minutes))).collect();
        let share = |minutes: f64| minutes / last.max(1e-9);
        draw(model, &values, &share, Some(step), &legend, to)
    }
}

impl BurnCounts {
    /// Writes a PNG of the burn probability, the most probable in dark red, as [`Arrivals::write_picture`] does of times.
    ///
    /// # Errors
    /// The error of writing; an invalid input where the model has other cells.
    pub fn write_picture(&self, model: &FireModel, to: impl Write) -> io::Result<()> {
        let mut values = self.probability().values;
        let most = values.iter().copied().fold(0.0, f64::max);
        values.iter_mut().filter(|share| **share == 0.0).for_each(|share| *share = f64::NAN);
        let mut legend = Legend::new(model, None);
        legend.title = format!("Burn probability within {}", hours(model.until.units()));
        legend.scale = "of the fires".into();
        legend.marks = percents(most, self.fires())
            .into_iter()
            .map(|percent| (1.0 - percent / (100.0 * most), written(percent)))
            .collect();
        draw(model, &values, &|share| 1.0 - share / most, None, &legend, to)
    }
}

/// Draws a grid of the cells that burnt in a replication, or in several (`None`), over the landscape, the highest values in dark red, as
/// [`Arrivals::write_picture`] does of times: its name is the title, and numbers have this unit.
///
/// # Errors
/// The error of writing; an invalid input where the model has other cells.
pub fn write_map(
    model: &FireModel,
    replication: Option<u32>,
    grid: &Grid,
    unit: &str,
    to: impl Write,
) -> io::Result<()> {
    let values = &grid.values;
    // A few cells far above all others would leave the rest in one colour.
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    let top = (sorted.len() as f64 * MOST_SHOWN) as usize;
    let most = if sorted.is_empty() { 0.0 } else { *sorted.select_nth_unstable_by(top, f64::total_cmp).1 };
    let more = values.iter().any(|value| *value > most);
    let mut legend = Legend::new(model, replication);
    legend.title = grid.name.clone();
    legend.scale = unit.into();
    let mark = |n: u32| {
        let value = most * f64::from(4 - n) / 4.0;
        let digits = if most >= 100.0 {
            0
        } else if most >= 10.0 {
            1
        } else {
            2
        };
        let least = if n == 0 && more { "from " } else { "" };
        (f64::from(n) / 4.0, format!("{least}{value:.digits$}"))
    };
    legend.marks = if most > 0.0 { (0..=4).map(mark).collect() } else { vec![] };
    draw(model, values, &|value| 1.0 - value / most.max(f64::MIN_POSITIVE), None, &legend, to)
}

/// The least step that does not give too many lines.
fn step_for(last: f64) -> f64 {
    STEPS.into_iter().find(|step| last / step <= LINES).unwrap_or(last / LINES).max(1.0)
}

/// The marks on a scale up to a share of so many fires, in percent, the highest first: that share, and below it as many round ones as are
/// easily read, not closer than one fire is to the next.
fn percents(most: f64, fires: u32) -> Vec<f64> {
    if most <= 0.0 {
        return vec![];
    }
    let most = 100.0 * most;
    let steps = (-6..2).flat_map(|power| [1.0, 2.0, 5.0].map(|step| step * 10_f64.powi(power)));
    let step = steps.into_iter().find(|step| most / step <= 5.0 && step * f64::from(fires) >= 100.0).unwrap_or(most);
    let below = (0..5).map(|n| f64::from(n) * step).filter(|percent| *percent < most);
    std::iter::once(most).chain(below.collect::<Vec<_>>().into_iter().rev()).collect()
}

/// Percent, to three digits behind the point at most.
fn written(percent: f64) -> String {
    format!("{} %", (percent * 1000.0).round() / 1000.0)
}

/// Minutes as a text for people.
fn hours(minutes: f64) -> String {
    match minutes {
        ..120.0 => format!("{} min", (minutes * 10.0).round() / 10.0),
        ..2880.0 => format!("{} h", (minutes / 6.0).round() / 10.0),
        _ => format!("{} days", (minutes / 144.0).round() / 10.0),
    }
}

fn draw(
    model: &FireModel,
    values: &[f64],
    share: &(dyn Fn(f64) -> f64 + Sync),
    lines: Option<f64>,
    legend: &Legend,
    to: impl Write,
) -> io::Result<()> {
    let landscape: &Landscape = model.description().landscape();
    if values.len() != landscape.fuels().len() {
        return Err(invalid("the landscape has other cells than the fire"));
    }
    let ground = Ground::new(landscape);
    let window = Window::around(landscape.frame(), |cell| !values[cell].is_nan());
    let mut sheet = Sheet::new(window).map_err(io::Error::other)?;
    let between = |[x, y]: [f64; 2]| smooth(values, landscape, [x, y]);
    sheet.paint(|place, next| {
        let (cell, below) = (ground.cell(place), ground.shaded(place));
        let Some(value) = between(place) else { return below };
        let around = next.map(|place| (between(place), ground.cell(place)));
        if around.iter().any(|(value, _)| value.is_none()) {
            return BORDER;
        }
        let line = lines.is_some_and(|step| {
            let band = |value: f64| (value / step).floor();
            around[..2].iter().any(|(other, _)| other.is_some_and(|other| band(other) != band(value)))
        });
        let over = ground::mix(ground.light(cell, colour(share(value))), below, 1.0 - OVER);
        if line { ground::mix(over, LINE, 0.7) } else { over }
    });
    let all = ground::groups().into_iter().map(|(name, colour)| Swatch { name, colour });
    let used = ground.used(window);
    let swatches: Vec<Swatch> = all.filter(|swatch| used.contains(&swatch.name)).collect();
    legend.draw(&mut sheet, &swatches, &colour).map_err(|error| io::Error::other(error.to_string()))?;
    sheet.write(to)
}

/// The value at a place of the map, in cells: between the middles of four cells, of those that have one.
fn smooth(values: &[f64], landscape: &Landscape, [x, y]: [f64; 2]) -> Option<f64> {
    let frame = landscape.frame();
    let (columns, rows) = (frame.columns as usize, frame.rows as usize);
    let own = values[(x as usize).min(columns - 1) + columns * (y as usize).min(rows - 1)];
    if own.is_nan() {
        return None;
    }
    let [left, top] = [x - 0.5, y - 0.5].map(|along| along.max(0.0));
    let [column, row] = [(left as usize).min(columns - 1), (top as usize).min(rows - 1)];
    let at = |dx: usize, dy: usize| values[(column + dx).min(columns - 1) + columns * (row + dy).min(rows - 1)];
    let [right, down] = [left.fract(), top.fract()];
    let weight = |dx: usize, dy: usize| [1.0 - right, right][dx] * [1.0 - down, down][dy];
    let corners = [[0, 0], [1, 0], [0, 1], [1, 1]].map(|[dx, dy]| (weight(dx, dy), at(dx, dy)));
    let known = || corners.iter().filter(|(_, value)| !value.is_nan());
    // The place's own cell is one of them, with a quarter at least.
    let all: f64 = known().map(|(weight, _)| weight).sum();
    Some(known().map(|(weight, value)| weight * value).sum::<f64>() / all)
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fire, Ignition, Weather};
    use tickless_core::time::Time;

    /// A picture of 12 x 8 cells of grass with water in the last column; the cells of the first half burn at their column's
    /// minute. Returns its size and its pixels.
    fn pixels(lines: Option<f64>) -> io::Result<([u32; 2], Vec<[u8; 3]>)> {
        let meadow = Landscape::uniform(12, 8, 10.0, 1).unwrap();
        let fuels = (0..96).map(|cell| if cell % 12 == 11 { 98 } else { 1 }).collect();
        let ground = Landscape::new(meadow.frame(), fuels, vec![[0.0; 2]; 96]).unwrap();
        let model = Fire::new(ground, Weather::still()).ignite([Ignition::cell(0, 0)]).check().unwrap();
        let time = |cell: u64| if cell % 12 < 6 { Time::from_ticks((cell % 12) << 32) } else { Time::NEVER };
        let mut file = vec![];
        let arrivals = Arrivals::new(model.description().landscape().frame(), (0..96).map(time).collect()).unwrap();
        arrivals.write_picture(&model, 0, lines, &mut file)?;
        let mut reader = png::Decoder::new(io::Cursor::new(file)).read_info().unwrap();
        let size = [reader.info().width, reader.info().height];
        let mut found = vec![0; 3 * size[0] as usize * size[1] as usize];
        reader.next_frame(&mut found).unwrap();
        Ok((size, found.as_chunks::<3>().0.to_vec()))
    }

    #[test]
    fn what_burns_is_seen_and_what_does_not() {
        let ([width, _], found) = pixels(Some(2.0)).unwrap();
        let ([x, y], zoom) = sheet::place_of_map(Landscape::uniform(12, 8, 10.0, 1).unwrap().frame());
        let at = |column: u32, row: u32| {
            found[(x + column * zoom + zoom / 4 + width * (y + row * zoom + zoom / 2)) as usize]
        };
        let red = |[red, green, blue]: [u8; 3]| red > green.max(blue);
        assert!(red(at(0, 3)) && red(at(4, 3)) && at(0, 3) != at(4, 3));
        assert!(at(8, 3) == at(7, 6) && at(8, 3)[1] > 150, "grass is light: {:?}", at(8, 3));
        assert!(at(11, 3)[2] > at(11, 3)[0], "water is blue");
        assert_ne!(pixels(Some(1.0)).unwrap().1, found, "lines lie elsewhere");
    }

    /// A star on the cell where a fire began; what has no fuel is white.
    #[test]
    fn where_it_began_is_seen() {
        let frame = Landscape::uniform(12, 8, 10.0, 1).unwrap().frame();
        let fuels = (0..96).map(|cell| if cell % 12 == 11 { 0 } else { 1 }).collect();
        let ground = Landscape::new(frame, fuels, vec![[0.0; 2]; 96]).unwrap();
        let draw = |begin: Ignition| {
            let model = Fire::new(ground.clone(), Weather::still()).ignite([begin]).until(60.0).check().unwrap();
            let fire = Arrivals::new(frame, vec![Time::ZERO; 96]).unwrap();
            let mut file = vec![];
            fire.write_picture(&model, 0, None, &mut file).unwrap();
            let mut reader = png::Decoder::new(io::Cursor::new(file)).read_info().unwrap();
            let mut found = vec![0; reader.output_buffer_size()];
            let width = reader.next_frame(&mut found).unwrap().width;
            (width, found.as_chunks::<3>().0.to_vec())
        };
        let ([x, y], zoom) = sheet::place_of_map(frame);
        let at = |(width, pixels): &(u32, Vec<[u8; 3]>), column: u32, row: u32| {
            pixels[(x + column * zoom + zoom / 2 + width * (y + row * zoom + zoom / 2)) as usize]
        };
        let (now, late) = (draw(Ignition::cell(3, 2)), draw(Ignition::cell(3, 2).at(60.0)));
        assert_eq!(at(&now, 3, 2), [255; 3]);
        assert_ne!(at(&late, 3, 2), [255; 3], "it burns nothing");
    }

    /// The border of a block of cells lies on all its sides; values go on between cells beside one that has none.
    #[test]
    fn borders_go_around() {
        let ground = Landscape::uniform(12, 8, 10.0, 1).unwrap();
        let frame = ground.frame();
        let model = Fire::new(ground.clone(), Weather::still()).ignite([Ignition::cell(4, 3).at(9.0)]).until(8.0);
        let burnt = |cell: u32| (3..6).contains(&(cell % 12)) && (2..5).contains(&(cell / 12));
        let times = (0..96).map(|cell| if burnt(cell) { Time::ZERO } else { Time::NEVER }).collect();
        let mut file = vec![];
        Arrivals::new(frame, times).unwrap().write_picture(&model.check().unwrap(), 0, None, &mut file).unwrap();
        let mut reader = png::Decoder::new(io::Cursor::new(file)).read_info().unwrap();
        let mut found = vec![0; reader.output_buffer_size()];
        let width = reader.next_frame(&mut found).unwrap().width;
        let ([left, top], zoom) = sheet::place_of_map(frame);
        let at = |x: u32, y: u32| found.as_chunks::<3>().0[(left + x + width * (top + y)) as usize];
        let half = zoom / 2;
        for (x, y) in [
            (3 * zoom, 3 * zoom + half),
            (6 * zoom - 1, 3 * zoom + half),
            (4 * zoom + half, 2 * zoom),
            (4 * zoom + half, 5 * zoom - 1),
        ] {
            assert_eq!(at(x, y), BORDER, "{x}, {y}");
        }
        assert_ne!(at(3 * zoom - 1, 3 * zoom + half), BORDER);
        // Cells of 0 and 10 beside each other, and none below the second: a quarter of the way from middle to middle.
        let mut values = vec![f64::NAN; 96];
        (values[0], values[1], values[12]) = (0.0, 10.0, 0.0);
        assert_eq!(smooth(&values, &ground, [0.75, 0.5]), Some(2.5));
        let beside = smooth(&values, &ground, [0.75, 0.75]).unwrap();
        assert!((0.0..2.5).contains(&beside), "{beside}");
    }

    /// Shares of 100 fires are whole percents.
    #[test]
    fn marks_are_easily_read() {
        let of_fires =
            |most: f64, fires: u32| percents(most, fires).into_iter().map(written).collect::<Vec<_>>().join(", ");
        let marks = |most: f64| of_fires(most, 100);
        assert_eq!(marks(0.37), "37 %, 30 %, 20 %, 10 %, 0 %");
        assert_eq!(marks(1.0), "100 %, 80 %, 60 %, 40 %, 20 %, 0 %");
        assert_eq!((marks(0.07), marks(0.01)), ("7 %, 6 %, 4 %, 2 %, 0 %".into(), "1 %, 0 %".into()));
        assert_eq!(of_fires(0.01, 100_000), "1 %, 0.8 %, 0.6 %, 0.4 %, 0.2 %, 0 %");
        assert_eq!(of_fires(3.0 / 7.0, 7), "42.857 %, 40 %, 20 %, 0 %");
        assert!(percents(0.0, 9).is_empty());
    }

    #[test]
    fn what_cannot_be_drawn_is_refused() {
        assert!(pixels(Some(0.0)).is_err() && pixels(Some(f64::NAN)).is_err());
        let model = Fire::new(Landscape::uniform(9, 9, 10.0, 1).unwrap(), Weather::still()).check().unwrap();
        let fire = Arrivals::new(Landscape::uniform(1, 1, 10.0, 1).unwrap().frame(), vec![Time::ZERO]).unwrap();
        assert!(fire.write_picture(&model, 0, None, vec![]).is_err());
    }

    #[test]
    fn lines_are_as_far_apart_as_people_read_them() {
        assert_eq!([0.5, 9.0, 100.0, 1440.0, 1e6].map(step_for), [1.0, 1.0, 15.0, 180.0, 1e6 / LINES]);
        assert_eq!([90.0, 180.0, 1440.0, 4320.0].map(hours), ["90 min", "3 h", "24 h", "3 days"]);
    }
}
