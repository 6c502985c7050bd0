//! The route of a token that has been served.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{NOBODY, Oracle};
use crate::describe::Routing;
use crate::model::VisitRules;
use tickless_core::random::Stream;

impl Oracle<'_> {
    /// The route of a token in a place: what it keeps, or else what its station decides.
    pub(super) fn way(&mut self, place: u32) -> u32 {
        let token = &self.tokens[place];
        if token.kept != NOBODY {
            return token.kept;
        }
        let (id, class) = (token.at as usize, token.class);
        let VisitRules { first, end, .. } = *self.rules.visit(token.at, class);
        let count = end - first;
        let station = &mut self.stations[id];
        match self.rules.stations[id].routing {
            Routing::Random => token.edge,
            // The copies take the others.
            Routing::Fork => first,
            Routing::ByAttribute => {
                let value = token.values[self.rules.stations[id].route_by as usize];
                let ways = &self.rules.edges[first as usize..end as usize];
                first + ways.partition_point(|way| way.up_to < value) as u32
            }
            Routing::RoundRobin => {
                let turns = station.turns.entry(class).or_default();
                *turns += 1;
                let turn = ((*turns - 1) % u64::from(count)) as u32;
                first + self.turn_decided(id, turn)
            }
            Routing::ShortestOf(of) => {
                let drawn: Vec<u32> = (0..of).map(|_| drawn(&(first..end), &mut station.stream)).collect();
                self.shortest(drawn)
            }
            Routing::ByVisit => {
                if self.served.len() <= place as usize {
                    self.served.resize_with(place as usize + 1, BTreeMap::new);
                }
                let visits = self.served[place as usize].entry(id as u32).or_default();
                *visits += 1;
                first + ((*visits - 1) % u64::from(count)) as u32
            }
            routing => self.chosen(routing, first..end),
        }
    }

    /// The one of some routes that a routing chooses by what stations hold.
    pub(super) fn chosen(&self, routing: Routing, edges: Range<u32>) -> u32 {
        match routing {
            Routing::ShortestLine => self.shortest_line(edges),
            Routing::FewestWaiting => self.fewest_waiting(edges),
            Routing::ShortestOfClass => self.shortest_of_class(edges),
            Routing::ShortestResponse => self.shortest_response(edges),
            Routing::LeastWork => self.least_work(edges),
            Routing::FirstFree => self.first_free(edges),
            _ => self.shortest(edges),
        }
    }

    /// Of some routes to stations the first to one with the fewest tokens.
    pub(super) fn shortest(&self, edges: impl IntoIterator<Item = u32>) -> u32 {
        let present = |edge: &u32| {
            let station = &self.stations[self.rules.edges[*edge as usize].target as usize];
            station.present() + station.coming
        };
        edges.into_iter().min_by_key(present).unwrap_or(0)
    }

    /// Of some routes to stations the first to one with the least number of tokens minus servers; more servers than any number of tokens count as
    /// infinitely many.
    fn shortest_line(&self, edges: impl IntoIterator<Item = u32>) -> u32 {
        let line = |edge: &u32| {
            let target = self.rules.edges[*edge as usize].target as usize;
            let station = &self.stations[target];
            if self.rules.stations[target].infinite || station.servers() >= 1 << 31 {
                return i64::MIN;
            }
            (station.present() + station.coming) as i64 - station.servers() as i64
        };
        edges.into_iter().min_by_key(line).unwrap_or(0)
    }

    /// Of some routes to stations the first to one with the fewest tokens in line.
    fn fewest_waiting(&self, edges: Range<u32>) -> u32 {
        let waiting = |edge: &u32| {
            let station = &self.stations[self.rules.edges[*edge as usize].target as usize];
            station.waiting.len() + station.outside.len()
        };
        edges.min_by_key(waiting).unwrap_or(0)
    }

    /// Of some routes to stations the first to one with the fewest tokens of the class that a token is of there.
    fn shortest_of_class(&self, edges: Range<u32>) -> u32 {
        let tokens = |edge: &u32| {
            let edge = &self.rules.edges[*edge as usize];
            self.stations[edge.target as usize].tokens_of(edge.becomes)
        };
        edges.min_by_key(tokens).unwrap_or(0)
    }

    /// Of some routes to stations the first to one with the least expected response time: the mean service time of the class that a token is
    /// of there, and as much for each of those that it finds beyond the free servers, by the servers.
    fn shortest_response(&self, edges: Range<u32>) -> u32 {
        let response = |edge: &u32| {
            let edge = &self.rules.edges[*edge as usize];
            let mean = u128::from(self.rules.visit(edge.target, edge.becomes).mean.ticks());
            if self.rules.stations[edge.target as usize].infinite {
                return (mean, 1);
            }
            let (station, servers) = (&self.stations[edge.target as usize], u64::from(self.model.servers(edge.target)));
            let tokens = (station.present() + station.coming + 1).max(servers);
            (mean * u128::from(tokens), u128::from(servers))
        };
        least(edges, response)
    }

    /// Of some routes to stations the first to one with the least expected work for each server: of every token there what its class
    /// is served in the mean.
    fn least_work(&self, edges: Range<u32>) -> u32 {
        let work = |edge: &u32| {
            let target = self.rules.edges[*edge as usize].target;
            if self.rules.stations[target as usize].infinite {
                return (0, 1);
            }
            let classes = self.stations[target as usize].accounts.iter().zip(0..);
            let of_class = |(accounts, class): (&super::station::ClassAccounts, u32)| {
                u128::from(accounts.accounts.present()) * u128::from(self.rules.visit(target, class).mean.ticks())
            };
            (classes.map(of_class).sum::<u128>(), u128::from(self.model.servers(target)))
        };
        least(edges, work)
    }

    /// The first of some routes to a free server or to a sink, or else to a station with room, or else of all.
    fn first_free(&self, edges: Range<u32>) -> u32 {
        let has = |edge: &u32, is_free: &dyn Fn(u32, u32) -> bool| {
            let edge = self.rules.edges[*edge as usize];
            let Some(station) = self.stations.get(edge.target as usize) else { return true };
            let of_class = self.rules.visit(edge.target, edge.becomes).capacity;
            is_free(edge.target, edge.becomes) && !station.is_full_of(edge.becomes, of_class)
        };
        let present = |id: u32| self.stations[id as usize].present() + self.stations[id as usize].coming;
        let has_server = |id: u32, class: u32| {
            let rules = &self.rules.stations[id as usize];
            if !rules.groups.is_empty() {
                return self.free_group(id, class).is_some();
            }
            rules.infinite || present(id) < self.stations[id as usize].servers()
        };
        let has_room =
            |id: u32, _| self.rules.stations[id as usize].infinite || present(id) < u64::from(self.model.capacity(id));
        let find = |is_free: &dyn Fn(u32, u32) -> bool| edges.clone().find(|edge| has(edge, is_free));
        find(&has_server).or_else(|| find(&has_room)).unwrap_or(edges.start)
    }
}

/// One of some routes that is drawn, each with the same probability.
pub(super) fn drawn(edges: &Range<u32>, stream: &mut Stream) -> u32 {
    edges.start + ((u64::from(stream.draw()) * edges.len() as u64) >> 32) as u32
}

/// The first of some routes with the least quotient of two numbers.
fn least(edges: Range<u32>, quotient: impl Fn(&u32) -> (u128, u128)) -> u32 {
    let order = |one: &u32, other: &u32| {
        let ((one, servers), (other, of_other)) = (quotient(one), quotient(other));
        (one * of_other).cmp(&(other * servers))
    };
    edges.min_by(order).unwrap_or(0)
}
