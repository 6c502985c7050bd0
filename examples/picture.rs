//! The pictures in the documents: `cargo run --release --example picture [FOLDER [PART]]` (docs/pictures without one; with
//! a part, as 0.2, runs are so much shorter).
//!
//! `run.png`: the tokens present at each facility of a torus of 128 x 128 at time 3000, and their distribution beside
//! the product form. `bias.png`: what the window costs, as in figures 14 and 15 of Sang et al. 2019. Asserts that no
//! token is lost, that a quarter of the facilities is idle with three tokens each, and that utilization grows and
//! system time falls with the window, from the values that theory gives without one.

use std::error::Error;
use std::path::{Path, PathBuf};

use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};
use tickless::device::Target;
use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice};
use tickless::queueing::{self, Network, Station, Topology};
use tickless::random::ServiceLaw;
use tickless::run::unwatched;
use tickless::statistics::Outcome;
use tickless::time::Time;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const SIDE: u32 = 128;
const TOKENS: u32 = 3;
const MEANS: [f64; 2] = [10.0, 20.0];
const WINDOWS: [f64; 6] = [0.25, 0.5, 1.0, 2.0, 3.0, 4.0];
const COLORS: [RGBColor; 2] = [RGBColor(0, 90, 170), RGBColor(200, 80, 0)];
const GREY: RGBColor = RGBColor(110, 110, 110);

fn main() -> Result<()> {
    let folder = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("docs/pictures"), PathBuf::from);
    for style in [FontStyle::Normal, FontStyle::Bold] {
        register_font("sans-serif", style, dejavu::sans::regular()).map_err(|_| "the font is not valid")?;
    }
    let device = WgpuDevice::open(&Selection::Auto, OpenOptions::default())?;
    let part = std::env::args().nth(2).map_or(Ok(1.0), |text| text.parse())?;
    run(&device, part, &folder.join("run.png"))?;
    bias(&device, part, &folder.join("bias.png"))
}

fn torus(side: u32, tokens: u32, law: ServiceLaw) -> Result<Network> {
    let each = Station::new("s", law).tokens(tokens);
    Ok(Network::generate(&Topology::Torus { width: side, height: side }, &each, 0.0)?)
}

fn simulate(device: &WgpuDevice, torus: Network) -> Result<Outcome> {
    let run = queueing::run(&torus.check()?, 0..1, Target::Device(device), Default::default(), &mut unwatched())?;
    Ok(run.outcome.into_iter().map(|outcome| outcome.stations).next().ok_or("one replication")?)
}

fn run(device: &WgpuDevice, part: f64, path: &Path) -> Result<()> {
    let until = 3000.0 * part;
    let outcome = simulate(device, torus(SIDE, TOKENS, "exponential:10".parse()?)?.window(0.25).until(until))?;
    let present: Vec<u64> =
        outcome.facilities.iter().map(|r| r.queued + u64::from(r.in_service != Time::NEVER)).collect();
    assert_eq!(present.iter().sum::<u64>(), u64::from(SIDE * SIDE * TOKENS));

    let area = BitMapBackend::new(path, (1282, 611)).into_drawing_area();
    area.fill(&WHITE)?;
    let (left, right) = area.split_horizontally(692);
    let (map, scale) = left.split_horizontally(592);
    let most = present.iter().copied().max().unwrap_or(1);
    torus_map(&map, &present, most, until)?;
    color_scale(&scale, most)?;
    distribution(&right, &present, most)?;
    area.present()?;
    println!("wrote {}", path.display());
    Ok(())
}

type Area<'a> = DrawingArea<BitMapBackend<'a>, plotters::coord::Shift>;

/// White for none, over yellow and red, to black for the most.
fn color(tokens: u64, most: u64) -> RGBColor {
    const STOPS: [(f64, f64, f64); 5] =
        [(255.0, 255.0, 255.0), (254.0, 217.0, 118.0), (240.0, 100.0, 40.0), (150.0, 10.0, 50.0), (20.0, 0.0, 30.0)];
    let place = (tokens as f64 / most as f64).sqrt() * 4.0;
    let stop = (place as usize).min(3);
    let ((r, g, b), (s, h, c)) = (STOPS[stop], STOPS[stop + 1]);
    let mix = |from: f64, to: f64| (from + (to - from) * (place - stop as f64)) as u8;
    RGBColor(mix(r, s), mix(g, h), mix(b, c))
}

fn torus_map(area: &Area, present: &[u64], most: u64, until: f64) -> Result<()> {
    let mut chart = ChartBuilder::on(area)
        .caption(format!("Tokens present at time {until}"), ("sans-serif", 22))
        .margin(12)
        .x_label_area_size(46)
        .y_label_area_size(56)
        .build_cartesian_2d(0..SIDE, 0..SIDE)?;
    chart
        .configure_mesh()
        .disable_mesh()
        .x_desc("column")
        .y_desc("row")
        .label_style(("sans-serif", 16))
        .axis_desc_style(("sans-serif", 18))
        .draw()?;
    chart.draw_series((0..SIDE * SIDE).map(|id| {
        let (row, column) = (id / SIDE, id % SIDE);
        let fill = color(present[id as usize], most).filled();
        Rectangle::new([(column, row), (column + 1, row + 1)], fill)
    }))?;
    Ok(())
}

fn color_scale(area: &Area, most: u64) -> Result<()> {
    let mut chart = ChartBuilder::on(area)
        .margin_top(46)
        .margin_bottom(58)
        .margin_right(22)
        .y_label_area_size(34)
        .build_cartesian_2d(0..1_u64, 0..most + 1)?;
    chart
        .configure_mesh()
        .disable_mesh()
        .disable_x_axis()
        .label_style(("sans-serif", 16))
        .y_labels((most as usize).min(10))
        .draw()?;
    chart.draw_series((0..=most).map(|n| Rectangle::new([(0, n), (1, n + 1)], color(n, most).filled())))?;
    Ok(())
}

fn distribution(area: &Area, present: &[u64], most: u64) -> Result<()> {
    let share = |n: u64| present.iter().filter(|&&p| p == n).count() as f64 / present.len() as f64;
    // K N tokens at N facilities: by the product form n tokens at one of them with nearly (1 - r) r^n, r = K/(K + 1).
    let rho = f64::from(TOKENS) / f64::from(TOKENS + 1);
    let theory = |n: u64| (1.0 - rho) * rho.powi(n as i32);
    assert!((share(0) - theory(0)).abs() < 0.02, "{}", share(0));

    let least = 0.5 / present.len() as f64;
    let mut chart = ChartBuilder::on(area)
        .caption("Share of facilities", ("sans-serif", 22))
        .margin(12)
        .x_label_area_size(46)
        .y_label_area_size(84)
        .build_cartesian_2d(-0.5..most as f64 + 0.5, (least..0.5).log_scale())?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(WHITE)
        .x_desc("tokens present")
        .y_desc("share of the 16,384 facilities")
        .x_label_formatter(&|n| format!("{n:.0}"))
        .y_label_formatter(&|share| format!("{share}"))
        .label_style(("sans-serif", 16))
        .axis_desc_style(("sans-serif", 18))
        .draw()?;
    let bars = (0..=most).filter(|&n| share(n) > 0.0);
    chart
        .draw_series(bars.map(|n| {
            let n_place = n as f64;
            Rectangle::new([(n_place - 0.4, least), (n_place + 0.4, share(n))], RGBColor(240, 100, 40).filled())
        }))?
        .label("this run")
        .legend(|(x, y)| Rectangle::new([(x, y - 6), (x + 18, y + 6)], RGBColor(240, 100, 40).filled()));
    chart
        .draw_series(LineSeries::new((0..=most).map(|n| (n as f64, theory(n))), COLORS[0].stroke_width(2)))?
        .label("product form: (1 - r) r^n, r = 3/4")
        .legend(|(x, y)| PathElement::new([(x, y), (x + 18, y)], COLORS[0].stroke_width(2)));
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE)
        .border_style(GREY)
        .label_font(("sans-serif", 17))
        .draw()?;
    Ok(())
}

/// Utilization and mean system time for every mean and window, after a warm-up of at least 100 services a facility:
/// tokens spread by diffusion, so the start, one token everywhere, is forgotten slowly.
fn measure(device: &WgpuDevice, part: f64) -> Result<[Vec<(f64, f64, f64)>; 2]> {
    let mut curves = [vec![], vec![]];
    for (mean, curve) in MEANS.into_iter().zip(&mut curves) {
        for window in WINDOWS {
            let law = format!("exponential:{mean}").parse()?;
            let torus = torus(64, 1, law)?.window(window).warmup(2000.0 * part).until(6000.0 * part);
            let figures = simulate(device, torus)?.statistics();
            println!("M {mean} d {window}: {:.4}, {:.3}", figures.mean_busy, figures.mean_system_time);
            curve.push((window, figures.mean_busy, figures.mean_system_time));
        }
        let (_, utilization, system) = curve[0];
        assert!((utilization - 0.5).abs() < 0.008 && (system / (2.0 * mean) - 1.0).abs() < 0.02);
        assert!(curve.windows(2).all(|pair| pair[0].1 < pair[1].1 && pair[0].2 > pair[1].2), "{curve:?}");
    }
    Ok(curves)
}

fn bias(device: &WgpuDevice, part: f64, path: &Path) -> Result<()> {
    let curves = measure(device, part)?;
    let area = BitMapBackend::new(path, (1240, 500)).into_drawing_area();
    area.fill(&WHITE)?;
    let (left, right) = area.split_horizontally(620);
    let utilization = curves.each_ref().map(|c| c.iter().map(|&(d, u, _)| (d, u)).collect::<Vec<_>>());
    let system = curves.each_ref().map(|c| c.iter().map(|&(d, _, s)| (d, s)).collect::<Vec<_>>());
    panel(&left, "Utilization", &utilization, 0.49..0.57, &[0.5], SeriesLabelPosition::UpperLeft)?;
    panel(&right, "Mean system time", &system, 0.0..45.0, &[20.0, 40.0], SeriesLabelPosition::LowerRight)?;
    area.present()?;
    println!("wrote {}", path.display());
    Ok(())
}

fn panel(
    area: &Area,
    title: &str,
    curves: &[Vec<(f64, f64)>; 2],
    range: std::ops::Range<f64>,
    theory: &[f64],
    legend: SeriesLabelPosition,
) -> Result<()> {
    let decimals = if range.end < 1.0 { 2 } else { 0 };
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 22))
        .margin(12)
        .x_label_area_size(46)
        .y_label_area_size(66)
        .build_cartesian_2d(0.0..4.2, range)?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .x_desc("window d (time units)")
        .x_label_formatter(&|d| format!("{d:.1}"))
        .y_desc(title.to_lowercase())
        .y_label_formatter(&|value| format!("{value:.decimals$}"))
        .label_style(("sans-serif", 16))
        .axis_desc_style(("sans-serif", 18))
        .draw()?;
    for (place, &value) in theory.iter().enumerate() {
        let dashes = DashedLineSeries::new([(0.0, value), (4.2, value)], 6, 5, GREY.stroke_width(2));
        let drawn = chart.draw_series(dashes)?;
        if place == 0 {
            let legend = |(x, y)| {
                let dash = |from| PathElement::new([(x + from, y), (x + from + 7, y)], GREY.stroke_width(2));
                EmptyElement::at((0, 0)) + dash(0) + dash(11)
            };
            drawn.label("theory, no window").legend(legend);
        }
    }
    for ((curve, color), mean) in curves.iter().zip(COLORS).zip(MEANS) {
        chart
            .draw_series(LineSeries::new(curve.iter().copied(), color.stroke_width(2)))?
            .label(format!("mean service time {mean}"))
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
        chart.draw_series(curve.iter().map(|&place| Circle::new(place, 4, color.filled())))?;
    }
    chart
        .configure_series_labels()
        .position(legend)
        .background_style(WHITE)
        .border_style(GREY)
        .label_font(("sans-serif", 17))
        .draw()?;
    Ok(())
}
