//! Groups of servers: their rows of the model table, and what they leave.

use super::layout::{Kind, group_words};
use super::model_table::Rows;
use super::outcome::{Reading, Words};
use super::records::NONE;
use super::rows::{self, GroupTimes, Row};
use crate::NetworkModel;
use crate::capability::duties;
use crate::describe::Polling;
use crate::model::{GroupRules, Rules, VisitRules};
use crate::outcome::GroupRecord;
use tickless_core::statistics::sum_of;
use tickless_device::laws::Laws;

/// In place of where tokens go that lose their patience: who has waited long enough for a batch stays. No station or sink has this number.
pub(super) const STAYS: u32 = u32::MAX - 1;

/// The groups of every station; `place` is the place of the first event of what happens to servers. Shifts of groups have theirs in the order of
/// the stations.
pub(super) fn rows((model, rules): (&NetworkModel, &Rules), mut place: u32, laws: &mut Laws, rows: &mut Rows) {
    let (stations, count) = (rules.stations.len() as u32, |groups: &[GroupRules]| groups.len() as u32);
    let first = rows.len() as u32 + stations;
    let all: u32 = rules.stations.iter().map(|station| count(&station.groups)).sum();
    let mut next = first;
    // Behind the rows of all groups those of the stations where some fail.
    let mut next_failing = first + 2 * all;
    let failing = rules.stations.iter().filter(|station| station.has_failing_groups());
    let breakdowns: u32 = failing.map(|station| count(&station.groups)).sum();
    for station in &rules.stations {
        let gathers = station.has_bulks().into();
        let breakdowns = if station.has_failing_groups() { next_failing } else { 0 };
        rows.push(rows::Groups { first: next, count: count(&station.groups), gathers, breakdowns }.into());
        next += 2 * count(&station.groups);
        next_failing += if breakdowns > 0 { count(&station.groups) } else { 0 };
    }
    let mut classes = first + 2 * all + breakdowns;
    let mut shifts = classes + all * rules.classes();
    let (mut of_classes, mut of_shifts, mut of_bulks): (Rows, Rows, Rows) = (vec![], vec![], vec![]);
    let mut failing: Rows = vec![];
    let groups = || rules.stations.iter().flat_map(|station| &station.groups);
    let steps = |group: &GroupRules| group.shift_schedule.as_ref().map_or(vec![], |shifts| shifts.lengths());
    let first_bulk = shifts + groups().map(|group| steps(group).len() as u32).sum::<u32>();
    for (id, station) in (0..).zip(&rules.stations) {
        let mut own = place;
        for group in &station.groups {
            let (serves, in_line) = (group.serves.len() as u32, group.first_in_line.into());
            let servers = group.first_servers();
            rows.push(rows::Group { classes, serves, servers, in_line }.into());
            let steps = steps(group);
            let count = steps.len() as u32;
            let bulk = first_bulk + of_bulks.len() as u32;
            of_bulks.extend(bulk_rows(group, bulk, laws));
            // A group without shifts, whose server does not walk, has no event.
            let has_event = count > 0 || group.walks();
            let event = if has_event { own } else { NONE };
            rows.push(rows::GroupShifts { first: shifts, count, place: event, bulk }.into());
            own += u32::from(has_event);
            if station.has_failing_groups() {
                failing.push(breakdown_row(group, own, laws));
                own += group.failures.as_ref().map_or(0, |_| group.servers);
            }
            // Nobody asks for the most of them: such stations hold no tokens.
            let shift = |(length, servers)| Row::from(rows::Shift { length, servers, most: 0 });
            of_shifts.extend(steps.into_iter().map(shift));
            let visits = (0..rules.classes()).map(|class| rules.visit(id, class));
            of_classes.extend(classes_of(group, visits, laws));
            classes += rules.classes();
            shifts += count;
        }
        place += duties((model, id), station) as u32;
    }
    rows.extend(failing);
    rows.extend(of_classes);
    rows.extend(of_shifts);
    rows.extend(of_bulks);
}

/// When its servers fail: the events of all are in places from this one on.
fn breakdown_row(group: &GroupRules, place: u32, laws: &mut Laws) -> Row {
    let [works, repairs] = group.failures.as_ref().map_or([NONE; 2], |all| all.each_ref().map(|law| laws.number(law)));
    rows::Breakdowns { works, repairs, place, servers: group.servers }.into()
}

/// How many tokens its servers serve at once, and how its server goes round: the rows from this one on.
fn bulk_rows(group: &GroupRules, first: u32, laws: &mut Laws) -> Rows {
    let bulk = &group.bulk;
    // The numbers are those of polling.wgsl.
    let (polling, limit) = match group.polling {
        None => (0, 0),
        Some(Polling::Exhaustive) => (1, NONE),
        Some(Polling::Gated) => (2, 0),
        Some(Polling::Limited(most)) => (1, most),
    };
    let switching = group.switching.as_ref().map_or(NONE, |law| laws.number(law));
    let (most, least, factors) = (bulk.most, bulk.least, bulk.factors.len() as u32);
    let has_wait = bulk.wait.is_some().into();
    let walks = if group.walks() { first + 2 + factors } else { 0 };
    let own = [
        rows::Bulk { most, least, factors, polling }.into(),
        rows::BulkTurns { has_wait, limit, switching, walks }.into(),
    ];
    let factors = bulk.factors.iter().map(|factor| rows::BulkFactor { factor: *factor }.into());
    let rests = group.rests.into();
    let walks = group.walking.iter().map(|law| rows::Walk { law: laws.number(law), rests }.into());
    own.into_iter().chain(factors).chain(walks).collect()
}

/// The rows of the classes in a group, from those at its station.
fn classes_of<'a>(group: &GroupRules, visits: impl Iterator<Item = &'a VisitRules>, laws: &mut Laws) -> Rows {
    let of_class = |(class, (of, visit)): (usize, (&crate::model::ClassOfGroup, &VisitRules))| {
        let preferred = group.serves.get(class).copied().unwrap_or(NONE);
        let law = match &of.law {
            // A service by what the token carries.
            None if visit.size.is_some() => NONE,
            own => laws.number(own.as_ref().unwrap_or(&visit.law)),
        };
        rows::ClassOfGroup { preference: of.preference.unwrap_or(NONE), law, factor: of.factor, preferred }.into()
    };
    group.classes.iter().zip(visits).enumerate().map(of_class).collect()
}

impl Reading<'_> {
    /// What each group has done, station by station.
    pub(super) fn groups(&self, all: &Words<'_>, number: usize) -> Vec<GroupRecord> {
        let of_station =
            |id: u32| (0..self.rules.stations[id as usize].groups.len() as u32).map(move |group| (id, group));
        let groups = (0..self.layout.parameters.stations).flat_map(of_station);
        groups.map(|group| self.group(all, number, group)).collect()
    }

    fn group(&self, all: &Words<'_>, number: usize, (id, group): (u32, u32)) -> GroupRecord {
        const BITS: u32 = 96;
        let p = &self.layout.parameters;
        let first = self.layout.record(Kind::Station, id) + 2 * p.group_words + group * group_words(p.classes);
        let GroupTimes { taken, upper, sum } = all.row(number, first);
        let still = u128::from(self.clock.max(self.model.warmup()).ticks()) * u128::from(taken);
        // Two words of 32 bits in each of 64: servers, batches, and two of a turn; then the classes.
        let word = |place: u32| all.at(number, first + 2 + place / 2) >> (32 * (place & 1)) & u64::from(u32::MAX);
        GroupRecord {
            busy: sum_of([sum, upper.into()]).wrapping_add(still) & ((1 << BITS) - 1),
            batches: word(1),
            tokens: (4..4 + p.classes).map(word).collect(),
        }
    }
}
