//! Servers that walk from class to class, also where nobody waits. A group whose server is on its way has none on duty.

use super::super::later;
use super::station::Rank;
use super::{Event, Oracle, Phase};
use tickless_core::time::Time;

/// In place of how many are served in a turn: nobody has been yet. A gate is counted when somebody waits behind it.
const BEGINS: u64 = u64::MAX;

impl Oracle<'_> {
    /// At time 0 a server walks to the first class of its round; one that rests is there.
    pub(super) fn sets_out_to_walk(&mut self, id: u32) {
        let rules = &self.rules.stations[id as usize].groups;
        for (number, group) in (0..).zip(rules).filter(|(_, group)| group.walks()) {
            let of = &mut self.stations[id as usize].groups[number as usize];
            of.left = BEGINS;
            if !group.rests {
                of.turn = group.serves.len() as u32 - 1;
                self.begins_walk(id, number, Time::ZERO);
            }
        }
    }

    /// Free servers that walk go on to the next class; those that rest do where somebody waits.
    pub(super) fn walk_on(&mut self, id: u32, now: Time) {
        if !self.rules.stations[id as usize].has_walks() {
            return;
        }
        let rules = &self.rules.stations[id as usize].groups;
        for (number, group) in (0..).zip(rules).filter(|(_, group)| group.walks()) {
            let station = &self.stations[id as usize];
            let waits = || group.serves.iter().any(|class| station.waiting.len_of(*class) > 0);
            if station.groups[number as usize].has_free_server() && (!group.rests || waits()) {
                self.begins_walk(id, number, now);
            }
        }
    }

    fn begins_walk(&mut self, id: u32, number: u32, now: Time) {
        let rules = &self.rules.stations[id as usize].groups[number as usize];
        let station = &mut self.stations[id as usize];
        let next = rules.next_turn(station.groups[number as usize].turn);
        let time = later(now, rules.walking[next as usize].service(&mut station.stream));
        station.groups[number as usize].servers = 0;
        self.events.push(Event { time, phase: Phase::Return, entity: id, token: number });
    }

    /// A server has come to the next class.
    pub(super) fn ends_walk(&mut self, id: u32, number: u32, now: Time) {
        let rules = &self.rules.stations[id as usize].groups[number as usize];
        let of = &mut self.stations[id as usize].groups[number as usize];
        (of.turn, of.left, of.servers) = (rules.next_turn(of.turn), BEGINS, 1);
        self.serve_next(id, now);
    }

    /// How many tokens a server that walks still serves in its turn; 0 where nobody waits.
    pub(super) fn left_in_turn(&self, id: u32, number: u32) -> u64 {
        let rules = &self.rules.stations[id as usize].groups[number as usize];
        let station = &self.stations[id as usize];
        let of = &station.groups[number as usize];
        match station.waiting.len_of(rules.serves[of.turn as usize]) {
            0 => 0,
            waits if of.left == BEGINS => rules.turn_of(waits),
            _ => of.left,
        }
    }

    /// The token that a server that walks serves next.
    pub(super) fn takes_in_turn(&mut self, id: u32, number: u32) -> Option<(Rank, u32)> {
        let left = self.left_in_turn(id, number).checked_sub(1)?;
        let rules = &self.rules.stations[id as usize].groups[number as usize];
        let station = &mut self.stations[id as usize];
        let of = &mut station.groups[number as usize];
        of.left = left;
        let turn = of.turn;
        station.waiting.first_of(rules.serves[turn as usize])
    }
}
