//! A chart of our values against theirs: places beside each other, lines and dots for ours, circles for theirs.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::charts::{around, shown};
use super::sheet::{GRID, INK, Mark, PAPER, ROW, SERIES, Sheet, draw_legend, svg, words};

/// A series, with a value for each place that has one.
pub struct Against {
    pub name: String,
    pub ours: Vec<Option<f64>>,
    /// Halves of the intervals of ours.
    pub half_widths: Vec<Option<f64>>,
    pub theirs: Vec<Option<f64>>,
}

impl Against {
    /// The ends of the intervals, if any.
    fn intervals(&self) -> impl Iterator<Item = (usize, [f64; 2])> {
        let both = self.ours.iter().zip(&self.half_widths).enumerate();
        both.filter_map(|(place, (ours, half))| {
            let (value, half) = ours.zip(*half)?;
            Some((place, [value - half, value + half]))
        })
    }
}

/// Draws the series, by their values or by orders of magnitude.
pub fn against([across, up]: [&str; 2], places: &[&str], all: &[Against], logarithmic: bool) -> String {
    let all = &all[..all.len().min(SERIES.len())];
    let scaled = |value: f64| if logarithmic { value.log10() } else { value };
    let points = |values: &[Option<f64>]| -> Vec<(f64, f64)> {
        let each = values.iter().enumerate().filter_map(|(place, value)| Some((place as f64 + 0.5, scaled((*value)?))));
        each.filter(|(_, y)| y.is_finite()).collect()
    };
    let every = || all.iter().flat_map(|series| points(&series.ours).into_iter().chain(points(&series.theirs)));
    let ends = all.iter().flat_map(Against::intervals).flat_map(|(_, ends)| ends);
    let height = match logarithmic {
        true => orders(every().map(|(_, y)| y)),
        false => around(every().map(|(_, y)| y).chain(ends)),
    };
    let labels = if logarithmic { (height.end - height.start) as usize + 1 } else { 8 };
    // On a narrow sheet the legend is above, a series a row.
    let above = |sheet: Sheet| if sheet.is_narrow() && all.len() > 1 { ROW * all.len() as u32 } else { 0 };
    let size = |sheet: Sheet| sheet.height() + above(sheet);
    svg(size, |sheet, area| {
        let (legend, area) = area.split_vertically(above(sheet));
        let mut chart = ChartBuilder::on(&area)
            .x_label_area_size(44)
            .y_label_area_size(76)
            .margin(8)
            .build_cartesian_2d(0.0..places.len().max(1) as f64, height.clone())?;
        let value = |y: &f64| if logarithmic { shown(&10_f64.powf(*y)) } else { shown(y) };
        let mut mesh = chart.configure_mesh();
        let (across, up) = (sheet.fitting(across, sheet.width() - 84), sheet.fitting(up, sheet.height() - 52));
        mesh.x_desc(across).y_desc(up).label_style(words()).axis_style(INK).bold_line_style(GRID).disable_x_mesh();
        mesh.light_line_style(TRANSPARENT).x_labels(0).y_labels(labels).y_label_formatter(&value).draw()?;
        let step = sheet.step(places, sheet.width() - 92);
        for (place, name) in places.iter().enumerate().step_by(step) {
            let (x, y) = chart.backend_coord(&(place as f64 + 0.5, chart.y_range().start));
            let style = words().pos(Pos::new(HPos::Center, VPos::Top));
            area.draw(&Text::new((*name).to_owned(), (x, y + 6), style))?;
        }
        let mut marks = vec![];
        for (series, colour) in all.iter().zip(SERIES) {
            for (whose, values) in [("ours", &series.ours), ("theirs", &series.theirs)] {
                for (place, value) in values.iter().enumerate().filter_map(|(place, value)| Some((place, (*value)?))) {
                    let (point, name) = ((place as f64 + 0.5, scaled(value)), places.get(place).unwrap_or(&""));
                    let said = format!("{}, {name}, {whose}: {}", series.name, shown(&value));
                    let is_drawn = point.1.is_finite();
                    marks.extend(is_drawn.then(|| Mark(chart.backend_coord(&point), [14, 14], said)));
                }
            }
            let (ours, theirs) = (points(&series.ours), points(&series.theirs));
            for (place, [low, high]) in series.intervals().filter(|_| !logarithmic) {
                let x = place as f64 + 0.5;
                chart.draw_series([PathElement::new([(x, low), (x, high)], colour.stroke_width(1))])?;
            }
            chart.draw_series(theirs.iter().map(|point| Circle::new(*point, 7, colour.stroke_width(2))))?;
            chart.draw_series(ours.iter().map(|point| Circle::new(*point, 4, colour.filled())))?;
            let drawn = chart.draw_series(LineSeries::new(ours, colour.stroke_width(2)))?;
            drawn
                .label(&series.name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(3)));
        }
        if above(sheet) > 0 {
            draw_legend(sheet, &legend, all.iter().zip(SERIES).map(|(series, colour)| (&*series.name, colour, false)))?;
        } else if all.len() > 1 {
            let mut labels = chart.configure_series_labels();
            labels.position(SeriesLabelPosition::UpperLeft).border_style(GRID).background_style(PAPER);
            labels.label_font(words()).draw()?;
        }
        Ok(marks)
    })
}

/// Whole orders of magnitude around exponents.
fn orders(exponents: impl Iterator<Item = f64>) -> std::ops::Range<f64> {
    let (least, most) = exponents.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), y| (a.min(y), b.max(y)));
    if least > most {
        return 0.0..1.0;
    }
    let (least, most) = (least.floor(), most.ceil());
    least..if most > least { most } else { least + 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(ours: Vec<Option<f64>>, theirs: Vec<Option<f64>>) -> Against {
        Against { name: "a".into(), half_widths: vec![Some(0.1); ours.len()], ours, theirs }
    }

    #[test]
    fn ours_are_lines_and_theirs_circles() {
        let all = [series(vec![Some(1.0), None, Some(300.0)], vec![None, Some(20.0), None]), series(vec![], vec![])];
        for logarithmic in [false, true] {
            let chart = against(["side", "times"], &["8", "16", "32"], &all, logarithmic);
            assert!(chart.starts_with("<svg") && !chart.contains("\"#0"), "{chart}");
            assert_eq!(chart.matches("<circle").count(), 2 * 3, "{chart}");
            assert!(chart.contains("\n16\n") || chart.contains(">16<"), "{chart}");
        }
        // Without series there is an empty chart.
        assert!(against(["", ""], &[], &[], true).starts_with("<svg"));
    }

    #[test]
    fn intervals_are_within_the_picture() {
        let wide = Against { half_widths: vec![Some(40.0)], ..series(vec![Some(10.0)], vec![]) };
        let chart = against(["side", "times"], &["8"], &[wide], false);
        for label in ["-20", "40"] {
            assert!(chart.contains(&format!("\n{label}\n")), "{label} in {chart}");
        }
    }

    #[test]
    fn orders_of_magnitude_are_whole() {
        assert_eq!(orders([1.2, 3.4].into_iter()), 1.0..4.0);
        assert_eq!((orders([2.0].into_iter()), orders([].into_iter())), (2.0..3.0, 0.0..1.0));
    }
}
