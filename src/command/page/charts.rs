//! Charts of reports, as SVG: bars, lines and dots. Their colours are those of the page, in light and dark.

use std::ops::Range;

use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::sheet::{Area, Failed, GRID, INK, Mark, PAPER, ROW, SERIES, Sheet, draw_legend, svg, words};
use crate::figures::sure_to;
use crate::text::{significant, without_middle};

/// The most bars of a chart.
const MOST_BARS: usize = 60;
/// The most characters of a row of the name of a bar; a longer name has two rows.
const LONGEST: usize = 36;
/// The height of a row of the name of a bar.
const ROW_OF_NAME: u32 = 16;
/// The most labels of an upright axis.
const LABELS: usize = 11;
/// The most points of a line with texts for the pointer.
const MOST_MARKS: usize = 80;
/// The most unmarked dots.
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
    /// Half of its width, point by point, or empty.
    pub half_widths: Vec<f64>,
}

type Plot<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// A value with half of its interval.
fn with_half(value: f64, half: Option<f64>) -> String {
    half.map_or(shown(&value), |half| format!("{} {}", shown(&value), sure_to(half)))
}

/// The range of an axis for values, from 0 on if they are all on one side of it.
pub(super) fn around(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (least, most) = values
        .filter(|value| value.is_finite())
        .fold((0.0, 0.0), |(least, most), value| (f64::min(least, value), f64::max(most, value)));
    let room = if most > least { (most - least) * 0.05 } else { 1.0 };
    let below = if least < 0.0 { least - room } else { 0.0 };
    below..(if most > 0.0 || least == 0.0 { most + room } else { 0.0 })
}

/// The range of an axis just around values.
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

/// The range of an axis for lines: from 0 on, if values are not much farther from it than from each other.
fn along(values: impl Iterator<Item = f64> + Clone) -> Range<f64> {
    let finite = || values.clone().filter(|value| value.is_finite());
    let least = finite().fold(f64::INFINITY, f64::min);
    let most = finite().fold(f64::NEG_INFINITY, f64::max);
    let is_far = least.abs().min(most.abs()) > most - least;
    if is_far && most > least { close_to(values) } else { around(values) }
}

/// How many labels an axis has at most: those of whole numbers stand at whole numbers.
fn labels(range: &Range<f64>, mut values: impl Iterator<Item = f64>, most: usize) -> usize {
    let whole = (range.end.floor() - range.start.ceil() + 1.0).max(1.0);
    if values.all(|value| value.fract() == 0.0) && whole < most as f64 { whole as usize } else { most }
}

pub(super) fn shown(value: &f64) -> String {
    significant(*value, 4)
}

/// A name in one row, or parted at the blank nearest to its middle.
fn in_rows(name: &str) -> Vec<String> {
    let count = name.chars().count();
    let from_middle = |(place, _): &(usize, char)| place.abs_diff(count / 2);
    let blank = name.chars().enumerate().filter(|(_, c)| *c == ' ').min_by_key(from_middle);
    let Some((place, _)) = blank.filter(|_| count > LONGEST) else { return vec![without_middle(name, LONGEST)] };
    let parts = [name.chars().take(place).collect::<String>(), name.chars().skip(place + 1).collect()];
    parts.iter().map(|part| without_middle(part, LONGEST)).collect()
}

/// Names and values from top to bottom, with intervals. On a narrow sheet the names are above the bars.
pub fn bars(axis: &str, all: &[Bar]) -> String {
    let all = &all[..all.len().min(MOST_BARS)];
    let names: Vec<Vec<String>> = all.iter().map(|bar| in_rows(&bar.name)).collect();
    let longest = names.iter().flatten().map(|row| row.chars().count()).max().unwrap_or(0) as u32;
    let more = (names.iter().map(Vec::len).max().unwrap_or(1).max(1) as u32 - 1) * ROW_OF_NAME;
    let rows = |sheet: Sheet| more + if sheet.is_narrow() { 42 } else { 24 };
    let ends = || {
        all.iter().flat_map(|bar| {
            let half = bar.half_width.unwrap_or(0.0);
            [bar.value - half, bar.value + half]
        })
    };
    svg(
        |sheet| 70 + rows(sheet) * all.len() as u32,
        |sheet, area| {
            let (beside, row) = (if sheet.is_narrow() { 8 } else { 16 + 8 * longest }, rows(sheet) as i32);
            let mut chart = ChartBuilder::on(area)
                .x_label_area_size(44)
                .y_label_area_size(beside)
                .margin(8)
                .build_cartesian_2d(around(ends()), all.len() as f64..0.0)?;
            let mut mesh = chart.configure_mesh();
            let axis = sheet.fitting(axis, sheet.width());
            mesh.disable_y_mesh()
                .y_labels(0)
                .x_desc(axis)
                .label_style(words())
                .axis_style(INK)
                .x_labels(sheet.labels());
            mesh.bold_line_style(GRID).light_line_style(TRANSPARENT).x_label_formatter(&shown).draw()?;
            let mut marks = vec![];
            for (place, bar) in all.iter().enumerate() {
                // The lower half is for the bar if the name is above it.
                let half = if sheet.is_narrow() { 8.0 } else { 7.5 } / f64::from(row);
                let middle = place as f64 + if sheet.is_narrow() { 1.0 - 13.0 / f64::from(row) } else { 0.5 };
                let ends = [(0.0, middle - half), (bar.value, middle + half)];
                chart.draw_series([Rectangle::new(ends, SERIES[0].filled())])?;
                if let Some(half) = bar.half_width {
                    let ends = [(bar.value - half, middle), (bar.value + half, middle)];
                    chart.draw_series([PathElement::new(ends, INK.stroke_width(2))])?;
                }
                let (x, y) = chart.backend_coord(&(chart.x_range().start, middle));
                let (side, x, last) =
                    if sheet.is_narrow() { (HPos::Left, x + 4, y - 18) } else { (HPos::Right, x - 8, y) };
                let below = ROW_OF_NAME as i32 * (names[place].len() as i32 - 1);
                let first = if sheet.is_narrow() { last - below } else { last - below / 2 };
                for (row, text) in (0..).zip(&names[place]) {
                    let style = words().pos(Pos::new(side, VPos::Center));
                    area.draw(&Text::new(text.clone(), (x, first + row * ROW_OF_NAME as i32), style))?;
                }
                let told = format!("{}: {}", bar.name, with_half(bar.value, bar.half_width));
                let y = chart.backend_coord(&(0.0, place as f64 + 0.5)).1;
                marks.push(Mark((sheet.width() as i32 / 2, y), [sheet.width() as i32, row], told));
            }
            Ok(marks)
        },
    )
}

/// Lines over a common axis, with a legend if there are several. `mark` is a marked place of the axis.
pub fn lines(axes: [&str; 2], all: &[Line], mark: Option<f64>) -> String {
    let all = &all[..all.len().min(SERIES.len())];
    drawn_lines(axes, &all.iter().zip(SERIES).collect::<Vec<_>>(), &[], mark)
}

/// Measured lines, and beside them broken lines of expected values, each in the colour of the line whose number stands with it.
pub fn lines_beside(axes: [&str; 2], measured: &[Line], expected: &[(usize, Line)]) -> String {
    let measured = &measured[..measured.len().min(SERIES.len())];
    let expected: Vec<_> = expected.iter().map(|(of, line)| (line, SERIES[of % SERIES.len()])).collect();
    drawn_lines(axes, &measured.iter().zip(SERIES).collect::<Vec<_>>(), &expected, None)
}

/// A line with its colour.
type Coloured<'a> = (&'a Line, RGBColor);

fn drawn_lines(axes: [&str; 2], all: &[Coloured], expected: &[Coloured], mark: Option<f64>) -> String {
    let both = || all.iter().chain(expected).map(|(line, _)| *line);
    let has_legend = all.len() + expected.len() > 1;
    // On a narrow sheet the legend is above, a line a row.
    let above =
        |sheet: Sheet| if sheet.is_narrow() && has_legend { ROW * (all.len() + expected.len()) as u32 } else { 0 };
    svg(
        |sheet| sheet.height() + above(sheet),
        |sheet, area| {
            let across = both().flat_map(|line| line.points.iter().map(|[x, _]| *x)).chain(mark);
            let up = both().flat_map(|line| {
                (0..line.points.len()).flat_map(|place| [-1.0, 1.0].map(|side| line.edge(place, side)))
            });
            let (legend, area) = area.split_vertically(above(sheet));
            let width = close_to(across.clone());
            let counts = [labels(&width, across, sheet.labels()), LABELS];
            let mut chart = frame(sheet, &area, axes, [width, along(up)], counts)?;
            if let Some(mark) = mark {
                let height = chart.y_range();
                chart
                    .draw_series([PathElement::new([(mark, height.start), (mark, height.end)], INK.stroke_width(1))])?;
            }
            all.iter().try_for_each(|(line, colour)| draw_measured(&mut chart, line, *colour))?;
            expected.iter().try_for_each(|(line, colour)| draw_expected(&mut chart, line, *colour))?;
            if above(sheet) > 0 {
                let whole = all.iter().map(|(line, colour)| (line.name.as_str(), *colour, false));
                let broken = expected.iter().map(|(line, colour)| (line.name.as_str(), *colour, true));
                draw_legend(sheet, &legend, whole.chain(broken))?;
            } else if has_legend {
                let position = beside_the_ends(all, chart.y_range().end);
                let mut labels = chart.configure_series_labels();
                labels.position(position).border_style(GRID).background_style(PAPER);
                labels.label_font(words()).draw()?;
            }
            Ok(both().flat_map(|line| marks_of(&chart, line)).collect())
        },
    )
}

impl Line {
    /// The value at a place, with half of its interval on one side.
    fn edge(&self, place: usize, side: f64) -> f64 {
        self.points[place][1] + side * self.half_widths.get(place).copied().unwrap_or(0.0)
    }
}

/// A chart with its axes, their names, and the most labels of each.
fn frame<'a, 'b>(
    sheet: Sheet,
    area: &'a Area<'b>,
    [across, up]: [&str; 2],
    [width, height]: [Range<f64>; 2],
    [along, beside]: [usize; 2],
) -> Result<Plot<'a, 'b>, Failed> {
    let mut chart = ChartBuilder::on(area)
        .x_label_area_size(44)
        .y_label_area_size(76)
        .margin(8)
        .build_cartesian_2d(width, height)?;
    let mut mesh = chart.configure_mesh();
    let (across, up) = (sheet.fitting(across, sheet.width() - 84), sheet.fitting(up, sheet.height() - 52));
    mesh.x_labels(along)
        .y_labels(beside)
        .x_desc(across)
        .y_desc(up)
        .label_style(words())
        .axis_style(INK)
        .bold_line_style(GRID);
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

/// The texts of some points of a line.
fn marks_of(chart: &Plot, line: &Line) -> Vec<Mark> {
    let told = |place: usize| {
        let [x, y] = line.points[place];
        let value = with_half(y, line.half_widths.get(place).copied());
        Mark(chart.backend_coord(&(x, y)), [10, 10], format!("{}: {value} at {}", line.name, shown(&x)))
    };
    (0..line.points.len()).step_by(line.points.len().div_ceil(MOST_MARKS).max(1)).map(told).collect()
}

/// A place of the legend that mostly covers none of the lines' ends.
fn beside_the_ends(all: &[Coloured], most: f64) -> SeriesLabelPosition {
    let are_high = all.iter().filter_map(|(line, _)| line.points.last()).all(|[_, y]| *y > 0.6 * most);
    let begin_low = all.iter().filter_map(|(line, _)| line.points.first()).all(|[_, y]| *y < 0.3 * most);
    match (are_high, begin_low) {
        (true, _) => SeriesLabelPosition::LowerRight,
        (false, true) => SeriesLabelPosition::UpperLeft,
        (false, false) => SeriesLabelPosition::UpperRight,
    }
}

/// How many values lie between each two neighbours of the edges.
pub fn histogram(axes: [&str; 2], edges: &[f64], counts: &[u64]) -> String {
    let ends = edges.first().copied().unwrap_or(0.0)..edges.last().copied().unwrap_or(1.0);
    let most = counts.iter().copied().max().unwrap_or(0).max(1) as f64;
    svg(Sheet::height, |sheet, area| {
        let height = 0.0..1.05 * most;
        let labels = [sheet.labels(), labels(&height, counts.iter().map(|count| *count as f64), LABELS)];
        let mut chart = frame(sheet, area, axes, [ends.clone(), height], labels)?;
        let mut marks = vec![];
        for (bar, count) in edges.windows(2).zip(counts) {
            let corners = [(bar[0], 0.0), (bar[1], *count as f64)];
            chart.draw_series([Rectangle::new(corners, SERIES[0].filled())])?;
            chart.draw_series([Rectangle::new(corners, PAPER.stroke_width(1))])?;
            let [(left, bottom), (right, top)] = corners.map(|corner| chart.backend_coord(&corner));
            let (middle, size) = (((left + right) / 2, (bottom + top) / 2), [right - left, bottom - top]);
            marks.push(Mark(middle, size, format!("{} to {}: {count}", shown(&bar[0]), shown(&bar[1]))));
        }
        Ok(marks)
    })
}

/// Dots by two values, each with a name; those of the first list are marked. If there are too many others, it draws every n-th, which
/// the axis states.
pub fn dots([across, up]: [&str; 2], [first, others]: [&[(String, [f64; 2])]; 2]) -> String {
    let all = || first.iter().chain(others).map(|(_, point)| point);
    let ranges = || [close_to(all().map(|[x, _]| *x)), close_to(all().map(|[_, y]| *y))];
    let height = |sheet: Sheet| sheet.height() + 60;
    svg(height, |sheet, area| {
        let each = others.len().div_ceil(MOST_DOTS).max(1);
        let said =
            if each > 1 { format!("{across} (one in {each} of the other points is drawn)") } else { across.into() };
        let [width, height] = ranges();
        let counts = [labels(&width, all().map(|[x, _]| *x), sheet.labels()), LABELS];
        let mut chart = frame(sheet, area, [&said, up], [width, height], counts)?;
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
        // All of these on a wide sheet and on a narrow one.
        assert_eq!((all.matches("<circle").count(), all.contains("of the other points")), (2 * 4001, false));
        let counts = [few.matches("<circle").count(), few.matches("<title>").count()];
        assert_eq!(counts, [2 * (1 + 2 * 1334), 2 * (1 + 1334)]);
        assert!(few.contains("one in 3 of the other points is drawn"));
    }

    #[test]
    fn a_histogram_tells_how_many_lie_where() {
        let chart = histogram(["hectares", "fires"], &[0.0, 10.0, 20.0], &[2, 1]);
        assert!(chart.contains("<title>0 to 10: 2</title>") && chart.contains("<title>10 to 20: 1</title>"), "{chart}");
        assert!(chart.contains("\n2\n") && !chart.contains("\n0.5\n") && !chart.contains("\"#0"), "{chart}");
        assert!(histogram(["", ""], &[], &[]).starts_with("<svg"));
    }

    #[test]
    fn a_long_name_has_two_rows() {
        assert_eq!(in_rows("triage"), ["triage"]);
        let name = "patience at physician: exponential:240 → exponential:120";
        assert_eq!(in_rows(name), ["patience at physician:", "exponential:240 → exponential:120"]);
        assert_eq!(in_rows(&"x".repeat(50))[0].chars().count(), LONGEST);
    }

    #[test]
    fn axes_begin_where_the_values_are_and_count_whole_numbers() {
        let range = |values: &[f64]| along(values.iter().copied());
        assert_eq!(range(&[100.0, 110.0]), 99.5..110.5);
        assert_eq!(range(&[-110.0, -100.0]), -110.5..-99.5);
        assert_eq!((range(&[5.0, 20.0]).start, range(&[-1.0, 20.0]).end, range(&[3.0]).start), (0.0, 21.05, 0.0));
        let count = |range: Range<f64>, values: &[f64]| labels(&range, values.iter().copied(), 11);
        assert_eq!((count(3.9..6.1, &[4.0, 6.0]), count(3.9..6.1, &[4.0, 5.5])), (3, 11));
        assert_eq!((count(0.0..99.0, &[1.0]), count(2.5..2.9, &[3.0])), (11, 1));
        let line = Line { name: "a".into(), points: vec![[4.0, 1.0], [6.0, 3.0]], half_widths: vec![] };
        let chart = lines(["servers", "wait"], &[line], None);
        assert!(chart.contains("\n5\n") && !chart.contains("4.2"), "{chart}");
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
            assert!(chart.ends_with("</svg>") && chart.matches("</svg>").count() == 2, "{chart}");
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
        // Without values there is an empty chart.
        assert!(bars("load", &[]).starts_with("<svg") && lines(["", ""], &[], None).starts_with("<svg"));
    }
}
