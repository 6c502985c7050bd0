//! Stations and resources of a replication whose tokens wait for each other for ever, and the units that tokens hold.

use super::layout::Kind;
use super::outcome::{Reading, Words};
use super::records::{APART, HELD, NONE};
use super::rows::{ForkCounts, Forked, Gathering, Places, Resource, ResourceUse, Standstill};
use crate::QueueingError;
use crate::model::{Need, ResourceRules};
use crate::outcome::{ForkRecord, ResourceRecord};
use tickless_core::statistics::sum_of;
use tickless_core::time::Time;

impl Reading<'_> {
    /// The error of a replication in a deadlock, from the number of a station that it has left, or from siblings that
    /// wait apart.
    pub(super) fn standstill(&self, all: &Words<'_>, number: usize, from: u32) -> QueueingError {
        let clock = Time::from_ticks(all.row::<Standstill>(number, 0).balked_at).units();
        if (from.wrapping_add(1)) & APART != 0 {
            return self.apart(all, number, (from.wrapping_add(1) & !APART, clock));
        }
        let (mut path, mut here) = (vec![], from);
        while !path.contains(&here) {
            path.push(here);
            here = self.waits_for(all, number, here).unwrap_or(from);
        }
        let begin = path.iter().position(|node| *node == here).unwrap_or(0);
        let cycle = &path[begin..];
        let stations = self.model.stations();
        let name = |node: &u32| match node.checked_sub(stations) {
            None => self.model.station_name(*node).into_owned(),
            Some(resource) => self.rules.resources[resource as usize].name.clone(),
        };
        let names: Vec<_> = cycle.iter().chain([&here]).map(name).collect();
        let names = names.join(" -> ");
        match cycle.iter().any(|node| *node >= stations) {
            true => QueueingError::Stuck { clock, cycle: names },
            false => QueueingError::Deadlock { clock, cycle: names },
        }
    }

    /// The error of siblings that wait at several stations.
    fn apart(&self, all: &Words<'_>, number: usize, (siblings, clock): (u32, f64)) -> QueueingError {
        let Gathering { first: mut token, .. } = all.row(number, self.forked_at(siblings));
        let mut stations = vec![];
        while token != NONE {
            let Forked { waits_at, behind, .. } = all.row(number, self.forked_at(token));
            stations.push(waits_at - 1);
            token = behind;
        }
        stations.sort_unstable();
        stations.dedup();
        let mut names = stations.iter().map(|id| self.model.station_name(*id).into_owned());
        let [one, other] = [names.next(), names.next()].map(Option::unwrap_or_default);
        QueueingError::Apart { clock, one, other }
    }

    /// The first word of a token about its siblings.
    fn forked_at(&self, token: u32) -> u32 {
        self.token_at(token) + 2 * self.layout.parameters.forked
    }

    /// The tokens that wait for their siblings, station by station, the first to come first.
    pub(super) fn aside(&self, all: &Words<'_>, number: usize) -> Vec<Vec<u32>> {
        let mut aside = vec![vec![]; self.model.stations() as usize];
        let Places { used, .. } = all.row(number, 0);
        for token in (0..used).filter(|_| self.layout.features.forks) {
            let Forked { waits_at, .. } = all.row(number, self.forked_at(token));
            if let Some(id) = waits_at.checked_sub(1) {
                aside[id as usize].push(token);
            }
        }
        let arrived = |token: &u32| self.times(all, number, *token).arrived;
        aside.iter_mut().for_each(|tokens| tokens.sort_by_key(arrived));
        aside
    }

    /// The record of tokens that split.
    pub(super) fn forks(&self, all: &Words<'_>, number: usize) -> Option<ForkRecord> {
        if !self.layout.features.forks {
            return None;
        }
        let ForkCounts { copies, joined } = all.row(number, self.layout.record(Kind::Fork, 0));
        Some(ForkRecord { copies: copies.into(), joined: joined.into() })
    }

    /// The node for which the first token of a station, or a holder of a resource (numbered behind the stations),
    /// waits.
    fn waits_for(&self, all: &Words<'_>, number: usize, node: u32) -> Option<u32> {
        let stations = self.model.stations();
        let Some(resource) = node.checked_sub(stations) else {
            if let Some(place) = self.blocked(all, number, node).first() {
                let edge = self.links(all, number, *place).edge;
                return Some(self.rules.edges[edge as usize].target);
            }
            let free = |resource: u32| all.row::<Resource>(number, self.layout.record(Kind::Resource, resource)).free;
            let changes = self.rules.resources.iter().any(ResourceRules::changes);
            let is_short = |need: &&Need| {
                let free = free(need.resource);
                need.units > if changes && free > i32::MAX as u32 { 0 } else { free }
            };
            let lacks = self.rules.stations[node as usize].seizes.iter().find(is_short);
            return lacks.map(|need| stations + need.resource);
        };
        let Places { used, .. } = all.row(number, 0);
        let holders = (0..used).filter(|place| self.held(all, number, *place, 1 + resource) > 0);
        holders.map(|place| self.held(all, number, place, 0) & !HELD).min()
    }

    /// What a token holds at a place: its station, or its units of a resource.
    fn held(&self, all: &Words<'_>, number: usize, token: u32, place: u32) -> u32 {
        let word = self.token_at(token) + 2 * self.layout.parameters.units_held + place / 2;
        all.pair(number, word)[place as usize % 2]
    }

    /// The records of the resources.
    pub(super) fn resources(&self, all: &Words<'_>, number: usize) -> Vec<ResourceRecord> {
        let record = |(place, rules): (u32, &ResourceRules)| {
            let first = self.layout.record(Kind::Resource, place);
            let Resource { free, grants, since } = all.row(number, first);
            let ResourceUse { used, upper, off_mark } = all.row(number, first);
            // Below 0 where tokens hold more than are there.
            let in_use = u64::from(rules.units.wrapping_sub(free).wrapping_sub(off_mark >> 1));
            let since = since.max(self.model.warmup().ticks());
            let since_then = u128::from(self.clock.ticks().saturating_sub(since)) * u128::from(in_use);
            let held = sum_of([used, upper.into()]) + since_then;
            ResourceRecord { grants: grants.into(), in_use, held }
        };
        (0..).zip(&self.rules.resources).map(record).collect()
    }
}
