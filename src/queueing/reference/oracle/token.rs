//! A token: where it is, what it has waited and been served, and where it goes.

use super::NOBODY;
use super::station::Rank;
use crate::describe::Order;
use crate::model::{MOST_ATTRIBUTES, Rules, Size, Values, rank};
use serde::{Deserialize, Serialize};
use tickless_core::random::Stream;
use tickless_core::time::Time;

/// The number of the arrival of a token that is on its way.
pub(super) const NONE: u64 = u64::MAX;
/// The same of one that another rank has told of: it is on its way here once it has left there.
pub(super) const COMING: u64 = u64::MAX - 1;

/// A token. What a station that only serves needs of it lies in its first line of the cache: such a station leaves the
/// rest of a token as it is that it serves at once.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[repr(C, align(64))]
pub(super) struct Token {
    pub(super) class: u32,
    /// The station where it is, or the target that it goes to.
    pub(super) at: u32,
    /// Where it goes then.
    pub(super) edge: u32,
    /// The copies of one token that it is one of; or [`NOBODY`].
    pub(super) siblings: u32,
    /// When the service in progress ends; never where none is.
    pub(super) end: Time,
    /// Since when it waits, or is on its way.
    pub(super) since: Time,
    /// The number of its arrival there.
    pub(super) arrival: u64,
    /// The number of its last service at a station.
    pub(super) visit: u64,
    /// The number of its departure from there.
    pub(super) number: u64,
    /// When it came from a source; never where it was there at time 0.
    pub(super) entered: Time,
    /// When it came to the station.
    pub(super) arrived: Time,
    /// Since when the times of its service count: its arrival, or the end of a service that is repeated.
    pub(super) from: Time,
    /// What it has waited here.
    pub(super) waited: u64,
    /// Its whole service.
    pub(super) service: Time,
    /// What is left of its service. Never where none is drawn: that is before the first begins, but where the shortest job is served first.
    pub(super) work: Time,
    /// When it gives up, if no service has begun.
    pub(super) gives_up: Time,
    /// Since when it holds its server, served and without room where it goes; never where it does not.
    pub(super) blocked: Time,
    /// In approximate time the original time of the end of its service, or of its arrival; in exact time 0.
    pub(super) original: Time,
    /// What it carries.
    pub(super) values: Values,
    /// By what it is in line at a station of `sjf`, `psjf`, `srpt`, `least`, `edd` or `ageing`; elsewhere nobody asks.
    pub(super) key: Time,
    /// The route that it keeps, served again since there was no room; or [`NOBODY`].
    pub(super) kept: u32,
    /// The server that serves or holds it, where servers fail by use, or its group; or [`NOBODY`].
    pub(super) server: u32,
    /// Whether a service has begun.
    pub(super) begun: bool,
    /// Whether there is room for it where it goes.
    pub(super) expected: bool,
}

impl Token {
    /// A token of a class that comes from a source, or is at a station at time 0.
    pub(super) fn new(class: u32, entered: Time, at: u32) -> Self {
        Self {
            class,
            at,
            arrival: NONE,
            visit: 0,
            number: 0,
            end: Time::NEVER,
            arrived: Time::ZERO,
            from: Time::ZERO,
            since: Time::ZERO,
            waited: 0,
            service: Time::ZERO,
            work: Time::NEVER,
            edge: 0,
            kept: NOBODY,
            entered,
            gives_up: Time::NEVER,
            blocked: Time::NEVER,
            siblings: NOBODY,
            server: NOBODY,
            original: Time::ZERO,
            values: [Time::ZERO; MOST_ATTRIBUTES],
            key: Time::ZERO,
            begun: false,
            expected: false,
        }
    }

    /// It joins a station, as the one with this number.
    pub(super) fn joins(&mut self, arrival: u64, now: Time) {
        (self.arrival, self.arrived, self.from, self.since) = (arrival, now, now, now);
        (self.waited, self.work, self.kept, self.server) = (0, Time::NEVER, NOBODY, NOBODY);
        (self.gives_up, self.blocked) = (Time::NEVER, Time::NEVER);
        (self.begun, self.expected) = (false, false);
    }

    /// The number of the arrival of a token that is on its way, among those from where it comes: the one that left first comes first.
    #[inline]
    pub(super) fn order(&self) -> u128 {
        u128::from(self.since.ticks()) << 64 | u128::from(self.number)
    }

    /// The place of a token in the order of service where it is.
    #[inline]
    pub(super) fn rank(&self, rules: &Rules) -> Rank {
        let order = rules.stations[self.at as usize].order;
        rank(order, rules.levels[self.class as usize], self.arrival, self.key)
    }

    /// Draws a service, and where it leads.
    #[inline]
    pub(super) fn draw(&mut self, stream: &mut Stream, rules: &Rules, now: Time) {
        let visit = rules.visit(self.at, self.class);
        let station = &rules.stations[self.at as usize];
        let service = match station.groups.get(self.server as usize) {
            None => visit.service(&self.values, stream),
            Some(group) => group.classes[self.class as usize].service(visit, &self.values, stream),
        };
        let service = station.time_factors.as_ref().map_or(service, |factors| factors.longer(service, now));
        self.draw_way_after(service, stream, rules);
    }

    /// Draws where a service leads that is known.
    #[inline]
    pub(super) fn draw_way_after(&mut self, service: Time, stream: &mut Stream, rules: &Rules) {
        (self.service, self.work) = (service, service);
        if rules.stations[self.at as usize].order.knows_services() {
            self.key = service;
        }
        let drawn = rules.edge(rules.visit(self.at, self.class), stream.draw());
        self.edge = if self.kept == NOBODY { drawn } else { self.kept };
    }

    /// By what it is in the order of service of a station that orders by an attribute.
    pub(super) fn order_by_value(&mut self, order: Order, attribute: u32) {
        let since = match order {
            Order::Ageing => self.arrived,
            Order::EarliestDue if self.entered != Time::NEVER => self.entered,
            _ => Time::ZERO,
        };
        self.key = Time::from_ticks(since.ticks() + self.values[attribute as usize].ticks());
    }

    /// It gives up once as much time has passed as what it carries says: since it came here, or since it came from its source.
    pub(super) fn gives_up_by(&mut self, size: Size, from_source: bool, now: Time) {
        let since = match from_source {
            false => self.arrived,
            true if self.entered == Time::NEVER => Time::ZERO,
            true => self.entered,
        };
        self.gives_up = Time::from_ticks(since.ticks() + size.of(&self.values).ticks()).max(now);
    }

    /// A service begins at a station where patience runs on: it lasts no longer than that.
    pub(super) fn may_abandon(&mut self, now: Time) {
        if self.gives_up.ticks() < now.ticks() + self.work.ticks() {
            let left = Time::from_ticks(self.gives_up.ticks().saturating_sub(now.ticks()).max(1));
            (self.service, self.work, self.edge) = (left, left, NOBODY);
        }
    }

    /// Since when it has held its server in the time that counts.
    pub(super) fn blocked_since(&self, warmup: Time) -> Time {
        self.blocked.max(warmup)
    }
}
