//! Servers that fail by use: their clocks run only while they serve.

use super::station::Station;
use super::{Event, NOBODY, Oracle, Phase};
use serde::{Deserialize, Serialize};
use tickless_core::time::Time;

/// A server that fails by use.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct Server {
    /// What is left until it fails.
    left: Time,
    /// Whom it serves, or holds for want of room elsewhere.
    token: Option<u32>,
    /// Since when it serves.
    since: Option<Time>,
    /// When it fails or is repaired, if nothing comes in between.
    changes: Option<Time>,
}

impl Station {
    /// Whether a server still fails or is repaired at a time when that was to be: of one that fails by use, where it has served on.
    pub(super) fn is_due(&self, server: u32, time: Time) -> bool {
        self.wear.get(server as usize).is_none_or(|server| server.changes == Some(time))
    }
}

impl Oracle<'_> {
    /// A server is in order for so much use from now on.
    pub(super) fn renew(&mut self, id: u32, server: u32, left: Time) {
        self.stations[id as usize].wear[server as usize] = Server { left, ..Server::default() };
    }

    /// Schedules when a server fails or is repaired.
    pub(super) fn schedule_change(&mut self, id: u32, number: u32, time: Time) {
        if let Some(server) = self.stations[id as usize].wear.get_mut(number as usize) {
            server.changes = Some(time);
        }
        self.events.push(Event { time, phase: Phase::Failure, entity: id, token: number });
    }

    /// A token has a server from now on: the one that it has, or else the first free one that is in order.
    pub(super) fn take_server(&mut self, place: u32) -> Option<u32> {
        let token = &mut self.tokens[place];
        let station = &mut self.stations[token.at as usize];
        let holds = |server: &Server| server.token == Some(place);
        if station.wear.get(token.server as usize).is_some_and(holds) {
            return Some(token.server);
        }
        let free = |server: &usize| station.in_order[*server] && station.wear[*server].token.is_none();
        let number = (0..station.wear.len()).find(free)?;
        station.wear[number].token = Some(place);
        token.server = number as u32;
        Some(token.server)
    }

    /// The server of a token begins to serve it.
    pub(super) fn take_up(&mut self, place: u32, now: Time) {
        let Some(number) = self.take_server(place) else { return };
        let at = self.tokens[place].at;
        let server = &mut self.stations[at as usize].wear[number as usize];
        server.since = Some(now);
        let fails = Time::from_ticks(now.ticks() + server.left.ticks());
        self.schedule_change(at, number, fails);
    }

    /// A server serves its token no longer.
    pub(super) fn put_down(&mut self, place: u32, now: Time) {
        let token = &self.tokens[place];
        if token.server == NOBODY {
            return;
        }
        let Some(server) = self.stations[token.at as usize].wear.get_mut(token.server as usize) else { return };
        if let Some(since) = server.since.take() {
            server.left = Time::from_ticks((server.left.ticks() + since.ticks()).saturating_sub(now.ticks()));
            server.changes = None;
        }
    }

    /// A server has no token any longer.
    pub(super) fn let_go(&mut self, place: u32) {
        let token = &self.tokens[place];
        if token.server != NOBODY
            && let Some(server) = self.stations[token.at as usize].wear.get_mut(token.server as usize)
        {
            server.token = None;
        }
    }

    /// Whom a server serves that fails by use.
    pub(super) fn served_by(&self, id: u32, server: u32) -> Option<u32> {
        self.stations[id as usize].wear.get(server as usize)?.token
    }
}
