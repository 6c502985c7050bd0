//! Units of resources that come and go: by shifts, and where they fail and are repaired. What happens to them is an event of the resource's
//! keeper, the first station that seizes units of it, and drawn from that station's stream.

use super::units::Held;
use super::{Event, Oracle, Phase};
use crate::model::{ResourceRules, Rules};
use crate::reference::later;
use tickless_core::time::Time;

/// In place of a server or a group, in an event: a resource whose shift begins, or the unit that fails or is repaired.
pub(super) const UNITS: u32 = 1 << 31;

impl Held {
    /// How many units are there now: those of the shift that are in order.
    fn count_units(&mut self, rules: &ResourceRules) {
        let shift = rules.shift_schedule.as_ref().and_then(|shifts| shifts.shift(self.shift));
        let of_shift = shift.map_or(rules.units, |(_, units)| units);
        let out = self.out_of_order.iter().take(of_shift as usize).filter(|is_out| **is_out).count() as u32;
        self.changes_to(of_shift - out);
    }
}

impl Rules {
    /// The resource of a unit that fails, and which of its units it is; such units are numbered over all resources.
    fn failing_unit(&self, mut number: u32) -> (u32, u32) {
        for (resource, rules) in (0..).zip(&self.resources) {
            match number.checked_sub(rules.failing_units()) {
                None => return (resource, number),
                Some(rest) => number = rest,
            }
        }
        unreachable!("an event of a unit that does not fail")
    }
}

impl Oracle<'_> {
    /// At time 0: when the units change that a station keeps.
    pub(super) fn open_units(&mut self, id: u32) {
        let mut first = 0;
        for (resource, rules) in (0..).zip(&self.rules.resources) {
            if rules.keeper == id && rules.changes() {
                self.schedule_shift_of_units(resource, 1);
                (first..first + rules.failing_units()).for_each(|unit| self.schedule_unit(unit, Time::ZERO));
            }
            first += rules.failing_units();
        }
    }

    fn schedule_shift_of_units(&mut self, resource: u32, number: u64) {
        let rules = &self.rules.resources[resource as usize];
        if let Some((time, _)) = rules.shift_schedule.as_ref().and_then(|shifts| shifts.shift(number)) {
            self.events.push(Event { time, phase: Phase::Shift, entity: rules.keeper, token: UNITS | resource });
        }
    }

    /// A shift of a resource begins.
    pub(super) fn change_shift_of_units(&mut self, resource: u32, now: Time) {
        let held = &mut self.units.resources[resource as usize];
        held.shift += 1;
        let next = held.shift + 1;
        self.count_units(resource, now);
        self.schedule_shift_of_units(resource, next);
    }

    /// Draws how long a unit stays as it is.
    fn schedule_unit(&mut self, number: u32, now: Time) {
        let (resource, unit) = self.rules.failing_unit(number);
        let rules = &self.rules.resources[resource as usize];
        let Some([up, down]) = &rules.failures else { return };
        let is_out = self.units.resources[resource as usize].out_of_order[unit as usize];
        let span = if is_out { down } else { up }.service(&mut self.stations[rules.keeper as usize].stream);
        let token = UNITS | number;
        self.events.push(Event { time: later(now, span), phase: Phase::Failure, entity: rules.keeper, token });
    }

    /// A unit fails, or is repaired.
    pub(super) fn change_unit(&mut self, number: u32, now: Time) {
        let (resource, unit) = self.rules.failing_unit(number);
        let is_out = &mut self.units.resources[resource as usize].out_of_order[unit as usize];
        *is_out = !*is_out;
        self.count_units(resource, now);
        self.schedule_unit(number, now);
    }

    fn count_units(&mut self, resource: u32, now: Time) {
        let held = &mut self.units.resources[resource as usize];
        held.advance(now);
        held.count_units(&self.rules.resources[resource as usize]);
        // Who waits may have units now, or wait for ever.
        self.units.freed.push(resource);
        self.holder_waits = true;
    }
}
