//! The units of resources: how many are free, and who holds the others.

use std::collections::BTreeSet;

use crate::model::{Need, ResourceRules, Rules, StationRules};
use crate::outcome::ResourceRecord;
use serde::{Deserialize, Serialize};
use tickless_core::time::Time;

/// The units of every resource.
#[derive(Serialize, Deserialize)]
pub(super) struct Units {
    warmup: Time,
    pub(super) resources: Vec<Held>,
    /// What each token holds, by its place: of each resource that it has seized, perhaps 0 units.
    of_tokens: Vec<Vec<Need>>,
    /// The resources of which units have been given back since they were granted last.
    pub(super) freed: Vec<u32>,
}

/// A token in service that may lose its units: its priority, when it has come to its station, the station, its number there, and its place.
pub(super) type Loser = (u32, Time, u32, u64, u32);

#[derive(Serialize, Deserialize)]
pub(super) struct Held {
    /// Of the units that are there; below 0 where tokens hold others.
    free: i64,
    /// The units that are there.
    there: u32,
    /// All units.
    units: u32,
    /// The number of the shift in force.
    pub(super) shift: u64,
    /// Of each unit that may fail.
    pub(super) out_of_order: Vec<bool>,
    /// The places of the tokens that hold some.
    pub(super) holders: BTreeSet<u32>,
    /// Those of them that lose some to a token of a higher priority; the last one loses them first. It follows from the tokens.
    #[serde(skip)]
    pub(super) losers: BTreeSet<Loser>,
    grants: u64,
    /// The integral of the units that are held, and up to when it is.
    held: u128,
    since: Time,
}

impl Held {
    fn new(of: &ResourceRules, warmup: Time) -> Self {
        let there = of.first_units();
        Self {
            free: i64::from(of.stock) - i64::from(of.units - there),
            there,
            units: of.units,
            shift: 0,
            out_of_order: vec![false; of.failing_units() as usize],
            holders: BTreeSet::new(),
            losers: BTreeSet::new(),
            grants: 0,
            held: 0,
            since: warmup,
        }
    }

    /// How many units tokens hold, or a stock lacks.
    fn in_use(&self) -> u64 {
        (i64::from(self.there) - self.free) as u64
    }

    /// Whether so many units are not free.
    pub(super) fn lacks(&self, units: u32) -> bool {
        i64::from(units) > self.free
    }

    /// How many of so many units are not free.
    pub(super) fn lacking(&self, units: u32) -> u64 {
        (i64::from(units) - self.free).max(0) as u64
    }

    /// Whether not all units are there.
    pub(super) fn is_reduced(&self) -> bool {
        self.there < self.units
    }

    /// So many units are there from now on.
    pub(super) fn changes_to(&mut self, there: u32) {
        self.free += i64::from(there) - i64::from(self.there);
        self.there = there;
    }

    /// The integral of the units that are held, up to a time behind all changes.
    pub(super) fn held_until(&self, now: Time) -> u128 {
        self.held + u128::from(now.ticks().saturating_sub(self.since.ticks())) * u128::from(self.in_use())
    }

    pub(super) fn advance(&mut self, now: Time) {
        if now > self.since {
            self.held += u128::from(now.ticks() - self.since.ticks()) * u128::from(self.in_use());
            self.since = now;
        }
    }
}

impl Units {
    pub(super) fn new(rules: &Rules, warmup: Time) -> Self {
        let resources = rules.resources.iter().map(|of| Held::new(of, warmup));
        Self { warmup, resources: resources.collect(), of_tokens: vec![], freed: vec![] }
    }

    /// How many resources there are.
    pub(super) fn count(&self) -> usize {
        self.resources.len()
    }

    /// Whether a token holds units of anything.
    pub(super) fn are_held_by(&self, place: u32) -> bool {
        self.of_tokens.get(place as usize).is_some_and(|held| held.iter().any(|need| need.units > 0))
    }

    /// The resources of which a token holds units, and how many, in the order of the file.
    pub(super) fn held_by(&self, place: u32) -> Option<Box<[(u32, u32)]>> {
        let held = self.of_tokens.get(place as usize)?.iter().filter(|need| need.units > 0);
        let mut held: Vec<_> = held.map(|need| (need.resource, need.units)).collect();
        held.sort_unstable();
        (!held.is_empty()).then(|| held.into())
    }

    /// Whether there is all that a token takes at a station, by one of the alternatives.
    pub(super) fn are_there(&self, rules: &StationRules) -> bool {
        if rules.alternatives.is_empty() { self.are_free(&rules.seizes) } else { self.alternative(rules).is_some() }
    }

    /// The first alternative at a station that is all there.
    fn alternative<'a>(&self, rules: &'a StationRules) -> Option<&'a [Need]> {
        let mut alternatives = rules.alternatives.iter();
        alternatives.find(|needs| self.are_free(needs) && self.are_free(&rules.uses)).map(Vec::as_slice)
    }

    /// A token takes what a station seizes and uses up, which is there.
    pub(super) fn seize(&mut self, place: u32, rules: &StationRules, now: Time) {
        if rules.alternatives.is_empty() {
            return self.take(place, &rules.seizes, now);
        }
        let Some(needs) = self.alternative(rules) else { return };
        self.take(place, needs, now);
        for Need { resource, units } in &rules.uses {
            let held = &mut self.resources[*resource as usize];
            held.advance(now);
            held.free -= i64::from(*units);
            held.grants += u64::from(now >= self.warmup);
        }
    }

    /// A token brings units, as far as there is room for them.
    pub(super) fn deliver(&mut self, brings: &[Need], now: Time) {
        for Need { resource, units } in brings {
            let missing = self.resources[*resource as usize].in_use();
            self.free_again(*resource, u64::from(*units).min(missing) as u32, now);
        }
    }

    fn are_free(&self, needs: &[Need]) -> bool {
        needs.iter().all(|need| !self.resources[need.resource as usize].lacks(need.units))
    }

    /// What a token holds of a resource.
    fn of_token(&mut self, place: u32, resource: u32) -> &mut u32 {
        let place = place as usize;
        if self.of_tokens.len() <= place {
            self.of_tokens.resize(place + 1, vec![]);
        }
        let all = &mut self.of_tokens[place];
        let found = all.iter().position(|held| held.resource == resource).unwrap_or_else(|| {
            all.push(Need { resource, units: 0 });
            all.len() - 1
        });
        &mut all[found].units
    }

    /// The list of what a token holds, which is empty from now on.
    fn take_list(&mut self, place: u32) -> Vec<Need> {
        self.of_tokens.get_mut(place as usize).map(std::mem::take).unwrap_or_default()
    }

    /// A token takes what is free.
    fn take(&mut self, place: u32, needs: &[Need], now: Time) {
        for Need { resource, units } in needs {
            *self.of_token(place, *resource) += units;
            let held = &mut self.resources[*resource as usize];
            held.advance(now);
            held.free -= i64::from(*units);
            held.holders.insert(place);
            held.grants += u64::from(now >= self.warmup);
        }
    }

    /// A token gives back as many of these as it holds.
    pub(super) fn give_back(&mut self, place: u32, needs: &[Need], now: Time) {
        for Need { resource, units } in needs {
            let of_token = self.of_token(place, *resource);
            let units = (*units).min(*of_token);
            *of_token -= units;
            let holds_more = *of_token > 0;
            self.free_again(*resource, units, now);
            if !holds_more {
                self.resources[*resource as usize].holders.remove(&place);
            }
        }
    }

    /// Who waits for such units is looked at.
    pub(super) fn may_be_free(&mut self, needs: &[Need]) {
        self.freed.extend(needs.iter().map(|need| need.resource));
    }

    /// Units of a resource are free again.
    fn free_again(&mut self, resource: u32, units: u32, now: Time) {
        let held = &mut self.resources[resource as usize];
        held.advance(now);
        held.free += i64::from(units);
        if units > 0 {
            self.freed.push(resource);
        }
    }

    /// What a token holds is another's.
    pub(super) fn pass(&mut self, from: u32, to: u32, now: Time) {
        for Need { resource, units } in self.take_list(from) {
            *self.of_token(to, resource) += units;
            let held = &mut self.resources[resource as usize];
            held.advance(now);
            if held.holders.remove(&from) {
                held.holders.insert(to);
            }
        }
    }

    /// A token that leaves the network gives back all.
    pub(super) fn give_all_back(&mut self, place: u32, now: Time) {
        let mut held = self.take_list(place);
        for Need { resource, units } in held.drain(..) {
            self.free_again(resource, units, now);
            self.resources[resource as usize].holders.remove(&place);
        }
        // The next token of this place has the list, and need not make another.
        if let Some(list) = self.of_tokens.get_mut(place as usize) {
            *list = held;
        }
    }

    /// The records at `clock`.
    pub(super) fn records(&mut self, clock: Time) -> Vec<ResourceRecord> {
        let record = |of: &mut Held| {
            of.advance(clock);
            ResourceRecord { grants: of.grants, in_use: of.in_use(), held: of.held }
        };
        self.resources.iter_mut().map(record).collect()
    }
}
