//! What the player of a map shows: the visits of a replication from time 0 on, which the heap runs once more until enough are known.

use std::cell::Cell;
use std::collections::HashSet;
use std::ops::ControlFlow;

use crate::page::{Move, Player, Stay};
use crate::text::{counted, short};
use tickless_core::run::Progress;
use tickless_core::time::Time;
use tickless_queueing::{self as queueing, Cause, End, Flow, Left, NetworkModel, Visit};

/// The most arrivals, starts of services and departures in a page.
const MOST: usize = 2000;
/// The run ends after so many events, where few of them are of visits: a tenth of a second, about. The watch looks now and then, so that the
/// page may have a visit more or less then.
const MOST_EVENTS: u64 = 1 << 20;

/// The player of a replication, up to the clock of its run; `None` of one that cannot be recorded, and where nothing comes.
pub fn of(model: &NetworkModel, (number, clock): (u32, Time), flows: &[Flow]) -> Option<Player> {
    // Who is there at time 0 would fill the page.
    if model.tokens() as usize > MOST / 2 {
        return None;
    }
    let (mut all, end) = recorded(model, number, clock)?;
    // Those of one token stay in order.
    all.sort_by_key(|visit| visit.token);
    let shown = Shown { model, flows, end, splits: splits(model, &all) };
    let moves = shown.moves(&all);
    all.retain(|visit| visit.arrival < end);
    all.sort_by_key(|visit| visit.arrival);
    Some(Player {
        about: said(model, number, all.len(), end),
        classes: if model.classes().len() > 1 { model.classes().to_vec() } else { vec![] },
        unit: model.words().time_units().to_owned(),
        until: shown.units(end),
        visits: all.iter().map(|visit| shown.stay(visit)).collect(),
        moves,
    })
}

/// Visits of a replication in the order in which they end, and the time before which they have no more events than a page shows.
fn recorded(model: &NetworkModel, number: u32, clock: Time) -> Option<(Vec<Visit>, Time)> {
    let (mut all, ended) = (vec![], Cell::new(0));
    let take = |visit: &Visit| {
        all.push(visit.clone());
        ended.set(ended.get() + 1);
    };
    let mut watch = |progress: &Progress| {
        // Each visit that has ended has two events at least.
        let is_enough = ended.get() > MOST / 2 || progress.events >= MOST_EVENTS || progress.clock >= clock;
        if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let run = queueing::visits(model, number, take, &mut watch).ok()?;
    let end = run.clock.min(clock);
    let events = all.iter().flat_map(|visit| [Some(visit.arrival), visit.start, visit.departure]).flatten();
    let mut times: Vec<Time> = events.filter(|time| *time < end).collect();
    let end = if times.len() > MOST { *times.select_nth_unstable(MOST).1 } else { end };
    all.iter().any(|visit| visit.arrival < end).then_some((all, end))
}

/// The stations that split tokens, with the times at which they did.
fn splits(model: &NetworkModel, all: &[Visit]) -> HashSet<(u32, Time)> {
    let forks: HashSet<u32> =
        (0..model.stations()).flat_map(|to| queueing::splitters(model, to)).map(|(from, _)| from).collect();
    let split = all.iter().filter(|visit| visit.left == Left::Served && forks.contains(&visit.station));
    split.filter_map(|visit| Some((visit.station, visit.departure?))).collect()
}

fn said(model: &NetworkModel, number: u32, visits: usize, end: Time) -> String {
    let words = model.words();
    let (tokens, unit, until) = (words.tokens(), words.time_units(), short(end.units()));
    let which = if number == 0 { "The first replication".to_owned() } else { format!("Replication {number}") };
    let visits = counted(visits as u64, "visit");
    let warmup = Some(model.warmup()).filter(|warmup| *warmup > Time::ZERO);
    let warmup = warmup.map(|time| {
        let within = if time < end { "begins with" } else { "is part of" };
        format!(" It {within} the warm-up, which lasts until {} {unit}.", short(time.units()))
    });
    format!(
        "{which} from 0 to {until} {unit}: {visits}.{} Above a station stand the {tokens} that wait, within it those whose service has begun, \
         with their numbers.",
        warmup.unwrap_or_default()
    )
}

/// What is shown, on a map with these ways.
struct Shown<'a> {
    model: &'a NetworkModel,
    flows: &'a [Flow],
    end: Time,
    splits: HashSet<(u32, Time)>,
}

impl Shown<'_> {
    /// To a millionth of the whole, which is shorter than anybody sees.
    fn units(&self, time: Time) -> f64 {
        let digits = 6 - self.end.units().log10().floor() as i32;
        let power = 10_f64.powi(digits.abs());
        let units = time.units();
        if digits < 0 { (units / power).round() * power } else { (units * power).round() / power }
    }

    fn within(&self, time: Option<Time>) -> Option<Time> {
        time.filter(|time| *time < self.end)
    }

    fn stay(&self, visit: &Visit) -> Stay {
        let place = self.model.sources() + visit.station;
        let [start, departure] =
            [visit.start, visit.departure].map(|time| self.within(time).map(|time| self.units(time)));
        Stay(visit.token, visit.class, place as usize, self.units(visit.arrival), start, departure)
    }

    fn move_of(&self, visit: &Visit, way: i64, begin: Option<Time>, end: Time) -> Move {
        Move(visit.token, visit.class, way, begin.map(|time| self.units(time)), self.units(end))
    }

    /// The number of a way.
    fn way(&self, from: End, to: End, cause: Cause) -> Option<i64> {
        let is_it = |flow: &Flow| (flow.from, flow.to, flow.cause) == (from, to, cause);
        self.flows.iter().position(is_it).map(|way| way as i64)
    }

    /// Of visits token by token.
    fn moves(&self, all: &[Visit]) -> Vec<Move> {
        let mut moves = vec![];
        for (place, visit) in all.iter().enumerate() {
            let same = |other: &&Visit| other.token == visit.token;
            let is_first = place.checked_sub(1).and_then(|before| all.get(before)).filter(same).is_none();
            moves.extend(is_first.then(|| self.coming(visit)).flatten());
            moves.extend(self.going(visit, all.get(place + 1).filter(same)));
        }
        moves
    }

    /// How a token comes to its first visit; `None` of one that is there at time 0, or where several sources may have sent it.
    fn coming(&self, visit: &Visit) -> Option<Move> {
        let Visit { arrival, station, class, .. } = *visit;
        if arrival == Time::ZERO || arrival >= self.end {
            return None;
        }
        let begun = |delay: Time| arrival.ticks().checked_sub(delay.ticks()).map(Time::from_ticks);
        let split = |(from, delay)| Some((from, begun(delay)?)).filter(|split| self.splits.contains(split));
        if let Some((from, begin)) = queueing::splitters(self.model, station).find_map(split) {
            let way = self.way(End::Station(from), End::Station(station), Cause::Route)?;
            return Some(self.move_of(visit, way, Some(begin), arrival));
        }
        let mut sources = queueing::senders(self.model, class, station);
        let source = sources.next().filter(|_| sources.next().is_none())?;
        let way = self.way(End::Source(source), End::Station(station), Cause::Route)?;
        Some(self.move_of(visit, way, None, arrival))
    }

    /// How a token leaves its visit for the next one, for a sink, or for good.
    fn going(&self, visit: &Visit, next: Option<&Visit>) -> Option<Move> {
        let begin = self.within(visit.departure)?;
        let cause = match visit.left {
            Left::Balked => Cause::Balking,
            Left::Reneged => Cause::Reneging,
            Left::Lost => Cause::Full,
            _ => Cause::Route,
        };
        if visit.left == Left::Joined && next.is_some() {
            return None;
        }
        let stations = self.model.stations();
        let to = visit.to.map(|to| if to < stations { End::Station(to) } else { End::Sink(to - stations) });
        let way = to.and_then(|to| self.way(End::Station(visit.station), to, cause));
        let is_on = matches!(to, Some(End::Station(_)));
        let end = if is_on { next.map_or(self.end, |next| next.arrival) } else { begin };
        let vanishes = -1 - i64::from(self.model.sources() + visit.station);
        Some(self.move_of(visit, way.unwrap_or(vanishes), Some(begin), end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tickless_queueing::{Network, flows};

    /// An order that splits, and is joined: each copy comes from where it was made, and one of them is no more.
    #[test]
    fn copies_come_from_where_tokens_split() {
        let text = "until = 30\n[[source]]\nname = 'in'\ninterval = 'constant:10'\nlimit = 1\nto = 'plan'\n\
                    [[station]]\nname = 'plan'\nservice = 'constant:1'\nrouting = 'fork'\n\
                    [[station]]\nname = 'a'\nservice = 'constant:2'\n[[station]]\nname = 'b'\nservice = 'constant:4'\n\
                    [[station]]\nname = 'join'\nservice = 'constant:1'\njoins = true\n[[sink]]\nname = 'out'\n\
                    [[route]]\nfrom = 'plan'\nto = 'a'\n[[route]]\nfrom = 'plan'\nto = 'b'\ndelay = 3\n\
                    [[route]]\nfrom = 'a'\nto = 'join'\n[[route]]\nfrom = 'b'\nto = 'join'\n\
                    [[route]]\nfrom = 'join'\nto = 'out'\n";
        let model = Network::from_toml(text).unwrap().check().unwrap();
        let flows = flows(&model, &[]);
        let player = of(&model, (0, model.until()), &flows).unwrap();
        let named = |end: End| match end {
            End::Source(_) => "in",
            End::Station(id) => ["plan", "a", "b", "join"][id as usize],
            End::Sink(_) => "out",
        };
        let way = |way: i64| match usize::try_from(way) {
            Ok(way) => [named(flows[way].from), named(flows[way].to)],
            Err(_) => [named(End::Station((-1 - way) as u32 - 1)), ""],
        };
        let moves: Vec<_> = player.moves.iter().map(|m| (m.0, way(m.2), m.3, m.4)).collect();
        let expected = [
            (0, ["in", "plan"], None, 10.0),
            (0, ["plan", "a"], Some(11.0), 11.0),
            (0, ["a", "join"], Some(13.0), 13.0),
            (0, ["join", ""], Some(18.0), 18.0),
            (1, ["plan", "b"], Some(11.0), 14.0),
            (1, ["b", "join"], Some(18.0), 18.0),
            (1, ["join", "out"], Some(19.0), 19.0),
        ];
        assert_eq!(moves, expected);
        assert_eq!((player.visits.len(), player.until), (6, 30.0));
    }
}
