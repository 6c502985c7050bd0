//! Stations over simulated time: a bar is a service, in the colour of the round that decided it.

use std::path::{Path, PathBuf};

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};
use tickless::time::Time;

use super::rounds::{Replay, STATIONS, Visit};
use super::{Kind, Result, SHOWN, STEP};

type Area<'a> = DrawingArea<BitMapBackend<'a>, plotters::coord::Shift>;

const SIZE: (u32, u32) = (1200, 724);
const LEFT: i32 = 100;
const RIGHT: i32 = 1180;
const TOP: i32 = 84;
const ROW: i32 = 66;
const BOTTOM: i32 = TOP + ROW * STATIONS as i32;
const INK: RGBColor = RGBColor(40, 40, 40);
const GREY: RGBColor = RGBColor(120, 120, 120);
const LIGHT: RGBColor = RGBColor(225, 225, 225);
/// Dark and light in turns, so that neighbours differ without colours too.
const ROUNDS: [RGBColor; 4] =
    [RGBColor(0, 68, 136), RGBColor(238, 204, 102), RGBColor(153, 68, 85), RGBColor(140, 200, 235)];

/// The letters of the pictures, the same on every machine.
pub fn register() -> Result<()> {
    for style in [FontStyle::Normal, FontStyle::Bold] {
        register_font("sans-serif", style, dejavu::sans::regular()).map_err(|_| "the font is not valid")?;
    }
    Ok(())
}

fn color(round: usize) -> RGBColor {
    if round == 0 { LIGHT } else { ROUNDS[(round - 1) % ROUNDS.len()] }
}

/// What is written in that colour can be read.
fn contrast(round: usize) -> RGBColor {
    if round % 2 == 1 { WHITE } else { BLACK }
}

/// The same colour as a background.
fn pale(round: usize) -> RGBColor {
    let RGBColor(r, g, b) = color(round);
    let mix = |part: u8| (u16::from(part) * 3 / 10 + 178) as u8;
    RGBColor(mix(r), mix(g), mix(b))
}

fn x(ticks: u64) -> i32 {
    let share = (Time::from_ticks(ticks).units() / SHOWN).min(1.0);
    LEFT + (share * f64::from(RIGHT - LEFT)).round() as i32
}

fn top(station: usize) -> i32 {
    TOP + ROW * station as i32
}

/// The middle of a station's services; what waits lies below.
fn middle(station: usize) -> i32 {
    top(station) + 20
}

const WAIT: i32 = 24;
const ORIGINAL: i32 = 37;

fn write(area: &Area, text: &str, at: (i32, i32), size: u32, (color, h): (RGBColor, HPos)) -> Result<()> {
    let style = TextStyle::from(("sans-serif", size).into_font()).color(&color).pos(Pos::new(h, VPos::Center));
    Ok(area.draw_text(text, &style, at)?)
}

fn line(area: &Area, from: (i32, i32), to: (i32, i32), color: RGBColor, width: u32) -> Result<()> {
    Ok(area.draw(&PathElement::new([from, to], color.stroke_width(width)))?)
}

fn fill(area: &Area, (left, right): (i32, i32), (top, bottom): (i32, i32), color: RGBColor) -> Result<()> {
    Ok(area.draw(&Rectangle::new([(left, top), (right, bottom)], color.filled()))?)
}

fn dot(area: &Area, at: (i32, i32), color: RGBColor) -> Result<()> {
    area.draw(&Circle::new(at, 7, INK.filled()))?;
    Ok(area.draw(&Circle::new(at, 5, color.filled()))?)
}

fn chip(area: &Area, round: usize, (left, right): (i32, i32)) -> Result<()> {
    fill(area, (left, right), (TOP - 28, TOP - 4), color(round))?;
    write(area, &round.to_string(), ((left + right) / 2, TOP - 16), 18, (contrast(round), HPos::Center))
}

/// Draws a run: the path of its picture.
pub fn draw(kind: Kind, replay: &Replay, folder: &Path) -> Result<PathBuf> {
    let (file, title) = match kind {
        Kind::Window => {
            ("window", format!("Window {STEP}: a round decides what arrives before its earliest event + {STEP}"))
        }
        Kind::Appointments => {
            ("appointments", "Appointments: a station decides what arrives before its neighbours may send".into())
        }
        Kind::Interval => {
            ("interval", format!("Approximate time: a round decides what arrives at one multiple of {STEP}"))
        }
    };
    let path = folder.join(file).with_extension("png");
    let area = BitMapBackend::new(&path, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    write(&area, &title, (LEFT, 24), 26, (BLACK, HPos::Left))?;
    bounds(&area, kind, replay)?;
    axes(&area)?;
    let visits = || replay.servers.iter().flat_map(|server| &server.visits);
    visits().try_for_each(|visit| way(&area, visit))?;
    visits().try_for_each(|visit| service(&area, kind, visit))?;
    visits().try_for_each(|visit| arrival(&area, visit))?;
    legend(&area, kind)?;
    area.present()?;
    drop(area);
    Ok(path)
}

/// Which stretch of time each round decides.
fn bounds(area: &Area, kind: Kind, replay: &Replay) -> Result<()> {
    let mut before = [0; STATIONS];
    for (number, round) in (1..).zip(&replay.rounds) {
        let first = x(round.first);
        match kind {
            Kind::Window => {
                let ends = (first, x(round.bounds[0]));
                chip(area, number, ends)?;
                fill(area, ends, (TOP, BOTTOM), pale(number))?;
            }
            Kind::Interval => {
                chip(area, number, (first - 14, first + 14))?;
                line(area, (first, TOP), (first, BOTTOM), color(number), 3)?;
            }
            Kind::Appointments => {
                chip(area, number, (LEFT + 40 * number as i32 + 32, LEFT + 40 * number as i32 + 68))?;
                for (station, (bound, before)) in round.bounds.iter().zip(&mut before).enumerate() {
                    let rows = (top(station), top(station) + ROW);
                    promise(area, number, (x(*before), x(*bound)), rows)?;
                    *before = *bound;
                }
            }
        }
    }
    match kind {
        Kind::Appointments => write(area, "round", (LEFT, TOP - 16), 18, (BLACK, HPos::Left)),
        Kind::Window | Kind::Interval => write(area, "round", (LEFT - 10, TOP - 16), 18, (BLACK, HPos::Right)),
    }
}

/// What a round decides at one station, with the number at its end.
fn promise(area: &Area, round: usize, (left, right): (i32, i32), (top, bottom): (i32, i32)) -> Result<()> {
    fill(area, (left, right), (top, bottom), pale(round))?;
    if right == RIGHT {
        return Ok(());
    }
    fill(area, ((right - 3).max(left), right), (top, bottom), color(round))?;
    if right - left > 18 {
        fill(area, (right - 18, right), (bottom - 18, bottom), color(round))?;
        write(area, &round.to_string(), (right - 9, bottom - 10), 15, (contrast(round), HPos::Center))?;
    }
    Ok(())
}

fn axes(area: &Area) -> Result<()> {
    for station in 0..STATIONS {
        let bottom = top(station) + ROW;
        write(area, &format!("station {station}"), (LEFT - 10, middle(station)), 18, (BLACK, HPos::Right))?;
        line(area, (LEFT, bottom), (RIGHT, bottom), GREY, 1)?;
    }
    line(area, (LEFT, BOTTOM), (RIGHT, BOTTOM), INK, 2)?;
    for time in (0..=SHOWN as u64).step_by(10) {
        let at = x(time << 32);
        line(area, (at, BOTTOM), (at, BOTTOM + 6), INK, 2)?;
        write(area, &time.to_string(), (at, BOTTOM + 18), 18, (BLACK, HPos::Center))?;
    }
    let at = ((LEFT + RIGHT) / 2, BOTTOM + 42);
    write(area, "simulated time; the mean service time is 10", at, 20, (BLACK, HPos::Center))
}

/// How a token came from another station, and its wait.
fn way(area: &Area, visit: &Visit) -> Result<()> {
    let (from, to, at) = (visit.token.from, visit.token.to, x(visit.token.arrival));
    let here = middle(to);
    if from != to {
        // Between the last station and the first the way is around the picture.
        let begin = if from.abs_diff(to) == 1 {
            middle(from)
        } else if to == 0 {
            TOP
        } else {
            BOTTOM
        };
        line(area, (at, begin), (at, here), INK, 2)?;
    }
    if visit.start > visit.token.arrival {
        line(area, (at, here), (at, here + WAIT), INK, 2)?;
        line(area, (at, here + WAIT), (x(visit.start), here + WAIT), GREY, 5)?;
    }
    Ok(())
}

fn service(area: &Area, kind: Kind, visit: &Visit) -> Result<()> {
    let here = middle(visit.token.to);
    let (left, right) = (x(visit.start), x(visit.end));
    fill(area, (left, right), (here - 13, here + 13), INK)?;
    fill(area, (left + 1, right - 1), (here - 12, here + 12), color(visit.round))?;
    match kind {
        Kind::Window => {
            let least = x(visit.start + Time::UNIT.ticks() * STEP as u64);
            line(area, (left + 2, here + 9), (least, here + 9), contrast(visit.round), 3)?;
        }
        Kind::Interval => original(area, (x(visit.original_start), x(visit.original_end)), here + ORIGINAL)?,
        Kind::Appointments => {}
    }
    if right - left > 26 {
        let at = ((left + right) / 2, here - 1);
        write(area, &visit.round.to_string(), at, 18, (contrast(visit.round), HPos::Center))?;
    }
    Ok(())
}

/// When a service would have been, had nothing been rounded.
fn original(area: &Area, (begin, end): (i32, i32), y: i32) -> Result<()> {
    fill(area, (begin, end), (y - 1, y + 1), INK)?;
    [begin, end].into_iter().try_for_each(|at| fill(area, (at - 1, at), (y - 4, y + 4), INK))
}

fn ring(area: &Area, at: (i32, i32)) -> Result<()> {
    Ok(area.draw(&Circle::new(at, 13, BLACK.stroke_width(3)))?)
}

fn arrival(area: &Area, visit: &Visit) -> Result<()> {
    let (at, here) = (x(visit.token.arrival), middle(visit.token.to));
    if visit.token.from == visit.token.to {
        return Ok(());
    }
    let place = (at, if visit.start > visit.token.arrival { here + WAIT } else { here });
    if visit.causality_error {
        ring(area, place)?;
    }
    dot(area, place, color(visit.round))
}

/// What stands for what: a sign and its text, one after the other.
fn legend(area: &Area, kind: Kind) -> Result<()> {
    let at = BOTTOM + 76;
    let mut left = LEFT;
    let mut say = |text: &str, sign: &dyn Fn((i32, i32)) -> Result<()>| -> Result<()> {
        sign((left, at))?;
        write(area, text, (left + 44, at), 17, (BLACK, HPos::Left))?;
        let width = area.estimate_text_size(text, &TextStyle::from(("sans-serif", 17).into_font()))?.0;
        left += 70 + width as i32;
        Ok(())
    };
    say("service, with its round", &|(x, y)| fill(area, (x, x + 36), (y - 10, y + 10), color(3)))?;
    say("arrival", &|(x, y)| dot(area, (x + 28, y), color(3)))?;
    say("wait", &|(x, y)| line(area, (x, y), (x + 36, y), GREY, 5))?;
    match kind {
        Kind::Window => say("every service takes 4 at least", &|(x, y)| {
            fill(area, (x, x + 36), (y - 10, y + 10), color(2))?;
            line(area, (x, y + 6), (x + 26, y + 6), BLACK, 3)
        }),
        Kind::Appointments => say("up to where a round decides", &|(x, y)| {
            fill(area, (x, x + 34), (y - 12, y + 12), pale(3))?;
            fill(area, (x + 33, x + 36), (y - 12, y + 12), color(3))
        }),
        Kind::Interval => {
            say("its original times", &|(x, y)| original(area, (x, x + 36), y))?;
            say("causality error", &|(x, y)| ring(area, (x + 22, y)))
        }
    }
}
