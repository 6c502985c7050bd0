//! Sheets for the charts of reports: an SVG as wide as a screen, and one as wide as a phone, of which the page shows the one that fits.
//! Their colours are those of the page, in light and dark.

use maud::{Markup, html};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use tickless_core::picture::with_font;

/// Placeholder colours of a drawing, which [`themed`] replaces by those of the page.
pub(super) const INK: RGBColor = RGBColor(1, 0, 0);
pub(super) const GRID: RGBColor = RGBColor(2, 0, 0);
pub(super) const SERIES: [RGBColor; 6] =
    [RGBColor(3, 0, 0), RGBColor(4, 0, 0), RGBColor(5, 0, 0), RGBColor(6, 0, 0), RGBColor(7, 0, 0), RGBColor(8, 0, 0)];
/// The background of texts over lines.
pub(super) const PAPER: RGBColor = RGBColor(9, 0, 0);
const OF_PAGE: [&str; 9] = ["ink", "grid", "one", "two", "three", "four", "five", "six", "paper"];

const FONT: (&str, u32) = ("sans-serif", 14);
/// The typical width of a letter.
const LETTER: u32 = 7;
/// The height of a row of a legend.
pub(super) const ROW: u32 = 22;

/// The width of a sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sheet {
    Wide,
    /// A phone.
    Narrow,
}

pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub(super) type Failed = DrawingAreaErrorKind<std::io::Error>;
pub(super) type Drawn = Result<Vec<Mark>, Failed>;

/// A text for the pointer at a place: its middle, its width and height, and the text.
pub(super) struct Mark(pub(super) (i32, i32), pub(super) [i32; 2], pub(super) String);

impl Sheet {
    pub(super) fn is_narrow(self) -> bool {
        self == Self::Narrow
    }

    pub(super) fn width(self) -> u32 {
        if self.is_narrow() { 358 } else { 960 }
    }

    /// Of a chart with axes.
    pub(super) fn height(self) -> u32 {
        if self.is_narrow() { 320 } else { 400 }
    }

    /// The most labels of an axis from left to right.
    pub(super) fn labels(self) -> usize {
        if self.is_narrow() { 4 } else { 11 }
    }

    /// The beginning of a text that fits a width. On a wide sheet all texts fit.
    pub(super) fn fitting(self, text: &str, width: u32) -> String {
        let most = (width / LETTER) as usize;
        if !self.is_narrow() || text.chars().count() <= most {
            return text.to_owned();
        }
        text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
    }

    /// The step at which names beside each other fit a width.
    pub(super) fn step(self, names: &[&str], width: u32) -> usize {
        let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0) as u32;
        ((longest + 1) * LETTER * names.len() as u32).div_ceil(width).max(1) as usize
    }

    fn class(self) -> &'static str {
        if self.is_narrow() { "narrow" } else { "wide" }
    }
}

/// A style of texts.
pub(super) fn words() -> TextStyle<'static> {
    FONT.into_font().color(&INK)
}

/// The SVG of a drawing for each sheet, with its marks. Drawing into a text cannot fail.
pub(super) fn svg(height: impl Fn(Sheet) -> u32, draw: impl Fn(Sheet, &Area<'_>) -> Drawn) -> String {
    with_font();
    [Sheet::Wide, Sheet::Narrow].map(|sheet| on(sheet, height(sheet), &draw)).concat()
}

fn on(sheet: Sheet, height: u32, draw: &impl Fn(Sheet, &Area<'_>) -> Drawn) -> String {
    let (mut text, size) = (String::new(), (sheet.width(), height));
    let marks = {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        draw(sheet, &area).and_then(|marks| area.present().map(|()| marks))
    };
    let Ok(marks) = marks else { return String::new() };
    let svg = themed(&text, sheet, size);
    let drawn = svg.trim_end().trim_end_matches("</svg>");
    format!("{drawn}{}</svg>", marked(&marks).into_string())
}

/// Invisible areas over the drawing.
fn marked(marks: &[Mark]) -> Markup {
    html! {
        @for Mark((x, y), [width, height], text) in marks {
            rect x=(x - width / 2) y=(y - height / 2) width=(width) height=(height) fill="transparent" { title { (text) } }
        }
    }
}

/// Sets the colours of the page, and a size that follows its width.
fn themed(svg: &str, sheet: Sheet, (width, height): (u32, u32)) -> String {
    let svg = OF_PAGE.iter().enumerate().fold(svg.to_owned(), |svg, (place, name)| {
        svg.replace(&format!("\"#{:02X}0000\"", place + 1), &format!("\"var(--{name})\""))
    });
    let head = format!("width=\"{width}\" height=\"{height}\"");
    svg.replacen(&head, &format!("{head} class=\"{}\" aria-hidden=\"true\"", sheet.class()), 1)
}

/// Names of lines with their colours, some of them broken, a row each.
pub(super) fn draw_legend<'a>(
    sheet: Sheet,
    area: &Area<'_>,
    lines: impl Iterator<Item = (&'a str, RGBColor, bool)>,
) -> Result<(), Failed> {
    const BEGIN: i32 = 8;
    const END: i32 = 26;
    for (place, (name, colour, is_broken)) in lines.enumerate() {
        let y = (place as u32 * ROW + ROW / 2) as i32;
        let parts = if is_broken { vec![[BEGIN, BEGIN + 7], [END - 7, END]] } else { vec![[BEGIN, END]] };
        for [from, to] in parts {
            area.draw(&PathElement::new([(from, y), (to, y)], colour.stroke_width(3)))?;
        }
        let style = words().pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new(sheet.fitting(name, sheet.width() - 40), (END + 8, y), style))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_where_there_is_little_room() {
        assert_eq!(Sheet::Narrow.fitting("waiting time", 84), "waiting time");
        assert_eq!(Sheet::Narrow.fitting("waiting time", 83), "waiting ti…");
        assert_eq!(Sheet::Wide.fitting("waiting time", 8), "waiting time");
        assert_eq!([84, 83, 10].map(|width| Sheet::Narrow.step(&["ab", "c", "d", "e"], width)), [1, 2, 9]);
    }

    #[test]
    fn there_is_a_drawing_of_each_width() {
        let both = svg(Sheet::height, |sheet, area| {
            area.draw(&PathElement::new([(0, 0), (sheet.width() as i32, 9)], INK.stroke_width(1)))?;
            Ok(vec![Mark((4, 4), [2, 2], "told".into())])
        });
        for head in [
            "<svg width=\"960\" height=\"400\" class=\"wide\" aria-hidden=\"true\" viewBox=\"0 0 960 400\"",
            "<svg width=\"358\" height=\"320\" class=\"narrow\" aria-hidden=\"true\" viewBox=\"0 0 358 320\"",
        ] {
            assert!(both.contains(head), "{head} in {both}");
        }
        assert_eq!((both.matches("<title>told</title>").count(), both.matches("</svg>").count()), (2, 2), "{both}");
    }
}
