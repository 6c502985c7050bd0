//! Charts of reports, as SVG: bars, lines and dots. Their colours are those of the page, in light and dark.

use std::ops::Range;

use maud::{Markup, html};
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::cli::text::significant;
use crate::picture::with_font;

/// Colours of a drawing, each of which stands for one of the page, as [`themed`] says.
pub(super) const INK: RGBColor = RGBColor(1, 0, 0);
pub(super) const GRID: RGBColor = RGBColor(2, 0, 0);
pub(super) const SERIES: [RGBColor; 6] =
    [RGBColor(3, 0, 0), RGBColor(4, 0, 0), RGBColor(5, 0, 0), RGBColor(6, 0, 0), RGBColor(7, 0, 0), RGBColor(8, 0, 0)];
/// Behind what is written over lines.
const PAPER: RGBColor = RGBColor(9, 0, 0);
const OF_PAGE: [&str; 9] = ["ink", "grid", "one", "two", "three", "four", "five", "six", "paper"];

pub(super) const WIDTH: u32 = 860;
const FONT: (&str, u32) = ("sans-serif", 14);
/// Bars of a chart, and characters of their names.
const MOST_BARS: usize = 60;
const LONGEST: usize = 48;
/// Points of a line that say what they are.
const MOST_MARKS: usize = 80;
/// Dots beside those that are told apart.
const MOST_DOTS: usize = 2000;

/// A value with its interval.
#[derive(Clone, Debug)]
pub struct Bar {
    pub name: String,
    pub value: f64,
    pub half_width: Option<f64>,
}

/// Values over something, with a band around them where they have intervals.
#[derive(Clone, Debug)]
pub struct Line {
    pub name: String,
    pub points: Vec<[f64; 2]>,
    /// Half of its width, point by point, or nothing.
    pub half_widths: Vec<f64>,
}

pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub(super) type Failed = DrawingAreaErrorKind<std::io::Error>;
pub(super) type Drawn = Result<Vec<Mark>, Failed>;
type Plot<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// What the pointer is shown at a place: its middle, its width and height, and the text.
pub(super) struct Mark(pub(super) (i32, i32), pub(super) [i32; 2], pub(super) String);

/// The SVG of a drawing, with its marks. Nothing that is drawn into a text fails.
pub(super) fn svg(size: (u32, u32), draw: impl FnOnce(&Area<'_>) -> Drawn) -> String {
    with_font();
    let mut text = String::new();
    let marks = {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        draw(&area).and_then(|marks| area.present().map(|()| marks))
    };
    let Ok(marks) = marks else { return String::new() };
    let svg = themed(&text, size);
    let drawn = svg.trim_end().trim_end_matches("</svg>");
    format!("{drawn}{}</svg>", marked(&marks).into_string())
}

/// Places that are not seen, over everything else.
fn marked(marks: &[Mark]) -> Markup {
    html! {
        @for Mark((x, y), [width, height], text) in marks {
            rect x=(x - width / 2) y=(y - height / 2) width=(width) height=(height) fill="transparent" { title { (text) } }
        }
    }
}

/// A value with half of its interval.
fn with_half(value: f64, half: Option<f64>) -> String {
    half.map_or(shown(&value), |half| format!("{} ± {}", shown(&value), significant(half, 3)))
}

/// With the colours of the page, and a size that follows its width.
fn themed(svg: &str, (width, height): (u32, u32)) -> String {
    let svg = OF_PAGE.iter().enumerate().fold(svg.to_owned(), |svg, (place, name)| {
        svg.replace(&format!("\"#{:02X}0000\"", place + 1), &format!("\"var(--{name})\""))
    });
    let head = format!("width=\"{width}\" height=\"{height}\"");
    svg.replacen(&head, &format!("{head} aria-hidden=\"true\""), 1)
}

/// Room for values, from 0 on where they are all on one side of it.
pub(super) fn around(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (least, most) = values
        .filter(|value| value.is_finite())
        .fold((0.0, 0.0), |(least, most), value| (f64::min(least, value), f64::max(most, value)));
    let room = if most > least { (most - least) * 0.05 } else { 1.0 };
    let below = if least < 0.0 { least - room } else { 0.0 };
    below..(if most > 0.0 || least == 0.0 { most + room } else { 0.0 })
}

/// Just around values that have a place of their own.
fn close_to(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (least, most) = values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), value| (a.min(value), b.max(value)));
    match most - least {
        width if width > 0.0 => least - 0.05 * width..most + 0.05 * width,
        _ if least.is_finite() => least - 0.5..least + 0.5,
        _ => 0.0..1.0,
    }
}

pub(super) fn shown(value: &f64) -> String {
    significant(*value, 4)
}

/// A style of texts.
pub(super) fn words() -> TextStyle<'static> {
    FONT.into_font().color(&INK)
}

/// Names and values from top to bottom, with intervals.
pub fn bars(axis: &str, all: &[Bar]) -> String {
    let all = &all[..all.len().min(MOST_BARS)];
    let name = |bar: &Bar| bar.name.chars().take(LONGEST).collect::<String>();
    let longest = all.iter().map(|bar| name(bar).chars().count()).max().unwrap_or(0) as i32;
    svg((WIDTH, 70 + 24 * all.len() as u32), |area| {
        let ends = all.iter().flat_map(|bar| {
            let half = bar.half_width.unwrap_or(0.0);
            [bar.value - half, bar.value + half]
        });
        let mut chart = ChartBuilder::on(area)
            .x_label_area_size(44)
            .y_label_area_size(16 + 8 * longest)
            .margin(8)
            .build_cartesian_2d(around(ends), all.len() as f64..0.0)?;
        let mut mesh = chart.configure_mesh();
        mesh.disable_y_mesh().y_labels(0).x_desc(axis).label_style(words()).axis_style(INK);
        mesh.bold_line_style(GRID).light_line_style(TRANSPARENT).x_label_formatter(&shown).draw()?;
        let mut marks = vec![];
        for (place, bar) in all.iter().enumerate() {
            let middle = place as f64 + 0.5;
            let ends = [(0.0, middle - 0.32), (bar.value, middle + 0.32)];
            chart.draw_series([Rectangle::new(ends, SERIES[0].filled())])?;
            if let Some(half) = bar.half_width {
                let ends = [(bar.value - half, middle), (bar.value + half, middle)];
                chart.draw_series([PathElement::new(ends, INK.stroke_width(2))])?;
            }
            let (x, y) = chart.backend_coord(&(chart.x_range().start, middle));
            let style = words().pos(Pos::new(HPos::Right, VPos::Center));
            area.draw(&Text::new(name(bar), (x - 8, y), style))?;
            let told = format!("{}: {}", bar.name, with_half(bar.value, bar.half_width));
            marks.push(Mark((WIDTH as i32 / 2, y), [WIDTH as i32, 24], told));
        }
        Ok(marks)
    })
}

/// Lines over a common axis, with a legend where there are several. `mark` is a place of the axis that is told apart.
pub fn lines(axes: [&str; 2], all: &[Line], mark: Option<f64>) -> String {
    let all = &all[..all.len().min(SERIES.len())];
    drawn_lines(axes, &all.iter().zip(SERIES).collect::<Vec<_>>(), &[], mark)
}

/// Lines that were measured, and beside them broken ones of what is expected, of the colour of the line whose number is with them.
pub fn lines_beside(axes: [&str; 2], measured: &[Line], expected: &[(usize, Line)]) -> String {
    let measured = &measured[..measured.len().min(SERIES.len())];
    let expected: Vec<_> = expected.iter().map(|(of, line)| (line, SERIES[of % SERIES.len()])).collect();
    drawn_lines(axes, &measured.iter().zip(SERIES).collect::<Vec<_>>(), &expected, None)
}

/// A line with its colour.
type Coloured<'a> = (&'a Line, RGBColor);

fn drawn_lines(axes: [&str; 2], all: &[Coloured], expected: &[Coloured], mark: Option<f64>) -> String {
    svg((WIDTH, 400), |area| {
        let both = || all.iter().chain(expected).map(|(line, _)| *line);
        let across = both().flat_map(|line| line.points.iter().map(|[x, _]| *x)).chain(mark);
        let up = both()
            .flat_map(|line| (0..line.points.len()).flat_map(|place| [-1.0, 1.0].map(|side| line.edge(place, side))));
        let mut chart = frame(area, axes, [close_to(across), around(up)])?;
        if let Some(mark) = mark {
            let height = chart.y_range();
            chart.draw_series([PathElement::new([(mark, height.start), (mark, height.end)], INK.stroke_width(1))])?;
        }
        all.iter().try_for_each(|(line, colour)| draw_measured(&mut chart, line, *colour))?;
        expected.iter().try_for_each(|(line, colour)| draw_expected(&mut chart, line, *colour))?;
        if all.len() + expected.len() > 1 {
            let position = beside_the_ends(all, chart.y_range().end);
            let mut labels = chart.configure_series_labels();
            labels.position(position).border_style(GRID).background_style(PAPER);
            labels.label_font(words()).draw()?;
        }
        Ok(both().flat_map(|line| marks_of(&chart, line)).collect())
    })
}

impl Line {
    /// The value at a place, with half of its interval on one side.
    fn edge(&self, place: usize, side: f64) -> f64 {
        self.points[place][1] + side * self.half_widths.get(place).copied().unwrap_or(0.0)
    }
}

/// A chart with its axes and their names.
fn frame<'a, 'b>(
    area: &'a Area<'b>,
    [across, up]: [&str; 2],
    [width, height]: [Range<f64>; 2],
) -> Result<Plot<'a, 'b>, Failed> {
    let mut chart = ChartBuilder::on(area)
        .x_label_area_size(44)
        .y_label_area_size(76)
        .margin(8)
        .build_cartesian_2d(width, height)?;
    let mut mesh = chart.configure_mesh();
    mesh.x_desc(across).y_desc(up).label_style(words()).axis_style(INK).bold_line_style(GRID);
    mesh.light_line_style(TRANSPARENT).x_label_formatter(&shown).y_label_formatter(&shown).draw()?;
    Ok(chart)
}

/// A line with the band of its intervals.
fn draw_measured(chart: &mut Plot, line: &Line, colour: RGBColor) -> Result<(), Failed> {
    if !line.half_widths.is_empty() {
        let side = |side: f64| (0..line.points.len()).map(move |place| (line.points[place][0], line.edge(place, side)));
        let band: Vec<(f64, f64)> = side(1.0).chain(side(-1.0).rev()).collect();
        chart.draw_series([Polygon::new(band, colour.mix(0.2))])?;
    }
    let points = line.points.iter().map(|[x, y]| (*x, *y));
    let drawn = chart.draw_series(LineSeries::new(points, colour.stroke_width(2)))?;
    drawn.label(&line.name).legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(3)));
    Ok(())
}

/// A broken line.
fn draw_expected(chart: &mut Plot, line: &Line, colour: RGBColor) -> Result<(), Failed> {
    let points = line.points.iter().map(|[x, y]| (*x, *y));
    let drawn = chart.draw_series(DashedLineSeries::new(points, 7, 5, colour.stroke_width(3)))?;
    drawn.label(&line.name).legend(move |(x, y)| PathElement::new([(x + 5, y), (x + 13, y)], colour.stroke_width(3)));
    Ok(())
}

/// What some points of a line are.
fn marks_of(chart: &Plot, line: &Line) -> Vec<Mark> {
    let told = |place: usize| {
        let [x, y] = line.points[place];
        let value = with_half(y, line.half_widths.get(place).copied());
        Mark(chart.backend_coord(&(x, y)), [10, 10], format!("{}: {value} at {}", line.name, shown(&x)))
    };
    (0..line.points.len()).step_by(line.points.len().div_ceil(MOST_MARKS).max(1)).map(told).collect()
}

/// Where the legend covers none of the lines' ends, mostly.
fn beside_the_ends(all: &[Coloured], most: f64) -> SeriesLabelPosition {
    let are_high = all.iter().filter_map(|(line, _)| line.points.last()).all(|[_, y]| *y > 0.6 * most);
    if are_high { SeriesLabelPosition::LowerRight } else { SeriesLabelPosition::UpperRight }
}

/// Dots by two values, each with a name; those of the first list are told apart. Of too many others it draws one in several, as the axis
/// says.
pub fn dots([across, up]: [&str; 2], [first, others]: [&[(String, [f64; 2])]; 2]) -> String {
    svg((WIDTH, 460), |area| {
        let all = || first.iter().chain(others).map(|(_, point)| point);
        let ranges = [close_to(all().map(|[x, _]| *x)), close_to(all().map(|[_, y]| *y))];
        let each = others.len().div_ceil(MOST_DOTS).max(1);
        let said =
            if each > 1 { format!("{across} (one in {each} of the other points is drawn)") } else { across.into() };
        let mut chart = frame(area, [&said, up], ranges)?;
        let others: Vec<_> = others.iter().step_by(each).collect();
        let circle =
            |(_, [x, y]): &(String, [f64; 2]), radius: i32, style: ShapeStyle| Circle::new((*x, *y), radius, style);
        chart.draw_series(others.iter().map(|dot| circle(dot, 4, GRID.filled())))?;
        chart.draw_series(others.iter().map(|dot| circle(dot, 4, INK.stroke_width(1))))?;
        let mut line: Vec<(f64, f64)> = first.iter().map(|(_, [x, y])| (*x, *y)).collect();
        line.sort_by(|a, b| a.0.total_cmp(&b.0));
        chart.draw_series(LineSeries::new(line, SERIES[1].stroke_width(1)))?;
        chart.draw_series(first.iter().map(|dot| circle(dot, 6, SERIES[1].filled())))?;
        for (name, [x, y]) in first {
            let (x, y) = chart.backend_coord(&(*x, *y));
            area.draw(&Text::new(name.clone(), (x + 8, y - 18), words()))?;
        }
        let told = |(name, [x, y]): &(String, [f64; 2])| {
            let text = format!("{name}: {across} {}, {up} {}", shown(x), shown(y));
            Mark(chart.backend_coord(&(*x, *y)), [14, 14], text)
        };
        Ok(others.into_iter().chain(first).map(told).collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_dots_some_are_drawn_and_the_axis_says_so() {
        let chart = |count: u32| {
            let others: Vec<_> = (0..count).map(|n| (n.to_string(), [f64::from(n), 1.0])).collect();
            dots(["cost", "time"], [&[("best".into(), [0.0, 0.0])], &others])
        };
        // A dot has its area and its rim; the best has one circle.
        let (all, few) = (chart(2000), chart(4001));
        assert_eq!((all.matches("<circle").count(), all.contains("of the other points")), (4001, false));
        assert_eq!((few.matches("<circle").count(), few.matches("<title>").count()), (1 + 2 * 1334, 1 + 1334));
        assert!(few.contains("one in 3 of the other points is drawn"));
    }

    #[test]
    fn charts_have_the_colours_of_the_page_alone() {
        let bar = |name: &str, value| Bar { name: name.into(), value, half_width: Some(0.5) };
        let line =
            |name: &str| Line { name: name.into(), points: vec![[0.0, 1.0], [1.0, 3.0]], half_widths: vec![0.1, 0.2] };
        let dot = |name: &str, x| (name.to_owned(), [x, 1.0 / x]);
        for chart in [
            bars("load", &[bar("a<b", 2.0), bar("c", -1.0)]),
            lines(["time", "tokens"], &[line("one"), line("two")], Some(0.5)),
            lines_beside(["time", "share"], &[line("one")], &[(0, line("theory"))]),
            dots(["cost", "time"], [&[dot("3", 1.0), dot("7", 2.0)], &[dot("4", 3.0)]]),
        ] {
            assert!(
                chart.starts_with("<svg") && chart.contains("var(--one)") | chart.contains("var(--two)"),
                "{chart}"
            );
            assert!(chart.contains("var(--ink)") && !chart.contains("\"#0"), "{chart}");
            assert!(!chart.contains("a<b"), "{chart}");
            assert!(chart.ends_with("</svg>") && chart.matches("</svg>").count() == 1, "{chart}");
        }
        let told = [
            bars("load", &[bar("a<b", 2.0)]),
            lines(["time", "tokens"], &[line("one")], None),
            dots(["cost", "time"], [&[dot("3", 1.0)], &[]]),
        ];
        let titles =
            ["<title>a&lt;b: 2 ± 0.5</title>", "<title>one: 3 ± 0.2 at 1</title>", "<title>3: cost 1, time 1</title>"];
        for (chart, title) in told.iter().zip(titles) {
            assert!(chart.contains(title), "{title} in {chart}");
        }
        // Nothing to draw is an empty chart.
        assert!(bars("load", &[]).starts_with("<svg") && lines(["", ""], &[], None).starts_with("<svg"));
    }
}
