//! Tokens that come to a station: some find no room, some balk, others join.

use super::super::later;
use super::station::Rank;
use super::visits::Stay;
use super::{Event, Oracle, Phase, Token};
use crate::Left;
use crate::QueueingError;
use crate::describe::Order;
use crate::model::{Preemption, Rules, balks};
use tickless_core::time::Time;

/// Tokens that balk or find no room at one instant where nobody goes round in a circle: far fewer.
const MOST_BALKED: u64 = 1 << 22;

impl Oracle<'_> {
    /// A token comes to where it goes; 1 where it balks, and so goes on.
    #[inline(always)]
    pub(super) fn arrive(&mut self, place: u32, now: Time) -> u64 {
        let id = self.tokens[place].at;
        if id as usize >= self.stations.len() {
            self.leave(place, now);
            return 0;
        }
        if self.stations[id as usize].simple {
            return self.comes(place, now);
        }
        self.arrive_anywhere(place, now)
    }

    /// The same at any station.
    fn arrive_anywhere(&mut self, place: u32, now: Time) -> u64 {
        let token = &mut self.tokens[place];
        let (id, class, expected) = (token.at, token.class, token.expected);
        // Nobody keeps room for it where it goes if it does not join.
        token.expected = false;
        let station = &mut self.stations[id as usize];
        if expected {
            station.end_keeping(class);
        }
        let full =
            station.is_full() || self.counts_classes && station.is_full_of(class, self.rules.visit(id, class).capacity);
        let full = full && !expected;
        station.accounts[class as usize].accounts.arrives(now, full);
        if full {
            return self.finds_no_room(place, now);
        }
        if self.stations[id as usize].balks && self.balks(place, id, now) {
            self.admit_held(id, now);
            return self.checks_livelock(id, now);
        }
        if self.goes_on_at_once(place, now) {
            self.admit(place, now);
        }
        if self.has_blocking {
            self.filled(id, now);
            self.check_held(id, now);
        }
        0
    }

    /// There is no room for a token: it is lost, or goes elsewhere; 1 where it goes on.
    pub(super) fn finds_no_room(&mut self, place: u32, now: Time) -> u64 {
        let id = self.tokens[place].at;
        let to = self.rules.stations[id as usize].full_to;
        self.turns_away(place, now, (Left::Lost, to));
        if to == Rules::LOST {
            self.lost_before += 1 - self.counted(now);
            self.vanish(place, now);
            return 0;
        }
        self.send_on(place, to, now);
        self.checks_livelock(id, now)
    }

    /// A token that has come to a station balks, or not.
    pub(super) fn balks(&mut self, place: u32, id: u32, now: Time) -> bool {
        let (rules, station) = (&self.rules.stations[id as usize], &mut self.stations[id as usize]);
        if !balks(&rules.balking, station.present(), station.stream.draw()) {
            return false;
        }
        station.accounts[self.tokens[place].class as usize].balked += u64::from(now >= self.model.warmup());
        self.turns_away(place, now, (Left::Balked, rules.balks_to));
        self.send_on(place, rules.balks_to, now);
        true
    }

    /// Counts who balks or finds no room at an instant, and so goes on.
    pub(super) fn checks_livelock(&mut self, id: u32, now: Time) -> u64 {
        let moves = if self.balked.0 == now { self.balked.1 + 1 } else { 1 };
        self.balked = (now, moves);
        if moves > MOST_BALKED {
            let (clock, station) = (now.units(), self.model.station_name(id).into_owned());
            self.fail(QueueingError::StandsStill { clock, moves: MOST_BALKED, station });
        }
        1
    }

    /// A token joins a station: into service where it can, else into the queue, perhaps not for ever.
    pub(super) fn admit(&mut self, place: u32, now: Time) {
        self.join(place, now);
        let token = &self.tokens[place];
        if token.gives_up < Time::NEVER && !token.begun {
            self.events.push(Event { time: token.gives_up, phase: Phase::Patience, entity: token.at, token: place });
        }
    }

    fn join(&mut self, place: u32, now: Time) {
        let token = &mut self.tokens[place];
        let (id, class) = (token.at, token.class);
        let station = &mut self.stations[id as usize];
        self.squares = self.squares.wrapping_add(2 * station.present() + 1);
        station.accounts[class as usize].accounts.enters(now);
        token.joins(station.arrivals, now);
        station.arrivals += 1;
        let patience = self.rules.visit(id, class).patience.as_ref().map(|law| law.service(&mut station.stream));
        self.stays(place, (id, class), now, Stay::Comes);
        // Who waits for a batch gives up waiting for others.
        let patience = patience.or_else(|| self.rules.stations[id as usize].longest_wait(class));
        if let Some(patience) = patience {
            self.tokens[place].gives_up = later(now, patience);
        } else if let Some(size) = self.rules.visit(id, class).patience_by {
            self.tokens[place].gives_up_by(size, self.rules.stations[id as usize].patience_from_source, now);
        }
        let rules = &self.rules.stations[id as usize];
        if rules.order.knows_services() {
            self.draw(place, now);
        } else if rules.order.is_by_attribute() {
            self.tokens[place].order_by_value(rules.order, rules.order_by);
        }
        let rules = &self.rules.stations[id as usize];
        if rules.seizes.is_empty() {
            self.line_up(place, now);
        } else {
            // Who gets units and servers, and when, is for all stations together.
            self.begins_to_wait(place);
            let rank = self.rank(place);
            let station = &mut self.stations[id as usize];
            if rules.seizes_early {
                station.outside.insert(rank, place);
            } else {
                station.waiting.insert(rank, class, place);
            }
            self.keep_pace(id, now);
        }
    }

    /// A token goes into service where it can, else into the queue.
    pub(super) fn line_up(&mut self, place: u32, now: Time) {
        let id = self.tokens[place].at;
        let station = &self.stations[id as usize];
        let rules = &self.rules.stations[id as usize];
        if !rules.groups.is_empty() {
            return self.line_up_for_groups(place, now);
        }
        let is_free = station.has_free_server() && rules.setup.is_none();
        if rules.order == Order::Sharing || is_free && !self.waits_for_decision(id, now) {
            return self.serve(place, now);
        }
        if station.has_free_server() && station.ready > 0 {
            // It is idle.
            self.stations[id as usize].ready -= 1;
            self.serve(place, now);
            return self.rest(id, now);
        }
        if rules.preemption != Preemption::Never
            && let Some(rank) = station.interrupted(rules.preemption, self.rank_if_served(place, now))
        {
            self.interrupt(id, rank, now);
            self.serve(place, now);
            // A server that is off may set up for the one that waits again.
            return self.rest(id, now);
        }
        self.begins_to_wait(place);
        self.waits(place);
        self.keep_pace(id, now);
        self.rest(id, now);
    }

    /// The rank of a token, as if its service began: of who has the least left to do the end of the service counts.
    fn rank_if_served(&self, place: u32, now: Time) -> Rank {
        let token = &self.tokens[place];
        match self.rules.stations[token.at as usize].order {
            Order::ShortestRemaining => Token { key: later(now, token.work), ..*token }.rank(self.rules),
            _ => token.rank(self.rules),
        }
    }

    /// A token joins those that wait at its station.
    pub(super) fn waits(&mut self, place: u32) {
        let (rank, token) = (self.rank(place), &self.tokens[place]);
        let has_groups = !self.rules.stations[token.at as usize].groups.is_empty();
        // Who has been interrupted stands behind its group.
        let list = if has_groups && token.begun { self.rules.classes() + token.group() } else { token.class };
        self.stations[token.at as usize].waiting.insert(rank, list, place);
    }

    /// Notes that a token of a class is at a station from now on, or is not.
    #[inline]
    pub(super) fn stays(&mut self, place: u32, at: (u32, u32), now: Time, stay: Stay) {
        if self.notes {
            self.notes_stay(place, at, now, stay);
        }
    }

    fn notes_stay(&mut self, place: u32, (id, class): (u32, u32), now: Time, stay: Stay) {
        self.notes_visit(place, (id, class), now, stay);
        if let Some(histograms) = &mut self.histograms {
            match stay {
                Stay::Comes => histograms.enters_of(id, class, now),
                Stay::Goes(..) => histograms.departs_of(id, class, now),
            }
        }
        if let Some(series) = &mut self.series {
            series.at_station(id, class, now, if matches!(stay, Stay::Comes) { 1 } else { -1 });
        }
    }

    pub(super) fn rank(&self, place: u32) -> Rank {
        self.tokens[place].rank(self.rules)
    }
}
