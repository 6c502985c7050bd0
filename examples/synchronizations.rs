//! The pictures of docs/synchronization.md: `cargo run --release --example synchronizations [FOLDER]` (docs/pictures
//! without one).
//!
//! One small ring of stations, three times: `window.png`, `appointments.png` and `interval.png` show which round decides
//! which service. The rounds are replayed here in a few lines each. Asserts that what they decide is, to the last bit,
//! what the heap simulator finds, and that a device, where there is one, takes as many rounds and finds the same.

use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};
use tickless::device::wgpu::{OpenOptions, Selection, WgpuDevice};
use tickless::engine::Options;
use tickless::queueing::network::{Network, NetworkModel, NetworkOutcome, Station, gpu, reference};
use tickless::random::Stream;
use tickless::run::unwatched;
use tickless::statistics::{FacilityRecord, Outcome};
use tickless::time::{Interval, Time};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const STATIONS: usize = 8;
const SEED: u64 = 1;
/// What a picture shows, in time units.
const SHOWN: f64 = 50.0;
/// The window, and the interval of approximate time.
const STEP: f64 = 4.0;
const NEVER: u64 = u64::MAX;

fn main() -> Result<()> {
    let folder = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("docs/pictures"), PathBuf::from);
    for style in [FontStyle::Normal, FontStyle::Bold] {
        register_font("sans-serif", style, dejavu::sans::regular()).map_err(|_| "the font is not valid")?;
    }
    let device = WgpuDevice::open(&Selection::Auto, OpenOptions::default()).ok();
    for kind in [Kind::Window, Kind::Appointments, Kind::Interval] {
        let model = ring(kind, 1000.0)?;
        check(kind, &replay(kind, &model), device.as_ref())?;
        let model = ring(kind, SHOWN)?;
        let shown = replay(kind, &model);
        check(kind, &shown, device.as_ref())?;
        picture(kind, &shown, &folder)?;
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Window,
    Appointments,
    Interval,
}

/// Stations in a ring with one token each; a token goes to either neighbour with the same probability.
fn ring(kind: Kind, until: f64) -> Result<NetworkModel> {
    let mut network = Network::new().until(until).seed(SEED);
    let law = "exponential:10".parse()?;
    let ids: Vec<_> = (0..STATIONS).map(|id| network.station(Station::new(format!("s{id}"), law).tokens(1))).collect();
    for (place, id) in ids.iter().enumerate() {
        [0, 1].into_iter().for_each(|edge| network.route(*id, ids[neighbour(place, edge)], 0.5, 0.0));
    }
    let network = match kind {
        Kind::Window => network.window(STEP),
        Kind::Appointments => network,
        Kind::Interval => network.approximate(STEP),
    };
    Ok(network.check()?)
}

/// By edge 0 the next station, by edge 1 the one before.
fn neighbour(station: usize, edge: usize) -> usize {
    (station + [1, STATIONS - 1][edge]) % STATIONS
}

/// A token on its way to a station, in the order in which that one takes them. In exact time both times are the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Token {
    arrival: u64,
    original: u64,
    from: usize,
    number: usize,
    edge: usize,
    to: usize,
}

/// A service, decided in a round; round 0 is what is there at time 0.
struct Visit {
    round: usize,
    token: Token,
    start: u64,
    end: u64,
    original_start: u64,
    original_end: u64,
    causality_error: bool,
}

struct Server {
    stream: Stream,
    visits: Vec<Visit>,
    /// When everyone decided is served; never once a service would start at the horizon or later.
    free: u64,
    /// Arrivals of tokens whose service would.
    parked: Vec<u64>,
    /// The original time of the last arrival.
    last: u64,
    errors: u64,
}

/// What a round knew when it began: the earliest event, and up to when each station may decide.
struct Round {
    first: u64,
    bounds: [u64; STATIONS],
}

struct Replay<'a> {
    model: &'a NetworkModel,
    interval: Option<Interval>,
    servers: Vec<Server>,
    rounds: Vec<Round>,
}

fn replay(kind: Kind, model: &NetworkModel) -> Replay<'_> {
    let server = |id| Server {
        stream: model.key(0).stream(id),
        visits: vec![],
        free: 0,
        parked: vec![],
        last: 0,
        errors: 0,
    };
    let servers = (0..STATIONS as u32).map(server).collect();
    let mut replay =
        Replay { model, interval: model.approximate().and_then(Interval::new), servers, rounds: vec![] };
    match kind {
        Kind::Appointments => replay.appointments(),
        // In approximate time the lookahead is the interval: a round is one instant.
        Kind::Window | Kind::Interval => replay.shared_bound(model.lookahead().ticks()),
    }
    replay
}

impl Replay<'_> {
    fn until(&self) -> u64 {
        self.model.until().ticks()
    }

    /// Decides the visit of a token: the token as it is sent on.
    fn decide(&mut self, token: Token) -> Option<Token> {
        let (until, round, law) = (self.until(), self.rounds.len(), self.model.law(token.to as u32));
        let server = &mut self.servers[token.to];
        let causality_error = token.original < server.last;
        server.errors += u64::from(causality_error);
        server.last = token.original;
        let start = token.arrival.max(server.free);
        if start >= until {
            server.parked.push(token.arrival);
            server.free = NEVER;
            return None;
        }
        let service = law.service(&mut server.stream).ticks();
        let edge = (server.stream.draw() >> 31) as usize;
        let original_start = token.original.max(server.visits.last().map_or(0, |visit| visit.original_end));
        let original_end = original_start + service;
        let rounded = |interval: Interval| {
            interval.next_multiple(Time::from_ticks(original_end)).ticks().max(start + interval.length().ticks())
        };
        let end = self.interval.map_or(original_end, rounded);
        server.free = end;
        server.visits.push(Visit { round, token, start, end, original_start, original_end, causality_error });
        let number = server.visits.len();
        let to = neighbour(token.to, edge);
        Some(Token { arrival: end, original: original_end, from: token.to, number, edge, to })
    }

    /// The visits at time 0: what they send.
    fn begin(&mut self) -> Vec<Token> {
        let first = |to| Token { arrival: 0, original: 0, from: to, number: 0, edge: 0, to };
        (0..STATIONS).filter_map(|to| self.decide(first(to))).collect()
    }

    /// The window, and the instants of approximate time: a round decides whatever arrives in [m, m + lookahead).
    fn shared_bound(&mut self, lookahead: u64) {
        let mut coming = self.begin();
        while let Some(first) = coming.iter().map(|token| token.arrival).min().filter(|first| *first < self.until()) {
            let bound = self.until().min(first + lookahead);
            self.rounds.push(Round { first, bounds: [bound; STATIONS] });
            let (mut now, later): (Vec<Token>, _) = coming.into_iter().partition(|token| token.arrival < bound);
            now.sort_unstable();
            coming = later;
            for sent in now.into_iter().filter_map(|token| self.decide(token)) {
                assert!(sent.arrival >= bound, "a round must not create what belongs into it");
                coming.push(sent);
            }
        }
    }

    /// From now to the end of the first service whose token goes by an edge; at most four services are looked at.
    fn span(&self, station: usize, edge: usize) -> u64 {
        let mut stream = self.servers[station].stream.clone();
        let mut span = 0;
        for _ in 0..4 {
            span += self.model.law(station as u32).service(&mut stream).ticks();
            if (stream.draw() >> 31) as usize == edge {
                break;
            }
        }
        span
    }

    /// Appointments, as docs/semantics.md has them.
    fn appointments(&mut self) {
        let mut sent = self.begin();
        let mut lists = [const { BTreeSet::<Token>::new() }; STATIONS];
        // By station and edge: what it has published, and from when on what it sent last may be answered.
        let mut told: [[u64; 2]; STATIONS] =
            std::array::from_fn(|id| [0, 1].map(|edge| self.servers[id].free.saturating_add(self.span(id, edge))));
        let mut answers = [[NEVER; 2]; STATIONS];
        loop {
            sent.drain(..).for_each(|token| _ = lists[token.to].insert(token));
            let heads = lists.each_ref().map(|list| list.first().map_or(NEVER, |token| token.arrival));
            let first = heads.into_iter().min().unwrap_or(NEVER);
            if first >= self.until() {
                return;
            }
            let promise = |id: usize, edge: usize| told[neighbour(id, edge)][1 - edge].min(answers[id][edge]);
            let promises: [[u64; 2]; STATIONS] =
                std::array::from_fn(|id| [0, 1].map(|edge| promise(id, edge).max(first + 1)));
            self.rounds.push(Round { first, bounds: promises.map(|[next, before]| next.min(before)) });
            answers = [[NEVER; 2]; STATIONS];
            for (id, list) in lists.iter_mut().enumerate() {
                let mut from = promises[id];
                while let Some(token) = list.pop_first() {
                    if !self.may_decide(&token, from) {
                        list.insert(token);
                        break;
                    }
                    let Some(token) = self.decide(token) else { continue };
                    answers[id][token.edge] = answers[id][token.edge].min(token.arrival + 1);
                    from[token.edge] = from[token.edge].min(token.arrival + 1);
                    sent.push(token);
                }
                let head = list.first().map_or(NEVER, |token| token.arrival);
                let next = |edge: usize| from[1 - edge].min(head).max(self.servers[id].free);
                told[id] = [0, 1].map(|edge| next(edge).saturating_add(self.span(id, edge)));
            }
        }
    }

    /// Whether nothing that a neighbour may still send precedes a token.
    fn may_decide(&self, token: &Token, from: [u64; 2]) -> bool {
        let behind = |edge: usize| (token.arrival, token.from) <= (from[edge], neighbour(token.to, edge));
        token.arrival < self.until() && behind(0) && behind(1)
    }
}

/// The records that follow from the visits.
fn outcome(replay: &Replay) -> NetworkOutcome {
    let until = replay.until();
    let record = |server: &Server| {
        let mut record = FacilityRecord { in_service: Time::NEVER, ..Default::default() };
        for visit in &server.visits {
            record.arrivals += u64::from(visit.token.arrival > 0);
            record.starts += 1;
            record.waiting += visit.start - visit.token.arrival;
            record.service += visit.end - visit.start;
            record.busy += visit.end.min(until) - visit.start;
            record.presence += visit.end.min(until) - visit.token.arrival;
            if visit.end < until {
                record.completions += 1;
            } else {
                (record.in_service, record.serving) = (Time::from_ticks(visit.end), 1);
            }
        }
        record.queued = server.parked.len() as u64;
        record.arrivals += record.queued;
        record.presence += server.parked.iter().map(|arrival| until - arrival).sum::<u64>();
        record
    };
    let exact = replay.interval.is_none();
    let stations = Outcome {
        facilities: replay.servers.iter().map(record).collect(),
        queue: replay.servers.iter().flat_map(|server| &server.parked).map(|&t| Time::from_ticks(t)).collect(),
        services: vec![],
        from: Time::ZERO,
        until: replay.model.until(),
    };
    NetworkOutcome {
        stations,
        sources: vec![],
        sinks: vec![],
        in_transit: 0,
        tokens_before: STATIONS as u64,
        causality_errors: if exact { vec![] } else { replay.servers.iter().map(|server| server.errors).collect() },
        distributions: None,
    }
}

/// Holds a replay against the heap simulator and a device: the records of both, and the rounds of the device.
fn check(kind: Kind, replay: &Replay, device: Option<&WgpuDevice>) -> Result<()> {
    let (found, expected) = (outcome(replay), reference::simulate(replay.model, &mut unwatched())?.outcome);
    assert_eq!(expected.first_difference(&found), None);
    assert_eq!(expected.digest(), found.digest());
    let Some(device) = device else { return Ok(()) };
    let run = gpu::simulate(replay.model, device, &Options::default(), &mut unwatched())?;
    assert_eq!(run.outcome.digest(), found.digest());
    // A device makes appointments in pairs of rounds.
    let rounds = replay.rounds.len() as u64;
    let rounds = if kind == Kind::Appointments { rounds.next_multiple_of(2) } else { rounds };
    assert_eq!(run.rounds, Some(rounds));
    Ok(())
}

const SIZE: (u32, u32) = (1200, 640);
const LEFT: i32 = 96;
const RIGHT: i32 = 1184;
const TOP: i32 = 76;
const ROW: i32 = 56;
const BOTTOM: i32 = TOP + ROW * STATIONS as i32;
const BLACK_LINE: RGBColor = RGBColor(40, 40, 40);
const GREY: RGBColor = RGBColor(120, 120, 120);
const LIGHT: RGBColor = RGBColor(225, 225, 225);
/// Dark and light in turns, so that neighbours differ without colours too.
const ROUNDS: [RGBColor; 4] =
    [RGBColor(0, 68, 136), RGBColor(238, 204, 102), RGBColor(153, 68, 85), RGBColor(140, 200, 235)];

type Area<'a> = DrawingArea<BitMapBackend<'a>, plotters::coord::Shift>;

fn color(round: usize) -> RGBColor {
    if round == 0 { LIGHT } else { ROUNDS[(round - 1) % ROUNDS.len()] }
}

/// Of what is written on it.
fn ink(round: usize) -> RGBColor {
    if round > 0 && round % 2 == 1 { WHITE } else { BLACK }
}

fn x(ticks: u64) -> i32 {
    let share = (Time::from_ticks(ticks).units() / SHOWN).min(1.0);
    LEFT + (share * f64::from(RIGHT - LEFT)).round() as i32
}

/// The middle of a station's services.
fn y(station: usize) -> i32 {
    TOP + ROW * station as i32 + 22
}

fn write(area: &Area, text: &str, at: (i32, i32), size: u32, color: RGBColor, h: HPos) -> Result<()> {
    let style = TextStyle::from(("sans-serif", size).into_font()).color(&color).pos(Pos::new(h, VPos::Center));
    Ok(area.draw_text(text, &style, at)?)
}

fn line(area: &Area, from: (i32, i32), to: (i32, i32), color: RGBColor, width: u32) -> Result<()> {
    Ok(area.draw(&PathElement::new([from, to], color.stroke_width(width)))?)
}

fn bar(area: &Area, (left, right): (i32, i32), (top, bottom): (i32, i32), color: RGBColor) -> Result<()> {
    Ok(area.draw(&Rectangle::new([(left, top), (right, bottom)], color.filled()))?)
}

fn picture(kind: Kind, replay: &Replay, folder: &Path) -> Result<()> {
    let (file, title) = match kind {
        Kind::Window => ("window.png", "Window: a round decides what arrives before the earliest event + 4"),
        Kind::Appointments => ("appointments.png", "Appointments: a station decides up to what its neighbours promise"),
        Kind::Interval => ("interval.png", "Approximate time: a round decides one multiple of 4"),
    };
    let path = folder.join(file);
    let area = BitMapBackend::new(&path, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    write(&area, title, (LEFT, 22), 26, BLACK, HPos::Left)?;
    match kind {
        Kind::Window => windows(&area, replay)?,
        Kind::Appointments => promises(&area, replay)?,
        Kind::Interval => instants(&area, replay)?,
    }
    axes(&area)?;
    for visit in replay.servers.iter().flat_map(|server| &server.visits) {
        moves(&area, visit)?;
    }
    for visit in replay.servers.iter().flat_map(|server| &server.visits) {
        service(&area, kind, visit)?;
    }
    legend(&area, kind)?;
    area.present()?;
    println!("wrote {}: {} rounds until {SHOWN}", path.display(), replay.rounds.len());
    Ok(())
}

fn axes(area: &Area) -> Result<()> {
    for station in 0..STATIONS {
        write(area, &format!("station {station}"), (LEFT - 8, y(station)), 18, BLACK, HPos::Right)?;
        let bottom = TOP + ROW * (station as i32 + 1);
        line(area, (LEFT, bottom), (RIGHT, bottom), LIGHT, 1)?;
    }
    line(area, (LEFT, BOTTOM), (RIGHT, BOTTOM), BLACK_LINE, 2)?;
    for time in (0..=SHOWN as u64).step_by(10) {
        let at = x(time << 32);
        line(area, (at, BOTTOM), (at, BOTTOM + 6), BLACK_LINE, 2)?;
        write(area, &time.to_string(), (at, BOTTOM + 18), 18, BLACK, HPos::Center)?;
    }
    write(area, "simulated time (a service takes 10 in the mean)", ((LEFT + RIGHT) / 2, BOTTOM + 40), 20, BLACK, HPos::Center)
}

/// How a token came: from the station before, and its wait.
fn moves(area: &Area, visit: &Visit) -> Result<()> {
    let Token { arrival, from, to, .. } = visit.token;
    let (at, here) = (x(arrival), y(to));
    if arrival > 0 {
        // Between the last station and the first the way is around the picture.
        let (begin, end) = match (from, to) {
            (0, last) if last == STATIONS - 1 => (BOTTOM, here),
            (last, 0) if last == STATIONS - 1 => (TOP, here),
            _ => (y(from), here),
        };
        line(area, (at, begin), (at, end), GREY, 2)?;
    }
    if visit.start > arrival {
        line(area, (at, here + 20), (x(visit.start), here + 20), GREY, 4)?;
        line(area, (at, here), (at, here + 22), GREY, 2)?;
    }
    Ok(())
}

fn service(area: &Area, kind: Kind, visit: &Visit) -> Result<()> {
    let here = y(visit.token.to);
    let (left, right) = (x(visit.start), x(visit.end));
    bar(area, (left, right), (here - 13, here + 13), BLACK_LINE)?;
    bar(area, (left + 1, right - 1), (here - 12, here + 12), color(visit.round))?;
    if kind == Kind::Window {
        let least = x(visit.start + (STEP as u64) << 32);
        let _ = least;
    }
    if kind == Kind::Interval {
        let (begin, end) = (x(visit.original_start), x(visit.original_end));
        line(area, (begin, here + 9), (end, here + 9), ink(visit.round), 2)?;
    }
    if right - left > 22 {
        write(area, &visit.round.to_string(), ((left + right) / 2, here), 18, ink(visit.round), HPos::Center)?;
    }
    Ok(())
}

fn windows(area: &Area, replay: &Replay) -> Result<()> {
    for (place, round) in replay.rounds.iter().enumerate() {
        let (left, right) = (x(round.first), x(round.bounds[0]));
        bar(area, (left, right), (TOP, BOTTOM), RGBColor(240, 240, 240))?;
        bar(area, (left, right), (TOP - 26, TOP - 2), color(place + 1))?;
        write(area, &(place + 1).to_string(), ((left + right) / 2, TOP - 14), 18, ink(place + 1), HPos::Center)?;
    }
    Ok(())
}

fn promises(area: &Area, replay: &Replay) -> Result<()> {
    for (place, round) in replay.rounds.iter().enumerate() {
        let mut before = None;
        for (station, bound) in round.bounds.iter().enumerate() {
            let (at, top) = (x(*bound), TOP + ROW * station as i32);
            line(area, (before.unwrap_or(at), top), (at, top), color(place + 1), 3)?;
            line(area, (at, top), (at, top + ROW), color(place + 1), 3)?;
            before = Some(at);
        }
    }
    Ok(())
}

fn instants(area: &Area, replay: &Replay) -> Result<()> {
    for (place, round) in replay.rounds.iter().enumerate() {
        let at = x(round.first);
        line(area, (at, TOP), (at, BOTTOM), GREY, 1)?;
        write(area, &(place + 1).to_string(), (at, TOP - 14), 18, BLACK, HPos::Center)?;
    }
    Ok(())
}

fn legend(_area: &Area, _kind: Kind) -> Result<()> {
    Ok(())
}
